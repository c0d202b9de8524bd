#include "transcription/step/runner.h"

#include "transcription/discretize/initial.h"
#include "transcription/method/method.h"

#include <math.h>
#include <string.h>

double step_band(const struct runner *run)
{
    const double given = run->sim->discretization->dead_band;
    if (!run->freezes || !method_needs_band(run->sim->model))
        return 0;
    return isnan(given) ? STEP_BAND : given;
}

static enum status create_step(const struct runner *run, const struct step_shape *shape, const struct step_try *how,
                               struct transcription **out)
{
    const struct model *model = run->sim->model;
    const bool fixed_grid = run->sim->discretization->method == METHOD_TIME_STEPPING;
    const int n_element = model->time.elements[0] + (fixed_grid ? 0 : how->extra_elements);
    const struct transcription_task task = {
        .grid = { .n_interval = 1, .elements = &n_element, .horizon = shape->length },
        .optimize = false, .end = shape->end, .t_end = shape->t_end, .dead_band = step_band(run) * how->band
    };
    return transcription_create(run->sim->model, run->sim->discretization, &task, out, run->diag);
}

enum status step_find_program(struct runner *run, const struct step_shape *shape, const struct step_try *how,
                             struct step_solution *step)
{
    struct kept_program key = { NULL, shape->length, how->extra_elements, how->band };
    step->owns_tr = shape->end == END_OF_PHYSICAL_TIME;
    if (step->owns_tr)
        return create_step(run, shape, how, &step->tr);
    for (int k = 0; k < N_CACHE; k++) {
        const struct kept_program *have = &run->kept[k];
        if (have->tr && have->n_element == key.n_element && have->band == key.band
            && fabs(have->length - key.length) <= SAME_LENGTH * runner_time_tol(run)) {
            step->tr = have->tr;
            return STATUS_OK;
        }
    }
    const enum status st = create_step(run, shape, how, &key.tr);
    if (st != STATUS_OK)
        return st;
    const int slot = run->n_kept++ % N_CACHE;
    transcription_free(run->kept[slot].tr);
    run->kept[slot] = key;
    step->tr = key.tr;
    return STATUS_OK;
}

static void set_controls(const struct runner *run, struct transcription *tr)
{
    const struct control_table *table = run->sim->controls;
    const struct model *model = tr->model;
    for (int k = 0; k < model->n_u; k++) {
        double u = isnan(model->u[k].guess) ? 0 : model->u[k].guess;
        if (table && !isnan(table->u[run->row * table->n_u + k]))
            u = table->u[run->row * table->n_u + k];
        program_set_bounds(tr->prog, tr->u[0] + k, u, u);
        program_guess(tr->prog)[tr->u[0] + k] = u;
    }
}

/* A switching function that is zero but for rounding is zero: a multiplier of 1e-12 would close the other side. */
static void snap_multipliers(struct transcription *tr, double tol)
{
    double *w0 = program_guess(tr->prog);
    for (int i = 0; i < tr->dcs->n_lam; i++) {
        const int var = tr->lam0 + i;
        if (fabs(w0[var]) > tol)
            continue;
        w0[var] = 0;
        if (!tr->start_is_free)
            program_set_bounds(tr->prog, var, 0, 0);
    }
}

/* Everything as it is now: states at all points, multipliers half open or as the state says (presolve.md 1). */
static void guess_step(const struct runner *run, struct transcription *tr, const struct step_try *how)
{
    const struct dcs *dcs = tr->dcs;
    double *w0 = program_guess(tr->prog);
    double t = run->t;
    for (int j = 0; j < tr->n_element; j++) {
        w0[tr->h[j]] = tr->h0[j];
        for (int k = 1; k <= tr->n_point; k++) {
            double *y = &w0[tr_y(tr, j, k, 0)], *lam = &w0[tr_lam(tr, j, k, 0)];
            memcpy(y, run->x, (size_t)tr->model->n_x * sizeof *y);
            if (dcs->clock >= 0)
                y[dcs->clock] = t + tr_c(tr, k) * tr->h0[j];
            for (int i = 0; i < dcs->n_lam; i++)
                lam[i] = how->consistent ? w0[tr->lam0 + i] : dcs->lam[i].guess;
            for (int i = 0; i < dcs->n_sel && tr_is_stage(tr, k); i++)
                w0[tr_sel(tr, j, k) + i] = dcs->sel[i].guess;
            for (int i = 0; i < dcs->n_z && tr_is_stage(tr, k); i++)
                w0[tr_z(tr, j, k) + i] = dcs->z[i].guess;
        }
        t += tr->h0[j];
    }
}

void step_prepare(struct runner *run, struct transcription *tr, const struct step_try *how)
{
    tr_set_initial(tr, run->x, run->t);
    snap_multipliers(tr, fmax(SNAP, tr->task.dead_band));
    set_controls(run, tr);
    guess_step(run, tr, how);
    tr_guess_junctions(tr);
    tr_hold_first_junction(tr);
}
