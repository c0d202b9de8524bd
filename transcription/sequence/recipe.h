/* transcription/sequence/recipe.h - every number that sequences are read, finished and searched with: value, unit, why
 *
 * phases.md says why, where nothing else is said.
 */
#ifndef COCP_TRANSCRIPTION_SEQUENCE_RECIPE_H
#define COCP_TRANSCRIPTION_SEQUENCE_RECIPE_H

/* --- A sequence from time steps -------------------------------------------------------------------------------- */
#define FORCE_TOL 1e-4              /* of a contact's largest force: below it is open */
#define SLIP_TOL 1e-4               /* of its largest slip, at least of 1 m/s: below it sticks */
#define IMPACT_SLIP_TOL 1e-2        /* the same for slip that an impact leaves, as the impulse is that of a step */
#define FORCE_HOLE 1e-3             /* m: largest gap in a hole of the force that is no opening */
#define TOUCHES 1e-6                /* m: a gap that is closed */
#define NEARLY_CLOSED 1e-3          /* m: a gap of time steps that counts as closed */
#define EXPLOITED 0.3               /* defect of time steps: hopper 1e-3, discs 5e-2; monoped more, whose finishes fail */
#define AT_REST 1e-2                /* m/s: a gap that never moves faster is at rest */
#define NEAR_IMPACT 1.6             /* steps: changes this near to an impact are its own */
#define THROWN_OFF 1e-2             /* of the speed of an impact: what it gives to a contact that it opens */

#define START_INSET 0.05            /* of alpha, at sigma 1e-4, in the first stage of what slides at first */
#define START_OFF 1e-6              /* of its largest value: a switching function that does not start at zero */

/* --- A sequence from elements that end at events ---------------------------------------------------------------- */
#define ELEMENT_ZERO 1e-5           /* of the largest gap (at least 1 m) or switching function: below it is 0 */
#define ELEMENT_ROUNDING 1e-12      /* of a switching function that is 0 all the time, but for rounding */
#define ELEMENT_SLIP 2e-3           /* of the largest slip, at least of 1 m/s: below it sticks */
#define REBOUND 1e-3                /* m/s: an open contact that is slower does not rebound */
#define STOPPED 0.1                 /* of the speed before an impact: more left is none; it may open at once */
#define SMALL_OPENING 1e-3          /* m: smaller openings between closed phases are none */
#define BAND_SPEED 0.05             /* m/s: a gap that is slower stands still */
#define BAND_DRIFT 4                /* half widths of it: how far a closed gap drifts at a sigma of 1e-3; monoped: 2.5 */
#define BAND_OPENING 1.5            /* half widths that come on top of a small opening */
#define SHORT_ELEMENT 1e-4          /* of the nominal element: shorter ones tell nothing */
#define FROZEN 1e-2                 /* physical by numerical time: less is a jump of time-freezing */
#define STEP_ON_GRID 1e-6           /* of an interval: how near a grid point a time step starts */
#define ON_GRID 1e-5                /* of an interval: an event this close to a grid point is on it */

/* --- Sides of the user's complementarity, from any source -------------------------------------------------------- */
#define SIDE_ZERO 1e-6              /* of its largest magnitude of all: where both are smaller nothing is told */
#define SIDE_BAND 1e-4              /* in its own unit: what is held at 0 at the ends of intervals may be off between them */
#define SIDE_LEAST 1e-9             /* in its own unit: a side that is never larger is 0 throughout */

/* --- Patches of grounds, from any source ------------------------------------------------------------------------- */
enum { PATCH_MOST = 400 };          /* events: with more it rattles, and is no start */
#define PATCH_ZERO 1e-9             /* m: off a patch by less is on it */
#define PATCH_END 1e-5              /* m: what opens so near to the end of its patch opens there; of time steps nothing is known */
#define PATCH_ACTIVE 1e-6           /* m: at the end of its patch */

/* --- Both -------------------------------------------------------------------------------------------------------- */
#define SAME_TIME 1e-9              /* s: changes closer than this are one event */
#define FREE_FORCE 1e-8             /* of the cost, where friction that nothing determines is as large as its load */
#define RANK_TOL 1e-6               /* of a row: less of it left is a repetition */
#define COUPLED 1e-9                /* entry of J M^-1 J' that counts */
#define SINGULAR 1e-10              /* of the largest singular value, in least squares */

