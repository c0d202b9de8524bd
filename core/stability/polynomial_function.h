/* core/stability/polynomial_function.h - is there a polynomial that is a Lyapunov function? By CSDP, and what is
 * proved
 *
 * The conditions of polynomial_conditions.h have no strict solution: equations hide in their inequalities
 * (stability.md 8), and a solver finds what holds up to its tolerance. What can be proved of that in two ways:
 *   - each inequality holds up to `slack` on the unit ball, by core/sos/proof.h: no proof of stability, as what happens
 *     close to the origin decides;
 *   - the dynamics and all conditions keep under (q, v, time) -> (s^2 q, s v, s time) what V has of weight 2,
 *     X + k_1 gap_1 + k_2 gap_2 + v'Qv. That part alone has to satisfy the conditions of level P (conditions.h):
 *     they are solved once more close to it, and certificate.h proves what comes out. The function proved is that
 *     of SOS to POLYNOMIAL_NEAR of its largest coefficient.
 *
 * That is tried with whatever the solver ended with, as the check does not ask where a function comes from.
 *
 * Errors  code: of CSDP (semidefinite.h), or of sos.h below 0.
 */
#ifndef COCP_CORE_STABILITY_POLYNOMIAL_FUNCTION_H
#define COCP_CORE_STABILITY_POLYNOMIAL_FUNCTION_H

#include "core/stability/certificate.h"
#include "core/stability/polynomial_conditions.h"

#define POLYNOMIAL_NEAR 0.02

struct polynomial_result {
    int degree, n_unknown, n_condition, n_equation, code;       /* degree 0: not tried */
    bool found;                                                 /* code 0 or 3 */
    double slack;                                               /* NAN: the solver has nothing to show */
    char worst[16];                                             /* the condition with that slack */
    uint64_t monomial[POLYNOMIAL_MAX_UNKNOWN];                  /* by the coordinates of polynomial_conditions.h */
    double coefficient[POLYNOMIAL_MAX_UNKNOWN];
};

void polynomial_solve(const struct zod *zod, enum polynomial_test test, int degree, struct polynomial_result *out);

/* A proof of level P close to the function that was found, measured: false if there is none. */
bool polynomial_prove(const struct zod *zod, const struct polynomial_result *found, struct certificate_side *out);

/* "gap_1^2 v_y", "X v_theta" */
void polynomial_monomial_text(uint64_t monomial, char *text, size_t size);

#endif
