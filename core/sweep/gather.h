/* core/sweep/gather.h - the table of a sweep, from its records: DIR/table.csv
 *
 * A row per point with a record: point, the values, status, exit_code, signal, seconds, attempts, guess, and
 * what the summary of the command says (objective, error, iter, ...). Of several lines the later ones add
 * what the earlier ones do not say; those of experiments have a column each, EXPERIMENT.objective, and
 * `objective` is their sum.
 * Errors  STATUS_IO.
 */
#ifndef COCP_CORE_SWEEP_GATHER_H
#define COCP_CORE_SWEEP_GATHER_H

#include "core/results/table.h"
#include "core/sweep/points.h"

/* Rows for the records of points 0, ..., n - 1 of `command` in the folder; table_free it. */
struct table *sweep_gather(const char *folder, const char *command, int n);

enum status sweep_gather_write(const char *folder, const char *command, int n, struct diag *diag);

#endif
