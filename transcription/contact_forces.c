/* Contact forces for fixed-grid time-stepping: at the end of each step the gap is open or a force acts, and
 * friction opposes slip (math.md D.9; pairs as in homotopy_fesdj.md 2). */
#include "transcription/dcs.h"

#include <math.h>

/* Force components of contact c: lambda_n, and planar friction as c_plus - c_minus over 2. */
static void add_contact(struct dcs *dcs, int c)
{
    struct expr_graph *g = dcs->g;
    const struct model *model = dcs->model;
    const struct model_contact *contact = &model->contact[c];
    struct dcs_contact *force = &dcs->contact[c];
    struct dcs_var lam = { dcs_name(dcs, contact->name, " gap"), contact->path, contact->pos, EXPR_NONE, 0, INFINITY, 1 };
    lam.sym = expr_sym(g, lam.name);
    struct dcs_var sel = lam;
    sel.name = dcs_name(dcs, contact->name, " normal force");
    sel.sym = expr_sym(g, sel.name);
    dcs_add_pair(dcs, (struct dcs_pair){ dcs_add_lam(dcs, lam), dcs_add_sel(dcs, sel), 1, 0 });
    dcs_add_cont(dcs, (struct dcs_row){ lam.name, contact->path, contact->pos, expr_sub(g, contact->gap, lam.sym) });
    force->aux_n = sel.sym;
    for (int k = 0; k < contact->n_t && contact->mu > 0; k++) {
        struct dcs_var slip[2], cone[2];
        for (int side = 0; side < 2; side++) {
            slip[side] = lam;
            slip[side].name = dcs_name(dcs, contact->name, side ? " slip, negative part" : " slip, positive part");
            slip[side].sym = expr_sym(g, slip[side].name);
            cone[side] = lam;
            cone[side].name = dcs_name(dcs, contact->name, side ? " cone, lower side" : " cone, upper side");
            cone[side].sym = expr_sym(g, cone[side].name);
            dcs_add_pair(dcs, (struct dcs_pair){ dcs_add_lam(dcs, slip[side]), dcs_add_sel(dcs, cone[side]), 1, 0 });
        }
        const expr parts = expr_sub(g, slip[0].sym, slip[1].sym);
        dcs_add_cont(dcs, (struct dcs_row){ dcs_name(dcs, contact->name, " slip"), contact->path, contact->pos,
                                            expr_sub(g, contact->v_t[k], parts) });
        /* c_plus = mu lambda_n + lambda_t, c_minus = mu lambda_n - lambda_t; 3D: a pyramid along the tangents */
        const expr width = expr_scale(g, 2, expr_mul(g, contact->friction, sel.sym));
        dcs_add_stage(dcs, (struct dcs_row){ dcs_name(dcs, contact->name, " friction cone"), contact->path, contact->pos,
                                             expr_sub(g, expr_add(g, cone[0].sym, cone[1].sym), width) });
        force->aux_t[k] = expr_scale(g, 0.5, expr_sub(g, cone[0].sym, cone[1].sym));
    }
}

void dcs_build_forces(struct dcs *dcs)
{
    const struct model *model = dcs->model;
    struct expr_graph *g = dcs->g;
    dcs->kind = DCS_FORCES;
    dcs->contact = arena_alloc(&dcs->mem, (size_t)model->n_contact, sizeof *dcs->contact);
    for (int c = 0; c < model->n_contact; c++) {
        dcs->contact[c] = (struct dcs_contact){ expr_const(g, 0), { expr_const(g, 0), expr_const(g, 0) } };
        add_contact(dcs, c);
        for (int i = 0; i < model->n_q; i++) {
            struct dcs_row *row = &dcs->F[model->v_index[i]];
            const struct model_contact *contact = &model->contact[c];
            row->e = expr_add(g, row->e, expr_mul(g, contact->J_n[i], dcs->contact[c].aux_n));
            for (int k = 0; k < contact->n_t; k++)
                row->e = expr_add(g, row->e, expr_mul(g, contact->J_t[i + k * model->n_q], dcs->contact[c].aux_t[k]));
        }
    }
}
