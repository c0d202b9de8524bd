#include "transcription/discover/settle.h"

#include "core/base/mem.h"
#include "transcription/finish/better.h"
#include "transcription/finish/rounding.h"
#include "transcription/multiphase/rows/choices.h"
#include "transcription/reading/simulated.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUND_GONE 1e-4             /* of the mean interval: a shorter one is none */
#define ROUND_CREEPS 1e-2           /* the same in a program that has not converged */
enum {
    ROUND_FROM = 2,                 /* relaxed solutions, the best first: 13.89 or 13.29 from two within 2e-6 of each other (buck) */
    DIVE_PART = 5                   /* of the controls that have no value yet, those that take theirs at once */
};

/* --- One list of runs ---------------------------------------------------------------------------------------- */

/* Its program on pieces like those of `from`, with these values; *best is replaced where that is better. */
static enum status try_values(struct discovery *at, const struct extract *on, const double *value,
                              const struct finish *from, enum finish_start start, struct finish *best)
{
    struct finish one;
    struct finish_task task = discovery_task(at, from->ph->grid.stages, from->ph->grid.elements);
    task.grid.free_intervals = true;
    task.grid.value = value;
    task.must_beat = best->solved;
    task.beat = best->objective;
    enum status st = finish_solve(&task, on->seq, on->samples, start, FINISH_MAX_ITER, &one, at->diag);
    finish_descend(&one, from);
    if (st == STATUS_OK && !one.solved && !best->ph) {
        at->search.task = task;
        at->search.max_tries = at->search.tries + REPAIR_TRIES;
        st = search_repair(&at->search, &one, at->diag);
    }
    at->search.tries++;
    discovery_note(at, &one);
    if (st == STATUS_OK && (!best->ph || better_than(&one, best))) {
        finish_free(best);
        *best = one;
    } else {
        finish_free(&one);
    }
    return st;
}

/* From that trajectory, in its modes. */
static enum status try_runs(struct discovery *at, const struct runs *runs, const struct finish *from,
                            enum finish_start start, struct finish *best)
{
    struct extract on;
    double *value;
    if (!runs_on_grid(runs, from->ph, from->w, &on, &value))
        return STATUS_OK;
    const enum status st = try_values(at, &on, value, from, start, best);
    extract_free(&on);
    free(value);
    return st;
}

/* From the motion that the values lead to, where its modes are others: a diode that blocks between pulses, and
 * conducts all along while its switch is half on. */
static enum status try_motion(struct discovery *at, const struct runs *runs, const struct finish *from,
                              struct finish *best)
{
    const struct simulated_limits limits = discovery_limits(at);
    struct extract on, moved;
    double *value;
    enum status st = STATUS_OK;
    if (at->out->sys->n_contact + at->out->sys->n_switch == 0 || discovery_must_stop(at)
        || !runs_on_grid(runs, from->ph, from->w, &on, &value))
        return STATUS_OK;
    struct sim *sim = simulated_samples(at->task->model, on.samples, &limits);
    if (sim && extract_simulation_on(at->out->sys, sim, on.samples->t_interval, &moved)) {
        if (!sequence_same_order(moved.seq, on.seq))
            st = try_values(at, &moved, value, from, FINISH_COLD, best);
        extract_free(&moved);
    }
    sim_free(sim);
    extract_free(&on);
    free(value);
    return st;
}

/* --- One after the other ---------------------------------------------------------------------------------- */

/* Controls take their values a few intervals at a time, those first that are nearest to one, each time from the
 * solution before: where all at once has none, as a gear is only for some speeds. value: NAN where none is taken
 * yet. */
struct dive { struct discovery *at; const struct finish *from; struct finish one; double *value; };
struct open_control { int at, control; double u, off; };       /* at: in value; off: from a value, of the way to the next */

static const struct finish *so_far(const struct dive *dive)
{
    return dive->one.ph ? &dive->one : dive->from;
}

static int nearer_first(const void *a, const void *b)
{
    const struct open_control *x = a, *y = b;
    return x->off != y->off ? (x->off < y->off ? -1 : 1) : x->at - y->at;
}

