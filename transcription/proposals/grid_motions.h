/* transcription/proposals/grid_motions.h - motions with a few values of the controls, by dynamic
 * programming on a grid
 *
 * From each motion that has come to a grid point one goes on with every combination of values, from event to
 * event. Of those that come to the next point in one cell, with machines and relays in the same states, the
 * best few orders stay:
 *
 *   cell     states that anything but the terminal cost depends on, each a part of the range that
 *            motions have come to; how long machines with clocks, and controls whose stays are limited,
 *            have been what they are
 *   order    what machines, switches and controls have done so far, whatever the times
 *   best     by what bounds, constraints and, at the end, final values are missed by, then by the cost so far:
 *            the integral and, as if it were the end, the terminal cost
 *
 * Nothing is interpolated: each motion is one of the model, and cells alone say which are left out. In the end
 * the best of each order remain.
 */
#ifndef COCP_TRANSCRIPTION_PROPOSALS_GRID_MOTIONS_H
#define COCP_TRANSCRIPTION_PROPOSALS_GRID_MOTIONS_H

#include "transcription/reading/simulated.h"
#include "transcription/sequence/system.h"

/* Controls of one: rows of u, each from t on. */
struct grid_motion {
    int n_row;
    double *t, *u;                  /* [n_row], [n_row * n_u] */
    double cost, missed;
};

struct grid_motions { int n, n_simulated; struct grid_motion *of; };      /* [n] the best first */

/* On n_step equal steps of the horizon, with at most n_row rows of controls; x [n_x], p [n_p] where they
 * start. At most `most` motions. */
struct grid_motions grid_motions_find(const struct phase_system *sys, int n_step, int n_row, const double *x,
                                      const double *p, int most, const struct simulated_limits *limits);
/* Steps of one control interval whose length is free, on a grid of N of them. */
int grid_motions_finer(int N);
enum { GRID_ORDERS = 8 };           /* that are solved */
void grid_motions_free(struct grid_motions *motions);

#endif
