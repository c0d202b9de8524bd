#include "core/output/bundle.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/base/stop.h"
#include "core/model/kinematics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Evenly in [-1, 1]. */
static double draw(int seed, int sample, int k)
{
    const uint64_t run = random_mix(random_mix((uint64_t)seed) + (uint64_t)sample);
    return random_signed(random_mix(run + (uint64_t)k));
}

static void perturb(const struct bundle_task *task, int sample, double *x)
{
    memcpy(x, task->x_initial, (size_t)task->model->n_x * sizeof *x);
    for (int k = 0; k < task->n_perturbed; k++)
        x[task->perturbed[k].state] += task->perturbed[k].size * draw(task->seed, sample, k);
    kinematics_normalize(task->model, x);
}

struct sample { const char *status; int n_events; };

struct collected {
    double *t;                      /* [n_points] */
    double *value;                  /* [n_samples * n_points * n_column] */
    struct sample *sample;          /* [n_samples] */
};

/* The points there are, then NAN. */
static void collect(const struct bundle_task *task, int sample, const struct trajectory *found,
                    struct collected *all)
{
    const size_t n_column = (size_t)columns_count(task->model), n_all = (size_t)task->n_points * n_column;
    const size_t n = (size_t)found->points.n * n_column;
    double *to = all->value + (size_t)sample * n_all;
    if (n > 0)
        memcpy(to, found->points.column, n * sizeof *to);
    for (size_t k = n; k < n_all; k++)
        to[k] = NAN;
}

static void write_bundle(const struct bundle_task *task, const struct collected *all, struct result *result)
{
    static const struct result_field about[] = {
        { .name = "status", RESULT_TEXT, offsetof(struct sample, status), NULL,
          "how the run ended; after its end values are NaN" },
        { .name = "n_events", RESULT_INT, offsetof(struct sample, n_events), NULL, "events of the run" },
    };
    struct arena mem = { 0 };
    struct result_group *group = result_group(result, "/bundle");
    const int n = task->n_points, n_samples = task->n_samples, n_column = columns_count(task->model);
    const int axes[2] = { result_axis(group, "sample", n_samples, NULL, NULL, NULL),
                          result_axis(group, "t", n, all->t, UNITS_TIME, "physical time") };
    const struct result_rows rows = { all->value, (size_t)n_column * sizeof(double), n_samples * n };
    result_fields(group, 2, axes, rows, n_column, columns_describe(task->model, &mem));
    result_fields(group, 1, axes, (struct result_rows){ all->sample, sizeof *all->sample, n_samples }, 2, about);
    result_set_int(group, "seed", task->seed);
    for (int k = 0; k < task->n_perturbed; k++)
        result_set_double(group, arena_printf(&mem, "perturb_%s", task->model->x[task->perturbed[k].state].name),
                          task->perturbed[k].size);
    arena_free(&mem);
}

/* One run after the other into `all`; the first that cannot start ends it. */
static enum status run_samples(const struct bundle_task *task, struct trajectory *found, struct collected *all,
                               struct diag *diag)
{
    enum status worst = STATUS_OK;
    double *x = mem_alloc((size_t)task->model->n_x, sizeof *x);
    const struct output_times times = { task->n_points, all->t };
    for (int s = 0; s < task->n_samples; s++) {
        enum status st = stop_status();
        perturb(task, s, x);
        found->points.n = 0;
        if (!*task->interrupt)
            st = task->sample(task->user, s, x, &times, found, &all->sample[s].n_events, diag);
        if (st == STATUS_SPEC) {
            worst = diag_fail(diag, STATUS_SPEC,
                              "sample %d of the bundle cannot start; perturb less, or another state", s);
            break;
        }
        if (st != STATUS_OK && st != stop_status())
            diag_add(diag, DIAG_NOTE, STATUS_OK, (struct srcpos){ .file = NULL }, NULL,
                     "sample %d of the bundle: %s", s, status_text(st));
        all->sample[s].status = status_text(st);
        collect(task, s, found, all);
        worst = status_exit_code(st) > status_exit_code(worst) ? st : worst;
    }
    free(x);
    return worst;
}

enum status bundle_run(const struct bundle_task *task, struct result *result, struct diag *diag)
{
    struct arena mem = { NULL };
    struct trajectory found = trajectory_create(task->model, NULL, task->u_expr);
    const size_t n_samples = (size_t)task->n_samples, n = (size_t)task->n_points;
    struct collected all = {
        .t = arena_alloc(&mem, n, sizeof(double)),
        .value = arena_alloc(&mem, (size_t)columns_count(task->model) * n_samples * n, sizeof(double)),
        .sample = arena_alloc(&mem, n_samples, sizeof(struct sample))
    };
    for (int k = 0; k < task->n_points; k++)
        all.t[k] = task->t_end * k / (task->n_points - 1);
    const enum status st = run_samples(task, &found, &all, diag);
    if (st != STATUS_SPEC)
        write_bundle(task, &all, result);
    trajectory_free(&found);
    arena_free(&mem);
    return st;
}
