#include "transcription/phases/joint.h"

#include "core/base/mem.h"
#include "transcription/phases/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct nlp *nlp_of(const struct joint *joint, int k)
{
    return &joint->part[k].ph->mpcc.nlp;
}

/* Variable of parameter i in part k. */
static int parameter(const struct joint *joint, int k, int i)
{
    return joint->w0[k] + joint->part[k].ph->p + i;
}

/* --- Callbacks --------------------------------------------------------------------------------------------------- */

static bool eval_f(void *user, const double *w, bool new_w, double *f)
{
    const struct joint *joint = user;
    bool finite = true;
    *f = 0;
    for (int k = 0; k < joint->n_part; k++) {
        double one = 0;
        finite = nlp_of(joint, k)->eval_f(nlp_of(joint, k)->user, w + joint->w0[k], new_w, &one) && finite;
        *f += one;
    }
    return finite;
}

static bool eval_grad(void *user, const double *w, bool new_w, double *grad)
{
    const struct joint *joint = user;
    bool finite = true;
    for (int k = 0; k < joint->n_part; k++)
        finite = nlp_of(joint, k)->eval_grad(nlp_of(joint, k)->user, w + joint->w0[k], new_w, grad + joint->w0[k]) && finite;
    return finite;
}

static bool eval_g(void *user, const double *w, bool new_w, double *g)
{
    const struct joint *joint = user;
    bool finite = true;
    for (int k = 0; k < joint->n_part; k++)
        finite = nlp_of(joint, k)->eval_g(nlp_of(joint, k)->user, w + joint->w0[k], new_w, g + joint->g0[k]) && finite;
    double *tie = g + joint->g0[joint->n_part];
    for (int k = 1; k < joint->n_part; k++)
        for (int i = 0; i < joint->n_p; i++)
            *tie++ = w[parameter(joint, k, i)] - w[parameter(joint, 0, i)];
    return finite;
}

static bool eval_jac(void *user, const double *w, bool new_w, double *val)
{
    const struct joint *joint = user;
    bool finite = true;
    for (int k = 0; k < joint->n_part; k++)
        finite = nlp_of(joint, k)->eval_jac(nlp_of(joint, k)->user, w + joint->w0[k], new_w, joint->scratch + joint->jac0[k])
                 && finite;
    for (int e = 0; e < joint->nlp.jac.nnz; e++)
        val[e] = 0;
    for (int k = 0; k < joint->n_part; k++)
        for (int i = 0; i < joint->n_p; i++) {
            const int col = parameter(joint, k, i);
            for (int e = joint->nlp.jac.colptr[col]; e < joint->nlp.jac.colptr[col + 1]; e++)
                if (joint->nlp.jac.rowind[e] >= joint->g0[joint->n_part])
                    val[e] = k ? 1 : -1;
        }
    for (int e = 0; e < joint->jac0[joint->n_part]; e++)
        val[joint->jac_at[e]] = joint->scratch[e];
    return finite;
}

static bool eval_hess(void *user, const double *w, bool new_w, double obj_factor, const double *lambda, double *val)
{
    const struct joint *joint = user;
    bool finite = true;
    for (int k = 0; k < joint->n_part; k++)
        finite = nlp_of(joint, k)->eval_hess(nlp_of(joint, k)->user, w + joint->w0[k], new_w, obj_factor,
                                             lambda + joint->g0[k], val + joint->hess0[k]) && finite;
    return finite;
}

/* --- Putting it together ----------------------------------------------------------------------------------------- */

static void count(struct joint *joint)
{
    const size_t n = (size_t)joint->n_part + 1;
    joint->w0 = arena_alloc(&joint->mem, n, sizeof(int));
    joint->g0 = arena_alloc(&joint->mem, n, sizeof(int));
    joint->jac0 = arena_alloc(&joint->mem, n, sizeof(int));
    joint->hess0 = arena_alloc(&joint->mem, n, sizeof(int));
    for (int k = 0; k < joint->n_part; k++) {
        const struct nlp *nlp = nlp_of(joint, k);
        joint->w0[k + 1] = joint->w0[k] + nlp->n_w;
        joint->g0[k + 1] = joint->g0[k] + nlp->n_g;
        joint->jac0[k + 1] = joint->jac0[k] + nlp->jac.nnz;
        joint->hess0[k + 1] = joint->hess0[k] + nlp->hess.nnz;
    }
}

