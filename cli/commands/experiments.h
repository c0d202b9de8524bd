/* cli/commands/experiments.h - a spec with the data of several experiments, which have their
 * optimized parameters in common */
#ifndef COCP_CLI_COMMANDS_EXPERIMENTS_H
#define COCP_CLI_COMMANDS_EXPERIMENTS_H

#include "cli/problem.h"

/* Solves each, then all of them together (transcription/discover/experiments.h); a result
 * for each, NAME_EXPERIMENT.h5. */
enum status experiments_run(const struct cli_args *args, const struct problem *problem, struct diag *diag);

/* Reads each as it is: mistakes in its data and in what it sets. */
enum status experiments_check(const struct cli_args *args, const struct model *model, struct diag *diag);

#endif
