/* core/expression/diff.h - exact derivatives, as expressions in the same graph
 *
 * Shapes  a sparse matrix of expressions lists its structural nonzeros by columns, rows ascending within a
 *         column; of a Hessian only the lower triangle (row >= col).
 * Errors  none: nonsmooth nodes must have been replaced before (nonsmooth.h); meeting one is our mistake.
 */
#ifndef COCP_CORE_EXPRESSION_DIFF_H
#define COCP_CORE_EXPRESSION_DIFF_H

#include "core/expression/expr.h"

struct expr_sparse {
    int n_rows, n_cols, nnz;
    int *row, *col;                 /* [nnz] */
    expr *val;                      /* [nnz] */
};

/* Gradient of e: grad[k] = d e / d sym[k] (a zero constant where e does not depend on it). Reverse mode. */
void expr_gradient(struct expr_graph *g, expr e, int n_sym, const expr *sym, expr *grad);

/* Jacobian d e_i / d sym_j of n expressions. */
struct expr_sparse expr_jacobian(struct expr_graph *g, int n, const expr *e, int n_sym, const expr *sym);

/* Lower triangle of the Hessian of e. */
struct expr_sparse expr_hessian(struct expr_graph *g, expr e, int n_sym, const expr *sym);

/* Directional derivative sum_k (d e / d sym[k]) dir[k]; forward mode. ddt() of specs is this. */
expr expr_directional(struct expr_graph *g, expr e, int n_sym, const expr *sym, const expr *dir);

void expr_sparse_free(struct expr_sparse *m);

#endif
