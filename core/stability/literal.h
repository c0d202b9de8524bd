/* core/stability/literal.h - the tests of the papers as they stand, by sums of squares: numerical only
 *
 *   LITERAL_PAPER   SOS III: V2 = X + all terms of degree 1 to 3 in gaps and velocities, 55 unknowns;
 *                   V2 >= X + a quartic of the velocities, V2 never grows in a mode or at an impact. e = 0 only:
 *                   with flights its conditions have degree 6 in 5 variables.
 *   LITERAL_SINGLE  Posa, Tobenkin and Tedrake: one quadratic V(X, gaps, velocities) >= |.|^2 that never grows in
 *                   any mode, flight included, or at any impact.
 *
 * All of it on the unit ball, in the coordinates (X, gap_1, gap_2) and their rates. stability.md 8 says why the
 * answer counts for little: conditions that are equalities in truth are never strictly feasible, and the solver
 * cannot tell a small violation from none.
 * Errors  none; an answer that is not "feasible" or "infeasible" is "unknown". "not-applicable": the preconditions
 *         1 to 3 of stability.md 2 do not hold, or LITERAL_PAPER meets restitution.
 */
#ifndef COCP_CORE_STABILITY_LITERAL_H
#define COCP_CORE_STABILITY_LITERAL_H

#include "core/stability/body.h"

enum literal_kind { LITERAL_PAPER, LITERAL_SINGLE };

struct literal_answer {
    const char *text;               /* "feasible", "infeasible", "unknown", "not-applicable" */
    int code;                       /* of CSDP */
    double residual;                /* largest violation of an equation, relative to 1 + |coefficients| */
    int n_unknown, n_block, largest, n_row;
};

/* degree: of the sums of squares on the right, an even number, at least 4 for the paper's. */
void literal_solve(const struct body *body, enum literal_kind kind, int degree, struct literal_answer *out);

#endif
