/* core/simulation/events/guards.h - functions of the state that are positive as long as a mode lasts
 *
 *   open contact      gap                                            HYB, discrete event sets
 *   closed contact    lambda_n
 *   stick             mu lambda_n -+ lambda_t; in space mu^2 lambda_n^2 - |lambda_t|^2
 *   slip              v_t in its direction
 *   machine           what a transition from its state waits for, negative
 *   switch            c where positive, -c where negative; alpha and 1 - alpha while sliding
 *   pair              H where its force is 0, the force where H is
 *   corner            c or -c likewise, of a closed contact: it keeps to the face or corner of its ground
 *
 * A step is searched from left to right. Guards whose range over it (ranges.h) is positive are out; of the others the
 * Chebyshev interpolants are, minima between samples included, if few samples tell them: a step that does more than
 * that is halved, down to a billionth of the horizon. What is found is located on the guards themselves. A guard has
 * to pass below -its noise to count; the event is where it is zero.
 */
#ifndef COCP_CORE_SIMULATION_EVENTS_GUARDS_H
#define COCP_CORE_SIMULATION_EVENTS_GUARDS_H

#include "core/simulation/events/dip.h"
#include "core/simulation/events/resolution.h"

enum guard_kind {
    GUARD_GAP, GUARD_SLIP, GUARD_SWITCH, GUARD_WHEN, GUARD_CORNER,              /* functions of the state, */
    GUARD_FORCE, GUARD_CONE_UP, GUARD_CONE_DOWN, GUARD_ALPHA, GUARD_ALPHA_TOP, GUARD_PAIR   /* of forces and steps of the flow */
};

struct guard {
    enum guard_kind kind;
    int subject;                    /* a contact, a switch, a transition, a corner */
    double sunk;                    /* how far it is below zero by rounding when it is listed, and rises */
};

struct guards {
    int n;
    struct guard *guard;            /* [n] of the present mode */
    double *value, *noise;          /* [n] of the last evaluation */
    bool *is_proven;                /* [n] positive over the part of the step that is looked at */
    double *sample, *sample_x;      /* [(DIP_SAMPLES + 1) * n], and of states [(DIP_SAMPLES + 1) * n_x] */
    double *x;                      /* [n_x] */
    struct dip_cosines cosines;
    struct resolution resolution;
};

void guards_init(struct guards *guards, struct arena *mem, const struct system *sys);
void guards_free(struct guards *guards);

/* What a function of the state may be below zero by rounding. */
double guards_noise(enum guard_kind kind);

/* Lists the guards of the mode, from the present state: contacts are as evaluated last. */
void guards_list(struct guards *guards, const struct system *sys, const struct mode *mode);

/* Are there any that only the flow tells? */
bool guards_need_forces(const struct guards *guards);

/* Their values and noise at (t, x). */
enum flow_outcome guards_eval(struct guards *guards, struct flow *flow, const struct mode *mode, double t,
                              const double *x);

struct guard_event {
    bool found;
    double t;                       /* the first time at which a guard becomes negative */
    double t_searched;              /* how far the search came, with nothing found before */
    int guard;                      /* which */
    bool is_of_start;               /* the state at t itself has it negative, however long the step is */
    int n_graze;                    /* open contacts that come as near as their noise and part again */
    double graze_t, graze_gap;      /* the first of them */
    int graze_contact;
};

/* guard_search.c: searches the polynomial of a step over [t, t + h], at least a good part of it. */
enum flow_outcome guards_search(struct guards *guards, struct flow *flow, const struct mode *mode,
                                const double *coef, double t, double h, struct guard_event *event);

#endif
