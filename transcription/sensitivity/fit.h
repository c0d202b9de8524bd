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
 * s = 1 where sigma is known; where it is relative, s^2 = f / degrees of freedom. For a linear model these are the formulas
 * of linear least squares; other terms of the cost (regularization) are taken as they are.
 *
 * Quantities q: optimized parameters, and initial values that are free. One that a bound holds, or that the data say nothing
 * of, has no standard deviation (NAN).
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
    int n_w;
    const double *w;                /* [n_w] */
    const struct sensitivity *sens; /* of it */
    const int *const *var;          /* [n_part] where each part's variables are in it; NULL: it is that of one part */
};

struct fit_value {
    int part, series, row;
    double t, value, fit, sigma;
    double leverage;                /* how much of the fit is the value itself; NAN: not known */
    double std;                     /* of the fit */
};

enum fit_bound { FIT_FREE, FIT_AT_BOUND, FIT_NOT_DETERMINED, FIT_STOPPED };
                                    /* no deviation: a bound holds it; the data say nothing of it; the solve was
                                     * stopped */

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

/* The parts have their parameters in common. */
struct fit *fit_create(int n_part, const struct fit_part *part, const struct fit_solution *solution);
void fit_free(struct fit *fit);

#endif