static void join_bounds(struct joint *joint, int n_tie)
{
    struct nlp *nlp = &joint->nlp;
    double *lbw = arena_alloc(&joint->mem, (size_t)nlp->n_w, sizeof *lbw), *ubw = arena_alloc(&joint->mem, (size_t)nlp->n_w, sizeof *ubw);
    double *lbg = arena_alloc(&joint->mem, (size_t)nlp->n_g, sizeof *lbg), *ubg = arena_alloc(&joint->mem, (size_t)nlp->n_g, sizeof *ubg);
    for (int k = 0; k < joint->n_part; k++) {
        const struct nlp *one = nlp_of(joint, k);
        const size_t n_w = (size_t)one->n_w * sizeof(double), n_g = (size_t)one->n_g * sizeof(double);
        memcpy(lbw + joint->w0[k], one->lbw, n_w);
        memcpy(ubw + joint->w0[k], one->ubw, n_w);
        memcpy(lbg + joint->g0[k], one->lbg, n_g);
        memcpy(ubg + joint->g0[k], one->ubg, n_g);
    }
    for (int k = 0; k < n_tie; k++)
        lbg[nlp->n_g - n_tie + k] = ubg[nlp->n_g - n_tie + k] = 0;
    nlp->lbw = lbw;
    nlp->ubw = ubw;
    nlp->lbg = lbg;
    nlp->ubg = ubg;
}

/* Columns of the programs one after the other; those of parameters go on with their ties. */
static void join_jacobian(struct joint *joint, int n_tie)
{
    struct sparse *jac = &joint->nlp.jac;
    const int n_p = joint->n_p, most = joint->jac0[joint->n_part] + 2 * n_tie, first = joint->g0[joint->n_part];
    int *colptr = arena_alloc(&joint->mem, (size_t)joint->nlp.n_w + 1, sizeof(int)), n = 0;
    int *rowind = arena_alloc(&joint->mem, (size_t)most, sizeof(int));
    joint->jac_at = arena_alloc(&joint->mem, (size_t)joint->jac0[joint->n_part], sizeof(int));
    for (int k = 0; k < joint->n_part; k++) {
        const struct sparse *one = &nlp_of(joint, k)->jac;
        for (int col = 0; col < nlp_of(joint, k)->n_w; col++) {
            const int i = col - joint->part[k].ph->p;
            colptr[joint->w0[k] + col] = n;
            for (int e = one->colptr[col]; e < one->colptr[col + 1]; e++) {
                joint->jac_at[joint->jac0[k] + e] = n;
                rowind[n++] = joint->g0[k] + one->rowind[e];
            }
            for (int l = 1; l < joint->n_part && i >= 0 && i < n_p; l++)
                if (k == 0 || k == l)
                    rowind[n++] = first + (l - 1) * n_p + i;
        }
    }
    colptr[joint->nlp.n_w] = n;
    *jac = (struct sparse){ .n_rows = joint->nlp.n_g, .n_cols = joint->nlp.n_w, .nnz = n, .colptr = colptr, .rowind = rowind };
}

static void join_hessian(struct joint *joint)
{
    const int nnz = joint->hess0[joint->n_part];
    int *colptr = arena_alloc(&joint->mem, (size_t)joint->nlp.n_w + 1, sizeof(int));
    int *rowind = arena_alloc(&joint->mem, (size_t)nnz, sizeof(int));
    for (int k = 0; k < joint->n_part; k++) {
        const struct sparse *one = &nlp_of(joint, k)->hess;
        for (int col = 0; col < nlp_of(joint, k)->n_w; col++)
            colptr[joint->w0[k] + col] = joint->hess0[k] + one->colptr[col];
        for (int e = 0; e < one->nnz; e++)
            rowind[joint->hess0[k] + e] = joint->w0[k] + one->rowind[e];
    }
    colptr[joint->nlp.n_w] = nnz;
    joint->nlp.hess = (struct sparse){ .n_rows = joint->nlp.n_w, .n_cols = joint->nlp.n_w, .nnz = nnz, .colptr = colptr,
                                       .rowind = rowind };
}

