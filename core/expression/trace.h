/* core/expression/trace.h - where a NaN or an infinity was born
 *
 * Re-evaluates at one point, node by node, and finds the first node whose value is not finite while its
 * arguments are.
 */
#ifndef COCP_CORE_EXPRESSION_TRACE_H
#define COCP_CORE_EXPRESSION_TRACE_H

#include "core/expression/expr.h"

/* Writes into text (size bytes) something like
 *   "log(x - 1) is not finite: x - 1 = -0.5 (x = 0.5)"
 * and returns the spec position of that node or of the nearest enclosing one that has a position; returns a
 * position with line 0 and an empty text if e is finite there. */
struct srcpos expr_trace(const struct expr_graph *g, expr e, int n_sym, const expr *sym, const double *value,
                         char *text, size_t size);

/* Is e infinite or NaN whatever the symbols are, as inf, 1/0 and x + inf? A few operations are looked through,
 * and only the nodes next to e: false says nothing. */
bool expr_is_never_finite(const struct expr_graph *g, expr e);

#endif
