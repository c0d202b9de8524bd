#include "core/lcp/lcp.h"

#include "core/base/arena.h"
#include "core/base/mem.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Rows come in blocks of this many, the last one filled with zeros, so that loops over a column are vectors. */
enum { BLOCK = 4 };

/* Relative to the scaled problem, whose largest entries are in [0.5, 1). Values as small as the first are rounding
 * errors of zeros; entries of a column smaller than the second are no pivots; differences smaller than the third
 * are ties. */
#define ZERO_TOL 1e-14
#define PIVOT_TOL 1e-12
#define TIE_TOL 1e-12

/* A ray that starts at so small a z_0 comes from rounding: its start solves the problem. */
#define RAY_Z_0_TOL 1e-12

/* The dictionary x_B + T x_N = b of the system w - M z - cover z_0 = q. T is kept by columns. A column of the
 * inverse of the basis, which the lexicographic test and the refinement ask for, needs no room of its own: that
 * of w_k is the column of w_k in T, or a unit vector while w_k is basic.
 * Variables: w_i is i, z_i is n + i, z_0 is 2 n. */
struct lcp {
    struct arena mem;           /* owns this struct's arrays */
    int n_max;
    int n, ld;                  /* of the problem at hand; ld is n rounded up to full blocks */
    double *T;                  /* [ld x (n + 1)] */
    double *b;                  /* [ld] */
    double *step;               /* [ld] ratios; scratch of the refinement */
    double *x;                  /* [2 n + 1] values of all variables */
    double *ray;                /* [2 n + 1] */
    int *basic;                 /* [n] variable of a row */
    int *nonbasic;              /* [n + 1] variable of a column */
    int *place;                 /* [2 n + 1] row of a variable, or -1 - column */
    int *tied;                  /* [n] rows */
    double scale_M, scale_q;    /* powers of two; scaled M = scale_M M, scaled z = scale_q / scale_M z */
};

struct lcp *lcp_create(int n_max)
{
    assert(n_max >= 1);
    const size_t n = (size_t)n_max, ld = (n + BLOCK - 1) / BLOCK * BLOCK;
    struct lcp *lcp = mem_alloc(1, sizeof *lcp);
    lcp->n_max = n_max;
    lcp->T = arena_alloc(&lcp->mem, ld * (n + 1), sizeof(double));
    lcp->b = arena_alloc(&lcp->mem, ld, sizeof(double));
    lcp->step = arena_alloc(&lcp->mem, ld, sizeof(double));
    lcp->x = arena_alloc(&lcp->mem, 2 * n + 1, sizeof(double));
    lcp->ray = arena_alloc(&lcp->mem, 2 * n + 1, sizeof(double));
    lcp->basic = arena_alloc(&lcp->mem, n, sizeof(int));
    lcp->nonbasic = arena_alloc(&lcp->mem, n + 1, sizeof(int));
    lcp->place = arena_alloc(&lcp->mem, 2 * n + 1, sizeof(int));
    lcp->tied = arena_alloc(&lcp->mem, n, sizeof(int));
    return lcp;
}

void lcp_free(struct lcp *lcp)
{
    if (!lcp)
        return;
    arena_free(&lcp->mem);
    free(lcp);
}

/* The largest size of n numbers; infinity if one is NaN. */
static double largest(int n, const double *x)
{
    double max = 0;
    bool ordered = true;
    for (int i = 0; i < n; i++) {
        const double size = fabs(x[i]);
        max = size > max ? size : max;
        ordered &= size <= DBL_MAX;
    }
    return ordered ? max : INFINITY;
}

/* 1 over the power of two above x, and 1 for x = 0. */
static double power_scale(double x)
{
    int exponent = 0;
    if (x > 0)
        (void)frexp(x, &exponent);
    return ldexp(1.0, -exponent);
}

