/* transcription/step/step_program.h - the program of a step: kept from steps that were like it, and its guess */
#ifndef COCP_TRANSCRIPTION_STEP_STEP_PROGRAM_H
#define COCP_TRANSCRIPTION_STEP_STEP_PROGRAM_H

#include "transcription/step/runner.h"

/* The program of a step, new or kept; step->owns_tr says whose it is. */
enum status step_find_program(struct runner *run, const struct step_shape *shape, const struct step_try *how,
                              struct step_solution *step);

/* Initial state, controls and guess of a step: everything as it is now. */
void step_prepare(struct runner *run, struct transcription *tr, const struct step_try *how);

/* Usual half width of the dead band; 0: there is none. */
double step_band(const struct runner *run);

#endif
