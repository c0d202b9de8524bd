/* cli/bounds/bound_words.h - what a lower bound says: of bound, and of solve with --bound
 *
 *   no motion costs less than 13.33333278: 13.33333334 is at most 4.2e-06 % above the global optimum
 *   of the problem in continuous time, any controls within their bounds, motions with q in ...
 *
 * Texts are the arena's, or static.
 */
#ifndef COCP_CLI_BOUNDS_BOUND_WORDS_H
#define COCP_CLI_BOUNDS_BOUND_WORDS_H

#include "core/bound/search.h"

/* Of the cost: a motion found on a grid may lie so far below its bound, by its tolerances. */
#define BOUND_ABOVE 1e-4

enum { BOUND_LINE_DIGITS = 8, BOUND_WORDS_DIGITS = 10 };

/* The number with so many digits that is not above it: what is printed is proved, too. */
double bound_words_round_down(double value, int digits);

/* How far a motion of that cost is above the optimum at most, in percent of that, rounded up; NAN: the optimum may
 * be 0, so that no percentage says it. */
double bound_words_percent(double bound, double cost);

/* What is proved, beside a motion of that cost (NAN: there is none); of which problem;
 * why it has come to an end. */
const char *bound_words_of(const struct model *model, const struct bound_found *found, double cost,
                           struct arena *mem);
const char *bound_words_about(const struct bound_problem *problem, struct arena *mem);
const char *bound_words_end(enum bound_end end);

/* A line on what a degree has come to: `tell` of core/bound/search.h, whose user is a struct cli_args. */
void bound_words_tell(void *user, const struct bound_attempt *attempt);

#endif