static bool find_scales(struct lcp *lcp, const struct lcp_problem *problem)
{
    double max_M = 0;
    for (int j = 0; j < problem->n; j++) {
        const double max = largest(problem->n, problem->M + (size_t)j * (size_t)problem->ld);
        max_M = max > max_M ? max : max_M;
    }
    const double max_q = largest(problem->n, problem->q);
    if (isinf(max_M) || isinf(max_q))
        return false;
    lcp->scale_M = power_scale(max_M);
    lcp->scale_q = power_scale(max_q);
    return true;
}

/* The scaled right-hand side, where negative rounding errors of zeros are zeros (impact.md 9). */
static void load_q(struct lcp *lcp, const double *q)
{
    for (int i = 0; i < lcp->n; i++) {
        const double b = lcp->scale_q * q[i];
        lcp->b[i] = fabs(b) < ZERO_TOL ? 0 : b;
    }
    for (int i = lcp->n; i < lcp->ld; i++)
        lcp->b[i] = 0;
}

static void place_variable(struct lcp *lcp, int row, int var)
{
    lcp->basic[row] = var;
    lcp->place[var] = row;
}

/* The dictionary of the basis w. */
static void load(struct lcp *lcp, const struct lcp_problem *problem, const double *cover)
{
    const int n = lcp->n, ld = lcp->ld;
    for (int j = 0; j <= n; j++) {
        double *to = lcp->T + (size_t)j * (size_t)ld;
        const double *from = problem->M + (size_t)j * (size_t)problem->ld;
        for (int i = 0; i < n; i++)
            to[i] = j < n ? -lcp->scale_M * from[i] : cover ? -cover[i] : -1;
        for (int i = n; i < ld; i++)
            to[i] = 0;
        lcp->nonbasic[j] = n + j;
        lcp->place[n + j] = -1 - j;
    }
    for (int i = 0; i < n; i++)
        place_variable(lcp, i, i);
}

/* to -= factor * from, over full blocks. */
static void subtract(int ld, double factor, const double *restrict from, double *restrict to)
{
    for (int i = 0; i < ld; i += BLOCK)
        for (int k = 0; k < BLOCK; k++)
            to[i + k] -= factor * from[i + k];
}

/* The variable of column `col` enters the basis in the place of that of `row`. */
static void pivot(struct lcp *lcp, int row, int col)
{
    const int n = lcp->n, ld = lcp->ld;
    double *entering = lcp->T + (size_t)col * (size_t)ld;
    const double inverse = 1 / entering[row];
    for (int j = 0; j <= n; j++) {
        double *column = lcp->T + (size_t)j * (size_t)ld;
        const double factor = column[row] * inverse;
        if (j == col || factor == 0)
            continue;
        subtract(ld, factor, entering, column);
        column[row] = factor;
    }
    const double value = lcp->b[row] * inverse;
    subtract(ld, value, entering, lcp->b);
    lcp->b[row] = value;
    for (int i = 0; i < ld; i++)
        entering[i] *= -inverse;
    entering[row] = inverse;

    const int enters = lcp->nonbasic[col], leaves = lcp->basic[row];
    lcp->nonbasic[col] = leaves;
    lcp->place[leaves] = -1 - col;
    place_variable(lcp, row, enters);
    for (int i = 0; i < n; i++)             /* the ratio test keeps b >= 0 up to rounding */
        lcp->b[i] = lcp->b[i] > ZERO_TOL ? lcp->b[i] : 0;
}

/* Entry (row, k) of the inverse of the basis. */
static double inverse_entry(const struct lcp *lcp, int row, int k)
{
    const int place = lcp->place[k];
    return place >= 0 ? place == row : lcp->T[(size_t)(-1 - place) * (size_t)lcp->ld + (size_t)row];
}

/* Of n_tied rows the one whose row of the inverse, divided by its entry in `entering`, is lexicographically
 * smallest (CPS, degeneracy). */
