#include "cli/commands.h"
#include "cli/outputs/shown.h"

#include "core/base/visible.h"
#include "core/results/switches.h"
#include "core/results/table.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { MAX_EVENTS = 40, MAX_RESIDUALS = 10, MAX_NEIGHBOURS = 5, MAX_OUTCOMES = 20, MAX_ROWS = 200 };

/* --- Groups -------------------------------------------------------------------------------------------------- */

static void print_attrs(const struct result_group *group)
{
    for (int k = 0; k < group->n_attrs; k++) {
        const struct result_attr *attr = group->attr[k];
        char number[32];
        (void)snprintf(number, sizeof number, "%.8g", attr->d);
        shown_label(attr->name, 20, attr->type == RESULT_TEXT ? attr->text : number);
    }
}

/* Heading and attributes of a group that has some. */
static void print_attr_group(const struct result *result, const char *path, const char *heading)
{
    const struct result_group *group = result_find(result, path);
    if (!group || group->n_attrs == 0)
        return;
    printf("\n%s\n", heading);
    print_attrs(group);
}

/* What the cheapest neighbouring sequences would cost, and how many have no solution. */
static void print_neighbours(const struct result_group *group)
{
    const struct result_data *what = group ? result_data_find(group, "neighbour_what") : NULL;
    const struct result_data *objective = group ? result_data_find(group, "neighbour_objective") : NULL;
    int n_solved = 0;
    if (!what || !what->text || !objective || !objective->d || objective->n != what->n)
        return;
    for (int k = 0; k < what->n; k++)
        n_solved += !isnan(objective->d[k]);
    for (int k = 0; k < n_solved && k < MAX_NEIGHBOURS; k++) {
        printf("  neighbour at %-12.8g ", objective->d[k]);
        visible_print(what->text[k], stdout);
        printf("\n");
    }
    if (n_solved > MAX_NEIGHBOURS)
        printf("  ... and %d more\n", n_solved - MAX_NEIGHBOURS);
    if (what->n > n_solved)
        printf("  %d neighbour%s without a solution\n", what->n - n_solved, what->n - n_solved == 1 ? "" : "s");
}

/* The sequence of modes of a finished solution: what each contact and switch does. */
static void print_phases(const struct result *result)
{
    const struct result_group *group = result_find(result, "/phases");
    const struct result_data *story = group ? result_data_find(group, "story") : NULL;
    print_attr_group(result, "/phases", "Phases");
    for (int k = 0; story && story->text && k < story->n; k++) {
        printf("  ");
        visible_print(story->text[k], stdout);
        printf("\n");
    }
    print_neighbours(group);
}

/* Of a tracked motion: how its plans went, and those without a solution. */
static void print_plans(const struct result *result)
{
    const struct result_group *group = result_find(result, "/plans");
    const struct result_data *t = group ? result_data_find(group, "t") : NULL;
    const struct result_data *used = group ? result_data_find(group, "used") : NULL;
    const struct result_data *status = group ? result_data_find(group, "status") : NULL;
    if (!t || !t->d || !used || !used->flag || !status || !status->text || used->n != t->n || status->n != t->n)
        return;
    const int n = t->n - 1;
    printf("\nPlans\n  solved once at the start, then %d time%s on the way, %d of them without a solution\n", n,
           n == 1 ? "" : "s", result_get_int(group, "failed", 0));
    if (result_get_int(group, "fed_back", 0))
        printf("  feedback corrected the last plan %d times, where the next one failed or was not there yet\n",
               result_get_int(group, "fed_back", 0));
    if (n > 0)
        printf("  a re-solve took %.3g s of processor time in the median, %.3g in 99 %%, %.3g at worst\n",
               result_get_double(group, "cpu_median"), result_get_double(group, "cpu_99"),
               result_get_double(group, "cpu_worst"));
    shown_number("first plan", result_get_double(group, "objective_first_plan"), " (its objective)");
    shown_number("final values", result_get_double(group, "miss"), " (largest distance, of a state's width)");
    for (int k = 0, shown = 0; k < t->n && shown < MAX_EVENTS; k++)
        if (!used->flag[k]) {
            printf("  at t = %.6g the last plan went on: ", t->d[k]);
            visible_print(status->text[k], stdout);
            printf("\n");
            shown++;
        }
}

enum { NAME, UNITS, FIRST, LAST, LEAST, LARGEST, LOWER, UPPER, N_RANGE };

static struct table *range_table(void)
{
    static const char *const names[N_RANGE] = {
        "name", "units", "first", "last", "least", "largest", "lower bound", "upper bound"
    };
    return table_create(N_RANGE, names);
}

