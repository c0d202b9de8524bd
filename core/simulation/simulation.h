/* core/simulation/simulation.h - event-driven simulation of a model: flow, events, jumps
 *
 *   open      M(q) v' = f_v + sum over closed contacts of J_n lambda_n + J_t lambda_t        HYB, General system
 *   closed    d/dt (J_n' v) = 0                                                                HYB, (fcontconst1)
 *   slip      lambda_t = -mu lambda_n v_t / |v_t|                                              HYB, (fcontconst2)
 *   stick     d/dt v_t = 0                                                                     HYB, (fcontconst3)
 *   switch    alpha = 0 (c < 0), 1 (c > 0), or d/dt c = 0 while sliding along c = 0            fesd.md 3
 *
 * Between events the flow of the current mode is integrated by Gauss collocation, whose polynomials are the dense
 * output; guards are bracketed on it and located (flow.h, guards.h). At an event velocities jump by an impact
 * law, then a mode is chosen that is consistent at the level of accelerations (select.h).
 *
 * Shapes  x [n_x], u [n_u] in the order of the model; forces and impulses of contact c are
 *         [CONTACT_ROWS * c ...]: normal,
 * then the tangential components (planar: one, the other 0). Units   those of the spec; t in s, impulses in N s.
 * Errors  sim_run returns STATUS_SPEC (the initial state penetrates, a state without an initial value) with a
 * message in `diag`; what happens on the way (NaN, no consistent mode, events or time used up, an interrupt) is a
 *         result: its status and message are the run's, and the trajectory up to there is kept.
 */
#ifndef COCP_CORE_SIMULATION_SIMULATION_H
#define COCP_CORE_SIMULATION_SIMULATION_H

#include "core/contact/jump.h"
#include "core/model/model.h"

#include <signal.h>

/* What contacts and switches do. A planar contact slips forward where v_t > 0; a spatial one always FORWARD. */
enum sim_mode {
    SIM_OPEN,
    SIM_STICKS,
    SIM_FORWARD,
    SIM_BACKWARD, /* contacts; one without friction sticks to nothing: FORWARD */
    SIM_NEGATIVE,
    SIM_SLIDES,
    SIM_POSITIVE /* switches */
};

/* --- What is to be simulated -------------------------------------------------------------------------------- */

/* The rows hold from t[k] until t[k + 1], the last one to the end. A control that is replaced by an expression
 * (model_replace_controls) is not looked at. All arrays are borrowed. */
struct sim_controls {
    int n;                          /* 0: every control at its guess, 0 where it has none */
    const double *t;                /* [n] ascending, t[0] <= the start */
    const double *u;                /* [n * n_u]; NAN: at its guess */
};

/* A law of impact: v_plus [n_q] and impulse [CONTACT_ROWS * n_c] (jump.h). What a law cannot do it reports as a
 * status other than STATUS_OK and a text in why [why_size]. */
typedef enum status sim_impact_law(void *user, const struct jump_impact *impact, double *v_plus, double *impulse,
                                   char *why, size_t why_size);

struct sim_task {                   /* set up by sim_task_init, then changed field by field */
    struct model *model;            /* its graph grows by derivatives */
    const double *p;                /* [n_p] optimized parameters; NULL: their guesses */
    const double *x_initial;        /* [n_x]; NULL: the initial values of the spec, one for each state */
    double t_start, t_end;          /* by default 0 and the horizon */
    struct sim_controls controls;
    const expr *u_expr;             /* [n_u] what took a control's place, for sim_eval_u; or NULL */
    const enum sim_mode *memory;    /* [switches, machines] what relays and machines start as, as in a piece behind its
                                     * contacts; NULL: as the spec says. Borrowed */
    const bool *rests;              /* [contacts] that were closed before the start: where one may open as well as stay, both
                                     * being consistent, it stays; NULL: none was. Borrowed */
    const double *entered;          /* [machines] when they came into these states; NULL: at t_start. Borrowed */
    const struct sim *like;         /* a run of the same model, horizon and u_expr, which outlives this one: its functions are not
                                     * compiled again, and from then on it has the parameters of this one; or NULL */
    double rtol, atol;              /* of the flow, per step */
    int max_events;
    int max_steps;                  /* tried; 0: any number */
    double max_seconds;             /* of wall time; INFINITY: none */
    enum jump_law restitution;      /* JUMP_NEWTON or JUMP_POISSON */
    sim_impact_law *law;            /* NULL: restitution with Coulomb friction, the exact cone in 3D */
    void *law_user;
    const double *grid;             /* [n_intervals + 1] when the control intervals of the whole begin, and its end, of a run that
                                     * is a stretch of it: impulses act where it begins, and those at the end of the
                                     * whole there; NULL: the model says. Borrowed */
    bool is_part;                   /* of a horizon: what jumps at its ends is not its own */
    bool penetration_is_fine;       /* start although a gap is below -1e-8 (a replay of a rough solution) */
    const volatile sig_atomic_t *interrupt;     /* nonzero: stop; or NULL */
    void (*on_note)(void *user, const char *text);      /* what the user should know; may be NULL */
    void *user;
};

/* Defaults: the block `simulate` of README.md "The spec", the horizon, no limits but max_events. */
void sim_task_init(struct sim_task *task, struct model *model);

/* --- What came out ------------------------------------------------------------------------------------------- */

