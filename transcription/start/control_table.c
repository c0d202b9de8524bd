#define _POSIX_C_SOURCE 200809L

#include "transcription/start/control_table.h"

#include "core/base/mem.h"
#include "core/base/regular.h"
#include "core/results/results.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_TOL 1e-9               /* relative to the horizon: what counts as the same time */

struct reading {                    /* a CSV while it is read */
    const struct model *model;
    const char *path;
    int line;
    int n_col, *column;             /* [n_col] control index, COL_TIME or COL_OTHER */
    struct control_table *table;
    struct diag *diag;
};

enum { COL_TIME = -1, COL_OTHER = -2 };
enum { CSV_MAX_ROWS = 1 << 24 };

void control_table_free(struct control_table *table)
{
    if (!table)
        return;
    free(table->t);
    free(table->u);
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
        if (strcmp(model->u[k].name, name) == 0)
            return k;
    return COL_OTHER;
}

/* --- CSV ----------------------------------------------------------------------------------------------------- */

static enum status csv_error(const struct reading *in, const char *at, const char *line, const char *what)
{
    const struct srcpos pos = { in->path, in->line, (int)(at - line) + 1 };
    return diag_error(in->diag, pos, NULL, "%s", what);
}

/* The next cell, without blanks around it; the text is cut up. *rest is NULL after the last. */
static char *next_cell(char **rest)
{
    char *cell = *rest, *comma = strchr(cell, ',');
    *rest = comma ? comma + 1 : NULL;
    if (comma)
        *comma = '\0';
    cell += strspn(cell, " \t\"");
    size_t n = strlen(cell);
    while (n > 0 && strchr(" \t\r\n\"", cell[n - 1]))
        cell[--n] = '\0';
    return cell;
}

/* A column that names no control is an error unless it is one of the model's other quantities. */
static enum status read_header(struct reading *in, char *line)
{
    enum status st = STATUS_OK;
    bool has_time = false, has_control = false;
    for (char *rest = line; rest;) {
        char *name = next_cell(&rest);
        in->column = mem_grow(in->column, in->n_col, 1, sizeof *in->column);
        int what = find_control(in->model, name);
        has_control = has_control || what >= 0;
        if (strcmp(name, "t") == 0) {
            what = COL_TIME;
            has_time = true;
        }
        in->column[in->n_col++] = what;
    }
    if (!has_time)
        st = csv_error(in, line, line, "the first line must name the columns, `t` among them");
    else if (!has_control)
        st = csv_error(in, line, line, "no column is named after a control of the spec");
    return st;
}

static void new_row(struct control_table *table, double t)
{
    table->t = mem_grow(table->t, table->n, 1, sizeof *table->t);
    table->u = mem_grow(table->u, table->n, 1, (size_t)table->n_u * sizeof *table->u);
    for (int k = 0; k < table->n_u; k++)
        table->u[(size_t)table->n * (size_t)table->n_u + (size_t)k] = NAN;
    table->t[table->n++] = t;
}

static enum status read_row(struct reading *in, char *line)
{
    struct control_table *table = in->table;
    if (table->n == CSV_MAX_ROWS)
        return csv_error(in, line, line, "this is one row too many");
    new_row(table, NAN);
    const int row = table->n - 1;
    double *const u = &table->u[(size_t)row * (size_t)table->n_u];
    char *rest = line;
    for (int c = 0; c < in->n_col; c++) {
        if (!rest)
            return csv_error(in, line, line, "has fewer cells than the first line");
        const char *cell = next_cell(&rest);
        char *end;
        const double val = strtod(cell, &end);
        if (in->column[c] == COL_OTHER)
            continue;
        if (end == cell || *end || !isfinite(val))
            return csv_error(in, cell, line, "expected a number");
        *(in->column[c] == COL_TIME ? &table->t[row] : &u[in->column[c]]) = val;
    }
    if (row > 0 && !(table->t[row] > table->t[row - 1]))
        return csv_error(in, line, line, "times must ascend");
    return STATUS_OK;
}

enum status control_table_read_csv(const struct model *model, FILE *file, const char *path,
                                   struct control_table *table, struct diag *diag)
{
    struct reading in = { .model = model, .path = path, .table = table, .diag = diag };
    enum status st = STATUS_OK;
    char *line = NULL;
    size_t size = 0;
    while (st == STATUS_OK && getline(&line, &size, file) >= 0) {
        in.line++;
        char *text = line + strspn(line, " \t\r\n");
        if (*text == '\0' || *text == '#')
            continue;
        st = in.n_col ? read_row(&in, line) : read_header(&in, line);
    }
    if (st == STATUS_OK && ferror(file))
        st = diag_fail(diag, STATUS_IO, "%s: %s", path, strerror(errno));
    if (st == STATUS_OK && table->n == 0)
        st = diag_fail(diag, STATUS_SPEC, "%s: holds no controls", path);
    free(line);
    free(in.column);
    return st;
}

static enum status read_csv(const struct model *model, const char *path, struct control_table *table,
                            struct diag *diag)
{
    const char *why = "";
    FILE *file = regular_open(path, &why);
    if (!file)
        return diag_fail(diag, STATUS_IO, "%s: %s", path, why);
    const enum status st = control_table_read_csv(model, file, path, table, diag);
    (void)fclose(file);
    return st;
}

/* --- A result ------------------------------------------------------------------------------------------------ */

static enum status read_result(const struct model *model, const char *path, struct control_table *table,
                               struct diag *diag)
{
    struct result *result = NULL;
    enum status st = result_read(path, &result, diag);
    if (st != STATUS_OK)
        return st;
    const struct result_data *t = result_data_of(result, "/grid", "t_interval"), *u = result_data_of(result, "/grid", "u");
    const struct result_data *name = result_data_of(result, "/grid", "control");
    const struct result_data *end = result_data_of(result, "/grid", "t_end");
    if (!t || !u || !name || !end || !t->d || !u->d || !name->text || !end->d || t->n < 1 || end->n < 1
        || u->n != (long long)t->n * name->n) {
        st = diag_fail(diag, STATUS_IO, "%s: holds no controls (group /grid: t_interval, u, control)", path);
    } else {
        table->end = end->d[end->n - 1];
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
    const double tol = TIME_TOL * fmax(1, model->horizon);
    if (table->t[0] > tol)
        return diag_fail(diag, STATUS_SPEC, "%s: controls begin at t = %g, the simulation at 0", path, table->t[0]);
    if (table->end < model->horizon - tol)
        return diag_fail(diag, STATUS_SPEC, "%s: controls end at t = %g, the horizon is %g "
                         "(--set time.horizon=%g ends there)", path, table->end, model->horizon, table->end);
    return STATUS_OK;
}

enum status control_table_read(const struct model *model, const char *path, struct control_table **out,
                               struct diag *diag)
{
    struct control_table *table = mem_alloc(1, sizeof *table);
    table->n_u = model->n_u;
    table->end = INFINITY;
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
