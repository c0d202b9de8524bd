/* core/expression/tape_vector.h - vectors of TAPE_VECTOR_BYTES and elementary functions on them
 *
 * Only operations that IEEE 754 rounds correctly, in a fixed order, and no fused ones: the bits do not depend on
 * the width. For tape_kernel_body.h.
 */
#ifndef COCP_CORE_EXPRESSION_TAPE_VECTOR_H
#define COCP_CORE_EXPRESSION_TAPE_VECTOR_H

#include <stdbool.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#ifndef TAPE_VECTOR_BYTES
#define TAPE_VECTOR_BYTES 16
#endif

typedef double vec __attribute__((vector_size(TAPE_VECTOR_BYTES), may_alias));
typedef long long ivec __attribute__((vector_size(TAPE_VECTOR_BYTES), may_alias));

enum { VEC_LANES = TAPE_VECTOR_BYTES / 8 };

/* x in every lane; minus zero keeps the sign of x = -0. */
static inline vec vec_splat(double x)
{
    return x - (vec){ 0 };
}

/* a where the mask is set, else b. */
static inline vec vec_select(ivec mask, vec a, vec b)
{
    return (vec)((mask & (ivec)a) | (~mask & (ivec)b));
}

/* 1 where the mask is set, else 0. */
static inline vec vec_truth(ivec mask)
{
    return (vec)(mask & (ivec)vec_splat(1));
}

static inline vec vec_abs(vec x)
{
    return (vec)((ivec)x & 0x7fffffffffffffff);
}

/* -1, 0, 1; NaN at NaN. */
static inline vec vec_sign(vec x)
{
    const vec sign = vec_truth((ivec)(x > 0)) - vec_truth((ivec)(x < 0));
    return vec_select((ivec)(x == x), sign, x);
}

/* The smaller one; NaN if either is. */
static inline vec vec_min(vec a, vec b)
{
    return vec_select((ivec)(a < b) | (ivec)(a != a), a, b);
}

static inline vec vec_max(vec a, vec b)
{
    return vec_select((ivec)(a > b) | (ivec)(a != a), a, b);
}

/* x^n by squaring: half an ulp for each of the at most 2 log2(n) products. */
static inline vec vec_pow_int(vec x, int n)
{
    vec y = vec_splat(1), square = x;
    for (int m = n < 0 ? -n : n; m; m >>= 1) {
        if (m & 1)
            y *= square;
        square *= square;
    }
    if (n < 0)
        y = 1 / y;
    return y;
}

static inline bool vec_any(ivec mask)
{
    long long any = 0;
    for (int k = 0; k < VEC_LANES; k++)
        any |= mask[k];
    return any != 0;
}

/* --- Sine and cosine ------------------------------------------------------------------------------------ */

/* Up to here n = x / (pi/2) has 19 bits, so that its product with a 33-bit part of pi/2 is exact. */
#define VEC_SIN_MAX 524288.0

/* sin(h + l) for |h| <= pi/4 and l tiny: h + (h^3 p(h^2) + l cos h). p is the polynomial of degree 5 that
 * minimizes the largest relative error of the sine, 3.4e-18; found with Remez' algorithm. */
static inline vec sin_kernel(vec h, vec l)
{
    const vec z = h * h;
    vec p = -0x1.ae5e6688215c6p-26 + z * 0x1.5d93183f7215ap-33;
    p = 0x1.71de35781606bp-19 + z * p;
    p = -0x1.a01a019c1202dp-13 + z * p;
    p = 0x1.111111110f87dp-7 + z * p;
    p = -0x1.5555555555549p-3 + z * p;
    return h + (l * (1 - 0.5 * z) + h * z * p);
}

/* cos(h + l) = 1 - h^2/2 + (h^4 p(h^2) - h l); p as above, error 4.7e-20. What 1 - z/2 loses is put back. */
static inline vec cos_kernel(vec h, vec l)
{
    const vec z = h * h;
    vec p = 0x1.1ee9ec1888c51p-29 + z * -0x1.8faeb5dfe0cc7p-37;
    p = -0x1.27e4f80a33a2dp-22 + z * p;
    p = 0x1.a01a019cb2169p-16 + z * p;
    p = -0x1.6c16c16c15181p-10 + z * p;
    p = 0x1.555555555554cp-5 + z * p;
    const vec head = 1 - 0.5 * z;
    const vec lost = (1 - head) - 0.5 * z;
    return head + (lost + (z * z * p - h * l));
}

/* sin(x + quarter_turns pi/2) for |x| <= VEC_SIN_MAX. x - n pi/2 is formed with pi/2 in three parts of 33, 33 and
 * 53 bits, as the two doubles h + l. Adding 1.5 2^52 rounds to an integer and leaves it in the low bits. */
static inline vec vec_sin_turned(vec x, int quarter_turns)
{
    const double shift = 0x1.8p52;
    const vec shifted = x * 0x1.45f306dc9c883p-1 + shift;
    const vec n = shifted - shift;
    const ivec quadrant = (ivec)shifted + quarter_turns;
    const vec first = x - n * 0x1.921fb544p+0;
    const vec second = n * 0x1.0b4611a6p-34;
    const vec rough = first - second;
    const vec rest = ((first - rough) - second) - n * 0x1.3198a2e037073p-69;
    const vec h = rough + rest;
    const vec l = rest - (h - rough);                   /* below half an ulp of h, as the kernels want it */
    const vec y = vec_select(-(quadrant & 1), cos_kernel(h, l), sin_kernel(h, l));
    return (vec)((ivec)y ^ ((quadrant & 2) << 62));
}

#endif
