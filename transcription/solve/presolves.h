/* transcription/solve/presolves.h - presolves of several starts side by side, each in a process of its own
 *
 * All but the first run in children, while that one runs at home; their solutions are taken in the order of the
 * starts. A child inherits the problem and shares nothing of what it changes, so that libraries with a state of
 * their own need not be safe for threads, and the answer is the same on any number of cores. What a child did is
 * booked, and told, when it is taken. With one core, or with the solver's log wanted, each presolve runs when its
 * turn comes. Children end with the program: they look for their parent after each iteration.
 */
#ifndef COCP_TRANSCRIPTION_SOLVE_PRESOLVES_H
#define COCP_TRANSCRIPTION_SOLVE_PRESOLVES_H

#include "transcription/solve/attempt.h"

enum { MOST_PRESOLVES = 8 };

struct presolves {
    int n;
    struct attempt attempt[MOST_PRESOLVES];     /* [n] */
    struct { int fd; long pid; } child[MOST_PRESOLVES];         /* pid 0: none */
};

/* Starts the children of attempts 1 .. n - 1, as many as there are cores beside this one. */
void presolves_start(const struct solver *solver, int n, const struct attempt *attempt, struct presolves *out);
/* As attempt_presolve. */
bool presolves_take(struct presolves *presolves, int k, struct solver *solver);
/* Ends the children that are left. */
void presolves_end(struct presolves *presolves);

#endif
