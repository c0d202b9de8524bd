/* core/model/mass.h - linear equations of a mass matrix, solved as expressions
 *
 * Elimination without pivots, as the matrix is positive definite wherever the model has a motion; entries that
 * are 0 for good cost nothing.
 */
#ifndef COCP_CORE_MODEL_MASS_H
#define COCP_CORE_MODEL_MASS_H

#include "core/expression/expr.h"

/* M x = b: M [n * n] by columns, b [n] becomes x. */
void mass_solve(struct expr_graph *g, int n, const expr *M, expr *b);

#endif
