/* core/sweep/run.h - the points of a sweep, each by a process of its own, on all cores
 *
 * Points without a record (core/sweep/record.h) that nobody else is at are claimed and run; then those of them
 * that failed are tried again from the solutions of their nearest solved neighbours, in rounds: a round knows the
 * points that were solved before it, so that the outcome does not depend on who was faster.
 *
 * A point is the command line of `sweep_command` with the values of the point; its process leads a group of its
 * own, which gets SIGINT when the sweep is to stop (core/base/stop.h) and SIGKILL two seconds later. A point over
 * its time limit saves what it has (--max-time, --max-cpu), and is killed if it does not.
 * Errors  STATUS_IO: no process, a folder or a record that cannot be written; STATUS_LIMIT, STATUS_INTERRUPTED:
 *         points are missing; STATUS_OK: every point of the range has a record or is at work elsewhere.
 */
#ifndef COCP_CORE_SWEEP_RUN_H
#define COCP_CORE_SWEEP_RUN_H

#include "core/sweep/task.h"

/* STATUS_IO if a file that was read (core/base/read_files.h) stands where the sweep writes; asked
 * before anything is written. */
enum status sweep_spare(const struct sweep_run *run, struct diag *diag);

enum status sweep_run(const struct sweep_run *run, struct sweep_counts *counts, struct diag *diag);

/* What the folder says, nothing is run; running: claims that are held. failed [n] of the first n points that
 * failed, *n_failed of them (n at most). */
void sweep_count(const struct sweep_run *run, struct sweep_counts *counts, int n, int *failed);

#endif
