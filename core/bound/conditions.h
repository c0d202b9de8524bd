/* core/bound/conditions.h - a subsolution of the Hamilton-Jacobi-Bellman equation as sums of squares
 *
 * V is a polynomial of degree d at each place and sign pattern a of a problem (problem.h), or, where nothing but
 * the cost of the end depends on time, per_time t + a polynomial of the state alone:
 *
 *   V_a = P + sum over sets S of switches that are positive in a of W_S times the product of their c_l
 *
 * so that it is continuous over c_l = 0, exactly, and has a kink there. With unknown coefficients and
 * gamma, maximize gamma
 *
 *   start   V_a - gamma >= 0                       on the states where motions start
 *   end     cost of the end - V_a >= 0             where they end
 *   flow    V_a,t + grad V_a . f_a + l >= 0        for all controls, in the region of a
 *   stay    V_a,t + grad V_a . f_b + l + sum over l of M_l (d/dt c_l along f_b) >= 0
 *           where c_l = 0 for the l of a set, for each pattern b beside it, with one a and free polynomials M_l: then
 *           it holds for each convex combination of the f_b that keeps c_l = 0, as the M_l cancel: sliding, sticking
 *   keep    the same where the gap w of walls is 0, with M_w (d/dt gap_w along f_b) more, and for each of
 *           these walls  grad V_a . push_w + sum of M (its function along push_w) >= 0:
 *           then it holds with any reactions lambda_w >= 0 that keep the gaps 0, as the M cancel
 *   jump    V(x+) - V(x-) + cost >= 0              at guards; as it is 0 at rho = 0, what is left of it divided by
 *           rho
 *   cap     twice the largest cost - gamma >= 0, where it is asked for: where no motion meets start and end
 *           nothing else bounds gamma. A bound above the largest cost proves that there is none.
 *
 * Where rates and cost are multiplied by a positive weight, so are the inequalities of flows. Along any motion
 * V falls no faster than cost is paid, nor at jumps, and is the cost of the end at most at the end, so that
 * gamma is a lower bound of the cost (Lasserre, Henrion, Prieur, Trelat, SIAM J. Control Optim. 47, 2008, for
 * smooth motions). V along a motion is absolutely continuous between impacts, and at almost every time at which
 * c_l = 0 its rate is 0.
 *
 * Errors  none; everything lives in mem. Where the program is asked to stop, conditions are missing.
 */
#ifndef COCP_CORE_BOUND_CONDITIONS_H
#define COCP_CORE_BOUND_CONDITIONS_H

#include "core/bound/problem.h"
#include "core/sos/proof.h"

enum { BOUND_MAX_MONOMIAL = 20000 };

enum bound_role { ROLE_START, ROLE_END, ROLE_FLOW, ROLE_JUMP, ROLE_CAP }; /* stay counts as flow, push as jump */

struct bound_condition {
    char name[160]; /* "stay ground, c_1 = 0, pattern 2" */
    enum bound_role role;
    bool once; /* of a jump: a motion jumps so one time at most */
    struct sos_enclosure wide;
    struct interval box[POLY_MAX_VAR];
    double weight_least; /* of a flow: what multiplies it is at least this */
    int n_monomial; /* that its identity may have: as many equations */
};

struct bound_unknown { /* of V: a polynomial that a number multiplies */
    int place;
    unsigned subset; /* S */
    uint64_t monomial;
};

struct bound_conditions {
    bool too_large;             /* some polynomial may have more than BOUND_MAX_MONOMIAL terms: what is here is not whole */
    int degree, n_unknown, n_y, gamma, n; /* unknowns of V come first in y [n_y], then gamma, then those of M_l */
    const struct bound_unknown *unknown;  /* [n_unknown] */
    struct sos_identity *identity;        /* [n] */
    struct bound_condition *condition;    /* [n] */
};

/* margin: what jumps that may come any number of times are asked to gain, so that rounding leaves something. */
void bound_conditions_build(struct arena *mem, const struct bound_problem *problem, int degree, double margin,
                            bool capped, struct bound_conditions *out);

#endif
