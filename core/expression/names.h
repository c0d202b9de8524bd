/* core/expression/names.h - the names that the grammar knows, and what a misspelt one was meant to be
 *
 * Errors  none.
 */
#ifndef COCP_CORE_EXPRESSION_NAMES_H
#define COCP_CORE_EXPRESSION_NAMES_H

#include "core/expression/expr.h"

/* Is there a function of that name, and which? ddt and the like belong to the caller of the parser. */
bool names_find_function(const char *name, enum expr_op *op);

/* Is this the name of a function, a constant or an operator of the grammar (sin, pi, and)? */
bool names_is_taken(const char *name);

/* The best candidate so far: another one must be nearer. */
struct nearest { const char *name; int distance; };

/* The nearest function (or constant) that is a slip in at most every third letter of `name` away. */
struct nearest names_nearest(const char *name, bool is_function);

/* Takes the candidate if it is nearer to `name` than the best so far. */
void names_consider(struct nearest *best, const char *name, const char *candidate);

#endif
