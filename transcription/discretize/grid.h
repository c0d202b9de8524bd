/* transcription/discretize/grid.h - variables of the grid, and the rows that tie element lengths, clock and horizon */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_GRID_H
#define COCP_TRANSCRIPTION_DISCRETIZE_GRID_H

#include "transcription/discretize/places.h"

/* Variables of all points, with their bounds and first guesses; lays out tr->u, s, h and point. */
void tr_add_variables(struct transcription *tr);

/* After the dynamics: lengths add up (fesd.md 6), the clock hits the control grid (C.7). */
void tr_add_grid_rows(struct transcription *tr);

#endif
