/* core/model/define/tables.c - functions by their values, from the spec or from a CSV beside it
 *
 * A CSV of one argument has a column for it and one for the table. Of two arguments each line has a value of the
 * first one and then one value of the table for each of the second, which are the names of the columns.
 */
#include "core/model/define/read.h"

#include "core/model/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 100000, MOST_CORNERS = 100 };

/* Numbers as they were read, and where they stand. */
struct numbers { int n; double *value; struct srcpos *pos; };

static struct numbers room_for(struct reader *r, int n)
{
    return (struct numbers){ n, arena_alloc(r->mem, (size_t)n, sizeof(double)),
                             arena_alloc(r->mem, (size_t)n, sizeof(struct srcpos)) };
}

/* --- Axes ---------------------------------------------------------------------------------------------------- */

static enum status check_axis(struct reader *r, const struct model_table *table, int axis, const struct numbers *at)
{
    if (at->n < 2)
        return diag_error(r->diag, at->n ? at->pos[0] : table->pos, table->path, "%s needs two values at least",
                          table->arg[axis]);
    for (int i = 1; i < at->n; i++)
        if (!(at->value[i] > at->value[i - 1]))
            return diag_error(r->diag, at->pos[i], table->path, "%s must ascend, and %.10g comes after %.10g",
                              table->arg[axis], at->value[i], at->value[i - 1]);
    return STATUS_OK;
}

static enum status take(struct reader *r, struct model_table *table, const struct numbers *at,
                        const struct numbers *value)
{
    int n_corner = 0;
    for (int k = 0; k < 2 && k < table->n_arg; k++) {
        if (check_axis(r, table, k, &at[k]) != STATUS_OK)
            return STATUS_SPEC;
        table->n[k] = at[k].n;
        table->at[k] = at[k].value;
        n_corner += at[k].n - 2;
    }
    table->n[1] = table->n_arg == 2 ? table->n[1] : 1;
    table->value = value->value;
    if (table->by == TABLE_LINEAR && n_corner > MOST_CORNERS)
        return diag_error(r->diag, table->pos, table->path,
                          "has %d corners, and each one is a switch: at most %d are "
                          "possible; write by: spline",
                          n_corner, MOST_CORNERS);
    return STATUS_OK;
}

/* --- From a CSV ---------------------------------------------------------------------------------------------- */

static enum status read_cell(struct reader *r, const struct csv *csv, int row, int column, struct numbers *out,
                             int at)
{
    out->pos[at] = csv_pos(csv, row, column);
    return reader_csv_number(r, csv, row, column, &out->value[at]);
}

static enum status read_column(struct reader *r, const struct spec_node *node, const struct csv *csv,
                               const char *name, struct numbers *out)
{
    const struct spec_node *other = spec_get(spec_get(node, "columns"), name);
    const char *called = other ? reader_word(r, spec_get(node, "columns"), name) : name;
    const int column = reader_csv_column(r, other ? other : spec_get(node, "file"), csv, called, "");
    enum status st = STATUS_OK;
    if (column < 0)
        return STATUS_SPEC;
    *out = room_for(r, csv->n_row);
    for (int row = 0; row < csv->n_row; row++)
        if (read_cell(r, csv, row, column, out, row) != STATUS_OK)
            st = STATUS_SPEC;
    return st;
}

/* The second axis: the names of all columns but the first. */
static enum status read_names(struct reader *r, const struct model_table *table, const struct csv *csv,
                              struct numbers *out)
{
    enum status st = STATUS_OK;
    *out = room_for(r, csv->n_col - 1);
    for (int k = 1; k < csv->n_col; k++) {
        char *end = NULL;
        out->value[k - 1] = strtod(csv->name[k], &end);
        out->pos[k - 1] = csv_pos(csv, -1, k);
        if (end == csv->name[k] || *end || !isfinite(out->value[k - 1]))
            st = diag_error(r->diag, out->pos[k - 1], NULL,
                            "expected a value of %s, which this line gives for each column", table->arg[1]);
    }
    return st;
}

static enum status read_rows(struct reader *r, const struct csv *csv, struct numbers *at, struct numbers *value)
{
    const int n_b = csv->n_col - 1;
    enum status st = STATUS_OK;
    *at = room_for(r, csv->n_row);
    *value = room_for(r, csv->n_row * n_b);
    for (int row = 0; row < csv->n_row; row++) {
        if (read_cell(r, csv, row, 0, at, row) != STATUS_OK)
            st = STATUS_SPEC;
        for (int k = 0; k < n_b; k++)
            if (read_cell(r, csv, row, k + 1, value, row * n_b + k) != STATUS_OK)
                st = STATUS_SPEC;
    }
    return st;
}

