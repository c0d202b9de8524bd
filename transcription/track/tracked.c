/* What a tracked motion leaves in a result: results.md. */
#include "transcription/track/track.h"

#include "core/base/mem.h"
#include "core/output/run.h"
#include "core/output/scene.h"
#include "core/results/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The motion ---------------------------------------------------------------------------------------------- */

static struct output_run run_of(const struct model *model, const struct track_run *run)
{
    return (struct output_run){ .model = model, .controls = run->controls, .sim = run->sim };
}

static void write_trajectory(const struct layout *to, const struct tracked *tracked)
{
    struct trajectory list = trajectory_create(to->model, NULL, NULL);
    for (int k = 0; k < tracked->n_run; k++) {
        const struct output_run run = run_of(to->model, &tracked->run[k]);
        const bool has_before = sim_x_before(tracked->run[k].sim) != NULL;      /* an impulse: the run begins before it, */
        list.points.n -= has_before && list.points.n > 0;                       /* where the last one ended */
        const int n = list.points.n;
        output_run_add_pieces(&run, &list);
        if (n > 0 && list.points.n > n && !has_before) {       /* controls change here, after a disturbance states, too */
            list.points.point[n - 1].side = -1;
            list.points.point[n].side = 1;
        }
    }
    if (list.points.n)
        layout_trajectory(to, &list.points);
    trajectory_free(&list);
}

static void write_uniform(const struct layout *to, const struct tracked *tracked, int n)
{
    struct trajectory list = trajectory_create(to->model, NULL, NULL);
    double *t = mem_alloc((size_t)n, sizeof *t);
    const double end = sim_t_end(tracked->run[tracked->n_run - 1].sim);
    int k = 0;
    for (int i = 0; i < n; i++)
        t[i] = i + 1 < n ? end * i / (n - 1) : end;
    for (int r = 0; r < tracked->n_run; r++) {
        const struct output_run run = run_of(to->model, &tracked->run[r]);
        const int first = k;
        while (k < n && (r + 1 == tracked->n_run || t[k] < sim_t_end(tracked->run[r].sim))) k++;
        output_run_add_times(&run, &(struct output_times){ k - first, t + first }, &list);
    }
    if (list.points.n == n)
        layout_uniform(to, "/uniform", n, t, list.points.column);
    free(t);
    trajectory_free(&list);
}

static void write_events(const struct layout *to, const struct tracked *tracked)
{
    struct arena mem = { NULL };
    const size_t n_x = (size_t)to->model->n_x;
    size_t n = 0;
    for (int r = 0; r < tracked->n_run; r++)
        n += (size_t)sim_n_events(tracked->run[r].sim);
    struct layout_event *event = arena_alloc(&mem, n, sizeof *event);
    double *x = arena_alloc(&mem, 2 * n_x * n, sizeof *x);
    n = 0;
    for (int r = 0; r < tracked->n_run; r++)
        for (int k = 0; k < sim_n_events(tracked->run[r].sim); k++, n++) {
            const struct sim_event *from = sim_event_at(tracked->run[r].sim, k);
            event[n] = (struct layout_event){ .t = from->t, .t_num = from->t, .element = -1,
                                              .kind = sim_kind_text(from->kind),
                                              .name = sim_subject_name(tracked->run[r].sim, from->subject) };
            memcpy(event[n].impulse, from->impulse, sizeof event[n].impulse);
            memcpy(x + 2 * n_x * n, from->x_minus, n_x * sizeof *x);
            memcpy(x + 2 * n_x * n + n_x, from->x_plus, n_x * sizeof *x);
        }
    layout_events(to, (int)n, event, x);
    arena_free(&mem);
}

/* --- /plans -------------------------------------------------------------------------------------------------- */

static const char *status_of_plan(const void *row)
{
    return status_text(((const struct track_plan *)row)->status);
}

static const char *reason_of_plan(const void *row)
{
    return ((const struct track_plan *)row)->reason;
}

static void write_states(struct result_group *group, const int *axis, const struct tracked *tracked, int n_x)
{
    static const char *const name[2] = { "x", "x_measured" }, *const what[2] = { "state of the plant", "as measured" };
    double *x = mem_alloc((size_t)(tracked->n_plan * n_x), sizeof *x);
    for (int q = 0; q < 2; q++) {
        for (int k = 0; k < tracked->n_plan; k++)
            memcpy(x + k * n_x, q == 0 ? tracked->plan[k].x : tracked->plan[k].x_measured, (size_t)n_x * sizeof *x);
        result_doubles(group, name[q], 2, axis, x, NULL, what[q], NULL);
    }
    free(x);
}

