#include "transcription/system/build.h"

#include "core/expression/nonsmooth.h"

#include <math.h>
#include <string.h>

/* Room for element n of an arena array that doubles at powers of two. */
static void *grow(struct arena *mem, void *array, int n, size_t size)
{
    if (n & (n - 1))
        return array;                           /* capacity is the next power of two */
    void *bigger = arena_alloc(mem, n ? 2 * (size_t)n : 1, size);
    if (n)
        memcpy(bigger, array, (size_t)n * size);
    return bigger;
}

int dcs_add_sel(struct dcs *dcs, struct dcs_var var)
{
    dcs->sel = grow(&dcs->mem, dcs->sel, dcs->n_sel, sizeof *dcs->sel);
    dcs->sel[dcs->n_sel] = var;
    return dcs->n_sel++;
}

int dcs_add_lam(struct dcs *dcs, struct dcs_var var)
{
    dcs->lam = grow(&dcs->mem, dcs->lam, dcs->n_lam, sizeof *dcs->lam);
    dcs->lam[dcs->n_lam] = var;
    return dcs->n_lam++;
}

int dcs_add_z(struct dcs *dcs, struct dcs_var var)
{
    dcs->z = grow(&dcs->mem, dcs->z, dcs->n_z, sizeof *dcs->z);
    dcs->z[dcs->n_z] = var;
    return dcs->n_z++;
}

int dcs_add_cont(struct dcs *dcs, struct dcs_row row)
{
    dcs->cont = grow(&dcs->mem, dcs->cont, dcs->n_cont, sizeof *dcs->cont);
    dcs->cont[dcs->n_cont] = row;
    return dcs->n_cont++;
}

int dcs_add_stage(struct dcs *dcs, struct dcs_row row)
{
    dcs->stage = grow(&dcs->mem, dcs->stage, dcs->n_stage, sizeof *dcs->stage);
    dcs->stage[dcs->n_stage] = row;
    return dcs->n_stage++;
}

void dcs_add_pair(struct dcs *dcs, struct dcs_pair pair)
{
    dcs->pair = grow(&dcs->mem, dcs->pair, dcs->n_pair, sizeof *dcs->pair);
    dcs->pair[dcs->n_pair++] = pair;
}

static int add_switch(struct dcs *dcs, struct dcs_switch sw)
{
    dcs->sw = grow(&dcs->mem, dcs->sw, dcs->n_switch, sizeof *dcs->sw);
    dcs->sw[dcs->n_switch] = sw;
    return dcs->n_switch++;
}

/* A nonnegative multiplier named after a switching function. */
static struct dcs_var multiplier(struct dcs *dcs, const struct dcs_switch *sw, const char *suffix)
{
    const char *name = dcs_name(dcs, sw->name, suffix);
    return (struct dcs_var){ name, sw->path, sw->pos, expr_sym(dcs->g, name), 0, INFINITY, 0.5, false };
}

void dcs_add_step(struct dcs *dcs, struct dcs_switch sw, expr alpha)
{
    struct expr_graph *g = dcs->g;
    const struct dcs_var lam_p = multiplier(dcs, &sw, ", positive part");
    const struct dcs_var lam_n = multiplier(dcs, &sw, ", negative part");
    sw.sel = dcs_add_sel(dcs, (struct dcs_var){ dcs_name(dcs, sw.name, ", step"), sw.path, sw.pos, alpha,
                                                sw.wall ? -INFINITY : 0, 1, sw.relay ? sw.relay->starts_on : 0.5, false });
    sw.lam_p = dcs_add_lam(dcs, lam_p);
    sw.lam_n = dcs_add_lam(dcs, lam_n);
    if (sw.wall)
        dcs->lam[sw.lam_n].ub = dcs->lam[sw.lam_n].guess = 0;   /* 0 <= c _|_ 1 - alpha >= 0 */
    /* fesd.md (2): 0 = c - lambda_p + lambda_n, alpha _|_ lambda_n, 1 - alpha _|_ lambda_p */
    const expr row = expr_add(g, expr_sub(g, sw.c, lam_p.sym), lam_n.sym);
    dcs_add_cont(dcs, (struct dcs_row){ dcs_name(dcs, sw.name, ", switching function"), sw.path, sw.pos, row,
                                        false, false });
    if (!sw.wall)
        dcs_add_pair(dcs, (struct dcs_pair){ sw.lam_n, sw.sel, 1, 0, false });
    dcs_add_pair(dcs, (struct dcs_pair){ sw.lam_p, sw.sel, -1, 1, false });
    add_switch(dcs, sw);
}

