#define _POSIX_C_SOURCE 200809L    /* open_memstream */

#include "transcription/solve/finishing.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/mpcc/report.h"
#include "core/base/stop.h"
#include "transcription/method/method.h"
#include "transcription/phases/checks.h"
#include "transcription/phases/given.h"
#include "transcription/phases/lead.h"
#include "transcription/phases/recipe.h"
#include "transcription/phases/simulated.h"
#include "transcription/solve/acceptance.h"
#include "transcription/solve/attempt.h"
#include "transcription/solve/fallback.h"
#include "transcription/solve/presolves.h"
#include "transcription/solve/recipe.h"
#include "transcription/start/coarse.h"
#include "transcription/start/presolve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct finishing {
    const struct solve_task *task;
    const struct finish_settings *settings;
    struct finished *out;
    struct search search;
    int elements, max_iter;         /* of a piece, until a sequence is decided; of its program */
    int n;
    struct finish *found;           /* [n] finished sequences, the best first */
    bool exploits;                  /* time steps do their grid: no start leads anywhere */
    int n_repeated;                 /* starts with the sequence of the best again */
    struct diag *diag;
    double start;
    char what[160];                 /* is tried now */
    bool one_of_many;               /* prefixes: only a solution is told of */
    const struct guess *guess;      /* of the task, until it has failed; NULL: none */
    struct transcription *coarse;   /* the last time-stepping solution, or NULL; and its result */
    struct homotopy_result coarse_result;
};

static bool has_solution(const struct finishing *at)
{
    return at->n && at->found[0].solved;
}

static bool must_stop(const struct finishing *at)
{
    return solve_must_stop(at->task, at->start);
}

static enum rk_family scheme_of(const struct finishing *at)
{
    const bool asked = at->task->discretization->scheme == RK_GAUSS_LEGENDRE;
    const int scheme = at->settings->scheme;
    return scheme == FINISH_SCHEME_GAUSS || (scheme == FINISH_SCHEME_AUTO && asked) ? RK_GAUSS_LEGENDRE : RK_RADAU_IIA;
}

static struct finish_task finish_task(const struct finishing *at, int stages, int elements)
{
    return (struct finish_task){
        .sys = at->out->sys,
        .grid = { .scheme = scheme_of(at), .stages = stages, .elements = elements,
                  .free_intervals = at->task->discretization->control_grid == CONTROL_GRID_FREE },
        .max_seconds = solve_seconds_left(at->task, at->start), .print_level = at->task->print_level,
        .n_option = at->task->solver->n_option,
        .option = at->task->solver->option, .interrupt = at->task->interrupt, .work = &at->out->work
    };
}

/* What stands most in the way of a program without a solution. */
static void print_worst(const struct finish *one, FILE *out)
{
    struct report_item item[2];                 /* one row; no products */
    char text[256];
    if (report_worst(&one->ph->mpcc, one->w, FINISH_VIOLATION_OK, INFINITY, 1, item) == 0)
        return;
    report_item_text(&item[0], NULL, NULL, text, sizeof text);
    fprintf(out, "; worst: %s", text);
}

/* What is tried next; its outcome is told with these words. */
static void __attribute__((format(printf, 2, 3))) begin(struct finishing *at, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(at->what, sizeof at->what, fmt, args);
    va_end(args);
    solve_note(at->task, at->what);
}

/* What came of it, in a line. */
static void tell_sequence(const struct finishing *at, const struct finish *one)
{
    const int n = one->ph->seq->n_event;
    if (one->solved) {
        solve_headline(at->task, "%s: a solution with %d event%s, objective %.7g", at->what, n, n == 1 ? "" : "s",
                       one->objective);
        return;
    }
    struct report_item item[2];                 /* one row; no products */
    char text[256] = "";
    if (report_worst(&one->ph->mpcc, one->w, FINISH_VIOLATION_OK, INFINITY, 1, item) > 0)
        report_item_text(&item[0], NULL, NULL, text, sizeof text);
    solve_headline(at->task, "%s: none with its %d event%s%s%s", at->what, n, n == 1 ? "" : "s", *text ? "; worst: " : "",
                   text);
}

