/* Speed of the sets of outcomes of simultaneous impacts: problems of the paper (SVI 5.4), microseconds per LCP. */
#define _POSIX_C_SOURCE 200809L
#include "core/base/mem.h"
#include "core/impact/set.h"
#include "core/impact/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void run(const char *name, int n_samples, struct diag *diag)
{
    struct spec *spec = NULL;
    struct model *model = NULL;
    char path[200];
    snprintf(path, sizeof path, "problems/%s.yaml", name);
    if (spec_read_file(path, 0, NULL, &spec, diag) != STATUS_OK || model_read(spec, MODEL_FOR_IMPACT, &model, diag) != STATUS_OK)
        { diag_print(diag, stderr); exit(1);}
    struct setting_eval eval = model_eval(model);
    struct impact_settings settings;
    impact_settings_read(spec_get(spec_root(spec), "impact"), &eval, &settings, diag);
    double *x = mem_alloc((size_t)model->n_x, sizeof *x);
    for (int k = 0; k < model->n_x; k++) x[k] = model->x[k].initial.lo;
    struct impact_state state;
    if (impact_state_read(model, x, NULL, settings.gap_tol, 4, &state, diag) != STATUS_OK) {diag_print(diag, stderr); exit(1);}
    struct impact_step *step = impact_step_create(&state.system);
    struct impact_sampler sampler;
    impact_sampler_init(&sampler, step, state.v_minus, &settings);
    for (int threads = 1; threads <= 2; threads++) {
    struct impact_set set;
    struct impact_task task = {.sampler = &sampler, .n_samples = n_samples, .max_seconds = INFINITY, .n_threads = threads};
    impact_set_run(&task, &set);
    double lcps = 0, viol = 0, growth = 0, multi=0; int unterminated = 0, unsolved = 0;
    for (int k = 0; k < set.n; k++) {
        lcps += set.sample[k].n_steps;
        viol = fmax(viol, set.sample[k].violation);
        growth = fmax(growth, set.sample[k].growth);
        unterminated += !set.sample[k].terminated;
        unsolved += !set.sample[k].solved;
        multi += set.sample[k].n_multiple;
    }
    printf("%-14s threads %d n %d: %.3f s, %.3f LCPs/sample, %.3f us/LCP/core, multiple %.3f, violation %.1e growth %.1e unfinished %d unsolved %d\n", name, threads, set.n, set.seconds,
        lcps / set.n, 1e6 * set.seconds * threads/ lcps, multi/lcps, viol, growth, unterminated, unsolved);
    impact_set_free(&set);
    }
    impact_step_free(step);
    impact_state_free(&state);
    model_free(model);
    spec_free(spec);
    free(x);
}

int main(void)
{
    struct diag *diag = diag_create();
    run("rocking_block", 1 << 16, diag);
    run("compass_gait", 1 << 16, diag);
    run("box_wall", 1 << 16, diag);
    run("ramone", 1 << 16, diag);
    run("disk_stack", 1 << 14, diag);
    diag_free(diag);
}
