/* transcription/step/hold.h - variables held at values for a while: an active set as equations */
#ifndef COCP_TRANSCRIPTION_STEP_HOLD_H
#define COCP_TRANSCRIPTION_STEP_HOLD_H

#include "transcription/discretize/transcription.h"

struct hold { int n; int *var; double *lb, *ub; };      /* [n] with their own bounds; a variable may come twice */

/* Room for what an active set of tr can hold. */
struct hold hold_create(struct arena *mem, const struct transcription *tr);
void hold_at(struct hold *hold, struct transcription *tr, int var, double value);
/* Gives all their bounds back. */
void hold_release(struct hold *hold, struct transcription *tr);

/* Does the original system hold at w, with all products zero? */
bool hold_is_exact(const struct transcription *tr, const double *w);

#endif
