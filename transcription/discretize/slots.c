#include "transcription/discretize/slots.h"

#include "core/base/mem.h"

#include <stdlib.h>

struct tr_slots tr_slots(struct transcription *tr, int n_extra, const expr *extra)
{
    const struct dcs *dcs = tr->dcs;
    const struct model *model = tr->model;
    struct tr_slots s = { 0 };
    s.y = 0;
    s.lam = s.y + dcs->n_y;
    s.sel = s.lam + dcs->n_lam;
    s.z = s.sel + dcs->n_sel;
    s.u = s.z + dcs->n_z;
    s.p = s.u + model->n_u;
    s.T = s.p + model->n_p;
    s.extra = s.T + model->horizon_free;
    s.n = s.extra + n_extra;
    s.sym = arena_alloc(&tr->mem, (size_t)s.n, sizeof *s.sym);
    for (int i = 0; i < dcs->n_y; i++)
        s.sym[s.y + i] = dcs->y[i].sym;
    for (int i = 0; i < dcs->n_lam; i++)
        s.sym[s.lam + i] = dcs->lam[i].sym;
    for (int i = 0; i < dcs->n_sel; i++)
        s.sym[s.sel + i] = dcs->sel[i].sym;
    for (int i = 0; i < dcs->n_z; i++)
        s.sym[s.z + i] = dcs->z[i].sym;
    for (int i = 0; i < model->n_u; i++)
        s.sym[s.u + i] = model->u_sym[i];
    for (int i = 0; i < model->n_p; i++)
        s.sym[s.p + i] = model->p_sym[i];
    if (model->horizon_free)
        s.sym[s.T] = model->T_sym;
    for (int i = 0; i < n_extra; i++)
        s.sym[s.extra + i] = extra[i];
    return s;
}

struct point_block tr_point_block(struct transcription *tr, int n_extra, const expr *extra, int n_out, const expr *out)
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

void tr_fill(struct transcription *tr, const struct point_block *at, int j, int k, int interval)
{
    const struct dcs *dcs = tr->dcs;
    const struct model *model = tr->model;
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
    for (int i = 0; i < model->n_u; i++)
        block_slot(block, slots->u + i, tr->u[interval] + i);
    for (int i = 0; i < model->n_p; i++)
        block_slot(block, slots->p + i, tr->p + i);
    if (model->horizon_free)
        block_slot(block, slots->T, tr->T);
}
