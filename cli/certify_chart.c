#include "cli/certify_chart.h"

#include "cli/interrupt.h"
#include "cli/line.h"
#include "cli/output_file.h"
#include "cli/spec_command.h"
#include "cli/ticker.h"
#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/pool.h"
#include "core/base/stop.h"
#include "core/stability/falsify.h"
#include "core/sweep/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SAVE_SECONDS = 5;

/* --- What is asked ------------------------------------------------------------------------------------------- */

/* A:B:N */
static bool read_range(const char *text, struct chart_axis *axis)
{
    struct sweep_axis range;
    if (!sweep_axis_read(text, &range) || range.n > CHART_MAX_POINTS)
        return false;
    axis->first = range.first;
    axis->last = range.last;
    axis->n = range.n;
    return true;
}

/* PATH=A:B:N */
static enum status read_axis(const char *text, struct arena *mem, struct chart_axis *axis, struct diag *diag)
{
    const char *equals = strchr(text, '=');
    *axis = (struct chart_axis){ .path = NULL };
    if (!equals || equals == text || !read_range(equals + 1, axis))
        return diag_fail(diag, STATUS_USAGE, "--sweep wants PATH=FIRST:LAST:NUMBER, as parameters.d=0.1:2:40, got "
                         "\"%s\"", text);
    axis->path = arena_printf(mem, "%.*s", (int)(equals - text), text);
    return STATUS_OK;
}

enum status certify_chart_read(const struct cli_args *args, struct arena *mem, struct chart_axis *axis, struct diag *diag)
{
    long n = 1;
    if (args->n_sweep > 2)
        return diag_fail(diag, STATUS_USAGE, "--sweep may be given twice at most");
    for (int a = 0; a < args->n_sweep; a++) {
        const enum status st = read_axis(args->sweep[a], mem, &axis[a], diag);
        if (st != STATUS_OK)
            return st;
        n *= axis[a].n;
    }
    return n <= CHART_MAX_POINTS
               ? STATUS_OK
               : diag_fail(diag, STATUS_USAGE, "a sweep has at most %d points", CHART_MAX_POINTS);
}

/* --- One point, in a process of its own ---------------------------------------------------------------------- */

struct sweep {
    const struct cli_args *args;
    const struct output_origin *origin;
    struct chart chart;
    int *missing;                   /* the points that are to be found */
    double saved;                   /* when the file was last written */
};

struct answer { struct chart_point point; enum status status; char error[240]; };

/* args with the values of point k added as overrides; free() the override afterwards. */
static struct cli_args args_of_point(const struct cli_args *args, const struct chart *chart, int k,
                                     char text[2][40])
{
    struct cli_args at = *args;
    at.override = mem_alloc((size_t)(args->n_override + chart->n_axis), sizeof *at.override);
    for (int i = 0; i < args->n_override; i++)
        at.override[i] = args->override[i];
    for (int axis = 0; axis < chart->n_axis; axis++) {
        (void)snprintf(text[axis], 40, "%.17g", chart_value(chart, axis, k));
        at.override[at.n_override++] = (struct spec_override){ chart->axis[axis].path, text[axis] };
    }
    return at;
}

static void judge(const struct cli_args *args, struct problem *problem, struct answer *answer, struct diag *diag)
{
    struct certify_result found;
    struct chart_point *point = &answer->point;
    if (certify_model(problem->model, &problem->certify, true, &found, diag) != STATUS_OK)
        return;
    point->outcome = (int)found.verdict.outcome;
    point->level = found.level;
    point->margin = found.verdict.margin;
    memcpy(point->level_margin, found.level_margin, sizeof point->level_margin);
    (void)snprintf(point->reason, sizeof point->reason, "%s", found.verdict.reason);
    if (args->falsify && found.name[0] && !found.level) {
        struct arena mem = { NULL };
        struct falsify_result motion;
        const struct falsify_settings settings = falsify_defaults((uint64_t)problem->homotopy.seed);
        falsify(&found.body, &settings, &mem, &motion);
        point->growth = motion.factor;
        arena_free(&mem);
    }
}

/* pool_task.work */
static void find_point(void *user, int piece, void *out)
{
    const struct sweep *sweep = user;
    char text[2][40];
    struct problem problem;
    struct answer *answer = out;
    struct diag *diag = diag_create();
    struct cli_args at = args_of_point(sweep->args, &sweep->chart, sweep->missing[piece], text);
    *answer = (struct answer){ .point = chart_point_missing() };
    answer->status = problem_read(&at, MODEL_FOR_CERTIFY, &problem, diag);
    if (answer->status == STATUS_OK)
        judge(sweep->args, &problem, answer, diag);
    if (diag_n_errors(diag) > 0)
        (void)snprintf(answer->error, sizeof answer->error, "%s", diag_line(diag, 0));
    problem_free(&problem);
    free(at.override);
    diag_free(diag);
}

