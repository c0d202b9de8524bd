/* /grid: states at the ends of elements and in them, contact forces, lengths. */
#include "transcription/judge/numerical_time.h"
#include "transcription/judge/pieces.h"
#include "transcription/judge/stored_parts.h"

#include "core/output/columns.h"

#include <math.h>

/* --- Ends of elements ---------------------------------------------------------------------------------------- */

/* How far a state at t is from the nearest row of /trajectory at that time. */
static double state_off(const struct stored *at, const struct result_data *t, const double *const *column,
                        const double *scale, double time, const double *x)
{
    const struct model *model = at->file->model;
    const double same = SAME * fmax(1, model->time.horizon);
    double nearest = INFINITY;
    for (int k = 0; k < t->n; k++) {
        double off = 0;
        for (int i = 0; i < model->n_x && fabs(t->d[k] - time) <= same; i++)
            off = column[i] ? fmax(off, fabs(column[i][k] - x[i]) / scale[i]) : INFINITY;
        if (fabs(t->d[k] - time) <= same)
            nearest = fmin(nearest, off);
    }
    return nearest;
}

static void judge_ends(struct stored *at, const char *times, const char *states, struct off *off)
{
    const struct solution_file *file = at->file;
    const int n_x = file->model->n_x;
    const struct result_data *t = result_data_of(file->result, "/trajectory", "t");
    const struct result_data *end = result_data_of(file->result, "/grid", times);
    const struct result_field *field;
    const double **column = stored_columns(at, "/trajectory", file->n_row, &field);
    double *scale = arena_alloc(&at->mem, (size_t)n_x, sizeof *scale);
    const double *x = end ? stored_doubles(at, "/grid", states, end->n * n_x) : NULL;
    if (!end || !end->d || !x) {
        off_raise(off, INFINITY, 0, states);
        return;
    }
    for (int i = 0; i < n_x; i++)
        scale[i] = column[i] ? stored_scale(at, column[i], file->n_row) : 1;
    for (int k = 0; k < end->n; k++)
        off_raise(off, state_off(at, t, column, scale, end->d[k], x + k * n_x), end->d[k], states);
}

/* Lengths of elements are those of their times, of numerical ones where there are any. */
static bool has_lengths(const struct stored *at)
{
    const struct result_data *h = result_data_of(at->file->result, "/grid", "h");
    const int n = h ? h->n : -1;
    const double *start = stored_doubles(at, "/grid", "t_num_start", n),
                 *end = stored_doubles(at, "/grid", "t_num_end", n);
    start = start ? start : stored_doubles(at, "/grid", "t_start", n);
    end = end ? end : stored_doubles(at, "/grid", "t_end", n);
    bool fits = h && h->d && start && end;
    for (int k = 0; fits && k < n; k++)
        fits = fabs(end[k] - start[k] - h->d[k]) <= SAME * fmax(1, at->file->model->time.horizon);
    return fits;
}

/* --- Inside of elements -------------------------------------------------------------------------------------- */

/* Columns of /trajectory with where each row is. */
struct rows {
    int n;
    const double *t, *t_num;
    const int *element, *side;
    const double **column;
    const struct result_field *field;
};

static struct rows rows_of(struct stored *at)
{
    struct rows rows = { .n = at->file->n_row };
    rows.t = stored_doubles(at, "/trajectory", "t", rows.n);
    rows.t_num = stored_doubles(at, "/trajectory", "t_num", rows.n);
    rows.element = result_data_of(at->file->result, "/trajectory", "element")->i;
    rows.side = result_data_of(at->file->result, "/trajectory", "side")->i;
    rows.column = stored_columns(at, "/trajectory", rows.n, &rows.field);
    return rows;
}

/* A jump at an end of the trajectory is no part of an element, nor is a point in one of no length, nor what one of
 * several jumps at once leads to before the last one. */
