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

/* --- A sequence from elements that end at events ---------------------------------------------------------------- */
#define ELEMENT_ROUNDING 1e-12      /* of a switching function that is 0 all the time, but for rounding */
#define STEP_ON_GRID 1e-6           /* of an interval: how near a grid point a time step starts */
#define ON_GRID 1e-5                /* of an interval: an event this close to a grid point is on it */

/* --- Sides of the user's complementarity, from any source -------------------------------------------------------- */
#define SIDE_LEAST 1e-9             /* in its own unit: a side that is never larger is 0 throughout */

/* --- Patches of grounds, from any source ------------------------------------------------------------------------- */
#define PATCH_END 1e-5              /* m: what opens so near to the end of its patch opens there; of time steps nothing is known */

/* --- Both -------------------------------------------------------------------------------------------------------- */
#define SAME_TIME 1e-9              /* s: changes closer than this are one event */
#define SINGULAR 1e-10              /* of the largest singular value, in least squares */

/* --- A sequence from a simulation -------------------------------------------------------------------------------- */
enum {
    MOST_PREFIXES = 8,              /* events of a simulation that a finish goes along with, one more each time */
    PREFIX_FAILURES = 4,            /* of these in a row: more have led to nothing (157 problems) */
    MOST_RESTS = 2,                 /* beyond these, ends of bounces that come to rest */
    MOTIONS_ENOUGH = 2,             /* that lead to solutions, of them */
    SIMULATED_STARTS = 8,           /* random motions after the guess, while too few lead to a solution */
    SECOND_MOTION = 1000,           /* iterations after the first solution, at least, and */
    SECOND_PARTS = 4,               /* times as many as it took, before a second one is given up (coin_steer: 350, then 6,000) */
    RELAY_LONG = 3,                 /* motions with more events than MOST_PREFIXES that are finished as a whole: two rooms and a
                                     * thermostat 37.58, whose guess has ten; 120.2 from its first eight */
    RELAY_MOTIONS = 100,            /* random ones where relays remember: a second or less; one in 16 switches twice */
    MACHINE_MOTIONS = 12,           /* where machines make transitions: others are found beside what they show */
    ORDERS_BESIDE = 3,              /* the best ones, beside which is looked for others */
    ORDER_SEARCH = 200,             /* programs of these, in all */
    ORDER_LOST = 40,                /* while none has a solution: a first one was among the first 12 */
    ORDER_TRIES = 3                 /* programs of one order of modes, from different motions, while none is solved */
};
#define MET_BEFORE 1e-9             /* of a condition, where its transition is made: what is above that was met before */

/* --- Cross-entropy (cross_entropy.h) ------------------------------------------------------------------------------ */
enum {
    CROSS_ENTROPY_GENERATIONS = 10,
    CROSS_ENTROPY_FIRST = 2,        /* generations before a sequence is finished: the first are as good as random */
    CROSS_ENTROPY_TRIES = 3,        /* populations that look for the goal */
    CROSS_ENTROPY_OTHERS = 8,       /* populations more: of a dog that is to drive a sheep one in four leads to a solution */
    CROSS_ENTROPY_AGAIN = 7777      /* from the seed of one population to that of the next */
};
#define CROSS_ENTROPY_NEARER 0.5    /* of what was missed when a sequence was tried: then it is worth another try */

/* --- Stances and flights that are drawn (gait.h) ------------------------------------------------------------------ */
#define GAIT_RISE 1.0               /* m/s^2: feet are lifted by at least that much times the times from and to the ground: low,
                                     * as legs that are drawn up fast pass through themselves */

/* --- Friction in space that is smoothed (smoothed_friction.h) ------------------------------------------------------ */
enum { SMOOTHED_ELEMENTS = 2 };     /* of a piece, at least: with one, slow slip exploits its grid (4.50 for 4.60) */

/* --- Controls with values ---------------------------------------------------------------------------------------- */
#define ROUND_EQUAL 1e-3            /* of the way between two values, of an interval: nearer is equal */
#define ROUND_GONE 1e-4             /* of the mean interval: a shorter one is none */
#define ROUND_CREEPS 1e-2           /* the same in a program that has not converged */
enum { ROUND_FROM = 2 };            /* relaxed solutions, the best first: 13.89 or 13.29 from two within 2e-6 of each other (buck) */
enum { DIVE_PART = 5 };              /* of the controls that have no value yet, those that take theirs at once */

/* --- Starting values --------------------------------------------------------------------------------------------- */
#define EVENT_INSET 0.03            /* of an interval: where an event starts that moves in from its edge */