/* The sequence in its text form, and how far its program came. */
static void note_sequence(const struct finishing *at, const struct finish *one)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    fprintf(out, "%s: %d iterations, objective %.7g, violation %.1e: ", one->solved ? "solved" : "not solved", one->iterations,
            one->objective, one->violation);
    sequence_print(one->ph->seq, out);
    if (!one->solved)
        print_worst(one, out);
    (void)fclose(out);
    solve_note(at->task, text);
    free(text);
}

/* A neighbour that was tried. */
static void note_try(void *user, const char *what, const struct finish *tried)
{
    const struct finishing *at = user;
    char text[160];
    (void)snprintf(text, sizeof text, "%s: %s, %d iterations, objective %.7g, violation %.1e", what,
                   tried->solved ? "solved" : "not solved", tried->iterations, tried->objective, tried->violation);
    solve_note(at->task, text);
}

/* --- Finishing one sequence ---------------------------------------------------------------------------------- */

/* Takes over one more, in its place. */
static void keep(struct finishing *at, const struct finish *one)
{
    at->found = mem_grow(at->found, at->n, 1, sizeof *at->found);
    int k = at->n++;
    for (; k > 0 && finish_better(one, &at->found[k - 1]); k--)
        at->found[k] = at->found[k - 1];
    at->found[k] = *one;
}

/* repair: go on to its neighbours where it has no solution. */
static enum status finish_sequence(struct finishing *at, const struct extract *from, bool repair)
{
    struct finished *out = at->out;
    struct finish one;
    const struct finish_task task = finish_task(at, SEARCH_STAGES, at->elements);
    at->search.task = task;
    solve_note(at->task, "finish of the sequence that was found");
    enum status st = lead_finish(&task, from->seq, from->samples, at->max_iter, &one, at->diag);
    if (st != STATUS_OK) {
        finish_free(&one);
        return st;
    }
    out->n_start++;
    note_sequence(at, &one);
    if (one.solved || !at->one_of_many)
        tell_sequence(at, &one);
    if (!one.solved && repair) {
        begin(at, "its neighbours");
        at->search.max_tries = at->search.tries + REPAIR_TRIES;
        st = search_repair(&at->search, &one, at->diag);
        note_sequence(at, &one);
        tell_sequence(at, &one);
    }
    out->n_finished += one.solved;
    if (one.solved)
        stop_keep();
    keep(at, &one);
    return st;
}

/* --- Discovery ----------------------------------------------------------------------------------------------- */

/* The sequence of a trajectory from a file, which is enough where it comes from a solution and leads to one. Where it leads
 * nowhere, the guess is not gone on with. */
static enum status discover_in_guess(struct finishing *at, bool *enough)
{
    struct finished *out = at->out;
    const struct finish_task task = finish_task(at, SEARCH_STAGES, 1);
    struct given given;
    struct finish one;
    if (!at->guess || !given_read(out->sys, at->guess, &given))
        return STATUS_OK;
    if (given.program.grid.scheme != task.grid.scheme || given.program.grid.stages != at->settings->stages || given.program.grid.elements < at->settings->elements)
        given.program.n_w = 0;                  /* another grid is asked for */
    begin(at, "the given solution");
    enum status st = given_solve(&task, &given, &out->is_kept, &one, at->diag);
    out->again = st == STATUS_OK && one.solved;
    if (out->again) {
        note_sequence(at, &one);
        tell_sequence(at, &one);
        out->n_start++;
        out->n_finished++;
        keep(at, &one);
    } else {
        finish_free(&one);
        if (st == STATUS_OK)
            st = finish_sequence(at, &given.found, true);
    }
    *enough = has_solution(at) && given.is_solution;
    out->again = out->again && *enough;
    if (!has_solution(at))
        at->guess = NULL;
    given_free(&given);
    return st;
}

