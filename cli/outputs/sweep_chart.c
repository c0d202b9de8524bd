#include "cli/outputs/sweep_chart.h"

#include "cli/problem.h"
#include "core/output/chart.h"
#include "core/results/digest.h"
#include "core/sweep/folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool sweep_has_chart(const struct sweep_points *points)
{
    bool has = points->n_axis >= 1 && points->n_axis <= 2 && points->n_path == points->n_axis
               && points->n_random == 1 && !points->is_table;
    for (int a = 0; a < points->n_axis && has; a++)
        for (int i = 0; i < points->axis[a].n && points->axis[a].value && has; i++) {
            char *end;
            const double value = strtod(points->axis[a].value[i], &end);
            has = end != points->axis[a].value[i] && !*end && isfinite(value);
        }
    return has;
}

/* The values of axis a, from the points along it. */
static struct chart_axis axis_of(const struct sweep_points *points, int a, struct arena *mem)
{
    const int n = points->axis[a].n, stride = a + 1 < points->n_axis ? points->axis[a + 1].n : 1;
    double *value = arena_alloc(mem, (size_t)n, sizeof *value);
    char text[SWEEP_VALUE_SIZE];
    for (int i = 0; i < n; i++)
        value[i] = strtod(sweep_points_value(points, i * stride, a, text), NULL);
    return (struct chart_axis){ points->path[a], n, value };
}

static void take_points(const char *folder, struct chart *chart)
{
    char path[SWEEP_PATH_SIZE];
    struct diag *silent = diag_create();        /* a point without a result stays empty */
    for (int k = 0; k < chart->n; k++) {
        struct result *result = NULL;
        if (result_read(sweep_folder_path(folder, k, ".h5", path), &result, silent) == STATUS_OK)
            chart_take(chart, k, result);
        result_free(result);
    }
    diag_free(silent);
}

enum status sweep_chart_write(const struct cli_args *args, const struct sweep_points *points, struct diag *diag)
{
    struct problem problem;
    struct chart chart;
    struct chart_axis axis[2];
    struct arena mem = { NULL };
    for (int a = 0; a < points->n_axis; a++)
        axis[a] = axis_of(points, a, &mem);
    enum status st = problem_read(args, MODEL_FOR_CERTIFY, &problem, diag);
    if (st == STATUS_OK) {
        const struct output_origin origin = problem_origin(args, &problem, "certify");
        chart_init(&chart, points->n_axis, axis);
        take_points(args->out_path, &chart);
        struct result *result = chart_result(&origin, &chart, chart_n_missing(&chart) ? STATUS_LIMIT : STATUS_OK);
        digest_write(result);
        st = result_write(result, arena_printf(&mem, "%s/chart.h5", args->out_path), diag);
        result_free(result);
        chart_free(&chart);
    }
    problem_free(&problem);
    arena_free(&mem);
    return st;
}
