/* core/model/mechanics/loop_ends.c - loops are closed where a motion begins and ends
 *
 * Initial values: first those move that the spec does not give, then all of them a little. Final values that loops
 * and other final values imply are left out. Rank is what says which conditions repeat each other: at the start,
 * and at places around it where the loops are closed, too.
 */
#include "core/model/mechanics/loops.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/model/loops.h"
#include "core/model/quaternions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double OPEN_TOL = 1e-10; /* of gaps and their rates: closed */
static const double FARTHEST = 0.1;   /* that values of the spec move, relative to them, absolute below 1 */
static const double SAID = 1e-6;      /* changes below it are digits that somebody left out */
static const double NEARBY = 0.05;    /* of places around the start, rad or m */
enum { PLACES = 4 };

enum kind { POSITIONS, VELOCITIES };

struct closing {
    struct reader *r;
    struct model *m;
    const struct model_loops *loops;
    double *x, *before; /* [n_x] */
    double *value;      /* loops_eval */
    bool *moves;        /* [n_x] */
    bool is_final;
};

static int count_of(const struct closing *at, enum kind kind)
{
    return kind == POSITIONS ? at->m->mechanics.n_position : at->m->mechanics.n_q;
}

static int state_of(const struct closing *at, enum kind kind, int i)
{
    return kind == POSITIONS ? at->m->mechanics.q_index[i] : at->m->mechanics.v_index[i];
}

static struct model_end *end_of(const struct closing *at, int state)
{
    return at->is_final ? &at->m->x[state].final : &at->m->x[state].initial;
}

/* By the spec, not by a joint that starts somewhere. */
static bool is_given(const struct closing *at, int state)
{
    const struct model_end *end = end_of(at, state);
    return end->kind == END_FIXED && end->pos.line > 0;
}

static double close_kind(const struct closing *at, enum kind kind, const bool *moves)
{
    return kind == POSITIONS ? loops_close_positions(at->m, moves, at->x)
                             : loops_close_velocities(at->m, moves, at->x);
}

/* --- Moving values ---------------------------------------------------------------------------------------------
 */

static bool moves_too_far(const struct closing *at, enum kind kind)
{
    bool too_far = false;
    for (int i = 0; i < count_of(at, kind); i++) {
        const int k = state_of(at, kind, i);
        too_far = too_far
                  || (is_given(at, k) && fabs(at->x[k] - at->before[k]) > FARTHEST * fmax(1, fabs(at->before[k])));
    }
    return too_far;
}

/* The loop that is most open at the values of the spec, and by how much. */
static const struct model_loop *most_open(struct closing *at, enum kind kind, double *open)
{
    const int n = at->loops->n;
    const struct model_loop *most = &at->loops->loop[0];
    *open = -1;
    loops_eval(at->m, at->before, at->value);
    for (int l = 0; l < at->loops->n_loop; l++) {
        double sum = 0;
        for (int k = at->loops->loop[l].first; k < at->loops->loop[l].first + at->loops->loop[l].n; k++) {
            double one = kind == POSITIONS ? at->value[k] : 0;
            for (int i = 0; i < at->m->mechanics.n_q && kind == VELOCITIES; i++)
                one += at->value[n * (1 + at->m->mechanics.n_position) + k + i * n]
                       * at->before[at->m->mechanics.v_index[i]];
            sum = hypot(sum, one);
        }
        if (sum > *open) {
            most = &at->loops->loop[l];
            *open = sum;
        }
    }
    return most;
}

static struct srcpos first_given(const struct closing *at, enum kind kind, struct srcpos otherwise)
{
    for (int i = 0; i < count_of(at, kind); i++)
        if (is_given(at, state_of(at, kind, i)))
            return end_of(at, state_of(at, kind, i))->pos;
    return otherwise;
}

static void refuse_open(struct closing *at, enum kind kind, bool closes_elsewhere)
{
    double open;
    const struct model_loop *loop = most_open(at, kind, &open);
    diag_error(at->r->diag, at->is_final ? first_given(at, kind, loop->pos) : loop->pos, loop->path,
               "%s at the %s values: %s and %s %s by %.3g%s",
               closes_elsewhere ? "is not closed" : "cannot be closed", at->is_final ? "final" : "initial",
               loop->end[0], loop->end[1], kind == POSITIONS ? "are apart" : "move apart", open,
               closes_elsewhere ? "; give fewer values, the others follow" : "");
}

