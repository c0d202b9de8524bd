/* transcription/phases/lead.h - a sequence whose start is on the wrong side of a constraint along the path
 *
 * Such a constraint can cut the way to the solution into parts (a wall: its samples end on both sides). So, where the
 * program fails, it is solved without constraints along the path; what they are broken by then is allowed, less and
 * less: an obstacle grows out of the trajectory and pushes all of it to one side.
 */
#ifndef COCP_TRANSCRIPTION_PHASES_LEAD_H
#define COCP_TRANSCRIPTION_PHASES_LEAD_H

#include "transcription/phases/finish.h"

/* As finish_solve, cold; *out counts the iterations of all runs. */
enum status lead_finish(const struct finish_task *task, const struct sequence *seq, const struct samples *samples,
                        int max_iter, struct finish *out, struct diag *diag);

#endif
