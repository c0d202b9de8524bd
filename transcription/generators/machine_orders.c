/* Orders of transitions: those of motions, and from the best one on those beside it (phases.md "Machines"). */
#include "transcription/generators/generator.h"

#include "core/base/mem.h"
#include "transcription/candidates/continuations.h"
#include "transcription/candidates/solve_candidate.h"
#include "transcription/finish/better.h"
#include "transcription/proposals/grid_motions.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MACHINE_MOTIONS = 12,           /* where machines make transitions: others are found beside what they show */
    ORDERS_BESIDE = 3,              /* the best ones, beside which is looked for others */
    ORDER_SEARCH = 200,             /* programs of these, in all */
    ORDER_LOST = 40                 /* while none has a solution: a first one was among the first 12 */
};

struct orders {
    struct discovery *at;
    int tries;                      /* programs of orders */
};

static bool is_over(const struct discovery *at)
{
    return discovery_must_stop(at) || discovery_is_near_optimum(at);
}

/* --- One order -------------------------------------------------------------------------------------------- */

/* Does an event stand at an edge of its interval, where it may want to go on, or are two
 * commands given there at once? */
static bool is_locked(const struct finish *one)
{
    const struct phases *ph = one->ph;
    const double near = NEIGHBOUR_ZERO * phases_horizon(ph, one->w) / ph->n_interval;
    bool locked = false;
    for (int j = 0; j < ph->seq->n_event; j++)
        locked =
            locked
            || (sequence_is_instant(ph->seq, j) && ph->sys->transition[ph->seq->step[j].transition].commanded);
    for (int k = 0; k < ph->n_piece; k++) {
        const struct phase_piece *piece = &ph->piece[k];
        const bool first = k == 0 || piece[-1].interval != piece->interval;
        const bool last = k + 1 == ph->n_piece || piece[1].interval != piece->interval;
        locked = locked || (first != last && !phases_is_instant(ph, k) && phases_length(ph, one->w, k) < near);
    }
    return locked;
}

/* Has the order of a sequence a solution whose events are where they want to be? */
static bool is_settled(const struct discovery *at, const struct sequence *seq)
{
    for (int k = 0; k < at->pool.n; k++) {
        const struct finish *one = &at->pool.found[k];
        if (one->solved && sequence_same_order(one->ph->seq, seq) && !is_locked(one))
            return true;
    }
    return false;
}

/* On the grid of the spec; where its events are not where they want to be there, with free intervals on the
 * way. */
static enum status finish_order(struct orders *orders, const struct candidate *one)
{
    struct discovery *at = orders->at;
    const struct sequence *seq = one->from.seq;
    const bool may_move = free_intervals_fit(at);
    struct candidate order = *one;
    enum status st = STATUS_OK;
    order.one_of_many = true;
    if (!is_settled(at, seq) && discovery_is_new(at, seq)) {
        double objective = INFINITY;
        orders->tries++;
        order.repair = !may_move;
        st = candidate_solve(at, &order);
        order.repair = true;
        order.free_below = &objective;
        if (st == STATUS_OK && may_move && !is_settled(at, seq) && !discovery_must_stop(at))
            st = candidate_solve(at, &order);
    }
    return st;
}

/* --- What motions show ------------------------------------------------------------------------------------ */

/* All of a motion; where that has no solution, what it begins with. */
static enum status finish_motion(struct orders *orders, const struct extract *whole)
{
    const struct discovery *at = orders->at;
    enum status st = finish_order(orders, &(struct candidate){ .from = *whole });
    for (int n = 0; n <= MOST_PREFIXES && n < whole->seq->n_event && !is_settled(at, whole->seq) && st == STATUS_OK
                    && !discovery_must_stop(at); n++) {
        struct candidate one = { .from = extract_prefix(whole, n) };
        st = finish_order(orders, &one);
        extract_free(&one.from);
    }
    return st;
}

static enum status discover_in_motions(struct orders *orders)
{
    struct discovery *at = orders->at;
    enum status st = STATUS_OK;
    for (int k = 0; k <= MACHINE_MOTIONS && st == STATUS_OK && !is_over(at); k++) {
        struct extract whole;
        discovery_begin(at, "sequence of simulation %d of at most %d", k + 1, MACHINE_MOTIONS + 1);
        if (simulation_whole(at, k, &whole)) {
            st = finish_motion(orders, &whole);
            extract_free(&whole);
        }
    }
    return st;
}

/* --- What motions on a grid show ---------------------------------------------------------------------------- */

/* Control intervals of a motion whose controls are rows: where their lengths are free each row has some, as many
 * more as it is long. t_interval [N + 1], u [N * n_u]. */
static void share_intervals(const struct discovery *at, const struct grid_motion *motion, double *t_interval,
                            double *u)
{
    const struct model *model = at->task->model;
    const int N = model->time.n_intervals, n_row = motion->n_row, n_u = model->n_u;
    const double T = model->time.horizon;
    int *share = mem_alloc((size_t)n_row, sizeof *share);
    for (int left = N; left > 0; left--) {
        int most = 0;
        double longest = -1;
        for (int r = 0; r < n_row; r++) {
            const double length = (r + 1 < n_row ? motion->t[r + 1] : T) - motion->t[r];
            const double part = share[r] ? length / share[r] : T + length;
            if (part > longest) {
                longest = part;
                most = r;
            }
        }
        share[most]++;
    }
    for (int r = 0, i = 0; r < n_row; r++)
        for (int k = 0; k < share[r]; k++, i++) {
            const double end = r + 1 < n_row ? motion->t[r + 1] : T;
            t_interval[i] = motion->t[r] + (end - motion->t[r]) * k / share[r];
            memcpy(u + i * n_u, motion->u + r * n_u, (size_t)n_u * sizeof *u);
        }
    t_interval[N] = T;
    free(share);
}

