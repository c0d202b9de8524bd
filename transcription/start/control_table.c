#include "transcription/start/control_table.h"

#include "core/base/csv.h"
#include "core/base/mem.h"
#include "core/model/impulses.h"
#include "core/results/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_TOL 1e-9               /* relative to the horizon: what counts as the same time */

void control_table_free(struct control_table *table)
{
    if (!table)
        return;
    free(table->t);
    free(table->u);
    free(table->start);
    free(table->impulse);
    free(table);
}

int control_table_row(const struct control_table *table, double t)
{
    int k = 0;
    while (k + 1 < table->n && table->t[k + 1] <= t)
        k++;
    return k;
}

static int find_control(const struct model *model, const char *name)
{
    for (int k = 0; k < model->n_u; k++)
        if (strcmp(model->u[k].name, name) == 0 && !model_steps_of(model, k))
            return k;
    return -1;
}

/* A continuous control, or its slope, is a state of the model; -1: none. */
static int find_held(const struct model *model, const char *name)
{
    for (int i = 0; i < model->n_x; i++)
        if (strcmp(model->x[i].name, name) == 0 && model_find_held(model, i))
            return i;
    return -1;
}

struct control_table *control_table_create(const struct model *model)
{
    struct control_table *table = mem_alloc(1, sizeof *table);
    table->n_u = model->n_u;
    table->end = INFINITY;
    table->start = mem_alloc((size_t)model->n_x, sizeof *table->start);
    for (int i = 0; i < model->n_x; i++)
        table->start[i] = NAN;
    table->impulse = mem_alloc((size_t)model->impulses.n_param, sizeof *table->impulse);
    for (int k = 0; k < model->impulses.n_param; k++)
        table->impulse[k] = NAN;
    return table;
}

struct control_table *control_table_with_steps(const struct model *model, struct control_table *table)
{
    struct arena mem = { NULL };
    if (model->time.n_steps == 0)
        return table;
    if (!table)
        table = control_table_create(model);
    const struct model_rows rows = model_rows_with_steps(
        model, model->time.horizon, (struct model_rows){ table->n, table->t, table->u }, &mem);
    double *t = mem_alloc((size_t)rows.n, sizeof *t), *u = mem_alloc((size_t)(rows.n * model->n_u), sizeof *u);
    memcpy(t, rows.t, (size_t)rows.n * sizeof *t);
    memcpy(u, rows.u, (size_t)(rows.n * model->n_u) * sizeof *u);
    free(table->t);
    free(table->u);
    table->t = t;
    table->u = u;
    table->n = rows.n;
    arena_free(&mem);
    return table;
}

/* --- CSV ----------------------------------------------------------------------------------------------------- */

static void new_row(struct control_table *table, double t)
{
    table->t = mem_grow(table->t, table->n, 1, sizeof *table->t);
    table->u = mem_grow(table->u, table->n, 1, (size_t)table->n_u * sizeof *table->u);
    for (int k = 0; k < table->n_u; k++)
        table->u[(size_t)table->n * (size_t)table->n_u + (size_t)k] = NAN;
    table->t[table->n++] = t;
}

/* A number there must be. */
static enum status read_cell(const struct csv *csv, int row, int col, double *out, struct diag *diag)
{
    const struct csv_cell *cell = csv_cell(csv, row, col);
    if (!cell->is_number || !isfinite(cell->value))
        return diag_error(diag, csv_pos(csv, row, col), NULL, "expected a number");
    *out = cell->value;
    return STATUS_OK;
}

static enum status read_rows(const struct model *model, const struct csv *csv, int time,
                             struct control_table *table, struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int row = 0; row < csv->n_row && st == STATUS_OK; row++) {
        double t = NAN;
        st = read_cell(csv, row, time, &t, diag);
        if (st == STATUS_OK && row > 0 && !(t > table->t[row - 1]))
            st = diag_error(diag, (struct srcpos){ csv->path, csv->line[row], 1 }, NULL, "times must ascend");
        new_row(table, t);
        for (int c = 0; c < csv->n_col && st == STATUS_OK; c++) {
            const int k = find_control(model, csv->name[c]);
            if (k >= 0)
                st = read_cell(csv, row, c, &table->u[(size_t)row * (size_t)table->n_u + (size_t)k], diag);
        }
    }
    return st;
}

/* From values of a continuous control to the slopes between them. */
static void join(struct control_table *table, int k)
{
    for (int row = 0; row < table->n; row++) {
        double *u = &table->u[row * table->n_u + k];
        *u = row + 1 < table->n ? (u[table->n_u] - *u) / (table->t[row + 1] - table->t[row]) : 0;
    }
}

