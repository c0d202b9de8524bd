/* core/model/demands/data.c - what was measured: a CSV or a table in the spec, and which columns are what */
#include "core/model/demands/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 100000 };

static const char *const data_hint = "define a smooth function of it";

/* Columns of numbers, from the file or from the spec. */
struct source {
    struct csv csv;
    const struct spec_node *table;  /* in place of the CSV; or NULL */
    int n_row;
};

/* --- Where the numbers are ----------------------------------------------------------------------------------- */

static enum status read_file(struct reader *r, const struct spec_node *node, struct source *from)
{
    const enum status st = reader_csv(r, node, "what was measured",
                                      "what was measured is in it as a table, where `cocp "
                                      "solve` has written it",
                                      &from->csv);
    from->n_row = from->csv.n_row;
    return st;
}

static enum status read_table(struct reader *r, const struct spec_node *node, struct source *from)
{
    if (node->kind != SPEC_MAPPING || node->n == 0)
        return spec_error(r->diag, node, "expected {column: [numbers]}");
    from->table = node;
    from->n_row = node->child[0]->n;
    for (int k = 0; k < node->n; k++) {
        const struct spec_node *column = node->child[k];
        if (column->kind != SPEC_SEQUENCE || column->n == 0)
            return spec_error(r->diag, column, "expected a list of numbers");
        if (column->n != from->n_row)
            return spec_error(r->diag, column, "has %d numbers, the first column has %d", column->n, from->n_row);
    }
    return STATUS_OK;
}

static enum status open_source(struct reader *r, const struct spec_node *block, struct source *from)
{
    const struct spec_node *file = spec_get(block, "file"), *table = spec_get(block, "table");
    if (!file == !table)
        return spec_error(r->diag, block, file ? "either \"file\" or \"table\", not both"
                                               : "needs a \"file\" (a CSV) or a \"table\" {column: [numbers]}");
    const enum status st = file ? read_file(r, file, from) : read_table(r, table, from);
    if (st == STATUS_OK && from->n_row > MOST_ROWS)
        return spec_error(r->diag, file ? file : table, "%d rows, at most %d are possible", from->n_row, MOST_ROWS);
    return st;
}

static const char *name_at(const struct source *from, int k)
{
    return from->table ? from->table->child[k]->key : from->csv.name[k];
}

static int count_columns(const struct source *from)
{
    return from->table ? from->table->n : from->csv.n_col;
}

static int find_column(const struct source *from, const char *name)
{
    for (int k = 0; k < count_columns(from); k++)
        if (strcmp(name_at(from, k), name) == 0)
            return k;
    return -1;
}

/* The column that a key of the spec names, -1 (reported) if there is none. What is in a file is told only where
 * it is a table with the times that the spec speaks of (is_ours): no other file shows up in messages. */
static int column_of(struct reader *r, const struct source *from, const struct spec_node *node, const char *name,
                     bool is_ours)
{
    const int n = count_columns(from), k = find_column(from, name);
    if (k >= 0)
        return k;
    if (!from->table && !is_ours)
        return reader_csv_column(r, node, &from->csv, name, "");
    const char **known = arena_alloc(r->mem, (size_t)n + 1, sizeof *known), *list = "";
    for (int i = 0; i < n; i++) {
        known[i] = name_at(from, i);
        list = arena_printf(r->mem, "%s%s%s", list, i ? ", " : "", known[i]);
    }
    const char *near = spec_suggest(name, n, known);
    if (near)
        spec_error(r->diag, node, "there is no column \"%s\" (did you mean \"%s\"?)", name, near);
    else
        spec_error(r->diag, node, "there is no column \"%s\"; there are: %s", name, list);
    return -1;
}

static bool is_missing(const char *text)
{
    static const char *const word[] = { "", "~", "nan", "NaN", ".nan", ".NaN", "null", NULL };
    for (int k = 0; word[k]; k++)
        if (strcmp(text, word[k]) == 0)
            return true;
    return false;
}

static struct srcpos pos_of(const struct source *from, int row, int column)
{
    return from->table ? from->table->child[column]->child[row]->pos : csv_pos(&from->csv, row, column);
}

/* NAN if it is missing; an error where it is no number. */
static enum status read_number(struct reader *r, const struct source *from, int row, int column, double *out)
{
    *out = NAN;
    if (from->table) {
        const struct spec_node *node = from->table->child[column]->child[row];
        if (node->kind == SPEC_NULL || (node->kind == SPEC_SCALAR && is_missing(node->text)))
            return STATUS_OK;
        return reader_finite(r, node, out);
    }
    const struct csv_cell *cell = csv_cell(&from->csv, row, column);
    *out = cell->value;
    if (cell->is_number)
        return STATUS_OK;
    return diag_error(r->diag, pos_of(from, row, column), NULL,
                      "expected a number; where there is none, leave the cell empty");
}

