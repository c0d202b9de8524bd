#include "core/stability/literal.h"

#include "core/base/mem.h"
#include "core/stability/precheck.h"
#include "core/stability/sos.h"
#include "core/stability/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FEASIBLE = 1e-5;        /* relative residual; the best that was seen is 1e-8 */

/* Coordinates of a state; a condition has variables of its own, of which these are polynomials. */
enum { X, GAP_1, GAP_2, X_RATE, RATE_1, RATE_2, N_STATE };

struct task {
    struct arena mem;
    const struct zod *zod;
    enum literal_kind kind;
    int degree, n_unknown;
    struct poly *basis;             /* [n_unknown] of V, in the coordinates of a state */
    struct sos_program *program;
};

struct state { struct poly of[N_STATE]; };

static struct poly zero(void)
{
    return (struct poly){ 0, NULL };
}

static struct state at_rest(void)
{
    struct state state;
    for (int k = 0; k < N_STATE; k++)
        state.of[k] = zero();
    return state;
}

static struct poly var(struct task *task, int k)
{
    return poly_variable(&task->mem, k);
}

static struct poly sum(struct task *task, double x, struct poly a, double y, struct poly b)
{
    return poly_combine(&task->mem, x, a, y, b);
}

/* 1 - sum of squares of the first n variables */
static struct poly ball(struct task *task, int n)
{
    struct poly out = poly_constant(&task->mem, 1);
    for (int k = 0; k < n; k++)
        out = sum(task, 1, out, -1, poly_multiply(&task->mem, var(task, k), var(task, k)));
    return out;
}

/* V, or its fixed part, as a polynomial of the condition's variables: k = 0 is the part without unknowns. */
static struct poly part(struct task *task, int k, const struct state *state)
{
    if (k == 0)
        return task->kind == LITERAL_PAPER ? state->of[X] : zero();
    return poly_substitute(&task->mem, task->basis[k - 1], state->of);
}

static struct poly part_derivative(struct task *task, int k, int by, const struct state *state)
{
    if (k == 0)
        return poly_constant(&task->mem, task->kind == LITERAL_PAPER && by == X);
    return poly_substitute(&task->mem, poly_derive(&task->mem, task->basis[k - 1], by), state->of);
}

static void require(struct task *task, int n_var, const struct poly *f, int n_g, struct poly *g)
{
    g[n_g] = ball(task, n_var);
    sos_require(task->program, n_var, task->degree, f, n_g + 1, g);
}

static struct poly *parts(struct task *task)
{
    return arena_alloc(&task->mem, (size_t)task->n_unknown + 1, sizeof(struct poly));
}

/* --- Modes: -dV/dt >= 0 -------------------------------------------------------------------------------------- */

/* rate of a coordinate: that of the state, or a constant acceleration. */
static void require_decrease(struct task *task, int n_var, const struct state *state, const double *a, int n_g,
                             struct poly *g)
{
    const struct zod *zod = task->zod;
    struct poly *f = parts(task);
    const double acc[3] = { dot3(zod->tau, a), dot3(zod->n[0], a), dot3(zod->n[1], a) };
    for (int k = 0; k <= task->n_unknown; k++) {
        f[k] = zero();
        for (int c = 0; c < 3; c++) {
            f[k] = sum(task, 1, f[k], -1, poly_multiply(&task->mem, part_derivative(task, k, c, state),
                                                        state->of[X_RATE + c]));
            f[k] = sum(task, 1, f[k], -acc[c], part_derivative(task, k, X_RATE + c, state));
        }
    }
    require(task, n_var, f, n_g, g);
}

/* Adds X as the last variable where V depends on it. */
static int with_X(struct task *task, struct state *state, int n_var)
{
    if (task->kind == LITERAL_PAPER)
        return n_var;
    state->of[X] = var(task, n_var);
    return n_var + 1;
}