/* Those that have no value yet: *open is the caller's. */
static int open_controls(const struct dive *dive, struct open_control **open)
{
    const struct model *model = dive->at->task->model;
    const struct phases *ph = so_far(dive)->ph;
    int n = 0;
    *open = mem_alloc((size_t)(ph->n_interval * model->n_u), sizeof **open);
    for (int i = 0; i < ph->n_interval; i++)
        for (int k = 0; k < model->n_u; k++) {
            const double u = so_far(dive)->w[ph->at.u[i] + k];
            if (model->u[k].n_value && isnan(dive->value[i * model->n_u + k]))
                (*open)[n++] = (struct open_control){ i * model->n_u + k, k, u, rounding_distance(&model->u[k], u) };
        }
    qsort(*open, (size_t)n, sizeof **open, nearer_first);
    return n;
}

/* The program with the values as they are, from the solution so far, which it replaces where it is solved. */
static bool dive_solves(struct dive *dive, enum status *st)
{
    const struct finish *from = so_far(dive);
    struct finish next;
    struct finish_task task = discovery_task(dive->at, from->ph->grid.stages, from->ph->grid.elements);
    struct samples *samples = samples_of(from->ph, from->w);
    task.grid.free_intervals = true;
    task.grid.value = dive->value;
    *st = finish_solve(&task, from->ph->seq, samples, FINISH_WARM, TRY_MAX_ITER, &next, dive->at->diag);
    samples_free(samples);
    finish_descend(&next, from);
    dive->at->search.tries++;
    discovery_note(dive->at, &next);
    const bool solved = *st == STATUS_OK && next.solved;
    finish_free(solved ? &dive->one : &next);
    if (solved)
        dive->one = next;
    return solved;
}

/* The first n of them take the values they are nearest to, or the one on the other side. */
static bool dive_takes(struct dive *dive, int n, const struct open_control *open, bool other, enum status *st)
{
    const struct model *model = dive->at->task->model;
    for (int j = 0; j < n; j++)
        dive->value[open[j].at] = rounding_value(&model->u[open[j].control], open[j].u, other);
    const bool solved = dive_solves(dive, st);
    for (int j = 0; j < n && !solved; j++)
        dive->value[open[j].at] = NAN;
    return solved;
}

/* *best is replaced where all come to their values. */
static enum status take_one_by_one(struct discovery *at, const struct finish *from, struct finish *best)
{
    const size_t n = (size_t)(at->task->model->time.n_intervals * at->task->model->n_u);
    struct dive dive = { .at = at, .from = from, .value = mem_alloc(n, sizeof(double)) };
    struct choices choices = choices_of(at->task->model);
    enum status st = STATUS_OK;
    for (size_t k = 0; k < n; k++)
        dive.value[k] = NAN;
    bool goes_on = choices.n == 0;
    choices_free(&choices);
    for (int left = 1; goes_on && left > 0 && st == STATUS_OK && !discovery_must_stop(at);) {
        struct open_control *open;
        left = open_controls(&dive, &open);
        const int some = (left + DIVE_PART - 1) / DIVE_PART;
        goes_on = left == 0 || dive_takes(&dive, some, open, false, &st) || (some > 1 && dive_takes(&dive, 1, open, false, &st))
                  || dive_takes(&dive, 1, open, true, &st);
        free(open);
    }
    if (goes_on && st == STATUS_OK && dive.one.ph && !discovery_must_stop(at)) {
        finish_free(best);
        *best = dive.one;
    } else {
        finish_free(&dive.one);
    }
    free(dive.value);
    return st;
}

/* --- Pulses -------------------------------------------------------------------------------------------------- */

/* A pulse of other values in run r, or next to it: true if it makes *best better. */
static bool pulse_helps(struct discovery *at, const struct runs *runs, int r, double part, const double *other,
                        struct finish *best)
{
    const double before = best->objective;
    struct runs with = runs_with_other(runs, r, part, other);
    if (with.n > runs->n)                       /* else it is part of the run beside it */
        (void)try_runs(at, &with, best, FINISH_WARM, best);
    runs_free(&with);
    return below(best->objective, before, margins.as_good);
}