static void add_range(struct table *table, const struct result_data *data)
{
    const int row = table_add_row(table);
    table_set_text(table, row, NAME, data->name);
    table_set_text(table, row, UNITS, data->units);
    table_set_number(table, row, LOWER, data->lower_bound);
    table_set_number(table, row, UPPER, data->upper_bound);
    if (data->type == RESULT_TEXT || data->n == 0)
        return;
    double least = NAN, largest = NAN;
    for (int k = 0; k < data->n; k++) {
        least = fmin(least, result_value(data, k));         /* fmin and fmax skip NaN: missing values */
        largest = fmax(largest, result_value(data, k));
    }
    table_set_number(table, row, FIRST, result_value(data, 0));
    table_set_number(table, row, LAST, result_value(data, data->n - 1));
    table_set_number(table, row, LEAST, least);
    table_set_number(table, row, LARGEST, largest);
}

static void print_table(struct table *table, const char *heading, int n_rows)
{
    if (table_n_rows(table) > 0) {
        printf("\n");
        visible_print(heading, stdout);
        printf("\n");
        table_print(table, 2, n_rows, stdout);
    }
    table_free(table);
}

static void print_role(const struct result *result, const char *role, const char *heading)
{
    const struct result_group *group = result_find(result, "/trajectory");
    if (!group)
        group = result_find(result, "/uniform");
    struct table *table = range_table();
    for (int k = 0; group && k < group->n_data; k++)
        if (strcmp(group->data[k]->role, role) == 0)
            add_range(table, group->data[k]);
    print_table(table, heading, INT_MAX);
}

/* From when to when each phase by the user lasts. */
static void print_user_phases(const struct result *result)
{
    enum { NAME_OF, START, END, LENGTH, N_COLUMNS };
    const struct result_data *t = result_data_of(result, "/trajectory", "t");
    const struct result_group *group = result_find(result, "/trajectory");
    struct table *table = table_create(N_COLUMNS, (const char *const[]){ "name", "start", "end", "length" });
    for (int k = 0; t && t->d && k < group->n_data; k++) {
        const struct result_data *data = group->data[k];
        double start = NAN, end = NAN;
        if (strcmp(data->role, "phase") != 0 || !data->d || data->n != t->n)
            continue;
        for (int i = 0; i < t->n; i++)
            if (data->d[i] > 0.5) {
                start = fmin(start, t->d[i]);           /* fmin and fmax skip NaN */
                end = fmax(end, t->d[i]);
            }
        const int row = table_add_row(table);
        table_set_text(table, row, NAME_OF, data->name);
        table_set_number(table, row, START, start);
        table_set_number(table, row, END, end);
        table_set_number(table, row, LENGTH, end - start);
    }
    print_table(table, "Phases of the spec", INT_MAX);
}

static void print_parameters(const struct result *result)
{
    const struct result_group *group = result_find(result, "/parameters");
    enum { NAME_OF, VALUE, UNITS_OF, NOTE, N_COLUMNS };
    struct table *table = table_create(N_COLUMNS, (const char *const[]){ "name", "value", "units", "" });
    for (int k = 0; group && k < group->n_data; k++) {
        const struct result_data *data = group->data[k];
        if (data->type == RESULT_TEXT || data->n != 1)
            continue;
        const int row = table_add_row(table);
        table_set_text(table, row, NAME_OF, data->name);
        table_set_number(table, row, VALUE, result_value(data, 0));
        table_set_text(table, row, UNITS_OF, data->units);
        table_set_text(table, row, NOTE, strcmp(data->role, "optimized") == 0 ? "optimized" : "");
    }
    print_table(table, "Parameters", INT_MAX);
}

static void print_fit(const struct result *result)
{
    const struct result_data *words = result_data_of(result, "/fit", "words");
    if (words)
        printf("\nFit\n");
    for (int k = 0; words && words->text && k < words->n; k++) {
        fputs("  ", stdout);
        visible_print(words->text[k], stdout);
        putchar('\n');
    }
}

static struct table *flat_table(const struct result *result, const char *path, const char *axis, const char *skip)
{
    return table_from_axis(result_find(result, path), axis, skip);
}

/* Of a plan for several: what differs, and what it comes to in each. The rest of the
 * report is about one of them. */
static void print_scenarios(const struct result *result)
{
    const struct result_group *group = result_find(result, "/scenarios");
    if (!group)
        return;
    print_attr_group(result, "/scenarios", "Scenarios");
    print_table(table_from_axis(group, "scenario", ""), "In each of them", INT_MAX);
}