/* Slip s at i: variables gap_j, its rate, X rate. */
static void require_slip(struct task *task, int i, int s)
{
    const struct zod *zod = task->zod;
    struct state state = at_rest();
    struct poly g[3];
    double a[3], lambda;
    if (!zod_slip(zod, i, s, a, &lambda))
        return;
    state.of[GAP_1 + 1 - i] = var(task, 0);
    state.of[RATE_1 + 1 - i] = var(task, 1);
    state.of[X_RATE] = var(task, 2);
    g[0] = var(task, 0);
    g[1] = sum(task, slip_sign(s) * dot3(zod->t[i], zod->dir), var(task, 2), 0, zero());
    require_decrease(task, with_X(task, &state, 3), &state, a, 2, g);
}

static void require_double(struct task *task, int s)
{
    struct state state = at_rest();
    struct poly g[2];
    double a[3], lambda[2];
    if (!zod_double(task->zod, s, a, lambda))
        return;
    state.of[X_RATE] = var(task, 0);
    g[0] = sum(task, slip_sign(s), var(task, 0), 0, zero());
    require_decrease(task, with_X(task, &state, 1), &state, a, 1, g);
}

/* Any state with gaps that are not negative: variables gaps and all rates. */
static struct state any_state(struct task *task, struct poly *g)
{
    struct state state = at_rest();
    for (int k = 0; k < 5; k++)
        state.of[GAP_1 + k] = var(task, k);
    g[0] = var(task, 0);
    g[1] = var(task, 1);
    return state;
}

static void require_flight(struct task *task)
{
    struct poly g[3];
    struct state state = any_state(task, g);
    require_decrease(task, with_X(task, &state, 5), &state, task->zod->body.g, 2, g);
}

/* --- Impacts: V(before) - V(after) >= 0; variables gap_j, p, sigma, rate of gap_j ---------------------------- */

/* Coordinates of the velocity whose parts along d_i, r_i, m_i are polynomials. */
static void set_velocity(struct task *task, struct state *state, const double *const basis[3],
                         const struct poly *along)
{
    const struct zod *zod = task->zod;
    const double *const row[3] = { zod->tau, zod->n[0], zod->n[1] };
    for (int c = 0; c < 3; c++) {
        state->of[X_RATE + c] = zero();
        for (int k = 0; k < 3; k++)
            state->of[X_RATE + c] = sum(task, 1, state->of[X_RATE + c], dot3(row[c], basis[k]), along[k]);
    }
}

/* M: the impact map; slip: t_i v before it; g: its cone, first part set. */
static void require_impact(struct task *task, int i, const double *M, struct poly slip, int n_g, struct poly *g)
{
    const struct zod *zod = task->zod;
    const double *const before[3] = { zod->d[i], zod->r[i], zod->m[i] };
    double image[3][3];
    struct poly *f = parts(task);
    const struct poly along[3] = { slip, var(task, 3), sum(task, -1, var(task, 1), 0, zero()) };
    struct state minus = at_rest();
    minus.of[GAP_1 + 1 - i] = var(task, 0);
    const int n_var = with_X(task, &minus, 4);
    struct state plus = minus;
    for (int k = 0; k < 3; k++)
        apply3(M, before[k], image[k]);
    const double *const after[3] = { image[0], image[1], image[2] };
    set_velocity(task, &minus, before, along);
    set_velocity(task, &plus, after, along);
    for (int k = 0; k <= task->n_unknown; k++)
        f[k] = sum(task, 1, part(task, k, &minus), -1, part(task, k, &plus));
    require(task, n_var, f, n_g, g);
}

static void require_impacts(struct task *task, int i)
{
    const struct zod *zod = task->zod;
    double M[9], slope[2];
    struct poly g[5] = { var(task, 0), var(task, 1) };
    for (int s = 0; s < 2; s++) {
        const double end = -(1 + zod->body.e[i]) * dot3(zod->t[i], zod->f[i][s]) / zod->den[i][s];
        zod_impact_slip(zod, i, s, M);
        g[2] = var(task, 2);
        require_impact(task, i, M, sum(task, slip_sign(s), var(task, 2), end, var(task, 1)), 3, g);
    }
    zod_impact_stick(zod, i, M);
    zod_stick_slopes(zod, i, slope);
    g[2] = sum(task, 1, var(task, 2), -slope[0], var(task, 1));
    g[3] = sum(task, -1, var(task, 2), slope[1], var(task, 1));
    require_impact(task, i, M, var(task, 2), 4, g);
}

