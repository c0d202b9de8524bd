#include "transcription/discretize/slots.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

static const double ON_GRID = 1e-9;         /* of the horizon: an interval ends there */

/* Both append n slots and return the first. */
static int append(struct tr_slots *slots, int n, const expr *sym)
{
    for (int i = 0; i < n; i++)
        slots->sym[slots->n++] = sym[i];
    return slots->n - n;
}

static int append_vars(struct tr_slots *slots, int n, const struct dcs_var *var)
{
    for (int i = 0; i < n; i++)
        append(slots, 1, &var[i].sym);
    return slots->n - n;
}

struct tr_slots tr_slots(struct transcription *tr, int n_extra, const expr *extra)
{
    const struct dcs *dcs = tr->dcs;
    const struct model *model = tr->model;
    const int n = dcs->n_y + dcs->n_lam + dcs->n_sel + dcs->n_z + model->n_u + model->n_p + model->time.horizon_free
                  + n_extra;
    struct tr_slots slots = { .sym = arena_alloc(&tr->mem, (size_t)n, sizeof *slots.sym) };
    slots.y = append_vars(&slots, dcs->n_y, dcs->y);
    slots.lam = append_vars(&slots, dcs->n_lam, dcs->lam);
    slots.sel = append_vars(&slots, dcs->n_sel, dcs->sel);
    slots.z = append_vars(&slots, dcs->n_z, dcs->z);
    slots.u = append(&slots, model->n_u, model->u_sym);
    slots.p = append(&slots, model->n_p, model->p_sym);
    slots.T = append(&slots, model->time.horizon_free, &model->T_sym);
    slots.extra = append(&slots, n_extra, extra);
    return slots;
}

struct point_block tr_point_block(struct transcription *tr, int n_extra, const expr *extra, int n_out,
                                  const expr *out)
{
    struct point_block at = { .slots = tr_slots(tr, n_extra, extra) };
    at.block = program_block(tr->prog, pointfun_create(tr->dcs->g, at.slots.n, at.slots.sym, n_out, out));
    return at;
}

struct point_block tr_cont_block(struct transcription *tr)
{
    const struct dcs *dcs = tr->dcs;
    expr *out = mem_alloc((size_t)dcs->n_cont, sizeof *out);
    for (int i = 0; i < dcs->n_cont; i++)
        out[i] = dcs->cont[i].e;
    const struct point_block at = tr_point_block(tr, 0, NULL, dcs->n_cont, out);
    free(out);
    return at;
}

int tr_add_row(struct transcription *tr, const struct point_block *at, int out, double lb, double ub,
               struct mpcc_label label)
{
    const int row = program_row(tr->prog, lb, ub, label);
    block_out(at->block, out, row, 1, PROGRAM_ONE, PROGRAM_ONE);
    return row;
}

static void fill_inputs(struct transcription *tr, const struct point_block *at, int interval)
{
    const struct model *model = tr->model;
    for (int i = 0; i < model->n_u; i++)
        block_slot(at->block, at->slots.u + i, tr->u[interval] + i);
    for (int i = 0; i < model->n_p; i++)
        block_slot(at->block, at->slots.p + i, tr->p + i);
    if (model->time.horizon_free)
        block_slot(at->block, at->slots.T, tr->T);
}

void tr_fill(struct transcription *tr, const struct point_block *at, int j, int k, int interval)
{
    const struct dcs *dcs = tr->dcs;
    const struct tr_slots *slots = &at->slots;
    struct program_block *block = at->block;
    block_point(block);
    for (int i = 0; i < dcs->n_y; i++)
        block_slot(block, slots->y + i, tr_y(tr, j, k, i));
    for (int i = 0; i < dcs->n_lam; i++)
        block_slot(block, slots->lam + i, tr_lam(tr, j, k, i));
    for (int i = 0; i < dcs->n_sel && tr_is_stage(tr, k) && j >= 0; i++)
        block_slot(block, slots->sel + i, tr_sel(tr, j, k) + i);
    for (int i = 0; i < dcs->n_z && tr_is_stage(tr, k) && j >= 0; i++)
        block_slot(block, slots->z + i, tr_z(tr, j, k) + i);
    fill_inputs(tr, at, interval);
}

bool tr_is_inside(const struct transcription *tr, double fraction)
{
    const double x = fraction * tr->n_interval;
    return fabs(x - round(x)) > ON_GRID * tr->n_interval;
}

void tr_fill_inside(struct transcription *tr, const struct point_block *at, double fraction)
{
    const double x = fraction * tr->n_interval;
    const int interval = (int)x, n = tr->elements[interval], e = (int)((x - interval) * n),
              j = tr->first[interval] + e;
    const double c = (x - interval) * n - e;
    double weight[16], unknown[16];             /* rk.h: at most 9 stages */
    const bool polynomial = tr->rk->family == RK_RADAU_IIA || tr->rk->family == RK_GAUSS_LEGENDRE;
    if (polynomial)
        rk_weights(tr->rk, c, weight, unknown);
    block_point(at->block);
    for (int i = 0; i < tr->dcs->n_y; i++) {
        for (int k = 0; k <= tr->rk->s && polynomial; k++)
            block_slot_add(at->block, at->slots.y + i, tr_y(tr, j, k, i), weight[k]);
        for (int k = 0; k < 2 && !polynomial; k++)
            block_slot_add(at->block, at->slots.y + i, tr_y(tr, j, k ? tr_right(tr) : 0, i), k ? c : 1 - c);
    }
    fill_inputs(tr, at, interval);
}
