/* transcription/proposals/gait.h - stances and flights in turn, and a motion drawn after them: a start for legs
 *
 * Nothing is simulated or optimized here. The feet, the contacts that are closed at the start, stand for n + 1
 * equal stances with n equal flights in between, lift off on grid points and land inside intervals. What
 * positions are wished to be, q*(t), is the straight line from the start to the end, or what running costs draw
 * them to. In a stance that is centred at t_m
 *
 *   q(t_m) = q*(t_m) + d,   J_n d = -gap                         feet on the ground where they are wished
 *   q(t + h) = q(t) + q*(t + h) - q*(t) + d,   J_n d = -gap,  J_t (q(t + h) - q(t)) = 0      and stay there
 *
 * forwards and backwards; the first stance begins at the start, the last one ends at the end. d is the shortest
 * one, with what is wished to move held more firmly than what is not: a hip goes where it should, and its leg
 * bends. In a flight the deviation from q* goes over from that of one stance to that of the next, and feet are
 * lifted to a parabola at least. Velocities are differences.
 *
 * What is in the air at the start, and stands where final values say, begins with a flight: how long that takes
 * is up to gravity, as in a motion that is simulated, and stances and flights share what is left of the horizon.
 *
 * Programs of such sequences converge from there (phases.md "Generators", `gait`): no force has to be guessed,
 * and nothing is near a degenerate point whose side rounding would choose.
 */
#ifndef COCP_TRANSCRIPTION_PROPOSALS_GAIT_H
#define COCP_TRANSCRIPTION_PROPOSALS_GAIT_H

#include "transcription/reading/extract.h"

struct gait {
    int n_flight;
    double stance;                  /* part of the horizon in which feet stand, 0 to 1 */
    double landing;                 /* s: when the first flight lands, where it begins with one; 0: in turn with the others */
};

/* Has the model feet, mechanics in coordinates, and nothing else that switches? */
bool gait_fits(const struct phase_system *sys);

/* Does it begin with a flight? */
bool gait_flies(const struct phase_system *sys);

/* Flights that there are control intervals for, each stance and flight with one of its own. */
int gait_most_flights(const struct phase_system *sys, double stance);

/* n_flight at most that; at least 1 where it comes flying, else 0: a stance throughout. extract_free afterwards. */
struct extract gait_draw(const struct phase_system *sys, const struct gait *gait);

#endif
