/* transcription/start/presolve.h - a time-stepping solution as the start of time-freezing or FESD-J
 *
 * The same problem on a fixed grid with implicit Euler (math.md D.9) is far easier to solve: no clock, no switch
 * to detect. Its steps say when each contact is open or closed and what forces act, and from that follows what
 * time-freezing needs: contacts slow time by rate = a_n / (a_n + lambda_n), an impulse Lambda freezes it for
 * Lambda / a_n. So each control interval gets its sequence of phases (free, jump, contact), its element boundaries
 * at the events and its speed of time (homotopy_fesdj.md 3 does the same for FESD-J).
 */
#ifndef COCP_TRANSCRIPTION_START_PRESOLVE_H
#define COCP_TRANSCRIPTION_START_PRESOLVE_H

#include "transcription/discretize/transcription.h"

/* Fills the starting point of `tr` (time-freezing, inelastic contacts) from a time-stepping solution `from` at w. */
void tr_apply_presolve(struct transcription *tr, const struct transcription *from, const double *w);

/* The same for FESD-J: events on element boundaries, impulses from the forces of the steps, velocities before and after.
 * Restitution is left to FESD-J: the steps know none. */
void tr_apply_presolve_impacts(struct transcription *tr, const struct transcription *from, const double *w);

/* Can the presolve help? FESD-J, and time-freezing of inelastic contacts in step form. */
bool presolve_fits(const struct model *model, const struct discretization *settings);

#endif
