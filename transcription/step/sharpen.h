/* transcription/step/sharpen.h - what a discretization leaves open in a step of a simulation, settled
 *
 * A solution of the complementarity system of a step is not unique in three places, each of which costs accuracy:
 *  1. products that a relaxation has left at sigma instead of zero;
 *  2. where a sliding mode ends: nothing crosses a surface there, and the stages of the next element only say that
 *     the state moves away from it by their mean, so that the end may come early by O(h). The step of a switching
 *     function that stops sliding is continuous: at the last stage of the element it has reached its bound;
 *  3. time-freezing: at a closed contact the gap's step is free where gap and normal velocity vanish, so that a
 *     stage at the end of a jump may let time pass. It is 0 there.
 * Each is an active set: it is fixed and the system solved once more (polish.h).
 */
#ifndef COCP_TRANSCRIPTION_STEP_SHARPEN_H
#define COCP_TRANSCRIPTION_STEP_SHARPEN_H

#include "transcription/discretize/transcription.h"

/* Replaces w [n_w] by a sharper solution of the same step, if there is something to settle and the result is one;
 * returns whether it was. Bounds of tr are as before afterwards. */
bool tr_sharpen(struct transcription *tr, double *w, int *iterations);

#endif
