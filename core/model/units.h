/* core/model/units.h - units as texts say them, and what they make of expressions
 *
 *   "kg m/s^2", "N m", "W/(m^2 K)", "1/s", "mm", "rad"      products by blank, * or a dot, powers, prefixes;
 *                                                           rad, deg and % are 1
 *
 * A dimension is the powers of m, kg, s, A, K, mol, cd, and how many of these it is (a km: 1000 m). What has no
 * unit, or one that is not known here, has no known dimension, and neither have time (sin(t)) and a number that
 * is written in a formula: 0.01*u^2 may be anything. What functions are is a number where it multiplies, and
 * anything where it is added: F + sin(w) has an amplitude of 1 that nobody writes. So only what is known on
 * both sides can disagree.
 */
#ifndef COCP_CORE_MODEL_UNITS_H
#define COCP_CORE_MODEL_UNITS_H

#include "core/expression/expr.h"

enum { N_DIMENSIONS = 7 };

/* The letters of names of units. */
#define UNITS_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* In SI: factor times m^power[0] kg^power[1] s^power[2] ... loose: a number that agrees with anything. */
struct dimension { bool known, loose; double factor, power[N_DIMENSIONS]; };

/* Of "km/h" and the like; known false where the text is no unit that is known here. */
struct dimension units_read(const char *text);
/* "m kg s^-2", "1", "1000 m"; into text. */
void units_text(const struct dimension *dimension, char *text, size_t size);

struct dimension units_times(struct dimension a, struct dimension b, double power);     /* a b^power */
bool units_same_powers(const struct dimension *a, const struct dimension *b);           /* or one is not known, or loose */
/* Is it a known multiple of a second, as "min"? */
bool units_is_time(const struct dimension *dimension);
bool units_agree(const struct dimension *a, const struct dimension *b);                 /* or one is not known, or loose */

/* The dimension of an expression whose symbols have dimensions of [n_sym]. Where terms of a sum,
 * sides of a comparison or the argument of a function disagree, *conflict is that node and a, b are
 * what does; else EXPR_NONE. */
struct units_conflict { expr at; struct dimension a, b; };
struct dimension units_of(const struct expr_graph *g, expr e, int n_sym, const expr *sym,
                          const struct dimension *of, struct units_conflict *conflict);

#endif