enum sim_kind {
    SIM_IMPACT, SIM_LIFTOFF, SIM_STICK, SIM_SLIP, SIM_REVERSAL, SIM_REST,       /* contacts */
    SIM_CROSSING, SIM_SLIDING, SIM_LEAVING,                                     /* switches */
    SIM_TRANSITION,                                                             /* machines */
    SIM_PHASE,                                                                  /* phases by the user begin */
    SIM_IMPULSE                                                                 /* impulsive controls act */
};

/* "impact", "liftoff", ...: the words of /events. */
const char *sim_kind_text(enum sim_kind kind);

struct sim_event {
    double t;
    enum sim_kind kind;
    int subject;                    /* a contact, n_contact + a switch, then a transition, a phase, an impulsive control;
                                     * sim_subject_name */
    double impulse[CONTACT_ROWS];             /* of an impact */
    double loss;                    /* of kinetic energy, the whole impact's, at its first contact; else 0 */
    const double *x_minus, *x_plus; /* [n_x] before and after all that happens at this time */
};

struct sim;                         /* a run */

/* Simulates. *out is there unless the status is STATUS_SPEC; its status says how far it came. */
enum status sim_run(const struct sim_task *task, struct sim **out, struct diag *diag);
void sim_free(struct sim *sim);

enum status sim_status(const struct sim *sim);      /* OK: reached the end */
const char *sim_message(const struct sim *sim);     /* why it did not; NULL if it did */
double sim_t_start(const struct sim *sim);
double sim_t_end(const struct sim *sim);            /* reached */

const double *sim_p(const struct sim *sim);         /* [n_p] optimized parameters it ran with */
/* The rows of controls that it ran with, phases by the user among them; borrowed. n 0:
 * none were given or needed. */
struct sim_controls sim_rows(const struct sim *sim);
int sim_n_switch(const struct sim *sim);
bool sim_is_projection(const struct sim *sim, int k);           /* switch k: one that is open or closed */
/* Contacts 0 .. n_contact - 1, then switches. */
const char *sim_subject_name(const struct sim *sim, int subject);

int sim_n_events(const struct sim *sim);
const struct sim_event *sim_event_at(const struct sim *sim, int k);
int sim_n_resolved(const struct sim *sim);          /* impacts resolved one by one in Zeno sequences */

enum { SIM_DEGREE = 10 };           /* of the polynomials of the state (step.h) */

/* Smooth pieces of the trajectory, each one step: [t_start, t_end], ascending without holes. Between them the
 * state may jump; within one it is a polynomial, and modes and the row of controls are the same. */
struct sim_piece { double t_start, t_end; const enum sim_mode *mode; /* [contacts, switches, states of machines] */ };
int sim_n_pieces(const struct sim *sim);
struct sim_piece sim_piece_at(const struct sim *sim, int k);

/* What subject k does in the mode of a piece, in words: contacts ("is open", "sticks", "slips forward",
 * "slips", "is closed" without friction), then switches ("is positive", "slides"; a relay "is on", a
 * wall "is closed"), then machines by the names of their states. And what these are called:
 * sim_subject_name goes on with transitions. */
int sim_n_moded(const struct sim *sim);
const char *sim_moded_name(const struct sim *sim, int k);
const char *sim_mode_word(const struct sim *sim, int k, enum sim_mode mode);

/* The piece that holds at t: side -1 the one that ends there, +1 the one that begins there. Outside of the run the
 * first or the last. */
int sim_find_piece(const struct sim *sim, double t, int side);

/* State, controls and contact quantities at t within piece k (beyond its ends the polynomial goes on). */
void sim_eval_x(const struct sim *sim, int k, double t, double *x);
void sim_eval_u(const struct sim *sim, int k, double t, double *u);
/* Relays, 0 or 1, then signals of machines: [n_hysteresis + n_signal] of the model. */
void sim_eval_signals(const struct sim *sim, int k, double *signal);
struct sim_contact { double gap, v_n, v_t[SLIP_MAX], lambda_n, lambda_t[SLIP_MAX]; };
void sim_eval_contacts(const struct sim *sim, int k, double t, struct sim_contact *contact);   /* [n_contact] */
void sim_eval_forces(const struct sim *sim, int k, double t, double *force);                   /* [model_n_force] */
/* The n times in piece k, in this order, are asked for next: large models are evaluated there together. */
void sim_look_ahead(const struct sim *sim, int k, int n, const double *t);

/* Switching functions, whatever their mode: [sim_n_switch]. */
void sim_eval_switches(const struct sim *sim, int k, double t, double *c);

/* When machines came into the states that they are in at t: [n_machine]. */
void sim_entered(const struct sim *sim, double t, double *entered);

/* Where an impulse acts at the start or the end of the run: the state before the
 * start, after the end; else NULL. */
const double *sim_x_before(const struct sim *sim);
const double *sim_x_after(const struct sim *sim);

/* x(t-) for side -1, x(t+) for +1. */
void sim_eval(const struct sim *sim, double t, int side, double *x);

/* Kinetic energy at t in piece k, and what friction took from the start to the end of piece k (impacts: the loss
 * of their events). 0 for models that are not mechanical. */
double sim_kinetic(const struct sim *sim, int k, double t);
double sim_friction_loss(const struct sim *sim, int k);

#endif
