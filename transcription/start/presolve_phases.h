/* transcription/start/presolve_phases.h - time steps as the phases of time-freezing: free, jump, contact
 *
 * Contacts slow time by rate = a_n / (a_n + lambda_n) (time_freezing.md 10), an impulse Lambda freezes it for Lambda / a_n. So
 * each control interval gets its sequence of phases, as many as it has elements, and its speed of time.
 */
#ifndef COCP_TRANSCRIPTION_START_PRESOLVE_PHASES_H
#define COCP_TRANSCRIPTION_START_PRESOLVE_PHASES_H

#include "transcription/start/coarse.h"

/* Element lengths, speeds of time and all points of tr; parameters are written by then. */
void presolve_write_phases(struct transcription *tr, const struct coarse *steps);

#endif