static int break_tie(const struct lcp *lcp, const double *entering, const int *order, int n_tied, int *tied)
{
    for (int s = 0; s < lcp->n && n_tied > 1; s++) {
        const int k = order ? order[s] : s;
        double least = INFINITY;
        for (int i = 0; i < n_tied; i++)
            least = fmin(least, inverse_entry(lcp, tied[i], k) / entering[tied[i]]);
        const double limit = least + TIE_TOL * (1 + fabs(least));
        int n_left = 0;
        for (int i = 0; i < n_tied; i++)
            if (inverse_entry(lcp, tied[i], k) / entering[tied[i]] <= limit)
                tied[n_left++] = tied[i];
        n_tied = n_left;
    }
    return tied[0];
}

/* The row that blocks the variable of column `col`, or -1: a ray. z_0 leaves first when it is among the ties. */
static int blocking_row(struct lcp *lcp, int col, const int *order)
{
    const int n = lcp->n;
    const double *entering = lcp->T + (size_t)col * (size_t)lcp->ld;
    const double pivot_tol = PIVOT_TOL * fmax(largest(n, entering), DBL_MIN);
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
        const double ratio = entering[i] > pivot_tol ? lcp->b[i] / entering[i] : INFINITY;
        lcp->step[i] = ratio;
        least = ratio < least ? ratio : least;
    }
    if (isinf(least))
        return -1;
    const double limit = least + TIE_TOL * least;
    int n_tied = 0;
    for (int i = 0; i < n; i++)
        if (lcp->step[i] <= limit) {
            if (lcp->basic[i] == 2 * n)
                return i;
            lcp->tied[n_tied++] = i;
        }
    return n_tied == 1 ? lcp->tied[0] : break_tie(lcp, entering, order, n_tied, lcp->tied);
}

/* The row where z_0 enters: the smallest b_i / cover_i; of equals the last in the order, whose perturbation is the
 * smallest. -1 if b >= 0, so that z = 0 is a solution. */
static int first_row(const struct lcp *lcp, const double *cover, const int *order)
{
    int row = -1;
    double least = 0;
    for (int s = 0; s < lcp->n; s++) {
        const int i = order ? order[s] : s;
        const double ratio = cover ? lcp->b[i] / cover[i] : lcp->b[i];
        if (lcp->b[i] < 0 && ratio <= least * (1 - TIE_TOL)) {
            least = ratio < least ? ratio : least;
            row = i;
        }
    }
    return row;
}

/* The values of all variables, nonbasic ones zero. */
static void read_values(struct lcp *lcp)
{
    memset(lcp->x, 0, (2 * (size_t)lcp->n + 1) * sizeof *lcp->x);
    for (int i = 0; i < lcp->n; i++)
        lcp->x[lcp->basic[i]] = lcp->b[i];
}

/* One step of iterative refinement: what the values leave of w - M z = q, in the original data, is taken from them
 * with the inverse that the pivots have built up. It costs as much as two pivots. */
static void refine(struct lcp *lcp, const struct lcp_problem *problem)
{
    const int n = lcp->n, ld = lcp->ld;
    double *left = lcp->step;
    for (int i = 0; i < n; i++)
        left[i] = lcp->scale_q * problem->q[i] - lcp->x[i];
    for (int j = 0; j < n; j++) {
        const double value = lcp->scale_M * lcp->x[n + j];
        const double *column = problem->M + (size_t)j * (size_t)problem->ld;
        if (value > 0)
            for (int i = 0; i < n; i++)
                left[i] += value * column[i];
    }
    for (int k = 0; k < n; k++)
        if (lcp->place[k] >= 0)
            lcp->b[lcp->place[k]] += left[k];
        else if (left[k] != 0) {
            const double *column = lcp->T + (size_t)(-1 - lcp->place[k]) * (size_t)ld;
            for (int i = 0; i < n; i++)
                lcp->b[i] += left[k] * column[i];
        }
    for (int i = 0; i < n; i++)
        lcp->b[i] = lcp->b[i] > 0 ? lcp->b[i] : 0;
}