/* Says once which values have moved. */
static void say(struct closing *at, enum kind kind)
{
    const char *text = NULL;
    for (int i = 0; i < count_of(at, kind); i++) {
        const int k = state_of(at, kind, i);
        if (end_of(at, k)->kind == END_FIXED && fabs(at->x[k] - at->before[k]) > SAID)
            text = arena_printf(at->r->mem, "%s%s%s %.6g", text ? text : "", text ? ", " : "", at->m->x[k].name,
                                at->x[k]);
    }
    if (text)
        diag_add(at->r->diag, DIAG_NOTE, STATUS_OK, at->loops->loop[0].pos, "loops", "closed at the %s: %s",
                 at->is_final ? "end" : "start", text);
}

/* Moves values onto the loops; false (reported): these are not closed there. */
static bool move_values(struct closing *at, enum kind kind)
{
    memcpy(at->before, at->x, (size_t)at->m->n_x * sizeof *at->x);
    for (int k = 0; k < at->m->n_x; k++)
        at->moves[k] = !is_given(at, k);
    if (close_kind(at, kind, at->moves) > OPEN_TOL) {
        const double left = close_kind(at, kind, NULL);
        const bool closes = left <= OPEN_TOL;
        if (!closes || moves_too_far(at, kind)) {
            refuse_open(at, kind, closes);
            return false;
        }
    }
    say(at, kind);
    return true;
}

static void check_bounds(const struct closing *at, int k)
{
    const struct model_var *x = &at->m->x[k];
    const double tol = 1e-9 * fmax(1, fabs(at->x[k]));
    if (at->x[k] < x->lb - tol || at->x[k] > x->ub + tol)
        diag_error(at->r->diag, at->loops->loop[0].pos, "loops",
                   "%s would start at %.6g where they are closed, outside of "
                   "its bounds [%.6g, %.6g]; give initial values from which they close within",
                   x->name, at->x[k], x->lb, x->ub);
}

/* What is fixed takes the values that were found, and guesses begin there. */
static void take_values(struct closing *at, enum kind kind)
{
    for (int i = 0; i < count_of(at, kind); i++) {
        const int k = state_of(at, kind, i);
        struct model_var *x = &at->m->x[k];
        if (x->initial.kind == END_FIXED) {
            x->initial.lo = x->initial.hi = at->x[k];
            check_bounds(at, k);
        } else if (isnan(x->guess)) {
            x->guess = at->x[k];
        }
    }
}

/* --- Rank ------------------------------------------------------------------------------------------------------
 */

static const double *slope_of(const struct closing *at, enum kind kind)
{
    return at->value + at->loops->n * (kind == POSITIONS ? 1 : 1 + at->m->mechanics.n_position);
}

/* Conditions that keep their own at a place around the start: as many as there are at most places. */
static void find_kept(struct closing *at)
{
    struct model_loops *loops = &at->m->mechanics.loops;
    bool *keeps = mem_alloc((size_t)loops->n, sizeof *keeps);
    double *start = mem_alloc((size_t)at->m->n_x, sizeof *start);
    uint64_t counter = 1;
    int n_start = 0;
    memcpy(start, at->x, (size_t)at->m->n_x * sizeof *start);
    for (int place = 0; place < PLACES; place++) {
        memcpy(at->x, start, (size_t)at->m->n_x * sizeof *start);
        for (int i = 0; i < at->m->mechanics.n_position && place > 0; i++)
            at->x[at->m->mechanics.q_index[i]] += NEARBY * random_signed(random_next(&counter));
        quaternions_normalize(at->m, at->x);
        if (loops_close_positions(at->m, NULL, at->x) > OPEN_TOL)
            continue;
        loops_eval(at->m, at->x, at->value);
        const int n = loops_independent(loops->n, at->m->mechanics.n_q, slope_of(at, VELOCITIES), keeps);
        n_start = place == 0 ? n : n_start;
        if (n > loops->n_kept) {
            loops->n_kept = n;
            for (int k = 0; k < loops->n; k++)
                loops->follows[k] = !keeps[k];
        }
    }
    memcpy(at->x, start, (size_t)at->m->n_x * sizeof *start);
    if (n_start < loops->n_kept)
        diag_error(at->r->diag, loops->loop[0].pos, "loops",
                   "the start is singular: %d of %d conditions repeat others "
                   "there, and nothing says which way it goes on; start beside it",
                   loops->n_kept - n_start, loops->n_kept);
    if (loops->n_kept == 0)
        diag_error(at->r->diag, loops->loop[0].pos, loops->loop[0].path,
                   "%s and %s are together however the bodies move", loops->loop[0].end[0], loops->loop[0].end[1]);
    if (n_start < loops->n_kept)
        loops->n_kept = 0;
    free(start);
    free(keeps);
}

