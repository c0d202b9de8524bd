#include "core/model/multibody.h"

#include "core/base/mem.h"
#include "core/model/rotation.h"

#include <stdlib.h>
#include <string.h>

/* --- Vectors and matrices ------------------------------------------------------------------------------------ */

static void set_zero(struct expr_graph *g, int n, expr *out)
{
    for (int i = 0; i < n; i++)
        out[i] = expr_const(g, 0);
}

/* out += a */
static void add(struct expr_graph *g, const expr *a, expr *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = expr_add(g, out[i], a[i]);
}

/* out += c a */
static void add_times(struct expr_graph *g, expr c, const expr *a, expr *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = expr_add(g, out[i], expr_mul(g, c, a[i]));
}

/* out += a x b */
static void add_cross(struct expr_graph *g, const expr *a, const expr *b, expr *out)
{
    expr c[3];
    rotation_cross(g, a, b, c);
    add(g, c, out);
}

void multibody_product(struct expr_graph *g, const expr *A, const expr *B, expr *out)
{
    expr C[9];
    for (int j = 0; j < 3; j++)
        rotation_apply(g, A, B + 3 * j, C + 3 * j);
    memcpy(out, C, sizeof C);
}

void multibody_turn(struct expr_graph *g, const expr *R, const expr *A, expr *out)
{
    expr RA[9];
    multibody_product(g, R, A, RA);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            const expr row[] = { RA[i], RA[i + 3], RA[i + 6] }, other[] = { R[j], R[j + 3], R[j + 6] };
            out[i + 3 * j] = out[j + 3 * i] = expr_dot(g, 3, row, other);
        }
}

/* I += m (a'a E - a a') + 2 a'b E - a b' - b a': with b = 0 the inertia of a point mass m at a. */
static void add_shift(struct expr_graph *g, expr m, const expr *a, const expr *b, expr *I)
{
    const expr trace = expr_add(g, expr_mul(g, m, expr_dot(g, 3, a, a)), expr_scale(g, 2, expr_dot(g, 3, a, b)));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            const expr mixed = expr_add(g, expr_mul(g, a[i], b[j]), expr_mul(g, b[i], a[j]));
            const expr out = expr_add(g, expr_mul(g, m, expr_mul(g, a[i], a[j])), mixed);
            const expr sum = expr_sub(g, I[i + 3 * j], out);
            I[i + 3 * j] = I[j + 3 * i] = i == j ? expr_add(g, sum, trace) : sum;
        }
}

void multibody_add_mass(struct expr_graph *g, struct link *link, expr m, const expr *c, const expr *I)
{
    expr zero[3];
    set_zero(g, 3, zero);
    link->m = expr_add(g, link->m, m);
    add_times(g, m, c, link->h);
    for (int i = 0; i < 9; i++)
        link->I[i] = expr_add(g, link->I[i], I[i]);
    add_shift(g, m, c, zero, link->I);
}

/* --- Composite rigid bodies ---------------------------------------------------------------------------------- */

/* The link with all that hangs on it becomes a part of its parent. */
static void join(struct expr_graph *g, const struct link *link, struct link *parent)
{
    expr h[3], I[9];
    rotation_apply(g, link->R, link->h, h);
    multibody_turn(g, link->R, link->I, I);
    add_shift(g, link->m, link->r, h, I);
    for (int i = 0; i < 9; i++)
        parent->I[i] = expr_add(g, parent->I[i], I[i]);
    parent->m = expr_add(g, parent->m, link->m);
    add(g, h, parent->h);
    add_times(g, link->m, link->r, parent->h);
}

/* Force F and moment N at the origin of a link become those at the origin of its parent, along its axes. */
static void carry(struct expr_graph *g, const struct link *link, expr *F, expr *N)
{
    expr force[3], moment[3];
    rotation_apply(g, link->R, F, force);
    rotation_apply(g, link->R, N, moment);
    add_cross(g, link->r, force, moment);
    memcpy(F, force, sizeof force);
    memcpy(N, moment, sizeof moment);
}

/* The part of F and N that acts along a freedom of the link. */
static expr along(struct expr_graph *g, const struct link *link, const struct freedom *freedom, const expr *F, const expr *N)
{
    expr force[3];
    rotation_apply(g, link->R, F, force);
    return expr_add(g, expr_dot(g, 3, freedom->slide, force), expr_dot(g, 3, freedom->spin, N));
}

