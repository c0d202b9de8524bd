/* The best sequence until a replay by events agrees: more stages and elements, elements divided where their own
 * error is, points between stages where an inequality is broken (phases.md "Acceptance"). */
#include "transcription/discover/settle.h"

#include "core/base/mem.h"
#include "transcription/discover/acceptance.h"
#include "transcription/finish/better.h"
#include "transcription/finish/checks/checks.h"
#include "transcription/finish/checks/local_error.h"
#include "transcription/multiphase/mesh.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>

#define LOOSE_PART 0.1              /* tolerance on the way, of the error that an element may have, if that is less */
#define LOCAL_PART 0.1              /* of finish.tol: error of an element at first; and of what a replay says later */
#define MOST_STRICTER 1e-3          /* at once */
#define HOPELESS 1e3                /* tolerances: an element that is off by more makes a replay a waste of time */
#define REPLAY_FALLS 0.5            /* of what single intervals are off by: if dividing leaves more, elements are not the reason */
#define DIVIDE_DROP 0.1             /* of the worst error: what is less waits for the next round */
enum {
    REFINE_TRIES = 10,              /* neighbours of one that has no solution with more elements */
    REPLAYS_SAME = 2,               /* the same of the whole, once more: an event at the very end may take two meshes to be seen */
    DIVIDE_MAX_ITER = 200,
    DIVIDE_MOST = 4,                /* parts of an element at a time */
    DIVIDE_ROUNDS = 12,             /* meshes between two replays */
    DIVIDE_ELEMENTS = 3000          /* in all: monoped_tracking takes 363; more is no matter of elements */
};

/* --- More stages and elements ----------------------------------------------------------------------------- */

static int patience(const struct discovery *at)
{
    return at->elements > 1 ? ROUGH_MAX_ITER : FINISH_MAX_ITER;
}

static void take(struct solution *out, struct finish *one)
{
    finish_free(&out->best);
    out->best = *one;
    out->refined = true;
}

/* Has the objective risen so far that it is another motion's? */
static bool has_strayed(double objective, double from)
{
    return above(objective, from, margins.strayed);
}

/* Neighbours of *one, which has no solution. *moved: *one is a neighbour now. */
static enum status repair_shortly(struct discovery *at, const struct finish_task *task, struct finish *one,
                                  bool *moved)
{
    struct search search;
    struct pool pool = { 0 };
    search_init(&search, task, &pool);
    search.max_tries = REFINE_TRIES;
    search.note = discovery_note_try;
    search.user = at;
    search.task.grid.n_check = 0;               /* they are in elements of this sequence */
    const enum status st = search_repair(&search, one, at->diag);
    at->search.tries += search.tries;
    *moved = search.moves > 0;
    if (*moved)                                 /* of another sequence it is to be said anew */
        at->out->solution.exhausted = false;
    pool_free(&pool);
    return st;
}

/* More elements show what coarse ones hid, a slip that turns for a moment: then a neighbour has a solution. */
static enum status repair_refined(struct discovery *at, const struct finish_task *task, struct finish *fine)
{
    bool moved;
    struct counting counting;
    if (!counts_begin(discovery_counts(at), REPAIR_ON_MESH, &counting))
        return STATUS_OK;
    solve_note(at->task, "neighbouring sequences are tried, as it has no solution with more stages and elements");
    const enum status st = repair_shortly(at, task, fine, &moved);
    discovery_note(at, fine);
    counts_candidate(discovery_counts(at), REPAIR_ON_MESH, fine->solved, fine->solved);
    counts_end(&counting);
    return st;
}

/* The same sequence with more elements, or a neighbour; *best stays where that finds no solution, or
 * only one that is far dearer. */
static enum status refine(struct discovery *at, int elements)
{
    struct solution *out = &at->out->solution;
    struct finish fine;
    const struct finish_task task = discovery_task(at, at->settings->stages, elements);
    struct samples *samples = samples_of(out->best.ph, out->best.w);
    solve_note(at->task, "the same sequence with more stages and elements");
    enum status st = finish_solve(&task, out->best.ph->seq, samples, FINISH_WARM, patience(at), &fine, at->diag);
    const bool is_far = at->elements > 1;       /* its coarse solution, from it */
    if (st == STATUS_OK && !fine.solved && is_far && !discovery_must_stop(at)) {
        finish_free(&fine);
        st = finish_solve(&task, out->best.ph->seq, samples, FINISH_COLD, patience(at), &fine, at->diag);
    }
    samples_free(samples);
    finish_descend(&fine, &out->best);
    if (st == STATUS_OK && !fine.solved && !discovery_must_stop(at) && !at->task->once)
        st = repair_refined(at, &task, &fine);
    if (fine.solved && !has_strayed(fine.objective, out->best.objective))
        take(out, &fine);
    else
        finish_free(&fine);
    return st;
}