/* Where continuous controls start; without a column of its slope the rows of one are joined by lines. */
static enum status read_held(const struct model *model, const struct csv *csv, struct control_table *table,
                             struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int i = 0; i < model->n_x && st == STATUS_OK; i++) {
        const struct model_held *held = model_find_held(model, i);
        const int col = held ? csv_column(csv, model->x[i].name) : -1;
        if (col < 0)
            continue;
        st = read_cell(csv, 0, col, &table->start[i], diag);
        if (held->order > 1 || csv_column(csv, model->u[held->u].name) >= 0)
            continue;
        for (int row = 0; row < csv->n_row && st == STATUS_OK; row++)
            st = read_cell(csv, row, col, &table->u[row * table->n_u + held->u], diag);
        join(table, held->u);
    }
    return st;
}

/* The place of a parameter of all among those of impulses. */
static int place_of(const struct model *model, int param)
{
    return param - (model->n_param - model->impulses.n_param);
}

/* The length of the stretch before a boundary, where it is free: from the time of the impulse before it. */
static void keep_length(const struct model *model, struct control_table *table, int at, double length)
{
    for (int k = 0; k < model->time.n_stretch; k++) {
        const struct model_stretch *stretch = &model->time.stretch[k];
        if (stretch->first + stretch->n_interval == at && stretch->p >= 0 && !model->time.n_phase)
            table->impulse[place_of(model, model->p_param[stretch->p])] = length;
    }
}

/* Impulses of control k: where its column has numbers. */
static enum status read_impulses(const struct model *model, const struct csv *csv, int time, int k,
                                 struct control_table *table, struct diag *diag)
{
    const struct model_impulse *one = &model->impulses.impulse[k];
    const int col = csv_column(csv, one->var.name);
    double *grid = mem_alloc((size_t)model->time.n_intervals + 1, sizeof *grid), value = 0, t = 0, before = 0;
    enum status st = STATUS_OK;
    int n = 0;
    model_grid(model, model->time.horizon, NULL, grid);
    for (int row = 0; row < csv->n_row && st == STATUS_OK && col >= 0; row++) {
        if (csv_cell(csv, row, col)->is_number && isnan(csv_cell(csv, row, col)->value))
            continue;
        if ((st = read_cell(csv, row, col, &value, diag)) != STATUS_OK
            || (st = read_cell(csv, row, time, &t, diag)) != STATUS_OK)
            break;
        if (n < one->n) {
            table->impulse[place_of(model, one->param[n])] = value;
            const bool elsewhere = fabs(t - grid[one->at[n]]) > TIME_TOL * fmax(1, model->time.horizon);
            if (one->leader == k && elsewhere && !model_lengths_add_up(model))
                st = diag_error(diag, (struct srcpos){ csv->path, csv->line[row], 1 }, NULL,
                                "%s acts at t = %.9g next, not at %.9g", one->var.name, grid[one->at[n]], t);
            if (one->leader == k && one->at[n] > 0)
                keep_length(model, table, one->at[n], t - before);
            before = t;
        }
        n++;
    }
    if (st == STATUS_OK && col >= 0 && n != one->n)
        st = diag_fail(diag, STATUS_SPEC, "%s: has %d impulses of %s, the spec %d", csv->path, n, one->var.name,
                       one->n);
    if (st == STATUS_OK && n > 0 && one->leader == k && one->at[n - 1] < model->time.n_intervals)
        keep_length(model, table, model->time.n_intervals, model->time.horizon - before);
    free(grid);
    return st;
}

/* A column that names no control is one of the model's other quantities. */
static enum status read_table(const struct model *model, const struct csv *csv, struct control_table *table,
                              struct diag *diag)
{
    const int time = csv_column(csv, "t");
    bool has_control = false;
    for (int c = 0; c < csv->n_col; c++)
        has_control = has_control || find_control(model, csv->name[c]) >= 0 || find_held(model, csv->name[c]) >= 0
                      || model_find_impulse(model, csv->name[c]) >= 0;
    if (csv->n_col == 0)
        return diag_fail(diag, STATUS_SPEC, "%s: holds no controls", csv->path);
    if (time < 0)
        return diag_error(diag, (struct srcpos){ csv->path, csv->name_line, 1 }, NULL,
                          "the first line must name the columns, `t` among them");
    if (!has_control)
        return diag_error(diag, (struct srcpos){ csv->path, csv->name_line, 1 }, NULL,
                          "no column is named after a control of the spec");
    if (csv->n_row == 0)
        return diag_fail(diag, STATUS_SPEC, "%s: holds no controls", csv->path);
    enum status st = read_rows(model, csv, time, table, diag);
    for (int k = 0; k < model->impulses.n_impulse && st == STATUS_OK; k++)
        st = read_impulses(model, csv, time, k, table, diag);
    return st == STATUS_OK ? read_held(model, csv, table, diag) : st;
}

enum status control_table_read_csv(const struct model *model, FILE *file, const char *path,
                                   struct control_table *table, struct diag *diag)
{
    struct csv csv;
    enum status st = csv_read(file, path, &csv, diag);
    if (st == STATUS_OK)
        st = read_table(model, &csv, table, diag);
    csv_free(&csv);
    return st;
}

