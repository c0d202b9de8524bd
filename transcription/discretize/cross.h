/* transcription/discretize/cross.h - complementarity pairs of the elements */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_CROSS_H
#define COCP_TRANSCRIPTION_DISCRETIZE_CROSS_H

#include "transcription/discretize/places.h"

void tr_add_pairs(struct transcription *tr);

/* Switches the pairs that keep time frozen all through a jump on (as they are at first) or off. */
void tr_set_strict_jumps(struct transcription *tr, bool strict);

#endif
