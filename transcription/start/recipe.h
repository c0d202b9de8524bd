/* transcription/start/recipe.h - every number that presolves are read with: value, unit, why (presolve.md 3) */
#ifndef COCP_TRANSCRIPTION_START_RECIPE_H
#define COCP_TRANSCRIPTION_START_RECIPE_H

/* --- What a time step says of a contact: products there are 1e-5, not 0 --------------------------------------- */
#define STEP_CLOSED 1e-3            /* m: a gap below it counts as closed */
#define STEP_PUSHES 1e-3            /* N: a force above it counts */
#define STEP_APPROACH 0.05          /* m/s: what is slower is no impact */
#define STEP_SLIPS 2e-2             /* m/s: slip that has ended below STEP_STICKS */
#define STEP_STICKS 2e-3            /* m/s */
#define STEP_OPEN 1e-2              /* m: no force acts on gaps above it */
#define STEP_HIT_NEAR 0.5           /* of a time step: an impact belongs to an element that starts this near to it */

/* --- Where its events go --------------------------------------------------------------------------------------- */
#define EVENT_EDGE 0.03             /* events this near to the ends of an interval, relative, are left to them */
#define JUST_AFTER 1e-6             /* of an element: on which side of an impact a junction is */

/* --- Steps of time-freezing in a sliding mode ------------------------------------------------------------------ */
#define FREEZING_SLIPS 0.05         /* m/s: a slip switch above it is off its surface */
#define FREEZING_PUSHES 1e-6        /* N: without a force friction says nothing of the slip switch */

/* --- Initial values that meet what is asked at the start (initial_state.h)
 * ------------------------------------------- */
enum { MEET_STEPS = 20 };
#define MEET_TOL 1e-10              /* of what is asked, in its units */
#define MEET_SINGULAR 1e-10         /* rows that repeat each other */

#endif
