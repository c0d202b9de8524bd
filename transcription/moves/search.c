#include "transcription/moves/search.h"

#include "transcription/finish/better.h"
#include "transcription/multiphase/mesh.h"
#include "transcription/sequence/recipe.h"

#include <math.h>

#define NEIGHBOUR_SHORT 2e-2        /* of an interval: no length, after an infeasible program */
#define NEARLY_SOLVED 1e-4          /* violation of a program at its last iteration with which it goes on: 2.3e-10,
                                     * 6.7e-7 and 3.9e-5 of two_leg_jump, which had no solution */
enum { SEARCH_AGAIN = 4 };          /* times as many tries in all, at most, after neighbours that are much better */

void search_init(struct search *search, const struct finish_task *task, struct pool *pool)
{
    *search = (struct search){ .task = *task, .pool = pool, .max_tries = SEARCH_TRIES, .max_iter = TRY_MAX_ITER,
                               .patience = INFINITY };
}

static double work_of(const struct search *search)
{
    return search->task.work ? search->task.work->linear.entries : 0;
}

static void begin_patience(struct search *search)
{
    search->since = work_of(search);
    search->impatient = false;
}

static bool must_stop(struct search *search)
{
    search->impatient = work_of(search) - search->since > search->patience;
    return search->impatient || search->tries >= search->max_tries || finish_must_stop(&search->task);
}

/* Fewer events: then it need only be as good, as what it leaves out had no length or no effect. */
static bool is_simpler(const struct sequence *seq, const struct finish *best)
{
    return seq->n_event < best->ph->seq->n_event;
}

static int n_impacts(const struct sequence *seq)
{
    int n = 0;
    for (int j = 0; j < seq->n_event; j++)
        n += sequence_has_impact(seq, j);
    return n;
}

/* Does no event stay where it is? */
static bool is_elsewhere(const struct sequence *seq, const struct sequence *from)
{
    int n = seq->n_event == from->n_event ? seq->n_event : 0;
    for (int j = 0; j < n; j++)
        n = seq->place[j] == from->place[j] ? 0 : n;
    return n > 0;
}

/* One with an impact more is a motion of another kind: it starts far from what it costs in the end. So does one at
 * other times. */
static enum status try_neighbour(struct search *search, const struct finish *best, const struct samples *from,
                                 const struct neighbour *one, bool must_beat, struct finish *out, struct diag *diag)
{
    struct samples *samples = neighbour_start(one, best, from);
    struct finish_task task = search->task;
    struct arena mem = { NULL };
    task.must_beat = must_beat && counts_gate(task.counts, GIVE_UP);
    task.beat = best->objective;
    task.starts_far = one->move->stretches || n_impacts(one->seq) > n_impacts(best->ph->seq) || is_elsewhere(one->seq, best->ph->seq);
    if (best->ph->grid.n_end > 0)
        task.grid.end = mesh_remap(best->ph, best->w, one->seq, one->t, &mem, &task.grid.n_end);
    const enum status st = finish_solve(&task, one->seq, samples, best->solved ? FINISH_WARM : FINISH_COLD,
                                        search->max_iter, out, diag);
    samples_free(samples);
    arena_free(&mem);
    finish_descend(out, best);
    finish_add_move(out, one->what);
    search->tries++;
    if (search->note && st == STATUS_OK)
        search->note(search->user, one->what, out);
    return st;
}

enum status search_go_on(const struct search *search, struct finish *one, struct diag *diag)
{
    struct counting counting;
    if (one->solved || one->outcome != NLP_ITERATIONS || !(one->violation <= NEARLY_SOLVED)
        || finish_must_stop(&search->task) || !counts_begin(search->task.counts, GO_ON, &counting))
        return STATUS_OK;
    struct finish_task task = search->task;
    task.must_beat = false;
    const int before = one->iterations;
    const enum status st = finish_run(&task, FINISH_NEAR, search->max_iter, one, diag);
    one->iterations += before;
    counts_candidate(search->task.counts, GO_ON, one->solved, false);
    counts_end(&counting);
    if (search->note && st == STATUS_OK)
        search->note(search->user, "continued from there", one);
    return st;
}