/* Stewart's indicator g_m = -S_m c of mode m (fesd.md 2). */
static expr indicator(struct dcs *dcs, int n, const struct dcs_switch *sw, int m)
{
    expr sum = expr_const(dcs->g, 0);
    for (int l = 0; l < n; l++)
        sum = m >> l & 1 ? expr_sub(dcs->g, sum, sw[l].c) : expr_add(dcs->g, sum, sw[l].c);
    return sum;
}

void dcs_add_stewart(struct dcs *dcs, int n, const struct dcs_switch *sw, expr *theta)
{
    struct expr_graph *g = dcs->g;
    const int n_mode = 1 << n;
    int *index = arena_alloc(&dcs->mem, (size_t)n, sizeof *index);
    for (int l = 0; l < n; l++) {
        struct dcs_switch own = sw[l];
        own.sel = own.lam_p = own.lam_n = -1;
        index[l] = add_switch(dcs, own);
    }
    struct dcs_stewart_group group = { n, index, dcs->n_sel, dcs->n_lam, 0 };
    const char *base = sw[0].name;
    expr sum = expr_const(g, -1);
    for (int m = 0; m < n_mode; m++) {
        const char *name = arena_printf(&dcs->mem, "%s, mode %d", base, m);
        theta[m] = expr_sym(g, name);
        dcs_add_sel(dcs,
                    (struct dcs_var){ name, sw[0].path, sw[0].pos, theta[m], 0, INFINITY, 1.0 / n_mode, false });
        sum = expr_add(g, sum, theta[m]);
    }
    for (int m = 0; m < n_mode; m++) {
        struct dcs_var lam = multiplier(dcs, &sw[0], ", mode multiplier");
        lam.guess = 1;
        dcs_add_pair(dcs, (struct dcs_pair){ dcs_add_lam(dcs, lam), group.sel + m, 1, 0, false });
    }
    struct dcs_var mu = multiplier(dcs, &sw[0], ", minimum");
    mu.lb = -INFINITY;
    mu.guess = 0;
    group.mu = dcs_add_lam(dcs, mu);
    for (int m = 0; m < n_mode; m++) {                          /* fesd.md (1): 0 = g - lambda + mu e */
        const expr lam = dcs->lam[group.lam + m].sym;
        const expr row = expr_add(g, expr_sub(g, indicator(dcs, n, sw, m), lam), mu.sym);
        dcs_add_cont(
            dcs, (struct dcs_row){ dcs_name(dcs, base, ", indicator"), sw[0].path, sw[0].pos, row, false, false });
    }
    dcs_add_stage(dcs, (struct dcs_row){ dcs_name(dcs, base, ", convex combination"), sw[0].path, sw[0].pos, sum,
                                         false, false });
    dcs->group = grow(&dcs->mem, dcs->group, dcs->n_group, sizeof *dcs->group);
    dcs->group[dcs->n_group++] = group;
}

expr dcs_add_band(struct dcs *dcs, const struct model_contact *contact)
{
    const char *name = dcs_name(dcs, contact->name, " gap, dead band");
    const expr sym = expr_sym(dcs->g, name);
    dcs->band = grow(&dcs->mem, dcs->band, dcs->n_band, sizeof *dcs->band);
    dcs->band[dcs->n_band++] =
        dcs_add_lam(dcs, (struct dcs_var){ name, contact->path, contact->pos, sym, 0, 0, 0, false });
    return sym;
}