/* The direction in which column `col` moves the variables without end. */
static void read_ray(struct lcp *lcp, int col, struct lcp_info *info)
{
    const int n = lcp->n;
    const double *column = lcp->T + (size_t)col * (size_t)lcp->ld;
    const double back = lcp->scale_M / lcp->scale_q;
    memset(lcp->ray, 0, (2 * (size_t)n + 1) * sizeof *lcp->ray);
    lcp->ray[lcp->nonbasic[col]] = 1;
    for (int i = 0; i < n; i++)
        lcp->ray[lcp->basic[i]] = fmax(-column[i], 0);
    for (int i = 0; i < n; i++) {
        lcp->ray[i] /= lcp->scale_q;
        lcp->ray[n + i] *= back;
    }
    info->ray_w = lcp->ray;
    info->ray_z = lcp->ray + n;
    info->ray_z_0 = lcp->ray[2 * n] / lcp->scale_q;
}

static void write_solution(struct lcp *lcp, double *z, double *w, struct lcp_info *info)
{
    const int n = lcp->n;
    const double back = lcp->scale_M / lcp->scale_q;
    read_values(lcp);
    for (int i = 0; i < n; i++) {
        w[i] = lcp->x[i] / lcp->scale_q;
        z[i] = lcp->x[n + i] * back;
    }
    info->z_0 = lcp->x[2 * n] / lcp->scale_q;
}

/* Follows the path from the basis that z_0 entered in the place of variable `left`. */
static enum lcp_outcome follow_path(struct lcp *lcp, const struct lcp_choice *choice, int left,
                                    struct lcp_info *info)
{
    const int n = lcp->n;
    const int max_pivots = choice->max_pivots > 0 ? choice->max_pivots : 50 + 20 * n;
    while (left != 2 * n) {
        if (info->n_pivots >= max_pivots)
            return LCP_LIMIT;
        const int enters = left < n ? left + n : left - n, col = -1 - lcp->place[enters];
        const int row = blocking_row(lcp, col, choice->order);
        if (row < 0) {
            if (lcp->b[lcp->place[2 * n]] <= RAY_Z_0_TOL)
                return LCP_SOLVED;
            read_ray(lcp, col, info);
            return LCP_RAY;
        }
        left = lcp->basic[row];
        pivot(lcp, row, col);
        info->n_pivots++;
    }
    return LCP_SOLVED;
}

enum lcp_outcome lcp_solve(struct lcp *lcp, const struct lcp_problem *problem, const struct lcp_choice *choice,
                           double *z, double *w, struct lcp_info *info)
{
    static const struct lcp_choice usual;
    const int n = problem->n;
    assert(n >= 1 && n <= lcp->n_max && problem->ld >= n);
    if (!choice)
        choice = &usual;
    *info = (struct lcp_info){ .outcome = LCP_NUMERIC };
    lcp->n = n;
    lcp->ld = (n + BLOCK - 1) / BLOCK * BLOCK;
    for (int i = 0; i < n; i++)
        z[i] = w[i] = NAN;
    if (!find_scales(lcp, problem))
        return info->outcome;
    load_q(lcp, problem->q);
    load(lcp, problem, choice->cover);
    const int row = first_row(lcp, choice->cover, choice->order);
    info->outcome = LCP_SOLVED;
    if (row >= 0) {
        pivot(lcp, row, n);
        info->n_pivots = 1;
        info->outcome = follow_path(lcp, choice, row, info);
    }
    if (info->outcome == LCP_SOLVED && row >= 0) {
        read_values(lcp);
        refine(lcp, problem);
    }
    if (!(largest(n, lcp->b) <= DBL_MAX))
        info->outcome = LCP_NUMERIC;
    write_solution(lcp, z, w, info);
    return info->outcome;
}

const char *lcp_outcome_text(enum lcp_outcome outcome)
{
    static const char *const text[] = { [LCP_SOLVED] = "solved", [LCP_RAY] = "ended in a ray",
                                        [LCP_LIMIT] = "used up its pivots", [LCP_NUMERIC] = "met NaN or infinity" };
    return text[outcome];
}
