#define _POSIX_C_SOURCE 200809L    /* open_memstream */

#include "transcription/candidates/discovery.h"

#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/mpcc/report.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned discovery_seed(const struct discovery *at)
{
    return (unsigned)at->task->homotopy->seed;
}

enum status discovery_status_of_stop(const struct discovery *at, enum status st)
{
    const bool interrupted = at->task->interrupt && *at->task->interrupt;
    return interrupted ? stop_status() : discovery_must_stop(at) ? STATUS_LIMIT : st;
}

bool discovery_is_near_optimum(const struct discovery *at)
{
    const struct solve_judge *bound = &at->task->bound;
    const struct finish *best = at->out->solution.best.ph ? &at->out->solution.best : &at->pool.found[0];
    const bool is_relaxed = (at->traits & TRAIT_VALUES) && !at->value;
    const bool is_there = at->out->solution.best.ph ? best->solved : pool_has_solution(&at->pool);
    return bound->is_near && is_there && !is_relaxed && !discovery_must_stop(at)
           && bound->is_near(bound->user, best->objective);
}

struct simulated_limits discovery_limits(const struct discovery *at)
{
    return (struct simulated_limits){ solve_seconds_left(at->task, at->start), at->task->interrupt };
}

struct solver discovery_solver(const struct discovery *at)
{
    return (struct solver){ .task = at->task,
                            .out = &at->out->record.discovery,
                            .diag = at->diag,
                            .start = at->start,
                            .guess = at->guess };
}

static enum rk_family scheme_of(const struct discovery *at)
{
    const bool asked = at->task->discretization->scheme == RK_GAUSS_LEGENDRE;
    const int scheme = at->settings->scheme;
    return scheme == FINISH_SCHEME_GAUSS || (scheme == FINISH_SCHEME_AUTO && asked) ? RK_GAUSS_LEGENDRE
                                                                                    : RK_RADAU_IIA;
}

struct finish_task discovery_task(const struct discovery *at, int stages, int elements)
{
    struct finish_task task = {
        .sys = at->out->sys,
        .grid = { .scheme = scheme_of(at), .stages = stages, .elements = elements,
                  .free_intervals = at->value || at->task->discretization->control_grid == CONTROL_GRID_FREE,
                  .value = at->value, .yield = at->yield },
        .deadline = at->start + at->task->max_seconds, .print_level = at->task->print_level,
        .interrupt = at->task->interrupt, .work = &at->out->record.work, .counts = &at->out->record.counts
    };
    finish_take_options(&task, at->task->solver);
    return task;
}

bool discovery_is_new(struct discovery *at, const struct sequence *seq)
{
    const bool is_new = pool_is_new(&at->pool, POOL_SEQUENCE, seq);
    if (!is_new)
        counts_repeated(discovery_counts(at));
    return is_new;
}

/* What stands most in the way of a program without a solution. */
static bool find_worst(const struct finish *one, char *text, size_t size)
{
    return report_obstacle(&one->ph->mpcc, one->w, FINISH_VIOLATION_OK, NULL, NULL, text, size);
}

/* What is tried next; its outcome is told with these words. */
void discovery_begin(struct discovery *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(at->what, sizeof at->what, fmt, args);
    va_end(args);
    solve_note(at->task, at->what);
}

/* What came of it, in a line. */
void discovery_tell(const struct discovery *at, const struct finish *one)
{
    const int n = one->ph->seq->n_event;
    if (one->solved) {
        solve_headline(at->task, "%s: a solution with %d event%s, objective %.7g", at->what, n, n == 1 ? "" : "s",
                       one->objective);
        return;
    }
    char text[256];
    const bool any = find_worst(one, text, sizeof text);
    solve_headline(at->task, "%s: no solution with its %d event%s; %s%s", at->what, n, n == 1 ? "" : "s", any ? "worst: " : "",
                   any ? text : tried_why(one->given_up, one->outcome));
}

/* The sequence in its text form, and how far its program came. */
void discovery_note(const struct discovery *at, const struct finish *one)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    fprintf(out, "%s: %d iterations, objective %.7g, violation %.1e, sequence ",
            one->solved ? "solved" : "not solved", one->iterations, one->objective, one->violation);
    sequence_print(one->ph->seq, out);
    char worst[256];
    if (!one->solved && find_worst(one, worst, sizeof worst))
        fprintf(out, "; worst: %s", worst);
    (void)fclose(out);
    solve_note(at->task, text);
    free(text);
}

void discovery_note_try(void *user, const char *what, const struct finish *tried)
{
    const struct discovery *at = user;
    char text[160];
    (void)snprintf(text, sizeof text, "%s: %s, %d iterations, objective %.7g, violation %.1e", what,
                   tried->solved ? "solved" : "not solved", tried->iterations, tried->objective, tried->violation);
    solve_note(at->task, text);
}

/* --- What is kept ----------------------------------------------------------------------------------------- */

static void reserve_cpu(struct discovery *at)
{
    if (at->limited.interrupt_late || at->limited.interrupt != stop_flag())
        return;
    at->limited.interrupt_late = at->limited.interrupt;
    at->limited.interrupt = at->search.task.interrupt = stop_early_flag(REPLAY_SHARE);
}

/* There is something to replay: what follows has to leave time for that, by the clock and of the CPU. */
static void reserve_time(struct discovery *at)
{
    reserve_cpu(at);
    if (!isfinite(at->limited.max_seconds) || at->limited.reserve > 0)
        return;
    at->limited.reserve = REPLAY_SHARE * at->limited.max_seconds;
    at->limited.max_seconds -= at->limited.reserve;
    at->search.task.deadline = discovery_task(at, 1, 1).deadline;
}

void discovery_keep(struct discovery *at, const struct finish *one)
{
    if (one->solved)
        reserve_time(at);
    pool_keep(&at->pool, one);
    if (one->ph)
        stop_keep();                            /* a solution, or what came nearest to one */
}

void discovery_count(const struct discovery *at, struct finish *one)
{
    struct counts *counts = discovery_counts(at);
    counts_candidate(counts, counts->generator, one->solved, pool_is_best(&at->pool, one));
    if (!one->found_by && counts->generator != MECHANISM_NONE)
        one->found_by = mechanisms[counts->generator].name;
}

/* --- What the user asks for ------------------------------------------------------------------------------- */

bool discovery_asks_for_starts(const struct discovery *at)
{
    return at->settings->starts > STARTS_DEFAULT || at->task->homotopy->restarts >= 1;
}

bool discovery_asks_for_tries(const struct discovery *at)
{
    return at->settings->tries > SEARCH_TRIES;
}

bool discovery_makes_all(const struct discovery *at)
{
    return at->effort == AS_ASKED && discovery_asks_for_starts(at);
}

/* `finish.starts`, or `homotopy.restarts` beside the first one. */
int discovery_starts(const struct discovery *at)
{
    const double restarts = at->task->homotopy->restarts;       /* NAN: auto */
    const int asked = restarts >= at->settings->starts ? (int)restarts + 1 : at->settings->starts;
    return discovery_makes_all(at) || asked < STARTS_DEFAULT ? asked : STARTS_DEFAULT;
}

int discovery_tries(const struct discovery *at)
{
    const int asked = at->settings->tries;
    return at->effort == AS_ASKED || asked < SEARCH_TRIES ? asked : SEARCH_TRIES;
}
