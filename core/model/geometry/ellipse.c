#include "core/model/geometry/ellipse.h"

/* --- One place ------------------------------------------------------------------------------------------------- */

static expr norm(struct expr_graph *g, expr x, expr y)
{
    return expr_sqrt(g, expr_add(g, expr_square(g, x), expr_square(g, y)));
}

/* t of the place of the ellipse on the line from its middle to q, by the gradient there. */
static expr first_root(struct expr_graph *g, const expr *axes, const expr *square, const expr *q)
{
    const expr far = norm(g, expr_div(g, q[0], axes[0]), expr_div(g, q[1], axes[1]));
    const expr slope = expr_div(g, norm(g, expr_div(g, q[0], square[0]), expr_div(g, q[1], square[1])), far);
    return expr_div(g, expr_sub(g, far, expr_const(g, 1)), expr_square(g, slope));
}

/* t + P (sqrt(P) - 1)/sum_i p_i^2/(t + a_i^2), with p_i = a_i q_i/(t + a_i^2) and P = |p|^2. */
static expr better_root(struct expr_graph *g, const expr *axes, const expr *square, const expr *q, expr t)
{
    expr P = expr_const(g, 0), falls = P;
    for (int i = 0; i < 2; i++) {
        const expr below = expr_add(g, t, square[i]);
        const expr part = expr_square(g, expr_div(g, expr_mul(g, axes[i], q[i]), below));
        P = expr_add(g, P, part);
        falls = expr_add(g, falls, expr_div(g, part, below));
    }
    const expr off = expr_sub(g, expr_sqrt(g, P), expr_const(g, 1));
    return expr_add(g, t, expr_div(g, expr_mul(g, P, off), falls));
}

expr ellipse_distance(struct expr_graph *g, const expr *axes, const expr *q, expr *grad)
{
    const expr square[2] = { expr_square(g, axes[0]), expr_square(g, axes[1]) };
    expr t = first_root(g, axes, square, q);
    for (int k = 0; k < ELLIPSE_STEPS; k++)
        t = better_root(g, axes, square, q, t);
    for (int i = 0; i < 2; i++)
        grad[i] = expr_div(g, q[i], expr_add(g, t, square[i]));
    const expr size = norm(g, grad[0], grad[1]);
    for (int i = 0; i < 2; i++)
        grad[i] = expr_div(g, grad[i], size);
    return expr_mul(g, t, size);
}

/* --- On a polygon ---------------------------------------------------------------------------------------------- */

struct ellipse {
    struct expr_graph *g;
    const expr *axes, *middle;
    expr cosine, sine;
};

/* R b, or with `back` R'b. */
static void turn(const struct ellipse *at, bool back, const expr *b, expr *out)
{
    struct expr_graph *g = at->g;
    const expr x = b[0], y = b[1], sine = back ? expr_neg(g, at->sine) : at->sine;
    out[0] = expr_sub(g, expr_mul(g, at->cosine, x), expr_mul(g, sine, y));
    out[1] = expr_add(g, expr_mul(g, sine, x), expr_mul(g, at->cosine, y));
}

static expr along(const struct ellipse *at, const double *t, const expr *d)
{
    return expr_add(at->g, expr_scale(at->g, t[0], d[0]), expr_scale(at->g, t[1], d[1]));
}

/* The vector from the place a to the middle. */
static void from(const struct ellipse *at, const double *a, expr *d)
{
    for (int i = 0; i < 2; i++)
        d[i] = expr_sub(at->g, at->middle[i], expr_const(at->g, a[i]));
}

