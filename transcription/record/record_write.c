/* The groups /trajectory, /uniform, /grid and /events of README.md "The result". */
#include "transcription/record/record_parts.h"

#include "core/base/mem.h"
#include "transcription/record/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_trajectory(const struct record *record, const struct column *col, struct result *result)
{
    const int n = record->n_point;
    struct result_group *group = result_group(result, "/trajectory");
    const int axis = result_axis(group, "point", n, NULL, NULL, NULL);
    double *val = mem_alloc((size_t)n, sizeof *val);
    int *word = mem_alloc((size_t)n, sizeof *word);
    unsigned char *flag = mem_alloc((size_t)n, 1);
    for (int k = 0; k < n; k++)
        val[k] = record->point[k].t;
    result_doubles(group, "t", 1, &axis, val, "s", "physical time", NULL);
    for (int k = 0; k < n; k++)
        val[k] = record->point[k].t_num;
    result_doubles(group, "t_num", 1, &axis, val, "s", "numerical time", NULL);
    for (int k = 0; k < n; k++)
        word[k] = record->point[k].element;
    result_ints(group, "element", 1, &axis, word, "finite element");
    for (int k = 0; k < n; k++)
        word[k] = record->point[k].stage;
    result_ints(group, "stage", 1, &axis, word, "Runge-Kutta stage; -1: initial point");
    for (int k = 0; k < n; k++)
        word[k] = record->point[k].side;
    result_ints(group, "side", 1, &axis, word, "-1 left limit, 0 inside, 1 right limit");
    for (int k = 0; k < n; k++)
        flag[k] = record->point[k].is_physical != 0;
    result_flags(group, "is_physical", 1, &axis, flag, "0 in frozen time");
    for (int j = 0; j < record->n_column; j++) {
        for (int k = 0; k < n; k++)
            val[k] = record->column[(size_t)k * (size_t)record->n_column + (size_t)j];
        result_doubles(group, col[j].name, 1, &axis, val, col[j].units, col[j].long_name, col[j].role);
    }
    free(val);
    free(word);
    free(flag);
}

/* Indices of the physical points in order of time; of equal times the last one counts from there on. */
static int physical_points(const struct record *record, int *index)
{
    int n = 0;
    for (int k = 0; k < record->n_point; k++)
        if (record->point[k].is_physical)
            index[n++] = k;
    return n;
}

/* Value of column j at time t, right-continuous, linear between points; `at` moves on with t. */
static double sample(const struct record *record, const int *index, int n, int *at, double t, int j)
{
    while (*at + 1 < n && record->point[index[*at + 1]].t <= t)
        ++*at;
    const struct record_point *p = &record->point[index[*at]];
    const double *a = &record->column[(size_t)index[*at] * (size_t)record->n_column];
    if (*at + 1 >= n)
        return a[j];
    const struct record_point *q = &record->point[index[*at + 1]];
    const double *b = &record->column[(size_t)index[*at + 1] * (size_t)record->n_column];
    const double part = q->t > p->t ? fmin(fmax((t - p->t) / (q->t - p->t), 0), 1) : 0;
    return (1 - part) * a[j] + part * b[j];
}

static double control_at(const struct record *record, double t, int k)
{
    int i = 0;
    while (i + 1 < record->n_interval && record->interval[i + 1] <= t)
        i++;
    return record->interval_u[i * record->model->n_u + k];
}