static bool steps_fit(const struct solve_task *task)
{
    struct discretization settings = *task->discretization;
    settings.method = METHOD_TIME_STEPPING;
    struct diag *silent = diag_create();
    const bool fits = task->model->n_contact > 0 && task->model->n_contact <= COARSE_MAX_CONTACTS
                      && method_check(task->model, &settings, silent) == STATUS_OK;
    diag_free(silent);
    return fits;
}

/* Does any contact rebound? Time-stepping knows no restitution. */
static bool rebounds(const struct model *model)
{
    for (int c = 0; c < model->n_contact; c++)
        if (model->contact[c].e > 0)
            return true;
    return false;
}

/* Prefixes of a motion that no other one began with, the shortest first. */
static enum status finish_prefixes(struct finishing *at, const struct extract *whole)
{
    const int most = whole->seq->n_event < MOST_PREFIXES ? whole->seq->n_event : MOST_PREFIXES;
    enum status st = STATUS_OK;
    at->one_of_many = true;
    for (int k = 0; k <= most && st == STATUS_OK && !must_stop(at); k++) {
        struct extract from = extract_prefix(whole, k);
        if (search_is_new(&at->search, from.seq))
            st = finish_sequence(at, &from, false);
        extract_free(&from);
    }
    at->one_of_many = false;
    return st;
}

/* What the controls of time steps lead to with restitution. */
static enum status finish_motion(struct finishing *at, const struct samples *steps)
{
    const struct simulated_limits limits = { solve_seconds_left(at->task, at->start), at->task->interrupt };
    struct sim *sim = simulated_samples(at->task->model, steps, &limits);
    struct extract whole;
    enum status st = STATUS_OK;
    begin(at, "simulation of the controls of time steps");
    if (sim && extract_simulation(at->out->sys, sim, &whole)) {
        st = finish_prefixes(at, &whole);
        extract_free(&whole);
    }
    sim_free(sim);
    return st;
}

/* Has the best objective been found by two starts? */
static bool found_twice(const struct finishing *at)
{
    return at->n_repeated || (at->n > 1 && at->found[1].solved && !finish_better(&at->found[0], &at->found[1]));
}

/* Is there a solution of this sequence? That of the best counts as one more that led there. */
static bool is_finished(struct finishing *at, const struct sequence *seq)
{
    for (int k = 0; k < at->n; k++)
        if (at->found[k].solved && sequence_equal(at->found[k].ph->seq, seq)) {
            at->n_repeated += k == 0;
            solve_headline(at->task, "%s: %s", at->what, k == 0 ? "the best sequence again" : "a sequence that is known");
            return true;
        }
    return false;
}

/* With restitution also at rest where they land, and as the motion that their controls lead to. */
static enum status finish_steps(struct finishing *at, const struct solver *solver)
{
    struct extract from = extract_steps(at->out->sys, solver->coarse, solver->coarse_result.w, LANDING_BOUNCES);
    at->exploits = from.defect > EXPLOITED && !rebounds(at->task->model);
    if (at->exploits)
        solve_note(at->task, "time steps exploit their grid: a contact moves fast while its gap stays closed");
    const bool open = !at->exploits && !is_finished(at, from.seq);
    enum status st = open ? finish_sequence(at, &from, true) : STATUS_OK;
    if (st == STATUS_OK && rebounds(at->task->model)) {
        struct extract resting = extract_steps(at->out->sys, solver->coarse, solver->coarse_result.w, LANDING_RESTS);
        if (search_is_new(&at->search, resting.seq))
            st = finish_sequence(at, &resting, false);
        extract_free(&resting);
        if (st == STATUS_OK && !must_stop(at))
            st = finish_motion(at, from.samples);
    }
    extract_free(&from);
    return st;
}

