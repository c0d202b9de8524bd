/* core/sweep/points_table.h - a CSV file of texts: a line of names, then lines of as many fields
 *
 * Fields may stand in double quotes, which are doubled inside; spaces around a field, empty lines and a byte order
 * mark are ignored; lines end in LF or CR LF.
 * Errors  STATUS_SPEC with file, line and column; STATUS_IO.
 */
#ifndef COCP_CORE_SWEEP_POINTS_TABLE_H
#define COCP_CORE_SWEEP_POINTS_TABLE_H

#include "core/base/arena.h"
#include "core/base/diag.h"

struct points_table {
    int n_column, n_row;
    const char **name;              /* [n_column] */
    const char **field;             /* [n_row * n_column], by rows */
};

/* All of it in mem. */
enum status points_table_read(const char *path, struct arena *mem, struct points_table *table, struct diag *diag);

#endif
