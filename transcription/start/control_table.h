/* transcription/start/control_table.h - controls held constant between given times, from a CSV or a result file
 *
 * CSV  a header line `t, <control>, ...`, then rows of numbers in the C locale; rows hold until the next one,
 *      the last one to the end. A continuous control starts where its own column, named in the header, says;
 *      without one of its slope its rows are joined by lines. Empty lines and lines that start with # are
 *      skipped. Times ascend. The column of an impulsive control has a number in the rows at whose times it
 *      acts, and is empty in the others.
 * Result file  /grid: t_interval, u and control_name of a solution; /parameters of impulses.
 * Errors  STATUS_IO if the file cannot be read; STATUS_SPEC with file:line:column for what is wrong in a CSV.
 */
#ifndef COCP_TRANSCRIPTION_START_CONTROL_TABLE_H
#define COCP_TRANSCRIPTION_START_CONTROL_TABLE_H

#include "core/model/model.h"

#include <stdio.h>

struct control_table {
    int n, n_u;
    double *t;                      /* [n] ascending */
    double *u;                      /* [n * n_u] rows; NAN: a control that is not in the table */
    double *start;                  /* [n_x] of continuous controls, which are states; NAN: not given */
    double *impulse;                /* [n_impulse_param] parameters of impulsive controls; NAN: not given */
    double end;                     /* where the last row ends; INFINITY in a CSV */
};

/* Reads `path`, by its ending (.h5: a result, else CSV), for the controls of the model; the table must cover
 * [0, horizon]. */
enum status control_table_read(const struct model *model, const char *path, struct control_table **out,
                               struct diag *diag);
/* A table (NULL: none) with the rows of steps, which jump where others begin or at times of
 * their own; it takes its place. */
struct control_table *control_table_with_steps(const struct model *model, struct control_table *table);
/* Without rows. */
struct control_table *control_table_create(const struct model *model);
void control_table_free(struct control_table *table);

/* The rows of an open CSV into a table whose n_u is the model's; path is for messages. What
 * they cover is not looked at. */
enum status control_table_read_csv(const struct model *model, FILE *file, const char *path,
                                   struct control_table *table, struct diag *diag);

/* The row that holds from time t on (of a jump at t: the new one). */
int control_table_row(const struct control_table *table, double t);

#endif
