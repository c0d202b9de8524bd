/* core/nlp/descent.h - has a program a direction of descent at a point, to first order?
 *
 *   min grad f(w)'d   s.t.   lbg <= g(w) + J(w) d <= ubg,   lbw <= w + d <= ubw,   |d_k| <= radius max(1, |w_k|)
 *
 * a linear program. For any multipliers lambda its value is at least what r = grad f + J'lambda makes of bounds on
 * d and lambda of bounds of rows. Those that make r smallest, by least squares over what is active, mostly show
 * that nothing descends, with one to four factorizations (core/kkt); where they do not IPOPT solves it. At a point
 * that meets the first-order conditions its value is 0. What is held is not guessed: slacks stay as they are, so
 * that a bound that an interior-point method has left by a little counts as such. With a smooth program for each
 * branch of a complementarity the least of their values is that of the linear program with complementarity
 * constraints (LPCC) in a trust region (Nurkanovic and Leyffer, arXiv 2501.13835): all are 0 where the point is
 * B-stationary.
 */
#ifndef COCP_CORE_NLP_DESCENT_H
#define COCP_CORE_NLP_DESCENT_H

#include "core/nlp/nlp.h"

struct nlp_descent {
    bool is_known;
    double fall;    /* of f over radius, at least 0: 0 to the tolerance where nothing descends; by multipliers
                     * it is at most that */
    int iterations; /* factorizations, those of IPOPT among them */
    struct nlp_linear_work work;
};

/* Of a variable, at least of 1: far beyond what a barrier leaves of slacks, 1e-5, and near enough for the linear
 * program to say something of the other one. */
#define DESCENT_RADIUS 1e-3

/* At w [n_w], which is feasible: what is violated is taken as met. Where multipliers show that f falls by no more
 * than `least` they are enough: lambda [n_g], which are tried first, NULL: none are known, or others. d [n_w]: the
 * direction, of the length of the radius, 0 then; may be NULL. */
struct nlp_descent nlp_find_descent(const struct nlp *nlp, const double *w, const double *lambda, double radius,
                                    double least, double *d, nlp_monitor *monitor, void *monitor_user);

#endif
