/* transcription/start/presolve.h - a time-stepping solution as the start of time-freezing or FESD-J
 *
 * The same problem on a fixed grid with implicit Euler (fesd_j.md 10) is far easier to solve: no clock, no switch
 * to detect. Its steps say when each contact is open or closed and what forces act (coarse.h), and from that
 * follows where the elements of the method end and what happens in them (presolve_phases.c, presolve_impacts.c).
 */
#ifndef COCP_TRANSCRIPTION_START_PRESOLVE_H
#define COCP_TRANSCRIPTION_START_PRESOLVE_H

#include "transcription/discretize/transcription.h"

/* Can the presolve help? FESD-J, and time-freezing of inelastic contacts in step form without other switches. */
bool presolve_fits(const struct model *model, const struct discretization *settings);

/* Fills the starting point of `tr` from a time-stepping solution `from` at w. */
void tr_apply_presolve(struct transcription *tr, const struct transcription *from, const double *w);

#endif
