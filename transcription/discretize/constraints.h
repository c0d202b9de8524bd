/* transcription/discretize/constraints.h - the user's constraints on the grid */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_CONSTRAINTS_H
#define COCP_TRANSCRIPTION_DISCRETIZE_CONSTRAINTS_H

#include "transcription/discretize/places.h"

void tr_add_constraints(struct transcription *tr);

#endif
