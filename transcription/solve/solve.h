/* transcription/solve/solve.h - an optimal control problem from its guess to a solution, by whatever it takes
 *
 * One homotopy is one attempt. Which attempts are made, in which order, is homotopy.md 4 and what came of trying it:
 *
 *   1. time-freezing of inelastic contacts: a time-stepping solution as the start (presolve.h), from sigma 1e-2
 *   2. the plain homotopy from the guess
 *   3. the fallback ladder: one more element per interval where the clock cannot be met, a larger dead band where
 *      dynamics break down below sigma 1e-3, a slower sigma, led to the goal first where end or path constraints
 *      cannot be met, other aggregation, perturbed guesses
 *
 * The first solution ends it, unless `homotopy.restarts` asks for a portfolio; the best result is returned.
 */
#ifndef COCP_TRANSCRIPTION_SOLVE_SOLVE_H
#define COCP_TRANSCRIPTION_SOLVE_SOLVE_H

#include "core/mpcc/homotopy.h"
#include "transcription/start/guess.h"

struct solve_hooks {                /* all may be NULL */
    void (*note)(void *user, const char *text);                 /* what is done now */
    void (*step)(void *user, const struct homotopy_step *step, int index);
    nlp_monitor *iteration;
    void *user;
};

struct solve_task {
    struct model *model;
    const struct discretization *discretization;
    const struct homotopy_settings *homotopy;
    const struct solver_settings *solver;
    const struct guess *guess;      /* from --guess; NULL: the spec's own */
    double max_seconds;             /* INFINITY: no limit */
    int print_level;
    const volatile sig_atomic_t *interrupt;
    struct solve_hooks hooks;
};

struct solve_step { struct homotopy_step step; int attempt; };

struct solve_result {
    struct transcription *tr;       /* of the best attempt */
    struct homotopy_result homotopy;            /* its result */
    int attempt, n_attempt;         /* which one, of how many */
    const char *how;                /* what it was; static text */
    bool strict_jumps;              /* time-freezing: time stands still all through a jump (cross.c) */
    double dead_band;               /* half width it was solved with, and the largest shift used; 0: none */
    double largest_shift;
    int n_step;
    struct solve_step *step;        /* [n_step] of all attempts */
    int iterations;
    double seconds, eval_seconds;
};

/* The status of the best attempt. *out is filled even then (out->tr NULL only after STATUS_SPEC and the like);
 * solve_result_free afterwards. */
enum status solve_ocp(const struct solve_task *task, struct solve_result *out, struct diag *diag);
void solve_result_free(struct solve_result *result);

/* Pre-flight: initial state within its bounds, gaps not below -1e-8 at a fixed start, everything finite at the
 * guess. Messages in diag. */
enum status solve_check_start(struct transcription *tr, struct diag *diag);

#endif
