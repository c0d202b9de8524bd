/* transcription/start/presolve_impacts.h - time steps as elements of FESD-J: events on element boundaries
 *
 * Impulses are what the steps of an impact push more than the steady force after it; velocities before and after are
 * continued from steps that no impact blurs (presolve.md 3). Restitution is left to FESD-J: the steps know none.
 */
#ifndef COCP_TRANSCRIPTION_START_PRESOLVE_IMPACTS_H
#define COCP_TRANSCRIPTION_START_PRESOLVE_IMPACTS_H

#include "transcription/start/coarse.h"

/* Element lengths, all points and all junctions of tr; parameters are written by then. */
void presolve_write_impacts(struct transcription *tr, const struct coarse *coarse);

#endif
