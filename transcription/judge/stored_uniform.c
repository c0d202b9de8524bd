/* /uniform: where the method has polynomials they are its states and forces, else lines between points;
 * the rest follows from these. */
#include "transcription/judge/pieces.h"
#include "transcription/judge/stored_parts.h"

#include "core/model/inputs.h"
#include "core/output/columns.h"

#include <math.h>

struct uniform {
    struct stored *at;
    int n, n_column;
    const double *t;
    const double **dense, **column;             /* [n_column] of /uniform, [n]; of /trajectory */
    const struct result_field *field;
    double *scale;                              /* [n_column] */
    struct pieces pieces;
    bool is_smooth;                             /* its columns are those of polynomials of time */
};

/* --- Polynomials --------------------------------------------------------------------------------------------- */

/* Column j is that of a contact's force: which, and whose; false if it is not. */
static bool is_force(const struct model *model, int j, int *contact, int *part)
{
    for (int c = 0; c < model->contacts.n_contact; c++) {
        const int first = columns_of_contact(model, c) + 2 + model->contacts.contact[c].n_t;
        if (j >= first && j <= first + model->contacts.contact[c].n_t) {
            *contact = c;
            *part = j - first;
            return true;
        }
    }
    return false;
}

/* How far a value is from that of an element which has t, INFINITY where none has: of both sides of t, and of short
 * elements between them. A jump at an end of the trajectory is only in its points. */
static double smooth_off(const struct uniform *all, int j, double t, double value)
{
    const struct model *model = all->at->file->model;
    const int n_row = all->at->file->n_row;
    double off = fmin(fabs(value - all->column[j][0]), fabs(value - all->column[j][n_row - 1]));
    int contact = 0, part = 0;
    const bool force = is_force(model, j, &contact, &part);
    if (t > all->t[0] && t < all->t[all->n - 1])
        off = INFINITY;
    for (int e = 0; e < all->pieces.n; e++) {
        if (!pieces_has(&all->pieces, e, t))
            continue;
        const double there = force ? pieces_force(&all->pieces, e, t, part, contact)
                                   : pieces_x(&all->pieces, e, t, j);
        off = fmin(off, fabs(there - value));
    }
    return off;
}

/* Forces of simulations are no polynomials: the one through theirs is near them. */
static void judge_smooth(const struct uniform *all, struct off *states, struct off *forces)
{
    const struct model *model = all->at->file->model;
    int contact, part;
    for (int j = 0; j < all->n_column; j++)
        if (j < model->n_x || (is_force(model, j, &contact, &part) && all->pieces.force[part]))
            for (int k = 0; k < all->n; k++)
                off_raise(j < model->n_x ? states : forces,
                          smooth_off(all, j, all->t[k], all->dense[j][k]) / all->scale[j], all->t[k],
                          all->field[j].name);
}

/* --- Lines between points ------------------------------------------------------------------------------------ */

/* How far a value is from the lines between points that have t. */
static double line_off(const struct uniform *all, int j, double t, int *first, double value)
{
    const struct solution_file *file = all->at->file;
    const struct replay_point *point = file->solution.point;
    const double near = SAME * 1e-3 * fmax(1, file->model->time.horizon), *column = all->column[j];
    double off = INFINITY;
    while (*first + 2 < file->solution.n_point && point[*first + 1].t < t - near)
        ++*first;
    for (int k = *first; k + 1 < file->solution.n_point && point[k].t <= t + near; k++) {
        const double h = point[k + 1].t - point[k].t, part = h > 0 ? fmin(fmax((t - point[k].t) / h, 0), 1) : 0;
        if (file->row[k] >= 0 && file->row[k + 1] >= 0)
            off = fmin(off, fabs((1 - part) * column[file->row[k]] + part * column[file->row[k + 1]] - value));
    }
    return off;
}

static void judge_lines(const struct uniform *all, struct off *off)
{
    for (int j = 0; j < all->at->file->model->n_x; j++)
        for (int k = 0, first = 0; k < all->n; k++)
            off_raise(off, line_off(all, j, all->t[k], &first, all->dense[j][k]) / all->scale[j], all->t[k],
                      all->field[j].name);
}

/* --- What follows -------------------------------------------------------------------------------------------- */

/* Controls, gaps, velocities and outputs at one time, from its state, controls and forces. */
static void judge_row(const struct uniform *all, int k, struct function *shown, double *want, struct off *off)
{
    const struct model *model = all->at->file->model;
    struct arena mem = { NULL };
    double *x = arena_alloc(&mem, (size_t)model->n_x, sizeof *x),
           *u = arena_alloc(&mem, (size_t)model->n_u, sizeof *u);
    double *force = arena_alloc(&mem, (size_t)model_n_force(model), sizeof *force);
    double *weight = arena_alloc(&mem, SLIP_MAX * (size_t)model->contacts.n_contact, sizeof *weight);
    const int n_judged = all->n_column - columns_n_signal(model);
    model_weights(model, all->at->file->solution.p, weight);
    for (int i = 0; i < model->n_x; i++)
        x[i] = all->dense[i][k];
    for (int i = 0; i < model->n_u; i++) {
        u[i] = all->dense[model->n_x + i][k];
        off_raise(off, stored_control_off(all->at->file, i, all->t[k], u[i]) / all->scale[model->n_x + i],
                  all->t[k], model->u[i].name);
    }
    for (int j = model->n_x, contact, part; j < n_judged; j++)
        if (is_force(model, j, &contact, &part))
            force[CONTACT_ROWS * contact + part] =
                all->dense[j][k] / (part ? weight[SLIP_MAX * contact + part - 1] : 1);
    for (int q = 0; q < model->switching.n_projection; q++)
        force[CONTACT_ROWS * model->contacts.n_contact + q] =
            all->dense[columns_of_contact(model, model->contacts.n_contact) + 2 * q + 1][k];
    inputs_set_forces(&shown->inputs, force, NULL);
    columns_fill(model, function_eval(shown, all->t[k], x, u), force, NULL, want);
    for (int j = model->n_x; j < n_judged; j++)
        if (!(want[j] == all->dense[j][k]) && !(isnan(want[j]) && isnan(all->dense[j][k])))
            off_raise(off, fabs(want[j] - all->dense[j][k]) / all->scale[j], all->t[k], all->field[j].name);
    arena_free(&mem);
}