/* --- Times --------------------------------------------------------------------------------------------------- */

static enum status read_moment(struct reader *r, const struct spec_node *block, const struct source *from, int row,
                               int column)
{
    struct model *m = r->model;
    double t;
    if (read_number(r, from, row, column, &t) != STATUS_OK)
        return STATUS_SPEC;
    if (!(t >= 0 && t <= m->time.horizon * (1 + 1e-12)))
        return diag_error(r->diag, pos_of(from, row, column), NULL, isnan(t)
                          ? "a row needs its time" : "t = %.10g %s lies outside the horizon, [0, %.10g] %s", t,
                          m->time.unit, m->time.horizon, m->time.unit);
    m->data.t[row] = t;
    m->data.part[row] = fmin(t / m->time.horizon, 1);
    return reader_check_time(r, block, m->data.part[row]);
}

static enum status read_times(struct reader *r, const struct spec_node *block, const struct source *from)
{
    struct model *m = r->model;
    const struct spec_node *node = spec_get(block, "time");
    const int column = column_of(r, from, node ? node : block, node ? reader_word(r, block, "time") : "t", false);
    if (column < 0)
        return STATUS_SPEC;
    if (m->time.n_phase)
        return spec_error(r->diag, block,
                          "the times of data are those of one horizon: with phases write the misfit as cost "
                          "of a phase");
    if (m->time.horizon_free)
        return spec_error(r->diag, block, "the times of data are in %s, and the horizon is free: give it a number",
                          m->time.unit);
    if (isnan(m->time.horizon))
        return spec_error(r->diag, block, "data need time.horizon");
    m->data.t = arena_alloc(r->mem, (size_t)from->n_row, sizeof *m->data.t);
    m->data.part = arena_alloc(r->mem, (size_t)from->n_row, sizeof *m->data.part);
    for (int row = 0; row < from->n_row; row++)
        if (read_moment(r, block, from, row, column) != STATUS_OK)
            return STATUS_SPEC;
    m->data.n_row = from->n_row;
    return STATUS_OK;
}

/* --- Series -------------------------------------------------------------------------------------------------- */

/* How good each value is: sigma {name: number or column}, or weights {name: number}, 1 / sigma^2. */
static enum status read_sigma(struct reader *r, const struct spec_node *block, const struct source *from,
                              struct model_series *series)
{
    const struct spec_node *sigma = spec_get(spec_get(block, "sigma"), series->name);
    const struct spec_node *weight = spec_get(spec_get(block, "weights"), series->name),
                           *node = sigma ? sigma : weight;
    const int column = sigma && sigma->kind == SPEC_SCALAR ? find_column(from, sigma->text) : -1;
    double common = 1;
    if (spec_get(block, "sigma") && !sigma)
        return spec_error(r->diag, spec_get(block, "sigma"),
                          "\"%s\" is missing: the standard deviation of its values", series->name);
    if (node && column < 0 && reader_finite(r, node, &common) != STATUS_OK)
        return STATUS_SPEC;
    if (!(common > 0))
        return spec_error(r->diag, node, "must be above 0, got %.15g", common);
    for (int row = 0; row < from->n_row; row++) {
        series->sigma[row] = weight ? 1 / sqrt(common) : common;
        if (column < 0)
            continue;
        if (read_number(r, from, row, column, &series->sigma[row]) != STATUS_OK)
            return STATUS_SPEC;
        if (!isnan(series->value[row]) && !(series->sigma[row] > 0))
            return diag_error(r->diag, pos_of(from, row, column), NULL,
                              "the standard deviation of a value must be above 0");
    }
    return STATUS_OK;
}

/* What a key of `columns` stands for: a state or a define. */
static enum status read_quantity(struct reader *r, const struct spec_node *node, struct model_series *series)
{
    const struct spec_node name = reader_key(node);
    if (!spec_is_name(node->key))
        return spec_error(r->diag, &name, "\"%s\" is no name: data are of states and defines", node->key);
    if (reader_expr(r, &name, &series->e) != STATUS_OK || check_smooth(r, &name, series->e, data_hint) != STATUS_OK)
        return STATUS_SPEC;
    const int x = model_find_state(r->model, node->key);
    series->name = node->key;
    series->pos = node->key_pos;
    series->units = x >= 0 ? r->model->x[x].units
                           : reader_word(r, spec_get(spec_get(r->root, "define"), node->key), "units");
    return check_uses(r, &name, series->e, USES_STATES | USES_TIME,
                      "what data are of, a function of states and time,");
}

