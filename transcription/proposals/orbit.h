/* transcription/proposals/orbit.h - where a long motion returns to: a start for periodic orbits that no control moves
 *
 * The period of an orbit is free, and so is where on it the horizon begins; the guess is on none. But what runs for long
 * comes near to orbits: to stable ones for good, to others of a chaotic motion now and then. Of a motion of many horizons
 * from the guess, the two times are taken, a horizon apart as its bounds allow, between which it has changed least:
 *
 *   min over t1, t2   max_i |x_i(t2) - x_i(t1)| / s_i,   T_min <= t2 - t1 <= T_max
 *
 * over the states i that constraints at both ends make equal, s_i the width of their motion, with signals of relays
 * as at the start, and given initial values met at t1. Of those that return about as well the shortest is taken.
 */
#ifndef COCP_TRANSCRIPTION_PROPOSALS_ORBIT_H
#define COCP_TRANSCRIPTION_PROPOSALS_ORBIT_H

#include "transcription/reading/simulated.h"

/* Has it no controls, a free horizon, free initial values, and constraints that say that both ends are the same? */
bool orbit_fits(const struct model *model);

/* One turn, from the motion of a start (simulated_start); NULL: it does not come back. sim_free afterwards. */
struct sim *orbit_of_start(struct model *model, unsigned seed, int start, const struct simulated_limits *limits);

#endif
