/* core/nlp/stall.h - does the violation of a run still fall?
 *
 * A run from a bad start may go on to its last iteration with a violation that has not fallen for hundreds of
 * them. It is measured by its least value so far: once that has not fallen by a tenth in `patience` iterations,
 * while it is above 1e-3, the run has stalled. Below that it is near a feasible point, and may well stay there
 * for long on its way to the optimum.
 */
#ifndef COCP_CORE_NLP_STALL_H
#define COCP_CORE_NLP_STALL_H

#include <stdbool.h>

struct stall {
    int patience;                   /* iterations; 0: it never stalls */
    double least;                   /* violation that it has to fall from, */
    int at;                         /* and the iteration that had it */
};

struct stall stall_begin(int patience);

/* After each iteration, in their order. True where the run has stalled. */
bool stall_watch(struct stall *stall, int iteration, double violation);

#endif