static enum status read_csv(struct reader *r, const struct spec_node *node, struct model_table *table)
{
    struct csv csv = { .n_row = 0 };
    struct numbers at[2] = { { .n = 0 }, { .n = 0 } }, value = { .n = 0 };
    const struct spec_node *file = spec_get(node, "file");
    enum status st = reader_csv(r, file, "the values of a table", "its tables are in it with their numbers, where "
                                "`cocp solve` has written it", &csv);
    if (st == STATUS_OK && csv.n_row > MOST_NUMBERS / csv.n_col)
        st = spec_error(r->diag, file, "%d rows of %d numbers, at most %d numbers are possible", csv.n_row,
                        csv.n_col, MOST_NUMBERS);
    if (st == STATUS_OK && table->n_arg == 1) {
        const enum status st_at = read_column(r, node, &csv, table->arg[0], &at[0]);
        st = read_column(r, node, &csv, table->name, &value) == STATUS_OK ? st_at : STATUS_SPEC;
    } else if (st == STATUS_OK) {
        const enum status st_names = read_names(r, table, &csv, &at[1]);
        st = read_rows(r, &csv, &at[0], &value) == STATUS_OK ? st_names : STATUS_SPEC;
    }
    if (st == STATUS_OK)
        st = take(r, table, at, &value);
    csv_free(&csv);
    return st;
}

/* --- From the spec ------------------------------------------------------------------------------------------- */

static enum status read_list(struct reader *r, const struct spec_node *node, struct numbers *out)
{
    enum status st = STATUS_OK;
    if (node->kind != SPEC_SEQUENCE || node->n == 0)
        return spec_error(r->diag, node, "expected a list of numbers");
    *out = room_for(r, node->n);
    for (int k = 0; k < node->n; k++) {
        out->pos[k] = node->child[k]->pos;
        if (reader_finite(r, node->child[k], &out->value[k]) != STATUS_OK)
            st = STATUS_SPEC;
    }
    return st;
}

/* Of two arguments `at` is a list for each, and `values` one for each value of the first. */
static enum status read_lists(struct reader *r, const struct spec_node *at, const struct spec_node *values,
                              struct numbers *axis, struct numbers *out)
{
    if (at->kind != SPEC_SEQUENCE || at->n != 2 || values->kind != SPEC_SEQUENCE)
        return spec_error(r->diag, at->kind == SPEC_SEQUENCE && at->n == 2 ? values : at, "of two arguments, expected "
                          "at: [[...], [...]] and values: [[...], [...], ...], a row for each value of the first one");
    for (int k = 0; k < 2; k++)
        if (read_list(r, at->child[k], &axis[k]) != STATUS_OK)
            return STATUS_SPEC;
    if (values->n != axis[0].n)
        return spec_error(r->diag, values, "has %d rows, and the first argument %d values", values->n, axis[0].n);
    *out = room_for(r, axis[0].n * axis[1].n);
    for (int i = 0; i < values->n; i++) {
        struct numbers row = { .n = 0 };
        if (read_list(r, values->child[i], &row) != STATUS_OK)
            return STATUS_SPEC;
        if (row.n != axis[1].n)
            return spec_error(r->diag, values->child[i], "has %d numbers, and the second argument %d values", row.n,
                              axis[1].n);
        memcpy(&out->value[i * row.n], row.value, (size_t)row.n * sizeof *row.value);
    }
    return STATUS_OK;
}

