#include "transcription/phases/tied.h"

#include "core/base/mem.h"
#include "transcription/phases/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct nlp *nlp_of(const struct tied *tied, int k)
{
    return &tied->part[k].ph->mpcc.nlp;
}

/* Variable of parameter i in part k. */
static int parameter(const struct tied *tied, int k, int i)
{
    return tied->w0[k] + tied->part[k].ph->p + i;
}

/* --- Callbacks --------------------------------------------------------------------------------------------------- */

static bool eval_f(void *user, const double *w, bool new_w, double *f)
{
    const struct tied *tied = user;
    bool finite = true;
    *f = 0;
    for (int k = 0; k < tied->n_part; k++) {
        double one = 0;
        finite = nlp_of(tied, k)->eval_f(nlp_of(tied, k)->user, w + tied->w0[k], new_w, &one) && finite;
        *f += one;
    }
    return finite;
}

static bool eval_grad(void *user, const double *w, bool new_w, double *grad)
{
    const struct tied *tied = user;
    bool finite = true;
    for (int k = 0; k < tied->n_part; k++)
        finite = nlp_of(tied, k)->eval_grad(nlp_of(tied, k)->user, w + tied->w0[k], new_w, grad + tied->w0[k]) && finite;
    return finite;
}

static bool eval_g(void *user, const double *w, bool new_w, double *g)
{
    const struct tied *tied = user;
    bool finite = true;
    for (int k = 0; k < tied->n_part; k++)
        finite = nlp_of(tied, k)->eval_g(nlp_of(tied, k)->user, w + tied->w0[k], new_w, g + tied->g0[k]) && finite;
    double *tie = g + tied->g0[tied->n_part];
    for (int k = 1; k < tied->n_part; k++)
        for (int i = 0; i < tied->n_p; i++)
            *tie++ = w[parameter(tied, k, i)] - w[parameter(tied, 0, i)];
    return finite;
}

static bool eval_jac(void *user, const double *w, bool new_w, double *val)
{
    const struct tied *tied = user;
    bool finite = true;
    for (int k = 0; k < tied->n_part; k++)
        finite = nlp_of(tied, k)->eval_jac(nlp_of(tied, k)->user, w + tied->w0[k], new_w, tied->scratch + tied->jac0[k])
                 && finite;
    for (int e = 0; e < tied->nlp.jac.nnz; e++)
        val[e] = 0;
    for (int k = 0; k < tied->n_part; k++)
        for (int i = 0; i < tied->n_p; i++) {
            const int col = parameter(tied, k, i);
            for (int e = tied->nlp.jac.colptr[col]; e < tied->nlp.jac.colptr[col + 1]; e++)
                if (tied->nlp.jac.rowind[e] >= tied->g0[tied->n_part])
                    val[e] = k ? 1 : -1;
        }
    for (int e = 0; e < tied->jac0[tied->n_part]; e++)
        val[tied->jac_at[e]] = tied->scratch[e];
    return finite;
}

static bool eval_hess(void *user, const double *w, bool new_w, double obj_factor, const double *lambda, double *val)
{
    const struct tied *tied = user;
    bool finite = true;
    for (int k = 0; k < tied->n_part; k++)
        finite = nlp_of(tied, k)->eval_hess(nlp_of(tied, k)->user, w + tied->w0[k], new_w, obj_factor,
                                             lambda + tied->g0[k], val + tied->hess0[k]) && finite;
    return finite;
}

/* --- Putting it together ----------------------------------------------------------------------------------------- */

static void count(struct tied *tied)
{
    const size_t n = (size_t)tied->n_part + 1;
    tied->w0 = arena_alloc(&tied->mem, n, sizeof(int));
    tied->g0 = arena_alloc(&tied->mem, n, sizeof(int));
    tied->jac0 = arena_alloc(&tied->mem, n, sizeof(int));
    tied->hess0 = arena_alloc(&tied->mem, n, sizeof(int));
    for (int k = 0; k < tied->n_part; k++) {
        const struct nlp *nlp = nlp_of(tied, k);
        tied->w0[k + 1] = tied->w0[k] + nlp->n_w;
        tied->g0[k + 1] = tied->g0[k] + nlp->n_g;
        tied->jac0[k + 1] = tied->jac0[k] + nlp->jac.nnz;
        tied->hess0[k + 1] = tied->hess0[k] + nlp->hess.nnz;
    }
}

