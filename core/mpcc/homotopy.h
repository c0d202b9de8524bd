/* core/mpcc/homotopy.h - an MPCC by a sequence of relaxed NLPs, sigma -> 0; mpcc.md
 *
 * Each NLP starts at the last iterate worth going on from. What counts is judged by the hard problem (mpcc.h),
 * never by the solver's word: the best iterate that was feasible is kept and returned, not the last one.
 *
 * A failed NLP is tried again with a fresh barrier, then sigma goes back geometrically, at most three times;
 * two infeasible ones in a row end the run. From recipe.sigma_polish on a crossover (polish.h) is tried after
 * each decade; it works on a copy.
 *
 * Errors  STATUS_USAGE for a wrong solver option. Everything else is a result: homotopy_solve returns
 *         result->status, and the result is filled, with the best iterate, in every case but STATUS_USAGE.
 */
#ifndef COCP_CORE_MPCC_HOMOTOPY_H
#define COCP_CORE_MPCC_HOMOTOPY_H

#include "core/mpcc/mpcc.h"
#include "core/mpcc/recipe.h"
#include "core/mpcc/settings.h"

#include <signal.h>

struct homotopy_step {
    double sigma;                   /* of a crossover: of the iterate it started from */
    double complementarity, infeasibility, objective;       /* of the hard problem at the step's end */
    int iterations;
    double wall_time;               /* s */
    enum nlp_outcome outcome;
    bool is_polish;
};

/* What one run is given. Set up by homotopy_run_init, then changed field by field. */
struct homotopy_run {
    const double *w0;               /* [n_w] start; NULL: mpcc->w0. Borrowed */
    double sigma_start, sigma_stop, slope;      /* NAN: of the settings, or of the recipe */
    struct homotopy_recipe recipe;
    double give_up_sigma;           /* an NLP at its cap, though feasible, at this sigma or above is stuck in a
                                     * saddle and ends the run; INFINITY: never */
    double lost_violation;          /* a first NLP that ends at its cap with more than this ends the run; INFINITY: never */
    bool is_stage;                  /* a stage of a longer run: no crossover, no early end on comp_tol; hands back
                                     * the iterate to go on from, which may be infeasible at large sigma */
    double max_seconds;             /* wall time; INFINITY: none */
    const volatile sig_atomic_t *interrupt;     /* nonzero stops the run; may be NULL */
    /* Called after each NLP; may be NULL. */
    void (*progress)(void *user, const struct homotopy_step *step, int index);
    nlp_monitor *monitor;           /* called after each iteration of an NLP; may be NULL */
    void *user;                     /* handed to both */
    int n_option;
    const struct nlp_option *option;            /* verbatim options of IPOPT; they win. Borrowed */
    int print_level;                /* 0; 5 as -vv */
};

void homotopy_run_init(struct homotopy_run *run);

struct homotopy_result {
    struct arena mem;               /* owns the arrays below, but for the steps */
    enum status status;
    bool completed;                 /* the NLP of the last sigma was solved, or an earlier point was good enough */
    bool polished;                  /* w comes from a crossover */
    double *w;                      /* [n_w] best iterate */
    double *lambda;                 /* [n_g] multipliers of the rows of the MPCC */
    double *lambda_pair;            /* [n_pair] multipliers of the relaxed pairs; 0 where there was no row */
    double *z_lower, *z_upper;      /* [n_w] of the bounds */
    double sigma;                   /* of the NLP that gave w */
    double complementarity, violation, objective;           /* at w, of the hard problem */
    enum nlp_outcome outcome;       /* of the last NLP of the homotopy */
    double *w_last;                 /* [n_w] last iterate tried: says more about a failure than w */
    double violation_last;          /* there */
    double sigma_last;
    int n_step;
    struct homotopy_step *step;     /* [n_step] */
    int iterations;                 /* of all NLPs */
    double seconds, eval_seconds;
    struct nlp_linear_work linear;
    int nnz_jac, nnz_hess, n_relaxed_g, n_relaxed_w;        /* sizes of the relaxed NLP */
};

/* Solves the MPCC; homotopy_result_free(out) afterwards, whatever came back. */
enum status homotopy_solve(const struct mpcc *mpcc, const struct homotopy_settings *settings,
                           const struct homotopy_run *run, struct homotopy_result *out, struct diag *diag);

void homotopy_result_free(struct homotopy_result *result);

/* The better of two results: solved before acceptable before the rest, then by objective (solved; of equal
 * ones by complementarity), or by violation. True if a is at least as good as b. */
bool homotopy_result_better(const struct homotopy_result *a, const struct homotopy_result *b);

#endif
