/* transcription/finish/finish.h - from a sequence and a start to a solution of its program
 *
 * One IPOPT run, monotone barrier, from a cold start at mu 1e-2, from a neighbour's solution at 1e-4:
 * phases.md "IPOPT".
 */
#ifndef COCP_TRANSCRIPTION_FINISH_FINISH_H
#define COCP_TRANSCRIPTION_FINISH_FINISH_H

#include "core/mpcc/settings.h"
#include "transcription/finish/together.h"
#include "transcription/mechanisms/counts.h"
#include "transcription/reading/extract.h"

#include <signal.h>
#include <stdbool.h>

/* What runs took together. */
struct finish_work {
    int iterations;
    double eval_seconds;
    struct nlp_linear_work linear;
};

struct finish_task {
    const struct phase_system *sys;
    struct phase_grid grid;
    double deadline;                /* by clock_seconds, for all runs that are made of it; INFINITY: none */
    int print_level;
    int n_option;
    const struct nlp_option *option;            /* of the user, finish_take_options; they win */
    const volatile sig_atomic_t *interrupt;     /* may be NULL */
    struct finish_work *work;       /* counted on; may be NULL */
    struct counts *counts;          /* of mechanisms; may be NULL */
    const struct company *company;  /* borrowed; NULL: it is alone */
    double loose;                   /* 0, or the violation that is enough, to the barrier of a neighbour's solution and LOOSE_TOL: a
                                     * step on the way */
    bool must_beat;                 /* a run that settles, feasible, above `beat` is given up, or is far above it for long, */
    bool starts_far;                /* unless it starts far from there */
    double beat;
};

/* Why a run that had to beat something was given up. */
enum finish_given_up { GIVEN_UP_NOT, GIVEN_UP_CONVERGED, GIVEN_UP_DEAR };

/* A move from one sequence to the next, in words: "event 3 into interval 7". */
struct finish_move { char what[60]; };

struct finish {
    struct phases *ph;
    const char *found_by;           /* the generator that it goes back to; NULL: none */
    int n_move;
    struct finish_move *move;       /* [n_move] that led from there to it */
    double *w, *lambda, *z_lower, *z_upper;     /* of ph->mpcc.nlp; one allocation */
    bool solved;
    bool cut_short;                 /* its neighbours were not all tried: their budget was over */
    bool started_anew;              /* multipliers led nowhere with more checked points: nor with still more */
    enum nlp_outcome outcome;
    enum finish_given_up given_up;
    double objective, violation;    /* of all in its company */
    double *others;                 /* what its company came to, for company_take; NULL: it was alone */
    int iterations;                 /* of this run */
};

enum finish_start { FINISH_COLD, FINISH_WARM, FINISH_NEAR, FINISH_SAME };
                                /* a discovery; a neighbour's solution; one with fewer checked points; its own */

/* What of the user's options of IPOPT a program of task->sys takes: all where nothing switches and it is the only
 * one; else how linear systems are solved, as the others are meant for the method's own program. */
void finish_take_options(struct finish_task *task, const struct solver_settings *solver);

/* Is its time up, or does the user want to stop? */
bool finish_must_stop(const struct finish_task *task);

/* Builds the program and solves it. STATUS_OK even when it did not converge: see out->solved. finish_free
 * afterwards. */
enum status finish_solve(const struct finish_task *task, const struct sequence *seq, const struct samples *samples,
                         enum finish_start start, int max_iter, struct finish *out, struct diag *diag);
/* The same sequence again from the solution `from`, on a grid of other elements, stages or checked points. */
enum status finish_again(const struct finish_task *task, const struct finish *from, int max_iter,
                         struct finish *out, struct diag *diag);
/* The same with more checked points: from the multipliers, too. */
enum status finish_checked(const struct finish_task *task, const struct finish *from, int max_iter,
                           struct finish *out, struct diag *diag);
/* Its two halves: the program at the guess of the samples; and its run from there. Between them the point
 * may be replaced, and multipliers given: z of the upper bounds minus z of the lower ones (FINISH_NEAR
 * and FINISH_SAME take them). */
enum status finish_build(const struct finish_task *task, const struct sequence *seq, const struct samples *samples,
                         struct finish *out, struct diag *diag);
void finish_set_point(struct finish *out, const double *w, const double *lambda, const double *z);
enum status finish_run(const struct finish_task *task, enum finish_start start, int max_iter, struct finish *out,
                       struct diag *diag);
/* A point of out->ph and its multipliers, all 0. */
void finish_make_room(struct finish *out);
/* The program anew, with the interior times where they are at its point, or kept in their elements; variables and
 * rows are the same. */
enum status finish_place_interior_times(const struct finish_task *task, bool stay, struct finish *out,
                                        struct diag *diag);
/* It goes back to where `from` does: the same generator, the same moves. */
void finish_descend(struct finish *out, const struct finish *from);
void finish_add_move(struct finish *finish, const char *what);
/* How IPOPT is to run. */
struct nlp_settings finish_nlp_settings(const struct finish_task *task, enum finish_start start, int max_iter);
void finish_free(struct finish *finish);

/* Its program at its point. */
struct member finish_member(const struct finish *finish);

#endif
