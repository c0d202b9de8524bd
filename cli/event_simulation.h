/* cli/event_simulation.h - `simulate --method event`, the default */
#ifndef COCP_CLI_EVENT_SIMULATION_H
#define COCP_CLI_EVENT_SIMULATION_H

#include "cli/bundle.h"
#include "cli/simulate_run.h"

/* Simulates, the samples of a bundle too, writes the result and prints the summary line. */
enum status event_simulate(const struct simulate_run *run, struct diag *diag);

/* Adds the states of a run at given times, right limits; those after its end are left out. */
void event_add_times(const struct sim *sim, const struct model *model, const struct bundle_times *times,
                     struct trajectory *to);

#endif
