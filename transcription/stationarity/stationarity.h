/* transcription/stationarity/stationarity.h - is a finished solution B-stationary?
 *
 *   grad f . d >= 0   for all d in the linearized cones of all sequences of which the motion is one
 *
 * on its grid: a linear program for each (core/nlp/descent.h). Sequences are reached from that of the solution by
 * one change after the other, each once: by moves of the search (moves.h) and by touches (touches.h), where these
 * leave the motion as it is (contained.h). Each change is the other branch of a pair both sides of which are 0: a
 * length, and what the mode of no length asks for. Where the gradients of what is active are independent single
 * changes decide (Scheel and Scholtes 2000); others are tried, too, as far as the limits go.
 */
#ifndef COCP_TRANSCRIPTION_STATIONARITY_STATIONARITY_H
#define COCP_TRANSCRIPTION_STATIONARITY_STATIONARITY_H

#include "transcription/finish/pool.h"

enum stationarity_is { STATIONARITY_NOT_ASKED, STATIONARITY_NOT_DECIDED, STATIONARITY_B, STATIONARITY_DESCENT };

struct stationarity {
    enum stationarity_is is;
    int n_pair;                     /* single changes that leave the motion as it is */
    int n_branch;                   /* sequences whose linear program was solved, its own among them */
    double fall;                    /* rate of descent, relative to the objective, at least 1; the largest one */
    char what[60];                  /* the change, or the last one of several, to where it falls most; "": none */
    struct sequence *seq;           /* that sequence; NULL: none. stationarity_free */
};

struct stationarity_limits {
    int n_branch;
    double work;                    /* entries, nlp.h */
    const struct finish_task *task; /* to stop */
    const struct pool *run;         /* what it knows as POOL_DESCENT is not handed out as the steepest; may be NULL */
};

#define STATIONARITY_FALL 1e-3      /* relative rate of descent: less may be what the barrier has left */

/* steepest [n]: the programs of the n sequences in which the objective falls most, the steepest first, at the
 * motion, the last move of each the change to it; ph NULL where there are no more; finish_free. */
struct stationarity stationarity_of(const struct finish *finish, const struct stationarity_limits *limits, int n,
                                    struct finish *steepest);
void stationarity_free(struct stationarity *stationarity);

/* "B-stationary", "descent", "not-decided". */
const char *stationarity_word(enum stationarity_is is);

#endif
