/* transcription/multiphase/point_solver.h - accelerations, forces and alpha that a mode makes of a
 * state, outside of a program
 *
 * The conditions of the mode (phases.md "Dynamics", (d)) by Gauss-Newton, least squares where they are
 * singular: of forces that share a load in any way the shortest. In an impact the slots of a hold the velocity
 * after it, which is given.
 *
 * Shapes  y [n_y], u [n_u], p [n_p], rate [n_y].
 * Ownership  borrows the system.
 */
#ifndef COCP_TRANSCRIPTION_MULTIPHASE_POINT_SOLVER_H
#define COCP_TRANSCRIPTION_MULTIPHASE_POINT_SOLVER_H

#include "transcription/multiphase/multiphase.h"

struct point_solver;

/* What stands at a point beside its state. */
struct point_inputs { const double *u, *p; double horizon, width; };      /* width: phase_grid's */

struct point_solver *point_solver_create(const struct phase_system *sys);
void point_solver_free(struct point_solver *at);

/* The point says states and layout; its variables are not read. */
void point_solver_mode(struct point_solver *at, const struct phase_point *point, const struct point_inputs *in,
                       const double *y);
void point_solver_impact(struct point_solver *at, const struct phase_point *point, const struct point_inputs *in,
                         const double *y, const double *y_plus);
/* Controls that hold a state which is at rest, u [n_u]: those with a size [n_u] are unknown, the others,
 * with 0, are in in->u. Of all that the conditions of the mode allow accelerations are the smallest, and
 * after these controls relative to their sizes and contact forces (N); friction of what sticks is well
 * within its cone. false: no such forces were found. force [n_contact * (1 + SLIP_MAX)]: each normal force
 * with its friction; may be NULL. */
bool point_solver_hold(struct point_solver *at, const struct phase_point *point, const struct point_inputs *in,
                       const double *y, const double *size, double *u, double *force);
/* The block of unknowns of the layout, [layout->n], and y', after that. */
void point_solver_unknowns(const struct point_solver *at, const struct phase_layout *layout, double *block);
void point_solver_rate(struct point_solver *at, double *rate);

/* y' of many points, whose functions are evaluated together; the same as of one by one. */
struct point_lanes;
struct point_lane {
    const struct phase_point *point;
    const struct point_inputs *in;
    const double *y;
    double *rate;
};
struct point_lanes *point_lanes_create(const struct phase_system *sys, int n_max);
void point_lanes_free(struct point_lanes *lanes);
void point_lanes_rates(struct point_lanes *lanes, int n, const struct point_lane *lane);

#endif
