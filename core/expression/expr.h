/* core/expression/expr.h - expressions as one hash-consed graph
 *
 * A node is immutable and equal nodes are the same index, so that common subexpressions cost nothing and
 * "the same expression" is `==`. The builders simplify as they build: constants fold, 0 and 1 disappear, sums
 * and products are flat and sorted where that makes equal things equal, (-a)*(-b) = a*b, c*(-a) = -(c*a).
 * Nonsmooth functions and conditions are nodes too: they can be evaluated, not differentiated (nonsmooth.h
 * replaces them by smooth expressions of switching variables first).
 *
 * Errors  none; the domain of a function is the evaluator's business (tape.h, trace.h).
 */
#ifndef COCP_CORE_EXPRESSION_EXPR_H
#define COCP_CORE_EXPRESSION_EXPR_H

#include "core/base/diag.h"
#include "core/expression/ops.h"

#include <stdbool.h>
#include <stdio.h>

typedef int expr;                   /* index of a node in its graph; EXPR_NONE is none */
enum { EXPR_NONE = -1 };

struct expr_graph;

struct expr_graph *expr_graph_create(void);
void expr_graph_free(struct expr_graph *g);

/* A graph of the same nodes at the same indices, which grows and goes by itself: what is derived for one purpose
 * does not stay for all others. Names and tables are borrowed, so that g has to live longer. */
struct expr_graph *expr_graph_fork(const struct expr_graph *g);

/* --- Building. expr_sym makes a new symbol each time; its name is for printing and tracing. --------------- */
expr expr_const(struct expr_graph *g, double value);
expr expr_sym(struct expr_graph *g, const char *name);
expr expr_unary(struct expr_graph *g, enum expr_op op, expr a);
expr expr_binary(struct expr_graph *g, enum expr_op op, expr a, expr b);
expr expr_if(struct expr_graph *g, expr condition, expr a, expr b);
/* 1 from when `on` rises above 0 until `off`, which is larger than it, falls below 0; state is a symbol that
 * stands for it where it has been lowered (nonsmooth.h), and its name in texts. What it is between the two is not
 * a function of them: evaluated as a function it is then the state. */
expr expr_relay(struct expr_graph *g, expr on, expr off, expr state);
expr expr_add(struct expr_graph *g, expr a, expr b);
expr expr_sub(struct expr_graph *g, expr a, expr b);
expr expr_mul(struct expr_graph *g, expr a, expr b);
expr expr_div(struct expr_graph *g, expr a, expr b);
expr expr_neg(struct expr_graph *g, expr a);
expr expr_scale(struct expr_graph *g, double c, expr a);
expr expr_square(struct expr_graph *g, expr a);
expr expr_sqrt(struct expr_graph *g, expr a);
expr expr_dot(struct expr_graph *g, int n, const expr *a, const expr *b);

/* Piecewise cubic of s: on [breaks[i], breaks[i+1]) it is sum_k coef[4 i + k] (s - breaks[i])^k; before breaks[0]
 * it is left, from breaks[n] on right. Its derivative is a table too (0 outside), so that tables may stand where
 * nonsmooth functions may not. breaks [n + 1] ascending, coef [4 n]; both are copied. */
expr expr_table(struct expr_graph *g, int n, const double *breaks, const double *coef, double left, double right,
                expr s);

/* The same with lines on both sides: left + left_slope (s - breaks[0]), right + right_slope (s - breaks[n]). */
struct table_data { int n; const double *breaks, *coef; double left, right, left_slope, right_slope; };
expr expr_table_of(struct expr_graph *g, const struct table_data *data, expr s);

/* Piecewise bicubic of a and b: on piece (i, j), where a is in [breaks[0][i], breaks[0][i+1]) and b in likewise
 * j, it is sum_kl coef[16 (i n[1] + j) + 4 k + l] (a - breaks[0][i])^k (b - breaks[1][j])^l. Beyond the breaks of
 * each argument it goes on as a line, or as its edge says; its derivatives are such functions, too. breaks[k]
 * [n[k] + 1] ascending, coef [16 n[0] n[1]]; all are copied. */