/* Start k of discoveries by time-stepping. */
static struct attempt step_attempt(const struct solver *solver, int k, bool patient)
{
    const struct step_start start = k < N_STEP_STARTS ? step_starts[k] : (struct step_start){ true, (unsigned)k };
    struct attempt attempt = fallback_plain(solver);
    attempt.presolve_steps = PRESOLVE_STEPS;
    attempt.follow = start.follow;
    attempt.presolve_start = start.start;
    attempt.patient = patient;
    return attempt;
}

/* After k starts. */
static bool is_enough(const struct finishing *at, int k)
{
    return (k > 0 && found_twice(at)) || at->exploits || must_stop(at);
}

/* Sequences of time-stepping solutions from different starts (attempt.h), until two lead to the same. */
static enum status discover_from_starts(struct finishing *at, struct solver *solver, bool patient)
{
    const int starts = at->settings->starts, most = starts < N_STEP_STARTS ? N_STEP_STARTS : starts;
    enum status st = STATUS_OK;
    int used = 0;
    for (int first = 0; first < most && used < starts && st == STATUS_OK && !is_enough(at, first); first += STARTS_ABREAST) {
        struct attempt attempt[STARTS_ABREAST];
        struct presolves presolves;
        const int n_now = most - first < STARTS_ABREAST ? most - first : STARTS_ABREAST;
        for (int k = 0; k < n_now; k++)
            attempt[k] = step_attempt(solver, first + k, patient);
        presolves_start(solver, n_now, attempt, &presolves);
        for (int k = 0; k < n_now && used < starts && st == STATUS_OK && !is_enough(at, first + k); k++) {
            begin(at, "discovery %d of at most %d, by time-stepping%s", first + k + 1, most,
                  patient ? " taken to its end" : "");
            if (presolves_take(&presolves, k, solver)) {
                used++;
                st = finish_steps(at, solver);
            } else {
                solve_headline(at->task, "%s: it has no solution itself", at->what);
            }
        }
        presolves_end(&presolves);
    }
    return st;
}

/* Where all starts were given up early they are taken to their ends. */
static enum status discover_by_steps(struct finishing *at)
{
    struct solver solver = { .task = at->task, .out = &at->out->discovery, .diag = at->diag, .start = at->start,
                             .guess = at->guess };
    const int n = at->n;
    enum status st = discover_from_starts(at, &solver, false);
    if (st == STATUS_OK && at->n == n && !has_solution(at) && !at->exploits)
        st = discover_from_starts(at, &solver, true);
    at->coarse = solver.coarse;
    at->coarse_result = solver.coarse_result;
    return st;
}

/* The same of switches without contacts, from fixed steps of the spec's grid. */
static enum status discover_by_switches(struct finishing *at)
{
    struct solver solver = { .task = at->task, .out = &at->out->discovery, .diag = at->diag, .start = at->start,
                             .guess = at->guess };
    enum status st = STATUS_OK;
    struct attempt attempt[SWITCHED_STARTS];
    struct presolves presolves;
    for (int k = 0; k < SWITCHED_STARTS; k++) {
        attempt[k] = fallback_plain(&solver);
        attempt[k].follow = true;
        attempt[k].presolve_start = (unsigned)k;
    }
    presolves_start(&solver, SWITCHED_STARTS, attempt, &presolves);
    for (int k = 0; k < SWITCHED_STARTS && st == STATUS_OK && !must_stop(at); k++) {
        begin(at, "discovery %d of at most %d, by fixed steps", k + 1, (int)SWITCHED_STARTS);
        if (!presolves_take(&presolves, k, &solver)) {
            solve_headline(at->task, "%s: they have no solution themselves", at->what);
            continue;
        }
        struct extract from = extract_switches(at->out->sys, solver.coarse, solver.coarse_result.w);
        if (!is_finished(at, from.seq))
            st = finish_sequence(at, &from, false);
        extract_free(&from);
    }
    presolves_end(&presolves);
    transcription_free(solver.coarse);
    homotopy_result_free(&solver.coarse_result);
    return st;
}

