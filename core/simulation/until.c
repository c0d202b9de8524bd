#include "core/simulation/until.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Waits, watches from `after` on, and has seen e rise above 0. */
static void add_watch(struct model *model, double after, expr e)
{
    enum { WAITS, WATCHES, HAS_SEEN, N_STATE };
    static const char *const state[N_STATE] = { "waits", "watches", "has seen" };
    struct model_machine *all = arena_alloc(&model->mem, (size_t)model->switching.n_machine + 1, sizeof *all);
    struct model_transition *transition = arena_alloc(&model->mem, 2, sizeof *transition);
    transition[0] = (struct model_transition){ .name = "phase.begins", .path = "phases", .from = WAITS, .to = WATCHES,
                                               .when = EXPR_NONE, .after = after };
    transition[1] = (struct model_transition){ .name = "phase.ends", .path = "phases", .from = WATCHES, .to = HAS_SEEN,
                                               .when = e, .after = NAN };
    for (int k = 0; k < model->switching.n_machine; k++)
        all[k] = model->switching.machine[k];
    all[model->switching.n_machine++] = (struct model_machine){
        .name = "phase", .path = "phases", .n_state = N_STATE, .start = after > 0 ? WAITS : WATCHES,
        .state = arena_copy(&model->mem, state, N_STATE, sizeof *state), .n_transition = 2, .transition = transition };
    model->switching.machine = all;
}

/* When the watch has seen it; NAN: never. */
static double time_seen(const struct sim *sim, const struct model *model)
{
    int last = model->contacts.n_contact + sim_n_switch(sim) - 1;
    for (int m = 0; m < model->switching.n_machine; m++)
        last += model->switching.machine[m].n_transition;
    for (int k = 0; k < sim_n_events(sim); k++)
        if (sim_event_at(sim, k)->kind == SIM_TRANSITION && sim_event_at(sim, k)->subject == last)
            return sim_event_at(sim, k)->t;
    return NAN;
}

static enum status find_length(const struct sim_task *given, const struct model_phase *phase, double start,
                               double *p, struct diag *diag)
{
    struct sim_task task = *given;
    struct sim *sim = NULL;
    const double most = given->model->param[given->model->p_param[phase->p]].ub;
    if (isinf(most))
        return diag_error(diag, phase->until_pos, phase->path, "a simulation needs a greatest length, to know when to give up: "
                          "length: {max: 2}");
    task.model = model_fork(given->model);
    task.p = p;
    task.t_end = start + most;
    p[phase->p] = most;
    add_watch(task.model, start, phase->until);
    enum status st = sim_run(&task, &sim, diag);
    const double end = sim ? time_seen(sim, task.model) : NAN;
    p[phase->p] = end - start;
    if (st == STATUS_OK && isnan(end))
        st = diag_error(diag, phase->until_pos, phase->path, "does not end by its condition within %.6g %s%s%s",
                        most, given->model->time.unit, sim_message(sim) ? ": " : "",
                        sim_message(sim) ? sim_message(sim) : "");
    else if (st == STATUS_OK && !(end > start))
        st = diag_error(diag, phase->until_pos, phase->path,
                        "ends where it begins, at t = %.6g: its condition holds there", end);
    sim_free(sim);
    model_free(task.model);
    return st;
}

enum status sim_find_lengths(const struct sim_task *task, double *p, struct diag *diag)
{
    const struct model *model = task->model;
    enum status st = STATUS_OK;
    double start = task->t_start;
    for (int k = 0; k < model->time.n_phase && st == STATUS_OK; k++) {
        const struct model_phase *phase = &model->time.phase[k];
        if (phase->until != EXPR_NONE)
            st = find_length(task, phase, start, p, diag);
        start += phase->p >= 0 ? p[phase->p] : phase->length;
    }
    return st;
}