static enum status check_between(struct discovery *at)
{
    struct solution *out = &at->out->solution;
    const struct finish_task task = discovery_task(at, at->settings->stages, at->settings->elements);
    solve_note(at->task, "inequalities between collocation points");
    return checks_enforce(&task, &out->best, &out->between, at->diag);
}

/* --- Elements where the error is -------------------------------------------------------------------------- */

struct accuracy {
    struct discovery *at;
    struct arena mem;
    double *tol, *off;              /* [n_interval] what elements in it may be off by; what its replay is off by */
    bool *wrong;                    /* [n_interval] has a replay found it to be off? */
    int n_same;                     /* replays in a row that were right in single intervals, and as wrong as before as a whole */
    double drop;                    /* of the worst error: elements with less wait for the next mesh */
    struct finish kept;             /* the best before meshes on which it was solved loosely */
    struct finish failed;           /* without a solution on a mesh on which all was divided at once */
};

/* Errors of the best's elements, relative to what they may be: [n_element], in mem. One that cannot be measured, as
 * the motion in it has no end in sight, says nothing before a replay has found its interval to be off. */
static double *measure(const struct accuracy *by, struct arena *mem, double *worst)
{
    const struct finish *best = &by->at->out->solution.best;
    const struct phases *ph = best->ph;
    double *error = arena_alloc(mem, (size_t)ph->n_element, sizeof *error);
    local_errors(ph, best->w, error);
    *worst = 0;
    for (int e = 0; e < ph->n_element; e++) {
        const int interval = ph->piece[ph->piece_of[e]].interval;
        error[e] = isfinite(error[e]) || by->wrong[interval] ? error[e] / by->tol[interval] : 0;
        *worst = fmax(*worst, error[e]);
    }
    return error;
}

/* The largest error that is a number: motion in an element may have no end in sight. */
static double largest_number(int n, const double *error)
{
    double most = 0;
    for (int e = 0; e < n; e++)
        most = isfinite(error[e]) ? fmax(most, error[e]) : most;
    return most;
}

/* How many parts each element is to have, by the order of its polynomials. */
static int *choose_parts(const struct accuracy *by, struct arena *mem, int *n)
{
    const struct phases *ph = by->at->out->solution.best.ph;
    double worst;
    const double *error = measure(by, mem, &worst), most = fmax(1, by->drop * largest_number(ph->n_element, error));
    int *parts = arena_alloc(mem, (size_t)ph->n_element, sizeof *parts);
    *n = 0;
    for (int e = 0; e < ph->n_element; e++) {
        const double even = ceil(pow(error[e] / most, 1.0 / (ph->grid.stages + 1)));
        parts[e] = error[e] > most ? (int)fmin(fmax(even, 2), DIVIDE_MOST) : 1;
        *n += parts[e];
    }
    return parts;
}

static int *one_part_each(const struct phases *ph, struct arena *mem, int *n)
{
    int *parts = arena_alloc(mem, (size_t)ph->n_element, sizeof *parts);
    *n = ph->n_element;
    for (int e = 0; e < *n; e++)
        parts[e] = 1;
    return parts;
}

/* Checked points of the best, and edges where a replay was off; once no element is divided any more, more where an
 * inequality is broken. */
static int choose_checks(const struct accuracy *by, bool more, struct phase_check **check)
{
    const struct finish *best = &by->at->out->solution.best;
    struct check_worst worst;
    int n = best->ph->grid.n_check;
    *check = NULL;
    for (int k = 0; k < n; k++) {
        *check = mem_grow(*check, k, 1, sizeof **check);
        (*check)[k] = best->ph->grid.check[k];
    }
    n = checks_find_edges(best->ph, best->w, by->wrong, n, check);
    return more ? checks_find(best->ph, best->w, n, check, &worst) : n;
}

/* Are they those that it was solved with? */
static bool are_checked(const struct phases *ph, int n, const struct phase_check *check)
{
    bool same = n == ph->grid.n_check;
    for (int k = 0; k < n && same; k++)
        same = check[k].clear == ph->grid.check[k].clear;
    return same;
}

static void take_loose(struct accuracy *by, struct finish *one)
{
    struct solution *out = &by->at->out->solution;
    if (by->kept.ph)
        finish_free(&out->best);
    else
        by->kept = out->best;
    out->best = *one;
}

/* The best on another mesh. Where the worst elements are all that there is to divide,
 * it has failed there before. */
