/* transcription/reading/simulated.h - motions to read sequences from: the guess, and others, from event to event
 *
 * Start 0 is the guess: controls and free initial values at theirs. In later ones each control takes random
 * constants within its bounds over a few stretches of the horizon, in every other one a part of the way to them;
 * free initial values are moved at random, by a part of the way to their bounds that grows from start to start,
 * where there are machines optimized parameters, too. The same seed gives the same motions.
 */
#ifndef COCP_TRANSCRIPTION_READING_SIMULATED_H
#define COCP_TRANSCRIPTION_READING_SIMULATED_H

#include "core/simulation/simulation.h"
#include "transcription/sequence/samples.h"

struct simulated_limits { double max_seconds; const volatile sig_atomic_t *interrupt; };

/* NULL if the start cannot be simulated to its end. sim_free afterwards. */
struct sim *simulated_start(struct model *model, unsigned seed, int start, const struct simulated_limits *limits);

/* Where that motion begins: x [n_x], and its optimized parameters p [n_p]. Of what has controls or machines others
 * follow. */
void simulated_values(const struct model *model, unsigned seed, int start, double *x, double *p);

/* The motion under the controls of a trajectory, from its start: what becomes of it with restitution. As before. */
struct sim *simulated_samples(struct model *model, const struct samples *samples,
                              const struct simulated_limits *limits);

/* Any task, up to its end, without a word. As before. */
struct sim *simulated_task(struct sim_task *task, const struct simulated_limits *limits);

/* What a variable is that goes a way, -1 to 1, from its guess: to the bound at 1, or by as much as the guess is
 * large where there is none. */
double simulated_value(const struct model_var *var, double lb, double ub, double way);

#endif
