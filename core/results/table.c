#include "core/results/table.h"

#include "core/base/arena.h"
#include "core/base/mem.h"
#include "core/base/visible.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cell { const char *text; double number; };   /* text NULL: a number, or missing */

struct column {
    const char *name;
    struct cell *cell;              /* [n_rows] */
};

struct table {
    struct arena mem;
    struct column *column;          /* [n_columns] */
    int n_columns, n_rows;
};

struct table *table_create(int n, const char *const *name)
{
    struct table *table = mem_alloc(1, sizeof *table);
    for (int k = 0; k < n; k++)
        table_add_column(table, name[k]);
    return table;
}

void table_free(struct table *table)
{
    if (!table)
        return;
    for (int k = 0; k < table->n_columns; k++)
        free(table->column[k].cell);
    free(table->column);
    arena_free(&table->mem);
    free(table);
}

static const struct cell empty = { NULL, NAN };

int table_add_column(struct table *table, const char *name)
{
    const int k = table->n_columns++;
    table->column = mem_grow(table->column, k, 1, sizeof *table->column);
    table->column[k].name = arena_copy_text(&table->mem, name);
    table->column[k].cell = mem_grow(NULL, 0, table->n_rows, sizeof(struct cell));
    for (int row = 0; row < table->n_rows; row++)
        table->column[k].cell[row] = empty;
    return k;
}

int table_add_row(struct table *table)
{
    for (struct column *column = table->column; column < table->column + table->n_columns; column++) {
        column->cell = mem_grow(column->cell, table->n_rows, 1, sizeof *column->cell);
        column->cell[table->n_rows] = empty;
    }
    return table->n_rows++;
}

void table_set_text(struct table *table, int row, int column, const char *text)
{
    table->column[column].cell[row].text = arena_copy_text(&table->mem, text);
}

void table_set_number(struct table *table, int row, int column, double value)
{
    table->column[column].cell[row] = (struct cell){ NULL, value };
}

int table_n_rows(const struct table *table)
{
    return table->n_rows;
}

/* --- From a group -------------------------------------------------------------------------------------------- */

/* The text that names entry `index` of an axis, by a text dataset of the axis' name; NULL if there is none. */
static const char *axis_label(const struct result_group *group, int axis, int index)
{
    const struct result_data *data = result_data_find(group, group->axis[axis]->name);
    const bool fits = data && data->type == RESULT_TEXT && data->n_axes == 1 && data->axis[0] == axis;
    return fits ? data->text[index] : NULL;
}

/* "x_stage_0_z" for entry `index` of what lies behind the first axis. */
static const char *column_name(struct arena *mem, const struct result_group *group, const struct result_data *data,
                               int index)
{
    const char *name = "";
    for (int k = data->n_axes - 1; k >= 1; k--) {
        const int n = group->axis[data->axis[k]]->n, entry = index % n;
        const char *label = axis_label(group, data->axis[k], entry);
        name = label ? arena_printf(mem, "_%s%s", label, name) : arena_printf(mem, "_%d%s", entry, name);
        index /= n;
    }
    return arena_printf(mem, "%s%s", data->name, name);
}

static void fill_column(struct table *table, int column, const struct result_data *data, int inner, int n_inner)
{
    for (int row = 0; row < table->n_rows; row++) {
        const int at = row * n_inner + inner;
        if (data->type == RESULT_TEXT)
            table_set_text(table, row, column, data->text[at]);
        else
            table_set_number(table, row, column, result_value(data, at));
    }
}

enum { TABLE_MAX_COLUMNS = 1 << 20 };   /* of one dataset; a wider one is no table */

static void add_data(struct table *table, const struct result_group *group, const struct result_data *data)
{
    int n_inner = 1;
    for (int k = 1; k < data->n_axes; k++) {
        const int n = group->axis[data->axis[k]]->n;
        if (n > 0 && n_inner > TABLE_MAX_COLUMNS / n)
            return;
        n_inner *= n;
    }
    for (int inner = 0; inner < n_inner; inner++) {
        const int column = table_add_column(table, column_name(&table->mem, group, data, inner));
        fill_column(table, column, data, inner, n_inner);
    }
}

struct table *table_from_group(const struct result_group *group, int axis)
{
    const struct result_axis *rows = group->axis[axis];
    struct table *table = table_create(0, NULL);
    for (int row = 0; row < rows->n; row++)
        table_add_row(table);
    if (rows->values) {
        const int column = table_add_column(table, rows->name);
        for (int row = 0; row < rows->n; row++)
            table_set_number(table, row, column, rows->values[row]);
    }
    for (int k = 0; k < group->n_data; k++) {
        const struct result_data *data = group->data[k];
        if (data->n_axes > 0 && data->axis[0] == axis)
            add_data(table, group, data);
    }
    return table;
}

static bool is_missing(const struct result_data *data)
{
    for (int k = 0; k < data->n; k++)
        if (data->type == RESULT_TEXT || !isnan(result_value(data, k)))
            return false;
    return true;
}