static enum status solve_anew(struct accuracy *by, const struct finish_task *task, struct finish *out)
{
    struct discovery *at = by->at;
    *out = by->failed;
    by->failed = (struct finish){ .objective = NAN };
    if (out->ph && out->ph->n_element == task->grid.n_end && out->ph->grid.n_check == task->grid.n_check)
        return STATUS_OK;
    finish_free(out);
    const enum status st = finish_again(task, &at->out->solution.best, DIVIDE_MAX_ITER, out, at->diag);
    discovery_note(at, out);
    return st;
}

/* The best on another mesh, loosely: steps on the way need not be exact. Where all that should be divided at once
 * has no solution, the worst ones come first, and then a neighbour of it. *done: no more is to be gained. */
static enum status solve_on_mesh(struct accuracy *by, const struct finish_task *task, bool *done)
{
    struct discovery *at = by->at;
    struct finish fine;
    enum status st = solve_anew(by, task, &fine);
    if (st == STATUS_OK && !fine.solved && by->drop > 0 && !discovery_must_stop(at))
        st = repair_refined(at, task, &fine);
    if (fine.solved) {
        take_loose(by, &fine);
        return st;
    }
    *done = by->drop > 0;
    if (*done)
        finish_free(&fine);
    else
        by->failed = fine;
    by->drop = DIVIDE_DROP;
    return st;
}

/* What programs on the way may be off by: less than the elements whose error is measured in them, else these seem
 * to be off however short they are. */
static double loose_enough(const struct accuracy *by)
{
    double least = LOOSE_VIOLATION;
    for (int i = 0; i < by->at->task->model->time.n_intervals; i++)
        least = fmin(least, LOOSE_PART * by->tol[i]);
    return least;
}

/* One round; *done: there is nothing to divide or to check, or no solution. */
static enum status divide(struct accuracy *by, bool *done)
{
    struct discovery *at = by->at;
    const struct finish *best = &at->out->solution.best;
    struct arena mem = { NULL };
    struct phase_check *check;
    struct finish_task task = discovery_task(at, at->settings->stages, at->settings->elements);
    int *parts = choose_parts(by, &mem, &task.grid.n_end);
    const bool divides = task.grid.n_end > best->ph->n_element && task.grid.n_end <= DIVIDE_ELEMENTS;
    enum status st = STATUS_OK;
    task.loose = loose_enough(by);
    if (!divides)
        parts = one_part_each(best->ph, &mem, &task.grid.n_end);
    task.grid.end = mesh_split(best->ph, parts, &mem);
    task.grid.n_check = choose_checks(by, !divides, &check);
    *done = !divides && are_checked(best->ph, task.grid.n_check, check);
    mesh_move_checks(parts, task.grid.n_check, check);
    task.grid.check = check;
    if (!*done)
        st = solve_on_mesh(by, &task, done);
    free(check);
    arena_free(&mem);
    return st;
}

/* The best on its mesh to the end; without a solution what was before. True if it is another one than before. */
static bool tighten(struct accuracy *by, enum status *st)
{
    struct discovery *at = by->at;
    struct solution *out = &at->out->solution;
    struct finish_task task = discovery_task(at, at->settings->stages, at->settings->elements);
    struct finish fine;
    if (!by->kept.ph)
        return false;
    task.grid = out->best.ph->grid;
    *st = finish_again(&task, &out->best, patience(at), &fine, at->diag);
    discovery_note(at, &fine);
    finish_free(&out->best);
    out->best = fine.solved ? fine : by->kept;
    out->refined = out->refined || fine.solved;
    finish_free(fine.solved ? &by->kept : &fine);
    by->kept = (struct finish){ .objective = NAN };
    return fine.solved;
}

/* True if the best is another one than before. */
static bool divide_until_accurate(struct accuracy *by, enum status *st)
{
    bool done = false;
    solve_note(by->at->task, "elements divided where a replay differs from them");
    for (int k = 0; k < DIVIDE_ROUNDS && !done && *st == STATUS_OK && !discovery_must_stop(by->at); k++)
        *st = divide(by, &done);
    finish_free(&by->failed);
    return tighten(by, st);
}

/* --- Until the replay agrees ------------------------------------------------------------------------------ */

static void replay(const struct accuracy *by)
{
    struct discovery *at = by->at;
    struct solution *out = &at->out->solution;
    acceptance_replay(&(struct acceptance){ at->task, at->settings, at->start }, &out->best, by->off, out);
    if (*out->refusal)
        solve_note(at->task, out->refusal);
}

static double worst_interval(const struct accuracy *by)
{
    double worst = 0;
    for (int i = 0; i < by->at->task->model->time.n_intervals; i++)
        worst = fmax(worst, by->off[i]);
    return worst;
}

/* In units of what they may be off by, at least 1: the errors of the worst element of each
 * interval, [n_interval] in mem. */
