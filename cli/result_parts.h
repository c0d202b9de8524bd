/* cli/result_parts.h - the groups that every command's result has: attributes of the root, /parameters, /spec,
 * /solver */
#ifndef COCP_CLI_RESULT_PARTS_H
#define COCP_CLI_RESULT_PARTS_H

#include "cli/problem.h"
#include "core/results/results.h"

/* Of the largest program that was solved, and what all of them took together. */
struct result_effort { int n_var, n_con, n_comp, nnz_jac, nnz_hess, iterations; double seconds, eval_seconds; };

struct result_head { enum status status; double objective, complementarity, infeasibility; };

void write_head(const struct cli_args *args, const struct problem *problem, const struct result_head *head,
                struct result *result);

/* p [n_p]: values of optimized parameters; NULL: their guesses. */
void write_parameters(const struct problem *problem, const double *p, struct result *result);

/* Versions, options, sizes and times in /solver. */
void write_solver(const struct problem *problem, const struct result_effort *effort, struct result *result);

void write_spec(const struct problem *problem, struct result *result);

#endif
