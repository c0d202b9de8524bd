/* A sequence in which nothing happens may have no neighbours, and several solutions all the same: the smooth
 * program of the best is solved again from detours, until two of them lead to it (phases.md "Generators"). */
#include "transcription/generators/generator.h"

#include "core/base/mem.h"
#include "core/base/pi.h"
#include "core/base/random.h"
#include "core/model/kinematics.h"
#include "core/nlp/convex.h"
#include "transcription/candidates/budget.h"
#include "transcription/candidates/solve_candidate.h"
#include "transcription/finish/better.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>

#define NEAREST 0.25                /* of the way to its bound: where a state is half-way at least, */
#define FARTHEST 0.5                /* and at most: with smaller ones a crank finds no other solution, with larger ones
                                     * a third of the programs has none */
#define DEAR 0.3                    /* of the work before: what starts have taken; */
#define MOST_SHARE 1.0              /* then no more are begun */
enum {
    AGREE = 2,                      /* starts that lead to the best again are enough; one where they are dear, and no
                                     * constraint along the path parts one way from another */
    MOST_STARTS = 8,
    MOST_IN_VAIN = 3,               /* programs that did not converge */
    LONGER = 5,                     /* times as many iterations as the best has taken, */
    LEAST_ITERATIONS = 40           /* and at least so many, before a start is given up */
};

/* --- One start ----------------------------------------------------------------------------------------------- */

/* Coordinates whose rates are velocities: orientations are left out. */
static int n_coordinate(const struct model *model)
{
    return model->mechanics.n_q - 3 * model->mechanics.n_rotation;
}

/* Where its velocity stands in x, as of a coordinate; -1: it has none. */
static int velocity_of(const struct model *model, int i)
{
    for (int k = 0; k < n_coordinate(model); k++)
        if (model->mechanics.q_index[k] == i)
            return model->mechanics.v_index[k];
    return -1;
}

/* Does it follow from a coordinate? */
static bool is_velocity(const struct model *model, int i)
{
    for (int k = 0; k < n_coordinate(model); k++)
        if (model->mechanics.v_index[k] == i)
            return true;
    return false;
}

/* How far a state may go one way: to its bound; where there is none twice as far as it goes in all, or as it is
 * large. */
static double room(const struct model_var *x, const struct samples *samples, int i, double sign, double middle)
{
    const double bound = sign < 0 ? x->lb : x->ub, size = model_var_size(x);
    double low = INFINITY, high = -INFINITY;
    if (isfinite(bound))
        return fabs(bound - middle);
    for (int k = 0; k < samples->n; k++) {
        low = fmin(low, samples->y[k * samples->n_y + i]);
        high = fmax(high, samples->y[k * samples->n_y + i]);
    }
    const double most = isnan(size) ? high - low : fmax(size, high - low);
    return most > 0 ? 2 * most : 1;
}

/* State i leads away by that much half-way, and comes back; its velocity, if any, at place v in x goes along. */
static void lead_away(struct samples *samples, int i, int v, double by)
{
    const double T = samples->horizon;
    for (int k = 0; k < samples->n; k++) {
        double *y = samples->y + k * samples->n_y;
        const double phase = PI * samples->t[k] / T;
        y[i] += by * sin(phase);
        if (v >= 0)
            y[v] += by * PI / T * cos(phase);
    }
}

/* Every second one goes the other way than the one before. */
static struct samples *detour(const struct discovery *at, const struct finish *best, int start)
{
    const struct model *model = at->task->model;
    struct samples *samples = samples_of(best->ph, best->w);
    double *middle = mem_alloc((size_t)samples->n_y, sizeof *middle);
    uint64_t counter = random_mix(discovery_seed(at)) + (uint64_t)(start / 2);
    samples_at(samples, samples->horizon / 2, 0, middle);
    for (int i = 0; i < model->n_x; i++) {
        if (is_velocity(model, i))
            continue;
        const double drawn = random_signed(random_next(&counter)) * (start % 2 ? -1 : 1), sign = drawn < 0 ? -1 : 1;
        const double part = NEAREST + (FARTHEST - NEAREST) * fabs(drawn);
        lead_away(samples, i, velocity_of(model, i), sign * part * room(&model->x[i], samples, i, sign, middle[i]));
    }
    for (int k = 0; k < samples->n; k++)
        kinematics_normalize(model, samples->y + k * samples->n_y);
    free(middle);
    return samples;
}

