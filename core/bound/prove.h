/* core/bound/prove.h - a lower bound of the cost: what a solver finds, and what of it interval arithmetic proves
 *
 * With c_k what is proved of condition k, p_k >= c_k (core/sos/proof.h), every motion within the box costs at least
 *
 *   cost_scale (gamma + c_start + c_end + T min(0, least c_flow) + sum of min(0, c_jump))
 *
 * where c_flow is divided by what its weight is at least, and jumps are summed that come once at most, provided
 * that every other one has c_jump >= 0, its margin given back; T is the longest horizon. Each sum is rounded down.
 *
 * Errors  NaN: nothing is proved.
 */
#ifndef COCP_CORE_BOUND_PROVE_H
#define COCP_CORE_BOUND_PROVE_H

#include "core/bound/conditions.h"

/* A program of more equations is not tried: its matrix alone takes 300 MB, and its solution hours. Then the code
 * is this. */
enum { BOUND_MAX_EQUATION = 6000, BOUND_TOO_LARGE = -3 };

struct bound_proof {
    int code, n_equation;               /* of the solver; equations that it was given */
    double margin;
    bool capped;
    bool infeasible;                    /* the bound is above all that a motion can cost: there is none in the box */
    double bound;                       /* of the cost, NAN: none */
    double in_box;                      /* of motions within the box; above `below`: no motion costs so little. Where
                                         * the horizon was cut short, so that rounding decides, it is `bound` */
    double worst_jump;                  /* least c_jump of those that may come any number of times; 0 or more */
    double *y;                          /* [n_y] */
    struct sos_weights *weights;        /* [n] */
    struct bound_conditions conditions;
};

/* Solves at a degree; false: the solver has nothing. margin as in conditions.h: grown where rounding takes more.
 */
bool bound_solve(struct arena *mem, const struct bound_problem *problem, int degree, struct bound_proof *out);

/* Fills bound and worst_jump for what y, weights and conditions are; nothing else of *proof is looked at. */
void bound_measure(const struct bound_problem *problem, struct bound_proof *proof);

#endif
