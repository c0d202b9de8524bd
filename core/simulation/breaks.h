/* core/simulation/breaks.h - when the right sides have a corner or a jump because a table of time has a break
 *
 * `through` and its derivatives are such tables. Steps end at their breaks: no polynomial follows a corner.
 *
 * Ownership  private to core/simulation.
 */
#ifndef COCP_CORE_SIMULATION_BREAKS_H
#define COCP_CORE_SIMULATION_BREAKS_H

#include "core/model/inputs.h"

struct breaks { int n; double *t; };            /* [n] ascending */

/* Of tables in the n expressions (EXPR_NONE: skipped) whose argument is a multiple of time, plus a number; the
 * graph grows. t is malloc'ed. */
struct breaks breaks_find(const struct inputs *inputs, int n, const expr *e);

/* The first one after t by more than `least`; INFINITY if there is none. */
double breaks_next(const struct breaks *breaks, double t, double least);

#endif