/* --- All of them --------------------------------------------------------------------------------------------- */

struct starting {
    int k;                          /* the next start */
    int n_agree, n_vain;            /* that led to the best; whose program did not converge */
    double before, budget;          /* work before all; that they may take */
};

static bool is_enough(const struct discovery *at, const struct starting *now)
{
    const double spent = budget_spent(at) - now->before;
    const bool dear = spent > DEAR * now->before && !(at->traits & TRAIT_PATH);
    const bool agreed = now->n_agree >= (dear ? 1 : AGREE);
    return agreed || now->n_vain >= MOST_IN_VAIN || now->k >= MOST_STARTS
           || spent > now->budget || discovery_must_stop(at) || discovery_is_near_optimum(at);
}

/* What a start has led to, as against the best before it: true if to that again. */
static bool judge(struct starting *now, const struct finish *one, const struct finish *best)
{
    const bool better = one->solved && below(one->objective, best->objective, margins.as_good);
    const bool same = one->solved && near_to(one->objective, best->objective, margins.as_good);
    now->n_agree = better ? 0 : now->n_agree + same;
    now->n_vain = better ? 0 : now->n_vain + (!one->solved && one->given_up != GIVEN_UP_CONVERGED);
    return same;
}

/* The best stays as it is. */
static void drop_same(struct discovery *at, struct finish *one)
{
    solve_headline(at->task, "%s: it leads to the best solution again", at->what);
    at->out->record.n_start++;
    at->out->record.n_finished++;
    counts_repeated(discovery_counts(at));
    finish_free(one);
}

/* Iterations of one start. */
static int patience(const struct finish *best)
{
    const int longer = LONGER * best->iterations;
    return longer < LEAST_ITERATIONS ? LEAST_ITERATIONS : longer < TRY_MAX_ITER ? longer : TRY_MAX_ITER;
}

static enum status try_start(struct discovery *at, struct starting *now)
{
    const struct finish *best = &at->pool.found[0];
    struct finish_task task = discovery_task(at, SEARCH_STAGES, best->ph->grid.elements);
    struct candidate candidate = { .from = { sequence_copy(best->ph->seq), detour(at, best, now->k), 0 },
                                   .one_of_many = true };
    struct finish one;
    task.must_beat = counts_gate(discovery_counts(at), GIVE_UP);
    task.starts_far = true;
    task.beat = best->objective;
    discovery_begin(at, "the sequence once more, from detour %d of at most %d", ++now->k, MOST_STARTS);
    enum status st = finish_solve(&task, candidate.from.seq, candidate.from.samples, FINISH_COLD, patience(best),
                                  &one, at->diag);
    if (st != STATUS_OK)
        finish_free(&one);
    else if (judge(now, &one, best))
        drop_same(at, &one);
    else
        st = candidate_take(at, &candidate, &one);
    extract_free(&candidate.from);
    return st;
}

/* A solution of a convex program is the only one, or as good as all others. */
static enum status run(struct discovery *at)
{
    const struct finish *best = &at->pool.found[0];
    struct starting now = { .before = budget_spent(at), .budget = budget_share(at, MOST_SHARE) };
    enum status st = STATUS_OK;
    if (nlp_is_convex(&best->ph->mpcc.nlp, best->w)) {
        solve_note(at->task, "the program of its sequence is convex: no other starts");
        return STATUS_OK;
    }
    while (st == STATUS_OK && !is_enough(at, &now))
        st = try_start(at, &now);
    return st;
}

bool other_starts_are_wanted(const struct discovery *at)
{
    const struct finish *best = pool_has_solution(&at->pool) ? &at->pool.found[0] : NULL;
    if (!best || best->ph->seq->n_event > 0 || at->task->once || discovery_must_stop(at))
        return false;
    struct neighbours list = neighbours_of(best, FOR_BETTER | FOR_SHIFT, NEIGHBOUR_ZERO, discovery_counts(at));
    const bool any = list.n > 0;
    neighbours_free(&list);
    return !any;
}

const struct generator by_other_starts = { .is = BY_OTHER_STARTS, .run = run };
