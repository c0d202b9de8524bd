#include "cli/bundle.h"

#include "cli/interrupt.h"
#include "core/base/mem.h"
#include "core/base/random.h"
#include "transcription/record/columns.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- What is perturbed ------------------------------------------------------------------------------------ */

static int find_state(const struct model *model, const char *name, size_t length)
{
    for (int i = 0; i < model->n_x; i++)
        if (strlen(model->x[i].name) == length && strncmp(model->x[i].name, name, length) == 0)
            return i;
    return -1;
}

static enum status unknown_state(const struct model *model, const char *text, struct diag *diag)
{
    char *word = mem_copy_text(text);
    const char **names = mem_alloc((size_t)model->n_x, sizeof *names);
    for (int i = 0; i < model->n_x; i++)
        names[i] = model->x[i].name;
    word[strcspn(word, "=")] = '\0';
    const char *near = spec_suggest(word, model->n_x, names);
    const enum status st = diag_fail(diag, STATUS_USAGE, "--perturb: no state is called \"%s\"%s%s%s", word,
                                     near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
    free(names);
    free(word);
    return st;
}

struct perturbation { int state; double size; };

/* STATE=SIZE */
static enum status read_one(const struct model *model, const char *text, struct perturbation *out,
                            struct diag *diag)
{
    const char *equals = strchr(text, '=');
    char *end = NULL;
    const double size = equals ? strtod(equals + 1, &end) : NAN;
    if (!equals || equals == text || end == equals + 1 || *end || !(size >= 0) || isinf(size))
        return diag_fail(diag, STATUS_USAGE, "--perturb wants STATE=SIZE with SIZE a number >= 0, got \"%s\"",
                         text);
    *out = (struct perturbation){ find_state(model, text, (size_t)(equals - text)), size };
    return out->state < 0 ? unknown_state(model, text, diag) : STATUS_OK;
}

/* All of the command line: [args->n_perturb], malloc'ed; NULL if one is wrong. */
static struct perturbation *read_perturbations(const struct cli_args *args, const struct model *model,
                                               struct diag *diag)
{
    struct perturbation *list = mem_alloc((size_t)args->n_perturb, sizeof *list);
    for (int k = 0; k < args->n_perturb; k++)
        if (read_one(model, args->perturb[k], &list[k], diag) != STATUS_OK) {
            free(list);
            return NULL;
        }
    return list;
}

enum status bundle_check(const struct cli_args *args, const struct model *model, struct diag *diag)
{
    if (args->samples > 0 && args->n_perturb == 0 && !args->impacts)
        return diag_fail(diag, STATUS_USAGE, "--samples wants something that differs: --perturb STATE=SIZE, or "
                         "--impacts set");
    if (args->samples == 0 && args->n_perturb > 0)
        return diag_fail(diag, STATUS_USAGE, "--perturb wants the number of runs: --samples N");
    struct perturbation *list = read_perturbations(args, model, diag);
    free(list);
    return list ? STATUS_OK : STATUS_USAGE;
}

/* --- The samples ------------------------------------------------------------------------------------------ */

/* Evenly in [-1, 1]. */
static double draw(int seed, int sample, int k)
{
    const uint64_t run = random_mix(random_mix((uint64_t)seed) + (uint64_t)sample);
    return random_signed(random_mix(run + (uint64_t)k));
}

static void perturb(const struct bundle_task *task, const struct perturbation *list, int sample, double *x)
{
    memcpy(x, task->x_initial, (size_t)task->model->n_x * sizeof *x);
    for (int k = 0; k < task->args->n_perturb; k++)
        x[list[k].state] += list[k].size * draw(task->seed, sample, k);
}

static bool is_worse(enum status a, enum status b)
{
    return status_exit_code(a) > status_exit_code(b);
}

struct collected {                  /* [samples] runs */
    double *t;                      /* [n_points] */
    double *value;                  /* [column][sample][t] */
    int *n_events;
    const char **status;
};

static void collect(const struct bundle_task *task, int sample, const struct trajectory *points,
                    struct collected *all)
{
    const size_t n = (size_t)task->n_points, n_samples = (size_t)task->args->samples;
    for (int j = 0; j < trajectory_n_columns(points); j++)
        for (int k = 0; k < task->n_points; k++)
            all->value[((size_t)j * n_samples + (size_t)sample) * n + (size_t)k] =
                k < trajectory_n(points) ? trajectory_at(points, k, j) : NAN;
}

static void write_bundle(const struct bundle_task *task, const struct perturbation *list, int n_columns,
                         const struct collected *all, struct result *result)
{
    struct arena mem = { 0 };
    const struct column *about = columns_describe(task->model, &mem);
    struct result_group *group = result_group(result, "/bundle");
    const int n = task->n_points, n_samples = task->args->samples;
    const int axes[2] = { result_axis(group, "sample", n_samples, NULL, NULL, NULL),
                          result_axis(group, "t", n, all->t, "s", "physical time") };
    for (int j = 0; j < n_columns; j++)
        result_doubles(group, about[j].name, 2, axes, all->value + (size_t)j * (size_t)n_samples * (size_t)n,
                       about[j].units, about[j].long_name, about[j].role);
    result_texts(group, "status", 1, axes, all->status, "how the run ended; after its end values are NaN");
    result_ints(group, "n_events", 1, axes, all->n_events, "events of the run");
    result_set_int(group, "seed", task->seed);
    for (int k = 0; k < task->args->n_perturb; k++)
        result_set_double(group, arena_printf(&mem, "perturb_%s", task->model->x[list[k].state].name),
                          list[k].size);
    arena_free(&mem);
}

/* One run after the other into `all`; the first that cannot start ends it. */
static enum status run_samples(const struct bundle_task *task, const struct perturbation *list,
                               struct trajectory *points, struct collected *all, struct diag *diag)
{
    enum status worst = STATUS_OK;
    double *x = mem_alloc((size_t)task->model->n_x, sizeof *x);
    const struct bundle_times times = { task->n_points, all->t };
    for (int s = 0; s < task->args->samples; s++) {
        enum status st = STATUS_INTERRUPTED;
        perturb(task, list, s, x);
        trajectory_clear(points);
        if (!*interrupt_flag())
            st = task->sample(task->user, s, x, &times, points, &all->n_events[s], diag);
        if (st == STATUS_SPEC) {
            worst = diag_fail(diag, STATUS_SPEC,
                              "sample %d of the bundle cannot start; perturb less, or another state", s);
            break;
        }
        if (st != STATUS_OK && st != STATUS_INTERRUPTED)
            diag_add(diag, DIAG_NOTE, STATUS_OK, (struct srcpos){ .file = NULL }, NULL,
                     "sample %d of the bundle: %s", s, status_text(st));
        all->status[s] = status_text(st);
        collect(task, s, points, all);
        worst = is_worse(st, worst) ? st : worst;
    }
    free(x);
    return worst;
}

enum status bundle_run(const struct bundle_task *task, struct result *result, struct diag *diag)
{
    struct perturbation *list = read_perturbations(task->args, task->model, diag);
    if (!list)
        return STATUS_USAGE;
    struct trajectory *points = trajectory_create(task->model, NULL, task->u_expr);
    const size_t n_samples = (size_t)task->args->samples, n = (size_t)task->n_points;
    const int n_columns = trajectory_n_columns(points);
    struct collected all = {
        .t = mem_alloc(n, sizeof(double)), .value = mem_alloc((size_t)n_columns * n_samples * n, sizeof(double)),
        .n_events = mem_alloc(n_samples, sizeof(int)), .status = mem_alloc(n_samples, sizeof(char *))
    };
    for (int k = 0; k < task->n_points; k++)
        all.t[k] = task->t_end * k / (task->n_points - 1);
    const enum status st = run_samples(task, list, points, &all, diag);
    if (st != STATUS_SPEC)
        write_bundle(task, list, n_columns, &all, result);
    free(list);
    free(all.t);
    free(all.value);
    free(all.n_events);
    free(all.status);
    trajectory_free(points);
    return st;
}
