/* core/stability/polynomial_conditions.h - a polynomial as a Lyapunov function: its conditions as sums of squares
 *
 * The method of SOS itself, IV-A and V-B, with the corrections of stability.md 9; conditions.h is ours. In the
 * coordinates
 *
 *   0: X,  1, 2: gap_1, gap_2,  3, 4, 5: v      (for phi = 0, gaps are a linear image of z and theta)
 *
 *   improved   V = X + P(gap_1, gap_2, v), P of degrees 1 to D: 55 numbers for D = 3              SOS (53)
 *     positive         P >= sum of v_k^4                                                          SOS (54)
 *     slip, double     -dV/dt >= 0; sticks follow from slips                                      SOS (70)-(76), (83)-(88)
 *     impact           V(x-) - V(x+) >= 0, where nothing bounces                                  SOS (90)-(95)
 *     flight           V(start) - V(x+) >= 0 over the flight before the impact, where something bounces
 *   original   V = P(X, gap_1, gap_2, v): 83 numbers for D = 3; one function that never grows     SOS Theorem 1, of its [13]
 *     positive         P >= sum of fourth powers of all coordinates
 *     slip, double, impact as above, and -dV/dt >= 0 in free flight, too
 *
 * each on the unit ball, x'x <= 1 (with y = 0 for the improved test, in which y does not occur). An impact has a
 * condition for each way it ends (slips P, N, stick S), with its map and its cone in the velocity before it:
 * quadratic in V's arguments, without the tangential impulse as a variable. SOS (91)-(95) take all three in one
 * condition with that impulse, whose inequalities then let friction be less than Coulomb's where a foot slips;
 * with them nothing is found at four of five points of Fig. 2 where there is one of degree 2. Products of two
 * linear inequalities have multipliers, too, and gap_i at the start of a flight is a product, too: time times (p
 * - G_i time/2). Every condition is asked with Gram bases as large as its degree, made even, allows.
 *
 * Errors  none; the body passes the preconditions.
 */
#ifndef COCP_CORE_STABILITY_POLYNOMIAL_CONDITIONS_H
#define COCP_CORE_STABILITY_POLYNOMIAL_CONDITIONS_H

#include "core/sos/sos.h"
#include "core/stability/body.h"

enum polynomial_test { POLYNOMIAL_IMPROVED, POLYNOMIAL_ORIGINAL };

enum { POLYNOMIAL_MAX_DEGREE = 4, POLYNOMIAL_MAX_UNKNOWN = 209, POLYNOMIAL_MAX_CONDITION = 16 };

struct polynomial_condition {
    char name[16];                              /* "positive", "slip P1", "double N", "impact S2", "flight" */
    struct interval box[POLY_MAX_VAR];          /* contains what the unit ball allows its variables */
};

struct polynomial_conditions {
    int n_unknown, n;
    const uint64_t *monomial;                   /* [n_unknown] by the coordinates */
    struct sos_identity *identity;              /* [n] */
    struct polynomial_condition *condition;     /* [n] */
};

/* Everything lives in mem. */
void polynomial_conditions_build(struct arena *mem, const struct zod *zod, enum polynomial_test test, int degree,
                                 struct polynomial_conditions *out);

#endif
