/* transcription/judge/stored.h - does a result file agree with itself?
 *
 * The replay (replay.h) takes from a file what a simulation needs; what else it shows has to follow from that:
 *
 *   status       solved, acceptable or unverified, with the exit status of that
 *   parameters   those of the spec, or what follows from the optimized ones
 *   quantities   controls, gaps, contact velocities and outputs of /trajectory, computed once more
 *   uniform      columns of /uniform, near those of the points of /trajectory beside them
 *   controls     as many intervals as the spec has, of equal length unless control_grid is free
 *   grid         states at the ends of elements, found in /trajectory; impulses, as in /events
 *   shape        points are physical unless time stands still; lengths of elements; states of events; the verbatim spec
 *                is that of its hash, or says the same
 *   residuals    no larger than the tolerance
 *   objective    is there, if there is a cost and it was optimized
 */
#ifndef COCP_TRANSCRIPTION_JUDGE_STORED_H
#define COCP_TRANSCRIPTION_JUDGE_STORED_H

#include "transcription/report/solution_file.h"

void stored_judge(const struct solution_file *file, const struct replay_settings *settings, struct findings *to);

#endif
