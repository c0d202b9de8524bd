/* /trajectory: controls, gaps, contact velocities and outputs, which points are physical. */
#include "transcription/judge/stored_parts.h"

#include "core/model/inputs.h"
#include "core/output/columns.h"

#include <math.h>
#include <string.h>

#define FROZEN_RATE 0.05            /* of numerical time, at most, while it counts as standing still */

/* Where an expression took its place, it is that. */
double stored_control_off(const struct solution_file *file, int k, double t, double value)
{
    const struct sim_controls *rows = &file->solution.controls;
    const double tol = 1e-9 * fmax(1, file->model->time.horizon);
    const int n_u = file->model->n_u;
    double off = INFINITY;
    if (!rows->u || (file->u_expr && file->u_expr[k] != EXPR_NONE))
        return 0;
    for (int i = 0; i < rows->n; i++)
        if (rows->t[i] <= t + tol && (i + 1 == rows->n || rows->t[i + 1] >= t - tol))
            off = fmin(off, fabs(rows->u[i * n_u + k] - value));
    return off;
}

static void judge_controls(const struct stored *at, const struct replay_point *point, const double *const *column,
                           int row, struct off *off)
{
    const struct model *model = at->file->model;
    for (int k = 0; k < model->n_u; k++) {
        const double *u = column[model->n_x + k];
        if (u)
            off_raise(off,
                      stored_control_off(at->file, k, point->t, u[row]) / fmax(fabs(u[row]), at->settings->floor),
                      point->t, model->u[k].name);
    }
}

static void judge_quantities(struct stored *at)
{
    const struct solution_file *file = at->file;
    const struct model *model = file->model;
    const struct result_field *field;
    const int n_row = file->n_row, n_column = columns_count(model) - columns_n_signal(model);
    const double **column = stored_columns(at, "/trajectory", n_row, &field);
    expr *e = arena_alloc(&at->mem, (size_t)columns_n_shown(model), sizeof *e);
    double *want = arena_alloc(&at->mem, (size_t)columns_count(model), sizeof *want);
    double *signal = arena_alloc(&at->mem, (size_t)columns_n_signal(model), sizeof *signal);      /* do not follow */
    double *u = arena_alloc(&at->mem, (size_t)model->n_u, sizeof *u);
    double *scale = arena_alloc(&at->mem, (size_t)n_column, sizeof *scale);
    const int n_shown = columns_expressions(model, file->u_expr, e);
    struct function shown = function_create(model, file->solution.p, n_shown, e);
    struct off off = { .figure = 0 };
    for (int j = model->n_x; j < n_column; j++) {
        if (!column[j])
            off_raise(&off, INFINITY, 0, field[j].name);
        scale[j] = column[j] ? stored_scale(at, column[j], n_row) : 1;
    }
    for (int k = 0; k < file->solution.n_point; k++) {
        const struct replay_point *point = &file->solution.point[k];
        const int row = file->row[k];
        if (row < 0)
            continue;
        for (int i = 0; i < model->n_u; i++)
            u[i] = column[model->n_x + i] ? column[model->n_x + i][row] : NAN;
        judge_controls(at, point, column, row, &off);
        inputs_set_forces(&shown.inputs, point->force, NULL);
        columns_fill(model, function_eval(&shown, point->t, point->x, u), point->force, signal, want);
        for (int j = model->n_x; j < n_column; j++)
            if (column[j] && !(want[j] == column[j][row]) && !(isnan(want[j]) && isnan(column[j][row])))
                off_raise(&off, fabs(want[j] - column[j][row]) / scale[j], point->t, field[j].name);
    }
    function_free(&shown);
    stored_add(at, "quantities", &off, SAME, "/trajectory does not show what follows from its states and controls");
}

/* Points that are not physical are those of a jump, during which time stands still. */
static bool jumps_are_frozen(const struct stored *at)
{
    const struct solution_file *file = at->file;
    const double *t = stored_doubles(at, "/trajectory", "t", file->n_row);
    const double *t_num = stored_doubles(at, "/trajectory", "t_num", file->n_row);
    const struct result_data *physical = result_data_of(file->result, "/trajectory", "is_physical");
    bool frozen = t && t_num && physical && physical->flag && physical->n == file->n_row;
    for (int k = 1; frozen && k < file->n_row; k++)
        frozen = physical->flag[k] || t[k] - t[k - 1] <= FROZEN_RATE * (t_num[k] - t_num[k - 1]);
    return frozen;
}

void stored_judge_trajectory(struct stored *at)
{
    judge_quantities(at);
    stored_add_shape(at, jumps_are_frozen(at), "frozen points",
                     "points of /trajectory are not physical although time runs");
}