static void write_plans(const struct layout *to, const struct tracked *tracked)
{
#define AT(name) offsetof(struct track_plan, name)
    static const struct result_field fields[] = {
        { .name = "t", RESULT_DOUBLE, AT(t), UNITS_TIME, "when the state was measured" },
        { .name = "t_from", RESULT_DOUBLE, AT(t_from), UNITS_TIME, "when it takes over" },
        { .name = "status", RESULT_TEXT, .long_name = "of the solve", .text = status_of_plan },
        { .name = "used", RESULT_FLAG, AT(is_used), NULL, "1: it has a solution; 0: the last plan goes on" },
        { .name = "feedback", RESULT_FLAG, AT(is_fed_back), NULL,
          "1: until it takes over, or all along without a solution, the last plan's controls answer to the measured state" },
        { .name = "objective", RESULT_DOUBLE, AT(objective), NULL, "from there on" },
        { .name = "horizon", RESULT_DOUBLE, AT(horizon), UNITS_TIME, "from there on" },
        { .name = "intervals", RESULT_INT, AT(n_interval), NULL, "control intervals" },
        { .name = "events", RESULT_INT, AT(n_event), NULL, "of its sequence" },
        { .name = "violation", RESULT_DOUBLE, AT(violation), NULL, "largest that is left" },
        { .name = "error", RESULT_DOUBLE, AT(error), NULL, "of its replay by events" },
        { .name = "iterations", RESULT_INT, AT(iterations), NULL, "of all its programs" },
        { .name = "seconds", RESULT_DOUBLE, AT(seconds), "s", "wall time of the solve" },
        { .name = "cpu_seconds", RESULT_DOUBLE, AT(cpu_seconds), "s", "processor time of the solve" },
        { .name = "reason", RESULT_TEXT, .long_name = "why it is not solved", .text = reason_of_plan },
    };
#undef AT
    struct result_group *group = result_group(to->result, "/plans");
    const int axes[2] = { result_axis(group, "plan", tracked->n_plan, NULL, NULL, NULL), layout_states(group, to->model) };
    result_fields(group, 1, axes, (struct result_rows){ tracked->plan, sizeof *tracked->plan, tracked->n_plan },
                  COUNT(fields), fields);
    write_states(group, axes, tracked, to->model->n_x);
}

static void write_summary(struct result *result, const struct track_task *task, const struct tracked *tracked)
{
    struct result_group *group = result_group(result, "/plans");
    result_set_text(group, "horizon", task->settings->horizon == TRACK_RECEDING ? "receding" : "shrinking");
    result_set_int(group, "resolves", tracked->n_plan - 1);
    result_set_int(group, "failed", tracked->n_failed);
    result_set_int(group, "fed_back", tracked->n_fed_back);
    result_set_double(group, "cpu_median", tracked->median);
    result_set_double(group, "cpu_99", tracked->slow);
    result_set_double(group, "cpu_worst", tracked->worst);
    result_set_double(group, "objective_first_plan", tracked->open_loop);
    result_set_double(group, "miss", tracked->miss);
    result_set_int(group, "seed", task->settings->seed);
    result_set_double(result_group(result, "/solver"), "time_total", tracked->seconds);
}

struct result *tracked_result(const struct output_origin *origin, const struct track_task *task,
                              const struct tracked *tracked, int n_uniform)
{
    const char *failure = *tracked->failure ? tracked->failure : NULL;
    const struct output_head head = { tracked->status, tracked->objective, NAN, NAN, failure };
    struct result *result = output_begin(origin, &head, NULL);
    const struct layout to = { result, origin->model, LAYOUT_PIECES, NULL, false };
    if (tracked->n_run) {
        write_trajectory(&to, tracked);
        write_uniform(&to, tracked, n_uniform);
        write_events(&to, tracked);
        layout_bounds(&to, "/trajectory");
        layout_bounds(&to, "/uniform");
        scene_write(origin->model, NULL, result);
    }
    if (tracked->n_plan)
        write_plans(&to, tracked);
    write_summary(result, task, tracked);
    output_write_spec(origin, result);
    return result;
}
