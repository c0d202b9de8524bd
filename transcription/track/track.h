/* transcription/track/track.h - a plan that is made anew while it is carried out
 *
 *   plan k    the problem of the spec from t_k and the measured state on (problem_at.h), finished from what is left of the
 *             last plan: its sequence of modes and its trajectory, as `solve --guess FILE@T` reads them from a file
 *   plant     the event-driven simulation under the last plan that was found, delayed where asked for; its parameters
 *             may be others than the model's
 *
 *   x_measured = x(t_k) + noise,  x(t_k) = x(t_k-) + disturbance;   both even in [-size, size], by seed, plan and state
 *
 * The first plan is solved as `solve` does, from the spec's own start, exactly measured. Where a re-solve fails the rest of
 * the last plan is carried out; behind its end its last controls hold.
 * Where a shrinking horizon leaves fewer controls than final values, no plan is made any more.
 * Errors  STATUS_SPEC for what cannot be tracked (relays, machines, optimized parameters, other states in the plant). Else
 *         `out` tells how far it came: its status is that of the first plan without a solution, of a plant that could not
 *         be simulated, of a stop, or STATUS_UNVERIFIED where final values are missed by more than tol.
 */
#ifndef COCP_TRANSCRIPTION_TRACK_TRACK_H
#define COCP_TRANSCRIPTION_TRACK_TRACK_H

#include "core/output/head.h"
#include "core/simulation/simulation.h"
#include "transcription/phases/settings.h"
#include "transcription/solve/solve.h"
#include "transcription/track/settings.h"

struct track_plan {
    double t, t_from;               /* measured at, carried out from */
    enum status status;             /* of the solve */
    bool is_used;                   /* it has a solution */
    double objective, violation, error;         /* from its start on; NAN without a solution; as struct finished */
    double horizon;                 /* s from its start on */
    int n_interval, n_event, iterations;
    double seconds, cpu_seconds;    /* wall, and of this process */
    double *x, *x_measured;         /* [n_x] in the plant, and as measured */
    char reason[200];               /* of all but STATUS_OK */
};

struct track_run { struct sim *sim; struct sim_controls controls; };    /* of one period; rows in tracked.mem */

struct tracked {
    struct arena mem;               /* owns all arrays but plan and run */
    int n_plan, n_run;
    struct track_plan *plan;        /* [n_plan] the first one is no re-solve */
    struct track_run *run;          /* [n_run] following each other */
    int n_failed;                   /* re-solves without a solution */
    double median, slow, worst;     /* CPU s of re-solves: 50 %, 99 %, all; NAN: there were none */
    double objective;               /* of the motion: running cost along it and terminal cost; NAN: there is no cost */
    double open_loop;               /* of the first plan */
    double miss;                    /* largest distance from a final value, as track_settings.tol; NAN: there are none */
    enum status status;
    char failure[240];              /* "" with STATUS_OK */
    double seconds;
};

struct track_task {
    struct solve_task solve;        /* of the first plan */
    const struct finish_settings *finish;
    const struct track_settings *settings;
    const double *noise, *disturbance;          /* [n_x] */
    const struct sim_task *plant;   /* its model, tolerances and law */
    const struct output_origin *origin;         /* of the plans, which are kept in memory as results */
    void (*on_plan)(void *user, int k, const struct track_plan *plan);      /* may be NULL */
    void *user;
};

/* tracked_free afterwards, whatever came back. STATUS_OK: out->status is the outcome. */
enum status track_run(const struct track_task *task, struct tracked *out, struct diag *diag);
void tracked_free(struct tracked *tracked);

/* The result file: head, /trajectory, /uniform, /events, and /plans. */
struct result *tracked_result(const struct output_origin *origin, const struct track_task *task,
                              const struct tracked *tracked, int n_uniform);

#endif