static enum status read_csv(const struct model *model, const char *path, struct control_table *table,
                            struct diag *diag)
{
    struct csv csv;
    enum status st = csv_read_file(path, &csv, diag);
    if (st == STATUS_OK)
        st = read_table(model, &csv, table, diag);
    csv_free(&csv);
    return st;
}

/* --- A result ------------------------------------------------------------------------------------------------ */

static bool has_any(const struct model *model, const struct result_data *name)
{
    for (int c = 0; c < name->n; c++)
        if (find_control(model, name->text[c]) >= 0)
            return true;
    return false;
}

/* Where continuous controls start. */
static void read_start(const struct result *result, const struct model *model, struct control_table *table)
{
    const struct result_data *x = result_data_of(result, "/grid", "x_start"),
                             *name = result_data_of(result, "/grid", "state");
    for (int c = 0; x && x->d && name && name->text && c < name->n && c < x->n; c++) {
        const int i = find_held(model, name->text[c]);
        if (i >= 0)
            table->start[i] = x->d[c];
    }
}

/* Sizes and times of impulses: false if the result has none of them. */
static bool read_parameters(const struct result *result, const struct model *model, struct control_table *table)
{
    bool any = false;
    for (int k = 0; k < model->impulses.n_param; k++) {
        const char *name = model->param[model->n_param - model->impulses.n_param + k].name;
        const struct result_data *data = result_data_of(result, "/parameters", name);
        if (data && data->d && data->n == 1) {
            table->impulse[k] = data->d[0];
            any = true;
        }
    }
    return any;
}

static enum status read_result(const struct model *model, const char *path, struct control_table *table,
                               struct diag *diag)
{
    struct result *result = NULL;
    enum status st = result_read(path, &result, diag);
    if (st != STATUS_OK)
        return st;
    const struct result_data *t = result_data_of(result, "/grid", "t_interval"),
                             *u = result_data_of(result, "/grid", "u");
    const struct result_data *name = result_data_of(result, "/grid", "control");
    const struct result_data *end = result_data_of(result, "/grid", "t_end");
    const bool has_impulses = read_parameters(result, model, table);
    if (end && end->d && end->n > 0 && has_impulses && model->n_u == 0) {
        table->end = end->d[end->n - 1];
        new_row(table, 0);
    } else if (!t || !u || !name || !end || !t->d || !u->d || !name->text || !end->d || t->n < 1 || end->n < 1
               || u->n != (long long)t->n * name->n) {
        st = diag_fail(diag, STATUS_IO, "%s: holds no controls (group /grid: t_interval, u, control)", path);
    } else {
        table->end = end->d[end->n - 1];
        read_start(result, model, table);
        if (model->n_u > 0 && !has_any(model, name))
            st = diag_fail(diag, STATUS_SPEC, "%s: none of its controls is one of the spec's (%s, ...)", path,
                           model->u[0].name);
        for (int row = 0; row < t->n; row++) {
            new_row(table, t->d[row]);
            for (int c = 0; c < name->n; c++) {
                const int k = find_control(model, name->text[c]);
                if (k >= 0 && !isfinite(u->d[row * name->n + c]))
                    st = diag_fail(diag, STATUS_SPEC, "%s: %s is %g in the control interval from t = %g", path,
                                   name->text[c], u->d[row * name->n + c], t->d[row]);
                if (k >= 0)
                    table->u[row * table->n_u + k] = u->d[row * name->n + c];
            }
        }
    }
    result_free(result);
    return st;
}

/* --- Both ---------------------------------------------------------------------------------------------------- */

static enum status check_cover(const struct model *model, const char *path, const struct control_table *table,
                               struct diag *diag)
{
    const double tol = TIME_TOL * fmax(1, model->time.horizon);
    if (table->t[0] > tol)
        return diag_fail(diag, STATUS_SPEC, "%s: controls begin at t = %g, the simulation at 0", path, table->t[0]);
    if (table->end < model->time.horizon - tol)
        return diag_fail(diag, STATUS_SPEC, "%s: controls end at t = %g, the horizon is %g "
                         "(--set time.horizon=%g ends there)", path, table->end, model->time.horizon, table->end);
    return STATUS_OK;
}

enum status control_table_read(const struct model *model, const char *path, struct control_table **out,
                               struct diag *diag)
{
    struct control_table *table = control_table_create(model);
    const char *ending = strrchr(path, '.');
    enum status st = ending && strcmp(ending, ".h5") == 0 ? read_result(model, path, table, diag)
                                                          : read_csv(model, path, table, diag);
    if (st == STATUS_OK)
        st = check_cover(model, path, table, diag);
    if (st != STATUS_OK) {
        control_table_free(table);
        table = NULL;
    }
    *out = table;
    return st;
}