static void write_uniform(const struct record *record, const struct column *col, int n_uniform, struct result *result)
{
    int *index = mem_alloc((size_t)record->n_point, sizeof *index);
    const int n = physical_points(record, index);
    const double start = record->point[0].t, end = record->t;
    if (!(end > start) || n_uniform < 2) {
        free(index);
        return;
    }
    double *t = mem_alloc((size_t)n_uniform, sizeof *t), *val = mem_alloc((size_t)n_uniform, sizeof *val);
    for (int k = 0; k < n_uniform; k++)
        t[k] = start + (end - start) * k / (n_uniform - 1);
    struct result_group *group = result_group(result, "/uniform");
    const int axis = result_axis(group, "t", n_uniform, t, "s", "physical time");
    const int n_x = record->model->n_x, n_u = record->model->n_u;
    for (int j = 0; j < record->n_column; j++) {
        int at = 0;
        const bool is_control = j >= n_x && j < n_x + n_u && !record_control_varies(record, j - n_x);
        for (int k = 0; k < n_uniform; k++)
            val[k] = is_control ? control_at(record, t[k], j - n_x) : sample(record, index, n, &at, t[k], j);
        result_doubles(group, col[j].name, 1, &axis, val, col[j].units, col[j].long_name, col[j].role);
    }
    free(t);
    free(val);
    free(index);
}

/* --- Grid ---------------------------------------------------------------------------------------------------- */

static void write_element_times(const struct record *record, struct result_group *group, int axis)
{
    const int n = record->n_element;
    double *val = mem_alloc((size_t)n, sizeof *val);
    static const char *const name[] = { "h", "t_start", "t_end", "t_num_start", "t_num_end" };
    for (int q = 0; q < 5; q++) {
        for (int k = 0; k < n; k++) {
            const struct record_element *e = &record->element[k];
            const double all[] = { e->h, e->t_start, e->t_end, e->t_num_start, e->t_num_end };
            val[k] = all[q];
        }
        result_doubles(group, name[q], 1, &axis, val, "s", q == 0 ? "element length" : "", NULL);
    }
    free(val);
}

static void write_element_states(const struct record *record, struct result_group *group, int axis)
{
    const int n = record->n_element, n_x = record->model->n_x, s = record->n_stage;
    const int axes[3] = { axis, result_axis(group, "stage", s, NULL, NULL, NULL),
                          result_axis(group, "state", n_x, NULL, NULL, NULL) };
    const int ends[2] = { axes[0], axes[2] };
    double *val = mem_alloc((size_t)(n * s * n_x), sizeof *val);
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < n; k++)
            memcpy(val + k * n_x, &record->element_data[(size_t)k * (size_t)record->n_data
                                                        + (size_t)(side ? (s + 2) * n_x : n_x)],
                   (size_t)n_x * sizeof *val);
        result_doubles(group, side ? "x_end" : "x_start", 2, ends, val, NULL, NULL, NULL);
    }
    for (int k = 0; k < n; k++)
        memcpy(val + k * s * n_x, &record->element_data[(size_t)k * (size_t)record->n_data + (size_t)(2 * n_x)],
               (size_t)(s * n_x) * sizeof *val);
    result_doubles(group, "x_stage", 3, axes, val, NULL, NULL, NULL);
    free(val);
    const char **name = mem_alloc((size_t)n_x, sizeof *name);
    for (int i = 0; i < n_x; i++)
        name[i] = record->model->x[i].name;
    result_texts(group, "state_name", 1, &axes[2], name, "order of the axis state");
    free(name);
}

static void write_impulses(const struct record *record, struct result_group *group, int axis)
{
    const int n = record->n_element, n_c = record->model->n_contact;
    if (n_c == 0)
        return;
    const int axes[2] = { axis, result_axis(group, "contact", n_c, NULL, NULL, NULL) };
    double *val = mem_alloc((size_t)(n * n_c), sizeof *val);
    static const char *const name[] = { "impulse_n", "impulse_t", "impulse_t2" };
    bool spatial = false;
    for (int c = 0; c < n_c; c++)
        spatial = spatial || record->model->contact[c].n_t == 2;
    for (int q = 0; q < (spatial ? 3 : 2); q++) {
        for (int k = 0; k < n; k++)
            for (int c = 0; c < n_c; c++)
                val[k * n_c + c] = record->element_data[(size_t)(k + 1) * (size_t)record->n_data - (size_t)(3 * n_c)
                                                        + (size_t)(3 * c + q)];
        result_doubles(group, name[q], 2, axes, val, "N s", "impulse at the start of the element, or in it while time is frozen", NULL);
    }
    free(val);
}

