/* transcription/judge/stored.h - does a result file agree with itself?
 *
 * The replay (replay.h) takes from a file what a simulation needs; what else it shows has to follow from that:
 *
 *   status       solved, acceptable or unverified, with the exit status of that, and no word of a
 *                failure beside `solved`
 *   parameters   those of the spec, or what follows from the optimized ones
 *   residuals    no larger than the tolerance; of a finished solution what the rows and variables of /grid come
 *                to
 *   objective    is there, if there is a cost and it was optimized
 *   controls     as many intervals as the spec has, of equal length unless control_grid is free
 *   trajectory   controls, gaps, contact velocities and outputs, computed once more; points are physical
 *                unless time stands still
 *   uniform      the polynomials of /grid at its times, or lines between points; gaps, outputs and so on follow
 *   grid         states at the ends of elements, polynomials of states and forces: those of /trajectory; lengths
 *   numerical    numerical time, its rate and speeds of time, which follow from the clock and the forces
 *   events       where elements meet; impulses those of /grid, and none that is no impact; states before and
 *                after
 *   names        of datasets and states, units, words, bounds: laid out once more from the spec; the drawing,
 *                drawn again
 *   phases       words and story follow from the sequence; every change of mode is an event, and the other way
 *                round
 *   fit          measurements are the spec's, fitted values the trajectory's, estimates those of
 *                /parameters; sums and words follow; deviations fit their covariance, which itself only a
 *                digest holds (unchanged.h)
 *   spec         the verbatim one is that of its hash, or says the same
 */
#ifndef COCP_TRANSCRIPTION_JUDGE_STORED_H
#define COCP_TRANSCRIPTION_JUDGE_STORED_H

#include "transcription/report/solution_file.h"

void stored_judge(const struct solution_file *file, const struct replay_settings *settings, struct findings *to);

#endif
