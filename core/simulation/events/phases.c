/* Phases by the user: rows of controls that begin with them, and contacts that appear or go. */
#include "core/simulation/events/run.h"

#include <math.h>

static const double SAME = 1e-12;           /* of the horizon: a row that begins there begins with the phase */
static const double OVERLAP = 1e-8;         /* m, as at the start of a run */

/* --- Rows ---------------------------------------------------------------------------------------------------- */

/* Do the given rows say which phase they are in? */
static bool rows_tell(const struct model *model, const struct sim_controls *given)
{
    return given->n > 0 && !isnan(given->u[model->time.phase[0].u]);
}

/* The next start of a given row (*row) or a phase (*phase), which move on; INFINITY: none. */
static double next_start(const struct sim_controls *given, const struct model *model, const double *grid, int *row,
                         int *phase)
{
    const double same = SAME * grid[model->time.n_intervals];
    const double of_row = *row + 1 < given->n ? given->t[*row + 1] : INFINITY;
    const double of_phase = *phase + 1 < model->time.n_phase ? grid[model->time.phase[*phase + 1].first] : INFINITY;
    const double t = fmin(of_row, of_phase + same) < of_phase - same ? of_row : of_phase;
    *row += of_row <= t + same && isfinite(of_row);
    *phase += of_phase <= t + same && isfinite(of_phase);
    return t;
}

static void fill_row(const struct model *model, const struct sim_controls *given, int row, int phase, double *u)
{
    for (int i = 0; i < model->n_u; i++)
        u[i] = model_is_phase(model, i) ? i == model->time.phase[phase].u
               : given->n > 0           ? given->u[row * model->n_u + i]
                                        : NAN;
}

void phases_add_rows(struct sim *sim)
{
    const struct model *model = sim->task.model;
    const struct sim_controls given = sim->task.controls;
    if (model->time.n_phase == 0 || rows_tell(model, &given))
        return;
    const size_t most = (size_t)(given.n + model->time.n_phase + 1), n_u = (size_t)model->n_u;
    double *grid = arena_alloc(&sim->mem, (size_t)model->time.n_intervals + 1, sizeof *grid);
    double *t = arena_alloc(&sim->mem, most, sizeof *t), *u = arena_alloc(&sim->mem, most * n_u, sizeof *u);
    int n = 0, row = 0, phase = 0;
    model_grid(model, sim->task.t_end, sim_p(sim), grid);
    t[0] = given.n > 0 ? fmin(given.t[0], 0) : 0;
    fill_row(model, &given, row, phase, u);
    for (double next = next_start(&given, model, grid, &row, &phase); isfinite(next);
         next = next_start(&given, model, grid, &row, &phase)) {
        t[++n] = next;
        fill_row(model, &given, row, phase, u + (size_t)n * n_u);
    }
    sim->task.controls = (struct sim_controls){ n + 1, t, u };
}

/* --- Where one begins ---------------------------------------------------------------------------------------- */

enum status phases_check_overlaps(struct sim *sim)
{
    struct system *sys = sim->sys;
    flow_set_inputs(&sim->flow, &sim->mode, sim->t, sim->x);
    system_eval_contacts(sys);
    for (int c = 0; c < sys->n_c && !sim->task.penetration_is_fine; c++)
        if (system_contact(sys, c).gap < -OVERLAP && !mode_is_closed(sim->mode.of[c]))
            return run_fail(sim, STATUS_NUMERIC,
                            "t = %.9g: the gap of %s is %.6g where it appears: the bodies overlap", sim->t,
                            sys->model->contacts.contact[c].name, system_contact(sys, c).gap);
    return run_check_sets(sim);
}

enum status phases_begin(struct sim *sim)
{
    const struct model_phase *phase = sim->begins;
    if (!phase)
        return STATUS_OK;
    sim->begins = NULL;
    jumps_apply(sim, model_jump_at(sim->sys->model, phase->first), phase);
    return phases_check_overlaps(sim);
}
