/* core/expression/names.h - the names that the grammar knows, and what a misspelt one was meant to be
 *
 * Errors  none.
 */
#ifndef COCP_CORE_EXPRESSION_NAMES_H
#define COCP_CORE_EXPRESSION_NAMES_H

#include "core/expression/expr.h"

enum { ARGS_MAX = 64 };             /* arguments of min and max */

struct function { const char *name; enum expr_op op; int min_args, max_args; };

/* The function of that name, NULL if there is none; ddt and the like belong to the caller of the parser. */
const struct function *names_find_function(const char *name);

/* The best candidate so far: another one must be nearer. */
struct nearest { const char *name; int distance; };

/* The nearest function (or constant) that is a slip in at most every third letter of `name` away. */
struct nearest names_nearest(const char *name, bool is_function);

/* Takes the candidate if it is nearer to `name` than the best so far. */
void names_consider(struct nearest *best, const char *name, const char *candidate);

#endif
