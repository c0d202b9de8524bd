#include "core/nlp/scaled.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20 };               /* a size is known from its neighbours after as many as they are apart at most */
static const double LARGEST = 0x1p40;       /* of a size, and of its inverse */

/* --- Sizes --------------------------------------------------------------------------------------------------- */

/* The nearest power of two, 1 of what is none. */
static double power_of_two(double size)
{
    if (!(size > 0) || !isfinite(size))
        return 1;
    return exp2(round(log2(fmin(fmax(size, 1 / LARGEST), LARGEST))));
}

/* Rows from the variables that have sizes; 0: from none. */
static void size_rows(const struct sparse *jac, const double *val, const double *w, double *g)
{
    memset(g, 0, (size_t)jac->n_rows * sizeof *g);
    for (int j = 0; j < jac->n_cols; j++)
        for (int k = jac->colptr[j]; k < jac->colptr[j + 1] && !isnan(w[j]); k++)
            g[jac->rowind[k]] = fmax(g[jac->rowind[k]], fabs(val[k]) * w[j]);
}

/* Variables without one from the rows that have some; returns how many. */
static int size_variables(const struct sparse *jac, const double *val, const double *g, double *w)
{
    int n = 0;
    for (int j = 0; j < jac->n_cols; j++) {
        double largest = 0;
        for (int k = jac->colptr[j]; k < jac->colptr[j + 1] && isnan(w[j]); k++)
            if (g[jac->rowind[k]] > 0)
                largest = fmax(largest, fabs(val[k]) / g[jac->rowind[k]]);
        if (isnan(w[j]) && largest > 0) {
            w[j] = 1 / largest;
            n++;
        }
    }
    return n;
}

/* From the gradient and the diagonal of the Hessian. */
static bool size_cost(const struct nlp *nlp, const double *at, const double *w, struct arena *mem, double *f)
{
    double *grad = arena_alloc(mem, (size_t)nlp->n_w, sizeof *grad);
    double *val = arena_alloc(mem, (size_t)nlp->hess.nnz, sizeof *val);
    double *lambda = arena_alloc(mem, (size_t)nlp->n_g, sizeof *lambda);
    *f = 0;
    if (!nlp->eval_grad(nlp->user, at, true, grad) || !nlp->eval_hess(nlp->user, at, false, 1, lambda, val))
        return false;
    for (int j = 0; j < nlp->n_w; j++)
        *f = fmax(*f, fabs(grad[j]) * w[j]);
    for (int j = 0; j < nlp->hess.n_cols; j++)
        for (int k = nlp->hess.colptr[j]; k < nlp->hess.colptr[j + 1]; k++)
            if (nlp->hess.rowind[k] == j)
                *f = fmax(*f, fabs(val[k]) * w[j] * w[j]);
    return true;
}

const struct nlp_sizes *nlp_sizes_create(const struct nlp *nlp, const double *w, const double *known,
                                         struct arena *mem)
{
    struct arena scratch = { NULL };
    double *val = arena_alloc(&scratch, (size_t)nlp->jac.nnz, sizeof *val);
    struct nlp_sizes *sizes = arena_alloc(mem, 1, sizeof *sizes);
    sizes->w = arena_copy(mem, known, (size_t)nlp->n_w, sizeof(double));
    sizes->g = arena_alloc(mem, (size_t)nlp->n_g, sizeof(double));
    bool finite = nlp->eval_jac(nlp->user, w, true, val);
    int n = 1;
    for (int round = 0; round < ROUNDS && n > 0 && finite; round++) {
        size_rows(&nlp->jac, val, sizes->w, sizes->g);
        n = size_variables(&nlp->jac, val, sizes->g, sizes->w);
    }
    for (int j = 0; j < nlp->n_w; j++)
        sizes->w[j] = power_of_two(sizes->w[j]);
    if (finite)
        size_rows(&nlp->jac, val, sizes->w, sizes->g);
    for (int i = 0; i < nlp->n_g; i++)
        sizes->g[i] = power_of_two(sizes->g[i]);
    finite = finite && size_cost(nlp, w, sizes->w, &scratch, &sizes->f);
    sizes->f = power_of_two(sizes->f);
    arena_free(&scratch);
    return finite ? sizes : NULL;
}

/* --- The program ----------------------------------------------------------------------------------------------- */

struct scaled {
    struct arena mem;               /* owns every array below */
    struct nlp nlp;
    const struct nlp *inner;
    const struct nlp_sizes *sizes;
    double *w, *lambda;             /* [n_w], [n_g] in the units of the program */
    double *jac, *hess;             /* [nnz] factors of the entries */
};

static const double *enter(const struct scaled *scaled, const double *w, bool new_w)
{
    for (int j = 0; j < scaled->nlp.n_w && new_w; j++)
        scaled->w[j] = scaled->sizes->w[j] * w[j];
    return scaled->w;
}

static bool eval_f(void *user, const double *w, bool new_w, double *f)
{
    const struct scaled *scaled = user;
    const bool ok = scaled->inner->eval_f(scaled->inner->user, enter(scaled, w, new_w), new_w, f);
    *f /= scaled->sizes->f;
    return ok;
}

