#include "core/output/chart.h"

#include "core/base/mem.h"
#include "core/results/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_OUTCOMES = CERTIFY_NO_EQUILIBRIUM + 1 };

/* --- The grid ------------------------------------------------------------------------------------------------ */

double chart_value(const struct chart *chart, int axis, int k)
{
    const struct chart_axis *a = &chart->axis[axis];
    const int place = axis == chart->n_axis - 1 ? k % a->n : k / chart->axis[chart->n_axis - 1].n;
    return a->n == 1 ? a->first : a->first + (a->last - a->first) * place / (a->n - 1);
}

struct chart_point chart_point_missing(void)
{
    return (struct chart_point){ .outcome = -1, .margin = NAN, .level_margin = { NAN, NAN, NAN }, .growth = NAN };
}

int chart_n_missing(const struct chart *chart)
{
    int n = 0;
    for (int k = 0; k < chart->n; k++)
        n += chart->point[k].outcome < 0;
    return n;
}

void chart_count(const struct chart *chart, int *count)
{
    for (int k = 0; k < N_OUTCOMES; k++)
        count[k] = 0;
    for (int k = 0; k < chart->n; k++)
        if (chart->point[k].outcome >= 0)
            count[chart->point[k].outcome]++;
}

void chart_init(struct chart *chart, int n_axis, const struct chart_axis *axis, bool is_falsified,
                const struct output_origin *origin)
{
    *chart = (struct chart){ .n_axis = n_axis, .n = 1 };
    chart->key = is_falsified ? "falsify\n" : "";
    for (int a = 0; a < n_axis; a++) {
        chart->axis[a] = axis[a];
        chart->n *= axis[a].n;
        chart->key = arena_printf(&chart->mem, "%s%s=%.17g:%.17g:%d\n", chart->key, axis[a].path, axis[a].first,
                                  axis[a].last, axis[a].n);
    }
    chart->key = arena_printf(&chart->mem, "%s%s", chart->key, origin->resolved);
    chart->point = arena_alloc(&chart->mem, (size_t)chart->n, sizeof *chart->point);
    for (int k = 0; k < chart->n; k++)
        chart->point[k] = chart_point_missing();
}

void chart_free(struct chart *chart)
{
    arena_free(&chart->mem);
}

/* --- The table ----------------------------------------------------------------------------------------------- */

static const char *outcome_of(const void *row)
{
    const struct chart_point *point = row;
    return point->outcome < 0 ? "" : certify_outcome_text((enum certify_outcome)point->outcome);
}

static const char *level_of(const void *row)
{
    const struct chart_point *point = row;
    return certify_level_text(point->level);
}

#define AT(name) offsetof(struct chart_point, name)
static const struct result_field fields[] = {
    { .name = "outcome", RESULT_TEXT, .long_name = "what certify says", .text = outcome_of },
    { .name = "level", RESULT_TEXT, .long_name = "the first level that certifies", .text = level_of },
    { .name = "reason", RESULT_TEXT, AT(reason), NULL, "of the outcomes that are not certified",
      .room = sizeof((struct chart_point *)NULL)->reason },
    { .name = "margin", RESULT_DOUBLE, AT(margin), "1", "of the outcome" },
    { .name = "margin_p", RESULT_DOUBLE, AT(level_margin[0]), "1", "proved by level p alone, NaN: not" },
    { .name = "margin_e", RESULT_DOUBLE, AT(level_margin[1]), "1", "proved by level e alone, NaN: not" },
    { .name = "margin_m", RESULT_DOUBLE, AT(level_margin[2]), "1", "proved by level m alone, NaN: not" },
    { .name = "growth", RESULT_DOUBLE, AT(growth), "1",
      "largest growth of a random motion, where not certified (--falsify)" },
};
#undef AT
enum { OUTCOME, LEVEL, FIRST_READ, N_FIELDS = sizeof fields / sizeof fields[0] };

/* The last word of the path, unless a dataset has that name or the other axis. */
static const char *axis_name(const struct chart *chart, int a, struct arena *mem)
{
    const char *path = chart->axis[a].path, *dot = strrchr(path, '.'), *word = dot ? dot + 1 : path;
    bool taken = a == 1 && strcmp(axis_name(chart, 0, mem), word) == 0;
    for (int k = 0; k < N_FIELDS; k++)
        taken = taken || strcmp(fields[k].name, word) == 0;
    char *name = arena_copy_text(mem, taken ? path : word);
    for (char *c = name; *c; c++)
        if (*c == '.')
            *c = '_';
    return name;
}