/* --- A sequence from a simulation -------------------------------------------------------------------------------- */
enum {
    ACCUMULATES = 3,                /* bounces in a row before one that may be the last of a series without end */
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
    ORDER_TRIES = 3,                /* programs of one order of modes, from different motions, while none is solved */
    START_STRETCHES = 4,            /* of constant controls: one pushes only one way, a swing needs several */
    START_EVENTS = 1000             /* a motion that chatters longer is no start */
};
#define GENTLE 0.2                  /* of the way to their bounds: controls of every other motion, as bounds are often wide */
/* Periodic orbits (orbit.h): */
enum {
    ORBIT_HORIZONS = 40,            /* guesses of the horizon that the motion lasts, */
    ORBIT_POINTS = 2000,            /* and times at which it is looked at after */
    ORBIT_BISECTIONS = 40
};
#define ORBIT_SETTLES 0.5           /* of it */
#define ORBIT_MISS 0.1              /* of its width, of any state: it does not come back */
#define ORBIT_AS_GOOD 2             /* times the least miss: shorter ones are taken */
#define ORBIT_NEAR 1e-3             /* of its width, a given value is met; of its length, a turn is no shorter */
#define ORBIT_ROUNDING 1e-6
#define SIMULATED_RTOL 1e-8         /* of motions that are to show sequences. A foot that creeps at 1e-6 m/s takes 9 s at the edge */
#define SIMULATED_ATOL 1e-10        /* of rounding, 1e-12 (table_pose), and hops in space do not replay then */
#define BOUNCES_LEFT 2e-5           /* s: all bounces after ACCUMULATES others that take no longer together are none; twice
                                     * what simulations go on to, or their last impact would be at its limit */
#define MET_BEFORE 1e-9             /* of a condition, where its transition is made: what is above that was met before */

/* --- Aimed motions ----------------------------------------------------------------------------------------------- */
enum {
    AIM_STRETCHES = 5,              /* of constant controls */
    AIM_GENERATION = 40,            /* motions, */
    AIM_ELITE = 8,                  /* and those that the next ones are drawn around */
    AIM_GENERATIONS = 10,
    AIM_FIRST = 2,                  /* generations before a sequence is finished: the first are as good as random */
    AIM_POINTS = 60,                /* of a motion at which it is judged */
    AIM_TRIES = 3,                  /* populations that look for the goal */
    AIM_OTHERS = 8,                 /* populations more: of a dog that is to drive a sheep one in four leads to a solution */
    AIM_AGAIN = 7777                /* from the seed of one population to that of the next */
};
#define AIM_SPREAD 0.8              /* of the first generation: of the way from the guess to a bound */
#define AIM_NEARER 0.5              /* of what was missed when a sequence was tried: then it is worth another try */
#define AIM_WIDER 1.3               /* than the elite: it was selected */
#define AIM_APART 0.2              /* weight of gaps that have never closed, likewise */
#define AIM_OBJECTIVE 0.01          /* weight of the objective beside what is missed */
#define AIM_LONGER 3                /* times the guess of a free horizon: the longest */

/* --- Stances and flights that are drawn (schedule.h) -------------------------------------------------------------- */
#define SCHEDULE_FIRM 0.1           /* how easily what is wished to move gives way to feet, beside what is not: with 0.01 and 0.3
                                     * as well, but for a few schedules */
#define SCHEDULE_RISE 1.0           /* m/s^2: feet are lifted by at least that much times the times from and to the ground: low,
                                     * as legs that are drawn up fast pass through themselves */
#define SCHEDULE_STEP 0.3           /* of any position: a longer step is beyond what a linearization says */
#define SCHEDULE_SINGULAR 1e-3      /* of the largest singular value: a straight leg reaches no farther */
#define SCHEDULE_ROUND 1e-6         /* of an interval */

/* --- Friction in space that is smoothed (smooth.h) ------------------------------------------------------------------ */
#define SMOOTH_FIRST 1.0            /* m/s: width of the first program, */
#define SMOOTH_FACTOR 0.3           /* of each next one, of the width before it; down to */
#define SMOOTH_LAST 3e-4            /* of the fastest slip, the last one: with 1e-3 table_pose has no solution at once */
#define SMOOTH_ENOUGH 3e-2          /* of it: with a wider last one nothing is told */
#define SMOOTH_LEAST 1e-4           /* m/s: none is smaller */
#define SMOOTH_STICKS 0.9           /* of its cone: friction that is smaller in the end sticks */
enum {
    SMOOTH_ELEMENTS = 2,            /* of a piece, at least: with one, slow slip exploits its grid (4.50 for 4.60) */
    SMOOTH_MAX_ITER = 150,          /* of the first program */
    SMOOTH_NEXT_ITER = 80           /* of the others: 9 to 20 */
};