struct table *table_from_axis(const struct result_group *group, const char *axis_name, const char *skip)
{
    const int axis = result_axis_find(group, axis_name);
    struct table *table = table_create(0, NULL);
    if (axis < 0)
        return table;
    for (int row = 0; row < group->axis[axis]->n; row++)
        table_add_row(table);
    for (int k = 0; k < group->n_data; k++) {
        const struct result_data *data = group->data[k];
        if (data->n_axes == 1 && data->axis[0] == axis && strcmp(data->name, skip) != 0 && !is_missing(data))
            fill_column(table, table_add_column(table, data->name), data, 0, 1);
    }
    return table;
}

/* --- As text ------------------------------------------------------------------------------------------------- */

/* The cell as it is shown; buf [32] is there for numbers, mem for texts that cannot be shown as they are. */
static const char *shown(struct arena *mem, const struct cell *cell, char *buf)
{
    if (cell->text)
        return visible_text(mem, cell->text);
    if (isnan(cell->number))
        return "-";
    snprintf(buf, 32, "%.6g", cell->number == 0 ? 0.0 : cell->number);      /* no "-0" */
    return buf;
}

/* Characters, not bytes: continuation bytes of UTF-8 take no room. */
static int text_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static bool holds_text(const struct table *table, const struct column *column)
{
    for (int row = 0; row < table->n_rows; row++)
        if (column->cell[row].text)
            return true;
    return false;
}

static void print_padded(const char *text, int width, bool left, bool last, FILE *out)
{
    const int pad = width - text_width(text);
    if (left)
        fprintf(out, "%s%*s", text, last ? 0 : pad, "");
    else
        fprintf(out, "%*s%s", pad, "", text);
    fputs(last ? "\n" : "  ", out);
}

static int column_width(struct arena *mem, const struct column *column, int n_rows)
{
    char buf[32];
    int width = text_width(visible_text(mem, column->name));
    for (int row = 0; row < n_rows; row++) {
        const int w = text_width(shown(mem, &column->cell[row], buf));
        width = w > width ? w : width;
    }
    return width;
}

void table_print(const struct table *table, int indent, int n_rows, FILE *out)
{
    const int n = n_rows < table->n_rows ? n_rows : table->n_rows;
    int *width = mem_alloc((size_t)table->n_columns, sizeof *width);
    bool *left = mem_alloc((size_t)table->n_columns, sizeof *left);
    struct arena mem = { NULL };
    for (int k = 0; k < table->n_columns; k++) {
        width[k] = column_width(&mem, &table->column[k], n);
        left[k] = holds_text(table, &table->column[k]);
    }
    for (int row = -1; row < n; row++) {
        fprintf(out, "%*s", indent, "");
        for (int k = 0; k < table->n_columns; k++) {
            char buf[32];
            const struct column *column = &table->column[k];
            const char *text = row < 0 ? visible_text(&mem, column->name) : shown(&mem, &column->cell[row], buf);
            print_padded(text, width[k], left[k], k + 1 == table->n_columns, out);
        }
    }
    if (n < table->n_rows)
        fprintf(out, "%*s... and %d more\n", indent, "", table->n_rows - n);
    free(width);
    free(left);
    arena_free(&mem);
}

/* --- As CSV and JSON ----------------------------------------------------------------------------------------- */

void print_exact(double value, FILE *out)
{
    char buf[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buf, sizeof buf, "%.*g", digits, value);
        if (strtod(buf, NULL) == value)
            break;
    }
    fputs(buf, out);
}

void print_json_number(double value, FILE *out)
{
    if (isfinite(value))
        print_exact(value, out);
    else
        fputs("null", out);                     /* JSON has no infinity either */
}

void print_json_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fputc('\\', out);
        if (c < 0x20 || c == 0x7F)
            fprintf(out, "\\u%04x", c);
        else if (c == 0xC2 && (unsigned char)text[1] < 0xA0 && (unsigned char)text[1] >= 0x80)
            fprintf(out, "\\u00%02x", (unsigned)(unsigned char)*++text);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

/* RFC 4180: quotes where there is a comma, a quote or a line break; a quote is doubled. */
static void print_csv_text(const char *text, FILE *out)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void table_print_csv(const struct table *table, FILE *out)
{
    for (int row = -1; row < table->n_rows; row++)
        for (int k = 0; k < table->n_columns; k++) {
            const struct column *column = &table->column[k];
            if (row < 0)
                print_csv_text(column->name, out);
            else if (column->cell[row].text)
                print_csv_text(column->cell[row].text, out);
            else if (!isnan(column->cell[row].number))
                print_exact(column->cell[row].number, out);
            fputc(k + 1 < table->n_columns ? ',' : '\n', out);
        }
}

static void print_json_cell(const struct cell *cell, FILE *out)
{
    if (cell->text)
        print_json_text(cell->text, out);
    else
        print_json_number(cell->number, out);
}

void table_print_json(const struct table *table, FILE *out)
{
    fputs("[", out);
    for (int row = 0; row < table->n_rows; row++) {
        fputs(row ? ",\n {" : "\n {", out);
        for (int k = 0; k < table->n_columns; k++) {
            fputs(k ? ", " : "", out);
            print_json_text(table->column[k].name, out);
            fputs(": ", out);
            print_json_cell(&table->column[k].cell[row], out);
        }
        fputs("}", out);
    }
    fputs(table->n_rows ? "\n]" : "]", out);
}
