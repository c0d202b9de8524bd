/* core/output/head.h - the groups that every command's result has: attributes of the root, /parameters, /spec,
 * /solver; results.md */
#ifndef COCP_CORE_OUTPUT_HEAD_H
#define COCP_CORE_OUTPUT_HEAD_H

#include "core/model/model.h"
#include "core/mpcc/settings.h"
#include "core/nlp/nlp.h"
#include "core/results/results.h"

#define COCP_VERSION "0.2.0"

struct output_origin {              /* what a result is made of; borrowed */
    const struct spec *spec;
    const struct model *model;
    const char *resolved;           /* the spec with defaults and overrides, as YAML */
    const char *method;             /* what made it */
    const char *history;            /* the command line */
};

struct output_head {
    enum status status;
    double objective, complementarity, infeasibility;
    const char *failure;            /* where and why it ended early; or NULL */
};

/* A new result with the attributes of its root and /parameters. p [n_p]: values of optimized
 * parameters; NULL: their guesses. */
struct result *output_begin(const struct output_origin *origin, const struct output_head *head, const double *p);

/* For what is found out later. */
void output_set_status(struct result *result, enum status status);

/* /spec. */
void output_write_spec(const struct output_origin *origin, struct result *result);

/* Of the largest program that was solved, and what all of them took together. */
struct output_effort {
    int n_var, n_con, n_comp, nnz_jac, nnz_hess, iterations;
    double seconds, eval_seconds;
    struct nlp_linear_work linear;
};

/* Version and options of the solver, sizes and times in /solver. */
void output_write_effort(const struct solver_settings *solver, const struct output_effort *effort,
                         struct result *result);

#endif