/* --- Final values ----------------------------------------------------------------------------------------------
 */

/* Of n conditions and the final values of a kind, which come after them: those that repeat the others are free. */
static void free_implied(struct closing *at, enum kind kind)
{
    const int n = at->loops->n, n_columns = count_of(at, kind), n_rows = n + n_columns;
    double *A = mem_alloc((size_t)(n_rows * n_columns), sizeof *A);
    bool *keeps = mem_alloc((size_t)n_rows, sizeof *keeps);
    const char *freed = NULL;
    loops_eval(at->m, at->x, at->value);
    const double *slope = slope_of(at, kind);
    for (int j = 0; j < n_columns; j++) {
        for (int k = 0; k < n; k++)
            A[k + j * n_rows] = at->loops->follows[k] ? 0 : slope[k + j * n];
        A[n + j + j * n_rows] = end_of(at, state_of(at, kind, j))->kind == END_FIXED;
    }
    (void)loops_independent(n_rows, n_columns, A, keeps);
    for (int j = 0; j < n_columns; j++) {
        const int k = state_of(at, kind, j);
        if (end_of(at, k)->kind != END_FIXED || keeps[n + j])
            continue;
        end_of(at, k)->kind = END_FREE;
        freed = arena_printf(at->r->mem, "%s%s%s", freed ? freed : "", freed ? ", " : "", at->m->x[k].name);
    }
    if (freed)
        diag_add(at->r->diag, DIAG_NOTE, STATUS_OK, at->loops->loop[0].pos, "loops",
                 "imply the final values of %s, which are left out", freed);
    free(keeps);
    free(A);
}

static void close_final(struct closing *at, enum kind kind)
{
    bool any = false;
    for (int i = 0; i < count_of(at, kind); i++) {
        const int k = state_of(at, kind, i);
        any = any || end_of(at, k)->kind == END_FIXED;
        if (end_of(at, k)->kind == END_FIXED)
            at->x[k] = end_of(at, k)->lo;
    }
    if (!any || !move_values(at, kind))
        return;
    for (int i = 0; i < count_of(at, kind); i++) {
        struct model_end *end = end_of(at, state_of(at, kind, i));
        if (end->kind == END_FIXED)
            end->lo = end->hi = at->x[state_of(at, kind, i)];
    }
    free_implied(at, kind);
}

/* --- The start where it is not given ---------------------------------------------------------------------------
 */

/* Does state i of a kind move a loop, where these are closed? */
static bool moves_loops(const struct closing *at, enum kind kind, int i)
{
    const double *slope = slope_of(at, kind);
    bool moves = false;
    for (int k = 0; k < at->loops->n; k++)
        moves = moves || fabs(slope[k + i * at->loops->n]) > OPEN_TOL;
    return moves;
}

/* Does the spec leave a state of a kind that moves loops to `solve`? */
static bool is_left(const struct closing *at, enum kind kind)
{
    bool left = false;
    for (int i = 0; i < count_of(at, kind); i++)
        left = left || (at->m->x[state_of(at, kind, i)].initial.kind != END_FIXED && moves_loops(at, kind, i));
    return left;
}

static bool is_optimized(const struct closing *at)
{
    bool is = false;
    for (int k = 0; k < at->loops->n; k++)
        is = is || expr_depends(at->m->graph, at->loops->gap[k], at->m->n_p, at->m->p_sym);
    return is;
}

static bool is_at_rest(const struct closing *at)
{
    bool at_rest = true;
    for (int i = 0; i < at->m->mechanics.n_q; i++)
        at_rest = at_rest && (at->x[at->m->mechanics.v_index[i]] == 0 || !moves_loops(at, VELOCITIES, i));
    return at_rest;
}

/* What the spec does not say is found by `solve`. */
static void leave_open(struct closing *at, enum kind kind)
{
    for (int i = 0; i < count_of(at, kind); i++) {
        struct model_var *x = &at->m->x[state_of(at, kind, i)];
        if (x->initial.kind == END_FIXED && x->initial.pos.line == 0 && moves_loops(at, kind, i)) {
            x->guess = x->initial.lo;
            x->initial.kind = END_FREE;
        }
    }
}

