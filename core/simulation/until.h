/* core/simulation/until.h - how long phases are that end by a condition
 *
 * Phase after phase is simulated up to its greatest length, with a machine (machines.c) that begins to wait for the
 * condition where the phase begins: so it is found as exactly as every event, after what jumps there.
 *
 * Shapes  p [n_p], in and out: of lengths that end by a condition nothing is used but that they are there.
 * Errors  STATUS_NUMERIC where a condition is never met, STATUS_SPEC as of sim_run; a message in diag.
 */
#ifndef COCP_CORE_SIMULATION_UNTIL_H
#define COCP_CORE_SIMULATION_UNTIL_H

#include "core/simulation/simulation.h"

enum status sim_find_lengths(const struct sim_task *task, double *p, struct diag *diag);

#endif
