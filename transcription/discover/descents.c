/* Where modes of no length make a motion one of several sequences, the objective may fall in another one than its
 * own: to there, on the grid of the search and in the end. */
#include "transcription/discover/settle.h"

#include "transcription/finish/better.h"
#include "transcription/sequence/recipe.h"

#include <math.h>

#define BRANCHES_SHARE 0.02 /* of the work of the solve (nlp.h: entries): what asking once may cost, */
#define BRANCHES_ALWAYS 5e5 /* and what is always allowed: some hundredths of a second */
enum {
    MOST_BRANCHES = 64,     /* sequences of a motion that are asked */
    DESCENT_MAX_ITER = 200, /* a mode begins with no length there: 114 to the first pause of a drug in persister */
    STEEPEST = 3            /* of them whose programs are run from one motion, unless one is better */
};

static struct stationarity ask(const struct discovery *at, const struct finish *best, int n,
                               struct finish *steepest)
{
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, 1);
    const double before = at->out->record.work.linear.entries;
    const struct stationarity_limits limits = { .n_branch = MOST_BRANCHES,
                                                .work = fmax(BRANCHES_SHARE * before, BRANCHES_ALWAYS),
                                                .task = &task,
                                                .run = &at->pool };
    return stationarity_of(best, &limits, n, steepest);
}

/* Its program from the motion on: true if that is a better solution, which *one is then. Each sequence once. */
static bool run(struct discovery *at, const struct finish *best, struct finish *one)
{
    if (!one->ph || !pool_is_new(&at->pool, POOL_DESCENT, one->ph->seq) || discovery_must_stop(at))
        return false;
    const struct finish_task task = discovery_task(at, SEARCH_STAGES, 1);
    const struct finish_move move = one->move[one->n_move - 1];
    finish_descend(one, best);
    finish_add_move(one, move.what);
    const enum status st = finish_run(&task, FINISH_WARM, DESCENT_MAX_ITER, one, at->diag);
    const bool better = st == STATUS_OK && one->solved && below(one->objective, best->objective, margins.as_good);
    at->search.tries++;
    if (st == STATUS_OK)
        discovery_note_neighbour(at, move.what, one);
    counts_candidate(discovery_counts(at), DESCENT, one->solved, better);
    return better;
}

bool discovery_steepest(struct discovery *at, const struct finish *best, struct finish *better)
{
    struct counting counting;
    struct finish steepest[STEEPEST];
    bool is_better = false;
    if (discovery_is_near_optimum(at) || !counts_begin(discovery_counts(at), DESCENT, &counting))
        return false;
    struct stationarity known = ask(at, best, STEEPEST, steepest);
    stationarity_free(&known);
    for (int k = 0; k < STEEPEST; k++) {
        const bool is_this = !is_better && run(at, best, &steepest[k]);
        if (is_this)
            *better = steepest[k];
        else
            finish_free(&steepest[k]);
        is_better = is_better || is_this;
    }
    counts_end(&counting);
    return is_better;
}

void discovery_tell_stationarity(struct discovery *at)
{
    struct solution *out = &at->out->solution;
    if (out->best.solved && !at->task->once)
        out->stationarity = ask(at, &out->best, 0, NULL);
}
