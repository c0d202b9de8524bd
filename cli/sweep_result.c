#include "cli/sweep_result.h"

#include "cli/result_parts.h"
#include "core/base/mem.h"
#include "core/stability/certify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The grid ------------------------------------------------------------------------------------------------ */

enum { MAX_POINTS = 1000000 };

/* A:B:N */
static bool read_range(const char *text, struct sweep_axis *axis)
{
    char *end;
    axis->first = strtod(text, &end);
    if (end == text || *end != ':')
        return false;
    text = end + 1;
    axis->last = strtod(text, &end);
    if (end == text || *end != ':')
        return false;
    text = end + 1;
    const long n = strtol(text, &end, 10);
    axis->n = n < 1 || n > MAX_POINTS ? 0 : (int)n;
    return end != text && !*end && axis->n > 0 && isfinite(axis->first) && isfinite(axis->last);
}

/* PATH=A:B:N */
static enum status read_axis(const char *text, struct sweep_axis *axis, struct diag *diag)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !read_range(equals + 1, axis))
        return diag_fail(diag, STATUS_USAGE, "--sweep wants PATH=FIRST:LAST:NUMBER, as parameters.d=0.1:2:40, got "
                         "\"%s\"", text);
    axis->path = mem_copy_text(text);
    axis->path[equals - text] = '\0';
    return STATUS_OK;
}

double sweep_value(const struct sweep *sweep, int axis, int k)
{
    const struct sweep_axis *a = &sweep->axis[axis];
    const int place = axis == sweep->n_axis - 1 ? k % a->n : k / sweep->axis[sweep->n_axis - 1].n;
    return a->n == 1 ? a->first : a->first + (a->last - a->first) * place / (a->n - 1);
}

struct sweep_point sweep_point_missing(void)
{
    return (struct sweep_point){ .outcome = -1, .margin = NAN, .level_margin = { NAN, NAN, NAN }, .growth = NAN };
}

void sweep_count(const struct sweep *sweep, int *count)
{
    for (int k = 0; k <= CERTIFY_NO_EQUILIBRIUM; k++)
        count[k] = 0;
    for (int k = 0; k < sweep->n; k++)
        if (sweep->point[k].outcome >= 0)
            count[sweep->point[k].outcome]++;
}

/* The resolved spec and the grid: what decides about every point. */
static char *make_key(const struct cli_args *args, const struct sweep *sweep)
{
    char *resolved = problem_resolved(&sweep->problem);
    const size_t size = strlen(resolved) + strlen(sweep->axis[0].path) + 300
                        + (sweep->n_axis > 1 ? strlen(sweep->axis[1].path) : 0);
    char *key = mem_alloc(size, 1);
    int n = snprintf(key, size, "%s", args->falsify ? "falsify\n" : "");
    for (int a = 0; a < sweep->n_axis; a++)
        n += snprintf(key + n, size - (size_t)n, "%s=%.17g:%.17g:%d\n", sweep->axis[a].path, sweep->axis[a].first,
                      sweep->axis[a].last, sweep->axis[a].n);
    (void)snprintf(key + n, size - (size_t)n, "%s", resolved);
    free(resolved);
    return key;
}

enum status sweep_init(const struct cli_args *args, struct sweep *sweep, struct diag *diag)
{
    *sweep = (struct sweep){ .n = 1 };
    if (args->n_sweep > 2)
        return diag_fail(diag, STATUS_USAGE, "--sweep may be given twice at most");
    for (int a = 0; a < args->n_sweep; a++) {
        const enum status st = read_axis(args->sweep[a], &sweep->axis[a], diag);
        if (st != STATUS_OK)
            return st;
        sweep->n_axis++;
        const long n = (long)sweep->n * sweep->axis[a].n;
        if (n > MAX_POINTS)
            return diag_fail(diag, STATUS_USAGE, "a sweep has at most %d points", MAX_POINTS);
        sweep->n = (int)n;
    }
    const enum status st = problem_read(args, MODEL_FOR_CERTIFY, &sweep->problem, diag);
    if (st != STATUS_OK)
        return st;
    sweep->point = mem_alloc((size_t)sweep->n, sizeof *sweep->point);
    for (int k = 0; k < sweep->n; k++)
        sweep->point[k] = sweep_point_missing();
    sweep->name = mem_copy_text(sweep->problem.model->name);
    sweep->key = make_key(args, sweep);
    return STATUS_OK;
}