static enum status read_inline(struct reader *r, const struct spec_node *node, struct model_table *table)
{
    const struct spec_node *at = spec_get(node, "at"), *values = spec_get(node, "values");
    struct numbers axis[2] = { { .n = 0 }, { .n = 0 } }, value = { .n = 0 };
    if (table->n_arg == 2) {
        if (read_lists(r, at, values, axis, &value) != STATUS_OK)
            return STATUS_SPEC;
    } else {
        const enum status st = read_list(r, at, &axis[0]);
        if (read_list(r, values, &value) != STATUS_OK || st != STATUS_OK)
            return STATUS_SPEC;
        if (value.n != axis[0].n)
            return spec_error(r->diag, values, "has %d numbers, and \"at\" %d", value.n, axis[0].n);
    }
    return take(r, table, axis, &value);
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static enum status read_arguments(struct reader *r, const struct spec_node *node, struct model_table *table)
{
    const struct spec_node *of = spec_get(node, "of");
    const int n = !of ? 0 : of->kind == SPEC_SCALAR ? 1 : of->kind == SPEC_SEQUENCE ? of->n : 0;
    if (n < 1 || n > 2)
        return spec_error(r->diag, of ? of : node, "expected \"of\": the name of its argument, or a list of two");
    for (int k = 0; k < n; k++) {
        const struct spec_node *name = of->kind == SPEC_SCALAR ? of : of->child[k];
        if (name->kind != SPEC_SCALAR || !spec_is_name(name->text))
            return spec_error(r->diag, name, "expected the name of an argument");
        table->arg[k] = name->text;
        if (strcmp(name->text, table->name) == 0 || (k == 1 && strcmp(table->arg[0], name->text) == 0))
            return spec_error(r->diag, name, "\"%s\" stands for something else of this table", name->text);
    }
    table->n_arg = n;
    return STATUS_OK;
}

/* Of units or columns: names are those of the arguments and of the table. */
static void check_names(struct reader *r, const struct spec_node *node, const struct model_table *table,
                        const char *key)
{
    const struct spec_node *block = reader_block(r, node, key);
    const char *const known[] = { table->name, table->arg[0], table->arg[1], NULL };
    if (block)
        spec_check_keys(r->diag, block, known);
    for (int k = 0; block && k < block->n; k++)
        (void)reader_word(r, block, block->child[k]->key);
}

static enum status read_values(struct reader *r, const struct spec_node *node, struct model_table *table)
{
    const struct spec_node *file = spec_get(node, "file"), *at = spec_get(node, "at"),
                           *values = spec_get(node, "values");
    const struct spec_node *columns = spec_get(node, "columns");
    if (file && (at || values))
        return spec_error(r->diag, at ? at : values, "either \"file\", or \"at\" and \"values\", not both");
    if (!file && !(at && values))
        return spec_error(r->diag, node, "needs a \"file\" (a CSV), or \"at\" and \"values\"");
    if (columns && (!file || table->n_arg == 2))
        return spec_error(r->diag, columns, "belongs to a file of one argument");
    return file ? read_csv(r, node, table) : read_inline(r, node, table);
}

static void read_table(struct reader *r, int k)
{
    struct model_table *table = &r->model->tables.table[k];
    const struct spec_node *node = r->table.node[k];
    const struct spec_node *by = spec_get(node, "by"), *outside = spec_get(node, "outside");
    struct model_table read = *table;
    if (shape_check_keys(r->diag, node, &model_table_shape) != STATUS_OK || node->kind != SPEC_MAPPING
        || read_arguments(r, node, &read) != STATUS_OK)
        return;
    const int curve = by ? reader_choice(r, by, model_table_words) : TABLE_SPLINE;
    const int edge = outside ? reader_choice(r, outside, model_outside_words) : TABLE_REFUSE;
    check_names(r, node, &read, "units");
    check_names(r, node, &read, "columns");
    if (curve < 0 || edge < 0)
        return;
    read.by = (enum table_curve)curve;
    read.outside = (enum table_outside)edge;
    if (read_values(r, node, &read) == STATUS_OK)
        *table = read;
}

void model_collect_tables(struct reader *r)
{
    struct model_tables *tables = &r->model->tables;
    const struct spec_node *block = reader_block(r, r->root, "tables");
    const int n = block ? block->n : 0;
    tables->table = arena_alloc(r->mem, (size_t)n, sizeof *tables->table);
    r->table.node = arena_alloc(r->mem, (size_t)n, sizeof *r->table.node);
    r->table.state = arena_alloc(r->mem, (size_t)n, sizeof *r->table.state);
    r->table.read = read_table;
    for (int k = 0; k < n; k++) {
        const struct spec_node *node = block->child[k];
        reader_check_name(r, node);
        r->table.node[k] = node;
        tables->table[tables->n_table++] = (struct model_table){
            .name = node->key, .path = node->path, .pos = node->key_pos };
    }
}

void model_read_tables(struct reader *r)
{
    for (int k = 0; k < r->model->tables.n_table; k++)
        (void)reader_table_is_ready(r, k, r->model->tables.table[k].pos);
}