/* Where lengths are optimized, or the spec leaves a state of a loop to `solve`, no numbers close it. At rest all
 * loops stay closed, wherever they are. */
static void leave_to_solve(struct closing *at)
{
    loops_eval(at->m, at->x, at->value);
    const bool positions = is_optimized(at) || is_left(at, POSITIONS);
    const bool velocities = is_left(at, VELOCITIES) || (positions && !is_at_rest(at));
    if (positions)
        leave_open(at, POSITIONS);
    if (velocities)
        leave_open(at, VELOCITIES);
}

void loop_close_ends(struct reader *r)
{
    struct model *m = r->model;
    struct closing at = { .r = r, .m = m, .loops = &m->mechanics.loops };
    const size_t n_x = (size_t)m->n_x;
    at.x = mem_alloc(n_x, sizeof *at.x);
    at.before = mem_alloc(n_x, sizeof *at.before);
    at.moves = mem_alloc(n_x, sizeof *at.moves);
    at.value =
        mem_alloc((size_t)(at.loops->n * (1 + m->mechanics.n_position + m->mechanics.n_q)), sizeof *at.value);
    for (int k = 0; k < m->n_x; k++)
        at.x[k] = m->x[k].initial.kind == END_FIXED ? m->x[k].initial.lo : model_var_guess(&m->x[k]);
    if (move_values(&at, POSITIONS)) {
        take_values(&at, POSITIONS);
        find_kept(&at);
        if (move_values(&at, VELOCITIES))
            take_values(&at, VELOCITIES);
        if (r->need != MODEL_FOR_SIMULATE)
            leave_to_solve(&at);
        at.is_final = true;
        close_final(&at, POSITIONS);
        close_final(&at, VELOCITIES);
    }
    free(at.value);
    free(at.moves);
    free(at.before);
    free(at.x);
}

/* Adds the rows of a kind to the constraints at the start: those that what is not fixed there can meet. */
static void add_start(struct reader *r, const struct closing *at, enum kind kind)
{
    struct model *m = r->model;
    const struct model_loops *loops = at->loops;
    const int n = loops->n, n_columns = count_of(at, kind);
    double *A = mem_alloc((size_t)(n * n_columns), sizeof *A);
    bool *keeps = mem_alloc((size_t)n, sizeof *keeps);
    const double *slope = slope_of(at, kind);
    for (int j = 0; j < n_columns; j++)
        for (int k = 0; k < n; k++)
            A[k + j * n] =
                loops->follows[k] || m->x[state_of(at, kind, j)].initial.kind == END_FIXED ? 0 : slope[k + j * n];
    (void)loops_independent(n, n_columns, A, keeps);
    for (int l = 0; l < loops->n_loop; l++)
        for (int k = loops->loop[l].first; k < loops->loop[l].first + loops->loop[l].n; k++) {
            const expr e = kind == POSITIONS ? loops->gap[k] : loops_rate(m, r->g, k);
            if (keeps[k])
                m->constraints.constraint[m->constraints.n_constraint++] =
                    (struct model_constraint){ .name = arena_printf(r->mem, "%s_%s", loops->loop[l].name,
                                                                    kind == POSITIONS ? "closed" : "stays_closed"),
                                               .path = loops->loop[l].path,
                                               .pos = loops->loop[l].pos,
                                               .e = e,
                                               .at = AT_INITIAL };
        }
    free(keeps);
    free(A);
}

void loop_add_start(struct reader *r)
{
    struct model *m = r->model;
    struct closing at = { .r = r, .m = m, .loops = &m->mechanics.loops };
    if (!m->mechanics.loops.P)
        return;
    at.x = mem_alloc((size_t)m->n_x, sizeof *at.x);
    at.value =
        mem_alloc((size_t)(at.loops->n * (1 + m->mechanics.n_position + m->mechanics.n_q)), sizeof *at.value);
    for (int k = 0; k < m->n_x; k++)
        at.x[k] = m->x[k].initial.kind == END_FIXED ? m->x[k].initial.lo : model_var_guess(&m->x[k]);
    loops_eval(m, at.x, at.value);
    add_start(r, &at, POSITIONS);
    add_start(r, &at, VELOCITIES);
    free(at.value);
    free(at.x);
}
