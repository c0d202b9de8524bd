#define _POSIX_C_SOURCE 200809L

#include "core/sweep/points_table.h"

#include "core/base/mem.h"
#include "core/base/regular.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_BYTES = 1 << 30 };

/* --- The bytes ----------------------------------------------------------------------------------------------- */

static enum status read_bytes(FILE *file, const char *path, char **bytes, struct diag *diag)
{
    struct stat info;
    if (fstat(fileno(file), &info) != 0)
        return diag_fail(diag, STATUS_IO, "cannot read %s: %s", path, strerror(errno));
    if (info.st_size > MAX_BYTES)
        return diag_fail(diag, STATUS_IO, "cannot read %s: more than %d bytes", path, MAX_BYTES);
    *bytes = mem_alloc((size_t)info.st_size + 1, 1);
    const size_t n = fread(*bytes, 1, (size_t)info.st_size, file);
    (*bytes)[n] = '\0';
    return ferror(file) ? diag_fail(diag, STATUS_IO, "cannot read %s: %s", path, strerror(errno)) : STATUS_OK;
}

/* --- Lines and fields ---------------------------------------------------------------------------------------- */

struct reader {
    const char *path, *at, *line_start;
    int line;
    struct arena *mem;
    struct diag *diag;
};

static enum status fail(const struct reader *reader, const char *what)
{
    const struct srcpos pos = { reader->path, reader->line, (int)(reader->at - reader->line_start) + 1 };
    return diag_error(reader->diag, pos, NULL, "%s", what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct reader *reader)
{
    while (is_blank(*reader->at)) reader->at++;
}

static enum status read_quoted(struct reader *reader, const char **field)
{
    char *text = arena_alloc(reader->mem, strcspn(reader->at, "\n") + 1, 1), *end = text;
    for (reader->at++; *reader->at != '"' || reader->at[1] == '"'; reader->at++) {
        if (*reader->at == '\0' || *reader->at == '\n')
            return fail(reader, "a quote is not closed");
        if (*reader->at == '"')
            reader->at++;
        *end++ = *reader->at;
    }
    reader->at++;
    *field = text;
    skip_blanks(reader);
    return strchr(",\n", *reader->at) ? STATUS_OK : fail(reader, "expected a comma after the quote");
}

static enum status read_field(struct reader *reader, const char **field)
{
    skip_blanks(reader);
    if (*reader->at == '"')
        return read_quoted(reader, field);
    size_t n = strcspn(reader->at, ",\n");
    const char *start = reader->at;
    reader->at += n;
    while (n > 0 && is_blank(start[n - 1])) n--;
    *field = arena_printf(reader->mem, "%.*s", (int)n, start);
    return **field ? STATUS_OK : fail(reader, "a field is empty");
}

/* The fields of a line, appended to list of n; the line's end is passed. */
static enum status read_line(struct reader *reader, const char ***list, int *n)
{
    for (;; reader->at++) {
        const char *field = NULL;
        const enum status st = read_field(reader, &field);
        if (st != STATUS_OK)
            return st;
        *list = mem_grow(*list, *n, 1, sizeof **list);
        (*list)[(*n)++] = field;
        if (*reader->at != ',')
            return STATUS_OK;
    }
}

/* Goes to the next line that holds something; false at the end. */
static bool next_line(struct reader *reader)
{
    for (;;) {
        skip_blanks(reader);
        if (*reader->at != '\n')
            return *reader->at != '\0';
        reader->at++;
        reader->line++;
        reader->line_start = reader->at;
    }
}

static enum status read_rows(struct reader *reader, struct points_table *table)
{
    const char **field = NULL;
    int n = 0;
    enum status st = STATUS_OK;
    while (st == STATUS_OK && next_line(reader)) {
        const int before = n;
        st = read_line(reader, &field, &n);
        if (st == STATUS_OK && n - before != table->n_column)
            st = fail(reader, "the number of fields differs from that of the first line");
        table->n_row++;
    }
    if (st == STATUS_OK)
        table->field = arena_copy(reader->mem, field, (size_t)n, sizeof *field);
    free(field);
    return st;
}

static enum status read_table(struct reader *reader, struct points_table *table)
{
    const char **name = NULL;
    if (!next_line(reader))
        return fail(reader, "the table is empty: its first line names paths of the spec");
    enum status st = read_line(reader, &name, &table->n_column);
    if (st == STATUS_OK)
        table->name = arena_copy(reader->mem, name, (size_t)table->n_column, sizeof *name);
    free(name);
    if (st == STATUS_OK)
        st = read_rows(reader, table);
    return st == STATUS_OK && table->n_row == 0 ? fail(reader, "the table has no points") : st;
}

enum status points_table_read(const char *path, struct arena *mem, struct points_table *table, struct diag *diag)
{
    char *bytes = NULL;
    const char *why = "";
    FILE *file = regular_open(path, "the table of points", diag, &why);
    *table = (struct points_table){ .n_row = 0 };
    if (!file)
        return diag_fail(diag, STATUS_IO, "cannot read %s: %s", path, why);
    enum status st = read_bytes(file, path, &bytes, diag);
    fclose(file);
    if (st == STATUS_OK && bytes) {
        const char *start = strncmp(bytes, "\xef\xbb\xbf", 3) == 0 ? bytes + 3 : bytes;
        struct reader reader = { .path = path, .at = start, .line_start = start, .line = 1, .mem = mem, .diag = diag };
        st = read_table(&reader, table);
    }
    free(bytes);
    return st;
}
