/* transcription/finish/path_homotopy.h - a sequence whose start is on the wrong side of a constraint along the
 * path
 *
 * Such a constraint can cut the way to the solution into parts (a wall: its samples end on both sides). So, where
 * the program fails, it is solved without constraints along the path; what they are broken by then is allowed,
 * less and less: an obstacle grows out of the trajectory and pushes all of it to one side.
 */
#ifndef COCP_TRANSCRIPTION_FINISH_PATH_HOMOTOPY_H
#define COCP_TRANSCRIPTION_FINISH_PATH_HOMOTOPY_H

#include "transcription/finish/finish.h"

/* As finish_solve, cold; *out counts the iterations of all runs. */
enum status path_homotopy_finish(const struct finish_task *task, const struct sequence *seq,
                                 const struct samples *samples, int max_iter, struct finish *out,
                                 struct diag *diag);

/* What a point breaks the constraints of the model by: [n_constraint], the caller's. */
double *path_homotopy_broken(const struct finish *finish);

/* From samples that are no motion (gait.h): without constraints along the path, with one element of a piece
 * first, then with those of the task. A sketch that has converged tells what its sequence costs, about. */
enum status path_homotopy_sketch(const struct finish_task *task, const struct sequence *seq,
                                 const struct samples *samples, int max_iter, struct finish *out,
                                 struct diag *diag);
/* One that has converged, *at, with these constraints; with twice as many elements where closed gaps drift so far
 * that final values are missed. */
enum status path_homotopy_finish_sketch(const struct finish_task *task, int max_iter, struct finish *at,
                                        struct diag *diag);

#endif