enum grid_edge { EDGE_LINE, EDGE_CONSTANT, EDGE_ZERO };
struct grid_data { int n[2]; const double *breaks[2], *coef; enum grid_edge edge[2]; };
expr expr_grid(struct expr_graph *g, const struct grid_data *data, expr a, expr b);

/* expr_pick is a where c >= 0, else b, as if() is; but it can be differentiated, each piece for itself, and
 * may stand where nonsmooth functions may not: for a function whose pieces fit together, as distances to
 * polygons do. The condition is a node of its own, expr_side(c), 1 or 0 and without a slope, which
 * expr_substitute can replace. Of the piece that is not picked nothing is taken over, NaN neither, but its
 * slope is multiplied by 0: keep that finite. */
expr expr_side(struct expr_graph *g, expr c);
expr expr_pick(struct expr_graph *g, expr side, expr a, expr b);

/* --- Asking ------------------------------------------------------------------------------------------------ */
bool expr_is_const(const struct expr_graph *g, expr e, double *value);     /* value may be NULL */
bool expr_is_zero(const struct expr_graph *g, expr e);
enum expr_op expr_op_of(const struct expr_graph *g, expr e);
int expr_n_args(const struct expr_graph *g, expr e);
expr expr_arg(const struct expr_graph *g, expr e, int i);
int expr_n_nodes(const struct expr_graph *g);

/* Arguments have smaller indices than their node. The nodes that n expressions (EXPR_NONE: skipped) are made of,
 * themselves included, in ascending order: [*count], malloc'ed. */
expr *expr_reach(const struct expr_graph *g, int n, const expr *e, int *count);

/* The data of an EXPR_TABLE or EXPR_GRID node as given to expr_table or expr_grid; borrowed. */
const struct table_data *expr_table_data(const struct expr_graph *g, expr e);
const struct grid_data *expr_grid_data(const struct expr_graph *g, expr e);

/* Does e depend on any of the n symbols? */
bool expr_depends(const struct expr_graph *g, expr e, int n, const expr *sym);
/* On which of them? depends [n]. */
void expr_depends_each(const struct expr_graph *g, expr e, int n, const expr *sym, bool *depends);
/* Does it depend on no other symbols? */
bool expr_is_of(const struct expr_graph *g, expr e, int n, const expr *sym);
/* Has e a node that cannot be differentiated (abs, min, max, sign, step, if, a condition)? Returns the first
 * one met, or EXPR_NONE. */
expr expr_find_nonsmooth(const struct expr_graph *g, expr e);

/* e as text that the parser reads back, but for tables, written table(s) or grid(a, b), and texts cut off after a
 * megabyte with "..."; malloc'ed. */
char *expr_to_text(const struct expr_graph *g, expr e);

/* The same for names and messages, which nobody reads beyond some lines: cut off after
 * EXPR_WORDS characters or so. */
enum { EXPR_WORDS = 500 };
char *expr_to_words(const struct expr_graph *g, expr e);

/* --- Rewriting --------------------------------------------------------------------------------------------- */
/* out[i] = e[i] with sym[k], symbols or any other nodes, replaced by by[k], all at once (simultaneous). out may be
 * e. */
void expr_substitute(struct expr_graph *g, int n, const expr *e, int n_sym, const expr *sym, const expr *by,
                     expr *out);

/* --- Where a node was written: the first position wins; a derived node inherits nothing. ------------------- */
void expr_set_pos(struct expr_graph *g, expr e, struct srcpos pos);
struct srcpos expr_pos(const struct expr_graph *g, expr e);

/* --- Plain evaluation of one expression whose symbols have the values value[k]; slow, for reading specs. ---- */
double expr_eval(const struct expr_graph *g, expr e, int n_sym, const expr *sym, const double *value);

#endif
