/* cli/solution_result.h - what a solve leaves in a result file; README.md "The result" */
#ifndef COCP_CLI_SOLUTION_RESULT_H
#define COCP_CLI_SOLUTION_RESULT_H

#include "cli/problem.h"
#include "transcription/solve/solve.h"

/* Writes trajectory, grid, events, homotopy, residuals and where it comes from. */
enum status solution_result_write(const struct cli_args *args, const struct problem *problem,
                                  const struct solve_result *found, const char *out_path, struct diag *diag);

#endif
