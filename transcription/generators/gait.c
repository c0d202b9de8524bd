/* Gaits, stances and flights in turn: drawn without constraints along the path, compared, and the best solved
 * with all of them (proposals/gait.h). */
#include "transcription/generators/generator.h"

#include "core/base/mem.h"
#include "core/mpcc/iterate.h"
#include "transcription/candidates/solve_candidate.h"
#include "transcription/finish/path_homotopy.h"
#include "transcription/proposals/gait.h"
#include "transcription/reading/simulated.h"
#include "transcription/sequence/recipe.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Parts of the horizon in which feet stand: of 0.6 to 0.8 those in the middle have the
 * most solutions, and the best. */
enum { N_STANCES = 2 };
static const double stances[N_STANCES] = { 0.7, 0.65 };

enum {
    GAIT_ELEMENTS = 2,          /* of a piece, to compare them by: with one, fast legs gain a third */
    GAIT_MAX_ITER = 300,        /* of each program: 80 to 250 with one element, then 20 to 60 */
    GAIT_WORSE = 3,             /* numbers of flights in a row that are dearer than the best before it ends, */
    GAIT_NONE = 4               /* or have no solution, as none has had before */
};

/* Gaits that have been tried without constraints along the path, those that cost least first. */
struct sketches { int n; struct finish *sketch; };

static bool has_converged(const struct finish *one)
{
    return one->ph && iterate_nlp_is_solved(one->outcome) && isfinite(one->objective);
}

static void add(struct sketches *all, const struct finish *one)
{
    all->sketch = mem_grow(all->sketch, all->n, 1, sizeof *all->sketch);
    int k = all->n++;
    for (; k > 0 && one->objective < all->sketch[k - 1].objective; k--)
        all->sketch[k] = all->sketch[k - 1];
    all->sketch[k] = *one;
}

/* "contact schedule of 2 flights", "contact schedule with 4 events". */
static void begin(struct discovery *at, const char *with, int n, const char *what)
{
    if (n > 0)
        discovery_begin(at, "contact schedule %s %d %s%s", with, n, what, n == 1 ? "" : "s");
    else
        discovery_begin(at, "contact schedule without a flight");
}

/* On a coarse grid stances that differ a little are drawn alike: once is enough. */
static enum status sketch(struct discovery *at, const struct gait *gait, struct sketches *all)
{
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, GAIT_ELEMENTS);
    struct extract from = gait_draw(at->out->sys, gait);
    struct finish one = { .objective = NAN };
    if (!pool_is_new(&at->pool, POOL_DRAWN, from.seq)) {
        extract_free(&from);
        return STATUS_OK;
    }
    begin(at, "of", gait->n_flight, "flight");
    const enum status st = path_homotopy_sketch(&task, from.seq, from.samples, GAIT_MAX_ITER, &one, at->diag);
    if (one.ph)
        discovery_note(at, &one);
    if (st == STATUS_OK && has_converged(&one))
        add(all, &one);
    else
        finish_free(&one);
    extract_free(&from);
    return st;
}

/* When the motion of the guess has its first impact; 0: it has none. */
static double first_landing(const struct discovery *at)
{
    const struct simulated_limits limits = discovery_limits(at);
    struct sim *sim = simulated_start(at->task->model, discovery_seed(at), 0, &limits);
    double t = 0;
    for (int k = sim ? sim_n_events(sim) - 1 : -1; k >= 0; k--)
        t = sim_event_at(sim, k)->kind == SIM_IMPACT ? sim_event_at(sim, k)->t : t;
    sim_free(sim);
    return t;
}

/* Those that have led nowhere so far are followed by a few at most: what nothing lifts flies at no number. */
static bool goes_on(const struct sketches *all, int n_worse)
{
    return n_worse < (all->n > 0 ? GAIT_WORSE : GAIT_NONE);
}

/* A stance throughout, where it does not come flying, then more and more flights, up to `most`, as long as that is
 * better. */
static enum status sketch_all(struct discovery *at, int most, struct sketches *all)
{
    const struct phase_system *sys = at->out->sys;
    const bool flies = at->traits & TRAIT_FLIES;
    const double landing = flies ? first_landing(at) : 0;
    enum status st = STATUS_OK;
    bool fits = true;
    for (int n = flies, n_worse = 0; fits && n <= most && goes_on(all, n_worse) && st == STATUS_OK
                                     && !discovery_must_stop(at); n++) {
        const double before = all->n ? all->sketch[0].objective : INFINITY;
        fits = false;
        for (int k = 0; k < N_STANCES && st == STATUS_OK; k++) {
            const struct gait gait = { n, stances[k], landing };
            const bool same = k > 0 && (n == 0 || (n == 1 && landing > 0));
            if (n > gait_most_flights(sys, gait.stance) || same)
                continue;
            fits = true;
            st = sketch(at, &gait, all);
        }
        n_worse = all->n > 0 && all->sketch[0].objective < before ? 0 : n_worse + 1;
    }
    return st;
}

/* Number k, with all constraints. */
static enum status finish_sketch(struct discovery *at, struct sketches *all, int k)
{
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, GAIT_ELEMENTS);
    struct finish *one = &all->sketch[k];
    const int n = one->ph->seq->n_event;
    begin(at, "with", n, "event");
    enum status st = path_homotopy_finish_sketch(&task, GAIT_MAX_ITER, one, at->diag);
    if (st != STATUS_OK)
        return st;
    at->elements = one->ph->grid.elements;
    st = candidate_take(at, &(struct candidate){ .repair = false }, one);
    *one = (struct finish){ .objective = NAN };
    return st;
}

static void free_sketches(struct discovery *at, struct sketches *all)
{
    for (int k = 0; k < all->n; k++)
        finish_free(&all->sketch[k]);
    free(all->sketch);
    pool_forget(&at->pool, POOL_DRAWN);
}

static bool may_sketch(const struct discovery *at)
{
    return !at->gait.tried && (at->traits & TRAIT_GAIT);
}

/* Slip that neighbours add is kept from a jam, as that of a solution from elsewhere. */
static enum status solve_gaits(struct discovery *at)
{
    struct sketches all = { 0 };
    if (!may_sketch(at))
        return STATUS_OK;
    at->gait.tried = true;
    solve_note(at->task, "contact schedules: stance and flight in turn, with more and more flights");
    at->yield = SLIP_YIELD;
    const int n_finished = at->out->record.n_finished;
    enum status st = sketch_all(at, INT_MAX, &all);
    for (int k = 0; k < all.n && at->out->record.n_finished < n_finished + GAIT_FINISHED && st == STATUS_OK
                    && !discovery_must_stop(at); k++)
        st = finish_sketch(at, &all, k);
    at->yield = 0;
    at->gait.led = pool_has_solution(&at->pool);
    at->elements = pool_has_solution(&at->pool) ? at->pool.found[0].ph->grid.elements : 1;
    free_sketches(at, &all);
    return st;
}

const struct generator by_gait = { .is = BY_GAIT, .run = solve_gaits };
