/* transcription/mechanisms/counts.h - what each mechanism of the search has done in one solve
 *
 *     struct counting one;
 *     if (counts_begin(counts, BY_ORBIT, &one)) {
 *         ...
 *         counts_end(&one);
 *     }
 *
 * Mechanisms may stand within others; iterations and seconds of the inner ones count for the outer ones, too.
 * `counts` may be NULL: then all are used, and nothing is counted.
 */
#ifndef COCP_TRANSCRIPTION_MECHANISMS_COUNTS_H
#define COCP_TRANSCRIPTION_MECHANISMS_COUNTS_H

#include "transcription/mechanisms/mechanisms.h"

struct count {
    int calls;
    int candidates;                 /* sequences whose programs it has had solved */
    int repeated;                   /* sequences that had been tried before */
    int solved, best;               /* candidates with a solution; that became the best */
    int iterations;                 /* of IPOPT */
    double seconds;
};

struct counts {
    struct mechanism_set used;      /* mechanisms_used */
    const int *iterations[2];       /* of the solve so far: the sum of both; borrowed */
    enum mechanism generator;       /* at work; MECHANISM_NONE: none */
    struct count of[N_MECHANISM];
};

struct counting { struct counts *counts; enum mechanism what, before; int iterations; double start; };

/* Counts a call; false where it is switched off, and then there is no counts_end. */
bool counts_begin(struct counts *counts, enum mechanism what, struct counting *out);
void counts_end(const struct counting *one);

/* A candidate of the generator at work, or of a continuation: did it have a solution,
 * and did that become the best? */
void counts_candidate(struct counts *counts, enum mechanism what, bool solved, bool best);
/* A sequence that it leads to was tried before. */
void counts_known(struct counts *counts, enum mechanism what);
/* The generator at work has proposed a sequence that was tried before. */
void counts_repeated(struct counts *counts);

/* A gate that would close: does it? Counts a call where it does. */
bool counts_gate(struct counts *counts, enum mechanism gate);

/* Is it switched on? Nothing is counted. */
bool counts_uses(const struct counts *counts, enum mechanism what);

#endif
