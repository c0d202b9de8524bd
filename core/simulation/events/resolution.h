/* core/simulation/events/resolution.h - is a part of a step told by a few samples?
 *
 * The polynomial of a step puts the state over any part of it into a box; over the box the right sides
 * and the guards are simple (ranges.h) or not. Where they are not, something may hide between samples,
 * and the part is halved.
 *
 * Guards that are polynomials of low degree along a step are told exactly by their samples and have no ranges.
 *
 * Ownership  private to core/simulation.
 */
#ifndef COCP_CORE_SIMULATION_EVENTS_RESOLUTION_H
#define COCP_CORE_SIMULATION_EVENTS_RESOLUTION_H

#include "core/expression/ranges.h"
#include "core/simulation/step.h"

struct resolution {
    const struct system *sys;
    struct ranges *field;           /* M, f_v, rhs; NULL where all is simple */
    struct ranges **closed;         /* [n_c] what a closed contact adds: J and biases; NULL likewise */
    struct ranges **gap, **slip;    /* [n_c] guards of contacts, slip: v_t [n_t]; NULL: told exactly */
    struct ranges **c, **when, **corner;        /* [n_s] switching functions, [n_transition], [n_k]; NULL likewise */
    struct interval *box;           /* of the inputs */
    double finest;                  /* s: parts are not halved below */
    long n_halved;                  /* in the run */
    double coarsest, t_coarsest;    /* the longest part that was to be halved when no more might be, and the time of the
                                     * first; 0: none */
};

void resolution_init(struct resolution *res, struct arena *mem, const struct system *sys, int exact_degree);
void resolution_free(struct resolution *res);

/* Are the right sides of a mode simple whatever the state? */
bool resolution_is_simple(const struct resolution *res, const struct mode *mode);

/* Sets the box to the part [a, b] of the step from t over h with polynomial coef. */
void resolution_look_at(struct resolution *res, const struct mode *mode, const double *coef, double t, double h,
                        double a, double b);

/* Are the right sides simple over the box? */
bool resolution_field(struct resolution *res, const struct mode *mode);

/* May a part of this length at t, where something may hide, be halved? Not below the finest, and not for ever. */
bool resolution_may_halve(struct resolution *res, double t, double length);

#endif
