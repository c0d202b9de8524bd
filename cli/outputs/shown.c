#include "cli/outputs/shown.h"

#include "cli/outputs/method_output.h"
#include "core/base/visible.h"

#include <math.h>
#include <stdio.h>

#define STANDS_STILL 1e-2           /* physical by numerical time, at most */

/* --- Lines ------------------------------------------------------------------------------------------------- */

void shown_label(const char *label, int width, const char *text)
{
    struct arena mem = { NULL };
    printf("  %-*s %s\n", width, visible_text(&mem, label), visible_text(&mem, text));
    arena_free(&mem);
}

void shown_text(const char *label, const char *text)
{
    if (text && *text)
        shown_label(label, 16, text);
}

void shown_number(const char *label, double value, const char *note)
{
    if (!isnan(value))
        printf("  %-16s %.8g%s\n", label, value, note);
}

/* --- What the file is -------------------------------------------------------------------------------------- */

/* A finished solution is a smooth program of its sequence of modes, however that was found: the method of
 * the spec is one of the ways. */
static void print_method(const struct result *result)
{
    const char *method = result_get_text(result_find(result, "/"), "method");
    const struct result_group *phases = result_find(result, "/phases");
    struct arena mem = { NULL };
    if (method && phases && result_get_text(phases, "sequence"))
        method = arena_printf(&mem, "a sequence of modes, finished (the spec: %s)", method);
    shown_text("method", method);
    arena_free(&mem);
}

/* Which generator of the search proposed the sequence, and what led from there to this one. */
static void print_found_by(const struct result *result)
{
    const struct result_group *phases = result_find(result, "/phases");
    const char *by = phases ? result_get_text(phases, "found_by") : NULL;
    const struct result_data *move = phases ? result_data_find(phases, "moved_by") : NULL;
    struct arena mem = { NULL };
    const int n = by && move && move->text ? move->n : 0;
    for (int k = 0; k < n; k++)
        by = arena_printf(&mem, "%s%s%s", by, k ? ", " : "; then ", move->text[k]);
    shown_text("found by", by);
    arena_free(&mem);
}

/* How far from the global optimum; the problem that it is about is told below, in its group. */
static void print_bound(const struct result *result)
{
    const struct result_group *group = result_find(result, "/bound");
    shown_text("bound", group ? result_get_text(group, "words") : NULL);
}

static void print_summary(const struct result *result, const char *path)
{
    const struct result_group *root = result_find(result, "/");
    const char *title = result_get_text(root, "title"), *status = result_get_text(root, "status");
    visible_print(title && *title ? title : path, stdout);
    printf(": ");
    visible_print(status ? status : "no status", stdout);
    if (result_get_int(root, "exit_code", -1) >= 0)
        printf(" (exit status %d)", result_get_int(root, "exit_code", -1));
    printf("\n");
    shown_text("file", path);
    print_method(result);
    print_found_by(result);
    shown_number("objective", result_get_double(root, "objective"), "");
    shown_number("complementarity", result_get_double(root, "complementarity"), " (largest product of a pair)");
    shown_number("infeasibility", result_get_double(root, "infeasibility"), " (largest violation)");
    shown_text("optimality", method_optimality_text(result));
    print_bound(result);
    shown_text("failure", result_get_text(root, "failure"));
    shown_text("made", result_get_text(root, "date_created"));
    shown_text("by", result_get_text(root, "source"));
    shown_text("command", result_get_text(root, "history"));
}

/* --- Times and the grid ------------------------------------------------------------------------------------ */

/* The last value of a dataset of /trajectory; NAN if there is none. */
static double last_value(const struct result *result, const char *name)
{
    const struct result_data *data = result_data_of(result, "/trajectory", name);
    return data && data->n > 0 ? result_value(data, data->n - 1) : NAN;
}

/* Its last value, and the unit of that. */
static void print_last(const struct result *result, const char *label, const char *name)
{
    const struct result_data *data = result_data_of(result, "/trajectory", name);
    if (isnan(last_value(result, name)))
        return;
    printf("  %-16s %.8g ", label, last_value(result, name));
    visible_print(data->units, stdout);
    printf("\n");
}

/* Of time-freezing: its speeds, and how much of numerical time goes by while physical time stands still. */
static void print_speed_of_time(const struct result *result)
{
    const struct result_data *speed = result_data_of(result, "/grid", "speed_of_time");
    const struct result_data *h = result_data_of(result, "/grid", "h");
    const struct result_data *start = result_data_of(result, "/grid", "t_start");
    const struct result_data *end = result_data_of(result, "/grid", "t_end");
    double least = NAN, largest = NAN, still = 0, all = 0;
    if (!speed || !speed->d || !h || !h->d || !start || !start->d || !end || !end->d || h->n != start->n
        || h->n != end->n)
        return;
    for (int k = 0; k < speed->n; k++) {
        least = fmin(least, speed->d[k]);
        largest = fmax(largest, speed->d[k]);
    }
    for (int e = 0; e < h->n; e++) {
        all += h->d[e];
        still += end->d[e] - start->d[e] < STANDS_STILL * h->d[e] ? h->d[e] : 0;
    }
    printf("  %-16s %.6g to %.6g by control interval; physical time stands still for %.4g of %.4g ",
           "speed of time", least, largest, still, all);
    visible_print(h->units, stdout);
    printf("\n");
}

static void print_time(const struct result *result)
{
    const double t = last_value(result, "t"), t_num = last_value(result, "t_num");
    print_last(result, "horizon", "t");
    if (fabs(t_num - t) > 1e-9 * fmax(1, fabs(t)))
        print_last(result, "numerical time", "t_num");
    print_speed_of_time(result);
    const int n_intervals = result_axis_size(result, "/grid", "interval");
    const int n_elements = result_axis_size(result, "/grid", "element");
    const int n_points = result_axis_size(result, "/trajectory", "point");
    if (n_points > 0)
        printf("  %-16s %d intervals, %d finite elements, %d points\n", "grid", n_intervals > 0 ? n_intervals : 0,
               n_elements > 0 ? n_elements : 0, n_points);
}

void shown_head(const struct result *result, const char *path)
{
    print_summary(result, path);
    print_time(result);
}
