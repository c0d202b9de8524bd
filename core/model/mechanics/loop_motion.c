/* core/model/mechanics/loop_motion.c - what loops do to q' and v'
 *
 * With g(q) = 0, G = dg/dq N, the projection P = I - G'(G G')^-1 G, and b the part of v' across the loops,
 *
 *   q' = N (P v - a G+ g),   (P M P + m (I - P)) v' = P (f - M b) + m b,   b = -G+ ((G)' v + a G v),   G+ = G'(G
 * G')^-1
 *
 * which is M v' = f + G' lambda, G v' + (G)' v = -a G v without lambda: P takes the first along the loops, I - P
 * has the second. So (g)' = -a g and (G v)' = -a G v: what numerics open closes again. Forces and impulses of
 * contacts come in as P J (kinematics_gradient), and P M P (v+ - v-) = P J Lambda with G (v+ - v-) = 0 is an
 * impact with impulses of the loops [the KKT system of a constrained impact; Featherstone, Rigid Body Dynamics
 * Algorithms, 2008, 8.2 and 11.7, for the equations]. Everything that takes q', M, f and J from the model needs to
 * know no loop. M itself may be singular across the loops: rods without mass.
 *
 * m has the size of M's diagonal, which keeps the matrix as well-conditioned as M is; a is 20 over the horizon.
 */
#include "core/model/mechanics/loops.h"

#include "core/base/mem.h"
#include "core/model/kinematics.h"
#include "core/model/loops.h"
#include "core/model/mass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RETURN = 20; /* time constants of closing in a horizon */

struct kept {
    struct reader *r;
    int n, n_q;
    expr *G, *gap, *rate; /* [n * n_q] by rows, [n], [n] */
    expr *plus;           /* G+ [n_q * n] by columns */
};

