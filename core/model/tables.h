/* core/model/tables.h - tables as expressions of their arguments
 *
 * A spline is cubic, not-a-knot, and in two dimensions its tensor product: second derivatives are continuous.
 * It is one node of the graph, whatever its size. A linear one is a sum of corners max(s - s_k, 0), which
 * become switching functions (nonsmooth.h); in two dimensions, where it is bilinear between four points, a
 * sum of products of them.
 */
#ifndef COCP_CORE_MODEL_TABLES_H
#define COCP_CORE_MODEL_TABLES_H

#include "core/base/interval.h"
#include "core/model/parts/model.h"

/* The table of that name; -1: none. */
int model_find_table(const struct model *model, const char *name);

/* The table at arg [n_arg]. Beyond its axes it is what `outside` says; one that refuses goes on as a line, so
 * that an iterate of the solver may be there, or, if strict, is NaN from 1e-9 of an axis on. */
expr model_table_value(struct expr_graph *g, const struct model_table *table, const expr *arg, bool strict);

/* All that the argument of a use can be within the bounds of states, controls, parameters and time. */
struct interval model_table_reach(const struct model *model, const struct model_table_use *use);
bool model_table_holds(const struct model_table *table, int axis, struct interval range);

/* The linear table that a corner of this kind belongs to; NULL: none. */
const struct model_table *model_table_of_corner(const struct model *model, expr corner);

#endif