/* Where nothing switches there is one mode, and the guess is where it starts. */
static enum status finish_smooth(struct finishing *at)
{
    struct solver solver = { .task = at->task, .out = &at->out->discovery, .diag = at->diag, .start = at->start,
                             .guess = at->guess };
    const struct attempt plain = fallback_plain(&solver);
    enum status st = attempt_build(&solver, &plain);
    if (st == STATUS_OK) {
        begin(at, "nothing switches");
        struct extract from = extract_switches(at->out->sys, solver.tr, program_guess(solver.tr->prog));
        st = finish_sequence(at, &from, false);
        extract_free(&from);
    }
    transcription_free(solver.tr);
    return st;
}

/* Is it of use to finish this sequence? Not once its modes, in this order, have a solution, or have none often enough. */
static bool order_is_open(const struct finishing *at, const struct sequence *seq)
{
    int tries = 0;
    for (int k = 0; k < at->n; k++)
        if (at->found[k].ph && sequence_same_order(at->found[k].ph->seq, seq))
            tries += at->found[k].solved ? ORDER_TRIES : 1;
    return tries < ORDER_TRIES;
}

/* Where relays remember, every order of switching is a problem of its own that no neighbour leads to: all that motions
 * show are finished. */
static enum status discover_orders(struct finishing *at)
{
    const unsigned seed = (unsigned)at->task->homotopy->seed;
    enum status st = STATUS_OK;
    for (int k = 0; k <= RELAY_MOTIONS && st == STATUS_OK && !must_stop(at); k++) {
        const struct simulated_limits limits = { solve_seconds_left(at->task, at->start), at->task->interrupt };
        struct sim *sim = simulated_start(at->task->model, seed, k, &limits);
        struct extract whole;
        const bool usable = sim && extract_simulation(at->out->sys, sim, &whole);
        for (int n = 0; usable && n <= MOST_PREFIXES && n <= whole.seq->n_event && st == STATUS_OK; n++) {
            struct extract from = extract_prefix(&whole, n);
            if (order_is_open(at, from.seq))
                st = finish_sequence(at, &from, false);
            extract_free(&from);
        }
        if (usable)
            extract_free(&whole);
        sim_free(sim);
    }
    return st;
}

/* The guess, simulated from event to event, then random motions until one leads to a solution (phases.md 6): every
 * prefix of their events is finished. */
static enum status discover_by_simulation(struct finishing *at)
{
    const unsigned seed = (unsigned)at->task->homotopy->seed;
    enum status st = STATUS_OK;
    for (int k = 0; k <= SIMULATED_STARTS && !has_solution(at) && st == STATUS_OK && !must_stop(at); k++) {
        const struct simulated_limits limits = { solve_seconds_left(at->task, at->start), at->task->interrupt };
        begin(at, "discovery %d of at most %d, by simulation of %s", k + 1, SIMULATED_STARTS + 1,
                    k ? "a random motion" : "the guess");
        struct sim *sim = simulated_start(at->task->model, seed, k, &limits);
        struct extract whole;
        if (sim && extract_simulation(at->out->sys, sim, &whole)) {
            st = finish_prefixes(at, &whole);
            extract_free(&whole);
        }
        if (!has_solution(at))
            solve_headline(at->task, "%s: nothing that it leads to", at->what);
        sim_free(sim);
    }
    return st;
}

/* What is left of the time for a solve from the guess. */
static struct solve_task whole_task(const struct finishing *at)
{
    struct solve_task task = *at->task;
    task.max_seconds = solve_seconds_left(at->task, at->start);
    task.guess = at->guess;
    return task;
}

static void add_work(struct solve_result *to, const struct solve_result *from)
{
    to->iterations += from->iterations;
    to->eval_seconds += from->eval_seconds;
    nlp_add_linear_work(&to->linear, &from->linear);
}

static bool is_usable(const struct solve_result *found)
{
    return found->tr && (found->homotopy.status == STATUS_OK || found->homotopy.status == STATUS_ACCEPTABLE
                         || found->homotopy.status == STATUS_UNVERIFIED);
}

