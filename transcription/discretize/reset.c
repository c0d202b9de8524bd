/* Jumps where phases begin and impulses act: y+ = R(y-) and, where elements switch, lam+ as y+ says.
 * What no jump is of goes on. */
#include "transcription/discretize/parts.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* With junctions what follows velocities is theirs, and on a fixed grid nothing asks for lam at the left. */
static bool needs_lam(const struct transcription *tr, int i)
{
    return tr->switching && !(tr->junctions && tr->dcs->lam[i].jumps);
}

static void add_var(struct transcription *tr, const struct dcs_var *var, double lb, double ub, double guess, int j)
{
    program_var(tr->prog, lb, ub, guess, tr_label(tr, var->name, var->path, var->pos, -1, j, 0));
}

void tr_add_reset_variables(struct transcription *tr, int j)
{
    const struct dcs *dcs = tr->dcs;
    tr->reset[j] = program_n_var(tr->prog);
    for (int i = 0; i < dcs->n_y; i++)
        add_var(tr, &dcs->y[i], dcs->y[i].lb, dcs->y[i].ub, program_guess(tr->prog)[tr->y0 + i], j);
    for (int i = 0; i < dcs->n_lam; i++)
        add_var(tr, &dcs->lam[i], needs_lam(tr, i) ? dcs->lam[i].lb : 0, needs_lam(tr, i) ? dcs->lam[i].ub : 0,
                needs_lam(tr, i) ? dcs->lam[i].guess : 0, j);
    for (int c = 0; c < tr->model->contacts.n_contact && dcs->kind == DCS_FORCES; c++)
        if (!tr_has_contact(tr, c, j) && needs_lam(tr, dcs->contact[c].gap))
            program_set_bounds(tr->prog, tr->reset[j] + dcs->n_y + dcs->contact[c].gap, -INFINITY, INFINITY);
}

/* What each state jumps to: [n_y], itself where it goes on. */
static void list_jumps(const struct transcription *tr, const struct model_jump *jump, expr *to)
{
    for (int i = 0; i < tr->dcs->n_y; i++)
        to[i] = tr->dcs->y[i].sym;
    for (int k = 0; k < jump->n; k++)
        to[jump->x[k]] = jump->to[k];
}

static void add_jumps(struct transcription *tr, int j, const struct model_jump *jump)
{
    const struct dcs *dcs = tr->dcs;
    expr *to = mem_alloc((size_t)dcs->n_y, sizeof *to);
    list_jumps(tr, jump, to);
    const struct point_block at = tr_point_block(tr, 0, NULL, dcs->n_y, to);
    tr_fill(tr, &at, j - 1, tr_right(tr), tr->interval_of[j > 0 ? j - 1 : 0]);
    for (int i = 0; i < dcs->n_y; i++) {
        const char *name = arena_printf(&tr->mem, "%s where it jumps, %s", dcs->y[i].name, jump->what);
        const int row = tr_add_row(tr, &at, i, 0, 0, tr_label(tr, name, jump->path, jump->pos, -1, j, 0));
        program_linear(tr->prog, row, tr->reset[j] + i, -1);
    }
    free(to);
}

static void add_lam_rows(struct transcription *tr, const struct point_block *at, int j)
{
    const struct dcs *dcs = tr->dcs;
    tr_fill(tr, at, j, 0, tr->interval_of[j]);
    for (int i = 0; i < dcs->n_cont; i++)
        if (!(tr->junctions && dcs->cont[i].jumps))
            tr_add_row(tr, at, i, 0, dcs->cont[i].at_least ? INFINITY : 0,
                       tr_label(tr, dcs->cont[i].name, dcs->cont[i].path, dcs->cont[i].pos, -1, j, 0));
}

void tr_add_resets(struct transcription *tr)
{
    const bool with_lam = tr->switching && tr->dcs->n_cont > 0;
    const struct point_block at = with_lam ? tr_cont_block(tr) : (struct point_block){ .block = NULL };
    for (int j = 0; j <= tr->n_element; j++) {
        if (tr->reset[j] < 0)
            continue;
        add_jumps(tr, j, model_jump_at(tr->model, j == tr->n_element ? tr->n_interval : tr->interval_of[j]));
        if (with_lam)
            add_lam_rows(tr, &at, j);
    }
}
