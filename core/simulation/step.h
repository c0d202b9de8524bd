/* core/simulation/step.h - one step of collocation (collocation.h), whose polynomial is the dense output
 *
 *   x(t_0 + tau h) = x_0 + h sum_l k_l I_l(tau),   x' = f at the STEP_STAGES points of Gauss          HNW II.7
 *
 * Stages are found by sweeps x_i = x_0 + h sum_j a_ij f(x_j) that use each new f at once, or by Newton's method for
 * slow slip (newton.h). Of what is stiff, which is where sweeps keep steps short, the points are those of Radau
 * (stiff.h). The size of the last coefficients is the error that the dense output makes anywhere in the step, not only
 * at its end, so that events are located on it without integrating again; the end itself is of order 2 STEP_STAGES.
 *
 * Why not CVODE of SUNDIALS: each event starts it again at order one, its root finder stops at its own tolerance,
 * and its error grows well beyond the tolerance (make bench-sundials, version 6.4.1, Adams, same modes, guards and
 * jumps, both in one run): for an error of 1e-10 two_balls takes 4 ms here (rtol 1e-8) and 9 ms there (rtol 1e-12,
 * 3e-10 reached), oscillator 0.3 and 0.9 ms; at equal rtol errors are 30 to 1000 times smaller here in 0.8 to 4
 * times the time.
 *
 * Errors  STEP_ codes; the caller then tries a shorter step.
 */
#ifndef COCP_CORE_SIMULATION_STEP_H
#define COCP_CORE_SIMULATION_STEP_H

#include "core/base/interval.h"
#include "core/simulation/newton.h"
#include "core/simulation/stiff.h"

enum { STEP_STAGES = SIM_DEGREE };
_Static_assert((int)SIM_DEGREE == (int)COLLOCATION_STAGES, "the polynomials of steps are those of collocation");

struct step {
    int n_x;
    struct collocation gauss;
    double *K, *X;                  /* [STEP_STAGES * n_x] */
    double *coef;                   /* [(STEP_STAGES + 1) * n_x] of the polynomial, see step_poly_at */
    struct arena *mem;              /* the caller's, of all arrays */
    struct newton newton;
    struct stiff stiff;
    int n_bound, n_free;            /* steps that were as long as sweeps settle, others in a row since then */
    bool is_stiff;                  /* the last one tried has the points of Radau */
    bool is_at_reach;               /* or else sweeps hardly settled for it */
    struct step_poly { double t, h; } poly;     /* where coef is of; h = 0: there is none */
    struct step_last {              /* the last step within tolerance */
        double t, h, err;           /* its end, length, error */
        bool is_too_long;           /* what was tried after it */
    } last;
    double h_next;                  /* what a next step may be */
    enum flow_outcome why;          /* of a failed field */
};

enum step_outcome { STEP_OK, STEP_TOO_LONG, STEP_FIELD_FAILED };

void step_init(struct step *step, struct arena *mem, int n_x);

/* Tries the step from (t, x) over h. STEP_OK: coef holds its polynomial and its error is within tolerance;
 * otherwise h_next is a length to try instead. */
enum step_outcome step_try(struct step *step, struct flow *flow, const struct mode *mode, double t, double h,
                           const double *x, double rtol, double atol);

/* The polynomial with coefficients coef [(STEP_STAGES + 1) * n_x] at tau in [0, 1]; x [n_x]. */
void step_poly_at(int n_x, const double *coef, double tau, double *x);

/* Its derivative by tau: h x'. */
void step_poly_slope(int n_x, const double *coef, double tau, double *dx);

/* Contains the polynomial over [a, b], by its slope in the middle and what bounds its second derivative. */
void step_poly_range(int n_x, const double *coef, double a, double b, struct interval *x);

#endif
