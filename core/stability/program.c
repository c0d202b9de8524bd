#include "core/stability/program.h"

#include "core/base/arena.h"
#include "core/stability/conditions.h"
#include "core/sos/semidefinite.h"

#include <assert.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double T_MIN = 1e-6;           /* noise of the solver where the optimum is 0 was up to 4e-7 */
static const double RANK_TOL = 1e-9;        /* of singular values, relative to the largest */
static const double ROW_TOL = 1e-11;        /* an equality with smaller coefficients is an identity */
static const double VANISHES = 1e-10;       /* coefficients after elimination, relative to s */
static const double NU_MAX = 100;

/* --- Conditions by parameter, and the null space of the equalities ------------------------------------------- */

struct system {
    struct arena mem;
    int n_p, n_z;
    const struct cond_list *unit;   /* [n_p] conditions at unit vectors */
    double *N;                      /* [n_p * n_z] by columns */
};

/* Coefficient of p_q in entry k of condition c. */
static double coefficient(const struct system *sys, int c, int k, int q)
{
    return sys->unit[q].cond[c].K[k];
}

/* The same of z_j. */
static double reduced(const struct system *sys, int c, int k, int j)
{
    double sum = 0;
    for (int q = 0; q < sys->n_p; q++)
        sum += coefficient(sys, c, k, q) * sys->N[q + sys->n_p * j];
    return sum;
}

static double scale_of(const struct system *sys, int c)
{
    const int n = sys->unit[0].cond[c].n;
    double s = 0;
    for (int q = 0; q < sys->n_p; q++)
        for (int k = 0; k < n * n; k++)
            s = fmax(s, fabs(coefficient(sys, c, k, q)));
    return s;
}

static bool is_used(const struct system *sys, int q)
{
    const struct cond_list *list = &sys->unit[q];
    for (int c = 0; c < list->n; c++)
        for (int k = 0; k < list->cond[c].n * list->cond[c].n; k++)
            if (fabs(list->cond[c].K[k]) > 0)
                return true;
    return false;
}

/* Rows of equalities, scaled by their largest entry; a parameter that occurs nowhere is 0. E [*n_row x n_p] by
 * rows. */
static double *equalities(struct system *sys, int *n_row)
{
    const int n = sys->n_p, n_cond = sys->unit[0].n;
    double *E = arena_alloc(&sys->mem, (size_t)((n_cond + n) * n), sizeof *E);
    *n_row = 0;
    for (int c = 0; c < n_cond; c++) {
        const double s = scale_of(sys, c);
        if (sys->unit[0].cond[c].kind != COND_EQ || !(s > ROW_TOL))
            continue;
        for (int q = 0; q < n; q++)
            E[q + n * *n_row] = coefficient(sys, c, 0, q) / s;
        ++*n_row;
    }
    for (int q = 0; q < n; q++)
        if (!is_used(sys, q))
            E[q + n * (*n_row)++] = 1;
    return E;
}

/* Orthonormal columns N with E N = 0. */
static bool find_null_space(struct system *sys)
{
    int n_row;
    const int n = sys->n_p;
    double *E = equalities(sys, &n_row);
    double *sigma = arena_alloc(&sys->mem, (size_t)n, sizeof *sigma);
    double *V = arena_alloc(&sys->mem, (size_t)n * (size_t)n, sizeof *V), unused[1];
    double *superb = arena_alloc(&sys->mem, (size_t)n, sizeof *superb);
    sys->N = arena_alloc(&sys->mem, (size_t)n * (size_t)n, sizeof *sys->N);
    /* E by rows is E' by columns, whose left singular vectors are wanted */
    if (LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'N', n, n_row, E, n, sigma, V, n, unused, 1, superb) != 0)
        return false;
    int rank = 0;
    while (rank < n && rank < n_row && sigma[rank] > RANK_TOL * sigma[0])
        rank++;
    sys->n_z = n - rank;
    memcpy(sys->N, V + n * rank, (size_t)n * (size_t)sys->n_z * sizeof *V);
    return sys->n_z > 0;
}

