/* transcription/program/pointfun.h - a function of the quantities at one point of the grid, with its exact
 * derivatives
 *
 *   F : R^n_in -> R^n_out,   sparse Jacobian,   lower triangle of the Hessian of m'F
 *
 * One tape for each; the same function is evaluated at all points of its kind in one go (tape.h). Inputs are
 * called slots: block.h says which variables of the program fill them.
 *
 * Shapes  slots [n_in], values [n_out]; nonzeros of the Jacobian [n_jac], of the Hessian [n_hess].
 */
#ifndef COCP_TRANSCRIPTION_PROGRAM_POINTFUN_H
#define COCP_TRANSCRIPTION_PROGRAM_POINTFUN_H

#include "core/base/arena.h"
#include "core/expression/expr.h"
#include "core/expression/tape.h"

struct pointfun {
    struct arena mem;               /* owns the arrays */
    int n_in, n_out;
    struct tape *value;             /* in -> F */
    struct tape *jac;               /* in -> nonzeros of the Jacobian */
    struct tape *hess;              /* (in, m) -> nonzeros of the Hessian of m'F */
    int n_jac, *jac_out, *jac_in;   /* [n_jac] entry k is d F_(jac_out) / d in_(jac_in) */
    int n_hess, *hess_row, *hess_col;   /* [n_hess] slots, row >= col */
    struct expr_graph *graph;       /* borrowed */
    expr *in, *out;                 /* [n_in], [n_out]: for tracing a NaN back to its expression */
};

/* in [n_in] symbols and out [n_out] of the graph, both copied. */
struct pointfun *pointfun_create(struct expr_graph *g, int n_in, const expr *in, int n_out, const expr *out);
void pointfun_free(struct pointfun *fun);

#endif
