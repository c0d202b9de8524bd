/* core/simulation/events/run.h - a run while it runs and after: sim_run.c steps it, events.c changes its mode,
 * trajectory.c is asked about it
 *
 * Ownership  private to core/simulation.
 */
#ifndef COCP_CORE_SIMULATION_EVENTS_RUN_H
#define COCP_CORE_SIMULATION_EVENTS_RUN_H

#include "core/simulation/events/guards.h"
#include "core/simulation/events/hidden.h"
#include "core/simulation/events/select.h"
#include "core/simulation/events/zeno.h"
#include "core/simulation/step.h"

#define CREEP 1e-7                  /* spatial slip that a step cannot follow any more is taken as rest */

struct piece { double t_start, t_end, h; int row; };    /* h: length of its step; row of the controls */

/* The event that is dealt with. */
struct sim_now {
    double *x_minus, *v_plus;
    enum sim_mode *before;
    double *impulse;                /* [CONTACT_ROWS * n_c] */
    double loss;
    bool *touches;
    bool creeps;                    /* slip in space that no step can follow any more ends with it */
};

/* Contacts that come to rest after infinitely many impacts (zeno.h). */
struct sim_rest {
    struct zeno *zeno;              /* [n_c] */
    bool *accumulates;              /* [n_c] contacts that come to rest now */
    double *steepest;               /* [n_c] largest gradient of the gap so far */
    double *t;                      /* [n_c] accumulation point still ahead, else INFINITY */
    int n_resolved;
};

/* The motion so far. */
struct sim_pieces {
    int n;
    struct piece *of;               /* [n] */
    size_t n_coef;                  /* (STEP_STAGES + 1) * n_x */
    double *coef;                   /* [n * n_coef] polynomials */
    enum sim_mode *modes;           /* [n * (n_c + n_s)] */
    double *direction;              /* [n * 2 n_c] */
    double *friction;               /* [n] sum of the loss by friction, once asked for; else NULL */
};

/* What tells that it does not get on. */
struct sim_pace {
    int n_stuck;                    /* events in a row at the same time */
    int turn_of;                    /* contact that the last event turned round, -1: none; and when */
    double t_turn;
    double t_banned;                /* when a mode was banned last */
    int n_creep, n_balk, n_push;    /* steps in a row with slip in space that creeps, those of them that were too
                                     * long; how often it was pushed on */
    int n;                          /* steps since t */
    double t;
};

struct sim {
    struct arena mem;
    struct sim_task task;
    struct system *sys;             /* of `like`, where there is one */
    struct flow flow;
    struct step step;
    struct guards guards;
    struct select select;
    double t, *x;                   /* now */
    struct mode mode;
    double h;                       /* length to try next */
    double t_event;                 /* of the last event */
    int row;                        /* of the controls */
    const struct model_phase *begins;           /* the phase by the user that does so now; NULL once dealt with */
    int n_jump, next_jump;          /* jumps of the model that no phase begins with, in time */
    struct { double t; const struct model_jump *of; } *jump;    /* [n_jump] */
    const double *x_start;          /* before the jump at the start; NULL: there is none */
    bool jumped_at_end;             /* x is what is after it, and no piece has it */
    double *u;                      /* [rows * n_u] controls without gaps */
    int n_row;

    double *scratch;                /* [3 * n_x] */
    struct { int k; double t; long n_flow, n_dynamics; } asked;     /* where the flow was asked for last, time t of
                                     * piece k, and how many evaluations there had been then; 0: nowhere */
    struct sim_now now;
    struct sim_rest rest;
    struct sim_pieces pieces;
    int n_event;
    struct sim_event *event;
    struct sim_pace pace;
    double *t_entered;              /* [n_m] when machines came into their states */
    int fired, turned;              /* transition whose condition the present event is, corner that it is at; -1: none */
    int n_graze, n_paradox, n_ambiguous, n_irregular;     /* of each the first is told */
    enum status status;
    char *message;
};

/* Fails with a message; returns st. */
enum status run_fail(struct sim *sim, enum status st, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void run_note(struct sim *sim, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Impacts and the choice of a mode at the present time; is_start: nothing came before. */
enum status events_settle(struct sim *sim, bool is_start);

/* machines.c: when the next transition after a time is due; INFINITY: none. */
double machines_next(const struct sim *sim);
/* Makes the transitions that are due at the present time, one after the other. */
enum status machines_run(struct sim *sim);

/* corners.c: the sides of corners on which contacts go on from the present state. */
void corners_settle(struct sim *sim);

/* phases.c: rows of controls that begin where phases by the user do, unless the given
 * ones tell; what happens there. */
void phases_add_rows(struct sim *sim);
enum status phases_begin(struct sim *sim);
/* jumps.c: when impulses act; the next one; those that are due at the present time act. */
void jumps_list(struct sim *sim);
double jumps_next(const struct sim *sim);
enum status jumps_make(struct sim *sim);
/* Sets the states that jump, of what is before. Notes phase (NULL: none) and impulses that act then as events. */
void jumps_apply(struct sim *sim, const struct model_jump *jump, const struct model_phase *phase);
/* Of what appears or jumps: no overlap. */
enum status phases_check_overlaps(struct sim *sim);

void run_add_event(struct sim *sim, struct sim_event event);

/* What it is called when a contact or a switch goes on in another mode. */
enum sim_kind run_kind_of_change(enum sim_mode before, enum sim_mode now);

/* Fails where the gap of contact c, which is 0 at the point the system has been evaluated at, has no slope:
 * neither the direction nor the speed of an impact is known. */
enum status run_check_slope(struct sim *sim, int c, double t);

/* Fails where a state is outside of a set that it is kept in: something has jumped. */
enum status run_check_sets(struct sim *sim);

/* trajectory.c: the mode of piece k; borrowed. */
struct mode run_mode(const struct sim *sim, int k);

/* Keeps the present step up to t_end. */
void run_add_piece(struct sim *sim, double t_end);

#endif
