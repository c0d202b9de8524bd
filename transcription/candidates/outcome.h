/* transcription/candidates/outcome.h - what a solve that discovers and finishes has come to */
#ifndef COCP_TRANSCRIPTION_CANDIDATES_OUTCOME_H
#define COCP_TRANSCRIPTION_CANDIDATES_OUTCOME_H

#include "transcription/candidates/tried.h"
#include "transcription/finish/checks/checks.h"
#include "transcription/moves/search.h"
#include "transcription/solve/solve.h"
#include "transcription/stationarity/stationarity.h"

/* Does the curvature of a program show a local minimum (sensitivity.h), and is that strict, or flat in some
 * direction? Of programs that are coupled it is not asked of each, nor of plans that are made once. */
enum minimum { MINIMUM_NOT_ASKED, MINIMUM_STRICT, MINIMUM_FLAT, MINIMUM_NOT_SHOWN };

/* What a replay by events shows, in the figures of `cocp verify`. */
struct replayed {
    double error;                   /* at the end; NAN: it did not get there, or none could be made */
    double interval;                /* the largest of single intervals */
    bool unstable;                  /* then these are what is judged */
    double judged;                  /* which is what has to be at most finish.tol */
};

/* What it has come to: each candidate that is brought to its end has its own. */
struct solution {
    struct finish best;             /* best.solved: there is a finished solution. Else of machines, and where it was stopped,
                                     * what came nearest to one; best.ph NULL: there is nothing */
    bool exhausted;                 /* no neighbour is better */
    double compared;                /* objective of the best on the grid of its neighbours; NAN: none were tried */
    enum minimum minimum;           /* is the best one of its sequence? */
    struct stationarity stationarity;           /* and, to first order, of all sequences that its motion has, too? */
    bool again;                     /* the program of a finished guess, solved again from its solution */
    bool is_kept;                   /* and nothing better was found from there: the guess as it stands */
    bool refined;                   /* on the grid of the settings; else on the coarse one of the search */
    struct check_worst between;     /* what is left of violations between stages, relative */
    struct replayed replay;         /* by events */
    char refusal[200];              /* what `cocp verify` would refuse it for; "": nothing */
    enum status status;             /* STATUS_OK; STATUS_UNVERIFIED: a finished solution that its replay or an inequality
                                     * between stages refuses; or why there was no time to find out */
    char reason[200];               /* of all but STATUS_OK */
    const char *failure, *advice;   /* instead of it: what cannot be met and what to try (transcription/diagnose); borrowed; NULL:
                                     * nobody has asked */
};

/* What was done for it, whichever solution stays. */
struct record {
    struct solve_result discovery;  /* the steps of all homotopies; with a solution (tr) after step 2 */
    int n_start, n_finished;        /* sequences found, and of these with a solution */
    struct counts counts;           /* what each mechanism has done */
    int tries, moves;               /* neighbouring sequences tried, and gone on to */
    struct tried tried;             /* neighbours of solutions, the cheapest first */
    struct refused refused;         /* solutions that could not be verified, in the order in which that was found out */
    struct finish_work work;        /* of everything */
    double seconds;
};

struct finished {
    struct phase_system *sys;
    struct solution solution;
    struct record record;
};

#endif