void dcs_add_contact_force(struct dcs *dcs, int c)
{
    struct expr_graph *g = dcs->g;
    const struct model *model = dcs->model;
    const struct model_contact *contact = &model->contacts.contact[c];
    for (int i = 0; i < model->mechanics.n_q; i++) {
        expr *F = &dcs->F[model->mechanics.v_index[i]].e;
        *F = expr_add(g, *F, expr_mul(g, contact->J_n[i], dcs->contact[c].aux_n));
        for (int k = 0; k < contact->n_t; k++)
            *F = expr_add(g, *F, expr_mul(g, contact->J_t[i + k * model->mechanics.n_q], dcs->contact[c].aux_t[k]));
    }
}

/* --- The smooth part ----------------------------------------------------------------------------------------- */

static void place_mass(struct dcs *dcs)
{
    const struct model *model = dcs->model;
    dcs->E_is_constant = true;
    dcs->E = arena_alloc(&dcs->mem, (size_t)dcs->n_y * (size_t)dcs->n_y, sizeof *dcs->E);
    const expr zero = expr_const(dcs->g, 0), one = expr_const(dcs->g, 1);
    for (int i = 0; i < dcs->n_y; i++)
        for (int j = 0; j < dcs->n_y; j++)
            dcs->E[i * dcs->n_y + j] = i == j ? one : zero;
    for (int i = 0; i < model->mechanics.n_q; i++) {
        const int row = model->mechanics.v_index[i];
        dcs->massive[row] = true;
        for (int j = 0; j < model->mechanics.n_q; j++) {
            const expr M = model->mechanics.M[i + j * model->mechanics.n_q];
            dcs->E[row * dcs->n_y + model->mechanics.v_index[j]] = M;
            dcs->E_is_constant = dcs->E_is_constant && expr_is_const(dcs->g, M, NULL);
        }
    }
}

static bool any_depends(const struct expr_graph *g, int n, const expr *e, expr sym)
{
    for (int i = 0; i < n; i++)
        if (e[i] != EXPR_NONE && expr_depends(g, e[i], 1, &sym))
            return true;
    return false;
}

bool dcs_depends_on_time(const struct model *model)
{
    const struct expr_graph *g = model->graph;
    bool needs = any_depends(g, model->n_x, model->dynamics.rhs, model->t_sym)
                 || any_depends(g, model->mechanics.n_q, model->mechanics.f_v, model->t_sym);
    for (int k = 0; k < model->dynamics.n_group; k++) {
        const struct model_group *group = &model->dynamics.group[k];
        needs = needs || any_depends(g, group->n_c, group->c, model->t_sym);
        for (int m = 0; m < group->n_mode; m++)
            needs = needs || any_depends(g, model->n_x, group->mode[m].rhs, model->t_sym);
    }
    for (int c = 0; c < model->contacts.n_contact; c++)
        needs = needs || any_depends(g, 1, &model->contacts.contact[c].gap, model->t_sym)
                || any_depends(g, model->contacts.contact[c].n_t, model->contacts.contact[c].v_t, model->t_sym);
    for (int m = 0; m < model->switching.n_machine; m++)
        for (int k = 0; k < model->switching.machine[m].n_transition; k++) {
            const struct model_transition *one = &model->switching.machine[m].transition[k];
            needs = needs || any_depends(g, 1, &one->when, model->t_sym)
                    || any_depends(g, one->n_only, one->only, model->t_sym)
                    || any_depends(g, one->n_reset, one->reset, model->t_sym);
        }
    for (int k = 0; k < model->switching.n_projection; k++)
        needs = needs || any_depends(g, 1, &model->switching.projection[k].gap, model->t_sym);
    for (int k = 0; k < model->costs.n_running; k++)
        needs = needs || expr_depends(g, model->costs.running[k].e, 1, &model->t_sym);
    for (int k = 0; k < model->constraints.n_constraint; k++)
        needs = needs || expr_depends(g, model->constraints.constraint[k].e, 1, &model->t_sym);
    for (int k = 0; k < model->constraints.n_conditional; k++)
        needs = needs || expr_depends(g, model->constraints.conditional[k].of.e, 1, &model->t_sym)
                || expr_depends(g, model->constraints.conditional[k].when, 1, &model->t_sym);
    for (int k = 0; k < model->constraints.n_pair; k++)
        needs = needs || any_depends(g, 2, model->constraints.pair[k].side, model->t_sym);
    return needs;
}

