/* Controls searched by cross-entropy (proposals/cross_entropy.h): motions are aimed at the goal, generation by
 * generation, until the sequence of one has a solution in which something happens; the last with its neighbours.
 * Where what is wanted stands in the costs, later ones may be better: all are drawn. */
#include "transcription/generators/generator.h"

#include "core/base/mem.h"
#include "transcription/proposals/cross_entropy.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>

#define CROSS_ENTROPY_NEARER 0.5    /* of what was missed when a sequence was tried: then it is worth another try */
enum {
    CROSS_ENTROPY_FIRST = 2,        /* generations before a sequence is finished: the first are as good as random */
    CROSS_ENTROPY_TRIES = 3,        /* populations that look for the goal */
    CROSS_ENTROPY_AGAIN = 7777      /* from the seed of one population to that of the next */
};

/* --- How many populations ------------------------------------------------------------------------------------ */

/* A second population where nothing but motions knows what happens and no goal says when the first is enough:
 * generations gather around what they began with (phases.md "Generators"). */
static int most_populations(const struct discovery *at)
{
    if (discovery_makes_all(at))
        return discovery_starts(at);
    if (at->traits & TRAIT_AIM)
        return CROSS_ENTROPY_TRIES;
    return at->traits & TRAIT_STEPS ? 1 : 2;
}

/* Others are drawn while a goal is missed. */
static bool is_aimed_enough(const struct discovery *at, bool led_somewhere)
{
    return led_somewhere && (at->traits & TRAIT_AIM) && !discovery_makes_all(at);
}

/* --- One after the other ------------------------------------------------------------------------------------- */

struct aiming {
    int n, most;                    /* populations begun; there may be */
    int n_finished;                 /* solutions before the first of them, */
    int n_before;                   /* and before the one at work */
    struct cross_entropy *aim;      /* which it is; NULL: none */
    int k;                          /* its generations so far */
    double tried;                   /* what the best motion missed whose sequence was proposed */
};

static void *begin(struct discovery *at, const void *how, const struct samples *of)
{
    struct aiming *aiming = mem_alloc(1, sizeof *aiming);
    (void)how;
    (void)of;
    *aiming = (struct aiming){ .n_finished = at->out->record.n_finished };
    if (at->effort == AS_ASKED)
        aiming->n = at->populations;
    if (at->traits & TRAIT_AIMED)
        aiming->most = most_populations(at);
    return aiming;
}

static void end(struct discovery *at, void *state)
{
    struct aiming *aiming = state;
    at->populations = aiming->n > at->populations ? aiming->n : at->populations;
    cross_entropy_free(aiming->aim);
    free(aiming);
}

static bool wants_population(const struct discovery *at, const struct aiming *aiming)
{
    if (aiming->n >= aiming->most)
        return false;
    return aiming->n == 0
           || (!is_aimed_enough(at, at->out->record.n_finished > aiming->n_finished) && !discovery_must_stop(at));
}

static void begin_population(struct discovery *at, struct aiming *aiming)
{
    const unsigned number = (unsigned)aiming->n++;
    aiming->aim = cross_entropy_create(at->task->model, discovery_seed(at) + number * CROSS_ENTROPY_AGAIN);
    aiming->k = 0;
    aiming->tried = INFINITY;
    aiming->n_before = at->out->record.n_finished;
}

static bool goes_on(const struct discovery *at, const struct aiming *aiming)
{
    const bool enough =
        (at->traits & TRAIT_AIM) && at->out->record.n_finished > aiming->n_before && pool_has_motion(&at->pool);
    return aiming->k < CROSS_ENTROPY_GENERATIONS && !enough && !discovery_must_stop(at);
}

/* The sequence of the best motion so far. One that was tried is tried again from a
 * motion that comes much nearer. */
static bool propose_best(struct discovery *at, struct aiming *aiming, bool is_last, struct candidate *out)
{
    const struct cross_entropy *aim = aiming->aim;
    struct extract from;
    if (!cross_entropy_best(aim) || !extract_simulation(at->out->sys, cross_entropy_best(aim), &from))
        return false;
    if (!discovery_is_new(at, from.seq) && !is_last
        && !(cross_entropy_missed(aim) < CROSS_ENTROPY_NEARER * aiming->tried)) {
        extract_free(&from);
        return false;
    }
    aiming->tried = cross_entropy_missed(aim);
    *out = (struct candidate){ .from = from, .repair = is_last, .one_of_many = at->traits & TRAIT_MACHINES };
    return true;
}

/* One generation more; true where it has something to propose. */
static bool next_generation(struct discovery *at, struct aiming *aiming, struct candidate *out)
{
    const struct simulated_limits limits = discovery_limits(at);
    const int k = aiming->k++;
    cross_entropy_generation(aiming->aim, &limits);
    discovery_begin(
        at, "search of controls by cross-entropy, round %d of at most %d; the best misses final values by %.2g",
        k + 1, CROSS_ENTROPY_GENERATIONS, cross_entropy_missed(aiming->aim));
    return k >= CROSS_ENTROPY_FIRST && propose_best(at, aiming, k + 1 == CROSS_ENTROPY_GENERATIONS, out);
}

static bool next(struct discovery *at, void *state, struct candidate *out, enum status *st)
{
    struct aiming *aiming = state;
    bool any = false;
    (void)st;
    while (!any && (aiming->aim || wants_population(at, aiming))) {
        if (!aiming->aim)
            begin_population(at, aiming);
        while (!any && goes_on(at, aiming))
            any = next_generation(at, aiming, out);
        if (!any) {
            cross_entropy_free(aiming->aim);
            aiming->aim = NULL;
        }
    }
    return any;
}

const struct generator by_cross_entropy = {
    .is = BY_CROSS_ENTROPY, .begin = begin, .next = next, .end = end, .goes_on = true
};