void sweep_free(struct sweep *sweep)
{
    for (int a = 0; a < sweep->n_axis; a++)
        free(sweep->axis[a].path);
    free(sweep->point);
    free(sweep->name);
    free(sweep->key);
    problem_free(&sweep->problem);
}

/* --- The table ----------------------------------------------------------------------------------------------- */

static const char *const names[] = {"outcome",  "level",    "reason",   "margin",
                                    "margin_p", "margin_e", "margin_m", "growth"};
enum { OUTCOME, LEVEL, REASON, MARGIN, MARGIN_P, MARGIN_E, MARGIN_M, GROWTH, N_NAMES };

static double number_of(const struct sweep_point *point, int which)
{
    if (which == MARGIN)
        return point->margin;
    return which == GROWTH ? point->growth : point->level_margin[which - MARGIN_P];
}

static const char *text_of(const struct sweep_point *point, int which)
{
    if (which == OUTCOME)
        return point->outcome < 0 ? "" : certify_outcome_text((enum certify_outcome)point->outcome);
    return which == LEVEL ? certify_level_text(point->level) : point->reason;
}

/* The last word of the path, unless a dataset has that name or the other axis. */
static char *axis_name(const struct sweep *sweep, int a)
{
    const char *path = sweep->axis[a].path, *dot = strrchr(path, '.'), *word = dot ? dot + 1 : path;
    bool taken = false;
    for (int k = 0; k < N_NAMES; k++)
        taken = taken || strcmp(names[k], word) == 0;
    if (a == 1) {
        char *other = axis_name(sweep, 0);
        taken = taken || strcmp(other, word) == 0;
        free(other);
    }
    char *name = mem_copy_text(taken ? path : word);
    for (char *c = name; *c; c++)
        if (*c == '.')
            *c = '_';
    return name;
}

static void add_axes(const struct sweep *sweep, struct result_group *group, int axis[2])
{
    for (int a = 0; a < sweep->n_axis; a++) {
        const int n = sweep->axis[a].n, stride = a == sweep->n_axis - 1 ? 1 : sweep->axis[sweep->n_axis - 1].n;
        char *name = axis_name(sweep, a);
        double *value = mem_alloc((size_t)n, sizeof *value);
        for (int k = 0; k < n; k++)
            value[k] = sweep_value(sweep, a, k * stride);
        axis[a] = result_axis(group, name, n, value, NULL, sweep->axis[a].path);
        free(value);
        free(name);
    }
}

static void add_table(const struct sweep *sweep, struct result_group *group)
{
    static const char *const long_name[N_NAMES] = {
        "what certify says", "the first level that certifies", "of the outcomes that are not certified",
        "of the outcome", "proved by level p alone, NaN: not", "proved by level e alone, NaN: not",
        "proved by level m alone, NaN: not", "largest growth of a random motion, where not certified (--falsify)"
    };
    int axis[2];
    double *number = mem_alloc((size_t)sweep->n, sizeof *number);
    const char **text = mem_alloc((size_t)sweep->n, sizeof *text);
    add_axes(sweep, group, axis);
    for (int which = 0; which < N_NAMES; which++) {
        for (int k = 0; k < sweep->n && which <= REASON; k++)
            text[k] = text_of(&sweep->point[k], which);
        for (int k = 0; k < sweep->n && which > REASON; k++)
            number[k] = number_of(&sweep->point[k], which);
        if (which <= REASON)
            result_texts(group, names[which], sweep->n_axis, axis, text, long_name[which]);
        else
            result_doubles(group, names[which], sweep->n_axis, axis, number, "1", long_name[which], NULL);
    }
    free(number);
    free(text);
}

