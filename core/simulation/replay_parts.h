/* core/simulation/replay_parts.h - parts of replay.h: checks that need no further simulation, and the states from
 * which single intervals are simulated; private to replay*.c */
#ifndef COCP_CORE_SIMULATION_REPLAY_PARTS_H
#define COCP_CORE_SIMULATION_REPLAY_PARTS_H

#include "core/contact/dense.h"
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

/* A closed contact of a solution is a little open or shut: dead bands of time-freezing, tolerances. */
struct replay_closing {
    struct arena mem;
    struct contact_functions *contacts;     /* borrowed */
    struct dense dense;
    double *J, *miss, *dq, *force_min;
    int *closed;
};

struct replay_closing replay_closing_create(struct contact_functions *contacts,
                                            const struct replay_solution *solution);
void replay_closing_free(struct replay_closing *closing);
/* x [n_x]: the state of the point, moved the shortest way to where contacts that overlap or carry a force, other
 * than what a relaxation leaves of one in flight, have gap zero. */
void replay_close(struct replay_closing *closing, const struct replay_point *point, double *x);

#endif
