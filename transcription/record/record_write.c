/* The groups /trajectory, /uniform, /grid and /events from what was recorded. */
#include "transcription/record/record.h"

#include "core/base/mem.h"
#include "transcription/record/record_parts.h"

#include <math.h>
#include <stdlib.h>

/* --- /uniform ------------------------------------------------------------------------------------------------ */

const double *record_columns(const struct record *record, int point)
{
    return record->points.column + (size_t)point * (size_t)columns_count(record->model);
}

/* Indices of the physical points in order of time; of equal times the last one counts from there on. */
static int physical_points(const struct record *record, int *index)
{
    int n = 0;
    for (int k = 0; k < record->points.n; k++)
        if (record->points.point[k].is_physical)
            index[n++] = k;
    return n;
}

/* Columns at time t, right-continuous, linear between points `from` and `to`. */
static void interpolate(const struct record *record, int from, int to, double t, double *column)
{
    const double start = record->points.point[from].t, end = record->points.point[to].t;
    const double *a = record_columns(record, from), *b = record_columns(record, to);
    const double part = end > start ? fmin(fmax((t - start) / (end - start), 0), 1) : 0;
    const int n_column = columns_count(record->model);
    for (int j = 0; j < n_column; j++)
        column[j] = from == to ? a[j] : (1 - part) * a[j] + part * b[j];
}

/* Controls are constant in their intervals, unless an expression varies there. */
static void hold_controls(const struct record *record, double t, double *column)
{
    const int n_u = record->model->n_u;
    int i = 0;
    while (i + 1 < record->n_interval && record->interval[i + 1] <= t)
        i++;
    for (int k = 0; k < n_u; k++)
        if (!record_control_varies(record, k))
            column[record->model->n_x + k] = record->interval_u[(size_t)i * (size_t)n_u + (size_t)k];
}

static void write_uniform(const struct record *record, const struct layout *to, int n_uniform)
{
    const double start = record->points.point[0].t, end = record->t;
    const size_t n_column = (size_t)columns_count(record->model);
    if (!(end > start) || n_uniform < 2)
        return;
    int *index = mem_alloc((size_t)record->points.n, sizeof *index), at = 0;
    const int n = physical_points(record, index);
    double *t = mem_alloc((size_t)n_uniform, sizeof *t);
    double *column = mem_alloc((size_t)n_uniform * n_column, sizeof *column);
    for (int k = 0; k < n_uniform; k++) {
        double *row = column + (size_t)k * n_column;
        t[k] = start + (end - start) * k / (n_uniform - 1);
        while (at + 1 < n && record->points.point[index[at + 1]].t <= t[k])
            at++;
        interpolate(record, index[at], index[at + 1 < n ? at + 1 : at], t[k], row);
        hold_controls(record, t[k], row);
    }
    layout_uniform(to, "/uniform", n_uniform, t, column);
    free(t);
    free(column);
    free(index);
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

/* One row for each interval says what the controls are. */
static bool has_constant_controls(const struct record *record)
{
    bool varies = false;
    for (int k = 0; k < record->model->n_u; k++)
        varies = varies || record_control_varies(record, k);
    return !varies;
}

static void write_grid(const struct record *record, const struct layout *to)
{
    const int n = record->n_element;
    const size_t n_x = (size_t)record->model->n_x, row = (size_t)record->n_data * sizeof(double);
    const double *x = record->element_data;
    layout_grid(to, &(struct layout_grid){
        .n = n, .element = { record->element, sizeof *record->element, n }, .x_start = { x + n_x, row, n },
        .x_stage = { x + 2 * n_x, row, n }, .x_end = { x + ((size_t)record->n_stage + 2) * n_x, row, n },
        .n_stage = record->n_stage, .c = record->c, .impulse = record->impulse, .n_interval = record->n_interval,
        .t_interval = record->interval, .u = has_constant_controls(record) ? record->interval_u : NULL,
        .speed = record->speed
    });
}

void record_write(struct record *record, struct result *result, int n_uniform)
{
    const struct layout to = { result, record->model, LAYOUT_ELEMENTS, record->p, record->freezes };
    if (record->n_element == 0)
        return;
    layout_trajectory(&to, &record->points);
    write_uniform(record, &to, n_uniform);
    write_grid(record, &to);
    layout_events(&to, record->n_event, record->event, record->event_x);
}
