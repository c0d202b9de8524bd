/* transcription/ensemble/plan.h - what a solve for several scenarios is given, and what comes of it */
#ifndef COCP_TRANSCRIPTION_ENSEMBLE_PLAN_H
#define COCP_TRANSCRIPTION_ENSEMBLE_PLAN_H

#include "transcription/candidates/outcome.h"
#include "transcription/finish/settings.h"

struct ensemble_task {
    struct solve_task solve;        /* of the spec as written */
    const struct finish_settings *finish;
    int n;
    struct model *const *model;     /* [n] of the scenarios: they differ in numbers alone */
    const char *const *name;        /* [n] "parameters.mu = 0.25", for messages */
    const double *weight;           /* [n] sum 1 */
    const double *distance;         /* [n] from the spec as written: the nearest ones come first */
    bool worst;                     /* the largest cost, not the weighted mean */
};

struct ensemble {
    struct finished nominal;        /* of the spec as written; without a solution nothing else is there */
    int n;
    bool is_plan;                   /* there is a program of every scenario, solved or not; else the nominal alone */
    struct finished *one;           /* [n] of each scenario, its own objective in best */
    double objective, violation, error;         /* of all: the largest violation and error of a replay */
    enum status status;             /* the worst of all */
    char reason[320];               /* of all but STATUS_OK */
    int n_var, n_con, nnz_jac, nnz_hess;        /* of the whole program, and all that it took */
    struct finish_work work;
    double seconds;
};

#endif
