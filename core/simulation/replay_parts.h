/* core/simulation/replay_parts.h - parts of replay.h: checks that need no further simulation; private to replay*.c */
#ifndef COCP_CORE_SIMULATION_REPLAY_PARTS_H
#define COCP_CORE_SIMULATION_REPLAY_PARTS_H

#include "core/model/contact_functions.h"
#include "core/simulation/replay.h"

/* Fill their fields of the report. */
void replay_match_events(const struct replay_solution *solution, struct replay_report *report);
void replay_find_penetration(struct contact_functions *contacts, const struct replay_solution *solution,
                             struct replay_report *report);
void replay_check_cone(struct contact_functions *contacts, const struct replay_solution *solution,
                       struct replay_report *report);
void replay_balance_energy(struct model *model, const struct replay_solution *solution,
                           struct replay_report *report);
void replay_integrate_cost(struct model *model, const struct replay_solution *solution,
                           struct replay_report *report);

#endif
