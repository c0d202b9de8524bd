/* transcription/discretize/cost.h - the user's cost on the grid, and what the method adds to it */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_COST_H
#define COCP_TRANSCRIPTION_DISCRETIZE_COST_H

#include "transcription/discretize/places.h"

void tr_add_cost(struct transcription *tr);

#endif
