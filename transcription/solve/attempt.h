/* transcription/solve/attempt.h - one start of a solve: how it is set up, run and booked
 *
 * Private to solve.c, fallback.c and attempt.c; numbers are in recipe.h. A solver makes attempts one after the
 * other; the best is kept in its result.
 */
#ifndef COCP_TRANSCRIPTION_SOLVE_ATTEMPT_H
#define COCP_TRANSCRIPTION_SOLVE_ATTEMPT_H

#include "transcription/solve/task.h"

struct attempt {
    const char *what;               /* for the user */
    int extra_elements;             /* per interval */
    double dead_band;
    double slope;                   /* NAN: default */
    int aggregation;                /* -1: the spec's */
    int presolve_steps;             /* time steps per control interval of its presolve; 0: none */
    double gap_tol;                 /* of its time steps (places.h) */
    double presolve_sigma;          /* where its homotopy begins; 0: where its recipe says */
    bool pyramid;                   /* friction in space is a pyramid in them */
    unsigned presolve_start;        /* which of the ways to start its presolve, see attempt_best_presolve */
    bool follow;                    /* its presolve follows the path of the homotopy, from the guess or perturbed ones */
    bool detour;                    /* its presolve starts far from the guess, by presolve_start as a seed */
    bool scouts;                    /* its presolve is one of several, */
    bool patient;                   /* which goes on all the same where it wanders about at first */
    bool guided;                    /* led to the goal first; FESD-J: its presolve is */
    bool product_form;              /* FESD-J: the other form of the restitution law than the spec's */
    bool warm;                      /* from a given trajectory: late in the homotopy */
    bool rough;                     /* for its sequence alone: what comes after the homotopy is left out */
    bool adaptive;                  /* IPOPT's adaptive barrier: slower, and finds other ways (three_carts) */
    bool strict;                    /* jumps strict from the first step on; else once the rest is solved */
    unsigned seed;                  /* 0: no perturbation */
};

struct solver {
    const struct solve_task *task;
    struct solve_result *out;
    struct diag *diag;
    double start;
    int most;                       /* attempts that there may be, for the user; 0: nobody counts */
    const struct guess *guess;      /* of the task, until it has failed; NULL: the spec's own */
    const char *what;               /* is done now; static text */
    bool banded;                    /* curved inelastic gaps whose dead band is left to us (time_freezing.md 11) */
    struct transcription *coarse;   /* the latest time-stepping presolve, for attempts that want the same */
    struct homotopy_result coarse_result;
    int coarse_steps;               /* what it was made with */
    unsigned coarse_start;
    double coarse_gap_tol;
    bool coarse_follow, coarse_patient, coarse_detour, coarse_failed;
    struct transcription *nearest;  /* of presolves without a solution the one that came nearest to one, or NULL */
    struct homotopy_result nearest_result;
    bool lingers;                   /* the latest one was given up early, as it wandered about (attempt.patient) */
    /* the attempt that was just made */
    struct transcription *tr;
    struct homotopy_result result;
};

/* Wall time is up, or the user wants to stop. */
bool attempt_must_stop(const struct solver *solver);

/* Builds the transcription of an attempt in solver->tr, at its guess. */
enum status attempt_build(struct solver *solver, const struct attempt *attempt);

/* The time-stepping solution that the attempt wants in solver->coarse; false if there is none to be had, or if
 * it was given up as too dear. */
bool attempt_presolve(struct solver *solver, const struct attempt *attempt);

/* Takes over *result, what the attempt's presolve has come to elsewhere; false if that is no solution. */
bool attempt_adopt_presolve(struct solver *solver, const struct attempt *attempt, struct homotopy_result *result);

/* Frees what the solver owns. */
void attempt_end(struct solver *solver);

/* The same from n starts, of which the cheapest solution is kept and its start written to the attempt. Starts are
 * the guess with a monotone and with an adaptive barrier, then guesses perturbed more and more seeds on: a
 * symmetric guess often leads to a saddle, and which barrier finds the better sequence of contacts is a matter of
 * luck (Ex. 5: 72.6 monotone, 83.9 adaptive; three boxes: 345 and 287). */
bool attempt_best_presolve(struct solver *solver, struct attempt *attempt, unsigned n);

/* Makes the attempt and keeps it if it is the best so far. True when it solved the problem; *st is its status,
 * which is STATUS_SPEC or STATUS_USAGE where the user must act. */
bool attempt_solves(struct solver *solver, const struct attempt *attempt, enum status *st);

/* From a solution: solves again with smaller and smaller dead bands, as long as that
 * works (time_freezing.md 11). */
void attempt_shrink_band(struct solver *solver, struct attempt attempt);

#endif
