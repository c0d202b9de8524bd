/* core/simulation/guards.h - functions of the state that are positive as long as a mode lasts
 *
 *   open contact      gap                                            HYB, discrete event sets
 *   closed contact    lambda_n
 *   stick             mu lambda_n -+ lambda_t; in space mu^2 lambda_n^2 - |lambda_t|^2
 *   slip              v_t in its direction
 *   switch            c where positive, -c where negative; alpha and 1 - alpha while sliding
 *
 * A step is searched on the Chebyshev interpolants of all guards, minima between samples included; what is found
 * is located on the guards themselves. A guard has to pass below -its noise to count; the event is where it is
 * zero.
 */
#ifndef COCP_CORE_SIMULATION_GUARDS_H
#define COCP_CORE_SIMULATION_GUARDS_H

#include "core/simulation/step.h"

enum guard_kind {
    GUARD_GAP, GUARD_FORCE, GUARD_CONE_UP, GUARD_CONE_DOWN, GUARD_SLIP, GUARD_SWITCH, GUARD_ALPHA, GUARD_ALPHA_TOP
};

struct guard { enum guard_kind kind; int subject; };     /* a contact or a switch */

enum { GUARD_SAMPLES = 16 };        /* Chebyshev points of a step, less one */

struct guards {
    int n;
    struct guard *guard;            /* [n] of the present mode */
    double *value, *noise;          /* [n] of the last evaluation */
    double *sample;                 /* [(GUARD_SAMPLES + 1) * n] */
    double *x;                      /* [n_x] */
};

void guards_init(struct guards *guards, struct arena *mem, const struct system *sys);

/* Lists the guards of the mode. */
void guards_list(struct guards *guards, const struct system *sys, const struct mode *mode);

/* Their values and noise at (t, x). */
enum flow_outcome guards_eval(struct guards *guards, struct flow *flow, const struct mode *mode, double t,
                              const double *x);

struct guard_event {
    bool found;
    double t;                       /* the first time at which a guard becomes negative */
    int guard;                      /* which */
    int n_graze;                    /* open contacts that come as near as their noise and part again */
    double graze_t, graze_gap;      /* the first of them */
    int graze_contact;
};

/* Searches the polynomial of a step over [t, t + h] up to t_end <= t + h. */
enum flow_outcome guards_search(struct guards *guards, struct flow *flow, const struct mode *mode,
                                const double *coef, double t, double h, struct guard_event *event);

#endif
