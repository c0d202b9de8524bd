/* Speed of the sets of outcomes of simultaneous impacts, on the systems of SVI 5.4; one core, processor time.
 *
 *   Lemke    microseconds per LCP of SVI (75) by Lemke's method with random cover and order; aims: 2 for two contacts,
 *            30 for five
 *   listed   microseconds per step that lists all solutions, for systems with few enough modes; aim: 30
 *   sample   of Algorithm 1 as `cocp impact` runs it: steps per sample beside Table 3 of the paper, microseconds
 *            per step, and seconds that 2^20 samples take on two cores
 *
 * The paper reports 700 to 1300 microseconds per LCP (MATLAB, PATH). Steps are those met in samples.
 */
#define _POSIX_C_SOURCE 200809L
#include "core/base/mem.h"
#include "core/impact/set.h"
#include "core/impact/state.h"
#include "core/model/read/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N_STEPS = 4096 };

/* Of this process: others may share the machine. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct setup {
    struct diag *diag;
    struct spec *spec;
    struct model *model;
    struct impact_settings settings;
    struct impact_state state;
    struct impact_step *step;
    struct impact_sampler sampler;
};

static void fail(struct setup *b)
{
    diag_print(b->diag, stderr);
    exit(1);
}

static void set_up(struct setup *b, const char *name, int n_override, const struct spec_override *override)
{
    char path[200];
    (void)snprintf(path, sizeof path, "problems/%s.yaml", name);
    b->diag = diag_create();
    if (spec_read_file(path, n_override, override, &b->spec, b->diag) != STATUS_OK
        || model_read(b->spec, MODEL_FOR_IMPACT, &b->model, b->diag) != STATUS_OK)
        fail(b);
    const struct setting_eval eval = model_eval(b->model);
    double *x = mem_alloc((size_t)b->model->n_x, sizeof *x);
    for (int k = 0; k < b->model->n_x; k++)
        x[k] = b->model->x[k].initial.lo;
    if (settings_read(&impact_table, spec_get(spec_root(b->spec), "impact"), &eval, &b->settings, b->diag)
        != STATUS_OK
        || impact_state_read(b->model, x, NULL, b->settings.gap_tol, 4, &b->state, b->diag) != STATUS_OK)
        fail(b);
    b->step = impact_step_create(&b->state.system);
    impact_sampler_init(&b->sampler, b->step, b->state.v_minus, &b->settings);
    free(x);
}

static void tear_down(struct setup *b)
{
    impact_step_free(b->step);
    arena_free(&b->state.mem);
    model_free(b->model);
    spec_free(b->spec);
    diag_free(b->diag);
}

struct starts { double u[N_STEPS][IMPACT_MAX_ROWS], lambda_max[N_STEPS][IMPACT_MAX_CONTACTS]; };

/* Steps met in samples: the velocities along paths, with new bounds. */
static void collect(const struct setup *b, struct starts *starts)
{
    const struct impact_system *system = &b->state.system;
    const int n_points = b->settings.max_steps + 1;
    struct impact_set set;
    const struct impact_task task = { .sampler = &b->sampler, .n_samples = N_STEPS, .n_paths = N_STEPS,
                                      .path_points = n_points, .n_threads = 1, .max_seconds = INFINITY };
    (void)impact_set_run(&task, &set);
    for (int k = 0; k < N_STEPS; k++) {
        const int at = set.sample[k].n_steps > 0 ? k % set.sample[k].n_steps : 0;
        memcpy(starts->u[k], set.path + (k * n_points + at) * system->n_row,
               (size_t)system->n_row * sizeof(double));
        for (int c = 0; c < system->n_contact; c++)
            starts->lambda_max[k][c] = b->settings.h * draw_random(5, (uint64_t)k, (uint64_t)c);
    }
    arena_free(&set.mem);
}

static double time_lemke(const struct setup *b, const struct starts *starts)
{
    struct impact_step_work *work = impact_step_work_create(b->step);
    double lambda[IMPACT_MAX_ROWS], u_plus[IMPACT_MAX_ROWS], best = INFINITY;
    for (int run = 0; run < 5; run++) {
        const double start = seconds();
        for (int k = 0; k < N_STEPS; k++)
            if (!impact_step_draw(b->step, work, starts->u[k], starts->lambda_max[k], 1, (uint64_t)k, 0, lambda,
                                  u_plus))
                exit(1);
        best = fmin(best, seconds() - start);
    }
    impact_step_work_free(work);
    return 1e6 * best / N_STEPS;
}

static double time_listed(const struct setup *b, const struct starts *starts)
{
    static struct impact_solutions found;
    double best = INFINITY;
    for (int run = 0; run < 5 && b->step->modes; run++) {
        const double start = seconds();
        for (int k = 0; k < N_STEPS; k++)
            impact_modes_solve(b->step->modes, starts->u[k], starts->lambda_max[k], &found);
        best = fmin(best, seconds() - start);
    }
    return 1e6 * best / N_STEPS;
}

static void time_samples(const struct setup *b, double table_3)
{
    struct impact_set set;
    const struct impact_task task = { .sampler = &b->sampler, .n_samples = 1 << 15, .n_threads = 1,
                                      .max_seconds = INFINITY };
    double lcps = 0;
    const double start = seconds();
    (void)impact_set_run(&task, &set);
    const double time = seconds() - start;
    for (int k = 0; k < set.n; k++)
        lcps += set.sample[k].n_steps;
    printf("%8.2f %8.2f %8.2f %8.1f\n", lcps / set.n, table_3, 1e6 * time / lcps, time * 32 / 2);
    arena_free(&set.mem);
}

static void bench(const char *name, const char *label, double table_3, int n_override,
                  const struct spec_override *override)
{
    static struct starts starts;
    struct setup b;
    set_up(&b, name, n_override, override);
    collect(&b, &starts);
    printf("%-16s %8d %8.2f ", label, b.state.system.n_contact, time_lemke(&b, &starts));
    if (b.step->modes)
        printf("%8.2f ", time_listed(&b, &starts));
    else
        printf("%8s ", "-");
    time_samples(&b, table_3);
    tear_down(&b);
}

int main(void)
{
    const struct spec_override heavy = { "parameters.m", "5" };
    printf("impacts: microseconds on one core; seconds of 2^20 samples on two\n");
    printf("%-16s %8s %8s %8s %8s %8s %8s %8s\n", "", "contacts", "Lemke", "listed", "steps", "Table 3", "a step",
           "2^20");
    bench("rocking_block", "rocking block", 2.67, 0, NULL);
    bench("compass_gait", "compass gait", 2.27, 0, NULL);
    bench("box_wall", "box and wall", 1.97, 0, NULL);
    bench("ramone", "RAMone", 3.20, 0, NULL);
    bench("disk_stack", "disks of 1 kg", NAN, 0, NULL);
    bench("disk_stack", "disks of 5 kg", 9.04, 1, &heavy);
    return 0;
}