static void join_bounds(struct tied *tied, int n_tie)
{
    struct nlp *nlp = &tied->nlp;
    double *lbw = arena_alloc(&tied->mem, (size_t)nlp->n_w, sizeof *lbw), *ubw = arena_alloc(&tied->mem, (size_t)nlp->n_w, sizeof *ubw);
    double *lbg = arena_alloc(&tied->mem, (size_t)nlp->n_g, sizeof *lbg), *ubg = arena_alloc(&tied->mem, (size_t)nlp->n_g, sizeof *ubg);
    for (int k = 0; k < tied->n_part; k++) {
        const struct nlp *one = nlp_of(tied, k);
        const size_t n_w = (size_t)one->n_w * sizeof(double), n_g = (size_t)one->n_g * sizeof(double);
        memcpy(lbw + tied->w0[k], one->lbw, n_w);
        memcpy(ubw + tied->w0[k], one->ubw, n_w);
        memcpy(lbg + tied->g0[k], one->lbg, n_g);
        memcpy(ubg + tied->g0[k], one->ubg, n_g);
    }
    for (int k = 0; k < n_tie; k++)
        lbg[nlp->n_g - n_tie + k] = ubg[nlp->n_g - n_tie + k] = 0;
    nlp->lbw = lbw;
    nlp->ubw = ubw;
    nlp->lbg = lbg;
    nlp->ubg = ubg;
}

/* Columns of the programs one after the other; those of parameters go on with their ties. */
static void join_jacobian(struct tied *tied, int n_tie)
{
    struct sparse *jac = &tied->nlp.jac;
    const int n_p = tied->n_p, most = tied->jac0[tied->n_part] + 2 * n_tie, first = tied->g0[tied->n_part];
    int *colptr = arena_alloc(&tied->mem, (size_t)tied->nlp.n_w + 1, sizeof(int)), n = 0;
    int *rowind = arena_alloc(&tied->mem, (size_t)most, sizeof(int));
    tied->jac_at = arena_alloc(&tied->mem, (size_t)tied->jac0[tied->n_part], sizeof(int));
    for (int k = 0; k < tied->n_part; k++) {
        const struct sparse *one = &nlp_of(tied, k)->jac;
        for (int col = 0; col < nlp_of(tied, k)->n_w; col++) {
            const int i = col - tied->part[k].ph->p;
            colptr[tied->w0[k] + col] = n;
            for (int e = one->colptr[col]; e < one->colptr[col + 1]; e++) {
                tied->jac_at[tied->jac0[k] + e] = n;
                rowind[n++] = tied->g0[k] + one->rowind[e];
            }
            for (int l = 1; l < tied->n_part && i >= 0 && i < n_p; l++)
                if (k == 0 || k == l)
                    rowind[n++] = first + (l - 1) * n_p + i;
        }
    }
    colptr[tied->nlp.n_w] = n;
    *jac = (struct sparse){ .n_rows = tied->nlp.n_g, .n_cols = tied->nlp.n_w, .nnz = n, .colptr = colptr, .rowind = rowind };
}

static void join_hessian(struct tied *tied)
{
    const int nnz = tied->hess0[tied->n_part];
    int *colptr = arena_alloc(&tied->mem, (size_t)tied->nlp.n_w + 1, sizeof(int));
    int *rowind = arena_alloc(&tied->mem, (size_t)nnz, sizeof(int));
    for (int k = 0; k < tied->n_part; k++) {
        const struct sparse *one = &nlp_of(tied, k)->hess;
        for (int col = 0; col < nlp_of(tied, k)->n_w; col++)
            colptr[tied->w0[k] + col] = tied->hess0[k] + one->colptr[col];
        for (int e = 0; e < one->nnz; e++)
            rowind[tied->hess0[k] + e] = tied->w0[k] + one->rowind[e];
    }
    colptr[tied->nlp.n_w] = nnz;
    tied->nlp.hess = (struct sparse){ .n_rows = tied->nlp.n_w, .n_cols = tied->nlp.n_w, .nnz = nnz, .colptr = colptr,
                                       .rowind = rowind };
}