/* Has it been stopped where it costs less than the best? */
static bool is_promising(const struct finish *one, const struct finish *best)
{
    return best->solved && !one->solved && below(one->objective, best->objective, margins.as_good);
}

/* Solves one neighbour. Where it is preferred, to *best or to *found if there is one, it takes the place of *found;
 * what is not is passed. */
static void take_if_preferred(struct search *search, const struct finish *best, const struct samples *from,
                              const struct neighbour *neighbour, struct finish *found, struct diag *diag)
{
    const bool must_beat = best->solved && !is_simpler(neighbour->seq, best);
    struct finish one;
    enum status st = try_neighbour(search, best, from, neighbour, must_beat, &one, diag);
    if (st == STATUS_OK && is_promising(&one, best))
        st = search_go_on(search, &one, diag);
    const bool preferred =
        st == STATUS_OK && (found->ph ? better_than(&one, found) : better_or_simpler(&one, best));
    counts_candidate(search->task.counts, neighbour->move->is, one.solved, one.solved && preferred);
    if (!preferred) {
        pool_pass(search->pool, &one);
        return;
    }
    if (found->ph)
        pool_pass(search->pool, found);
    *found = one;
}

/* Its program from such a start was not run yet. */
static bool is_new(struct search *search, const struct neighbour *one)
{
    const bool is_new = pool_is_new(search->pool, POOL_SEQUENCE, one->seq);
    return one->move->stretches ? pool_is_new(search->pool, POOL_STRETCHED, one->seq) : is_new;
}

/* Solves neighbours of *best one by one, up to the first that is solved and preferred to it; where none is solved,
 * the best of all that are preferred. True if there is one: then it is in *found. */
static bool find(struct search *search, double near, const struct finish *best, struct finish *found,
                 struct diag *diag)
{
    struct counts *counts = search->task.counts;
    const unsigned use = FOR_BETTER | (search->shifts ? FOR_SHIFT : 0u);
    struct neighbours list = neighbours_of(best, use, near, counts);
    struct samples *from = samples_of(best->ph, best->w);
    int k = 0;
    *found = (struct finish){ .ph = NULL };
    for (; k < list.n && !must_stop(search) && !found->solved; k++) {
        struct counting counting;
        (void)counts_begin(counts, list.list[k].move->is, &counting);
        if (is_new(search, &list.list[k]))
            take_if_preferred(search, best, from, &list.list[k], found, diag);
        else
            counts_known(counts, list.list[k].move->is);
        counts_end(&counting);
    }
    search->exhausted = !found->ph && k == list.n;
    samples_free(from);
    neighbours_free(&list);
    return found->ph;
}

/* To the neighbour that is preferred, if there is one. */
static bool climb(struct search *search, double near, struct finish *best, struct diag *diag)
{
    struct finish found;
    if (!find(search, near, best, &found, diag))
        return false;
    pool_pass(search->pool, best);
    *best = found;
    search->moves++;
    return true;
}

enum status search_repair(struct search *search, struct finish *best, struct diag *diag)
{
    enum status st = STATUS_OK;
    (void)pool_is_new(search->pool, POOL_SEQUENCE, best->ph->seq);
    begin_patience(search);
    while (!best->solved && st == STATUS_OK && climb(search, NEIGHBOUR_SHORT, best, diag))
        st = search_go_on(search, best, diag);
    return st == STATUS_OK ? search_go_on(search, best, diag) : st;
}

/* One that is much cheaper is worth as many tries again: a bottle that is thrown ever earlier goes on from 1.24 to
 * 0.44. So are many that are a little cheaper each. */
enum status search_improve(struct search *search, struct finish *best, struct diag *diag)
{
    const int most = search->max_tries - search->tries, last = search->max_tries + (SEARCH_AGAIN - 1) * most;
    double before = best->objective;
    (void)pool_is_new(search->pool, POOL_SEQUENCE, best->ph->seq);
    begin_patience(search);
    while (climb(search, NEIGHBOUR_ZERO, best, diag)) {
        begin_patience(search);
        if (before - best->objective > margins.worth_more * fabs(before)
            && counts_gate(search->task.counts, MORE_TRIES)) {
            search->max_tries = search->tries + most < last ? search->tries + most : last;
            before = best->objective;
        }
    }
    return STATUS_OK;
}