static void write_grid(const struct record *record, struct result *result)
{
    struct result_group *group = result_group(result, "/grid");
    const int element = result_axis(group, "element", record->n_element, NULL, NULL, NULL);
    const int interval = result_axis(group, "interval", record->n_interval, NULL, NULL, NULL);
    write_element_times(record, group, element);
    write_element_states(record, group, element);
    write_impulses(record, group, element);
    result_doubles(group, "t_interval", 1, &interval, record->interval, "s", "start of the control interval", NULL);
    const int n_u = record->model->n_u;
    if (n_u == 0)
        return;
    const int axes[2] = { interval, result_axis(group, "control", n_u, NULL, NULL, NULL) };
    result_doubles(group, "u", 2, axes, record->interval_u, NULL, "controls", NULL);
    const char **name = mem_alloc((size_t)n_u, sizeof *name);
    for (int k = 0; k < n_u; k++)
        name[k] = record->model->u[k].name;
    result_texts(group, "control_name", 1, &axes[1], name, "order of the axis control");
    free(name);
}

/* --- Events -------------------------------------------------------------------------------------------------- */

static void write_events(const struct record *record, struct result *result)
{
    const int n = record->n_event, n_x = record->model->n_x;
    struct result_group *group = result_group(result, "/events");
    const int axis = result_axis(group, "event", n, NULL, NULL, NULL);
    double *val = mem_alloc((size_t)(n * n_x) + (size_t)n, sizeof *val);
    int *word = mem_alloc((size_t)n, sizeof *word);
    const char **text = mem_alloc((size_t)n, sizeof *text);
    for (int k = 0; k < n; k++)
        val[k] = record->event[k].t;
    result_doubles(group, "t", 1, &axis, val, "s", "physical time", NULL);
    for (int k = 0; k < n; k++)
        val[k] = record->event[k].t_num;
    result_doubles(group, "t_num", 1, &axis, val, "s", "numerical time", NULL);
    for (int k = 0; k < n; k++)
        word[k] = record->event[k].element;
    result_ints(group, "element", 1, &axis, word, "finite element that begins there");
    for (int k = 0; k < n; k++)
        text[k] = record_event_word(record->event[k].kind);
    result_texts(group, "kind", 1, &axis, text, "what happens");
    for (int k = 0; k < n; k++)
        text[k] = record->name[record->event[k].subject];
    result_texts(group, "name", 1, &axis, text, "contact or switch");
    static const char *const impulse[] = { "impulse_n", "impulse_t", "impulse_t2" };
    for (int q = 0; q < 3; q++) {
        for (int k = 0; k < n; k++)
            val[k] = record->event[k].impulse[q];
        if (q < 2 || record->model->n_q > 2)
            result_doubles(group, impulse[q], 1, &axis, val, "N s", NULL, NULL);
    }
    const int axes[2] = { axis, result_axis(group, "state", n_x, NULL, NULL, NULL) };
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < n; k++)
            memcpy(val + k * n_x, &record->event_x[(size_t)(2 * k + side) * (size_t)n_x], (size_t)n_x * sizeof *val);
        result_doubles(group, side ? "x_plus" : "x_minus", 2, axes, val, NULL, side ? "state after" : "state before", NULL);
    }
    free(val);
    free(word);
    free(text);
}

void record_write(struct record *record, struct result *result, int n_uniform)
{
    struct arena mem = { 0 };
    const struct column *col = columns_describe(record->model, &mem);
    write_trajectory(record, col, result);
    write_uniform(record, col, n_uniform, result);
    write_grid(record, result);
    write_events(record, result);
    arena_free(&mem);
}
