/* core/model/scope/files.c - tables of numbers in files beside the spec */
#include "core/model/scope/reader.h"

#include "core/base/regular.h"

#include <math.h>
#include <string.h>

/* Beside the spec, unless the path is from the root. */
static const char *path_of(struct reader *r, const char *file)
{
    const char *spec = r->model->file, *slash = strrchr(spec, '/');
    return file[0] == '/' || !slash ? file : arena_printf(r->mem, "%.*s%s", (int)(slash - spec) + 1, spec, file);
}

enum status reader_csv(struct reader *r, const struct spec_node *node, const char *what, const char *stored,
                       struct csv *out)
{
    const char *path = node->kind == SPEC_SCALAR ? path_of(r, node->text) : "", *why = "";
    if (!*path)
        return spec_error(r->diag, node, "expected the name of a CSV file");
    if (spec_is_stored(r->model->spec))
        return spec_error(r->diag, node, "a result names no file to be read: %s", stored);
    FILE *file = regular_open(path, what, r->diag, &why);
    if (!file)
        return spec_error(r->diag, node, "cannot read %s: %s", path, why);
    const enum status st = csv_read(file, path, out, r->diag);
    (void)fclose(file);
    out->path = path;                           /* of positions in messages, which stay */
    return st != STATUS_OK || out->n_row ? st : spec_error(r->diag, node, "%s holds no rows", path);
}

int reader_csv_column(struct reader *r, const struct spec_node *node, const struct csv *csv, const char *name,
                      const char *advice)
{
    const int column = csv_column(csv, name);
    if (column < 0)
        spec_error(r->diag, node, "there is no column \"%s\" in %s, where line %d names the columns%s", name,
                   csv->path, csv->name_line, advice);
    return column;
}

enum status reader_csv_number(struct reader *r, const struct csv *csv, int row, int column, double *out)
{
    const struct csv_cell *cell = csv_cell(csv, row, column);
    *out = cell->value;
    if (cell->is_number && isfinite(cell->value))
        return STATUS_OK;
    return diag_error(r->diag, csv_pos(csv, row, column), NULL, "expected a number");
}
