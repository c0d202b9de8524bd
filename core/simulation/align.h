/* core/simulation/align.h - in which direction contacts slip from rest in space
 *
 *   v_t' = speed_rate d,  lambda_t = -mu lambda_n d,  |d| = 1                 of each of them
 *
 * Friction is against the slip that it leaves. Where forces grow slowly over what a contact can bear, that acceleration is 0 at
 * first and all directions seem to do: what tells is the direction a moment later.
 */
#ifndef COCP_CORE_SIMULATION_ALIGN_H
#define COCP_CORE_SIMULATION_ALIGN_H

#include "core/contact/directions.h"
#include "core/simulation/flow.h"

struct align {
    struct flow *flow;              /* borrowed */
    int n, *contact;                /* [n] those that slip from rest */
    struct slip *slip;              /* [n_c] */
    double *a;                      /* [SLIP_MAX * n_c] accelerations that are left */
};

void align_init(struct align *align, struct arena *mem, struct flow *flow);

/* Which contacts slip from rest in space, or no faster than `slow` m/s, of those that slip in the mode and have
 * friction: the system's contacts are as evaluated last. */
void align_list(struct align *align, const struct mode *mode, double slow);

/* Is contact c among them? */
bool align_has(const struct align *align, int c);

enum { ALIGN_STARTS = DIRECTION_STARTS + 1 };

/* Finds the directions at (t, x) and leaves them in the mode: from those that it has (start 0), from others by
 * quarters of a turn, or, the last start, from where projected gradients lead. False if what is left across them is
 * above tol. */
bool align_find(struct align *align, struct mode *mode, double t, const double *x, int start, double tol);

#endif