void dcs_smooth_part(struct dcs *dcs, bool with_clock)
{
    const struct model *model = dcs->model;
    dcs->n_y = model->n_x + with_clock;
    dcs->clock = with_clock ? model->n_x : -1;
    dcs->rate = expr_const(dcs->g, 1);
    dcs->y = arena_alloc(&dcs->mem, (size_t)dcs->n_y, sizeof *dcs->y);
    dcs->F = arena_alloc(&dcs->mem, (size_t)dcs->n_y, sizeof *dcs->F);
    dcs->massive = arena_alloc(&dcs->mem, (size_t)dcs->n_y, sizeof *dcs->massive);
    for (int i = 0; i < model->n_x; i++) {
        const struct model_var *x = &model->x[i];
        dcs->y[i] = (struct dcs_var){ x->name, x->path, x->pos, model->x_sym[i], x->lb, x->ub, 0, false };
        dcs->F[i] = (struct dcs_row){ dcs_name(dcs, "dynamics of ", x->name), "dynamics",
                                      model->dynamics.rhs_pos[i], model->dynamics.rhs[i], false, false };
    }
    for (int i = 0; i < model->mechanics.n_q; i++) {
        dcs->F[model->mechanics.v_index[i]].e = model->mechanics.f_v[i];
        dcs->F[model->mechanics.v_index[i]].pos = model->mechanics.f_v_pos[i];
    }
    if (with_clock) {
        dcs->y[dcs->clock] = (struct dcs_var){ "t", "time", model->time.horizon_pos, model->t_sym, -INFINITY,
                                               INFINITY, 0, false };
        dcs->F[dcs->clock] = (struct dcs_row){ "dynamics of t", "time", model->time.horizon_pos, dcs->rate, false,
                                               false };
    }
    place_mass(dcs);
}

/* --- Nonsmooth functions ------------------------------------------------------------------------------------- */

struct dcs_switch dcs_named_switch(const char *name, struct srcpos pos, expr c)
{
    return (struct dcs_switch){ .name = name, .path = "dynamics", .pos = pos, .c = c, .sel = -1, .lam_p = -1,
                                .lam_n = -1, .contact = -1 };
}

/* --- Pairs with forces of their own ---------------------------------------------------------------------------- */

void dcs_place_pairs(const struct dcs *dcs, int n, expr *e)
{
    const struct model *model = dcs->model;
    for (int k = 0; k < model->switching.n_projection; k++) {
        const struct model_projection *one = &model->switching.projection[k];
        const expr force = expr_sub(dcs->g, expr_const(dcs->g, 1), one->state);
        if (one->is_pair)
            expr_substitute(dcs->g, n, e, 1, &one->lambda, &force, e);
    }
}

/* 0 = H - lambda_p, 0 = 1 - alpha - lambda_n, 0 <= lambda_p _|_ lambda_n >= 0: H and the force are both continuous,
 * so that each is known at both ends of an element, and neither begins or ends within one. */
