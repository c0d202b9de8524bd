#include "transcription/phases/search.h"

#include "core/base/mem.h"
#include "transcription/phases/better.h"
#include "transcription/phases/mesh.h"
#include "transcription/phases/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void search_init(struct search *search, const struct finish_task *task, struct pool *pool)
{
    *search = (struct search){ .task = *task, .pool = pool, .max_tries = SEARCH_TRIES, .max_iter = TRY_MAX_ITER };
}

static bool must_stop(const struct search *search)
{
    return search->tries >= search->max_tries || finish_must_stop(&search->task);
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

/* One with an impact more is a motion of another kind: it starts far from what it costs in the end. So does one at other
 * times. */
static enum status try_neighbour(struct search *search, const struct finish *best, const struct samples *from,
                                 const struct neighbour *one, bool must_beat, struct finish *out, struct diag *diag)
{
    const bool same = from->n_event == one->seq->n_event;
    struct samples *samples = samples_remap(from, one->seq->n_event, one->t, same);
    struct finish_task task = search->task;
    struct arena mem = { NULL };
    task.must_beat = must_beat && counts_gate(task.counts, GIVE_UP);
    task.beat = best->objective;
    task.starts_far = n_impacts(one->seq) > n_impacts(best->ph->seq) || is_elsewhere(one->seq, best->ph->seq);
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

/* Solves neighbours of *best one by one. A better one at once if `first`, else the best of all. True if there is one:
 * then it is in *found. */
static bool find(struct search *search, const struct finish *best, bool repair, struct finish *found, struct diag *diag)
{
    struct neighbours list = neighbours_of(best, repair ? NEIGHBOUR_SHORT : NEIGHBOUR_ZERO, search->shifts);
    struct samples *from = samples_of(best->ph, best->w);
    bool any = false;
    int k = 0;
    for (; k < list.n && !must_stop(search) && !(any && (!repair || found->solved)); k++) {
        struct finish one;
        if (!pool_is_new(search->pool, POOL_SEQUENCE, list.list[k].seq))
            continue;
        const bool must_beat = best->solved && !is_simpler(list.list[k].seq, best);
        enum status st = try_neighbour(search, best, from, &list.list[k], must_beat, &one, diag);
        if (st == STATUS_OK && is_promising(&one, best))
            st = search_go_on(search, &one, diag);
        if (st != STATUS_OK || !(any ? better_than(&one, found) : better_or_simpler(&one, best))) {
            pool_pass(search->pool, &one);
            continue;
        }
        if (any)
            pool_pass(search->pool, found);
        *found = one;
        any = true;
    }
    search->exhausted = !any && k == list.n;
    samples_free(from);
    neighbours_free(&list);
    return any;
}

static void go_on_from(struct search *search, struct finish *best, struct finish *found)
{
    pool_pass(search->pool, best);
    *best = *found;
    search->moves++;
}

enum status search_repair(struct search *search, struct finish *best, struct diag *diag)
{
    struct finish found;
    enum status st = STATUS_OK;
    (void)pool_is_new(search->pool, POOL_SEQUENCE, best->ph->seq);
    while (!best->solved && st == STATUS_OK && find(search, best, true, &found, diag)) {
        go_on_from(search, best, &found);
        st = search_go_on(search, best, diag);
    }
    return st == STATUS_OK ? search_go_on(search, best, diag) : st;
}

/* One that is much cheaper is worth as many tries again: a bottle that is thrown ever earlier goes on from 1.24 to
 * 0.44. So are many that are a little cheaper each. */
enum status search_improve(struct search *search, struct finish *best, struct diag *diag)
{
    const int most = search->max_tries - search->tries, last = search->max_tries + (SEARCH_AGAIN - 1) * most;
    double before = best->objective;
    struct finish found;
    (void)pool_is_new(search->pool, POOL_SEQUENCE, best->ph->seq);
    while (find(search, best, false, &found, diag)) {
        go_on_from(search, best, &found);
        if (before - best->objective > margins.worth_more * fabs(before) && counts_gate(search->task.counts, MORE_TRIES)) {
            search->max_tries = search->tries + most < last ? search->tries + most : last;
            before = best->objective;
        }
    }
    return STATUS_OK;
}

enum status search_tidy(struct search *search, struct finish *best, struct diag *diag)
{
    bool more = true;
    while (more) {
        struct neighbours list = neighbours_tidier(best);
        struct samples *from = samples_of(best->ph, best->w);
        more = false;
        for (int k = 0; k < list.n && !more && !must_stop(search); k++) {
            struct finish one;
            if (!pool_is_new(search->pool, POOL_SEQUENCE, list.list[k].seq))
                continue;
            if (try_neighbour(search, best, from, &list.list[k], false, &one, diag) == STATUS_OK && one.solved
                && at_most(one.objective, best->objective, margins.tidy)) {
                go_on_from(search, best, &one);
                more = true;
            } else {
                finish_free(&one);
            }
        }
        samples_free(from);
        neighbours_free(&list);
    }
    return STATUS_OK;
}