/* --- Controls with values ---------------------------------------------------------------------------------------- */
#define ROUND_EQUAL 1e-3            /* of the way between two values, of an interval: nearer is equal */
#define ROUND_GONE 1e-4             /* of the mean interval: a shorter one is none */
#define ROUND_CREEPS 1e-2           /* the same in a program that has not converged */
enum { ROUND_FROM = 2 };            /* relaxed solutions, the best first: 13.89 or 13.29 from two within 2e-6 of each other (buck) */
enum { DIVE_PART = 5 };              /* of the controls that have no value yet, those that take theirs at once */
#define PULSE_START 0.05            /* of the run it is put into: length that a new run starts with */
#define CHOICE_TOL 1e-9             /* by which a combination of values may miss a constraint */

/* --- Starting values --------------------------------------------------------------------------------------------- */
#define LEAST_FORCE 1e-2            /* N: a force that starts at 0 sticks to its bound */
#define SHORTEST_START 1e-4         /* of an interval: the shortest piece to start from */
#define EVENT_INSET 0.03            /* of an interval: where an event starts that moves in from its edge */

/* --- The nonlinear program --------------------------------------------------------------------------------------- */
#define MU_COLD 1e-2                /* barrier at the start, from a discovery ... */
#define MU_WARM 1e-4                /* ... and from the solution of a neighbour */
#define MU_NEAR 1e-6                /* ... and from one with fewer rows, multipliers included, */
#define NEAR_PUSH 1e-6              /* which leaves bounds that far */
#define MU_SAME 1e-10               /* ... and from a solution of the same program, multipliers included */
#define FINISH_PUSH 1e-3            /* from bounds at the start */
#define FINISH_TOL 1e-9             /* of IPOPT */
#define LOOSE_TOL 1e-3               /* of IPOPT, on the way, */
#define LOOSE_VIOLATION 1e-4        /* and violation, */
#define LOOSE_PART 0.1              /* of the error that an element may have, if that is less */
#define GIVEN_SOLVED 1e-8           /* error of its conditions, scaled as IPOPT's, below which a given point is a solution */
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
    FINISH_PATIENCE = 250,          /* of those that stall (core/nlp/stall.h): with 60 monoped_tracking is not solved within
                                     * 60 CPU s, instead of 41 */
    GIVEN_MAX_ITER = 40,            /* from a solution of the program itself: 0 to 12, else it has another one now */
    STARTS_DEFAULT = 4,             /* of finish.starts: more are all tried */
    TRY_MAX_ITER = 80,              /* a neighbour that is better takes 8 to 60 */
    TRY_SETTLED = 2,                /* iterations that look settled, or dear, before a neighbour is given up */
    TRY_LATE = 10,                  /* iterations after which one that is far behind is dear: what is violated makes cheaper */
    LEAD_STEPS = 4                  /* in which constraints along the path come back: with one a ball stays on both
                                     * sides of its wall, four take 10 to 20 iterations each */
};

#define TRY_STILL 1e-4              /* relative change of the objective by an iteration, */
#define TRY_FALL 1e-6               /* no fall like this, as saddles are left slowly at first, */
#define TRY_FEASIBLE 1e-3           /* and violation, of a neighbour that has settled: one that is better got below by then */

#define TRY_BEHIND 0.4              /* relative, feasible or not: of 44 that ended better the farthest, with two hops, was 0.25 then */

/* --- Neighbours -------------------------------------------------------------------------------------------------- */
#define NEIGHBOUR_ZERO 1e-3         /* of an interval: what counts as no length after a solution */
#define PUSHES 1e-6                 /* multiplier, of an objective above 1 relative: an inequality that is active */
#define CONE_ACTIVE 1e-6            /* N, of a force above 1 N relative: a cone that is active */
#define COMMAND_MARGIN 1e-6         /* by which a control is beyond what its condition asks for, or short of it */
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
#define CHECK_TOL 1e-6              /* of the bound, or of the value, at least of 1: broken by less is none */
#define CHECK_ENOUGH 1e-5           /* a tenth of finish.tol: monoped_tracking takes 8 rounds of 2 s to 1e-6 */
#define CHECK_FLOOR 1e-3            /* of bounds: the least that a violation is relative to */
#define CHECK_NEAR 1e-2             /* an inequality that comes so near is looked at between the parts, too */
#define CHECK_APART 1e-4            /* of an element: checked points this close are one */
#define CLEARANCE 1e-6              /* of a contact's largest gap, at most of 1 m: nearer than half of it, open contacts are
                                     * moved that far away. What grazes is hit in a replay, or not */
