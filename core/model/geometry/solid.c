#include "core/model/geometry/solid.h"

#include <string.h>

/* --- Vectors ------------------------------------------------------------------------------------------------- */

static void difference(struct expr_graph *g, const expr *a, const expr *b, expr *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = expr_sub(g, a[i], b[i]);
}

/* a + c b */
static void along(struct expr_graph *g, const expr *a, expr c, const expr *b, expr *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = expr_add(g, a[i], expr_mul(g, c, b[i]));
}

static void to_world(struct expr_graph *g, const struct solid *s, const expr *local, expr *out)
{
    memcpy(out, s->at, sizeof s->at);
    for (int k = 0; k < 3; k++)
        along(g, out, local[k], s->R + 3 * k, out);
}

/* |a|, without a slope where it is all but 0. */
static expr length(struct expr_graph *g, const expr *a)
{
    const expr square = expr_dot(g, 3, a, a), least = expr_const(g, 1e-20);
    return expr_sqrt(g, expr_pick(g, expr_side(g, expr_sub(g, square, least)), square, least));
}

static expr larger(struct expr_graph *g, expr a, expr b)
{
    return expr_pick(g, expr_side(g, expr_sub(g, a, b)), a, b);
}

/* x, kept within -half and half. */
static expr clip(struct expr_graph *g, expr x, expr half)
{
    const expr least = expr_neg(g, half);
    if (expr_is_zero(g, half))
        return half;
    return expr_pick(g, expr_side(g, expr_add(g, x, half)),
                     expr_pick(g, expr_side(g, expr_sub(g, half, x)), x, half), least);
}

/* --- Places that are next to each other ---------------------------------------------------------------------- */

/* Of p on the core of a and c on that of b. */
static struct solid_gap between(struct expr_graph *g, const struct solid *a, const struct solid *b, const expr *p,
                                const expr *c)
{
    struct solid_gap out;
    expr d[3];
    difference(g, p, c, d);
    const expr far = length(g, d);
    for (int i = 0; i < 3; i++)
        out.n[i] = expr_div(g, d[i], far);
    along(g, c, b->radius, out.n, out.place);
    out.gap = expr_sub(g, far, expr_add(g, a->radius, b->radius));
    return out;
}

static void place_in(struct expr_graph *g, const struct solid *s, const expr *p, expr *local)
{
    expr d[3];
    difference(g, p, s->at, d);
    for (int k = 0; k < 3; k++)
        local[k] = expr_dot(g, 3, s->R + 3 * k, d);
}

/* The place of a segment or a rectangle that is nearest to p. */
static void nearest(struct expr_graph *g, const struct solid *s, const expr *p, expr *out)
{
    expr local[3];
    place_in(g, s, p, local);
    for (int k = 0; k < 3; k++)
        local[k] = clip(g, local[k], s->half[k]);
    to_world(g, s, local, out);
}

/* On a plane, from a place p with a radius around it. */
static struct solid_gap above(struct expr_graph *g, const expr *p, expr radius, const struct solid *plane)
{
    struct solid_gap out;
    expr local[3];
    place_in(g, plane, p, local);
    out.gap = expr_sub(g, local[2], radius);
    memcpy(out.n, plane->R + 6, sizeof out.n);
    along(g, p, expr_neg(g, local[2]), out.n, out.place);
    return out;
}

/* A sphere and a box: the nearest place of the box where the middle is outside, else that of the face that is
 * least deep. */
static struct solid_gap on_box(struct expr_graph *g, const struct solid *sphere, const struct solid *box)
{
    const expr zero = expr_const(g, 0), one = expr_const(g, 1);
    expr local[3], depth[3], sign[3], out_of[3], to_face[3];
    struct solid_gap out;
    place_in(g, box, sphere->at, local);
    for (int k = 0; k < 3; k++) {
        sign[k] = expr_pick(g, expr_side(g, local[k]), one, expr_const(g, -1));
        depth[k] = expr_sub(g, expr_mul(g, sign[k], local[k]), box->half[k]);
        out_of[k] = larger(g, depth[k], zero);
    }
    const expr least = larger(g, depth[0], larger(g, depth[1], depth[2])), far = length(g, out_of);
    const expr is_outside = expr_side(g, least), first = expr_side(g, expr_sub(g, depth[0], least));
    const expr second = expr_side(g, expr_sub(g, depth[1], least));
    to_face[0] = expr_pick(g, first, one, zero);
    to_face[1] = expr_pick(g, first, zero, expr_pick(g, second, one, zero));
    to_face[2] = expr_pick(g, first, zero, expr_pick(g, second, zero, one));
    const expr distance = expr_pick(g, is_outside, far, least);
    for (int i = 0; i < 3; i++)
        out.n[i] = zero;
    for (int k = 0; k < 3; k++) {
        const expr n = expr_pick(g, is_outside, expr_div(g, out_of[k], far), to_face[k]);
        along(g, out.n, expr_mul(g, sign[k], n), box->R + 3 * k, out.n);
    }
    out.gap = expr_sub(g, distance, sphere->radius);
    along(g, sphere->at, expr_neg(g, distance), out.n, out.place);
    return out;
}

