/* core/sweep/record.h - what came of a point, as a JSON object in a file of its own
 *
 *   {"point": 12, "command": "solve", "values": {"parameters.mu": 0.3}, "status": "solved", "exit_code": 0,
 *    "signal": 0, "seconds": 1.24, "attempts": 1, "guess": null, "summary": {the line of the command, as --json}}
 *   or a list of its lines, as `solve --verify` has two, and of several experiments each its own
 *
 * A point is done when its record is there: it is written last, whole. A point that was killed by its
 * memory or time limit has a record, too; one that was interrupted has none. guess: the point whose
 * solution it was started from.
 */
#ifndef COCP_CORE_SWEEP_RECORD_H
#define COCP_CORE_SWEEP_RECORD_H

#include "core/sweep/points.h"

#include <stdbool.h>

struct sweep_record {
    int point;
    const char *command, *status;
    int exit_code, signal, attempts, guess;     /* guess -1: none */
    double seconds;
    const char *summary;            /* a JSON object, a list of them, or NULL */
};

enum status sweep_record_write(const char *path, const struct sweep_record *record,
                               const struct sweep_points *points, struct diag *diag);

/* One more try that led to nothing: the record keeps what it says but for the number of attempts. */
enum status sweep_record_count(const char *path, int attempts, struct diag *diag);

/* The record as a tree, NULL where there is none that can be read; spec_free it. */
struct spec *sweep_record_read(const char *path);

/* A number of a tree's mapping, or `absent`. */
int sweep_record_int(const struct spec *record, const char *key, int absent);

#endif
