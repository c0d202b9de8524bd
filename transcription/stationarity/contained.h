/* transcription/stationarity/contained.h - a finished motion as a point of the program of another sequence
 *
 * Where modes last no time, a motion is one of several sequences: with an event at the end of a control interval
 * or at the start of the next one, with two events at one time in either order, with a mode of no length or
 * without. In the program of such a sequence what has length keeps its elements, stages, forces and checked
 * points, so that it is the same discretization; what has none begins and ends in the state there, its forces
 * follow from the conditions of its mode.
 */
#ifndef COCP_TRANSCRIPTION_STATIONARITY_CONTAINED_H
#define COCP_TRANSCRIPTION_STATIONARITY_CONTAINED_H

#include "transcription/finish/finish.h"

/* Of a control interval: pieces this short have no length. The barrier keeps 1e-9 where a bound pushes, and 3e-5
 * where it only just does not. */
#define CONTAINED_SHORT 1e-4
/* Of a program at the motion: with more the motion is none of its sequence. */
#define CONTAINED_VIOLATION 1e-3

/* A sequence, and where modes of no length begin in the midst of pieces: the piece that ends with event `event`
 * ends with the end of element `element` of the finished motion, which is given; event -1: nowhere. */
struct contained_in {
    const struct sequence *seq;
    int event, element;
};

/* Has piece `piece` of the motion no length? */
bool contained_is_empty(const struct finish *finish, int piece);

/* Are there resets, times inside control intervals, free lengths of these or other programs that it is coupled to?
 * Of these nothing is said. */
bool contained_is_asked(const struct finish *finish);

/* The program of the sequence at the motion, to be freed by finish_free; false if the motion is none of the
 * sequence's, and there is nothing. work counts what it takes, in entries (nlp.h). */
bool contained_program(const struct finish *finish, const struct contained_in *in, struct finish *out,
                       double *work);

#endif