/* Tries a pulse at each of its places; true if one helps. *out: no more may be tried. */
static bool any_place_helps(struct discovery *at, const struct runs *runs, int r, const double *other, int most,
                            bool *out, struct finish *best)
{
    static const double parts[] = { 0.5, 0, 1 };
    for (int i = 0; i < 3 && !*out; i++) {
        *out = at->search.tries >= most || discovery_must_stop(at);
        if (!*out && pulse_helps(at, runs, r, parts[i], other, best))
            return true;
    }
    return false;
}

/* Each value of each control that the run does not have. */
static bool any_value_helps(struct discovery *at, const struct runs *runs, int r, int most, struct finish *best)
{
    const struct model *model = at->task->model;
    const double *own = runs->value + (size_t)r * (size_t)runs->n_u;
    double *other = mem_alloc((size_t)runs->n_u, sizeof *other);
    bool helps = false, out = false;
    for (int k = 0; k < model->n_u; k++)
        for (int j = 0; j < model->u[k].n_value && !helps && !out; j++) {
            memcpy(other, own, (size_t)runs->n_u * sizeof *other);
            other[k] = model->u[k].value[j];
            helps = other[k] != own[k] && any_place_helps(at, runs, r, other, most, &out, best);
        }
    free(other);
    return helps;
}

/* Where constraints couple the values, each combination that they admit. */
static bool any_pulse_in(struct discovery *at, const struct runs *runs, int r, const struct choices *choices,
                         int most, struct finish *best)
{
    bool helps = false, out = false;
    if (!choices->n)
        return any_value_helps(at, runs, r, most, best);
    for (int j = 0; j < choices->n && !helps && !out; j++)
        helps = any_place_helps(at, runs, r, choices->value + (size_t)j * (size_t)choices->n_u, most, &out, best);
    return helps;
}

/* One pulse after the other, until none helps. */
static void add_pulses(struct discovery *at, struct finish *best)
{
    const int most = at->search.tries + at->settings->tries;
    struct choices choices = choices_of(at->task->model);
    for (bool better = true; better && !discovery_must_stop(at);) {
        struct runs runs = runs_of(best->ph, best->w, ROUND_GONE);
        better = false;
        for (int r = 0; r < runs.n && !better; r++)
            better = any_pulse_in(at, &runs, r, &choices, most, best);
        runs_free(&runs);
    }
    choices_free(&choices);
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static int count_runs(const struct finish *one)
{
    struct runs runs = runs_of(one->ph, one->w, ROUND_GONE);
    const int n = runs.n;
    runs_free(&runs);
    return n;
}

static void set_values(struct discovery *at, const struct finish *best)
{
    const size_t size = (size_t)(at->task->model->time.n_intervals * at->task->model->n_u) * sizeof *at->value;
    free(at->value);
    at->value = mem_alloc(1, size);
    memcpy(at->value, best->ph->grid.value, size);
}

enum status discovery_drop_empty_runs(struct discovery *at, struct finish *best)
{
    struct finish fewer = { .objective = NAN, .violation = INFINITY };
    struct runs runs = runs_of(best->ph, best->w, ROUND_GONE);
    const enum status st = runs.n < runs_laid_out(best->ph) ? try_runs(at, &runs, best, FINISH_WARM, &fewer) : STATUS_OK;
    if (fewer.solved && at_most(fewer.objective, best->objective, margins.as_good)) {
        finish_free(best);
        *best = fewer;
        set_values(at, best);
    } else {
        finish_free(&fewer);
    }
    runs_free(&runs);
    return st;
}

/* A run that shrinks to nothing leaves its program degenerate, so that it creeps: what has not converged goes on without
 * such runs. */
static enum status go_on_without_empty_runs(struct discovery *at, struct finish *best)
{
    enum status st = STATUS_OK;
    for (bool fewer = true; fewer && best->ph && !best->solved && st == STATUS_OK && !discovery_must_stop(at);) {
        struct runs runs = runs_of(best->ph, best->w, ROUND_CREEPS);
        struct finish without = { .objective = NAN, .violation = INFINITY };
        fewer = runs.n < runs_laid_out(best->ph);
        if (fewer)
            st = try_runs(at, &runs, best, FINISH_COLD, &without);
        runs_free(&runs);
        fewer = without.ph != NULL;
        if (fewer) {
            finish_free(best);
            *best = without;
        }
    }
    return st;
}

/* It takes the place of the relaxed ones. */
static void replace_found(struct discovery *at, const struct finish *best)
{
    pool_empty(&at->pool);
    discovery_keep(at, best);
    set_values(at, best);
    const struct search before = at->search;
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, 1);
    pool_drop_passed(&at->pool);
    pool_forget(&at->pool, POOL_SEQUENCE);
    search_init(&at->search, &task, &at->pool);
    at->search.tries = before.tries;
    at->search.note = before.note;
    at->search.user = before.user;
}

