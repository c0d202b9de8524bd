/* transcription/solve/recipe.h - every number that attempts are made with: value, unit, why, from which trial
 *
 * Numbers of the homotopy itself are in core/mpcc/recipe.h, of what is read from a presolve in start/recipe.h.
 */
#ifndef COCP_TRANSCRIPTION_SOLVE_RECIPE_H
#define COCP_TRANSCRIPTION_SOLVE_RECIPE_H

#include <stdbool.h>

#define START_PENETRATION 1e-8      /* m: a gap below that is refused at a fixed start (README.md "The spec") */

/* --- Dead band of curved gaps, half widths in m (time_freezing.md 11) ---------------------------------------- */
#define BAND_FIRST 1e-3             /* from a presolve; a solution with more is solved again with less */
#define BAND_WIDE (5 * BAND_FIRST)  /* from a bare guess */
#define BAND_LARGEST 1e-2           /* more is another problem */
#define BAND_WIDER 5                /* factor for a perturbed guess */
#define BAND_SHRINK 0.4             /* factor from one band to the next smaller one */
#define BAND_ENOUGH (0.5 * BAND_FIRST)      /* nothing is gained below it */
#define MAX_SHRINKS 3
#define SHRINK_SIGMA 1e-3           /* where the homotopy of a smaller band starts */

/* --- The plain homotopy and its fallbacks (attempts.md 2) ----------------------------------------------------- */
#define SLOPE_SLOW 0.5              /* of sigma: curved gaps, and what has failed once */
#define WARM_SIGMA 1e-2             /* from a trajectory: later, and the guess is not followed; earlier, and it is lost */
#define PERTURBATION 0.05           /* of guesses, relative to the width of bounds */
#define DETOUR 0.25                 /* of guesses that lead another way, relative to the width of bounds */
#define DETOUR_SEED 1               /* of those that nobody asks for, whatever the user's seed */
#define RESTART_SEED 100            /* seeds of restarts: apart from those of fallbacks */
enum {
    MAX_GUIDED = 5,                 /* perturbed guesses of a problem that has to be led */
    N_PERTURBED = 2                 /* of FESD-J without a presolve that carries */
};

/* --- Presolve by time-stepping (presolve.md 3) ---------------------------------------------------------- */
#define PRESOLVE_STEPS 4            /* per control interval */
#define PRESOLVE_SIGMA_N 1e-5       /* products that small name the contacts; smaller ones cost as much again */
#define SWITCHED_SIGMA_N 1e-4       /* the same of switches without contacts: which ones slide shows by then */
#define PRESOLVE_VIOLATION 1e-5     /* a presolve with more is none */
#define PRESOLVE_COMP 1e-2
#define PRESOLVE_COMP_TOL 1e-7      /* of its homotopy, whatever the spec asks of the method's, unless that is more */
#define NEARER_THAN_GUESS 0.5       /* of its violation: time steps without a solution that are worth more than the guess */
#define SCOUT_SIGMA 0.3             /* one of several starts: where it shows whether it gets anywhere, */
#define SCOUT_PATIENCE 500          /* and iterations until then */
#define PATH_MU_CONTACTS 1e-2       /* barrier, of sigma, where a presolve follows the path: 0.1 loses the three boxes, */
#define PATH_MU_SWITCHED 1e-1       /* 1e-3 takes twice the iterations; 1e-2 finds other optima of crawler, turbo_car */
#define HELD_SIGMA 0.1              /* where time steps begin whose guess is in equilibrium: 1 lets feet hover */
#define LATE_PATH 2.5e-3            /* sigma from which other starts follow it, too: what they choose is chosen by then */
enum { SWITCHED_STAGES = 2 };       /* of their steps: with one, damping hides what the controls do (cart_pole) */
enum { N_STEP_STARTS = 5 };         /* of discoveries, that nobody has to ask for: later ones follow the seed of the user */
enum { N_PRESOLVE_STARTS = 3 };     /* to choose from: guess monotone, guess adaptive, perturbed */

#define PRESOLVED_SIGMA 1e-2        /* time-freezing: first step from a presolve, */
#define PRESOLVED_NEXT (0.3 * PRESOLVED_SIGMA)      /* and the next one */
#define PRESOLVED_PUSH 1e-3         /* from bounds, so that the presolve's active set survives */
#define PRESOLVED_PATIENCE 250      /* iterations of the first step */
#define PRESOLVED_LOST 1e-3         /* violation after it that says the presolve did not carry */
#define PRESOLVED_LOST_FESD_J 1e-2  /* the same of FESD-J, whose first step is the homotopy's */

/* --- Time frozen in all jumps (cross.c) ----------------------------------------------------------------------- */
#define TIGHTEN_SIGMA 1e-3          /* where a loose solution is solved again */
#define LOOSE_SPEED 1e-2            /* m/s: a contact that approaches faster while time runs beats physics: of tf_ex5 6.1 */
#define TIGHTEN_TIME 0.5            /* not at any price: share of the time spent so far; smaller bands too */

/* --- A sequence from a rough homotopy (phases.md "Generators") ------------------------------------------------- */
#define ROUGH_SIGMA 1e-3            /* where it ends, with a crossover. Monoped: 10 CPU s, objective 19.6; all the way to
                                     * 1e-9 it takes 130, and 1e-2 leaves contacts undecided */

#define ROUGH_GUIDED 1e-5           /* the same of a solve that is led to its goal: it goes on from GUIDED_SIGMA */

/* --- Led to the goal (attempts.md 3) -------------------------------------------------------------------------- */
#define STAGE_LOST 1e-3             /* violation at the end of a stage that says the way was lost */
#define GUIDED_SIGMA 1e-4           /* where the true problem goes on, */
#define GUIDED_SLOPE 0.5            /* and how fast */

/* One stage: a homotopy between two sigmas with weights of cost and guide, constraints and goal on or off. */
struct guide_stage {
    double from, to, slope, cost, guide;
    bool constraints, goal;
    const char *what;               /* for the user */
};
enum { N_GUIDE_STAGES = 3 };
extern const struct guide_stage guide_stages[N_GUIDE_STAGES];

/* FESD-J from other presolves: they find other sequences of contacts (attempts.md 2). */
struct other_presolve { const char *what; int steps; unsigned start; bool product_form; };
enum { N_OTHER_PRESOLVES = 5 };
extern const struct other_presolve other_presolves[N_OTHER_PRESOLVES];

#endif
