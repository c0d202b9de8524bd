/* transcription/solve/finishing.h - discover, then finish: a sequence first, then its smooth program; phases.md
 *
 *   a guess from a file   its sequence is finished, a finished solution's own program from its point and multipliers; then
 *                    there are no other discoveries, and of the same program no neighbours either. Where it fails:
 *   0. restitution, friction in space
 *                    the guess, and random motions while nothing is solved, simulated from event to event, every
 *                    prefix of their events finished; where none has a solution, with intervals of free lengths on the way
 *                    (finishing_free.c, rule 32); what of friction in space sticks is decided by friction that is
 *                    smoothed (finishing_smooth.c, rule 33)
 *                    then motions aimed at what is asked, generation by generation, while nothing is solved, or where
 *                    in the solution nothing happens (phases.md 6, rule 19)
 *      relays        with thresholds: motions, each order of their switching finished
 *   1. contacts      several time-stepping solutions, each one's sequence finished (or repaired); then, if none was,
 *                    motions as in 0. Not with friction in space where 0 has solved. Time steps that exploit their grid
 *                    are left for stances and flights in turn, drawn and not found (proposals/gait.h), and for a homotopy of
 *                    time-freezing that ends early (phases.md 6, rules 8 and 31)
 *      switches      fixed steps from several starts; then neighbours of those that have no solution, though they would be
 *                    cheaper; then, if none was finished, aimed motions as in 0. Other contacts
 *                    aim after 2, whose homotopy is the better guide where nothing rebounds (a leg that jumps: 0.150; 0.189)
 *   2. otherwise, or where none of them could be finished: the attempts of solve.h, whose solution is finished
 *   3. neighbouring sequences of the best, as long as one is better
 *   4. more stages and elements on the same sequence, and inequalities between stages where they are broken, until a
 *      replay by events agrees
 *   5. where it cannot be verified the next best is: other sequences of 0 to 2 with their 3 and 4, solutions that 3 has
 *      passed, then 0 and 1 from other seeds and starts, and aimed motions; the first that can be verified is the result.
 *      Where there is none it is the best, unverified. Not from a given solution, nor in a re-solve of `track`
 */
#ifndef COCP_TRANSCRIPTION_SOLVE_FINISHING_H
#define COCP_TRANSCRIPTION_SOLVE_FINISHING_H

#include "transcription/finish/settings.h"
#include "transcription/solve/finishing_outcome.h"

/* The finished solution's status; without one the status of step 2, and its solution, if any. A model that phases do not
 * take goes straight there. finished_free afterwards. */
enum status solve_finished(const struct solve_task *task, const struct finish_settings *settings, struct finished *out,
                           struct diag *diag);
/* Is a finished solution, judged by its replay and its inequalities, none to this tolerance? Then its reason says why. */
bool solution_is_refused(struct solution *solution, double tol);

void finished_free(struct finished *finished);

#endif
