#define _POSIX_C_SOURCE 200809L

#include "core/sweep/gather.h"

#include "core/base/mem.h"
#include "core/results/save.h"
#include "core/sweep/folder.h"
#include "core/sweep/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct columns { struct table *table; const char **name; int n; struct arena mem; };

static int column_of(struct columns *columns, const char *name)
{
    for (int i = 0; i < columns->n; i++)
        if (strcmp(columns->name[i], name) == 0)
            return i;
    columns->name = mem_grow(columns->name, columns->n, 1, sizeof *columns->name);
    columns->name[columns->n] = arena_copy_text(&columns->mem, name);
    columns->n++;
    return table_add_column(columns->table, name);
}

static void set(struct columns *columns, int row, const char *name, const struct spec_node *node)
{
    char *end;
    if (node->kind != SPEC_SCALAR)
        return;
    const double value = strtod(node->text, &end);
    const int column = column_of(columns, name);
    if (!node->quoted && end != node->text && !*end && isfinite(value))
        table_set_number(columns->table, row, column, value);
    else
        table_set_text(columns->table, row, column, node->text);
}

/* Of the summary: what the record does not say already. */
static bool is_said(const char *key)
{
    static const char *const said[] = { "status", "exit_code", "name", "out", "experiment" };
    for (int i = 0; i < 5; i++)
        if (strcmp(key, said[i]) == 0)
            return true;
    return false;
}

static void add_line(struct columns *columns, int row, const struct spec_node *line)
{
    for (int i = 0; i < line->n; i++)
        if (!is_said(line->child[i]->key))
            set(columns, row, line->child[i]->key, line->child[i]);
}

/* "" where the line is of the whole. */
static const char *experiment_of(const struct spec_node *line)
{
    const struct spec_node *experiment = spec_get(line, "experiment");
    return experiment ? experiment->text : "";
}

/* Has an earlier line of the same experiment said that? */
static bool is_told(const struct spec_node *list, int k, const char *key)
{
    for (int i = 0; i < k; i++)
        if (strcmp(experiment_of(list->child[i]), experiment_of(list->child[k])) == 0
            && spec_get(list->child[i], key))
            return true;
    return false;
}

/* What a joint fit makes small. */
static void add_sum(struct columns *columns, int row, const struct spec_node *list)
{
    double sum = 0;
    bool any = false;
    for (int k = 0; k < list->n; k++) {
        const struct spec_node *objective = spec_get(list->child[k], "objective");
        if (!objective || !*experiment_of(list->child[k]) || is_told(list, k, "objective"))
            continue;
        sum += strtod(objective->text, NULL);
        any = true;
    }
    if (any)
        table_set_number(columns->table, row, column_of(columns, "objective"), sum);
}

static void add_lines(struct columns *columns, int row, const struct spec_node *list)
{
    struct arena mem = { NULL };
    add_sum(columns, row, list);
    for (int k = 0; k < list->n; k++) {
        const struct spec_node *line = list->child[k];
        const char *experiment = experiment_of(line);
        for (int i = 0; i < line->n; i++) {
            const char *key = line->child[i]->key;
            if (!is_said(key) && !is_told(list, k, key))
                set(columns, row, *experiment ? arena_printf(&mem, "%s.%s", experiment, key) : key, line->child[i]);
        }
    }
    arena_free(&mem);
}

static void add_row(struct columns *columns, const struct spec_node *record)
{
    const int row = table_add_row(columns->table);
    const struct spec_node *values = spec_get(record, "values"), *summary = spec_get(record, "summary");
    set(columns, row, "point", spec_get(record, "point"));
    for (int i = 0; values && i < values->n; i++) set(columns, row, values->child[i]->key, values->child[i]);
    for (int i = 0; i < record->n; i++)
        if (strcmp(record->child[i]->key, "command") != 0)
            set(columns, row, record->child[i]->key, record->child[i]);
    if (summary && summary->kind == SPEC_MAPPING)
        add_line(columns, row, summary);
    else if (summary && summary->kind == SPEC_SEQUENCE)
        add_lines(columns, row, summary);
}

struct table *sweep_gather(const char *folder, const char *command, int n)
{
    char path[SWEEP_PATH_SIZE], suffix[64];
    struct columns columns = { .table = table_create(0, NULL) };
    (void)snprintf(suffix, sizeof suffix, ".%s.json", command);
    for (int k = 0; k < n; k++) {
        struct spec *record = sweep_record_read(sweep_folder_path(folder, k, suffix, path));
        if (record)
            add_row(&columns, spec_root(record));
        spec_free(record);
    }
    free(columns.name);
    arena_free(&columns.mem);
    return columns.table;
}

enum status sweep_gather_write(const char *folder, const char *command, int n, struct diag *diag)
{
    char path[SWEEP_PATH_SIZE], *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    if (!out)
        return diag_fail(diag, STATUS_IO, "cannot write the table of %s", folder);
    struct table *table = sweep_gather(folder, command, n);
    table_print_csv(table, out);
    table_free(table);
    fclose(out);
    (void)snprintf(path, sizeof path, "%s/table.csv", folder);
    const enum status st = save_bytes(path, bytes, size, diag);
    free(bytes);
    return st;
}