static bool system_init(struct system *sys, const struct zod *zod, int level)
{
    *sys = (struct system){ .n_p = level_n_p(level) };
    struct cond_list *unit = arena_alloc(&sys->mem, (size_t)sys->n_p, sizeof *unit);
    for (int q = 0; q < sys->n_p; q++) {
        double p[LEVEL_MAX_P] = { 0 };
        p[q] = 1;
        cond_eval(zod, level, p, &unit[q]);
    }
    sys->unit = unit;
    return find_null_space(sys);
}

/* --- Writing the program: y = (z, t, nu...) ------------------------------------------------------------------ */

struct writer {
    struct system *sys;
    struct certificate_side *out;
    struct lmi_entry *entry;
    int *size;
    double *rhs;
    int n_entry, n_block, n_row, n_y;
    int first_nu[COND_MAX];         /* place of a copositive condition's multipliers in y; 0: it is none */
};

enum { MAX_ENTRY = 20000, MAX_ROW = 600 };

static void put(struct writer *w, int k, int block, int i, int j, double val)
{
    assert(w->n_entry < MAX_ENTRY);
    if (fabs(val) > 0)
        w->entry[w->n_entry++] = (struct lmi_entry){ k, block, i < j ? i : j, i < j ? j : i, val };
}

static int new_row(struct writer *w, double rhs)
{
    assert(w->n_row < MAX_ROW);
    w->rhs[w->n_row] = rhs;
    return w->n_row++;
}

static void write_ge(struct writer *w, int c, double s)
{
    const int row = new_row(w, 0);
    for (int j = 0; j < w->sys->n_z; j++)
        put(w, j, -1, row, row, reduced(w->sys, c, 0, j) / s);
    put(w, w->sys->n_z, -1, row, row, -1);
}

static void write_nu_bounds(struct writer *w, int k)
{
    const int low = new_row(w, 0), high = new_row(w, NU_MAX);
    put(w, k, -1, low, low, 1);
    put(w, k, -1, high, high, -1);
}

static void write_block(struct writer *w, int c, double s, bool is_cop)
{
    const int n = w->sys->unit[0].cond[c].n, block = w->n_block++;
    w->size[block] = n;
    w->first_nu[w->out->n_cond] = is_cop ? w->n_y : 0;
    for (int col = 0; col < n; col++)
        for (int row = 0; row <= col; row++) {
            for (int j = 0; j < w->sys->n_z; j++)
                put(w, j, block, row, col, reduced(w->sys, c, row + n * col, j) / s);
            if (row == col)
                put(w, w->sys->n_z, block, row, col, -1);
            else if (is_cop) {
                put(w, w->n_y, block, row, col, -1);
                write_nu_bounds(w, w->n_y++);
            }
        }
}

/* Does any entry of the condition remain on the null space? */
static bool remains(const struct system *sys, int c, double s)
{
    const int n = sys->unit[0].cond[c].n;
    for (int k = 0; k < n * n; k++)
        for (int j = 0; j < sys->n_z; j++)
            if (fabs(reduced(sys, c, k, j)) > VANISHES * s)
                return true;
    return false;
}

static void write_conditions(struct writer *w)
{
    const struct cond_list *list = &w->sys->unit[0];
    for (int c = 0; c < list->n; c++) {
        const struct cond *cond = &list->cond[c];
        const double s = cond->kind == COND_EQ ? 0 : scale_of(w->sys, c);
        if (!(s > 0) || !remains(w->sys, c, s))
            continue;
        struct certificate_cond *out = &w->out->cond[w->out->n_cond];
        *out = (struct certificate_cond){ .n = cond->n, .scale = s };
        memcpy(out->name, cond->name, sizeof out->name);
        if (cond->kind == COND_GE)
            write_ge(w, c, s);
        else
            write_block(w, c, s, cond->kind == COND_COP);
        w->out->n_cond++;
    }
}

