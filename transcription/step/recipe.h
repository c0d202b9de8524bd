/* transcription/step/recipe.h - every number that steps of a simulation are made with: value, unit, why
 *
 * Numbers of the homotopy itself are in core/mpcc/recipe.h.
 */
#ifndef COCP_TRANSCRIPTION_STEP_RECIPE_H
#define COCP_TRANSCRIPTION_STEP_RECIPE_H

#include <stdbool.h>

/* --- Going on in time ----------------------------------------------------------------------------------------- */
#define TIME_TOL 1e-9               /* relative to max(1, horizon): times this close are the same */
#define SAME_LENGTH 1e-3            /* in units of that: steps whose program is the same */
#define LEAST_STEP 1e-3             /* of a last step up to a time, relative to the usual length */
#define MAX_DEPTH 4                 /* a step is halved at most this often */
#define SLOWEST_CLOCK 1000          /* time-freezing: at most this many steps per step of the horizon */
#define N_CACHE 8                   /* programs kept: lengths and numbers of elements that come back */

/* --- The homotopy of a step (presolve.md 1) ------------------------------------------------------------------ */
#define STEP_SLOPE 0.1              /* of sigma, where the spec does not say: steps are easy */
#define PLACED_SIGMA 1e-2           /* where it starts if the first impact is in its place */
#define STEP_BAND 1e-4              /* m: half width of the dead band of curved gaps */
#define SNAP 1e-9                   /* a switching function this small at the start of a step is zero */

/* Relaxations from which a step is sharpened, one after the other, before the homotopy goes on to the end. */
enum { N_QUICK = 2 };
extern const double quick_sigma[N_QUICK];

/* One way to try a step. */
struct step_try {
    const char *what;               /* for the note when it was needed; "": usual */
    bool predicted;                 /* FESD-J: without a homotopy, or not at all (predict.h) */
    bool consistent;                /* algebraic variables guessed from the state, else half open */
    double sigma_0, slope;          /* NAN: as usual */
    int extra_elements;
    double band;                    /* dead band of curved gaps, in units of the usual one */
    bool may_rest;                  /* predicted: bounces may end at once */
};
enum { N_TRIES = 10, FIRST_HOMOTOPY = 4 };      /* the first one with a homotopy, always made */
extern const struct step_try step_tries[N_TRIES];

/* --- What counts as exact (sharpen.c, predict_plan.c) --------------------------------------------------------- */
#define EXACT_PRODUCT 1e-12         /* largest product of a solution whose active set is right */
#define EXACT_VIOLATION 1e-9        /* and its largest violation: rounding of the projection */

/* --- Sharpening ----------------------------------------------------------------------------------------------- */
#define INSIDE 1e-3                 /* a step in (INSIDE, 1 - INSIDE) is strictly inside */
#define ON_SURFACE 1e-3             /* a switching function this small all through an element may be zero there */
#define SHORT_ELEMENT 1e-6          /* of its nominal length: nothing happens in it */

/* --- Prediction of active sets -------------------------------------------------------------------------------- */
#define PUSHES 1e-9                 /* N: a force that counts */
#define WRONG 1e-10                 /* a sign is wrong below -WRONG */
#define SLIP_BEGINS 0.01            /* m/s: slip from which friction in the exact cone is looked for after a stop */
#define MAX_PROJECTIONS 60          /* of a step; then the homotopy is cheaper */

#endif
