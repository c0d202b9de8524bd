#include "core/nlp/joined.h"

#include "core/base/mem.h"
#include "core/base/triplets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One program, with its place in the whole. */
struct part {
    struct joined_part is;
    int first_row;
    double *w, *grad, *jac, *hess;  /* its point, and what it evaluates to */
    int *jac_slot, *hess_slot;      /* entries of the whole that its entries add to */
    int *cost_slot;                 /* [n_w] of the row of its cost, in the worst case; else NULL */
    bool moved;                     /* its callbacks have not seen the point */
};

struct joined {
    struct arena mem;
    struct nlp nlp;
    int n, s;                       /* s: the variable of the worst case, -1: none */
    int *bound_slot;                /* [n] of - s in the rows of costs */
    struct part *part;
};

/* --- The point ----------------------------------------------------------------------------------------------- */

static void take_point(struct joined *joined, const double *w, bool new_w)
{
    for (int k = 0; k < joined->n && new_w; k++) {
        struct part *part = &joined->part[k];
        for (int i = 0; i < part->is.nlp->n_w; i++)
            part->w[i] = w[part->is.var[i]];
        part->moved = true;
    }
}

/* Has the point changed since the last callback of this part? */
static bool is_new(struct part *part)
{
    const bool moved = part->moved;
    part->moved = false;
    return moved;
}

static double factor_of(const struct joined *joined, const struct part *part, double obj_factor,
                        const double *lambda)
{
    return joined->s < 0 ? obj_factor * part->is.weight
                         : lambda[joined->nlp.n_g - joined->n + (part - joined->part)];
}

/* --- Callbacks ----------------------------------------------------------------------------------------------- */

static bool eval_f(void *user, const double *w, bool new_w, double *f)
{
    struct joined *joined = user;
    take_point(joined, w, new_w);
    *f = joined->s < 0 ? 0 : w[joined->s];
    for (int k = 0; k < joined->n && joined->s < 0; k++) {
        struct part *part = &joined->part[k];
        double one;
        if (!part->is.nlp->eval_f(part->is.nlp->user, part->w, is_new(part), &one))
            return false;
        *f += part->is.weight * one;
    }
    return true;
}

static bool eval_grad(void *user, const double *w, bool new_w, double *grad)
{
    struct joined *joined = user;
    take_point(joined, w, new_w);
    memset(grad, 0, (size_t)joined->nlp.n_w * sizeof *grad);
    if (joined->s >= 0)
        grad[joined->s] = 1;
    for (int k = 0; k < joined->n && joined->s < 0; k++) {
        struct part *part = &joined->part[k];
        if (!part->is.nlp->eval_grad(part->is.nlp->user, part->w, is_new(part), part->grad))
            return false;
        for (int i = 0; i < part->is.nlp->n_w; i++)
            grad[part->is.var[i]] += part->is.weight * part->grad[i];
    }
    return true;
}

static bool eval_g(void *user, const double *w, bool new_w, double *g)
{
    struct joined *joined = user;
    take_point(joined, w, new_w);
    for (int k = 0; k < joined->n; k++) {
        struct part *part = &joined->part[k];
        const struct nlp *nlp = part->is.nlp;
        double f;
        if (!nlp->eval_g(nlp->user, part->w, is_new(part), g + part->first_row))
            return false;
        if (joined->s < 0)
            continue;
        if (!nlp->eval_f(nlp->user, part->w, false, &f))
            return false;
        g[joined->nlp.n_g - joined->n + k] = f - w[joined->s];
    }
    return true;
}

static bool add_cost_row(struct joined *joined, struct part *part, double *val)
{
    const struct nlp *nlp = part->is.nlp;
    if (!nlp->eval_grad(nlp->user, part->w, false, part->grad))
        return false;
    for (int i = 0; i < nlp->n_w; i++)
        val[part->cost_slot[i]] += part->grad[i];
    val[joined->bound_slot[part - joined->part]] = -1;
    return true;
}

static bool eval_jac(void *user, const double *w, bool new_w, double *val)
{
    struct joined *joined = user;
    take_point(joined, w, new_w);
    memset(val, 0, (size_t)joined->nlp.jac.nnz * sizeof *val);
    for (int k = 0; k < joined->n; k++) {
        struct part *part = &joined->part[k];
        const struct nlp *nlp = part->is.nlp;
        if (!nlp->eval_jac(nlp->user, part->w, is_new(part), part->jac))
            return false;
        for (int i = 0; i < nlp->jac.nnz; i++)
            val[part->jac_slot[i]] += part->jac[i];
        if (joined->s >= 0 && !add_cost_row(joined, part, val))
            return false;
    }
    return true;
}

static bool eval_hess(void *user, const double *w, bool new_w, double obj_factor, const double *lambda, double *val)
{
    struct joined *joined = user;
    take_point(joined, w, new_w);
    memset(val, 0, (size_t)joined->nlp.hess.nnz * sizeof *val);
    for (int k = 0; k < joined->n; k++) {
        struct part *part = &joined->part[k];
        const struct nlp *nlp = part->is.nlp;
        const double factor = factor_of(joined, part, obj_factor, lambda);
        if (!nlp->eval_hess(nlp->user, part->w, is_new(part), factor, lambda + part->first_row, part->hess))
            return false;
        for (int i = 0; i < nlp->hess.nnz; i++)
            val[part->hess_slot[i]] += part->hess[i];
    }
    return true;
}

/* --- Patterns ------------------------------------------------------------------------------------------------ */

/* The entries of one part, at their places in the whole. */
static void add_entries(struct triplets *list, const struct sparse *of, const int *var, int first_row)
{
    for (int j = 0; j < of->n_cols; j++)
        for (int i = of->colptr[j]; i < of->colptr[j + 1]; i++)
            triplets_add(list, first_row + of->rowind[i], var[j]);
}