/* --- All points ---------------------------------------------------------------------------------------------- */

static enum status save(struct sweep *sweep, enum status st, struct diag *diag)
{
    const enum status written
        = output_file_write(sweep->args, chart_result(sweep->origin, &sweep->chart, st), diag);
    sweep->saved = clock_seconds();
    return written;
}

static void show_points(const struct sweep *sweep)
{
    char text[60];
    (void)snprintf(text, sizeof text, "%d of %d points", sweep->chart.n - chart_n_missing(&sweep->chart), sweep->chart.n);
    ticker_set(sweep->args->ticker, text);
}

/* pool_task.take */
static enum status take_point(void *user, int piece, const void *in, struct diag *diag)
{
    struct sweep *sweep = user;
    const struct answer *answer = in;
    if (answer->error[0])
        return diag_fail(diag, answer->status == STATUS_OK ? STATUS_SPEC : answer->status, "%s", answer->error);
    sweep->chart.point[sweep->missing[piece]] = answer->point;
    show_points(sweep);
    if (clock_seconds() - sweep->saved < SAVE_SECONDS)
        return STATUS_OK;
    if (sweep->args->verbosity >= 0 && !sweep->args->ticker)
        fprintf(stderr, "%d of %d points\n", sweep->chart.n - chart_n_missing(&sweep->chart), sweep->chart.n);
    return save(sweep, STATUS_LIMIT, diag);
}

static enum status find_missing(struct sweep *sweep, struct diag *diag)
{
    int n = 0;
    sweep->missing = mem_alloc((size_t)sweep->chart.n, sizeof *sweep->missing);
    for (int k = 0; k < sweep->chart.n; k++)
        if (sweep->chart.point[k].outcome < 0)
            sweep->missing[n++] = k;
    sweep->saved = clock_seconds();
    const struct pool_task task = {
        .n = n, .size = sizeof(struct answer), .work = find_point, .take = take_point, .user = sweep,
        .max_seconds = sweep->args->max_time, .interrupt = interrupt_flag()
    };
    const enum status st = pool_run(&task, diag);
    free(sweep->missing);
    return st;
}

static void print_summary(const struct sweep *sweep, enum status st, int n_kept, double seconds)
{
    const struct line line = { stdout, sweep->args->json };
    int count[4];
    chart_count(&sweep->chart, count);
    line_begin(&line, NULL, status_text(st), st, sweep->origin->model->name);
    line_count(&line, "points", sweep->chart.n);
    line_count(&line, "kept", n_kept);
    for (int k = 0; k < 4; k++)
        line_count(&line, certify_outcome_text((enum certify_outcome)k), count[k]);
    line_number(&line, "time", "%.2f", seconds);
    line_end(&line, sweep->args->out_path);
}

static enum status run(struct sweep *sweep, struct diag *diag)
{
    const double start = clock_seconds();
    const int n_there = chart_resume(&sweep->chart, sweep->args->out_path), n_kept = n_there > 0 ? n_there : 0;
    if (n_there == CHART_OF_ANOTHER && !sweep->args->force)
        return diag_fail(diag, STATUS_USAGE, "%s holds another sweep, or one with other settings; --force replaces it",
                         sweep->args->out_path);
    if (n_kept > 0 && sweep->args->verbosity >= 0)
        fprintf(stderr, "%s: %d of %d points are there\n", sweep->args->out_path, n_kept, sweep->chart.n);
    stop_keep();
    const enum status st = find_missing(sweep, diag), written = save(sweep, st, diag);
    if (written != STATUS_OK)
        return written;
    if (st == STATUS_OK || st == STATUS_LIMIT || st == STATUS_INTERRUPTED)
        print_summary(sweep, st, n_kept, clock_seconds() - start);
    return st;
}

enum status certify_chart_run(const struct cli_args *args, struct diag *diag)
{
    struct problem problem = { .spec = NULL };
    struct chart_axis axis[2];
    struct arena mem = { NULL };
    enum status st = certify_chart_read(args, &mem, axis, diag);
    if (st == STATUS_OK)
        st = problem_read(args, MODEL_FOR_CERTIFY, &problem, diag);
    if (st == STATUS_OK)
        st = output_file_check(args, diag);
    if (st == STATUS_OK) {
        const struct output_origin origin = problem_origin(args, &problem, "certify");
        struct sweep sweep = { .args = args, .origin = &origin };
        chart_init(&sweep.chart, args->n_sweep, axis, args->falsify, &origin);
        st = run(&sweep, diag);
        chart_free(&sweep.chart);
    }
    arena_free(&mem);
    problem_free(&problem);
    return st;
}