/* To the joint point, or back to the parts. */
static void move_point(struct tied *tied, bool back)
{
    for (int k = 0; k < tied->n_part; k++) {
        const struct nlp *nlp = nlp_of(tied, k);
        struct finish *part = &tied->part[k];
        double *const own[] = { part->w, part->z_lower, part->z_upper, part->lambda };
        double *const all[] = { tied->point.w + tied->w0[k], tied->point.z_lower + tied->w0[k],
                                tied->point.z_upper + tied->w0[k], tied->point.lambda + tied->g0[k] };
        for (int a = 0; a < 4; a++)
            memcpy(back ? own[a] : all[a], back ? all[a] : own[a], (size_t)(a < 3 ? nlp->n_w : nlp->n_g) * sizeof(double));
    }
}

struct tied *tied_create(int n_part, struct finish *part)
{
    struct tied *tied = mem_alloc(1, sizeof *tied);
    tied->n_part = n_part;
    tied->part = part;
    tied->n_p = part[0].ph->sys->model->n_p;
    const int n_tie = (n_part - 1) * tied->n_p;
    count(tied);
    tied->nlp = (struct nlp){ .n_w = tied->w0[n_part], .n_g = tied->g0[n_part] + n_tie, .user = tied, .eval_f = eval_f,
                               .eval_grad = eval_grad, .eval_g = eval_g, .eval_jac = eval_jac, .eval_hess = eval_hess };
    join_bounds(tied, n_tie);
    join_jacobian(tied, n_tie);
    join_hessian(tied);
    tied->scratch = arena_alloc(&tied->mem, (size_t)tied->jac0[n_part], sizeof(double));
    const size_t n_w = (size_t)tied->nlp.n_w;
    tied->point = (struct nlp_point){ arena_alloc(&tied->mem, n_w, sizeof(double)),
                                       arena_alloc(&tied->mem, (size_t)tied->nlp.n_g, sizeof(double)),
                                       arena_alloc(&tied->mem, n_w, sizeof(double)), arena_alloc(&tied->mem, n_w, sizeof(double)) };
    move_point(tied, false);
    return tied;
}

void tied_free(struct tied *tied)
{
    if (!tied)
        return;
    arena_free(&tied->mem);
    free(tied);
}

/* --- Solving ----------------------------------------------------------------------------------------------------- */

static bool run(const struct finish_task *task, int n_part, struct finish *part, struct diag *diag)
{
    struct tied *tied = tied_create(n_part, part);
    const struct nlp_settings settings = finish_nlp_settings(task, FINISH_WARM, FINISH_MAX_ITER);
    struct nlp_info info = { .outcome = NLP_REFUSED };
    const enum status st = nlp_solve(&tied->nlp, &settings, &tied->point, NULL, NULL, &info, diag);
    const bool solved = st == STATUS_OK && (info.outcome == NLP_SOLVED || info.outcome == NLP_ACCEPTABLE);
    move_point(tied, true);
    for (int k = 0; k < n_part; k++) {
        part[k].objective = program_cost(part[k].ph->prog, part[k].w);
        part[k].violation = mpcc_violation(&part[k].ph->mpcc, part[k].w);
        part[k].solved = solved;
        part[k].iterations += info.iterations;
    }
    tied_free(tied);
    return solved;
}

static bool any_moved(int n_part, const struct finish *part)
{
    bool moved = false;
    for (int k = 0; k < n_part; k++)
        moved = moved || phases_moments_moved(part[k].ph, part[k].w);
    return moved;
}

double tied_solve(const struct finish_task *task, int n_part, struct finish *part, struct diag *diag)
{
    bool solved = run(task, n_part, part, diag);
    for (int round = 1; round < MOMENT_ROUNDS && any_moved(n_part, part); round++) {
        for (int k = 0; k < n_part; k++)
            if (finish_place_moments(&task[k], round >= MOMENT_FREE, &part[k], diag) != STATUS_OK)
                return INFINITY;
        solved = run(task, n_part, part, diag);
    }
    double sum = 0;
    for (int k = 0; k < n_part; k++)
        sum += part[k].objective;
    return solved && !any_moved(n_part, part) ? sum : INFINITY;
}
