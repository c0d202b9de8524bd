/* core/model/time/points.c - what a function of time goes through: points in the spec, or columns of a CSV beside
 * it
 *
 *   through: {0: 0.4, 1: 0.6}                      by fraction of the horizon
 *   through: {0 h: 0.2, 7 h: 0.5}                  by time
 *   through: {file: prices.csv, time: hour, value: eur}
 */
#include "core/model/time/read.h"

#include "core/model/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 100000 };

static const char *const stored = "its points are in it, where `cocp solve` has written it";

static int by_time(const void *a, const void *b)
{
    const struct time_point *p = a, *q = b;
    return (p->s > q->s) - (p->s < q->s);
}

/* In units of time a table may be longer than the horizon, as measurements are. */
static enum status read_time(struct reader *r, const struct spec_node *node, bool has_unit, double *s)
{
    const struct spec_node key = reader_key(node);
    struct moment moment;
    if (!has_unit)
        return reader_fraction(r, &key, s);
    if (reader_moment(r, &key, &moment) != STATUS_OK)
        return STATUS_SPEC;
    *s = moment.value;
    if (!moment.has_unit && moment.value != 0)
        return spec_error(r->diag, &key, "other points have a unit: write \"%.15g %s\"", moment.value,
                          r->model->time.unit);
    return moment.value >= 0 ? STATUS_OK
                             : spec_error(r->diag, &key, "the horizon begins at 0 %s", r->model->time.unit);
}

bool reader_points_have_unit(const struct spec_node *node)
{
    bool any = spec_get(node, "file");
    for (int i = 0; i < node->n && !any; i++)
        any = node->child[i]->key && moment_has_unit(node->child[i]->key);
    return any;
}

/* --- From a CSV ---------------------------------------------------------------------------------------------- */

static int column_of(struct reader *r, const struct spec_node *node, const struct csv *csv, const char *key,
                     const char *otherwise)
{
    const struct spec_node *given = spec_get(node, key);
    const char *name = given ? reader_word(r, node, key) : otherwise;
    return reader_csv_column(r, given ? given : spec_get(node, "file"), csv, name,
                             given ? "" : "; write \"time\" and \"value\", its columns");
}

static enum status read_rows(struct reader *r, const struct csv *csv, int time, int value, struct time_points *out)
{
    enum status st = STATUS_OK;
    for (int row = 0; row < csv->n_row; row++) {
        struct time_point *point = &out->point[row];
        if (reader_csv_number(r, csv, row, time, &point->s) != STATUS_OK
            || reader_csv_number(r, csv, row, value, &point->y) != STATUS_OK)
            st = STATUS_SPEC;
        else if (point->s < 0)
            st = diag_error(r->diag, csv_pos(csv, row, time), NULL, "the horizon begins at 0 %s",
                            r->model->time.unit);
        else if (row > 0 && !(point->s > point[-1].s))
            st = diag_error(r->diag, csv_pos(csv, row, time), NULL, "times must ascend");
    }
    return st;
}

static enum status read_file(struct reader *r, const struct spec_node *node, const char *name,
                             struct time_points *out)
{
    struct csv csv = { .n_row = 0 };
    const struct spec_node *file = spec_get(node, "file");
    shape_check_keys(r->diag, node, &model_points_file_shape);
    enum status st = reader_csv(r, file, "what goes through points", stored, &csv);
    if (st == STATUS_OK && csv.n_row > MOST_POINTS)
        st = spec_error(r->diag, file, "%d rows, at most %d are possible", csv.n_row, MOST_POINTS);
    if (st == STATUS_OK) {
        const int time = column_of(r, node, &csv, "time", "t"), value = column_of(r, node, &csv, "value", name);
        out->has_unit = true;
        out->n = csv.n_row;
        out->point = arena_alloc(r->mem, (size_t)csv.n_row, sizeof *out->point);
        st = time < 0 || value < 0 ? STATUS_SPEC : read_rows(r, &csv, time, value, out);
    }
    csv_free(&csv);
    return st;
}

/* --- From the spec ------------------------------------------------------------------------------------------- */

