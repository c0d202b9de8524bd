/* core/simulation/run.h - a run while it runs and after: what simulation.c, events.c, zeno.c and trajectory.c
 * share
 *
 * Ownership  private to core/simulation.
 */
#ifndef COCP_CORE_SIMULATION_RUN_H
#define COCP_CORE_SIMULATION_RUN_H

#include "core/simulation/guards.h"
#include "core/contact/jump.h"
#include "core/simulation/select.h"
#include "core/simulation/step.h"

struct piece { double t_start, t_end, h; int row; };    /* h: length of its step; row of the controls */

struct zeno {                       /* impacts of one contact, to see whether they accumulate */
    double t_last, interval, ratio; /* NAN: not known yet */
    double limit, drift;            /* the ratio where it changed least, and by how much */
    int n_regular, n_impact; /* intervals in a row with nearly the same ratio < 1; impacts of the sequence */
};

struct sim {
    struct arena mem;
    struct sim_task task;
    struct system *sys;
    struct flow flow;
    struct step step;
    struct guards guards;
    struct select select;
    double t, *x;                   /* now */
    struct mode mode;
    double h;                       /* length to try next */
    double t_event;                 /* of the last event */
    int row;                        /* of the controls */
    double *u;                      /* [rows * n_u] controls without gaps */
    int n_row;

    double *x_minus, *v_plus;       /* of the event that is dealt with */
    enum sim_mode *before;
    double *impulse;                /* [3 * n_c] of the event */
    double loss;
    bool *touches;
    double *J, *gathered;           /* of an impact */
    int *contact, *n_t;

    struct zeno *zeno;              /* [n_c] */
    bool *accumulates;              /* [n_c] contacts that come to rest now */
    double *t_rest;                 /* [n_c] accumulation point still ahead, else INFINITY */
    int n_resolved;

    int n_piece, cap_piece;
    struct piece *piece;
    double *coef;                   /* [n_piece * (STEP_STAGES + 1) * n_x] */
    enum sim_mode *modes;           /* [n_piece * (n_c + n_s)] */
    double *direction;              /* [n_piece * 2 n_c] */
    double *friction;               /* [n_piece] sum of the loss by friction, once asked for; else NULL */
    int n_event, cap_event;
    struct sim_event *event;
    int n_stuck;                    /* events in a row at the same time */
    int n_graze, n_paradox, n_ambiguous;     /* of each the first is told */
    enum status status;
    char *message;
};

/* Fails with a message; returns st. */
enum status sim_fail(struct sim *sim, enum status st, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void sim_note(struct sim *sim, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* events.c: impacts and the choice of a mode at the present time; is_start: nothing came before. */
enum status sim_settle(struct sim *sim, bool is_start);
void sim_add_event(struct sim *sim, enum sim_kind kind, int subject, const double *impulse, double loss,
                   const double *x_minus, const double *x_plus);

/* zeno.c: takes note of an impact of contact c at the present time. */
void zeno_init(struct zeno *zeno);
void zeno_impact(struct zeno *zeno, double t);
/* Marks contacts whose impacts accumulate so soon that they can be taken as at rest; true if there are any. */
bool zeno_find(struct sim *sim);

/* trajectory.c */
void sim_add_piece(struct sim *sim, double t_end);

#endif