/* What it takes to accelerate freedom k, and nothing else, along all those between it and the world. */
static void fill_column(struct expr_graph *g, const struct multibody *tree, const struct link *composite, int i, int k,
                        expr *M)
{
    const struct freedom *freedom = &tree->freedom[k];
    expr a[3], F[3], N[3];
    rotation_undo(g, composite[i].R, freedom->slide, a);
    for (int l = 0; l < 3; l++)
        F[l] = expr_mul(g, composite[i].m, a[l]);
    add_cross(g, freedom->spin, composite[i].h, F);
    rotation_apply(g, composite[i].I, freedom->spin, N);
    add_cross(g, composite[i].h, a, N);
    for (int at = i; at >= 0; at = tree->link[at].parent) {
        for (int l = tree->link[at].first; l < tree->link[at].first + tree->link[at].n; l++)
            M[k + l * tree->n_freedom] = M[l + k * tree->n_freedom] = along(g, &tree->link[at], &tree->freedom[l], F, N);
        carry(g, &tree->link[at], F, N);
    }
}

void multibody_mass(struct expr_graph *g, const struct multibody *tree, expr *M)
{
    struct link *composite = mem_alloc((size_t)tree->n_link, sizeof *composite);
    memcpy(composite, tree->link, (size_t)tree->n_link * sizeof *composite);
    set_zero(g, tree->n_freedom * tree->n_freedom, M);
    for (int i = tree->n_link - 1; i >= 0; i--) {
        for (int k = composite[i].first; k < composite[i].first + composite[i].n; k++)
            fill_column(g, tree, composite, i, k, M);
        if (composite[i].parent >= 0)
            join(g, &composite[i], &composite[composite[i].parent]);
    }
    free(composite);
}

/* --- Newton and Euler ---------------------------------------------------------------------------------------- */

struct motion { expr w[3], w_rate[3], a[3], F[3], N[3]; };

/* Where no velocity changes; of its parent: p. */
static void move(struct expr_graph *g, const struct multibody *tree, int i, const struct motion *p, struct motion *out)
{
    const struct link *link = &tree->link[i];
    expr spin[3], slide[3], a[3], turn[3];
    set_zero(g, 3, spin);
    set_zero(g, 3, slide);
    for (int k = link->first; k < link->first + link->n; k++) {
        add_times(g, tree->freedom[k].v, tree->freedom[k].spin, spin);
        add_times(g, tree->freedom[k].v, tree->freedom[k].slide, slide);
    }
    rotation_undo(g, link->R, p->w, out->w);
    rotation_undo(g, link->R, p->w_rate, out->w_rate);
    add_cross(g, out->w, spin, out->w_rate);
    add(g, spin, out->w);
    memcpy(a, p->a, sizeof a);
    add_cross(g, p->w_rate, link->r, a);
    rotation_cross(g, p->w, link->r, turn);
    for (int l = 0; l < 3; l++)
        turn[l] = expr_add(g, turn[l], expr_scale(g, 2, slide[l]));
    add_cross(g, p->w, turn, a);
    rotation_undo(g, link->R, a, out->a);
}

/* What moves it. */
static void load(struct expr_graph *g, const struct link *link, struct motion *at)
{
    expr turn[3], Iw[3];
    for (int l = 0; l < 3; l++)
        at->F[l] = expr_mul(g, link->m, at->a[l]);
    add_cross(g, at->w_rate, link->h, at->F);
    rotation_cross(g, at->w, link->h, turn);
    add_cross(g, at->w, turn, at->F);
    rotation_apply(g, link->I, at->w_rate, at->N);
    rotation_apply(g, link->I, at->w, Iw);
    add_cross(g, at->w, Iw, at->N);
    add_cross(g, link->h, at->a, at->N);
}

void multibody_bias(struct expr_graph *g, const struct multibody *tree, const expr *gravity, expr *bias)
{
    struct motion *at = mem_alloc((size_t)tree->n_link, sizeof *at), world;
    set_zero(g, 3, world.w);
    set_zero(g, 3, world.w_rate);
    for (int l = 0; l < 3; l++)
        world.a[l] = expr_neg(g, gravity[l]);
    for (int i = 0; i < tree->n_link; i++) {
        move(g, tree, i, tree->link[i].parent >= 0 ? &at[tree->link[i].parent] : &world, &at[i]);
        load(g, &tree->link[i], &at[i]);
    }
    for (int i = tree->n_link - 1; i >= 0; i--) {
        const struct link *link = &tree->link[i];
        for (int k = link->first; k < link->first + link->n; k++)
            bias[k] = along(g, link, &tree->freedom[k], at[i].F, at[i].N);
        if (link->parent < 0)
            continue;
        carry(g, link, at[i].F, at[i].N);
        add(g, at[i].F, at[link->parent].F);
        add(g, at[i].N, at[link->parent].N);
    }
    free(at);
}