/* Of controls with a few values; what they start with is no switch. */
static void print_control_switches(const struct result *result, int n_switch, int n,
                                   const struct control_switch *list)
{
    const struct result_data *t = result_data_of(result, "/grid", "t_interval");
    if (n_switch)
        printf("\nControls that switch%s%s%s\n", *t->units ? " (t in " : "", t->units, *t->units ? ")" : "");
    for (int k = 0, shown = 0; k < n && shown < MAX_EVENTS; k++) {
        if (isnan(list[k].from))
            continue;
        printf("  t = %-12.8g ", list[k].t);
        visible_print(list[k].control, stdout);
        printf(" from %.6g to %.6g\n", list[k].from, list[k].to);
        shown++;
    }
    if (n_switch > MAX_EVENTS)
        printf("  ... and %d more\n", n_switch - MAX_EVENTS);
}

static void print_events(const struct result *result)
{
    struct arena mem = { NULL };
    struct control_switch *list;
    const int n = control_switches(result, &mem, &list);
    int n_switch = 0;
    for (int k = 0; k < n; k++)
        n_switch += !isnan(list[k].from);
    if (result_axis_size(result, "/events", "event") == 0)
        printf("\nEvents: none%s\n", n_switch ? " but those of controls" : "");
    const struct result_data *t = result_data_of(result, "/events", "t");
    print_table(flat_table(result, "/events", "event", "element"),
                t && *t->units ? arena_printf(&mem, "Events (t in %s)", t->units) : "Events", MAX_EVENTS);
    print_control_switches(result, n_switch, n, list);
    arena_free(&mem);
}

/* What each contact, switch and machine of a simulation does, and from when to when: a column each. */
static struct table *mode_table(const struct result *result)
{
    const struct result_data *start = result_data_of(result, "/modes", "t_start");
    const struct result_data *end = result_data_of(result, "/modes", "t_end");
    const struct result_data *subject = result_data_of(result, "/modes", "subject");
    const struct result_data *state = result_data_of(result, "/modes", "state");
    struct table *table = table_create(2, (const char *const[]){ "start", "end" });
    if (!start || !start->d || !end || !end->d || end->n != start->n || !subject || !subject->text || !state
        || !state->text || state->n != start->n * subject->n)
        return table;
    for (int k = 0; k < subject->n; k++)
        (void)table_add_column(table, subject->text[k]);
    for (int j = 0; j < start->n; j++) {
        const int row = table_add_row(table);
        table_set_number(table, row, 0, start->d[j]);
        table_set_number(table, row, 1, end->d[j]);
        for (int k = 0; k < subject->n; k++)
            table_set_text(table, row, 2 + k, state->text[j * subject->n + k]);
    }
    return table;
}

static void print_modes(const struct result *result)
{
    struct arena mem = { NULL };
    const struct result_data *t = result_data_of(result, "/modes", "t_start");
    print_table(mode_table(result), t && *t->units ? arena_printf(&mem, "Modes (t in %s)", t->units) : "Modes",
                MAX_EVENTS);
    arena_free(&mem);
}

/* verbose: with what each mechanism of the search has done. */
static void print_result(const struct result *result, const char *path, bool verbose)
{
    shown_head(result, path);
    print_scenarios(result);
    print_role(result, "state", "States");
    print_role(result, "control", "Controls");
    print_user_phases(result);
    print_role(result, "contact", "Contacts");
    print_role(result, "output", "Outputs");
    print_role(result, "signal", "Signals");
    print_parameters(result);
    print_fit(result);
    print_events(result);
    print_modes(result);
    print_table(flat_table(result, "/homotopy", "step", ""), "Homotopy", INT_MAX);
    print_table(flat_table(result, "/residuals", "constraint", ""), "Worst constraints", MAX_RESIDUALS);
    print_attr_group(result, "/samples", "Samples");
    print_table(flat_table(result, "/outcomes", "outcome", ""), "Outcomes", MAX_OUTCOMES);
    print_table(flat_table(result, "/contacts", "velocity", ""), "Contact velocities", INT_MAX);
    print_table(flat_table(result, "/comparison", "rival", "parameter"), "Other laws", MAX_OUTCOMES);
    print_phases(result);
    if (verbose)
        print_table(flat_table(result, "/phases/discovery", "mechanism", ""), "Search", INT_MAX);
    print_plans(result);
    print_attr_group(result, "/verification", "Verification");
    print_attr_group(result, "/certificate", "Certificate");
    print_attr_group(result, "/bound", "Bound");
    print_table(flat_table(result, "/bound", "variable", ""), "Its box", INT_MAX);
    print_table(flat_table(result, "/bound/degrees", "attempt", ""), "Degrees", INT_MAX);
    print_table(flat_table(result, "/certificate", "function", ""), "Lyapunov functions", INT_MAX);
    print_attr_group(result, "/solver", "Solver");
}

