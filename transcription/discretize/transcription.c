#include "transcription/discretize/transcription.h"

#include "core/base/mem.h"
#include "transcription/discretize/initial.h"
#include "transcription/discretize/parts.h"
#include "transcription/discretize/recipe.h"
#include "transcription/system/create.h"

#include <stdlib.h>

/* The last NLP is (almost) free of what equilibration and dead bands add to the cost. */
static void fade_penalty(void *user, double sigma, bool last)
{
    (void)sigma;
    struct program_weights weights = program_weights(user);
    weights.penalty = last ? FADED_PENALTY : 1;
    program_set_weights(user, weights);
}

static enum status choose_scheme(struct transcription *tr, struct diag *diag)
{
    const struct discretization *settings = tr->settings;
    if (tr->dcs->kind == DCS_FORCES && !tr->dcs->impacts)       /* implicit Euler, fesd_j.md 10 */
        return rk_create(RK_RADAU_IIA, 1, &tr->rk, diag);
    return rk_create((enum rk_family)settings->scheme, settings->stages, &tr->rk, diag);
}

/* Does element j begin with a jump, n_element: does the horizon end with one? */
static bool jumps_at(const struct transcription *tr, int j)
{
    const int i = j == tr->n_element ? tr->n_interval : tr->interval_of[j];
    const bool begins = j == tr->n_element || j == tr->first[i];
    return begins && tr->task.optimize && model_jump_at(tr->model, i);
}

static void lay_out_grid(struct transcription *tr)
{
    const struct grid_shape *grid = &tr->task.grid;
    tr->n_interval = grid->n_interval;
    tr->elements = arena_copy(&tr->mem, grid->elements, (size_t)grid->n_interval, sizeof(int));
    tr->task.grid.elements = tr->elements;
    tr->first = arena_alloc(&tr->mem, (size_t)grid->n_interval, sizeof(int));
    for (int i = 0; i < grid->n_interval; i++) {
        tr->first[i] = tr->n_element;
        tr->n_element += grid->elements[i];
    }
    tr->interval_of = arena_alloc(&tr->mem, (size_t)tr->n_element + 1, sizeof(int));
    tr->h0 = arena_alloc(&tr->mem, (size_t)tr->n_element, sizeof(double));
    for (int i = 0; i < grid->n_interval; i++)
        for (int j = tr->first[i]; j < tr->first[i] + tr->elements[i]; j++) {
            tr->interval_of[j] = i;
            tr->h0[j] = tr_nominal_length(tr, i) / tr->elements[i];
        }
    tr->reset = arena_alloc(&tr->mem, (size_t)tr->n_element + 1, sizeof(int));
    for (int j = 0; j <= tr->n_element; j++)
        tr->reset[j] = jumps_at(tr, j) ? 0 : -1;
    tr->interval_of[tr->n_element] = tr->n_interval - 1;        /* of the end, which is the left of no element */
    tr->n_point = tr->rk->ends_at_one ? tr->rk->s : tr->rk->s + 1;
}

enum status transcription_create(struct model *model, const struct discretization *settings,
                                 const struct transcription_task *task, struct transcription **out,
                                 struct diag *diag)
{
    struct transcription *tr = mem_alloc(1, sizeof *tr);
    *out = NULL;
    tr->model = model;
    tr->settings = arena_copy(&tr->mem, settings, 1, sizeof *settings);
    tr->task = *task;
    enum status st;
    if ((st = dcs_create(model, settings, false, &tr->dcs, diag)) != STATUS_OK)     goto fail;
    if (settings->method != METHOD_TIME_STEPPING
        && (st = dcs_check_controls(tr->dcs, DIAG_ERROR, diag)) != STATUS_OK)       goto fail;
    const bool smooth = tr->dcs->n_pair == 0 && settings->control_grid == CONTROL_GRID_EQUIDISTANT;
    tr->switching = settings->method != METHOD_TIME_STEPPING && !smooth;
    if ((st = choose_scheme(tr, diag)) != STATUS_OK)                                goto fail;
    lay_out_grid(tr);
    if (tr->dcs->impacts)
        tr_lay_out_junctions(tr);
    tr->prog = program_create();
    tr_add_variables(tr);
    if ((st = tr_add_dynamics(tr, diag)) != STATUS_OK)                              goto fail;
    tr_add_grid_rows(tr);
    if (model->impulses.n_jump > 0 && task->optimize)
        tr_add_resets(tr);
    if (tr->junctions)
        tr_add_junctions(tr);
    tr_add_pairs(tr);
    tr_add_equilibration(tr);
    if (task->optimize) {
        tr_add_cost(tr);
        tr_add_constraints(tr);
        tr_add_gap_changes(tr);
        tr_add_user_pairs(tr);
    }
    program_finish(tr->prog);
    tr_hold_first_junction(tr);
    tr->mpcc = program_mpcc(tr->prog);
    tr->mpcc.set_sigma = fade_penalty;
    if (model->constraints.n_pair && task->optimize)
        tr->mpcc.first_sigma = tr_first_sigma(tr);
    tr_guess_user_pairs(tr);
    *out = tr;
    return STATUS_OK;
fail:
    transcription_free(tr);
    return st;
}

void transcription_free(struct transcription *tr)
{
    if (!tr)
        return;
    free(tr->lift);
    program_free(tr->prog);
    rk_free(tr->rk);
    dcs_free(tr->dcs);
    arena_free(&tr->mem);
    free(tr);
}