static void write_table(const struct chart *chart, struct result_group *group)
{
    struct arena mem = { NULL };
    int axis[2];
    for (int a = 0; a < chart->n_axis; a++) {
        const int n = chart->axis[a].n, stride = a == chart->n_axis - 1 ? 1 : chart->axis[chart->n_axis - 1].n;
        double *value = arena_alloc(&mem, (size_t)n, sizeof *value);
        for (int k = 0; k < n; k++)
            value[k] = chart_value(chart, a, k * stride);
        axis[a] = result_axis(group, axis_name(chart, a, &mem), n, value, NULL, chart->axis[a].path);
    }
    result_fields(group, chart->n_axis, axis, (struct result_rows){ chart->point, sizeof *chart->point, chart->n },
                  N_FIELDS, fields);
    arena_free(&mem);
}

struct result *chart_result(const struct output_origin *origin, const struct chart *chart, enum status st)
{
    const struct output_head head = { st, NAN, NAN, NAN, NULL };
    struct result *result = output_begin(origin, &head, NULL);
    struct result_group *group = result_group(result, "/certificate");
    int count[N_OUTCOMES];
    chart_count(chart, count);
    result_set_text(group, "scope",
                    "zero-order dynamics; that the exact model is stable too is plausible, not proved");
    result_set_int(group, "points", chart->n);
    for (int k = 0; k < N_OUTCOMES; k++)
        result_set_int(group, certify_outcome_text((enum certify_outcome)k), count[k]);
    result_texts(group, "sweep", 0, NULL, &chart->key, "the grid and the spec of this table");
    write_table(chart, group);
    output_write_spec(origin, result);
    return result;
}

/* --- Taking it up again -------------------------------------------------------------------------------------- */

static int outcome_named(const char *text)
{
    for (int k = 0; k < N_OUTCOMES; k++)
        if (strcmp(text, certify_outcome_text((enum certify_outcome)k)) == 0)
            return k;
    return -1;
}

static int level_named(const char *text)
{
    int level = LEVEL_M;
    while (level && strcmp(text, certify_level_text(level)) != 0)
        level /= 2;
    return level;
}

/* The points of a table of the same sweep; none if a dataset is missing or of another size. */
static int take_points(struct chart *chart, const struct result_group *group)
{
    const struct result_data *outcome = result_data_find(group, fields[OUTCOME].name);
    const struct result_data *level = result_data_find(group, fields[LEVEL].name);
    struct chart_point *point = mem_alloc((size_t)chart->n, sizeof *point);
    int n_kept = 0;
    const bool fits = outcome && outcome->text && outcome->n == chart->n && level && level->text
                      && level->n == chart->n
                      && !result_get_fields(group, point, sizeof *point, chart->n, 1, N_FIELDS - FIRST_READ,
                                            fields + FIRST_READ);
    for (int k = 0; k < chart->n && fits; k++) {
        point[k].outcome = outcome_named(outcome->text[k]);
        point[k].level = level_named(level->text[k]);
        if (point[k].outcome < 0)
            continue;
        chart->point[k] = point[k];
        n_kept++;
    }
    free(point);
    return n_kept;
}

/* Does the table hold anything that took time? */
static bool has_outcomes(const struct result_group *group)
{
    const struct result_data *outcome = result_data_find(group, fields[OUTCOME].name);
    for (int k = 0; outcome && outcome->text && k < outcome->n; k++)
        if (*outcome->text[k])
            return true;
    return false;
}

int chart_resume(struct chart *chart, const char *path)
{
    struct diag *diag = diag_create();          /* no file, or another one: nothing to take up */
    struct result *result = NULL;
    int n_kept = 0;
    if (result_read(path, &result, diag) == STATUS_OK) {
        const struct result_group *group = result_find(result, "/certificate");
        const struct result_data *key = group ? result_data_find(group, "sweep") : NULL;
        if (key && key->text && key->n == 1 && strcmp(key->text[0], chart->key) == 0)
            n_kept = take_points(chart, group);
        else if (key && has_outcomes(group))
            n_kept = CHART_OF_ANOTHER;
    }
    result_free(result);
    diag_free(diag);
    return n_kept;
}