/* |p_q - centre_q| <= radius, and -10 <= t <= 1. Around 0 p = 0, t = 0 is feasible, so that the optimum is never
 * negative. */
static void write_bounds(struct writer *w, const double *centre, double radius)
{
    const int n_z = w->sys->n_z;
    for (int q = 0; q < w->sys->n_p; q++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const int row = new_row(w, centre ? radius - sign * centre[q] : radius);
            for (int j = 0; j < n_z; j++)
                put(w, j, -1, row, row, sign * w->sys->N[q + w->sys->n_p * j]);
        }
    const int low = new_row(w, 10), high = new_row(w, 1);
    put(w, n_z, -1, low, low, 1);
    put(w, n_z, -1, high, high, -1);
}

static void writer_init(struct writer *w, struct system *sys, struct certificate_side *out)
{
    *w = (struct writer){ .sys = sys, .out = out, .n_y = sys->n_z + 1 };
    w->entry = arena_alloc(&sys->mem, MAX_ENTRY, sizeof *w->entry);
    w->size = arena_alloc(&sys->mem, COND_MAX, sizeof *w->size);
    w->rhs = arena_alloc(&sys->mem, MAX_ROW, sizeof *w->rhs);
}

/* --- Reading the solution ------------------------------------------------------------------------------------ */

/* p with largest magnitude 1; t and the multipliers go with it. */
static void take_solution(const struct writer *w, const double *y, struct certificate_side *out, double *t)
{
    const struct system *sys = w->sys;
    double largest = 0;
    for (int q = 0; q < sys->n_p; q++) {
        for (int j = 0; j < sys->n_z; j++)
            out->p[q] += sys->N[q + sys->n_p * j] * y[j];
        largest = fmax(largest, fabs(out->p[q]));
    }
    for (int q = 0; q < sys->n_p; q++)
        out->p[q] /= largest;
    *t /= largest;
    for (int c = 0; c < out->n_cond; c++) {
        struct certificate_cond *cond = &out->cond[c];
        for (int k = 0; w->first_nu[c] && k < cond->n * (cond->n - 1) / 2; k++)
            cond->nu[k] = fmax(0, y[w->first_nu[c] + k]) / largest;
    }
}

/* centre NULL: around 0. */
static bool solve_around(const struct zod *zod, int level, const double *centre, double radius,
                         struct certificate_side *out, struct program_info *info)
{
    struct system sys;
    struct writer w;
    bool found = false;
    *out = (struct certificate_side){ .body = zod->body };
    *info = (struct program_info){ 0 };
    if (system_init(&sys, zod, level)) {
        writer_init(&w, &sys, out);
        write_conditions(&w);
        write_bounds(&w, centre, radius);
        double *b = arena_alloc(&sys.mem, (size_t)w.n_y, sizeof *b);
        double *y = arena_alloc(&sys.mem, (size_t)w.n_y, sizeof *y);
        b[sys.n_z] = -1;
        const struct lmi_program program = { w.n_y, w.n_block, w.n_row, w.n_entry, b, w.size, w.rhs, w.entry };
        info->n_y = w.n_y;
        info->solver_code = lmi_solve(&program, y, NULL);
        info->t = y[sys.n_z];
        found = (info->solver_code == 0 || info->solver_code == 3) && info->t > T_MIN;
        if (found)
            take_solution(&w, y, out, &info->t);
    }
    arena_free(&sys.mem);
    return found;
}

bool program_solve(const struct zod *zod, int level, struct certificate_side *out, struct program_info *info)
{
    return solve_around(zod, level, NULL, 1, out, info);
}

bool program_solve_near(const struct zod *zod, int level, const double *centre, double radius,
                        struct certificate_side *out, struct program_info *info)
{
    return solve_around(zod, level, centre, radius, out, info);
}