static double *worst_elements(const struct accuracy *by, struct arena *mem)
{
    const struct phases *ph = by->at->out->solution.best.ph;
    const int n = by->at->task->model->time.n_intervals;
    double overall, *error = measure(by, mem, &overall), *worst = arena_alloc(mem, (size_t)n, sizeof *worst);
    for (int i = 0; i < n; i++)
        worst[i] = 1;
    for (int e = 0; e < ph->n_element; e++) {
        double *at = &worst[ph->piece[ph->piece_of[e]].interval];
        *at = isfinite(error[e]) ? fmax(*at, error[e]) : *at;
    }
    return worst;
}

/* What elements may be off by, after a replay: less than they were by as much as it was off by too much. */
static void demand_more(const struct accuracy *by)
{
    const double tol = by->at->settings->tol;
    const int n = by->at->task->model->time.n_intervals;
    struct arena mem = { NULL };
    const double *worst = worst_elements(by, &mem);
    bool any = false;
    for (int i = 0; i < n; i++)
        if (by->off[i] > tol) {
            by->tol[i] *= fmin(1, worst[i] * fmax(MOST_STRICTER, LOCAL_PART * tol / by->off[i]));
            by->wrong[i] = any = true;
        }
    for (int i = 0; i < n && !any; i++)
        by->tol[i] *= LOCAL_PART;
    arena_free(&mem);
}

/* Where dividing leads nowhere all elements are doubled, as then a neighbour may have a solution; but not to what
 * the first refinement has failed with. */
static bool improve_accuracy(struct accuracy *by, enum status *st)
{
    struct discovery *at = by->at;
    const struct solution *out = &at->out->solution;
    if (divide_until_accurate(by, st))
        return true;
    const int elements = 2 * out->best.ph->grid.elements;
    const bool has_failed = !out->refined && !out->again && elements <= at->settings->elements;
    if (*st == STATUS_OK && !has_failed && !discovery_must_stop(at))
        *st = refine(at, elements);
    return *st == STATUS_OK && out->best.ph->grid.elements == elements;
}

static bool is_hopeless(const struct accuracy *by)
{
    struct arena mem = { NULL };
    double worst;
    (void)measure(by, &mem, &worst);
    arena_free(&mem);
    return worst > HOPELESS;
}

static enum status check_and_replay(const struct accuracy *by)
{
    const enum status st = check_between(by->at);
    replay(by);
    return st;
}

/* Another mesh and its replay. False where elements are not the reason: single intervals are as far off as
 * before, or they are right, and the whole is as far off as before once again. */
static bool gains(struct accuracy *by, enum status *st)
{
    struct solution *out = &by->at->out->solution;
    const double tol = by->at->settings->tol, off = worst_interval(by), error = out->replay.judged;
    demand_more(by);
    if (!improve_accuracy(by, st))
        return false;
    *st = check_and_replay(by);
    if (off > tol)
        return worst_interval(by) <= REPLAY_FALLS * off;
    by->n_same = out->replay.judged > REPLAY_FALLS * error ? by->n_same + 1 : 0;
    return by->n_same < REPLAYS_SAME;
}

enum status discovery_reach_accuracy(struct discovery *at)
{
    struct accuracy by = { .at = at, .kept = { .objective = NAN }, .failed = { .objective = NAN },
                            .drop = at->elements > 1 ? DIVIDE_DROP : 0 };
    struct solution *out = &at->out->solution;
    const size_t n = (size_t)at->task->model->time.n_intervals;
    by.tol = arena_alloc(&by.mem, n, sizeof *by.tol);
    by.off = arena_alloc(&by.mem, n, sizeof *by.off);
    by.wrong = arena_alloc(&by.mem, n, sizeof *by.wrong);
    for (size_t i = 0; i < n; i++)
        by.tol[i] = LOCAL_PART * at->settings->tol;
    enum status st = STATUS_OK;
    const bool again = !at->task->once;
    const bool divided = again && at->elements > 1 && is_hopeless(&by) && divide_until_accurate(&by, &st);
    if (st == STATUS_OK && !divided && !out->again && !out->refined)
        st = refine(at, at->settings->elements);
    if (st == STATUS_OK && at->value && out->refined)
        st = discovery_drop_empty_runs(at, &out->best);
    if (st == STATUS_OK && !divided && again && is_hopeless(&by))
        (void)divide_until_accurate(&by, &st);
    if (st == STATUS_OK && again)
        st = check_and_replay(&by);
    bool goes_on = again;
    for (int k = 0; k < REFINE_ROUNDS && goes_on && st == STATUS_OK && *out->refusal && !discovery_must_stop(at);
         k++)
        goes_on = gains(&by, &st);
    arena_free(&by.mem);
    return st;
}
