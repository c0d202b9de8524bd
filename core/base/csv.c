#define _POSIX_C_SOURCE 200809L

#include "core/base/csv.h"

#include "core/base/mem.h"
#include "core/base/regular.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1 << 24 };

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

static enum status refuse(const struct csv *csv, int line, const char *what, struct diag *diag)
{
    return diag_error(diag, (struct srcpos){ csv->path, line, 1 }, NULL, "%s", what);
}

static void read_names(struct csv *csv, char *line, int number)
{
    csv->name_line = number;
    for (char *rest = line; rest; csv->n_col++) {
        const char *name = next_cell(&rest);
        csv->name = mem_grow(csv->name, csv->n_col, 1, sizeof *csv->name);
        csv->name_col = mem_grow(csv->name_col, csv->n_col, 1, sizeof *csv->name_col);
        csv->name[csv->n_col] = arena_copy_text(&csv->mem, name);
        csv->name_col[csv->n_col] = (int)(name - line) + 1;
    }
}

static enum status read_row(struct csv *csv, char *line, int number, struct diag *diag)
{
    if (csv->n_row == MOST_ROWS)
        return refuse(csv, number, "this is one row too many", diag);
    csv->line = mem_grow(csv->line, csv->n_row, 1, sizeof *csv->line);
    csv->cell = mem_grow(csv->cell, csv->n_row, 1, (size_t)csv->n_col * sizeof *csv->cell);
    csv->line[csv->n_row] = number;
    char *rest = line;
    for (int k = 0; k < csv->n_col; k++) {
        if (!rest)
            return refuse(csv, number, "has fewer cells than the first line", diag);
        const char *text = next_cell(&rest);
        char *end = NULL;
        const double value = strtod(text, &end);
        csv->cell[(size_t)csv->n_row * (size_t)csv->n_col + (size_t)k] = (struct csv_cell){
            *text ? value : NAN, (int)(text - line) + 1, !*text || (end != text && !*end && !isinf(value)) };
    }
    csv->n_row++;
    return STATUS_OK;
}

enum status csv_read(FILE *file, const char *path, struct csv *out, struct diag *diag)
{
    *out = (struct csv){ .n_col = 0 };
    out->path = arena_copy_text(&out->mem, path);
    enum status st = STATUS_OK;
    char *line = NULL;
    size_t size = 0;
    for (int number = 1; st == STATUS_OK && getline(&line, &size, file) >= 0; number++) {
        const char *text = line + strspn(line, " \t\r\n");
        if (*text == '\0' || *text == '#')
            continue;
        if (out->n_col)
            st = read_row(out, line, number, diag);
        else
            read_names(out, line, number);
    }
    if (st == STATUS_OK && ferror(file))
        st = diag_fail(diag, STATUS_IO, "%s: %s", path, strerror(errno));
    free(line);
    return st;
}

enum status csv_read_file(const char *path, struct csv *out, struct diag *diag)
{
    const char *why = "";
    FILE *file = regular_open(path, "a table that is read", diag, &why);
    *out = (struct csv){ .n_col = 0 };
    if (!file)
        return diag_fail(diag, STATUS_IO, "%s: %s", path, why);
    const enum status st = csv_read(file, path, out, diag);
    (void)fclose(file);
    return st;
}

void csv_free(struct csv *csv)
{
    free(csv->name);
    free(csv->name_col);
    free(csv->line);
    free(csv->cell);
    arena_free(&csv->mem);
}

int csv_column(const struct csv *csv, const char *name)
{
    for (int k = 0; k < csv->n_col; k++)
        if (strcmp(csv->name[k], name) == 0)
            return k;
    return -1;
}

struct srcpos csv_pos(const struct csv *csv, int row, int col)
{
    if (row < 0)
        return (struct srcpos){ csv->path, csv->name_line, csv->name_col ? csv->name_col[col] : 1 };
    return (struct srcpos){ csv->path, csv->line[row], csv_cell(csv, row, col)->col };
}
