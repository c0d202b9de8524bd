#include "core/model/geometry/polygon.h"

#include <math.h>

int polygon_n_vertex(const struct polygon *polygon)
{
    return polygon->closed ? polygon->n_face : polygon->n_face - 1;
}

/* A face starts where the one before it ends. */
void polygon_vertex(const struct polygon *polygon, int j, double *v)
{
    const struct polygon_face *next = &polygon->face[(j + 1) % polygon->n_face];
    v[0] = next->a[0];
    v[1] = next->a[1];
}

int polygon_n_corner(const struct polygon *polygon, bool is_round)
{
    return is_round ? 2 * polygon_n_vertex(polygon) : polygon->n_face - 1;
}

/* --- Numbers --------------------------------------------------------------------------------------------------- */

static double along(const double *t, const double *from, const double *to)
{
    return t[0] * (to[0] - from[0]) + t[1] * (to[1] - from[1]);
}

double polygon_distance(const struct polygon *polygon, const double *c)
{
    double most = -INFINITY, v[2];
    for (int j = 0; j < polygon->n_face; j++) {
        const struct polygon_face *face = &polygon->face[j];
        most = fmax(most, along((const double[]){ -face->t[1], face->t[0] }, face->a, c));
    }
    for (int j = 0; j < polygon_n_vertex(polygon); j++) {
        polygon_vertex(polygon, j, v);
        if (along(polygon->face[j].t, v, c) > 0 && along(polygon->face[(j + 1) % polygon->n_face].t, v, c) < 0)
            return hypot(c[0] - v[0], c[1] - v[1]);
    }
    return most;
}

/* --- Expressions ----------------------------------------------------------------------------------------------- */

/* x (c_0 - a_0) + z (c_1 - a_1) */
static expr linear(struct expr_graph *g, double x, double z, const double *a, const expr *c)
{
    const expr part[2] = { expr_scale(g, x, expr_sub(g, c[0], expr_const(g, a[0]))),
                           expr_scale(g, z, expr_sub(g, c[1], expr_const(g, a[1]))) };
    return expr_add(g, part[0], part[1]);
}

static expr height(struct expr_graph *g, const struct polygon_face *face, const expr *c)
{
    return linear(g, -face->t[1], face->t[0], face->a, c);
}

/* max_j h_j; where corner is given, with what decides between one face and those before it. */
static expr highest(struct expr_graph *g, const struct polygon *polygon, const expr *c, expr *corner)
{
    expr most = height(g, &polygon->face[0], c);
    for (int j = 1; j < polygon->n_face; j++) {
        const expr h = height(g, &polygon->face[j], c), above = expr_sub(g, most, h);
        if (corner)
            corner[j - 1] = above;
        most = expr_pick(g, expr_side(g, above), most, h);
    }
    return most;
}

/* |c - v| where c faces vertex j, else e; corner [2]: t_j'(v - c), t_j+1'(c - v). Elsewhere the root is of 1: its
 * slope stays finite. */
static expr around_vertex(struct expr_graph *g, const struct polygon *polygon, int j, const expr *c, expr e,
                          expr *corner)
{
    const struct polygon_face *before = &polygon->face[j], *after = &polygon->face[(j + 1) % polygon->n_face];
    double v[2];
    polygon_vertex(polygon, j, v);
    corner[0] = linear(g, -before->t[0], -before->t[1], v, c);
    corner[1] = linear(g, after->t[0], after->t[1], v, c);
    const expr on_before = expr_side(g, corner[0]), on_after = expr_side(g, corner[1]), one = expr_const(g, 1);
    expr square = one;
    for (int i = 0; i < 2; i++) {
        const expr part = expr_square(g, expr_sub(g, c[i], expr_const(g, v[i])));
        square = i ? expr_add(g, square, part) : part;
    }
    const expr far = expr_pick(g, on_before, one, expr_pick(g, on_after, one, square));
    return expr_pick(g, on_before, e, expr_pick(g, on_after, e, expr_sqrt(g, far)));
}

expr polygon_gap(struct expr_graph *g, const struct polygon *polygon, bool is_round, const expr *c, expr *corner)
{
    expr gap = highest(g, polygon, c, is_round ? NULL : corner);
    for (int j = 0; is_round && j < polygon_n_vertex(polygon); j++)
        gap = around_vertex(g, polygon, j, c, gap, corner + 2 * j);
    return gap;
}

/* --- Patches --------------------------------------------------------------------------------------------------- */

int polygon_n_patch(const struct polygon *polygon, bool is_round)
{
    return polygon->n_face + (is_round ? polygon_n_vertex(polygon) : 0);
}

/* Face j is before vertex j and after the one before it; on a vertex c is beyond both faces. */
static void patches_of_discs(const struct polygon *polygon, signed char *sign)
{
    const int n_vertex = polygon_n_vertex(polygon), n_corner = polygon_n_corner(polygon, true);
    for (int j = 0; j < n_vertex; j++) {
        signed char *face = sign + 2 * j * n_corner, *vertex = face + n_corner;
        signed char *next = sign + 2 * ((j + 1) % polygon->n_face) * n_corner;
        face[2 * j] = next[2 * j + 1] = 1;
        vertex[2 * j] = vertex[2 * j + 1] = -1;
    }
}

/* Face j is higher than those before it, and than the next. */
static void patches_of_points(const struct polygon *polygon, signed char *sign)
{
    const int n = polygon->n_face, n_corner = polygon_n_corner(polygon, false);
    for (int j = 1; j < n; j++) {
        sign[j * n_corner + j - 1] = -1;
        sign[(j - 1) * n_corner + j - 1] = 1;
    }
    if (polygon->closed)
        sign[n - 2] = 1;
}

void polygon_patches(const struct polygon *polygon, bool is_round, signed char *sign)
{
    const int n = polygon_n_patch(polygon, is_round) * polygon_n_corner(polygon, is_round);
    for (int k = 0; k < n; k++)
        sign[k] = 0;
    if (is_round)
        patches_of_discs(polygon, sign);
    else
        patches_of_points(polygon, sign);
}
