/* cli/event_simulation.h - `simulate --method event`, the default */
#ifndef COCP_CLI_EVENT_SIMULATION_H
#define COCP_CLI_EVENT_SIMULATION_H

#include "cli/simulate_run.h"

/* Simulates, the samples of a bundle too, writes the result and prints the summary line. */
enum status event_simulate(const struct simulate_run *run, struct diag *diag);

#endif
