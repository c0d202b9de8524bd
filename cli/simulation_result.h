/* cli/simulation_result.h - what a simulation leaves in a result file; README.md "The result" */
#ifndef COCP_CLI_SIMULATION_RESULT_H
#define COCP_CLI_SIMULATION_RESULT_H

#include "cli/problem.h"
#include "transcription/step/simulate.h"

/* Writes trajectory, grid, events, the steps and where it comes from. */
enum status simulation_result_write(const struct cli_args *args, const struct problem *problem,
                                    struct simulate_result *found, const char *out_path, struct diag *diag);

#endif
