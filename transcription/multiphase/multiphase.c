#include "transcription/multiphase/multiphase.h"

#include "core/base/mem.h"
#include "transcription/sequence/patches.h"

#include <stdlib.h>

static void create_blocks(struct phases *ph)
{
    const struct phase_system *sys = ph->sys;
    ph->motion = program_block(ph->prog, phase_system_function(sys, sys->out.n_motion, sys->motion));
    ph->state = program_block(ph->prog, phase_system_function(sys, sys->out.n_state, sys->state));
    ph->shock = program_block(ph->prog, phase_system_function(sys, sys->out.n_impact, sys->impact));
}

/* The points of an element: stages, and its end. */
static void set_points(struct phases *ph)
{
    const struct rk *rk = ph->rk;
    ph->n_point = rk->s + !rk->ends_at_one;
    ph->b = arena_alloc(&ph->mem, (size_t)ph->n_point, sizeof *ph->b);
    ph->c = arena_alloc(&ph->mem, (size_t)ph->n_point, sizeof *ph->c);
    for (int k = 0; k < rk->s; k++) {
        ph->b[k] = rk->b[k];
        ph->c[k] = rk->c[k];
    }
    if (!rk->ends_at_one)
        ph->c[rk->s] = 1;
}

enum status phases_create(const struct phase_system *sys, const struct sequence *seq, const struct phase_grid *grid,
                          const double *y_end, struct phases **out, struct diag *diag)
{
    struct phases *ph = mem_alloc(1, sizeof *ph);
    ph->sys = sys;
    ph->grid = *grid;
    *out = NULL;
    const enum status st = rk_create(grid->scheme, grid->stages, &ph->rk, diag);
    if (st != STATUS_OK) {
        phases_free(ph);
        return st;
    }
    ph->seq = sequence_copy(seq);
    (void)patches_settle(sys, ph->seq);
    ph->guess.end = arena_copy(&ph->mem, y_end, (size_t)sys->n_y, sizeof *y_end);
    if (grid->mode_y)
        ph->guess.mode =
            arena_copy(&ph->mem, grid->mode_y, (size_t)((seq->n_event + 1) * sys->n_y), sizeof *grid->mode_y);
    set_points(ph);
    ph->prog = program_create();
    create_blocks(ph);
    phases_lay_out(ph);
    phases_lay_out_interior_times(ph);
    phases_find_determined(ph);
    phases_find_carried(ph);
    phases_find_sticks(ph);
    phases_lay_out_sides(ph);
    phases_add_variables(ph);
    phases_add_lengths(ph);
    phases_add_motion(ph);
    phases_add_events(ph);
    phases_add_sides(ph);
    phases_add_resets(ph);
    phases_add_machines(ph);
    phases_add_interior_times(ph);
    phases_add_cost(ph);
    phases_add_starts(ph);
    phases_add_constraints(ph);
    phases_add_yields(ph);
    phases_add_checks(ph);
    ph->grid.check = arena_copy(&ph->mem, grid->check, (size_t)grid->n_check, sizeof *grid->check);
    ph->grid.end = arena_copy(&ph->mem, grid->end, (size_t)ph->grid.n_end, sizeof *grid->end);
    ph->grid.value = grid->value ? arena_copy(&ph->mem, grid->value, (size_t)(ph->n_interval * sys->model->n_u),
                                              sizeof *grid->value) : NULL;
    ph->grid.slack = ph->grid.event_part = ph->grid.mode_y = NULL;
    program_finish(ph->prog);
    program_set_weights(ph->prog, (struct program_weights){ 1, 0, 0 });     /* penalties: sticks.c */
    ph->mpcc = program_mpcc(ph->prog);
    *out = ph;
    return STATUS_OK;
}

void phases_free(struct phases *ph)
{
    if (!ph)
        return;
    sequence_free(ph->seq);
    program_free(ph->prog);
    rk_free(ph->rk);
    free(ph->instant);
    free(ph->free_force);
    arena_free(&ph->mem);
    free(ph);
}
