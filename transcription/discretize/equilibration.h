/* transcription/discretize/equilibration.h - what makes element lengths equal where nothing switches */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_EQUILIBRATION_H
#define COCP_TRANSCRIPTION_DISCRETIZE_EQUILIBRATION_H

#include "transcription/discretize/places.h"

void tr_add_equilibration(struct transcription *tr);

#endif