static bool is_outside(const struct rows *rows, int k, const struct pieces *pieces)
{
    const int e = rows->element[k];
    const bool is_jump = (k == 0 && rows->side[k] < 0) || (k == rows->n - 1 && rows->side[k] > 0);
    const bool jumps_again =
        k + 1 < rows->n && rows->side[k] == 1 && rows->side[k + 1] == 1 && rows->element[k + 1] == e;
    return is_jump || jumps_again
           || (pieces_has(pieces, e, rows->t_num[k]) && pieces_find(pieces, rows->t_num[k], false) != e
               && pieces_find(pieces, rows->t_num[k], true) != e);
}

static void judge_row_states(const struct stored *at, const struct rows *rows, int k, const struct pieces *pieces,
                             const double *scale, struct off *off)
{
    for (int i = 0; i < at->file->model->n_x; i++)
        off_raise(off, fabs(pieces_x(pieces, rows->element[k], rows->t_num[k], i) - rows->column[i][k]) / scale[i],
                  rows->t[k], rows->field[i].name);
}

/* How far a force is from that of the polynomial; where an element begins the point may
 * have that of its first stage. */
static double force_off(const struct pieces *pieces, const struct rows *rows, int k, int part, int c, double force)
{
    const int e = rows->element[k];
    const double first = pieces->force[part][e * pieces->n_stage * pieces->n_contact + c];
    const double off = fabs(pieces_force(pieces, e, rows->t_num[k], part, c) - force);
    return rows->side[k] == 1 ? fmin(off, fabs(first - force)) : off;
}

static void judge_row_forces(const struct stored *at, const struct rows *rows, int k, const struct pieces *pieces,
                             const double *scale, struct off *off)
{
    const struct model *model = at->file->model;
    for (int c = 0; c < model->contacts.n_contact; c++)
        for (int part = 0; part <= model->contacts.contact[c].n_t; part++) {
            const int j = columns_of_contact(model, c) + 2 + model->contacts.contact[c].n_t + part;
            if (pieces->force[part])
                off_raise(off, force_off(pieces, rows, k, part, c, rows->column[j][k]) / scale[j], rows->t[k],
                          rows->field[j].name);
        }
}

/* Whoever evaluates the polynomials at a point of the trajectory finds it there. */
static void judge_polynomials(struct stored *at, const struct pieces *pieces)
{
    const int n_column = columns_count(at->file->model);
    const struct rows rows = rows_of(at);
    double *scale = arena_alloc(&at->mem, (size_t)n_column, sizeof *scale);
    struct off states = { .figure = 0 }, forces = { .figure = 0 };
    for (int j = 0; j < n_column; j++) {
        if (!rows.column[j])
            return;                 /* which is found elsewhere */
        scale[j] = stored_scale(at, rows.column[j], rows.n);
    }
    for (int k = 0; k < rows.n; k++) {
        if (is_outside(&rows, k, pieces))
            continue;
        if (!pieces_has(pieces, rows.element[k], rows.t_num[k])) {
            off_raise(&states, INFINITY, rows.t[k], "element");
            continue;
        }
        judge_row_states(at, &rows, k, pieces, scale, &states);
        judge_row_forces(at, &rows, k, pieces, scale, &forces);
    }
    stored_add(at, "polynomials of the grid", &states, SAME, "those through /grid/x_stage are not the trajectory");
    if (at->file->model->contacts.n_contact > 0 && pieces->force[0])
        stored_add(at, "forces of the grid", &forces, at->settings->tol_others,
                   "those through /grid/lambda_n, lambda_t are not those of the trajectory");
}

void stored_judge_grid(struct stored *at)
{
    struct off off = { .figure = 0 };
    struct pieces pieces;
    judge_ends(at, "t_start", "x_start", &off);
    judge_ends(at, "t_end", "x_end", &off);
    stored_add(at, "grid", &off, at->settings->tol_others, "/grid is not the trajectory");
    stored_add_shape(at, has_lengths(at), "lengths", "/grid/h is not the length of the elements");
    numerical_time_judge(at->file, at->settings->tol_others, at->to);
    if (pieces_read(at->file, &pieces))
        judge_polynomials(at, &pieces);
}
