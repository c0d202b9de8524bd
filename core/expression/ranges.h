/* core/expression/ranges.h - what expressions can be while their symbols are anywhere in a box
 *
 *   range       interval arithmetic, operation by operation: contains every value, and more where a symbol occurs twice
 *   simple      no operation bends more over the range of its argument than a few samples show: sin and exp run over
 *               less than SIMPLE_WIDTH, 1/y, log y and y^b over less than a factor SIMPLE_RATIO, a table over few of
 *               its pieces. A function that is simple over a box has no spike there that is narrow compared with the
 *               box.
 *
 * For times between the samples of a trajectory: what is proven by its range needs no samples, and what is simple is
 * told by some. Values outside of a function's domain are left out of its range.
 *
 * Shapes  in [n_in], out [n_out].
 * Errors  none: what cannot be bounded is [-inf, inf].
 */
#ifndef COCP_CORE_EXPRESSION_RANGES_H
#define COCP_CORE_EXPRESSION_RANGES_H

#include "core/base/interval.h"
#include "core/expression/expr.h"

#define SIMPLE_WIDTH 8.0            /* of arguments of sin, exp, tanh, ...: a little over a turn */
#define SIMPLE_RATIO 8.0            /* of arguments of 1/y, log, ... from end to end */

struct ranges;

/* Of n_out expressions that depend on no other symbols than in. only_simple: nobody asks for the ranges of the
 * expressions themselves, which saves most operations. */
struct ranges *ranges_create(const struct expr_graph *g, int n_in, const expr *in, int n_out, const expr *out,
                             bool only_simple);
void ranges_free(struct ranges *ranges);

/* Are the expressions simple over every box? Sums and products of few symbols are. */
bool ranges_always_simple(const struct ranges *ranges);

/* Are they simple over this box? out: their ranges; NULL if created for the question alone. */
bool ranges_eval(struct ranges *ranges, const struct interval *in, struct interval *out);

#endif