static void add_hessian(struct triplets *list, const struct sparse *of, const int *var)
{
    for (int j = 0; j < of->n_cols; j++)
        for (int i = of->colptr[j]; i < of->colptr[j + 1]; i++)
            triplets_add_lower(list, var[of->rowind[i]], var[j]);
}

static int *next_slots(struct joined *joined, const struct triplets *list, int *from, int n)
{
    int *slot = arena_copy(&joined->mem, list->slot + *from, (size_t)n, sizeof *slot);
    *from += n;
    return slot;
}

static void find_jacobian(struct joined *joined)
{
    struct triplets list = { 0 };
    int from = 0;
    for (int k = 0; k < joined->n; k++)
        add_entries(&list, &joined->part[k].is.nlp->jac, joined->part[k].is.var, joined->part[k].first_row);
    for (int k = 0; k < joined->n && joined->s >= 0; k++) {
        const int row = joined->nlp.n_g - joined->n + k;
        for (int i = 0; i < joined->part[k].is.nlp->n_w; i++)
            triplets_add(&list, row, joined->part[k].is.var[i]);
        triplets_add(&list, row, joined->s);
    }
    joined->nlp.jac = triplets_finish(&list, &joined->mem, joined->nlp.n_g, joined->nlp.n_w);
    for (int k = 0; k < joined->n; k++)
        joined->part[k].jac_slot = next_slots(joined, &list, &from, joined->part[k].is.nlp->jac.nnz);
    for (int k = 0; k < joined->n && joined->s >= 0; k++) {
        joined->part[k].cost_slot = next_slots(joined, &list, &from, joined->part[k].is.nlp->n_w);
        joined->bound_slot[k] = *next_slots(joined, &list, &from, 1);
    }
    triplets_free(&list);
}

static void find_hessian(struct joined *joined)
{
    struct triplets list = { 0 };
    int from = 0;
    for (int k = 0; k < joined->n; k++)
        add_hessian(&list, &joined->part[k].is.nlp->hess, joined->part[k].is.var);
    joined->nlp.hess = triplets_finish(&list, &joined->mem, joined->nlp.n_w, joined->nlp.n_w);
    for (int k = 0; k < joined->n; k++)
        joined->part[k].hess_slot = next_slots(joined, &list, &from, joined->part[k].is.nlp->hess.nnz);
    triplets_free(&list);
}

/* --- Bounds -------------------------------------------------------------------------------------------------- */

static double *filled(struct arena *mem, int n, double value)
{
    double *list = arena_alloc(mem, (size_t)n, sizeof *list);
    for (int i = 0; i < n; i++)
        list[i] = value;
    return list;
}

static void find_bounds(struct joined *joined)
{
    double *lbw = filled(&joined->mem, joined->nlp.n_w, -INFINITY),
           *ubw = filled(&joined->mem, joined->nlp.n_w, INFINITY);
    double *lbg = filled(&joined->mem, joined->nlp.n_g, -INFINITY), *ubg = filled(&joined->mem, joined->nlp.n_g, 0);
    for (int k = 0; k < joined->n; k++) {
        const struct part *part = &joined->part[k];
        const struct nlp *nlp = part->is.nlp;
        for (int i = 0; i < nlp->n_w; i++) {
            double *lb = &lbw[part->is.var[i]], *ub = &ubw[part->is.var[i]];
            *lb = fmax(*lb, nlp->lbw[i]);
            *ub = fmin(*ub, nlp->ubw[i]);
        }
        for (int i = 0; i < nlp->n_g; i++) {
            lbg[part->first_row + i] = nlp->lbg[i];
            ubg[part->first_row + i] = nlp->ubg[i];
        }
    }
    joined->nlp.lbw = lbw;
    joined->nlp.ubw = ubw;
    joined->nlp.lbg = lbg;
    joined->nlp.ubg = ubg;
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static struct part part_of(struct arena *mem, const struct joined_part *given, int first_row)
{
    const struct nlp *nlp = given->nlp;
    const size_t n_w = (size_t)nlp->n_w;
    return (struct part){
        .is = *given, .first_row = first_row,
        .w = arena_alloc(mem, n_w, sizeof(double)), .grad = arena_alloc(mem, n_w, sizeof(double)),
        .jac = arena_alloc(mem, (size_t)nlp->jac.nnz, sizeof(double)),
        .hess = arena_alloc(mem, (size_t)nlp->hess.nnz, sizeof(double))
    };
}

struct joined *joined_create(int n, const struct joined_part *part, int n_w, bool worst)
{
    struct joined *joined = mem_alloc(1, sizeof *joined);
    joined->n = n;
    joined->s = worst ? n_w : -1;
    joined->part = arena_alloc(&joined->mem, (size_t)n, sizeof *joined->part);
    joined->bound_slot = arena_alloc(&joined->mem, (size_t)n, sizeof *joined->bound_slot);
    joined->nlp = (struct nlp){ .n_w = n_w + worst, .user = joined, .eval_f = eval_f, .eval_grad = eval_grad,
                               .eval_g = eval_g, .eval_jac = eval_jac, .eval_hess = eval_hess };
    for (int k = 0; k < n; k++) {
        joined->part[k] = part_of(&joined->mem, &part[k], joined->nlp.n_g);
        joined->nlp.n_g += part[k].nlp->n_g;
    }
    joined->nlp.n_g += worst ? n : 0;
    find_bounds(joined);
    find_jacobian(joined);
    find_hessian(joined);
    return joined;
}

void joined_free(struct joined *joined)
{
    if (!joined)
        return;
    arena_free(&joined->mem);
    free(joined);
}

const struct nlp *joined_nlp(const struct joined *joined)
{
    return &joined->nlp;
}
