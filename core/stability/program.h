/* core/stability/program.h - parameters that satisfy the conditions of a level with the largest margin
 *
 * stability.md 5: the equalities are eliminated, each condition is scaled by its largest coefficient s, and
 *   maximize t   subject to   value/s >= t,  K/s - t I psd,  K/s - N(nu) - t I psd with nu in [0, 100],
 *                             |p| <= 1, -10 <= t <= 1.
 * What comes out is a proposal; certificate.h decides.
 */
#ifndef COCP_CORE_STABILITY_PROGRAM_H
#define COCP_CORE_STABILITY_PROGRAM_H

#include "core/stability/certificate.h"

/* What CSDP says: the margin t for the p that was found, its code, the number of its variables. */
struct program_info { double t; int solver_code, n_y; };

/* out: body, p with largest magnitude 1, and the conditions but for the equalities and what vanishes with them.
 * False if there is no strict solution (t <= T_MIN) or the solver failed (solver_code neither 0 nor 3). */
bool program_solve(const struct zod *zod, int level, struct certificate_side *out, struct program_info *info);

/* The same with every parameter within `radius` of `centre`, whose largest magnitude is 1. */
bool program_solve_near(const struct zod *zod, int level, const double *centre, double radius,
                        struct certificate_side *out, struct program_info *info);

#endif
