/* transcription/start/perturb.h - other starts than the guess
 *
 * Shapes  what changes is the initial point w0 [n_w] of the program; equal seeds give equal points.
 * Units   of the variables: a size is a share of the width of their bounds.
 */
#ifndef COCP_TRANSCRIPTION_START_PERTURB_H
#define COCP_TRANSCRIPTION_START_PERTURB_H

#include "transcription/discretize/transcription.h"

/* Adds to every free state and to the controls a uniform random number of +- size times the width of its bounds,
 * of a state 1 at most, and without them 1. */
void tr_perturb_guess(struct transcription *tr, unsigned seed, double size);

/* Leads every state another way. To its guess are added, of the part s of the horizon, a_m sin(m pi s), m = 1
 * to 3, with a_m uniform random of +- size / m times the width of its bounds, or without them twice its
 * largest magnitude, at least 1. */
void tr_detour_guess(struct transcription *tr, unsigned seed, double size);

#endif