static bool roughly_fits(const struct solve_task *task)
{
    struct discretization settings = *task->discretization;
    settings.method = METHOD_TIME_FREEZING;
    return (task->discretization->method == METHOD_AUTO || task->discretization->method == METHOD_TIME_FREEZING)
           && presolve_fits(task->model, &settings);
}

/* Time steps have exploited their grid, or came to no end on a course with obstacles, through which it is led. */
static bool wants_rough(const struct finishing *at)
{
    const bool lost = at->n == 0 && phases_has_path(at->task->model);
    return (at->exploits || lost) && steps_fit(at->task) && roughly_fits(at->task);
}

/* Where time steps exploit their grid, elements that end at events do not: a homotopy of time-freezing that ends early. */
static enum status discover_roughly(struct finishing *at)
{
    const struct solve_task task = whole_task(at);
    struct solve_result found = { 0 };
    struct diag *silent = diag_create();        /* others follow */
    enum status st = STATUS_OK;
    solve_note(at->task, "discovery by time-freezing that ends early");
    if (solve_roughly(&task, &found, silent) != STATUS_INTERRUPTED && is_usable(&found)) {
        struct extract from = extract_elements(at->out->sys, found.tr, found.homotopy.w);
        at->elements = ROUGH_ELEMENTS;
        at->max_iter = ROUGH_MAX_ITER;
        st = finish_sequence(at, &from, true);
        at->elements = has_solution(at) ? ROUGH_ELEMENTS : 1;
        at->max_iter = FINISH_MAX_ITER;
        extract_free(&from);
    }
    add_work(&at->out->discovery, &found);
    solve_result_free(&found);
    diag_free(silent);
    return st;
}

/* The solution of the method that the spec names. Its steps follow those before it. */
static enum status discover_by_method(struct finishing *at)
{
    struct solve_result before = at->out->discovery;
    struct solve_task task = whole_task(at);
    task.coarse = (struct solve_coarse){ at->coarse, at->coarse_result.w };
    const enum status st = solve_ocp(&task, &at->out->discovery, at->diag);
    add_work(&at->out->discovery, &before);
    solve_result_free(&before);
    struct solve_result *found = &at->out->discovery;
    if (!is_usable(found) || task.discretization->method == METHOD_TIME_STEPPING)
        return st;
    struct extract from = extract_elements(at->out->sys, found->tr, found->homotopy.w);
    const enum status finished = finish_sequence(at, &from, true);
    extract_free(&from);
    return finished == STATUS_OK ? st : finished;
}

/* Does any contact have friction in space? Time-stepping with the exact cone takes thousands of iterations. */
static bool slips_in_space(const struct model *model)
{
    for (int c = 0; c < model->n_contact; c++)
        if (model->contact[c].n_t == 2 && model->contact[c].mu > 0)
            return true;
    return false;
}

static enum status discover(struct finishing *at)
{
    const bool spatial = slips_in_space(at->task->model), motions_first = spatial || rebounds(at->task->model);
    bool enough = false;
    enum status st = discover_in_guess(at, &enough);
    if (enough)
        return st;
    if (st == STATUS_OK && at->task->model->n_hysteresis)
        st = discover_orders(at);
    else if (st == STATUS_OK && !at->task->model->n_contact && !has_solution(at))
        st = at->out->sys->n_switch ? discover_by_switches(at) : finish_smooth(at);
    if (st == STATUS_OK && motions_first && !at->task->model->n_hysteresis)
        st = discover_by_simulation(at);
    if (st == STATUS_OK && steps_fit(at->task) && !(spatial && has_solution(at)))
        st = discover_by_steps(at);
    if (st == STATUS_OK && !has_solution(at) && wants_rough(at))
        st = discover_roughly(at);
    if (st == STATUS_OK && !motions_first && at->task->model->n_contact && !has_solution(at))
        st = discover_by_simulation(at);
    if (st == STATUS_OK && !has_solution(at))   /* even late: something is to be saved */
        st = discover_by_method(at);
    return st;
}