/* Two capsules: solid.h has the formulas. */
static struct solid_gap of_segments(struct expr_graph *g, const struct solid *a, const struct solid *b)
{
    const expr *axis_a = a->R + 6, *axis_b = b->R + 6;
    expr d[3], p[3], c[3];
    difference(g, a->at, b->at, d);
    const expr aa = expr_dot(g, 3, axis_a, axis_a), bb = expr_dot(g, 3, axis_b, axis_b);
    const expr k = expr_dot(g, 3, axis_a, axis_b);
    const expr ad = expr_dot(g, 3, axis_a, d), bd = expr_dot(g, 3, axis_b, d), both = expr_mul(g, aa, bb);
    const expr crossed = expr_sub(g, expr_scale(g, 1 + SOLID_PARALLEL, both), expr_square(g, k));
    expr s = expr_div(g, expr_sub(g, expr_mul(g, k, bd), expr_mul(g, bb, ad)), crossed);
    s = clip(g, s, a->half[2]);
    const expr t = clip(g, expr_div(g, expr_add(g, bd, expr_mul(g, k, s)), bb), b->half[2]);
    s = clip(g, expr_div(g, expr_sub(g, expr_mul(g, k, t), ad), aa), a->half[2]);
    along(g, a->at, s, axis_a, p);
    along(g, b->at, t, axis_b, c);
    return between(g, a, b, p, c);
}

/* --- Pairs --------------------------------------------------------------------------------------------------- */

static int of_sphere(struct expr_graph *g, const struct solid *sphere, const struct solid *b,
                     struct solid_gap *out)
{
    expr c[3];
    switch (b->kind) {
    case SOLID_SPHERE: *out = between(g, sphere, b, sphere->at, b->at); return 1;
    case SOLID_CAPSULE:
    case SOLID_PLATE:
        nearest(g, b, sphere->at, c);
        *out = between(g, sphere, b, sphere->at, c);
        return 1;
    case SOLID_BOX: *out = on_box(g, sphere, b); return 1;
    case SOLID_PLANE: *out = above(g, sphere->at, sphere->radius, b); return 1;
    }
    return 0;
}

/* Ends of a capsule, corners of a box. */
static int on_plane(struct expr_graph *g, const struct solid *a, const struct solid *plane, struct solid_gap *out)
{
    const int n = a->kind == SOLID_CAPSULE ? 2 : a->kind == SOLID_BOX ? 8 : 0;
    for (int k = 0; k < n; k++) {
        const bool back[] = { k & 4, k & 2, k & 1 };
        expr local[3], p[3];
        for (int i = 0; i < 3; i++)
            local[i] = back[i] ? expr_neg(g, a->half[i]) : a->half[i];
        to_world(g, a, local, p);
        out[k] = above(g, p, a->radius, plane);
    }
    return n;
}

static int one_way(struct expr_graph *g, const struct solid *a, const struct solid *b, struct solid_gap *out)
{
    if (a->kind == SOLID_SPHERE)
        return of_sphere(g, a, b, out);
    if (b->kind == SOLID_PLANE)
        return on_plane(g, a, b, out);
    if (a->kind != SOLID_CAPSULE || b->kind != SOLID_CAPSULE)
        return 0;
    *out = of_segments(g, a, b);
    return 1;
}

int solid_gaps(struct expr_graph *g, const struct solid *a, const struct solid *b, struct solid_gap *out)
{
    int n = one_way(g, a, b, out);
    if (n > 0)
        return n;
    n = one_way(g, b, a, out);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            out[k].n[i] = expr_neg(g, out[k].n[i]);
    return n;
}
