#include "core/nlp/convex.h"

#include "core/base/arena.h"
#include "core/base/random.h"
#include "core/base/vec.h"
#include "core/kkt/kkt.h"

#include <math.h>

enum { POINTS = 3 };                /* random ones beside w */
#define APART 0.1                   /* of a variable above 1 relative: how far from w they are */
#define SAME 1e-9                   /* relative to the largest entry: what rounding makes of one that is constant */
#define SHIFT 1e-9                  /* the same: of the diagonal, as the eigenvalues of what costs nothing are 0 */

struct judged {
    struct arena mem;               /* owns every array below */
    const struct nlp *nlp;
    bool *free;                     /* [n_w] its bounds leave it a choice */
    double *w, *lambda, *none;      /* [n_w], [n_g], [n_g] */
    double *jac, *hess;             /* [nnz] at the first point */
    double *val;                    /* [most of both nnz] at the present one */
};

/* Entries of columns of free variables; rows, too, if the matrix is the Hessian. */
static bool is_same(const struct judged *at, const struct sparse *pattern, bool is_hess, const double *first,
                    double most)
{
    for (int j = 0; j < pattern->n_cols; j++)
        for (int k = pattern->colptr[j]; k < pattern->colptr[j + 1]; k++) {
            const bool asked = at->free[j] && (!is_hess || at->free[pattern->rowind[k]]);
            if (asked && !(fabs(at->val[k] - (first ? first[k] : 0)) <= SAME * most))
                return false;
        }
    return true;
}

static void move(struct judged *at, const double *w, uint64_t *counter)
{
    const struct nlp *nlp = at->nlp;
    for (int k = 0; k < nlp->n_w; k++) {
        const double moved = w[k] + APART * fmax(1, fabs(w[k])) * random_signed(random_next(counter));
        at->w[k] = at->free[k] ? fmin(fmax(moved, nlp->lbw[k]), nlp->ubw[k]) : w[k];
    }
    for (int k = 0; k < nlp->n_g; k++)
        at->lambda[k] = random_signed(random_next(counter));
}

/* Do constraints bend nowhere, and is the cost a quadratic one? */
static bool is_quadratic(struct judged *at, const double *w)
{
    const struct nlp *nlp = at->nlp;
    uint64_t counter = 0;
    bool same = nlp->eval_jac(nlp->user, w, true, at->jac)
                && nlp->eval_hess(nlp->user, w, false, 1, at->none, at->hess);
    const double most_jac = vec_largest(nlp->jac.nnz, at->jac), most_hess = vec_largest(nlp->hess.nnz, at->hess);
    for (int p = 0; p < POINTS && same; p++) {
        move(at, w, &counter);
        same = nlp->eval_jac(nlp->user, at->w, true, at->val) && is_same(at, &nlp->jac, false, at->jac, most_jac)
               && nlp->eval_hess(nlp->user, at->w, false, 0, at->lambda, at->val)
               && is_same(at, &nlp->hess, true, NULL, fmax(1, most_jac))
               && nlp->eval_hess(nlp->user, at->w, false, 1, at->none, at->val)
               && is_same(at, &nlp->hess, true, at->hess, most_hess);
    }
    return same;
}

/* No eigenvalue of the Hessian of the cost is negative. */
static bool rises(struct judged *at)
{
    const struct sparse *hess = &at->nlp->hess;
    const size_t most = (size_t)(hess->nnz + hess->n_cols);
    int *row = arena_alloc(&at->mem, most, sizeof *row), *col = arena_alloc(&at->mem, most, sizeof *col), n = 0;
    double *val = arena_alloc(&at->mem, most, sizeof *val);
    const double shift = SHIFT * vec_largest(hess->nnz, at->hess);
    for (int j = 0; j < hess->n_cols; j++) {
        for (int k = hess->colptr[j]; k < hess->colptr[j + 1] && at->free[j]; k++)
            if (at->free[hess->rowind[k]]) {
                row[n] = hess->rowind[k];
                col[n] = j;
                val[n++] = at->hess[k];
            }
        row[n] = col[n] = j;
        val[n++] = at->free[j] && shift > 0 ? shift : 1;
    }
    struct kkt *kkt = kkt_create(hess->n_cols, n, row, col);
    const enum kkt_outcome outcome = kkt_factorize(kkt, val, KKT_THRESHOLD, KKT_ANY_INERTIA);
    const bool positive = outcome == KKT_FACTORIZED && kkt_inertia(kkt).negative == 0;
    kkt_free(kkt);
    return positive;
}

bool nlp_is_convex(const struct nlp *nlp, const double *w)
{
    struct judged at = { .nlp = nlp };
    const int most = nlp->jac.nnz > nlp->hess.nnz ? nlp->jac.nnz : nlp->hess.nnz;
    at.free = arena_alloc(&at.mem, (size_t)nlp->n_w, sizeof *at.free);
    at.w = arena_alloc(&at.mem, (size_t)nlp->n_w, sizeof *at.w);
    at.lambda = arena_alloc(&at.mem, (size_t)nlp->n_g, sizeof *at.lambda);
    at.none = arena_alloc(&at.mem, (size_t)nlp->n_g, sizeof *at.none);
    at.jac = arena_alloc(&at.mem, (size_t)nlp->jac.nnz, sizeof *at.jac);
    at.hess = arena_alloc(&at.mem, (size_t)nlp->hess.nnz, sizeof *at.hess);
    at.val = arena_alloc(&at.mem, (size_t)most, sizeof *at.val);
    for (int k = 0; k < nlp->n_w; k++)
        at.free[k] = nlp->lbw[k] < nlp->ubw[k];
    const bool convex = is_quadratic(&at, w) && rises(&at);
    arena_free(&at.mem);
    return convex;
}