#define SIDE_CLEAR 1e-5             /* of a switch's largest margin, likewise: one that stays nearer all through an element, where a
                                     * replay is off, is kept twice as far away */
#define SOFT_LANDING 1e-3           /* of a gap's fastest motion: no softer impact where a replay is off. With a gap off by d it
                                     * misses those below sqrt(2 d a), a its acceleration; monoped 1e-2 m/s for 1e-6 m */
#define FIRM_STICK 1e-3             /* of the cone's width, likewise: forces at the start of an element are those of a polynomial */
#define SLIP_JAMS 0.05              /* yield of slip (slip.h) below which no mesh has the forces of a solution: it is looked for again */
#define SLIP_YIELD 0.4              /* with that at least: friction makes a normal force 2.5 times as large. With 0.05 and 0.2
                                     * monoped_tracking ends on elements that take 100 to 200 iterations each time they are divided */
#define WELL_OPEN 10                /* clearances: what never gets that far in an element is about to touch, or has just done */
enum {
    CHOICES_MOST = 64,              /* combinations of values that are tried where constraints couple them */
    CHECK_POINTS = 12,              /* an element is looked at in that many parts */
    CHECK_SECTIONS = 8,             /* golden ones: the worst place to 1e-3 of an element; the rest is of second order */
    CHECK_ROUNDS = 8,               /* programs with more and more checked points */
    CHECK_FIRM = 3                  /* after so many, what is broken by less than CHECK_ENOUGH is left */
};

/* --- Times inside control intervals ------------------------------------------------------------------------------ */
#define MOMENT_ON_GRID 1e-9         /* of the horizon: an interval ends there */
#define MOMENT_INSIDE 1e-6          /* of an element: farther out is outside */
#define TAU_LEAST (-1.0)            /* how far polynomials are followed beyond their element: a moment is there, and h = 0 */
#define TAU_MOST 2.0                /* is no solution */
enum {
    MOMENT_ROUNDS = 8,              /* programs, each with moments where the one before had them */
    MOMENT_FREE = 5                 /* of these, in which they may leave their elements: an event may want to be just there */
};

/* --- Accuracy ---------------------------------------------------------------------------------------------------- */
enum { REFINE_ROUNDS = 4 };         /* replays at most that are followed by more elements */
#define LOCAL_RTOL 1e-9             /* of a step, relative to the scales of states, where an element's motion is integrated */
#define LOCAL_INSIDE 0.1            /* weight of errors within an element: as finish.tol to the tolerance of verify */
enum { LOCAL_STEPS = 1000 };        /* between two points of an element */
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
#define SAME_PLACE 1e-12            /* of an element: points this close are one */

/* --- Sensitivities ----------------------------------------------------------------------------------------------- */
#define WEAKLY_ACTIVE 1e-4          /* a multiplier and its slack both below: which holds, the barrier cannot tell well */
#define SENSITIVITY_ERROR 1e-6      /* of the linear system, relative: more is no solution */
#define SENSITIVITY_LEFT 1e-3       /* of the right side: more left is a direction without curvature, however long x is */
#define POLISH_NEAR 1e-3            /* of a variable, at least of 1: what is active is another set if Newton moves it more */
enum {
    POLISH_STEPS = 2,               /* of Newton's method, from the barrier's solution to that of the active set */
    SENSITIVITY_ROUNDS = 4          /* of solves, each with what delta left of the one before */
};
#define CLEARLY_NEARER 1.5          /* squared distances to states around an event: a switch alone moves none */
#define REST_ZERO 1e-6              /* of an interval: pieces this short have no length: the barrier keeps 1e-9 */
#define SENSITIVITY_DELTA 1e-10     /* on the diagonal of the KKT matrix */
#define SENSITIVITY_STEP 1e-5       /* of a number, or of 1 where it is 0: half the step of differences */

/* --- Fits -------------------------------------------------------------------------------------------------------- */
#define LEAST_FREEDOM 0.5           /* degrees of freedom: with less nothing is known of the size of errors */

/* --- The finished solution --------------------------------------------------------------------------------------- */
#define NO_LENGTH 5e-10             /* of the horizon: a piece this short has no points in the trajectory; below 1e-9, to which times
                                     * of a file are told apart */

#endif
