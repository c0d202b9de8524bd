/* core/base/csv.h - a table of numbers from a CSV: the first line names the columns
 *
 * Cells are separated by commas, with blanks and quotes around them at will; empty lines and those that begin
 * with # are none. What is no number is one that its reader may ask for in vain: only he knows which columns he
 * needs. Empty cells and nan are missing: NAN.
 * Errors  at file:line:column: a row with fewer cells than the first line, too many rows (STATUS_SPEC); the
 *         file itself (STATUS_IO).
 */
#ifndef COCP_CORE_BASE_CSV_H
#define COCP_CORE_BASE_CSV_H

#include "core/base/arena.h"
#include "core/base/diag.h"

#include <stdbool.h>
#include <stdio.h>

struct csv_cell { double value; int col; bool is_number; };     /* col: 1-based, in its line; missing ones are numbers */

struct csv {
    struct arena mem;               /* owns the names */
    const char *path;               /* a copy */
    int n_col, n_row;
    const char **name;              /* [n_col] */
    int name_line;                  /* of the names */
    int *name_col;                  /* [n_col] */
    int *line;                      /* [n_row] */
    struct csv_cell *cell;          /* [n_row * n_col] */
};

/* csv_free in any case. */
enum status csv_read(FILE *file, const char *path, struct csv *out, struct diag *diag);
enum status csv_read_file(const char *path, struct csv *out, struct diag *diag);
void csv_free(struct csv *csv);

/* The column of that name; -1: none. */
int csv_column(const struct csv *csv, const char *name);
static inline const struct csv_cell *csv_cell(const struct csv *csv, int row, int col)
{
    return &csv->cell[(size_t)row * (size_t)csv->n_col + (size_t)col];
}
/* Where a cell stands; row -1: the name of the column. */
struct srcpos csv_pos(const struct csv *csv, int row, int col);

#endif