static void add_own_pair(struct dcs *dcs, const struct model_projection *one)
{
    struct expr_graph *g = dcs->g;
    struct dcs_switch sw = dcs_named_switch(one->name, one->pos, one->gap);
    sw.path = one->path;
    sw.wall = one;
    dcs_place_pairs(dcs, 1, &sw.c);
    const struct dcs_var lam_p = multiplier(dcs, &sw, ", H"), lam_n = multiplier(dcs, &sw, ", lambda");
    sw.sel = dcs_add_sel(dcs, (struct dcs_var){ dcs_name(dcs, one->name, ", step"), sw.path, sw.pos, one->state, -INFINITY, 1,
                                                0.5, false });
    sw.lam_p = dcs_add_lam(dcs, lam_p);
    sw.lam_n = dcs_add_lam(dcs, lam_n);
    const expr force = expr_sub(g, expr_sub(g, expr_const(g, 1), one->state), lam_n.sym);
    dcs_add_cont(dcs, (struct dcs_row){ dcs_name(dcs, one->name, ", H"), sw.path, sw.pos,
                                        expr_sub(g, sw.c, lam_p.sym), false, false });
    dcs_add_cont(dcs,
                 (struct dcs_row){ dcs_name(dcs, one->name, ", lambda"), sw.path, sw.pos, force, false, false });
    dcs_add_pair(dcs, (struct dcs_pair){ sw.lam_p, sw.lam_n, 1, 0, true });
    add_switch(dcs, sw);
}

/* What rates and running costs say of their forces is of steps then. */
static void add_own_pairs(struct dcs *dcs)
{
    struct model *model = dcs->model;
    bool any = false;
    for (int k = 0; k < model->switching.n_projection; k++)
        any = any || model->switching.projection[k].is_pair;
    if (!any)
        return;
    for (int i = 0; i < dcs->n_y; i++)
        dcs_place_pairs(dcs, 1, &dcs->F[i].e);
    model->costs.running = arena_copy(&dcs->mem, model->costs.running, (size_t)model->costs.n_running,
                                      sizeof *model->costs.running);
    for (int k = 0; k < model->costs.n_running; k++) {
        dcs_place_pairs(dcs, 1, &model->costs.running[k].e);
        model->costs.running[k].of_forces = expr_depends(dcs->g, model->costs.running[k].e, model_n_force(model),
                                                         model->contacts.force_sym);
    }
    for (int k = 0; k < model->switching.n_projection; k++)
        if (model->switching.projection[k].is_pair)
            add_own_pair(dcs, &model->switching.projection[k]);
}

enum status dcs_lower_nonsmooth(struct dcs *dcs, struct diag *diag)
{
    struct switch_set set = { 0 };
    enum status st = STATUS_OK;
    for (int i = 0; i < dcs->n_y; i++)
        if (nonsmooth_lower(dcs->g, dcs->F[i].e, &set, &dcs->F[i].e, diag) != STATUS_OK)
            st = STATUS_SPEC;
    const int n_conditional = dcs->model->constraints.n_conditional;
    dcs->condition = arena_alloc(&dcs->mem, (size_t)n_conditional, sizeof *dcs->condition);
    for (int k = 0; k < n_conditional; k++)
        if (nonsmooth_lower(dcs->g, dcs->model->constraints.conditional[k].when, &set, &dcs->condition[k], diag)
            != STATUS_OK)
            st = STATUS_SPEC;
    for (int k = 0; k < set.n; k++) {
        const struct model_hysteresis *relay = model_find_relay(dcs->model, set.alpha[k]);
        const struct model_projection *wall = model_find_projection(dcs->model, set.alpha[k]);
        const char *name = relay ? relay->name : wall ? wall->name : model_switch_name(dcs->model, set.c[k]);
        if (model_check_switch(dcs->model, set.c[k], name, diag) != STATUS_OK)
            st = STATUS_SPEC;
        struct dcs_switch sw = dcs_named_switch(name, relay ? relay->pos : wall ? wall->pos : set.pos[k], set.c[k]);
        sw.relay = relay;
        sw.wall = wall;
        dcs_add_step(dcs, sw, set.alpha[k]);
    }
    switch_set_free(&set);
    add_own_pairs(dcs);
    return st;
}
