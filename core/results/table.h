/* core/results/table.h - rows and columns, printed aligned, as CSV or as JSON
 *
 * Cells are added row by row, left to right, or column by column. A number keeps its full value: aligned text
 * shows six digits, CSV and JSON the fewest that give the same double back. Missing (NAN) is "-", an empty field,
 * null.
 */
#ifndef COCP_CORE_RESULTS_TABLE_H
#define COCP_CORE_RESULTS_TABLE_H

#include "core/results/results.h"

#include <stdio.h>

struct table;

/* With n columns. */
struct table *table_create(int n, const char *const *name);
void table_free(struct table *table);

/* A new column at the right, its cells empty; returns its index. Names and texts are copied. */
int table_add_column(struct table *table, const char *name);
/* A new row at the bottom; returns its index. */
int table_add_row(struct table *table);
/* text NULL: missing. */
void table_set_text(struct table *table, int row, int column, const char *text);
void table_set_number(struct table *table, int row, int column, double value);

int table_n_rows(const struct table *table);

/* A column for each dataset over that axis of the group, the axis' coordinates first. Further axes become columns
 * of their own, named "x_start_z" after a text dataset that names the entries of the axis, else "x_start_0". */
struct table *table_from_group(const struct result_group *group, int axis);

/* A column for each dataset over that axis alone that says something: not all missing, not called `skip`. Empty
 * where the group (NULL) or the axis is absent. */
struct table *table_from_axis(const struct result_group *group, const char *axis, const char *skip);

/* The first n_rows rows; those that are left out are counted in a last line. */
void table_print(const struct table *table, int indent, int n_rows, FILE *out);
void table_print_csv(const struct table *table, FILE *out);
/* An array of objects, one a line. */
void table_print_json(const struct table *table, FILE *out);

/* Single values: the fewest digits, 15 to 17, that give the same number back; as JSON, where null stands for a
 * number that is not finite; a text in quotes. */
void print_exact(double value, FILE *out);
void print_json_number(double value, FILE *out);
void print_json_text(const char *text, FILE *out);

#endif
