/* Final values that what is closed, sticks or slides at the end implies would repeat its rows: they are left out,
 * by the rank of the gradients where the guess ends (phases.md "Repeated rows"), and checked at the solution: a
 * contact that ends closed somewhere else has none. Gaps and velocities of contacts drift within elements; where
 * the shortest step back to what the last mode keeps brings the final value, too, drift is all that is wrong with
 * it, and elements will be divided for that. */
#include "transcription/multiphase/rows/rows.h"

#include "core/base/mem.h"
#include "transcription/sequence/rank.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_asked(const struct model_var *x)
{
    return x->final.kind == END_FIXED || x->final.kind == END_RANGE;
}

/* Rows of what the last mode keeps at y [n_y]. */
static struct rank *last_mode(const struct phases *ph, const double *y)
{
    struct rank *rank = rank_create(ph->sys->n_y);
    rank_add_mode(rank, ph->sys, sequence_mode(ph->seq, ph->seq->n_event), y);
    return rank;
}

/* Where the guess ends, with the final values that are asked for: a guess from a coarse mesh has drifted. */
static double *asked_end(struct phases *ph)
{
    double *y = arena_copy(&ph->mem, ph->guess.end, (size_t)ph->sys->n_y, sizeof *y);
    for (int i = 0; i < ph->sys->model->n_x; i++)
        if (ph->sys->model->x[i].final.kind == END_FIXED)
            y[i] = ph->sys->model->x[i].final.lo;
    return y;
}

void phases_add_final_values(struct phases *ph)
{
    const struct model *model = ph->sys->model;
    const struct phase_point end = phases_boundary_point(ph, ph->n_element);
    struct rank *rank = last_mode(ph, asked_end(ph));
    ph->implied.final = arena_alloc(&ph->mem, (size_t)model->n_x, sizeof *ph->implied.final);
    for (int i = 0; i < model->n_x; i++) {
        const struct model_var *x = &model->x[i];
        if (!is_asked(x))
            continue;
        rank_row(rank)[i] = 1;
        ph->implied.final[i] = x->final.kind == END_FIXED && !rank_add(rank);
        if (ph->implied.final[i])
            continue;
        const char *name = arena_printf(&ph->mem, "final value of %s", x->name);
        const struct srcpos pos = x->final.pos.line ? x->final.pos : x->pos;
        const int row = program_row(ph->prog, x->final.lo, x->final.hi, phases_label(name, x->path, pos, &end));
        program_linear(ph->prog, row, end.y[i], 1);
    }
    rank_free(rank);
}

static bool any_implied(const struct phases *ph)
{
    for (int i = 0; i < ph->sys->model->n_x; i++)
        if (ph->implied.final[i])
            return true;
    return false;
}

/* Takes the drift from y [n_y], the end: the shortest step back to what is kept and to the
 * final values that have rows. */
static void settle(const struct phases *ph, double *y)
{
    const struct phase_system *sys = ph->sys;
    struct rank *rank = last_mode(ph, y);
    for (int i = 0; i < sys->model->n_x; i++)
        if (sys->model->x[i].final.kind == END_FIXED && !ph->implied.final[i]) {
            rank_row(rank)[i] = 1;
            rank_value(rank, y[i] - sys->model->x[i].final.lo);
            (void)rank_add(rank);
        }
    rank_correct(rank, y);
    rank_free(rank);
}

double phases_final_error(const struct phases *ph, const double *w)
{
    const struct model *model = ph->sys->model;
    const int *end = phases_left(ph, ph->n_element), n_y = ph->sys->n_y;
    double *settled = mem_alloc((size_t)n_y, sizeof *settled), error = 0;
    for (int i = 0; i < n_y; i++)
        settled[i] = w[end[i]];
    if (any_implied(ph))
        settle(ph, settled);
    for (int i = 0; i < model->n_x; i++)
        if (model->x[i].final.kind == END_FIXED)
            error = fmax(error, fabs((ph->implied.final[i] ? settled[i] : w[end[i]]) - model->x[i].final.lo));
    free(settled);
    return error;
}

double phases_violation(const struct phases *ph, const double *w)
{
    const double violation = mpcc_violation(&ph->mpcc, w), missed = phases_final_error(ph, w);
    return missed > FINAL_MISSED ? fmax(violation, missed) : violation;         /* left out as implied, and is not */
}