/* --- Search and refinement ----------------------------------------------------------------------------------- */

/* From the best few sequences to their best neighbours; the best of all is kept. */
static enum status improve(struct finishing *at)
{
    struct finished *out = at->out;
    enum status st = STATUS_OK;
    at->search.task = finish_task(at, SEARCH_STAGES, at->elements);
    at->search.note = tried_add;
    at->search.user = &out->tried;
    for (int k = 0; k < at->n && k < SEARCH_FROM && at->found[k].solved && st == STATUS_OK; k++) {
        begin(at, "neighbours of sequence %d of at most %d", k + 1, at->n < SEARCH_FROM ? at->n : SEARCH_FROM);
        const int tries = at->search.tries;
        const double before = at->found[k].objective;
        at->search.max_tries = at->search.tries + (out->again ? 0 : at->settings->tries);
        st = search_improve(&at->search, &at->found[k], at->diag);
        if (at->found[k].objective < before - AS_GOOD * fmax(1, fabs(before)))
            solve_headline(at->task, "%s: %d tried, one with objective %.7g", at->what, at->search.tries - tries,
                           at->found[k].objective);
        else if (at->search.tries > tries)
            solve_headline(at->task, "%s: %d tried, none better", at->what, at->search.tries - tries);
        if (out->best.ph && !finish_better(&at->found[k], &out->best))
            continue;
        finish_free(&out->best);
        out->best = at->found[k];
        at->found[k] = (struct finish){ .objective = NAN };
        out->exhausted = at->search.exhausted;
    }
    if (out->best.ph)
        tried_sort(&out->tried, out->best.ph->seq);
    out->compared = out->tried.n ? out->best.objective : NAN;
    return st;
}

/* More elements show what coarse ones hid, a slip that turns for a moment: then a neighbour has a solution. */
static enum status repair_refined(struct finishing *at, const struct finish_task *task, struct finish *fine)
{
    struct search search;
    search_init(&search, task);
    search.max_tries = REFINE_TRIES;
    solve_note(at->task, "its neighbours, as it has no solution with them");
    const enum status st = search_repair(&search, fine, at->diag);
    note_sequence(at, fine);
    at->search.tries += search.tries;
    search_free(&search);
    return st;
}

/* The same sequence with more elements, or a neighbour; *best stays where that finds no solution. */
static enum status refine(struct finishing *at, int elements)
{
    struct finished *out = at->out;
    struct finish fine;
    const struct finish_task task = finish_task(at, at->settings->stages, elements);
    struct samples *samples = samples_of(out->best.ph, out->best.w);
    solve_note(at->task, "the same sequence with more stages and elements");
    const int max_iter = at->elements > 1 ? ROUGH_MAX_ITER : FINISH_MAX_ITER;
    enum status st = finish_solve(&task, out->best.ph->seq, samples, FINISH_WARM, max_iter, &fine, at->diag);
    if (st == STATUS_OK && !fine.solved && at->elements > 1 && !must_stop(at)) {   /* its coarse solution is far from it */
        finish_free(&fine);
        st = finish_solve(&task, out->best.ph->seq, samples, FINISH_COLD, max_iter, &fine, at->diag);
    }
    samples_free(samples);
    if (st == STATUS_OK && !fine.solved && !must_stop(at))
        st = repair_refined(at, &task, &fine);
    if (fine.solved) {
        finish_free(&out->best);
        out->best = fine;
        out->refined = true;
    } else {
        finish_free(&fine);
    }
    return st;
}

static enum status check_between(struct finishing *at)
{
    struct finished *out = at->out;
    const struct finish_task task = finish_task(at, at->settings->stages, at->settings->elements);
    solve_note(at->task, "inequalities between stages");
    return checks_enforce(&task, &out->best, &out->between, at->diag);
}

