#define _POSIX_C_SOURCE 200809L         /* open_memstream */

#include "cli/commands.h"

#include "cli/output_file.h"
#include "cli/outputs/export_joints.h"
#include "core/base/arena.h"
#include "core/results/save.h"
#include "core/results/table.h"

#include <stdlib.h>
#include <string.h>

/* What is exported when nothing is asked for: the group that plotters want, else the next best. */
static const char *default_group(const struct result *result)
{
    static const char *const groups[] = { "/uniform", "/trajectory", "/samples", "/certificate" };
    for (size_t k = 0; k < sizeof groups / sizeof groups[0]; k++)
        if (result_find(result, groups[k]) && result_find(result, groups[k])->n_axes > 0)
            return groups[k];
    return "/uniform";
}

/* GROUP, or GROUP/AXIS where the group has several axes ("grid/interval"); the axis is the first one otherwise. */
static const struct result_group *find_table(const struct result *result, struct arena *mem, const char *name,
                                             int *axis)
{
    char *path = arena_printf(mem, "%s%s", *name == '/' ? "" : "/", name);
    const struct result_group *group = result_find(result, path);
    *axis = 0;
    if (group)
        return group->n_axes > 0 ? group : NULL;
    char *slash = strrchr(path, '/');
    if (slash == path)
        return NULL;
    *slash = '\0';
    group = result_find(result, path);
    *axis = result_axis_find(group, slash + 1);
    return *axis >= 0 ? group : NULL;
}

static const char *table_names(const struct result *result, struct arena *mem)
{
    const char *names = "";
    for (int k = 0; k < result->n_groups; k++)
        if (result->group[k]->n_axes > 0)
            names = arena_printf(mem, "%s%s%s", names, *names ? ", " : "", result->group[k]->path + 1);
    return *names ? names : "none";
}

static enum status write_csv(const struct table *table, const char *path, struct diag *diag)
{
    if (!path || strcmp(path, "-") == 0) {
        table_print_csv(table, stdout);
        return STATUS_OK;
    }
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (!out)
        return diag_fail(diag, STATUS_IO, "cannot write %s: no memory", path);
    table_print_csv(table, out);
    fclose(out);
    const enum status st = save_bytes(path, text, n, diag);
    free(text);
    return st;
}

enum status cmd_export(const struct cli_args *args, struct diag *diag)
{
    struct result *result = NULL;
    const bool to_file = args->out_path && strcmp(args->out_path, "-") != 0;
    const enum status free_to_write = to_file ? output_file_check(args, diag) : STATUS_OK;
    if (free_to_write != STATUS_OK)
        return free_to_write;
    if (args->joints)
        return export_joints(args, diag);
    const enum status got = result_read(args->input[0], &result, diag);
    if (got != STATUS_OK)
        return got;
    export_tell_unsolved(args->input[0], result, diag);
    struct arena mem = { NULL };
    const char *name = args->group ? args->group : default_group(result);
    int axis;
    enum status st;
    const struct result_group *group = find_table(result, &mem, name, &axis);
    if (group) {
        struct table *table = table_from_group(group, axis);
        st = write_csv(table, args->out_path, diag);
        table_free(table);
    } else {
        st = diag_fail(diag, args->group ? STATUS_USAGE : STATUS_IO, "%s has no table \"%s\"; it has: %s",
                       args->input[0], name, table_names(result, &mem));
    }
    arena_free(&mem);
    result_free(result);
    return st;
}