static void judge_quantities(const struct uniform *all, struct off *off)
{
    const struct solution_file *file = all->at->file;
    expr *e = arena_alloc(&all->at->mem, (size_t)columns_n_shown(file->model), sizeof *e);
    double *want = arena_alloc(&all->at->mem, (size_t)all->n_column, sizeof *want);
    const int n = columns_expressions(file->model, file->u_expr, e);
    struct function shown = function_create(file->model, file->solution.p, n, e);
    for (int k = 0; k < all->n; k++)
        judge_row(all, k, &shown, want, off);
    function_free(&shown);
}

/* --- Where neither is known: signals, and what methods step by step show ------------------------------------- */

/* Points of the trajectory around t, with what lies beside them: [first, last]. */
static void around(const struct replay_solution *solution, double t, int *first, int *last)
{
    enum { BESIDE = 2 };
    int k = *first;                 /* t ascends from call to call */
    while (k + 1 < solution->n_point && solution->point[k + 1].t < t)
        k++;
    *first = k;
    *last = k + 1;
    while (*last + 1 < solution->n_point && solution->point[*last].t <= t)
        ++*last;
    *last = *last + BESIDE < solution->n_point ? *last + BESIDE : solution->n_point - 1;
}

/* Values between points are near theirs: not further outside of their range than it is wide. */
static double range_off(const struct solution_file *file, const double *column, int first, int last, double value)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = first > 2 ? first - 2 : 0; k <= last; k++) {
        if (file->row[k] < 0)
            continue;
        low = fmin(low, column[file->row[k]]);
        high = fmax(high, column[file->row[k]]);
    }
    return isnan(value) ? INFINITY : fmax(0, fmax(low - value, value - high) - (high - low));
}

static void judge_ranges(const struct uniform *all, struct off *off)
{
    const struct solution_file *file = all->at->file;
    const double end = file->solution.point[file->solution.n_point - 1].t * (1 - SAME);
    for (int j = file->model->n_x; j < all->n_column; j++)
        for (int k = 0, first = 0, last; k < all->n && all->t[k] < end; k++) {      /* at the end forces may jump */
            around(&file->solution, all->t[k], &first, &last);
            off_raise(off, range_off(file, all->column[j], first, last, all->dense[j][k]) / all->scale[j],
                      all->t[k], all->field[j].name);
        }
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

/* False where columns are missing. */
static bool read_uniform(struct stored *at, struct uniform *all, struct off *off)
{
    *all = (struct uniform){ .at = at, .n_column = columns_count(at->file->model) };
    all->t = stored_times(at, "/uniform", &all->n);
    if (!all->t && all->n > 1)
        off_raise(off, INFINITY, 0, "t");
    if (!all->t || all->n < 2)
        return false;
    all->dense = stored_columns(at, "/uniform", all->n, &all->field);
    all->column = stored_columns(at, "/trajectory", at->file->n_row, &all->field);
    all->scale = arena_alloc(&at->mem, (size_t)all->n_column, sizeof *all->scale);
    for (int j = 0; j < all->n_column; j++) {
        if (!all->dense[j] || !all->column[j])
            off_raise(off, INFINITY, 0, all->field[j].name);
        else
            all->scale[j] = stored_scale(at, all->column[j], at->file->n_row);
    }
    all->is_smooth = pieces_read(at->file, &all->pieces) && all->pieces.is_physical_time;
    return off->figure == 0;
}

/* As many times as there are, from the start to the end at equal distances. */
static void judge_times(const struct uniform *all, struct off *off)
{
    const struct replay_solution *solution = &all->at->file->solution;
    const double start = solution->point[0].t, end = solution->point[solution->n_point - 1].t;
    for (int k = 0; k < all->n; k++)
        off_raise(off, fabs(all->t[k] - (start + (end - start) * k / (all->n - 1))) / (end - start), all->t[k],
                  "t");
}

void stored_judge_uniform(struct stored *at)
{
    struct off missing = { .figure = 0 }, same = { .figure = 0 }, near = { .figure = 0 }, forces = { .figure = 0 };
    struct uniform all;
    if (read_uniform(at, &all, &missing)) {
        judge_times(&all, &same);
        if (all.is_smooth) {
            judge_smooth(&all, &same, &forces);
            judge_quantities(&all, &same);
        } else {
            judge_lines(&all, &same);
        }
        judge_ranges(&all, &near);
    }
    if (all.n < 2)
        return;
    same = missing.figure > 0 ? missing : same;
    stored_add(at, "uniform", &same, SAME, "/uniform is not the trajectory");
    stored_add(at, "uniform, forces", &forces, (at->file->is_simulation ? SLACK : 1) * at->settings->tol_others,
               "/uniform does not have the forces of /grid");
    stored_add(at, "uniform, between points", &near, SLACK * at->settings->tol_others,
               "/uniform is not near the trajectory");
}
