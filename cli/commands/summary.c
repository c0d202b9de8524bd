#include "cli/commands.h"

#include "core/base/mem.h"
#include "core/results/table.h"
#include "core/sweep/folder.h"
#include "core/sweep/gather.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { FILE_NAME, STATUS, OBJECTIVE, COMPLEMENTARITY, INFEASIBILITY, STEPS, ITERATIONS, SECONDS, EVENTS, METHOD,
       N_FIXED };

static const char *const fixed[N_FIXED] = {
    "file", "status", "objective", "complementarity", "infeasibility", "steps", "iterations", "time", "events",
    "method"
};

static double column_sum(const struct result *result, const char *path, const char *name)
{
    const struct result_data *data = result_data_of(result, path, name);
    if (!data || data->n == 0)
        return NAN;
    double sum = 0;
    for (int k = 0; k < data->n; k++)
        sum += result_value(data, k);
    return sum;
}

static void set_count(struct table *table, int row, int column, int count)
{
    table_set_number(table, row, column, count < 0 ? (double)NAN : count);
}

static void fill_row(struct table *table, int row, const struct result *result)
{
    const struct result_group *root = result_find(result, "/");
    table_set_text(table, row, STATUS, result_get_text(root, "status"));
    table_set_text(table, row, METHOD, result_get_text(root, "method"));
    table_set_number(table, row, OBJECTIVE, result_get_double(root, "objective"));
    table_set_number(table, row, COMPLEMENTARITY, result_get_double(root, "complementarity"));
    table_set_number(table, row, INFEASIBILITY, result_get_double(root, "infeasibility"));
    set_count(table, row, STEPS, result_axis_size(result, "/homotopy", "step"));
    set_count(table, row, EVENTS, result_axis_size(result, "/events", "event"));
    const struct result_group *solver = result_find(result, "/solver");
    if (!result_find(result, "/homotopy") && solver) {      /* a finished solution */
        set_count(table, row, ITERATIONS, result_get_int(solver, "iterations", -1));
        table_set_number(table, row, SECONDS, result_get_double(solver, "time_total"));
        return;
    }
    table_set_number(table, row, ITERATIONS, column_sum(result, "/homotopy", "iterations"));
    table_set_number(table, row, SECONDS, column_sum(result, "/homotopy", "wall_time"));
}

static double parameter(const struct result *result, const char *name)
{
    const struct result_data *data = result_data_of(result, "/parameters", name);
    return data && data->d && data->n == 1 ? data->d[0] : NAN;
}

/* True if the parameter is not the same in all files that could be read: the one that was swept. */
static bool varies(struct result *const *result, int n, const char *name, double value)
{
    for (int k = 0; k < n; k++)
        if (result[k] && !(parameter(result[k], name) == value))
            return true;
    return false;
}

/* A column for each parameter that varies; the first file that can be read names the parameters. */
static void add_parameters(struct table *table, struct result *const *result, int n)
{
    int first = 0;
    while (first < n && !result[first])
        first++;
    const struct result_group *group = first < n ? result_find(result[first], "/parameters") : NULL;
    for (int k = 0; group && k < group->n_data; k++) {
        const char *name = group->data[k]->name;
        if (!varies(result, n, name, parameter(result[first], name)))
            continue;
        const int column = table_add_column(table, name);
        for (int row = 0; row < n; row++)
            if (result[row])
                table_set_number(table, row, column, parameter(result[row], name));
    }
}

static void print(const struct cli_args *args, const struct table *table)
{
    if (args->json) {
        table_print_json(table, stdout);
        fputs("\n", stdout);
    } else if (args->csv) {
        table_print_csv(table, stdout);
    } else {
        table_print(table, 0, INT_MAX, stdout);
    }
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* The folder of a sweep: the table of its records. */
static enum status print_sweep(const struct cli_args *args, struct diag *diag)
{
    char command[40];
    const char *folder = args->input[0];
    const int n = sweep_folder_read(folder, command, sizeof command);
    if (args->n_input > 1)
        return diag_fail(diag, STATUS_USAGE, "summary wants one folder of a sweep, or results");
    if (n < 0)
        return diag_fail(diag, STATUS_IO, "%s is not the folder of a sweep", folder);
    struct table *table = sweep_gather(folder, command, n);
    print(args, table);
    table_free(table);
    return STATUS_OK;
}

enum status cmd_summary(const struct cli_args *args, struct diag *diag)
{
    enum status st = STATUS_OK;
    if (is_folder(args->input[0]))
        return print_sweep(args, diag);
    struct result **result = mem_alloc((size_t)args->n_input, sizeof(struct result *));
    struct table *table = table_create(N_FIXED, fixed);
    for (int k = 0; k < args->n_input; k++) {
        const int row = table_add_row(table);
        table_set_text(table, row, FILE_NAME, args->input[k]);
        if (result_read(args->input[k], &result[k], diag) == STATUS_OK) {
            fill_row(table, row, result[k]);
        } else {
            table_set_text(table, row, STATUS, "unreadable");
            st = STATUS_IO;
        }
    }
    add_parameters(table, result, args->n_input);
    print(args, table);
    table_free(table);
    for (int k = 0; k < args->n_input; k++)
        result_free(result[k]);
    free(result);
    return st;
}
