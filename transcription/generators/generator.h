/* transcription/generators/generator.h - where candidates come from, behind one interface
 *
 * A generator proposes candidates, which `generate` has solved and counted; what came of one it may learn before
 * it is asked for the next. Some solve their candidates themselves, as their starts run side by side, or their
 * programs are others. A generator without anything to propose is no error.
 */
#ifndef COCP_TRANSCRIPTION_GENERATORS_GENERATOR_H
#define COCP_TRANSCRIPTION_GENERATORS_GENERATOR_H

#include "transcription/candidates/candidate.h"

struct generator {
    enum mechanism is;              /* by whose name it is counted, told of and switched off */
    const void *how;                /* which variant of several: data of its own type */
    /* It proposes candidates, one after the other; `of`: a trajectory that it goes on from (generate_from): */
    void *(*begin)(struct discovery *at, const void *how, const struct samples *of);
    /* False: it has no more. out->from is the caller's. With an error *out, if any, is the last one. */
    bool (*next)(struct discovery *at, void *state, struct candidate *out, enum status *st);
    /* What came of it, beside `once` without a state; may be NULL. */
    void (*learn)(struct discovery *at, void *state, bool solved);
    void (*end)(struct discovery *at, void *state);
    /* Or it proposes one, without any state: false, and *st, as `next`. */
    bool (*once)(struct discovery *at, const void *how, struct candidate *out, enum status *st);
    /* Or it solves them itself: */
    enum status (*run)(struct discovery *at);
    /* Where more is asked for than the default (enum effort) it goes on from where it was. */
    bool goes_on;
};

/* All that it proposes; nothing where it is switched off. */
enum status generate(struct discovery *at, const struct generator *generator);

/* The same of one that goes on from a trajectory, which is borrowed. */
enum status generate_from(struct discovery *at, const struct generator *generator, const struct samples *of);

/* --- Generators ------------------------------------------------------------------------------------------- */

/* What the user gives: a trajectory from a file; phases; one mode, where nothing switches. */
extern const struct generator by_given_guess, by_prescribed, by_one_mode;

/* Time steps of contacts from several starts; the same where they have exploited their grid; fixed steps of
 * switches. */
extern const struct generator by_time_steps, by_true_steps, by_fixed_steps;

/* Simulations: of the guess and random controls until two lead to a solution; the guess's alone; random ones of
 * what never switches; of relays, every order of switching; of machines, and orders beside these. */
extern const struct generator by_simulation, by_guess_simulation, by_guess_in_space, by_random_simulations,
    by_relay_orders, by_machine_orders;

/* The same beside time steps that have led nowhere yet: cut short where they take much of the time of these. */
extern const struct generator by_simulation_beside_steps;

/* From a trajectory: what the controls of time steps lead to with restitution; those of fixed steps of
 * switches. */
extern const struct generator by_simulated_steps, by_simulated_fixed_steps;

/* Parameters of a fit, searched by simulations. */
extern const struct generator by_fit_simulations;

/* Controls searched by cross-entropy, until one leads to a solution in which something happens. */
extern const struct generator by_cross_entropy;

/* Stances and flights in turn, more and more of them, as long as that is better. */
extern const struct generator by_gait;
enum { GAIT_FINISHED = 6 };     /* gaits that are solved with all constraints, those first that cost least
                                     * without those along the path: where a replay refuses one, the next is
                                     * there */

/* A homotopy of time-freezing that ends early; the method of the spec. */
extern const struct generator by_time_freezing, by_method;

/* --- What goes on from candidates that are there ---------------------------------------------------------- */

/* The best sequence with events at free times, and bounces more and fewer. */
extern const struct generator free_best;

/* Neighbours of sequences without a solution that were to be tried when a budget was over. */
extern const struct generator cut_repairs;

/* The best sequence from other starts, where nothing happens in it: until two lead to the same solution. */
extern const struct generator by_other_starts;

/* --- Is there anything to do for them? -------------------------------------------------------------------- */

bool repairs_were_cut(const struct discovery *at);

/* Motion k of simulated_start, whole; false: there is none. extract_free afterwards. */
bool simulation_whole(const struct discovery *at, int k, struct extract *whole);

/* Is a homotopy of time-freezing that ends early worth while? Time steps have exploited their grid, or are
 * lost. */
bool time_freezing_is_wanted(const struct discovery *at);

/* Is there a best one whose order was not set free? Later motions of that order are finished all the same. */
bool free_best_is_wanted(const struct discovery *at);

/* Is there a best one in which nothing happens, and which nothing points away from? */
bool other_starts_are_wanted(const struct discovery *at);

#endif