static void find_plus(struct kept *at)
{
    struct expr_graph *g = at->r->g;
    const int n = at->n;
    expr *S = mem_alloc((size_t)(n * n), sizeof *S), *b = mem_alloc((size_t)n, sizeof *b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            S[i + j * n] = expr_dot(g, at->n_q, at->G + i * at->n_q, at->G + j * at->n_q);
    for (int i = 0; i < at->n_q; i++) {
        for (int k = 0; k < n; k++)
            b[k] = at->G[k * at->n_q + i];
        mass_solve(g, n, S, b);
        for (int k = 0; k < n; k++)
            at->plus[i + k * at->n_q] = b[k];
    }
    free(b);
    free(S);
}

/* G+ c. */
static void across(const struct kept *at, const expr *c, expr *out)
{
    for (int i = 0; i < at->n_q; i++) {
        out[i] = expr_const(at->r->g, 0);
        for (int k = 0; k < at->n; k++)
            out[i] = expr_add(at->r->g, out[i], expr_mul(at->r->g, at->plus[i + k * at->n_q], c[k]));
    }
}

static void make_projection(struct kept *at, expr *P)
{
    struct expr_graph *g = at->r->g;
    const int n_q = at->n_q;
    for (int j = 0; j < n_q; j++)
        for (int i = 0; i <= j; i++) {
            expr sum = expr_const(g, i == j);
            for (int k = 0; k < at->n; k++)
                sum = expr_sub(g, sum, expr_mul(g, at->plus[i + k * n_q], at->G[k * n_q + j]));
            P[i + j * n_q] = P[j + i * n_q] = sum;
        }
}

/* out = A b, A [n * n] by columns. */
static void apply(struct expr_graph *g, int n, const expr *A, const expr *b, expr *out)
{
    for (int i = 0; i < n; i++) {
        out[i] = expr_const(g, 0);
        for (int k = 0; k < n; k++)
            out[i] = expr_add(g, out[i], expr_mul(g, A[i + k * n], b[k]));
    }
}

/* out = A B, all of them by columns. */
static void product(struct expr_graph *g, int n, const expr *A, const expr *B, expr *out)
{
    for (int j = 0; j < n; j++)
        apply(g, n, A, B + j * n, out + j * n);
}

/* The mean of M's diagonal at the start. */
static double typical_mass(const struct model *m)
{
    double sum = 0;
    for (int i = 0; i < m->mechanics.n_q; i++)
        sum += model_value_at(m, m->mechanics.M[i * (m->mechanics.n_q + 1)], AT_START) / m->mechanics.n_q;
    return isfinite(sum) && sum > 0 ? sum : 1;
}

static double return_rate(const struct model *m)
{
    return m->time.horizon > 0 && isfinite(m->time.horizon) ? RETURN / m->time.horizon : RETURN;
}

static void hold_positions(struct kept *at)
{
    struct model *m = at->r->model;
    const int n_q = at->n_q, n_position = m->mechanics.n_position;
    expr *rate = mem_alloc((size_t)n_q, sizeof *rate), *back = mem_alloc((size_t)n_q, sizeof *back);
    const expr *v = reader_symbols(at->r, n_q, m->mechanics.v_index);
    expr *sym = mem_alloc((size_t)n_q, sizeof *sym);
    m->mechanics.loops.free_rate = arena_copy(at->r->mem, m->mechanics.q_rate, (size_t)n_position, sizeof(expr));
    apply(at->r->g, n_q, m->mechanics.loops.P, v, rate);
    across(at, at->gap, back);
    for (int i = 0; i < n_q; i++) {
        sym[i] = v[i];
        rate[i] = expr_sub(at->r->g, rate[i], expr_scale(at->r->g, return_rate(m), back[i]));
    }
    expr_substitute(at->r->g, n_position, m->mechanics.loops.free_rate, n_q, sym, rate, m->mechanics.q_rate);
    for (int i = 0; i < n_position; i++)
        m->dynamics.rhs[m->mechanics.q_index[i]] = m->mechanics.q_rate[i];
    free(sym);
    free(back);
    free(rate);
}

/* b: the part of v' across the loops. */
static void find_bias(struct kept *at, expr *b)
{
    const struct model *m = at->r->model;
    expr *c = mem_alloc((size_t)at->n, sizeof *c);
    for (int k = 0; k < at->n; k++)
        c[k] = expr_neg(at->r->g, expr_add(at->r->g, kinematics_rate(m, at->rate[k]),
                                           expr_scale(at->r->g, return_rate(m), at->rate[k])));
    across(at, c, b);
    free(c);
}

static void hold_velocities(struct kept *at)
{
    struct model *m = at->r->model;
    struct expr_graph *g = at->r->g;
    const int n_q = at->n_q;
    const size_t n_entry = (size_t)(n_q * n_q);
    const expr *P = m->mechanics.loops.P;
    const double mass = typical_mass(m);
    m->mechanics.loops.free_M = arena_copy(at->r->mem, m->mechanics.M, n_entry, sizeof(expr));
    m->mechanics.loops.free_f = arena_copy(at->r->mem, m->mechanics.f_v, (size_t)n_q, sizeof(expr));
    expr *PM = mem_alloc(n_entry, sizeof *PM), *b = mem_alloc((size_t)n_q, sizeof *b),
         *f = mem_alloc((size_t)n_q, sizeof *f);
    find_bias(at, b);
    apply(g, n_q, m->mechanics.M, b, f);
    for (int i = 0; i < n_q; i++)
        f[i] = expr_sub(g, m->mechanics.f_v[i], f[i]);
    apply(g, n_q, P, f, m->mechanics.f_v);
    for (int i = 0; i < n_q; i++)
        m->mechanics.f_v[i] = expr_add(g, m->mechanics.f_v[i], expr_scale(g, mass, b[i]));
    product(g, n_q, P, m->mechanics.M, PM);
    product(g, n_q, PM, P, m->mechanics.M);
    for (int j = 0; j < n_q; j++)
        for (int i = 0; i <= j; i++) {
            const expr rest = expr_sub(g, expr_const(g, i == j), P[i + j * n_q]);
            m->mechanics.M[i + j * n_q] = m->mechanics.M[j + i * n_q] =
                expr_add(g, m->mechanics.M[i + j * n_q], expr_scale(g, mass, rest));
        }
    free(f);
    free(b);
    free(PM);
}

void loop_hold_motion(struct reader *r)
{
    struct model *m = r->model;
    struct model_loops *loops = &m->mechanics.loops;
    struct kept at = { .r = r, .n_q = m->mechanics.n_q };
    if (loops->n_kept == 0 || !m->mechanics.coordinates_known)
        return;
    at.G = mem_alloc((size_t)(loops->n_kept * at.n_q), sizeof *at.G);
    at.gap = mem_alloc((size_t)loops->n_kept, sizeof *at.gap);
    at.rate = mem_alloc((size_t)loops->n_kept, sizeof *at.rate);
    at.plus = loops->plus = arena_alloc(r->mem, (size_t)(loops->n_kept * at.n_q), sizeof *at.plus);
    for (int k = 0; k < loops->n; k++)
        if (!loops->follows[k]) {
            memcpy(at.G + at.n * at.n_q, loops->G + k * at.n_q, (size_t)at.n_q * sizeof *at.G);
            at.gap[at.n] = loops->gap[k];
            at.rate[at.n++] = loops_rate(m, r->g, k);
        }
    find_plus(&at);
    expr *P = arena_alloc(r->mem, (size_t)(at.n_q * at.n_q), sizeof *P);
    make_projection(&at, P);
    loops->P = P;
    hold_positions(&at);
    hold_velocities(&at);
    loops_compile(m);
    free(at.rate);
    free(at.gap);
    free(at.G);
}