/* --- One group, --group -------------------------------------------------------------------------------------- */

static void print_lines(const char *name, const char *text)
{
    printf("\n");
    visible_print(name, stdout);
    printf(":\n");
    visible_print_lines(text, stdout);
    printf("\n");
}

/* Does the group hold curves, which ranges tell more about than rows? */
static bool has_variables(const struct result_group *group)
{
    bool has = false;
    for (int k = 0; k < group->n_data; k++)
        has = has || (*group->data[k]->role && group->data[k]->n_axes > 0);
    return has;
}

static enum status print_group(const struct result *result, const struct cli_args *args, struct diag *diag)
{
    char path[256];
    snprintf(path, sizeof path, "%s%s", args->group[0] == '/' ? "" : "/", args->group);
    const struct result_group *group = result_find(result, path);
    if (!group)
        return diag_fail(diag, STATUS_USAGE, "%s has no group %s", args->input[0], path);
    printf("%s\n", path);
    print_attrs(group);
    for (int k = 0; k < group->n_axes; k++) {
        char size[80];
        const char *units = group->axis[k]->units;
        (void)snprintf(size, sizeof size, "axis of %d%s%.40s", group->axis[k]->n, *units ? ", in " : "", units);
        shown_label(group->axis[k]->name, 20, size);
    }
    struct table *table = range_table();
    const bool rows = !has_variables(group);
    for (int k = 0; rows && k < group->n_axes; k++)
        print_table(table_from_axis(group, group->axis[k]->name, ""), group->axis[k]->name, MAX_ROWS);
    for (int k = 0; k < group->n_data; k++) {
        const struct result_data *data = group->data[k];
        if (data->type == RESULT_TEXT && data->n == 1)
            print_lines(data->name, data->text[0]);     /* a spec */
        else if (!rows || data->n_axes != 1)
            add_range(table, data);
    }
    print_table(table, "Datasets", INT_MAX);
    return STATUS_OK;
}

/* --- As JSON ------------------------------------------------------------------------------------------------- */

static void print_json_attrs(const struct result_group *group)
{
    for (int k = 0; k < group->n_attrs; k++) {
        const struct result_attr *attr = group->attr[k];
        fputs(k ? ", " : "", stdout);
        print_json_text(attr->name, stdout);
        fputs(": ", stdout);
        if (attr->type == RESULT_TEXT)
            print_json_text(attr->text, stdout);
        else
            print_json_number(attr->d, stdout);
    }
}

static void print_json_parameters(const struct result *result)
{
    const struct result_group *group = result_find(result, "/parameters");
    for (int k = 0; group && k < group->n_data; k++) {
        const struct result_data *data = group->data[k];
        fputs(k ? ", " : "", stdout);
        print_json_text(data->name, stdout);
        fputs(": ", stdout);
        print_json_number(data->n == 1 && data->type != RESULT_TEXT ? result_value(data, 0) : (double)NAN, stdout);
    }
}

static void print_json_table(const char *key, struct table *table)
{
    printf(",\n\"%s\": ", key);
    table_print_json(table, stdout);
    table_free(table);
}

static void print_json(const struct result *result)
{
    fputs("{\"attributes\": {", stdout);
    print_json_attrs(result_find(result, "/"));
    fputs("},\n\"parameters\": {", stdout);
    print_json_parameters(result);
    fputs("}", stdout);
    if (result_find(result, "/solver")) {
        fputs(",\n\"solver\": {", stdout);
        print_json_attrs(result_find(result, "/solver"));
        fputs("}", stdout);
    }
    print_json_table("events", flat_table(result, "/events", "event", ""));
    print_json_table("modes", mode_table(result));
    print_json_table("homotopy", flat_table(result, "/homotopy", "step", ""));
    print_json_table("residuals", flat_table(result, "/residuals", "constraint", ""));
    fputs("}\n", stdout);
}

enum status cmd_show(const struct cli_args *args, struct diag *diag)
{
    struct result *result = NULL;
    enum status st = result_read(args->input[0], &result, diag);
    if (st != STATUS_OK)
        return st;
    if (args->json)
        print_json(result);
    else if (args->group)
        st = print_group(result, args, diag);
    else
        print_result(result, args->input[0], args->verbosity > 0);
    result_free(result);
    return st;
}
