#include "core/model/rotation.h"

#include <math.h>

enum { N_TERMS = 16 };              /* of a series in (|r|/2)^2 < 10: the first left out is 1e-20 */

/* --- Vectors ------------------------------------------------------------------------------------------------- */

void rotation_cross(struct expr_graph *g, const expr *a, const expr *b, expr *out)
{
    expr c[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = expr_sub(g, expr_mul(g, a[j], b[k]), expr_mul(g, a[k], b[j]));
    }
    for (int i = 0; i < 3; i++)
        out[i] = c[i];
}

void rotation_apply(struct expr_graph *g, const expr *R, const expr *p, expr *out)
{
    for (int i = 0; i < 3; i++) {
        const expr row[] = { R[i], R[i + 3], R[i + 6] };
        out[i] = expr_dot(g, 3, row, p);
    }
}

void rotation_undo(struct expr_graph *g, const expr *R, const expr *n, expr *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = expr_dot(g, 3, R + 3 * i, n);
}

/* --- Quaternions --------------------------------------------------------------------------------------------- */

static void quaternion_matrix(struct expr_graph *g, const expr *q, expr *R)
{
    expr square[4];
    for (int i = 0; i < 4; i++)
        square[i] = expr_square(g, q[i]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const expr turned = expr_mul(g, q[0], q[1 + i]), mixed = expr_mul(g, q[1 + j], q[1 + k]);
        R[i + 3 * i] =
            expr_sub(g, expr_add(g, square[0], square[1 + i]), expr_add(g, square[1 + j], square[1 + k]));
        R[k + 3 * j] = expr_scale(g, 2, expr_add(g, mixed, turned));
        R[j + 3 * k] = expr_scale(g, 2, expr_sub(g, mixed, turned));
    }
}

static void quaternion_rates(struct expr_graph *g, const expr *q, const expr *w, expr *rate)
{
    expr turn[3];
    rotation_cross(g, q + 1, w, turn);
    rate[0] = expr_scale(g, -0.5, expr_dot(g, 3, q + 1, w));
    for (int i = 0; i < 3; i++)
        rate[1 + i] = expr_scale(g, 0.5, expr_add(g, expr_mul(g, q[0], w[i]), turn[i]));
}

/* --- Rotation vectors ---------------------------------------------------------------------------------------- */

/* sum over i of (-y)^i / (2 i + first)!: cos sqrt(y) for first = 0, sin sqrt(y) / sqrt(y) for 1. */
static expr series(struct expr_graph *g, int first, expr y)
{
    expr sum = expr_const(g, 1);
    for (int i = N_TERMS; i >= 1; i--) {
        const double below = (2.0 * i + first) * (2.0 * i + first - 1);
        sum = expr_sub(g, expr_const(g, 1), expr_mul(g, expr_scale(g, 1 / below, y), sum));
    }
    return sum;
}

/* (sin s / s - cos s) / s^2 with y = s^2: sum over i of (-y)^i 2 (i + 1) / (2 i + 3)!. */
static expr difference_series(struct expr_graph *g, expr y)
{
    expr sum = expr_const(g, 0);
    for (int i = N_TERMS; i >= 0; i--) {
        const double coefficient = (i % 2 ? -2 : 2) * (i + 1) / tgamma(2 * i + 4);
        sum = expr_add(g, expr_const(g, coefficient), expr_mul(g, y, sum));
    }
    return sum;
}

static expr half_square(struct expr_graph *g, const expr *r)
{
    return expr_scale(g, 0.25, expr_dot(g, 3, r, r));
}

static void vector_matrix(struct expr_graph *g, const expr *r, expr *R)
{
    const expr y = half_square(g, r), sine = series(g, 1, y);
    expr q[4] = { series(g, 0, y) };
    for (int i = 0; i < 3; i++)
        q[1 + i] = expr_scale(g, 0.5, expr_mul(g, sine, r[i]));
    quaternion_matrix(g, q, R);
}

static void vector_rates(struct expr_graph *g, const expr *r, const expr *w, expr *rate)
{
    const expr y = half_square(g, r);
    const expr c = expr_scale(g, 0.25, expr_div(g, difference_series(g, y), series(g, 1, y)));
    expr once[3], twice[3];
    rotation_cross(g, r, w, once);
    rotation_cross(g, r, once, twice);
    for (int i = 0; i < 3; i++)
        rate[i] = expr_add(g, w[i], expr_add(g, expr_scale(g, 0.5, once[i]), expr_mul(g, c, twice[i])));
}

/* --- Either -------------------------------------------------------------------------------------------------- */

void rotation_matrix(struct expr_graph *g, int n, const expr *q, expr *R)
{
    if (n == 4)
        quaternion_matrix(g, q, R);
    else
        vector_matrix(g, q, R);
}

void rotation_rates(struct expr_graph *g, int n, const expr *q, const expr *w, expr *rate)
{
    if (n == 4)
        quaternion_rates(g, q, w, rate);
    else
        vector_rates(g, q, w, rate);
}

/* --- From the matrix ----------------------------------------------------------------------------------------- */

/* angle/sin(angle) of y = sin(angle/2)^2: asin(s)/(s sqrt(1 - s^2)) with s^2 = y is the sum over k of
 * (4 y)^k (k!)^2/(2 k + 1)!. */
static expr angle_over_sine(struct expr_graph *g, expr y)
{
    static const double near = 0.02, half_turn = 1e-9;      /* the terms left out are below 1e-17 */
    expr sum = expr_const(g, 1);
    for (int k = 11; k >= 1; k--)
        sum = expr_add(g, expr_const(g, 1), expr_mul(g, expr_scale(g, 2.0 * k / (2 * k + 1), y), sum));
    const expr is_far = expr_side(g, expr_sub(g, y, expr_const(g, near))), most = expr_const(g, 1 - half_turn);
    const expr kept = expr_pick(g, expr_side(g, expr_sub(g, most, y)), y, most);
    const expr safe = expr_pick(g, is_far, kept, expr_const(g, 0.5));
    const expr cosine = expr_sub(g, expr_const(g, 1), expr_scale(g, 2, safe));
    const expr sine = expr_scale(g, 2, expr_sqrt(g, expr_mul(g, safe, expr_sub(g, expr_const(g, 1), safe))));
    return expr_pick(g, is_far, expr_div(g, expr_unary(g, EXPR_ACOS, cosine), sine), sum);
}

void rotation_vector(struct expr_graph *g, const expr *R, expr *out)
{
    const expr trace = expr_add(g, R[0], expr_add(g, R[4], R[8]));
    const expr f = angle_over_sine(g, expr_scale(g, 0.25, expr_sub(g, expr_const(g, 3), trace)));
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = expr_scale(g, 0.5, expr_mul(g, f, expr_sub(g, R[k + 3 * j], R[j + 3 * k])));
    }
}
