/* transcription/solve/generator.h - where candidates come from, behind one interface
 *
 * A generator proposes sequences with trajectories. What it proposes is solved, remembered and counted by `generate`; what came
 * of it, it may learn. Some solve their candidates themselves, as their programs are others: `run`.
 * A generator without anything to propose is no error.
 */
#ifndef COCP_TRANSCRIPTION_SOLVE_GENERATOR_H
#define COCP_TRANSCRIPTION_SOLVE_GENERATOR_H

#include "transcription/solve/finishing_parts.h"

struct generator {
    enum mechanism is;              /* by whose name it is counted, told of and switched off */
    enum status (*run)(struct finishing *at);
};

/* All that it proposes; nothing where it is switched off. */
enum status generate(struct finishing *at, const struct generator *generator);

/* --- Generators ------------------------------------------------------------------------------------------------ */

/* What the user gives: a trajectory from a file; phases; one mode, where nothing switches. */
extern const struct generator by_given_guess, by_prescribed, by_one_mode;

/* Time steps of contacts from several starts; the same where they have exploited their grid, and led to the goal; fixed steps
 * of switches. */
extern const struct generator by_time_steps, by_true_steps, by_led_steps, by_fixed_steps;

/* Simulations: of the guess and random controls until two lead to a solution; the guess's alone, and once more with more
 * elements; random ones of what never switches; of relays, every order of switching; of machines, and orders beside
 * these; turns of long ones. */
extern const struct generator by_simulation, by_guess_simulation, by_finer_simulation, by_random_simulations, by_relay_orders,
                              by_machine_orders, by_orbit;

/* Controls searched by cross-entropy, until one leads to a solution in which something happens; other populations. */
extern const struct generator by_cross_entropy, by_more_populations;

/* Stances and flights in turn, more and more of them, as long as that is better; one flight and one stance, of what
 * begins in the air. */
extern const struct generator by_gait, by_landing;

/* A homotopy of time-freezing that ends early; the method of the spec. */
extern const struct generator by_time_freezing, by_method;

/* --- What goes on from candidates that are there --------------------------------------------------------------- */

/* Neighbours of sequences without a solution, until one has some: of those with the fewest events, as bounces cost and a
 * motion knows which contacts hit, not when they should; of those that are cheaper than the best. */
extern const struct generator repair_simplest, repair_cheaper;

/* The best sequence with events at free times, and bounces more and fewer. */
extern const struct generator free_best;

/* The plan once more, in scaled variables. */
extern const struct generator own_sizes;

#endif