static struct ellipse_gap on_face(const struct ellipse *at, const struct polygon_face *face)
{
    struct expr_graph *g = at->g;
    const double normal[2] = { -face->t[1], face->t[0] };
    struct ellipse_gap to = { .n = { expr_const(g, normal[0]), expr_const(g, normal[1]) } };
    expr part[2], d[2];
    turn(at, true, to.n, part);
    const expr reach = norm(g, expr_mul(g, at->axes[0], part[0]), expr_mul(g, at->axes[1], part[1]));
    for (int i = 0; i < 2; i++)
        part[i] = expr_neg(g, expr_div(g, expr_mul(g, expr_square(g, at->axes[i]), part[i]), reach));
    turn(at, false, part, to.arm);
    from(at, face->a, d);
    to.gap = expr_sub(g, along(at, normal, d), reach);
    return to;
}

static struct ellipse_gap pick(struct expr_graph *g, expr side, const struct ellipse_gap *a,
                               const struct ellipse_gap *b)
{
    struct ellipse_gap to = { .gap = expr_pick(g, side, a->gap, b->gap) };
    for (int i = 0; i < 2; i++) {
        to.n[i] = expr_pick(g, side, a->n[i], b->n[i]);
        to.arm[i] = expr_pick(g, side, a->arm[i], b->arm[i]);
    }
    return to;
}

static struct ellipse_gap on_highest_face(const struct ellipse *at, const struct polygon *polygon)
{
    struct ellipse_gap most = on_face(at, &polygon->face[0]);
    for (int j = 1; j < polygon->n_face; j++) {
        const struct ellipse_gap one = on_face(at, &polygon->face[j]);
        most = pick(at->g, expr_side(at->g, expr_sub(at->g, most.gap, one.gap)), &most, &one);
    }
    return most;
}

/* How far past the vertex v the ellipse touches the line of a face, along it. */
static expr past(const struct ellipse *at, const struct polygon_face *face, const double *v)
{
    const struct ellipse_gap on = on_face(at, face);
    expr d[2];
    from(at, v, d);
    for (int i = 0; i < 2; i++)
        d[i] = expr_add(at->g, d[i], on.arm[i]);
    return along(at, face->t, d);
}

/* On vertex v where both sides are 0; elsewhere the distance is that of some place
 * outside, and its slope finite. */
static struct ellipse_gap on_vertex(const struct ellipse *at, const double *v, expr on_before, expr on_after)
{
    struct expr_graph *g = at->g;
    struct ellipse_gap to;
    expr away[2], q[2], grad[2];
    from(at, v, away);
    for (int i = 0; i < 2; i++)
        to.arm[i] = expr_neg(g, away[i]);
    turn(at, true, to.arm, q);
    for (int i = 0; i < 2; i++) {
        const expr outside = expr_scale(g, 2, at->axes[i]);
        q[i] = expr_pick(g, on_before, outside, expr_pick(g, on_after, outside, q[i]));
    }
    to.gap = ellipse_distance(g, at->axes, q, grad);
    turn(at, false, grad, to.n);
    for (int i = 0; i < 2; i++)
        to.n[i] = expr_neg(g, to.n[i]);
    return to;
}

struct ellipse_gap ellipse_on_polygon(struct expr_graph *g, const struct polygon *polygon, const expr *axes,
                                      const expr *middle, expr angle, expr *corner)
{
    const struct ellipse at = { g, axes, middle, expr_unary(g, EXPR_COS, angle), expr_unary(g, EXPR_SIN, angle) };
    struct ellipse_gap to = on_highest_face(&at, polygon);
    for (int j = 0; j < polygon_n_vertex(polygon); j++) {
        double v[2];
        polygon_vertex(polygon, j, v);
        corner[2 * j] = expr_neg(g, past(&at, &polygon->face[j], v));
        corner[2 * j + 1] = past(&at, &polygon->face[(j + 1) % polygon->n_face], v);
        const expr on_before = expr_side(g, corner[2 * j]), on_after = expr_side(g, corner[2 * j + 1]);
        const struct ellipse_gap vertex = on_vertex(&at, v, on_before, on_after),
                                 past_it = pick(g, on_after, &to, &vertex);
        to = pick(g, on_before, &to, &past_it);
    }
    return to;
}
