/* core/sweep/folder.h - where a sweep keeps what: a thousand points to a folder
 *
 *   DIR/sweep.json, DIR/solve.json  what is swept, and the options of its points; a run of something else in the same
 *                                   folder is refused
 *   DIR/table.csv                   a row per point
 *   DIR/000/000123.h5               the result of point 123
 *   DIR/000/000123.solve.json       its record: the point is done (core/sweep/record.h); .solve.log: its progress
 *   DIR/000/000123.solve.claim      somebody is at it (core/sweep/claim.h)
 *
 * Errors  STATUS_IO; STATUS_USAGE: the folder holds another sweep.
 */
#ifndef COCP_CORE_SWEEP_FOLDER_H
#define COCP_CORE_SWEEP_FOLDER_H

#include "core/base/diag.h"

#include <stdbool.h>
#include <stddef.h>

enum { SWEEP_PATH_SIZE = 4096 };

/* "DIR/000/000123" and suffix, into path [SWEEP_PATH_SIZE]; returns it. */
const char *sweep_folder_path(const char *folder, int k, const char *suffix, char *path);

/* Makes DIR and writes the file `name` in it; the same text is there already: nothing happens. is_forced:
 * what is there is replaced. */
enum status sweep_folder_open(const char *folder, const char *name, const char *what, bool is_forced,
                              struct diag *diag);

/* The number of points of the sweep in DIR, and the command it was last run with: the newest of DIR/solve.json
 * and the like, into command [size]. -1: DIR holds no sweep. */
int sweep_folder_read(const char *folder, char *command, size_t size);

/* Makes the folder of point k, unless it is there. */
enum status sweep_folder_make(const char *folder, int k, struct diag *diag);

#endif