static bool eval_grad(void *user, const double *w, bool new_w, double *grad)
{
    const struct scaled *scaled = user;
    const bool ok = scaled->inner->eval_grad(scaled->inner->user, enter(scaled, w, new_w), new_w, grad);
    for (int j = 0; j < scaled->nlp.n_w; j++)
        grad[j] *= scaled->sizes->w[j] / scaled->sizes->f;
    return ok;
}

static bool eval_g(void *user, const double *w, bool new_w, double *g)
{
    const struct scaled *scaled = user;
    const bool ok = scaled->inner->eval_g(scaled->inner->user, enter(scaled, w, new_w), new_w, g);
    for (int i = 0; i < scaled->nlp.n_g; i++)
        g[i] /= scaled->sizes->g[i];
    return ok;
}

static bool eval_jac(void *user, const double *w, bool new_w, double *val)
{
    const struct scaled *scaled = user;
    const bool ok = scaled->inner->eval_jac(scaled->inner->user, enter(scaled, w, new_w), new_w, val);
    for (int k = 0; k < scaled->nlp.jac.nnz; k++)
        val[k] *= scaled->jac[k];
    return ok;
}

static bool eval_hess(void *user, const double *w, bool new_w, double obj_factor, const double *lambda, double *val)
{
    const struct scaled *scaled = user;
    for (int i = 0; i < scaled->nlp.n_g; i++)
        scaled->lambda[i] = lambda[i] / scaled->sizes->g[i];
    const bool ok = scaled->inner->eval_hess(scaled->inner->user, enter(scaled, w, new_w), new_w,
                                             obj_factor / scaled->sizes->f, scaled->lambda, val);
    for (int k = 0; k < scaled->nlp.hess.nnz; k++)
        val[k] *= scaled->hess[k];
    return ok;
}

static double *divide(struct arena *mem, int n, const double *x, const double *by)
{
    double *out = arena_alloc(mem, (size_t)n, sizeof *out);
    for (int i = 0; i < n; i++)
        out[i] = x[i] / by[i];
    return out;
}

/* Factors of entries (i, j): column[j] row[i], or column[j] / row[i]. */
static double *list_factors(struct arena *mem, const struct sparse *pattern, const double *column,
                            const double *row, bool divides)
{
    double *factor = arena_alloc(mem, (size_t)pattern->nnz, sizeof *factor);
    for (int j = 0; j < pattern->n_cols; j++)
        for (int k = pattern->colptr[j]; k < pattern->colptr[j + 1]; k++)
            factor[k] = divides ? column[j] / row[pattern->rowind[k]] : column[j] * row[pattern->rowind[k]];
    return factor;
}

struct scaled *scaled_create(const struct nlp *nlp)
{
    struct scaled *scaled = mem_alloc(1, sizeof *scaled);
    struct arena *mem = &scaled->mem;
    const struct nlp_sizes *sizes = nlp->sizes;
    scaled->inner = nlp;
    scaled->sizes = sizes;
    scaled->w = arena_alloc(mem, (size_t)nlp->n_w, sizeof(double));
    scaled->lambda = arena_alloc(mem, (size_t)nlp->n_g, sizeof(double));
    scaled->jac = list_factors(mem, &nlp->jac, sizes->w, sizes->g, true);
    scaled->hess = list_factors(mem, &nlp->hess, sizes->w, sizes->w, false);
    scaled->nlp = (struct nlp){
        .n_w = nlp->n_w, .n_g = nlp->n_g, .lbw = divide(mem, nlp->n_w, nlp->lbw, sizes->w),
        .ubw = divide(mem, nlp->n_w, nlp->ubw, sizes->w), .lbg = divide(mem, nlp->n_g, nlp->lbg, sizes->g),
        .ubg = divide(mem, nlp->n_g, nlp->ubg, sizes->g), .jac = nlp->jac, .hess = nlp->hess, .user = scaled,
        .eval_f = eval_f, .eval_grad = eval_grad, .eval_g = eval_g, .eval_jac = eval_jac, .eval_hess = eval_hess };
    return scaled;
}

void scaled_free(struct scaled *scaled)
{
    if (!scaled)
        return;
    arena_free(&scaled->mem);
    free(scaled);
}

const struct nlp *scaled_nlp(const struct scaled *scaled)
{
    return &scaled->nlp;
}

void scaled_enter(const struct scaled *scaled, struct nlp_point *point)
{
    const struct nlp_sizes *sizes = scaled->sizes;
    for (int j = 0; j < scaled->nlp.n_w; j++) {
        point->w[j] /= sizes->w[j];
        if (point->z_lower)
            point->z_lower[j] *= sizes->w[j] / sizes->f;
        if (point->z_upper)
            point->z_upper[j] *= sizes->w[j] / sizes->f;
    }
    for (int i = 0; i < scaled->nlp.n_g && point->lambda; i++)
        point->lambda[i] *= sizes->g[i] / sizes->f;
}

void scaled_leave(const struct scaled *scaled, struct nlp_point *point)
{
    const struct nlp_sizes *sizes = scaled->sizes;
    for (int j = 0; j < scaled->nlp.n_w; j++) {
        point->w[j] *= sizes->w[j];
        if (point->z_lower)
            point->z_lower[j] *= sizes->f / sizes->w[j];
        if (point->z_upper)
            point->z_upper[j] *= sizes->f / sizes->w[j];
    }
    for (int i = 0; i < scaled->nlp.n_g && point->lambda; i++)
        point->lambda[i] *= sizes->f / sizes->g[i];
}
