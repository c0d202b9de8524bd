/* core/simulation/events/variation.h - how the end of a run depends on its start, by the variational equation
 *
 *   Y' = df/dx(x(t), t) Y,  Y(t_start) = 1                                                       HNW I.14
 *
 * along the pieces of a run in which nothing happens: one flow from the start to the end, whose field f is that of
 * the modes, forces of contacts included. Each piece is integrated by the collocation of its step. df/dx at the
 * stages is made of differences of f, all states of a stage evaluated together: a run from each changed
 * start instead evaluates f anew in every sweep of every step.
 *
 * Shapes  scale [n_x]: sizes of the states, for differences; Y [n_x * n_x] by columns, column k the derivative by
 *         state k.
 */
#ifndef COCP_CORE_SIMULATION_EVENTS_VARIATION_H
#define COCP_CORE_SIMULATION_EVENTS_VARIATION_H

#include "core/simulation/simulation.h"

/* False, and Y is of no use, where there are events before the end, or the equation is too stiff for sweeps. */
bool variation_solve(const struct sim *sim, const double *scale, double *Y);

#endif
