/* transcription/proposals/cross_entropy.h - motions aimed at what a spec asks for, where random ones miss it
 *
 * Motions are simulated from event to event, as in simulated.h: controls constant over a few stretches of the
 * horizon, free initial values, optimized parameters and a free horizon are drawn, each as a way, -1 to 1, from
 * its guess to a bound. By the cross-entropy method (Rubinstein, 1999) the next generation is drawn around the
 * best e motions so far, w_k,
 *
 *   w = m + a (sqrt(1/2) sum_k z_k (w_k - m) / sqrt(e - 1) + sqrt(1/2) s y),   z, y standard normal
 *
 * m and s being their mean and spread, a > 1, as a spread of few that were selected is too small.
 *
 * What is best: the sum of what final values, constraints and bounds of states are missed by, each by its root
 * mean square in the first generation, and a little of the least gaps of all contacts and of the objective; as
 * much of that as of the others where nothing is asked of the end. Misses are summed, not squared, and the first
 * generation goes from timid to bold, else bounds that bold motions break outweigh the goal; the best of all
 * generations stay, with steps along their differences (z), as spreads alone shrink in a valley. That asks for no
 * derivative, which impacts make useless: before a ball is hit nothing says how, but that what comes near it may
 * hit it. The same seed gives the same motions.
 */
#ifndef COCP_TRANSCRIPTION_PROPOSALS_CROSS_ENTROPY_H
#define COCP_TRANSCRIPTION_PROPOSALS_CROSS_ENTROPY_H

#include "transcription/reading/simulated.h"

struct cross_entropy;

/* Is there anything to draw and to aim at? Not with phases by the user or data. */
bool cross_entropy_fits(const struct model *model);

/* Does the spec ask anything of the end, or at times on the way? Else what is wanted stands in its costs. */
bool cross_entropy_has_goal(const struct model *model);

/* The model is borrowed; its graph grows. cross_entropy_free afterwards. */
struct cross_entropy *cross_entropy_create(struct model *model, unsigned seed);
void cross_entropy_free(struct cross_entropy *at);

/* Simulates one generation more; stops early at the limits. */
void cross_entropy_generation(struct cross_entropy *at, const struct simulated_limits *limits);

/* The best motion of all so far, borrowed until the next generation; NULL: none came to its end. What it misses,
 * as a sum of parts of what the first generation did. */
const struct sim *cross_entropy_best(const struct cross_entropy *at);
double cross_entropy_missed(const struct cross_entropy *at);

#endif