/* Has one before it the same sequence? */
static bool is_repeated(const struct discovery *at, int k)
{
    bool repeated = false;
    for (int j = 0; j < k && !repeated; j++)
        repeated = sequence_equal(at->pool.found[j].ph->seq, at->pool.found[k].ph->seq);
    return repeated;
}

/* From the motion that the runs lead to, and from the relaxed one. */
static enum status take_runs(struct discovery *at, const struct runs *runs, const struct finish *from,
                             struct finish *best)
{
    enum status st = try_motion(at, runs, from, best);
    if (st == STATUS_OK)
        st = go_on_without_empty_runs(at, best);
    if (st == STATUS_OK)
        st = try_runs(at, runs, from, FINISH_COLD, best);
    return st == STATUS_OK ? go_on_without_empty_runs(at, best) : st;
}

/* The values of one relaxed solution. */
static enum status round_one(struct discovery *at, const struct finish *from, struct finish *best)
{
    struct runs runs = runs_of_relaxed(from->ph, from->w);
    enum status st = take_runs(at, &runs, from, best);
    runs_free(&runs);
    runs = runs_of_groups(from->ph, from->w);
    if (runs.n > 0 && st == STATUS_OK && !discovery_must_stop(at))
        st = take_runs(at, &runs, from, best);
    runs_free(&runs);
    struct counting counting;
    if (st == STATUS_OK && !best->solved && !discovery_must_stop(at)
        && counts_begin(discovery_counts(at), ONE_BY_ONE, &counting)) {
        st = take_one_by_one(at, from, best);
        counts_candidate(discovery_counts(at), ONE_BY_ONE, best->solved, best->solved);
        counts_end(&counting);
    }
    return st;
}

enum status discovery_take_values(struct discovery *at)
{
    struct finish best = { .objective = NAN, .violation = INFINITY };
    const double relaxed = at->pool.found[0].objective;
    enum status st = STATUS_OK;
    discovery_begin(at, "controls switched between their values");
    for (int k = 0, n = 0; k < at->pool.n && n < ROUND_FROM && at->pool.found[k].solved && st == STATUS_OK
                           && !discovery_must_stop(at); k++) {
        if (is_repeated(at, k))
            continue;
        n++;
        st = round_one(at, &at->pool.found[k], &best);
    }
    if (!best.solved) {
        solve_headline(at->task, "%s: no solution; the relaxation has objective %.7g", at->what, relaxed);
        finish_free(&best);
        return st;
    }
    struct counting counting;
    if (counts_begin(discovery_counts(at), PULSES, &counting)) {
        const double before = best.objective;
        add_pulses(at, &best);
        counts_candidate(discovery_counts(at), PULSES, true, best.objective < before);
        counts_end(&counting);
    }
    st = discovery_drop_empty_runs(at, &best);
    const int n = count_runs(&best) - 1;
    solve_headline(at->task, "%s: %d switch%s, objective %.7g; that of the relaxation is %.7g", at->what, n, n == 1 ? "" : "es", best.objective,
                   relaxed);
    replace_found(at, &best);
    return st;
}