static void add_counts(const struct sweep *sweep, struct result_group *group)
{
    int count[CERTIFY_NO_EQUILIBRIUM + 1];
    sweep_count(sweep, count);
    result_set_int(group, "points", sweep->n);
    for (int k = 0; k <= CERTIFY_NO_EQUILIBRIUM; k++)
        result_set_int(group, certify_outcome_text((enum certify_outcome)k), count[k]);
}

enum status sweep_write(const struct cli_args *args, const struct sweep *sweep, enum status st, const char *path,
                        struct diag *diag)
{
    const struct result_head head = { st, NAN, NAN, NAN };
    struct result *result = result_create();
    struct result_group *group = result_group(result, "/certificate");
    write_head(args, &sweep->problem, &head, result);
    result_set_text(result_group(result, "/"), "method", "certify");
    write_parameters(&sweep->problem, NULL, result);
    result_set_text(group, "scope",
                    "zero-order dynamics; that the exact model is stable too is plausible, not proved");
    add_counts(sweep, group);
    result_texts(group, "sweep", 0, NULL, &(const char *){ sweep->key }, "the grid and the spec of this table");
    add_table(sweep, group);
    write_spec(&sweep->problem, result);
    const enum status written = result_write(result, path, diag);
    result_free(result);
    return written;
}

/* --- Taking it up again -------------------------------------------------------------------------------------- */

static int outcome_of(const char *text)
{
    for (int k = 0; k <= CERTIFY_NO_EQUILIBRIUM; k++)
        if (strcmp(text, certify_outcome_text((enum certify_outcome)k)) == 0)
            return k;
    return -1;
}

static int level_of(const char *text)
{
    int level = LEVEL_M;
    while (level && strcmp(text, certify_level_text(level)) != 0)
        level /= 2;
    return level;
}

/* The datasets by number; false if one is missing or of another size. */
static bool find_table(const struct result_group *group, int n, const struct result_data *data[N_NAMES])
{
    for (int which = 0; which < N_NAMES; which++) {
        data[which] = result_data_find(group, names[which]);
        if (!data[which] || data[which]->n != n || (which <= REASON ? !data[which]->text : !data[which]->d))
            return false;
    }
    return true;
}

static int take_points(struct sweep *sweep, const struct result_data *const data[N_NAMES])
{
    int n_kept = 0;
    for (int k = 0; k < sweep->n; k++) {
        struct sweep_point *point = &sweep->point[k];
        point->outcome = outcome_of(data[OUTCOME]->text[k]);
        if (point->outcome < 0)
            continue;
        n_kept++;
        point->level = level_of(data[LEVEL]->text[k]);
        point->margin = data[MARGIN]->d[k];
        point->growth = data[GROWTH]->d[k];
        for (int which = 0; which < 3; which++)
            point->level_margin[which] = data[MARGIN_P + which]->d[k];
        (void)snprintf(point->reason, sizeof point->reason, "%s", data[REASON]->text[k]);
    }
    return n_kept;
}

int sweep_resume(struct sweep *sweep, const char *path)
{
    struct diag *diag = diag_create();          /* no file, or another one: nothing to take up */
    struct result *result = NULL;
    const struct result_data *data[N_NAMES];
    int n_kept = 0;
    if (result_read(path, &result, diag) == STATUS_OK) {
        const struct result_group *group = result_find(result, "/certificate");
        const struct result_data *key = group ? result_data_find(group, "sweep") : NULL;
        if (key && key->text && key->n == 1 && strcmp(key->text[0], sweep->key) == 0 &&
            find_table(group, sweep->n, data))
            n_kept = take_points(sweep, data);
    }
    result_free(result);
    diag_free(diag);
    return n_kept;
}
