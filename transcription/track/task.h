/* transcription/track/task.h - what is tracked, and what comes of it */
#ifndef COCP_TRANSCRIPTION_TRACK_TASK_H
#define COCP_TRANSCRIPTION_TRACK_TASK_H

#include "core/output/head.h"
#include "core/simulation/simulation.h"
#include "transcription/finish/settings.h"
#include "transcription/solve/solve.h"
#include "transcription/track/settings.h"

enum track_soft { TRACK_HARD, TRACK_SOFT_END, TRACK_SOFT_PATH };   /* each after what is before it */

struct track_plan {
    double t, t_from;               /* measured at, carried out from */
    enum status status;             /* of the solve */
    bool is_used;                   /* it has a solution */
    enum track_soft soft;           /* what is out of reach, and costs what it is missed by */
    bool is_fed_back;               /* until it takes over, or all along without a solution, feedback moves the last plan */
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
    int n_failed, n_fed_back;       /* re-solves without a solution; with feedback in their stead */
    double median, slow, worst;     /* CPU s of re-solves: 50 %, 99 %, all; NAN: there were none */
    double *p;                      /* [n_p] impulses as they were carried out */
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

#endif
