#include "transcription/discover/settle.h"

#include "core/base/mem.h"
#include "core/model/starts.h"
#include "transcription/discover/value_orders.h"
#include "transcription/finish/better.h"
#include "transcription/finish/rounding.h"
#include "transcription/proposals/grid_motions.h"
#include "transcription/reading/simulated.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUND_GONE 1e-4             /* of the mean interval: a shorter one is none */
#define ROUND_CREEPS 1e-2           /* the same in a program that has not converged */
enum { ROUND_FROM = 2 };            /* relaxed solutions, the best first: 13.89 or 13.29 from two within 2e-6 of each
                                     * other (buck) */

/* --- One list of runs ---------------------------------------------------------------------------------------- */

/* Of the controls of a motion on a grid. */
static struct runs runs_of_motion(const struct model *model, const struct grid_motion *motion, double horizon)
{
    const size_t n_u = (size_t)model->n_u, n = (size_t)motion->n_row;
    struct runs runs = { motion->n_row, motion->n_row, model->n_u, mem_alloc(n, sizeof(double)), mem_alloc(n * n_u, sizeof(double)) };
    for (int r = 0; r < motion->n_row; r++) {
        runs.length[r] = (r + 1 < motion->n_row ? motion->t[r + 1] : model->time.horizon) - motion->t[r];
        runs.length[r] *= horizon / model->time.horizon;
        for (int k = 0; k < model->n_u; k++)
            runs.value[r * model->n_u + k] = model->u[k].n_value ? motion->u[r * model->n_u + k] : NAN;
    }
    return runs;
}

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
    const enum status st =
        runs.n < runs_laid_out(best->ph) ? try_runs(at, &runs, best, FINISH_WARM, &fewer) : STATUS_OK;
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

/* A run that shrinks to nothing leaves its program degenerate, so that it creeps: what has not converged
 * goes on without such runs. */
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

/* The best orders on the grid, each with intervals of free lengths. */
static enum status search_orders(struct discovery *at, const struct finish *from, struct finish *best)
{
    struct value_orders orders;
    struct counting counting;
    if (!counts_begin(discovery_counts(at), VALUE_ORDERS, &counting))
        return STATUS_OK;
    enum status st = value_orders_search(at, from, &orders);
    counts_end(&counting);
    char text[160] = "none has a solution";
    if (orders.n > 0)
        (void)snprintf(text, sizeof text, "the best costs %.7g, the bound is %.7g", orders.best[0].objective,
                       orders.bound);
    solve_headline(at->task, "orders of values on the grid, %d nodes: %s", orders.n_node, text);
    for (int k = 0; k < orders.n && st == STATUS_OK && !discovery_must_stop(at); k++) {
        struct runs runs = runs_of(orders.best[k].ph, orders.best[k].w, ROUND_GONE);
        st = try_runs(at, &runs, &orders.best[k], FINISH_WARM, best);
        runs_free(&runs);
    }
    value_orders_free(&orders);
    return st;
}

/* Does the sequence of a solution say nothing of its values, as time alone switches? */
static bool is_smooth(const struct phase_system *sys)
{
    bool smooth = sys->n_contact + sys->n_machine == 0;
    for (int l = 0; l < sys->n_switch && smooth; l++)
        smooth = sys->sw[l].pair < 0 && !expr_depends(sys->g, sys->sw[l].sw->c, sys->model->n_x, &sys->slot[sys->y])
                 && !expr_depends(sys->g, sys->sw[l].sw->c, sys->model->n_u, &sys->slot[sys->u]);
    return smooth;
}

/* The best motions on a grid, each with what switches in it and intervals of free lengths. */
static enum status search_motions(struct discovery *at, const struct finish *from, struct finish *best)
{
    const struct model *model = at->task->model;
    const struct simulated_limits limits = discovery_limits(at);
    const int N = model->time.n_intervals, n_step = N * grid_motions_finer(N);
    struct counting counting;
    if (!counts_begin(discovery_counts(at), BY_GRID_MOTIONS, &counting))
        return STATUS_OK;
    struct samples *start = samples_of(from->ph, from->w);
    double *x = mem_alloc((size_t)start->n_y, sizeof *x);
    enum status st = STATUS_OK;
    samples_at(start, 0, 0, x);
    struct grid_motions motions = grid_motions_find(at->out->sys, n_step, N, x, start->p, GRID_ORDERS, &limits);
    for (int k = 0; k < motions.n && st == STATUS_OK && !discovery_must_stop(at); k++) {
        struct runs runs = runs_of_motion(model, &motions.of[k], start->horizon);
        st = take_runs(at, &runs, from, best);
        runs_free(&runs);
    }
    solve_headline(at->task, "motions on a grid of %d: %d simulated, %d orders of values", n_step,
                   motions.n_simulated, motions.n);
    grid_motions_free(&motions);
    counts_end(&counting);
    samples_free(start);
    free(x);
    return st;
}

/* Where starts cost or last. */
static enum status round_starts(struct discovery *at, const struct finish *from, struct finish *best)
{
    struct runs runs = runs_of_admissible(from->ph, from->w);
    enum status st = runs.n ? take_runs(at, &runs, from, best) : STATUS_OK;
    runs_free(&runs);
    if (st == STATUS_OK && is_smooth(at->out->sys) && !discovery_must_stop(at))
        st = search_orders(at, from, best);
    if (st == STATUS_OK && !discovery_must_stop(at))
        st = search_motions(at, from, best);
    return st;
}

/* The values of one relaxed solution. */
static enum status round_one(struct discovery *at, const struct finish *from, struct finish *best)
{
    if (model_has_starts(at->task->model))
        return round_starts(at, from, best);
    struct runs runs = runs_of_relaxed(from->ph, from->w);
    enum status st = take_runs(at, &runs, from, best);
    runs_free(&runs);
    runs = runs_of_groups(from->ph, from->w);
    if (runs.n > 0 && st == STATUS_OK && !discovery_must_stop(at))
        st = take_runs(at, &runs, from, best);
    runs_free(&runs);
    return st;
}

enum status discovery_take_values(struct discovery *at)
{
    struct finish best = { .objective = NAN, .violation = INFINITY };
    const double relaxed = at->pool.found[0].objective;
    const int most = model_has_starts(at->task->model) ? 1 : ROUND_FROM; /* their search is one of all orders */
    enum status st = STATUS_OK;
    discovery_begin(at, "controls switched between their values");
    for (int k = 0, n = 0; k < at->pool.n && n < most && at->pool.found[k].solved && st == STATUS_OK
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
    st = discovery_drop_empty_runs(at, &best);
    const int n = count_runs(&best) - 1;
    solve_headline(at->task, "%s: %d switch%s, objective %.7g; that of the relaxation is %.7g", at->what, n,
                   n == 1 ? "" : "es", best.objective, relaxed);
    replace_found(at, &best);
    return st;
}