/* To the joint point, or back to the parts. */
static void move_point(struct joint *joint, bool back)
{
    for (int k = 0; k < joint->n_part; k++) {
        const struct nlp *nlp = nlp_of(joint, k);
        struct finish *part = &joint->part[k];
        double *const own[] = { part->w, part->z_lower, part->z_upper, part->lambda };
        double *const all[] = { joint->point.w + joint->w0[k], joint->point.z_lower + joint->w0[k],
                                joint->point.z_upper + joint->w0[k], joint->point.lambda + joint->g0[k] };
        for (int a = 0; a < 4; a++)
            memcpy(back ? own[a] : all[a], back ? all[a] : own[a], (size_t)(a < 3 ? nlp->n_w : nlp->n_g) * sizeof(double));
    }
}

struct joint *joint_create(int n_part, struct finish *part)
{
    struct joint *joint = mem_alloc(1, sizeof *joint);
    joint->n_part = n_part;
    joint->part = part;
    joint->n_p = part[0].ph->sys->model->n_p;
    const int n_tie = (n_part - 1) * joint->n_p;
    count(joint);
    joint->nlp = (struct nlp){ .n_w = joint->w0[n_part], .n_g = joint->g0[n_part] + n_tie, .user = joint, .eval_f = eval_f,
                               .eval_grad = eval_grad, .eval_g = eval_g, .eval_jac = eval_jac, .eval_hess = eval_hess };
    join_bounds(joint, n_tie);
    join_jacobian(joint, n_tie);
    join_hessian(joint);
    joint->scratch = arena_alloc(&joint->mem, (size_t)joint->jac0[n_part], sizeof(double));
    const size_t n_w = (size_t)joint->nlp.n_w;
    joint->point = (struct nlp_point){ arena_alloc(&joint->mem, n_w, sizeof(double)),
                                       arena_alloc(&joint->mem, (size_t)joint->nlp.n_g, sizeof(double)),
                                       arena_alloc(&joint->mem, n_w, sizeof(double)), arena_alloc(&joint->mem, n_w, sizeof(double)) };
    move_point(joint, false);
    return joint;
}

void joint_free(struct joint *joint)
{
    if (!joint)
        return;
    arena_free(&joint->mem);
    free(joint);
}

/* --- Solving ----------------------------------------------------------------------------------------------------- */

static bool run(const struct finish_task *task, int n_part, struct finish *part, struct diag *diag)
{
    struct joint *joint = joint_create(n_part, part);
    const struct nlp_settings settings = finish_nlp_settings(task, FINISH_WARM, FINISH_MAX_ITER);
    struct nlp_info info = { .outcome = NLP_REFUSED };
    const enum status st = nlp_solve(&joint->nlp, &settings, &joint->point, NULL, NULL, &info, diag);
    const bool solved = st == STATUS_OK && (info.outcome == NLP_SOLVED || info.outcome == NLP_ACCEPTABLE);
    move_point(joint, true);
    for (int k = 0; k < n_part; k++) {
        part[k].objective = program_cost(part[k].ph->prog, part[k].w);
        part[k].violation = mpcc_violation(&part[k].ph->mpcc, part[k].w);
        part[k].solved = solved;
        part[k].iterations += info.iterations;
    }
    joint_free(joint);
    return solved;
}

static bool any_moved(int n_part, const struct finish *part)
{
    bool moved = false;
    for (int k = 0; k < n_part; k++)
        moved = moved || phases_moments_moved(part[k].ph, part[k].w);
    return moved;
}

double joint_solve(const struct finish_task *task, int n_part, struct finish *part, struct diag *diag)
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