static void replay(const struct finishing *at)
{
    at->out->error = acceptance_error(&(struct acceptance){ at->task, at->settings, at->start }, &at->out->best,
                                      at->out->refusal, sizeof at->out->refusal);
}

/* Elements are doubled until the replay agrees. */
static enum status reach_accuracy(struct finishing *at)
{
    struct finished *out = at->out;
    int elements = out->again ? out->best.ph->grid.elements : at->settings->elements;
    enum status st = out->again ? STATUS_OK : refine(at, elements);
    if (st == STATUS_OK)
        st = check_between(at);
    replay(at);
    for (int k = 0; k < REFINE_ROUNDS && st == STATUS_OK && *out->refusal && !must_stop(at); k++) {
        elements *= 2;
        st = refine(at, elements);
        if (st != STATUS_OK || out->best.ph->grid.elements != elements)
            break;
        st = check_between(at);
        replay(at);
    }
    return st;
}

/* Accuracy is part of solved. Without it a run that was stopped says so. */
static void judge(struct finishing *at)
{
    struct finished *out = at->out;
    const double tol = at->settings->tol;
    const bool interrupted = at->task->interrupt && *at->task->interrupt;
    out->status = interrupted ? stop_status() : must_stop(at) ? STATUS_LIMIT : STATUS_UNVERIFIED;
    if (!isnan(out->error) && !(out->error <= tol))
        snprintf(out->reason, sizeof out->reason, "replayed by events it is off by %.1e; finish.tol is %g", out->error, tol);
    else if (*out->refusal)
        snprintf(out->reason, sizeof out->reason, "%s", out->refusal);
    else if (!(out->between <= tol))
        snprintf(out->reason, sizeof out->reason, "an inequality is broken by %.1e between stages; finish.tol is %g",
                 out->between, tol);
    else if (out->again && out->is_kept) {
        out->status = STATUS_ACCEPTABLE;
        snprintf(out->reason, sizeof out->reason, "it is the guess as it stands: nothing better was found from there");
    } else
        out->status = STATUS_OK;
}

static void count_discovery(struct finished *out)
{
    out->work.iterations += out->discovery.iterations;
    out->work.eval_seconds += out->discovery.eval_seconds;
    nlp_add_linear_work(&out->work.linear, &out->discovery.linear);
}

enum status solve_finished(const struct solve_task *task, const struct finish_settings *settings, struct finished *out,
                           struct diag *diag)
{
    memset(out, 0, sizeof *out);
    out->error = NAN;
    struct finishing at = { .task = task, .settings = settings, .out = out, .diag = diag, .start = clock_seconds(), .guess = task->guess,
                            .elements = 1, .max_iter = FINISH_MAX_ITER };
    struct diag *silent = diag_create();        /* what phases refuse, the method of the spec may take */
    enum status st = phase_system_create(task->model, &out->sys, silent);
    diag_free(silent);
    if (st != STATUS_OK)
        return solve_ocp(task, &out->discovery, diag);
    const struct finish_task first = finish_task(&at, SEARCH_STAGES, 1);
    search_init(&at.search, &first);
    at.search.note = note_try;
    at.search.user = &at;
    st = discover(&at);
    if (has_solution(&at)) {
        st = improve(&at);
        if (st == STATUS_OK)
            st = reach_accuracy(&at);
        judge(&at);
    }
    out->tries = at.search.tries;
    out->moves = at.search.moves;
    count_discovery(out);
    out->seconds = clock_seconds() - at.start;
    for (int k = 0; k < at.n; k++)
        finish_free(&at.found[k]);
    free(at.found);
    transcription_free(at.coarse);
    homotopy_result_free(&at.coarse_result);
    search_free(&at.search);
    return st;
}

void finished_free(struct finished *finished)
{
    finish_free(&finished->best);
    tried_free(&finished->tried);
    phase_system_free(finished->sys);
    solve_result_free(&finished->discovery);
}