static bool simulate_motion(const struct discovery *at, const struct grid_motion *motion, const double *x,
                            const double *p, struct extract *whole)
{
    struct model *model = at->task->model;
    const struct simulated_limits limits = discovery_limits(at);
    const size_t N = (size_t)model->time.n_intervals;
    double *t = mem_alloc(N + 1, sizeof *t), *u = mem_alloc(N * (size_t)model->n_u, sizeof *u);
    struct sim_task task;
    share_intervals(at, motion, t, u);
    sim_task_init(&task, model);
    task.p = p;
    task.x_initial = x;
    task.controls = (struct sim_controls){ model->time.n_intervals, t, u };
    struct sim *sim = simulated_task(&task, &limits);
    const bool any = sim && extract_simulation_on(at->out->sys, sim, t, whole);
    sim_free(sim);
    free(t);
    free(u);
    return any;
}

/* Does a control say what a machine does? */
static bool is_commanded(const struct phase_system *sys)
{
    bool commanded = false;
    for (int k = 0; k < sys->n_transition; k++)
        commanded = commanded || sys->transition[k].commanded;
    return commanded;
}

static enum status discover_on_grid(struct orders *orders)
{
    struct discovery *at = orders->at;
    const struct model *model = at->task->model;
    const struct simulated_limits limits = discovery_limits(at);
    const bool is_free = at->task->discretization->control_grid == CONTROL_GRID_FREE;
    const int N = model->time.n_intervals, finer = is_free ? grid_motions_finer(N) : 1;
    double *x = mem_alloc((size_t)model->n_x, sizeof *x), *p = mem_alloc((size_t)model->n_p, sizeof *p);
    enum status st = STATUS_OK;
    simulated_values(model, discovery_seed(at), 0, x, p);
    struct grid_motions motions = grid_motions_find(at->out->sys, N * finer, N, x, p, GRID_ORDERS, &limits);
    solve_headline(at->task, "motions on a grid of %d: %d simulated, %d orders", N * finer, motions.n_simulated,
                   motions.n);
    for (int k = 0; k < motions.n && st == STATUS_OK && !is_over(at); k++) {
        struct extract whole;
        discovery_begin(at, "order %d of %d of motions on a grid, about %.6g", k + 1, motions.n,
                        motions.of[k].cost);
        if (simulate_motion(at, &motions.of[k], x, p, &whole)) {
            st = is_free || !discovery_is_new(at, whole.seq)
                     ? finish_order(orders, &(struct candidate){ .from = whole })
                     : candidate_solve(at, &(struct candidate){ .from = whole, .one_of_many = true });
            extract_free(&whole);
        }
    }
    grid_motions_free(&motions);
    free(x);
    free(p);
    return st;
}

/* --- Beside them ------------------------------------------------------------------------------------------ */

/* Is it of use to look beside this one? Not without a solution where there are others with one. */
static bool is_worth(const struct discovery *at, const struct finish *one)
{
    return one->ph && (one->solved || !pool_has_solution(&at->pool));
}

static enum status finish_neighbour(void *orders, struct candidate *neighbour)
{
    return finish_order(orders, neighbour);
}

static bool is_enough(const struct orders *orders)
{
    const int most = pool_has_solution(&orders->at->pool) ? ORDER_SEARCH : ORDER_LOST;
    return orders->tries >= most || is_over(orders->at);
}

/* Finishes what is beside found[k] and has not been tried, at most up to one that is better than the
 * best: true where there is one. */
static bool look_beside(struct orders *orders, int k, enum status *st)
{
    struct discovery *at = orders->at;
    const struct finish best = at->pool.found[0];
    const struct finish of = at->pool.found[k];     /* it moves as others are found */
    struct samples *from = samples_of(of.ph, of.w);
    struct neighbours list = neighbours_of(&of, FOR_ORDER, NEIGHBOUR_ZERO, discovery_counts(at));
    bool better = false;
    for (int i = 0; i < list.n && !better && *st == STATUS_OK && !is_enough(orders); i++) {
        discovery_begin(at, "%s", list.list[i].what);
        *st = candidate_neighbour(at, &of, from, &list.list[i], finish_neighbour, orders);
        better = better_than(&at->pool.found[0], &best);
    }
    neighbours_free(&list);
    samples_free(from);
    return better;
}

static enum status run(struct discovery *at)
{
    struct orders orders = { .at = at };
    struct counting counting;
    enum status st = discover_in_motions(&orders);
    if (st == STATUS_OK && !is_over(at) && is_commanded(at->out->sys)
        && counts_begin(discovery_counts(at), BY_GRID_MOTIONS, &counting)) {
        st = discover_on_grid(&orders);
        counts_end(&counting);
    }
    if (st == STATUS_OK && !pool_has_solution(&at->pool) && !discovery_must_stop(at))
        st = generate(at, &by_cross_entropy);
    orders.tries = 0;
    const int n_beside = pool_has_solution(&at->pool) && is_commanded(at->out->sys) ? 1 : ORDERS_BESIDE;
    for (int k = 0; k < at->pool.n && k < n_beside && st == STATUS_OK && !is_enough(&orders);)
        k = is_worth(at, &at->pool.found[k]) && look_beside(&orders, k, &st) ? 0 : k + 1;
    return st;
}

const struct generator by_machine_orders = { .is = BY_MACHINE_ORDERS, .run = run };
