/* transcription/sequence/recipe.h - numbers of the search that several files share: value, unit, why
 *
 * What one file uses stands at its top. phases.md says why, where nothing else is said.
 */
#ifndef COCP_TRANSCRIPTION_SEQUENCE_RECIPE_H
#define COCP_TRANSCRIPTION_SEQUENCE_RECIPE_H

/* --- A sequence from time steps -------------------------------------------------------------------------------- */
#define SLIP_TOL 1e-4               /* of a contact's largest slip, at least of 1 m/s: below it sticks */
#define IMPACT_SLIP_TOL 1e-2        /* the same for slip that an impact leaves, as the impulse is that of a step */
#define TOUCHES 1e-6                /* m: a gap that is closed */
#define NEARLY_CLOSED 1e-3          /* m: a gap of time steps that counts as closed */
#define AT_REST 1e-2                /* m/s: a gap that never moves faster is at rest */

#define START_OFF 1e-6              /* of its largest value: a switching function that does not start at zero */

/* --- A sequence from elements that end at events ------------------------------------------------------------- */
#define ELEMENT_ROUNDING 1e-12      /* of a switching function that is 0 all the time, but for rounding */
#define STEP_ON_GRID 1e-6           /* of an interval: how near a grid point a time step starts */
#define ON_GRID 1e-5                /* of an interval: an event this close to a grid point is on it */

/* --- Sides of the user's complementarity, from any source ---------------------------------------------------- */
#define SIDE_LEAST 1e-9             /* in its own unit: a side that is never larger is 0 throughout */

/* --- Patches of grounds, from any source --------------------------------------------------------------------- */
#define PATCH_END 1e-5              /* m: what opens so near to the end of its patch opens there; of time steps nothing is known */

/* --- Both ---------------------------------------------------------------------------------------------------- */
#define SAME_TIME 1e-9              /* s: changes closer than this are one event */
#define SINGULAR 1e-10              /* of the largest singular value, in least squares */

/* --- A sequence from a simulation ---------------------------------------------------------------------------- */
enum {
    MOST_PREFIXES = 8,              /* events of a simulation that a finish goes along with, one more each time */
    MOTIONS_ENOUGH = 2,             /* motions that lead to solutions, of them */
    SIMULATED_STARTS = 8            /* random motions after the guess, while too few lead to a solution */
};
#define MET_BEFORE 1e-9             /* of a condition, where its transition is made: what is above that was met before */

/* --- Cross-entropy (cross_entropy.h) ------------------------------------------------------------------------- */
enum { CROSS_ENTROPY_GENERATIONS = 10 };

/* --- Stances and flights that are drawn (gait.h) ------------------------------------------------------------- */
#define GAIT_RISE 1.0               /* m/s^2: feet are lifted by at least that much times the times from and to the ground: low,
                                     * as legs that are drawn up fast pass through themselves */

/* --- Friction in space that is smoothed (smoothed_friction.h) ------------------------------------------------ */
enum { SMOOTHED_ELEMENTS = 2 };     /* of a piece, at least: with one, slow slip exploits its grid (4.50 for 4.60) */

/* --- Controls with values ------------------------------------------------------------------------------------ */
#define ROUND_EQUAL 1e-3            /* of the way between two values, of an interval: nearer is equal */

/* --- Starting values ----------------------------------------------------------------------------------------- */
#define EVENT_INSET 0.03            /* of an interval: where an event starts that moves in from its edge */

/* --- The nonlinear program ----------------------------------------------------------------------------------- */
#define LOOSE_VIOLATION 1e-4        /* violation of a program that is solved loosely, on the way (LOOSE_TOL) */
#define FINISH_VIOLATION_OK 1e-7    /* of a solution, absolute */
#define SLIP_TURN 0.7               /* cosine between directions of slip in space of two points beside each other, at least. With
                                     * 0, a contact turns round in two steps (spatial_hop); with 0.9 in circles */
#define FINAL_MISSED 1e-3           /* of a final value that closed contacts imply: what drift of a gap explains */
enum {
    FINISH_MAX_ITER = 150,          /* a sequence that is right takes 10 to 45 */
    ROUGH_MAX_ITER = 500,           /* from a rough homotopy, whose closed gaps drift: monoped 162, and 186 to refine it */
    PHASES_MAX_ITER = 500,          /* of the sequence that the spec prescribes, from its guess: hopper_hop 160 */
    GIVEN_MAX_ITER = 40,            /* from a solution of the program itself: 0 to 12, else it has another one now */
    STARTS_DEFAULT = 4,             /* of finish.starts: more are all tried */
    TRY_MAX_ITER = 80               /* a neighbour that is better takes 8 to 60 */
};

#define TRY_FEASIBLE 1e-3           /* violation of a neighbour that has converged: one that is better got below by then */

/* --- Neighbours ---------------------------------------------------------------------------------------------- */
#define NEIGHBOUR_ZERO 1e-3         /* of an interval: what counts as no length after a solution */
#define CONE_ACTIVE 1e-6            /* N, of a force above 1 N relative: a cone that is active */
#define NEAR_ZERO 1e-9              /* of a condition: what is never larger is 0 */
enum {
    SEARCH_STAGES = 3,              /* of programs that are compared: cheap, and good enough to rank */
    SEARCH_TRIES = 40,              /* neighbours of each, in all */
    REPAIR_TRIES = 25               /* of one whose program has no solution */
};

/* --- Between stages ------------------------------------------------------------------------------------------ */
#define SLIP_YIELD 0.4              /* yield of slip (slip.h), at least, where it has jammed: a normal force 2.5 times as large. With 0.05 and 0.2
                                     * monoped_tracking ends on elements that take 100 to 200 iterations each time they are divided */

/* --- Times inside control intervals -------------------------------------------------------------------------- */
enum {
    INTERIOR_TIME_ROUNDS = 8,       /* programs, each with interior times where the one before had them */
    INTERIOR_TIME_FREE = 5          /* of these, in which they may leave their elements: an event may want to be just there */
};

/* --- Accuracy ------------------------------------------------------------------------------------------------ */
enum { REFINE_ROUNDS = 4 };         /* replays at most that are followed by more elements */

#endif
