/* transcription/sensitivity/fit.h - how far what was fitted to data is to be trusted
 *
 *   f = sum_k r_k^2 / sigma_k^2,  r_k = e_k(w) - value_k,  in the programs of one experiment or several
 *
 * The solution w moves with a value by  dw/dvalue_k = K^-1 (2 / sigma_k^2) grad e_k,  K the KKT matrix of the solution with its
 * active set (sensitivity.h): events and all states move along. With independent errors of standard deviation s sigma_k
 *
 *   cov(q, q') = s^2 sum_k sigma_k^2 (dq/dvalue_k) (dq'/dvalue_k)                                              (1)
 *   leverage_k = grad e_k' dw/dvalue_k,  degrees of freedom = n - sum_k leverage_k                             (2)
 *
 * s = 1 where sigma is known; where it is relative, s^2 = f / degrees of freedom. For a linear model these are
 * the formulas of linear least squares; other terms of the cost (regularization) are taken as they are.
 *
 * Where a measurement would rather lie beyond an event at which what is measured jumps, its bound
 * (interior_times.c) is no knowledge of the parameters: without it, and with the Hessian of Gauss and Newton, K
 * is that of errors as large as they are.
 *
 * Quantities q: optimized parameters, and initial values that are free. One that a bound holds, or that the data
 * say nothing of, has no standard deviation (NAN).
 * Units  of the quantity; of the series.
 */
#ifndef COCP_TRANSCRIPTION_SENSITIVITY_FIT_H
#define COCP_TRANSCRIPTION_SENSITIVITY_FIT_H

#include "transcription/sensitivity/sensitivity.h"

struct fit_part {                   /* an experiment and its program */
    const char *name;               /* "" where there is but one */
    const struct phases *ph;
};

struct fit_solution {               /* of the programs as one; all is borrowed */
    const struct nlp *nlp;
    struct nlp_point point;         /* solved */
    const int *const *var;          /* [n_part] where each part's variables are in it; NULL: it is that of one part */
};

struct fit_value {
    int part, series, row;
    double t, value, fit, sigma;
    double leverage;                /* how much of the fit is the value itself; NAN: not known */
    double std;                     /* of the fit */
};

enum fit_bound { FIT_FREE, FIT_AT_BOUND, FIT_NOT_DETERMINED, FIT_STOPPED, FIT_UNEXPLAINED };
                                    /* no deviation: a bound holds it; the data say nothing of it; the solve was
                                     * stopped; misfits are no errors */

struct fit_quantity {
    const char *name, *units;       /* "v(0)" of an initial value, with its experiment if there are several */
    int var, param;                 /* variable of the solution; index of the parameter in the model, or -1 */
    double value, std;
    enum fit_bound bound;
};

struct fit {
    struct arena mem;
    int n_value, n_quantity;
    struct fit_value *value;        /* [n_value] missing ones left out */
    struct fit_quantity *quantity;  /* [n_quantity] parameters first */
    double *covariance;             /* [n_quantity * n_quantity] symmetric */
    double misfit, freedom;         /* f without other costs; degrees of freedom, NAN: stopped */
    double scale;                   /* s; NAN: not known */
    bool is_relative;
};

#define FIT_MOST_NOISE 3.0          /* sigma: larger misfits of what has events are those of another order of events */

/* Root mean square of misfits by their sigma, per degree of freedom: sqrt(f / degrees of freedom), the
 * square root of what is called reduced chi-squared; NAN where sigma is relative, or nothing is known
 * of the degrees of freedom. */
double fit_noise(const struct fit *fit);

/* Contacts, machines, relays or switches. */
bool fit_has_events(const struct model *model);

/* Is the noise more than errors can be, in what has events? Then the solution is not what was measured: there are
 * as many minima as orders of events and measurements. */
bool fit_is_unexplained(const struct fit *fit, const struct model *model);
/* The reason, in words. */
void fit_write_reason(const struct fit *fit, char *why, size_t size);

/* The parts have their parameters in common. */
struct fit *fit_create(int n_part, const struct fit_part *part, const struct fit_solution *solution);
void fit_free(struct fit *fit);

#endif
