/* core/simulation/system.h - a model made ready for event-driven simulation: compiled, with its switches
 *
 * Nonsmooth functions and modes of the model become switching functions c with a step alpha each (nonsmooth.h,
 * fesd.md 3), so that for given alpha everything here is smooth:
 *
 *   M(x) v' = f_v(x, t, u, alpha) + contact forces,   other states x' = rhs(x, t, u, alpha)
 *   contact   gap, v_n = J_n'v, v_t = J_t'v, and the biases of d/dt v_n = J_n'v' + bias_n, d/dt v_t likewise
 *   switch    c, dc/dx, dc/dt
 *   pair      c = H, which depends on its own force and those of others, lambda = 1 - alpha; dc/dalpha
 *   corner    c of a contact with a polygon, whose sign is its side; rate where it goes with q' = N v
 *
 * Shapes  M [n_q * n_q]; J_n, J_t [n_q] a column; f_a [n_q * n_s], rhs_a [n_x * n_s] derivatives by alpha, by
 * columns; c_x [n_x * n_s], column k is the gradient of c_k; c_a [n_s * n_s] by columns: of c by each alpha.
 * Ownership  private to core/simulation; borrows the model.
 */
#ifndef COCP_CORE_SIMULATION_SYSTEM_H
#define COCP_CORE_SIMULATION_SYSTEM_H

#include "core/contact/jump.h"
#include "core/model/contact_functions.h"
#include "core/simulation/breaks.h"
#include "core/simulation/simulation.h"

/* Corners of the grounds of all contacts. */
struct system_corners {
    int n;
    int *of;                        /* [n] the contact of a corner */
    struct function f;              /* [n] functions, [n] rates */
    const expr *c;                  /* [n] */
    const expr *gap;                /* [n_c] gaps that know the sides of corners themselves */
    enum sim_mode *held;            /* [n] the side of each as the mode says; SIM_OPEN: no mode says anything */
    bool *is_held;                  /* [n] its contact is closed */
    double *side;                   /* [n] 1 or 0, a place in the inputs */
};

/* Transitions of all machines. */
struct system_transitions {
    int n;
    /* [n] of which machine, what, and where its resets are among those of all */
    struct system_transition { int machine; const struct model_transition *of; int reset; } *of;
    struct function when, resets;   /* [n] conditions, and resets one after the other */
};

/* What the last evaluation gave; M, f_v, rhs follow each other. */
struct system_values {
    const double *M, *f_v, *rhs, *f_a, *rhs_a;
    const double *c, *c_x, *c_t, *c_a;
};

struct system {
    struct arena mem;
    struct model *model;            /* a fork, owned: its graph grows by derivatives */
    int n_x, n_u, n_q, n_c, n_s;    /* n_s: switches */
    int n_m;                        /* machines */
    int n_subject;                  /* contacts, switches, machines, corners */
    const char **switch_name;       /* [n_s] in model->mem */
    const struct model_hysteresis **relay;      /* [n_s] a switch that is one; NULL: it is none */
    const struct model_projection **wall;       /* [n_s] a switch whose negative side is a wall; NULL: it has none */
    bool has_pairs;                 /* any of them is a pair with a force of its own */
    bool alpha_is_affine;           /* the fields are affine in alpha, and no c depends on one */
    double *mu, *e;                 /* [n_c] values */
    struct inputs inputs;           /* of all: those of a point, then alpha */
    struct function dynamics, switches, controls;
    struct contact_functions contacts;
    struct system_corners corner;
    struct system_transitions transitions;
    struct function starts;         /* of phases by the user: [sum of n_start] one after the other */
    bool *is_off;                   /* [n_c] contacts that are not there at the controls that were set last */
    bool has_u_expr;
    struct { expr *f_v, *rhs, *c; } formula;    /* [n_q], [n_x], [n_s] what is compiled, without nonsmooth nodes */
    struct breaks breaks;           /* of these */

    double *x, *t, *u, *alpha;      /* places in the inputs */
    double *signal;                 /* [n_signal of the model] */
    struct { int n; double *point; } ahead;     /* [n * inputs.n] for system_ahead */
    struct system_values at;
};

/* p [n_p] as in sim_task; u_expr may be NULL. STATUS_SPEC for what cannot be lowered. */
enum status system_create(const struct model *model, const double *p, const expr *u_expr, struct system **out,
                          struct diag *diag);
void system_free(struct system *sys);
/* As it was created, for another run; p [n_p]: with these parameters, NULL: with those that it has. */
void system_forget(struct system *sys, const double *p);

/* Evaluate at the x, t, u and alpha that stand in the system's fields. */
static inline void system_eval_dynamics(struct system *sys) { (void)function_values(&sys->dynamics); }
void system_eval_contacts(struct system *sys);
static inline const double *system_eval_when(struct system *sys) { return function_values(&sys->transitions.when); }
static inline void system_eval_switches(struct system *sys) { (void)function_values(&sys->switches); }
void system_eval_controls(struct system *sys, double *u);

/* The n points (t, x), in this order, are asked for next with everything else as it is: dynamics and contacts of
 * many are evaluated at a time. x [n * n_x]. */
void system_ahead(struct system *sys, int n, const double *t, const double *x);

/* Are ten points together cheaper than three alone? */
bool system_is_large(const struct system *sys);

/* The subject of corner k. */
static inline int system_corner(const struct system *sys, int k)
{
    return sys->n_c + sys->n_s + sys->n_m + k;
}

/* Is switch k a pair, whose force is at the level of the state? */
static inline bool system_is_pair(const struct system *sys, int k)
{
    return sys->wall[k] && sys->wall[k]->is_pair;
}

static inline bool system_has_friction(const struct system *sys, int c)
{
    return sys->mu[c] > 0 && sys->model->contacts.contact[c].n_t > 0;
}

/* As of the last evaluation. One that is not there is far away. */
static inline struct contact_at system_contact(const struct system *sys, int c)
{
    struct contact_at at = contact_functions_at(&sys->contacts, c);
    at.gap = sys->is_off[c] ? 1 : at.gap;
    return at;
}

/* Controls u [n_u], and which contacts there are with them. */
void system_set_controls(struct system *sys, const double *u);

/* The n contacts, velocities and friction as of the last evaluation of dynamics and
 * contacts; arrays in mem but M. */
struct jump_impact system_impact(const struct system *sys, int n, const int *contact, struct arena *mem);

/* Where a NaN or infinity in the right-hand sides at the present point comes from; false if all is finite. */
bool system_trace(const struct system *sys, char *text, size_t size);

#endif
