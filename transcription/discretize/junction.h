/* transcription/discretize/junction.h - FESD-J: impacts at the left boundaries of elements */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_JUNCTION_H
#define COCP_TRANSCRIPTION_DISCRETIZE_JUNCTION_H

#include "transcription/discretize/places.h"

/* Places in the block of a junction; its variables come with the grid's. */
void tr_lay_out_junctions(struct transcription *tr);
void tr_add_junction_variables(struct transcription *tr, int j);

/* Rows and pairs of all junctions. */
void tr_add_junctions(struct transcription *tr);

#endif
