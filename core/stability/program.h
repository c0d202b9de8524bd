/* core/stability/program.h - parameters that satisfy the conditions of a level with the largest margin
 *
 * stability.md 5: the equalities are eliminated, each condition is scaled by its largest coefficient s, and
 *   maximize t   subject to   value/s >= t,  K/s - t I psd,  K/s - N(nu) - t I psd with nu in [0, 100],
 *                             |p| <= 1, -10 <= t <= 1.
 * What comes out is a proposal; check.h decides.
 */
#ifndef COCP_CORE_STABILITY_PROGRAM_H
#define COCP_CORE_STABILITY_PROGRAM_H

#include "core/stability/conditions.h"

enum { PROGRAM_MAX_NU = 10 };       /* entries above the diagonal of a copositive block */

struct proposal_cond {
    char name[COND_NAME];
    enum cond_kind kind;
    int n;
    double scale;                   /* s: the condition's value is divided by it */
    double nu[PROGRAM_MAX_NU];      /* COP: multipliers of the entries above the diagonal, by columns; for K/s */
};

struct proposal {
    int level, n_p;
    double p[COND_MAX_P];           /* largest magnitude 1 */
    double t;                       /* margin that the solver sees, for that p */
    int solver_code, n_y;           /* of CSDP; number of its variables */
    int n_cond;
    struct proposal_cond cond[COND_MAX];        /* without the equalities and what vanishes with them */
};

/* False if there is no strict solution (t <= T_MIN) or the solver failed (solver_code neither 0 nor 3). */
bool program_solve(const struct zod *zod, int level, struct proposal *out);

#endif
