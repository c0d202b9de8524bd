/* core/simulation/events.h - what happens at an event: impacts, the mode to go on with, a word for each change */
#ifndef COCP_CORE_SIMULATION_EVENTS_H
#define COCP_CORE_SIMULATION_EVENTS_H

#include "core/simulation/run.h"

/* Impacts and the choice of a mode at the present time; is_start: nothing came before. */
enum status events_settle(struct sim *sim, bool is_start);

#endif
