/* core/output/modes.h - /modes: what each contact, switch and machine of a simulated motion does, and from when
 * to when
 *
 *   t_start, t_end  [mode] without holes from the start to the end of the run; a mode ends where something
 *                   changes
 *   subject         [subject] names: contacts, switches, machines
 *   state           [mode, subject] "is open", "sticks", "slips forward", ...: sim_mode_word (simulation.h)
 *
 * A run without contacts, switches and machines has no such group.
 */
#ifndef COCP_CORE_OUTPUT_MODES_H
#define COCP_CORE_OUTPUT_MODES_H

#include "core/results/results.h"
#include "core/simulation/simulation.h"

void modes_write(const struct sim *sim, struct result *result);

#endif