static enum status read_inline(struct reader *r, const struct spec_node *node, struct time_points *out)
{
    enum status st = STATUS_OK;
    out->n = node->n;
    out->has_unit = reader_points_have_unit(node);
    out->point = arena_alloc(r->mem, (size_t)node->n, sizeof *out->point);
    for (int i = 0; i < node->n; i++)
        if (read_time(r, node->child[i], out->has_unit, &out->point[i].s) != STATUS_OK
            || reader_finite(r, node->child[i], &out->point[i].y) != STATUS_OK)
            st = STATUS_SPEC;
    qsort(out->point, (size_t)out->n, sizeof *out->point, by_time);
    for (int i = 1; i < out->n && st == STATUS_OK; i++)
        if (out->point[i].s == out->point[i - 1].s)
            st = spec_error(r->diag, node, "two points at the %s %.15g", out->has_unit ? "time" : "fraction",
                            out->point[i].s);
    return st;
}

enum status reader_points(struct reader *r, const struct spec_node *define, struct time_points *out)
{
    const struct spec_node *node = spec_get(define, "through");
    const char *const unit = r->model->time.unit;
    *out = (struct time_points){ .n = 0 };
    if (node->kind != SPEC_MAPPING || node->n == 0)
        return spec_error(r->diag, node, "expected points {time: value}, as {0: 0.4, 1: 0.6} by fraction of the horizon, or "
                          "{0 %s: 0.4, 2 %s: 0.6}, or {file: points.csv}", unit, unit);
    const enum status st =
        spec_get(node, "file") ? read_file(r, node, define->key, out) : read_inline(r, node, out);
    if (st == STATUS_OK && isnan(r->model->time.horizon) && !out->has_unit)
        return spec_error(r->diag, define, "points by fraction of the horizon need time.horizon");
    return st;
}

void reader_keep_points(struct reader *r, const struct spec_node *define, const struct time_points *points)
{
    struct model_defines *defines = &r->model->defines;
    struct model_points *one = &defines->points[defines->n_points];
    if (!spec_get(spec_get(define, "through"), "file"))
        return;
    *one = (struct model_points){ define->key, points->n, arena_alloc(r->mem, (size_t)points->n, sizeof *one->at),
                                  arena_alloc(r->mem, (size_t)points->n, sizeof *one->value) };
    for (int i = 0; i < points->n; i++) {
        one->at[i] = points->point[i].s;
        one->value[i] = points->point[i].y;
    }
    defines->n_points++;
}

/* --- Steps --------------------------------------------------------------------------------------------------- */

static const char *word_of(const struct spec_node *node, const char *key)
{
    const struct spec_node *child = spec_get(node, key);
    return child && child->kind == SPEC_SCALAR ? child->text : "";
}

bool reader_is_steps(const struct spec_node *define)
{
    return spec_get(define, "through") && strcmp(word_of(define, "by"), "steps") == 0;
}

/* Where an impulse is at a time that is to be found. */
static bool is_free_moment(const struct spec_node *at)
{
    bool is_free = at && at->kind == SPEC_MAPPING && !spec_get(at, "every");
    for (int k = 0; at && at->kind == SPEC_SEQUENCE && k < at->n; k++)
        is_free = is_free || is_free_moment(at->child[k]);
    return is_free;
}

bool reader_steps_are_given(const struct reader *r, const struct spec_node *define)
{
    const struct spec_node *phases = spec_get(r->root, "phases"), *controls = spec_get(r->root, "controls"),
                           *horizon = spec_get(spec_get(r->root, "time"), "horizon");
    const bool is_free = horizon && horizon->kind == SPEC_MAPPING;
    if (!reader_is_steps(define) || (phases && phases->n > 0)
        || strcmp(word_of(spec_get(r->root, "discretization"), "control_grid"), "free") == 0
        || (is_free && reader_points_have_unit(spec_get(define, "through"))))
        return false;
    for (int k = 0; controls && k < controls->n; k++)
        if (spec_get(controls->child[k], "values")
            || is_free_moment(spec_get(spec_get(controls->child[k], "impulsive"), "at")))
            return false;
    return true;
}
