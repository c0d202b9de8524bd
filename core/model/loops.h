/* core/model/loops.h - closed loops as numbers: states are moved onto g(q) = 0, G v = 0
 *
 * Positions by Gauss and Newton, each step the shortest one, with the pseudo-inverse where conditions repeat each
 * other; velocities by one such step.
 * Shapes  x, moves [n_x]; moves: which states may change, NULL: all of them.
 */
#ifndef COCP_CORE_MODEL_LOOPS_H
#define COCP_CORE_MODEL_LOOPS_H

#include "core/model/parts/model.h"

/* What of it is left open, the largest |g|, or |G v|; NaN where that is none. */
double loops_close_positions(const struct model *model, const bool *moves, double *x);
double loops_close_velocities(const struct model *model, const bool *moves, double *x);

/* Both, where the loops do not depend on optimized parameters. */
void loops_close(const struct model *model, double *x);

/* g [n], dg/dq [n * n_position] by columns, G [n * n_q] by columns at x, one after the other in out. */
void loops_eval(const struct model *model, const double *x, double *out);

/* G v of condition k, in a graph that has the model's nodes. */
expr loops_rate(const struct model *model, struct expr_graph *g, int k);

/* Which of n rows of A [n * n_columns] by columns are independent, taken in this order; keeps [n]. How many are. */
int loops_independent(int n, int n_columns, const double *A, bool *keeps);

/* Compiles what loops_close evaluates. */
void loops_compile(struct model *model);

#endif