/* --- The nonlinear program --------------------------------------------------------------------------------------- */
#define LOOSE_VIOLATION 1e-4        /* violation of a program that is solved loosely, on the way (LOOSE_TOL) */
#define LOOSE_PART 0.1              /* of the error that an element may have, if that is less */
#define FINISH_VIOLATION_OK 1e-7    /* of a solution, absolute */
#define SLIP_TURN 0.7               /* cosine between directions of slip in space of two points beside each other, at least. With
                                     * 0, a contact turns round in two steps (spatial_hop); with 0.9 in circles */
#define FINAL_MISSED 1e-3           /* of a final value that closed contacts imply: what drift of a gap explains */
enum {
    FINISH_MAX_ITER = 150,          /* a sequence that is right takes 10 to 45 */
    ROUGH_ELEMENTS = 4,             /* of a piece: with one, closed gaps of a fast leg drift by 2 cm (monoped) and its program
                                     * takes 800 iterations, with two 185 to a solution that no finer grid has (21.81, one
                                     * contact force of 5e7 N); with four 180 to one that has elements to be divided */
    ROUGH_MAX_ITER = 500,           /* from a rough homotopy, whose closed gaps drift: monoped 162, and 186 to refine it */
    GIVEN_MAX_ITER = 40,            /* from a solution of the program itself: 0 to 12, else it has another one now */
    STARTS_DEFAULT = 4,             /* of finish.starts: more are all tried */
    TRY_MAX_ITER = 80               /* a neighbour that is better takes 8 to 60 */
};

#define TRY_FEASIBLE 1e-3           /* violation of a neighbour that has converged: one that is better got below by then */

/* --- Neighbours -------------------------------------------------------------------------------------------------- */
#define NEIGHBOUR_ZERO 1e-3         /* of an interval: what counts as no length after a solution */
#define CONE_ACTIVE 1e-6            /* N, of a force above 1 N relative: a cone that is active */
#define NEAR_ZERO 1e-9              /* of a condition: what is never larger is 0 */
enum {
    SEARCH_STAGES = 3,              /* of programs that are compared: cheap, and good enough to rank */
    SEARCH_FROM = 1,                /* sequences whose neighbours are tried, the best first; */
    SEARCH_FROM_MOTIONS = 3,        /* where motions alone show some */
    SEARCH_TRIES = 40,              /* neighbours of each, in all */
    REPAIR_TRIES = 25,              /* of one whose program has no solution */
    REFINE_TRIES = 10               /* of one that has none with more elements */
};

/* --- Between stages ---------------------------------------------------------------------------------------------- */
#define SLIP_JAMS 0.05              /* yield of slip (slip.h) below which no mesh has the forces of a solution: it is looked for again */
#define SLIP_YIELD 0.4              /* with that at least: friction makes a normal force 2.5 times as large. With 0.05 and 0.2
                                     * monoped_tracking ends on elements that take 100 to 200 iterations each time they are divided */

/* --- Times inside control intervals ------------------------------------------------------------------------------ */
enum {
    INTERIOR_TIME_ROUNDS = 8,       /* programs, each with interior times where the one before had them */
    INTERIOR_TIME_FREE = 5          /* of these, in which they may leave their elements: an event may want to be just there */
};

/* --- Accuracy ---------------------------------------------------------------------------------------------------- */
enum { REFINE_ROUNDS = 4 };         /* replays at most that are followed by more elements */
#define LOCAL_PART 0.1              /* of finish.tol: error of an element at first; and of what a replay says later */
#define MOST_STRICTER 1e-3          /* at once */
#define HOPELESS 1e3                /* tolerances: an element that is off by more makes a replay a waste of time */
#define REPLAY_FALLS 0.5            /* of what single intervals are off by: if dividing leaves more, elements are not the reason */
enum { REPLAYS_SAME = 2 };          /* the same of the whole, once more: an event at the very end may take two meshes to be seen */
enum { STRAYED_SEARCHES = 2 };      /* for a neighbour that strays less than a mesh (better.h) */
#define DIVIDE_DROP 0.1             /* of the worst error: what is less waits for the next round */
enum {
    DIVIDE_MAX_ITER = 200,
    DIVIDE_MOST = 4,                /* parts of an element at a time */
    DIVIDE_ROUNDS = 12,             /* meshes between two replays */
    DIVIDE_ELEMENTS = 3000          /* in all: monoped_tracking takes 363; more is no matter of elements */
};

#endif
