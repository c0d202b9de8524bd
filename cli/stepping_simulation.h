/* cli/stepping_simulation.h - `simulate --method moreau | stewart-trinkle` */
#ifndef COCP_CLI_STEPPING_SIMULATION_H
#define COCP_CLI_STEPPING_SIMULATION_H

#include "cli/simulate_run.h"

/* Simulates, the samples of a bundle too, writes the result and prints the summary line. */
enum status stepping_simulate(const struct simulate_run *run, struct diag *diag);

#endif