/* Stored in the result, to be drawn beside what was measured. */
static void show_define(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    const struct spec_node *define = spec_get(spec_get(r->root, "define"), node->key);
    for (int k = 0; k < m->defines.n_output; k++)
        if (strcmp(m->defines.output[k].name, node->key) == 0)
            return;
    for (int k = 0; k < m->defines.n_define && define; k++)
        if (strcmp(m->defines.name[k], node->key) == 0)
            m->defines.output[m->defines.n_output++] = (struct model_output){
                node->key, reader_word(r, define, "units"), reader_word(r, define, "long_name"), define->path,
                define->pos,
                m->defines.e[k] };
}

static enum status read_series(struct reader *r, const struct spec_node *block, const struct source *from,
                               const struct spec_node *node)
{
    struct model_data *data = &r->model->data;
    struct model_series *series = &data->series[data->n_series];
    if (node->kind != SPEC_SCALAR)
        return spec_error(r->diag, node, "expected the name of a column");
    const int column = column_of(r, from, node, node->text, true);
    if (column < 0 || read_quantity(r, node, series) != STATUS_OK)
        return STATUS_SPEC;
    series->value = arena_alloc(r->mem, (size_t)from->n_row, sizeof *series->value);
    series->sigma = arena_alloc(r->mem, (size_t)from->n_row, sizeof *series->sigma);
    for (int row = 0; row < from->n_row; row++)
        if (read_number(r, from, row, column, &series->value[row]) != STATUS_OK)
            return STATUS_SPEC;
    if (read_sigma(r, block, from, series) != STATUS_OK)
        return STATUS_SPEC;
    data->n_series++;
    show_define(r, node);
    return STATUS_OK;
}

/* Keys of `sigma` and `weights` are those of `columns`. */
static void check_names(struct reader *r, const struct spec_node *block, const char *key)
{
    const struct spec_node *list = spec_get(block, key), *columns = spec_get(block, "columns");
    for (int k = 0; list && k < list->n; k++)
        if (list->kind == SPEC_MAPPING && !spec_get(columns, list->child[k]->key))
            diag_error(r->diag, list->child[k]->key_pos, list->child[k]->path, "\"%s\" is not among the columns",
                       list->child[k]->key);
}

static void read_columns(struct reader *r, const struct spec_node *block, const struct source *from)
{
    const struct spec_node *columns = reader_block(r, block, "columns");
    if (!columns || columns->n == 0) {
        spec_error(r->diag, block, "\"columns\" is missing: {state or define: its column}");
        return;
    }
    if (spec_get(block, "sigma") && spec_get(block, "weights"))
        spec_error(r->diag, spec_get(block, "weights"), "either \"sigma\" or \"weights\", not both");
    check_names(r, block, "sigma");
    check_names(r, block, "weights");
    r->model->data.series = arena_alloc(r->mem, (size_t)columns->n, sizeof *r->model->data.series);
    for (int k = 0; k < columns->n; k++)
        (void)read_series(r, block, from, columns->child[k]);
}

static void read_names(struct reader *r, const struct spec_node *block)
{
    struct model *m = r->model;
    m->data.experiment = arena_alloc(r->mem, (size_t)block->n, sizeof *m->data.experiment);
    for (int k = 0; k < block->n; k++) {
        shape_check_keys(r->diag, block->child[k], &model_experiment_shape);
        reader_check_letters(r, block->child[k]);
        m->data.experiment[m->data.n_experiment++] = block->child[k]->key;
    }
}

void model_read_data(struct reader *r)
{
    const struct spec_node *block = reader_block(r, r->root, "data");
    struct source from = { .n_row = 0 };
    if (!block)
        return;
    if (data_are_several(block)) {
        read_names(r, block);
        return;
    }
    shape_check_keys(r->diag, block, &model_data_shape);
    r->model->data.is_relative = !spec_get(block, "sigma");
    if (open_source(r, block, &from) == STATUS_OK && read_times(r, block, &from) == STATUS_OK)
        read_columns(r, block, &from);
    csv_free(&from.csv);
    if (r->model->data.n_series > 0 && model_n_values(&r->model->data) == 0)
        spec_error(r->diag, block, "all values are missing");
}
