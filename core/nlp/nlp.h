/* core/nlp/nlp.h - a sparse nonlinear program as data and callbacks, and the IPOPT driver
 *
 *   min f(w)   s.t.   lbw <= w <= ubw,   lbg <= g(w) <= ubg
 *
 * Shapes  w [n_w], g [n_g]; Jacobian n_g x n_w by columns (sparse.h), values [jac.nnz]; Hessian of
 *         obj_factor f + lambda' g as its lower triangle, values [hess.nnz].
 * Bounds  +-INFINITY for none; lbw = ubw fixes a variable.
 * A callback returns false where a value is not finite; it allocates nothing.
 */
#ifndef COCP_CORE_NLP_NLP_H
#define COCP_CORE_NLP_NLP_H

#include "core/base/diag.h"
#include "core/base/sparse.h"

#include <stdbool.h>

/* Typical sizes of variables, rows and the cost (scaled.h); powers of two. */
struct nlp_sizes { double *w, *g, f; };         /* [n_w], [n_g] */

struct nlp {
    int n_w, n_g;
    const double *lbw, *ubw;        /* [n_w] */
    const double *lbg, *ubg;        /* [n_g] */
    struct sparse jac, hess;
    const struct nlp_sizes *sizes;  /* nlp_solve works in units of these; NULL: in those of the program */
    void *user;                     /* handed to the callbacks */
    /* new_w is false when w is the point of the previous callback. */
    bool (*eval_f)(void *user, const double *w, bool new_w, double *f);
    bool (*eval_grad)(void *user, const double *w, bool new_w, double *grad);
    bool (*eval_g)(void *user, const double *w, bool new_w, double *g);
    bool (*eval_jac)(void *user, const double *w, bool new_w, double *val);
    bool (*eval_hess)(void *user, const double *w, bool new_w, double obj_factor, const double *lambda,
                      double *val);
};

struct nlp_option { const char *name, *value; };            /* solver.ipopt of the spec, verbatim */

struct nlp_settings {
    double tol, dual_inf_tol, constr_viol_tol, compl_inf_tol, acceptable_tol;   /* NAN: IPOPT's default */
    int max_iter;
    int patience;                   /* a run that stalls for as many ends as at max_iter (stall.h); 0: none does */
    bool monotone;                  /* mu_strategy: monotone, else adaptive with quality-function */
    double mu_init;
    double mu_target;               /* monotone: the barrier parameter to end at; 0: as small as tol wants */
    double push;                    /* bound_push, bound_frac, slack_bound_push, slack_bound_frac; NAN: default */
    bool warm_duals;                /* start from the multipliers in nlp_point; */
    double warm_push;               /* then the push, of multipliers too; 0: next to none */
    int print_level;                /* 0 silent; 5 as -vv */
    double max_seconds;             /* wall time left; INFINITY: none */
    int n_option;
    const struct nlp_option *option;
    struct nlp_memory *memory;      /* of the runs before; NULL: none */
};

/* What runs one after the other have in common: linear systems of a structure that has come lately are not analysed
 * again. Runs do the same with it as without. */
struct nlp_memory;

struct nlp_memory *nlp_memory_create(void);
void nlp_memory_free(struct nlp_memory *memory);

struct nlp_point {                  /* in: start; out: last iterate. Arrays are the caller's. */
    double *w;                      /* [n_w] */
    double *lambda;                 /* [n_g] constraint multipliers */
    double *z_lower, *z_upper;      /* [n_w] bound multipliers */
};

enum nlp_outcome {
    NLP_SOLVED, NLP_ACCEPTABLE, NLP_INFEASIBLE, NLP_SMALL_STEP, NLP_UNBOUNDED, NLP_ITERATIONS, NLP_TIME,
    NLP_RESTORATION_FAILED, NLP_NUMERIC, NLP_INTERRUPTED, NLP_REFUSED
};

/* What the linear algebra of IPOPT did. Where that is not ours (linear_solver.h) all but `entries` is 0. */
struct nlp_linear_work {
    double entries;                 /* iterations times the nonzeros of Jacobian and Hessian: about what a run
                                     * costs, on any machine */
    int n_own, n_mumps;             /* factorizations by core/kkt, and those left to MUMPS */
    int n_broken, n_inexact;        /* why: core/kkt broke down, or left a residual; after many all are left to
                                     * MUMPS */
    int n_stopped;                  /* of n_own, given up early for their inertia */
    int n_solve;
    double analyse_seconds, factorize_seconds, solve_seconds;       /* wall time */
};

struct nlp_info {
    enum nlp_outcome outcome;
    int solver_status;              /* IPOPT's own number */
    int iterations;
    double f, violation, dual_infeasibility;    /* at the last iterate, unscaled as far as IPOPT tells */
    double seconds;                 /* wall time in the solver */
    double eval_seconds;            /* of that, in callbacks */
    int n_eval_f, n_eval_g, n_eval_jac, n_eval_hess;
    struct nlp_linear_work linear;
};

/* Called after each iteration; returning false stops with NLP_INTERRUPTED. */
typedef bool nlp_monitor(void *user, int iteration, double f, double violation, double dual_inf, double mu);

/* One IPOPT run. STATUS_USAGE with a message for an option IPOPT does not know or a linear solver that is not
 * compiled in (checked first: IPOPT itself would print or end the process). */
enum status nlp_solve(const struct nlp *nlp, const struct nlp_settings *settings, struct nlp_point *point,
                      nlp_monitor *monitor, void *monitor_user, struct nlp_info *info, struct diag *diag);

const char *nlp_outcome_text(enum nlp_outcome outcome);

/* Adds the work of one run to that of those before. */
void nlp_add_linear_work(struct nlp_linear_work *sum, const struct nlp_linear_work *work);

/* "IPOPT 3.11.9, linear solver core/kkt". */
const char *nlp_solver_version(void);

#endif
