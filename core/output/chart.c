#include "core/output/chart.h"

#include "core/results/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_OUTCOMES = CERTIFY_NO_EQUILIBRIUM + 1 };

/* --- The grid ------------------------------------------------------------------------------------------------ */

int chart_n_missing(const struct chart *chart)
{
    int n = 0;
    for (int k = 0; k < chart->n; k++)
        n += chart->point[k].outcome < 0;
    return n;
}

static void count(const struct chart *chart, int *n)
{
    for (int k = 0; k < N_OUTCOMES; k++)
        n[k] = 0;
    for (int k = 0; k < chart->n; k++)
        if (chart->point[k].outcome >= 0)
            n[chart->point[k].outcome]++;
}

void chart_init(struct chart *chart, int n_axis, const struct chart_axis *axis)
{
    *chart = (struct chart){ .n_axis = n_axis, .n = 1 };
    for (int a = 0; a < n_axis; a++) {
        chart->axis[a] = axis[a];
        chart->n *= axis[a].n;
    }
    chart->point = arena_alloc(&chart->mem, (size_t)chart->n, sizeof *chart->point);
    for (int k = 0; k < chart->n; k++)
        chart->point[k] = (struct chart_point){ .outcome = -1, .margin = NAN, .level_margin = { NAN, NAN, NAN },
                                                .growth = NAN };
}

void chart_free(struct chart *chart)
{
    arena_free(&chart->mem);
}

/* --- A point ------------------------------------------------------------------------------------------------- */

static int outcome_named(const char *text)
{
    for (int k = 0; text && k < N_OUTCOMES; k++)
        if (strcmp(text, certify_outcome_text((enum certify_outcome)k)) == 0)
            return k;
    return -1;
}

static int level_named(const char *text)
{
    int level = text ? LEVEL_M : 0;
    while (level && strcmp(text, certify_level_text(level)) != 0)
        level /= 2;
    return level;
}

void chart_take(struct chart *chart, int k, const struct result *result)
{
    const struct result_group *group = result_find(result, "/certificate");
    const struct result_data *margin = result_data_of(result, "/certificate/levels", "level_margin");
    struct chart_point *point = &chart->point[k];
    const int outcome = group ? outcome_named(result_get_text(group, "outcome")) : -1;
    if (outcome < 0)
        return;
    const char *reason = result_get_text(group, "reason");
    point->outcome = outcome;
    point->level = level_named(result_get_text(group, "level"));
    point->margin = result_get_double(group, "margin");
    for (int i = 0; margin && margin->d && margin->n == 3 && i < 3; i++)
        point->level_margin[i] = margin->d[i];
    const struct result_group *growth = result_find(result, "/certificate/growth");
    point->growth = growth ? result_get_double(growth, "factor") : NAN;
    (void)snprintf(point->reason, sizeof point->reason, "%s", reason ? reason : "");
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
enum { N_FIELDS = sizeof fields / sizeof fields[0] };

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
    for (int a = 0; a < chart->n_axis; a++)
        axis[a] = result_axis(group, axis_name(chart, a, &mem), chart->axis[a].n, chart->axis[a].value, NULL,
                              chart->axis[a].path);
    result_fields(group, chart->n_axis, axis, (struct result_rows){ chart->point, sizeof *chart->point, chart->n },
                  N_FIELDS, fields);
    arena_free(&mem);
}

/* PATH=FIRST:LAST:NUMBER of each axis, then the spec. */
static const char *text_of_grid(const struct chart *chart, const struct output_origin *origin, struct arena *mem)
{
    const char *text = "";
    for (int a = 0; a < chart->n_axis; a++) {
        const struct chart_axis *axis = &chart->axis[a];
        text = arena_printf(mem, "%s%s=%.17g:%.17g:%d\n", text, axis->path, axis->value[0],
                            axis->value[axis->n - 1], axis->n);
    }
    return arena_printf(mem, "%s%s", text, origin->resolved);
}

struct result *chart_result(const struct output_origin *origin, const struct chart *chart, enum status st)
{
    struct arena mem = { NULL };
    const struct output_head head = { st, NAN, NAN, NAN, NULL };
    struct result *result = output_begin(origin, &head, NULL);
    struct result_group *group = result_group(result, "/certificate");
    const char *grid = text_of_grid(chart, origin, &mem);
    int n[N_OUTCOMES];
    count(chart, n);
    result_set_text(group, "scope",
                    "zero-order dynamics; that the exact model is stable too is plausible, not proved");
    result_set_int(group, "points", chart->n);
    for (int k = 0; k < N_OUTCOMES; k++)
        result_set_int(group, certify_outcome_text((enum certify_outcome)k), n[k]);
    result_texts(group, "sweep", 0, NULL, &grid, "the grid and the spec of this table");
    write_table(chart, group);
    output_write_spec(origin, result);
    arena_free(&mem);
    return result;
}