/* --- Positivity ---------------------------------------------------------------------------------------------- */

/* V2 >= X + quartic (SOS (54)), or V >= squares of all coordinates. */
static void require_positive(struct task *task)
{
    struct poly g[3], *f = parts(task);
    struct state state = any_state(task, g);
    const int n_var = with_X(task, &state, 5), power = task->kind == LITERAL_PAPER ? 4 : 2;
    for (int k = 0; k <= task->n_unknown; k++)
        f[k] = k == 0 ? zero() : part(task, k, &state);
    for (int c = power == 4 ? 2 : 0; c < n_var; c++) {
        struct monomial m = { { 0 } };
        m.e[c] = (unsigned char)power;
        f[0] = sum(task, 1, f[0], -1, poly_monomial(&task->mem, m));
    }
    require(task, n_var, f, 2, g);
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

/* Monomials of V in the coordinates of a state: without X for the paper's, which adds X itself. */
static void set_basis(struct task *task)
{
    const bool paper = task->kind == LITERAL_PAPER;
    const int n_var = paper ? 5 : 6, high = paper ? 3 : 2;
    task->n_unknown = monomial_list(n_var, 1, high, NULL);
    struct monomial *list = arena_alloc(&task->mem, (size_t)task->n_unknown, sizeof *list);
    task->basis = arena_alloc(&task->mem, (size_t)task->n_unknown, sizeof *task->basis);
    monomial_list(n_var, 1, high, list);
    for (int q = 0; q < task->n_unknown; q++) {
        struct monomial m = { { 0 } };
        memcpy(m.e + (paper ? GAP_1 : X), list[q].e, (size_t)n_var);
        task->basis[q] = poly_monomial(&task->mem, m);
    }
}

/* Seen from the side where gs >= 0. */
static bool is_applicable(const struct body *body, enum literal_kind kind, struct zod *zod)
{
    static const char *const name[2] = { "", "" };
    struct verdict verdict;
    struct body side = *body;
    if (kind == LITERAL_PAPER && (body->e[0] > 0 || body->e[1] > 0))
        return false;
    if (zod_init(&side, zod) && zod->gs < 0)
        side = body_mirror(body);
    precheck(&side, name, &verdict);
    return zod_init(&side, zod) && verdict.outcome != CERTIFY_UNSTABLE && verdict.outcome != CERTIFY_NO_EQUILIBRIUM
           && strcmp(verdict.reason, "marginal") != 0 && strcmp(verdict.reason, "painleve") != 0;
}

void literal_solve(const struct body *body, enum literal_kind kind, int degree, struct literal_answer *out)
{
    struct zod zod;
    struct task task = { .zod = &zod, .kind = kind, .degree = degree };
    *out = (struct literal_answer){ .text = "unknown", .code = -1, .residual = NAN };
    if (!is_applicable(body, kind, &zod)) {
        out->text = "not-applicable";
        return;
    }
    set_basis(&task);
    task.program = sos_create(task.n_unknown);
    for (int i = 0; i < 2; i++) {
        for (int s = 0; s < 2; s++)
            require_slip(&task, i, s);
        require_impacts(&task, i);
    }
    require_double(&task, 0);
    require_double(&task, 1);
    if (kind == LITERAL_SINGLE)
        require_flight(&task);
    require_positive(&task);
    double *p = mem_alloc((size_t)task.n_unknown, sizeof *p);
    const struct sos_size size = sos_size_of(task.program);
    out->code = sos_solve(task.program, p, &out->residual);
    if (out->code == 1)
        out->text = "infeasible";
    else if (out->residual <= FEASIBLE)     /* whatever the code: these programs are never strictly feasible */
        out->text = "feasible";
    out->n_unknown = task.n_unknown;
    out->n_block = size.n_block;
    out->largest = size.largest;
    out->n_row = size.n_row;
    free(p);
    sos_free(task.program);
    arena_free(&task.mem);
}
