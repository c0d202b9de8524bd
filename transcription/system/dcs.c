#include "transcription/system/dcs.h"

#include "core/base/mem.h"
#include "core/expression/nonsmooth.h"
#include "transcription/method/method.h"

#include <math.h>
#include <stdlib.h>
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

const char *dcs_name(struct dcs *dcs, const char *name, const char *suffix)
{
    return arena_printf(&dcs->mem, "%s%s", name, suffix);
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
    sw.sel = dcs_add_sel(dcs, (struct dcs_var){ dcs_name(dcs, sw.name, ", step"), sw.path, sw.pos, alpha, 0, 1, 0.5, false });
    sw.lam_p = dcs_add_lam(dcs, lam_p);
    sw.lam_n = dcs_add_lam(dcs, lam_n);
    /* (B2): 0 = c - lambda_p + lambda_n, alpha _|_ lambda_n, 1 - alpha _|_ lambda_p */
    const expr row = expr_add(g, expr_sub(g, sw.c, lam_p.sym), lam_n.sym);
    dcs_add_cont(dcs, (struct dcs_row){ dcs_name(dcs, sw.name, ", switching function"), sw.path, sw.pos, row, false, false });
    dcs_add_pair(dcs, (struct dcs_pair){ sw.lam_n, sw.sel, 1, 0, false });
    dcs_add_pair(dcs, (struct dcs_pair){ sw.lam_p, sw.sel, -1, 1, false });
    add_switch(dcs, sw);
}

/* Stewart's indicator g_m = -S_m c of mode m (math.md B.1). */
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
        dcs_add_sel(dcs, (struct dcs_var){ name, sw[0].path, sw[0].pos, theta[m], 0, INFINITY, 1.0 / n_mode, false });
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
    for (int m = 0; m < n_mode; m++) {                          /* (B1): 0 = g - lambda + mu e */
        const expr lam = dcs->lam[group.lam + m].sym;
        const expr row = expr_add(g, expr_sub(g, indicator(dcs, n, sw, m), lam), mu.sym);
        dcs_add_cont(dcs, (struct dcs_row){ dcs_name(dcs, base, ", indicator"), sw[0].path, sw[0].pos, row, false, false });
    }
    dcs_add_stage(dcs, (struct dcs_row){ dcs_name(dcs, base, ", convex combination"), sw[0].path, sw[0].pos, sum, false, false });
    dcs->group = grow(&dcs->mem, dcs->group, dcs->n_group, sizeof *dcs->group);
    dcs->group[dcs->n_group++] = group;
}

expr dcs_add_band(struct dcs *dcs, const struct model_contact *contact)
{
    const char *name = dcs_name(dcs, contact->name, " gap, dead band");
    const expr sym = expr_sym(dcs->g, name);
    dcs->band = grow(&dcs->mem, dcs->band, dcs->n_band, sizeof *dcs->band);
    dcs->band[dcs->n_band++] = dcs_add_lam(dcs, (struct dcs_var){ name, contact->path, contact->pos, sym, 0, 0, 0, false });
    return sym;
}

/* --- The smooth part ----------------------------------------------------------------------------------------- */

static void place_mass(struct dcs *dcs)
{
    const struct model *model = dcs->model;
    dcs->E_is_constant = true;
    dcs->E = arena_alloc(&dcs->mem, (size_t)(dcs->n_y * dcs->n_y), sizeof *dcs->E);
    const expr zero = expr_const(dcs->g, 0), one = expr_const(dcs->g, 1);
    for (int i = 0; i < dcs->n_y; i++)
        for (int j = 0; j < dcs->n_y; j++)
            dcs->E[i * dcs->n_y + j] = i == j ? one : zero;
    for (int i = 0; i < model->n_q; i++) {
        const int row = model->v_index[i];
        dcs->massive[row] = true;
        for (int j = 0; j < model->n_q; j++) {
            const expr M = model->M[i + j * model->n_q];
            dcs->E[row * dcs->n_y + model->v_index[j]] = M;
            dcs->E_is_constant = dcs->E_is_constant && expr_is_const(dcs->g, M, NULL);
        }
    }
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
        dcs->F[i] = (struct dcs_row){ dcs_name(dcs, "dynamics of ", x->name), "dynamics", model->rhs_pos[i],
                                      model->rhs[i], false, false };
    }
    for (int i = 0; i < model->n_q; i++) {
        dcs->F[model->v_index[i]].e = model->f_v[i];
        dcs->F[model->v_index[i]].pos = model->f_v_pos[i];
    }
    if (with_clock) {
        dcs->y[dcs->clock] = (struct dcs_var){ "t", "time", model->horizon_pos, model->t_sym, -INFINITY, INFINITY, 0, false };
        dcs->F[dcs->clock] = (struct dcs_row){ "dynamics of t", "time", model->horizon_pos, dcs->rate, false, false };
    }
    place_mass(dcs);
}

/* --- Nonsmooth functions ------------------------------------------------------------------------------------- */

struct dcs_switch dcs_named_switch(const char *name, struct srcpos pos, expr c)
{
    return (struct dcs_switch){ .name = name, .path = "dynamics", .pos = pos, .c = c, .sel = -1, .lam_p = -1,
                                .lam_n = -1, .contact = -1 };
}

enum status dcs_lower_nonsmooth(struct dcs *dcs, struct diag *diag)
{
    struct switch_set set = { 0 };
    enum status st = STATUS_OK;
    for (int i = 0; i < dcs->n_y; i++)
        if (nonsmooth_lower(dcs->g, dcs->F[i].e, &set, &dcs->F[i].e, diag) != STATUS_OK)
            st = STATUS_SPEC;
    for (int k = 0; k < set.n; k++) {
        const char *name = model_switch_name(dcs->model, set.c[k]);
        dcs_add_step(dcs, dcs_named_switch(name, set.pos[k], set.c[k]), set.alpha[k]);
    }
    switch_set_free(&set);
    return st;
}

/* --- Choosing a builder -------------------------------------------------------------------------------------- */

static bool any_depends(const struct model *model, expr sym)
{
    const struct expr_graph *g = model->graph;
    for (int i = 0; i < model->n_x; i++)
        if (model->rhs[i] != EXPR_NONE && expr_depends(g, model->rhs[i], 1, &sym))
            return true;
    for (int i = 0; i < model->n_q; i++)
        if (expr_depends(g, model->f_v[i], 1, &sym))
            return true;
    for (int k = 0; k < model->n_group; k++) {
        const struct model_group *group = &model->group[k];
        for (int l = 0; l < group->n_c; l++)
            if (expr_depends(g, group->c[l], 1, &sym))
                return true;
        for (int m = 0; m < group->n_mode; m++)
            for (int i = 0; i < model->n_x; i++)
                if (expr_depends(g, group->mode[m].rhs[i], 1, &sym))
                    return true;
    }
    for (int k = 0; k < model->n_running; k++)
        if (expr_depends(g, model->running[k].e, 1, &sym))
            return true;
    for (int k = 0; k < model->n_constraint; k++)
        if (expr_depends(g, model->constraint[k].e, 1, &sym))
            return true;
    return false;
}

/* FESD needs switching functions that are continuous in time. */
static enum status refuse_controls(const struct dcs *dcs, struct diag *diag)
{
    const struct model *model = dcs->model;
    enum status st = STATUS_OK;
    for (int k = 0; k < dcs->n_switch; k++)
        if (expr_depends(dcs->g, dcs->sw[k].c, model->n_u, model->u_sym))
            st = diag_error(diag, dcs->sw[k].pos, dcs->sw[k].path, "the switching function %s depends on a "
                            "control, which jumps; switch detection needs continuous ones "
                            "(method: time-stepping takes it)", dcs->sw[k].name);
    return st;
}

enum status dcs_create(struct model *model, const struct discretization *settings, bool with_clock,
                       struct dcs **out, struct diag *diag)
{
    struct dcs *dcs = mem_alloc(1, sizeof *dcs);
    dcs->model = model;
    dcs->g = model->graph;
    *out = NULL;
    const bool freezing = settings->method == METHOD_TIME_FREEZING;
    dcs_smooth_part(dcs, freezing || with_clock || any_depends(model, model->t_sym));
    enum status st = method_check(model, settings, diag);
    if (st != STATUS_OK)
        goto done;
    if (freezing)
        st = dcs_build_time_freezing(dcs, settings, diag);
    else if (settings->method == METHOD_FESD_J || (settings->method == METHOD_TIME_STEPPING && model->n_contact))
        dcs_build_forces(dcs, settings);
    else
        st = dcs_build_switched(dcs, settings, diag);
    if (st == STATUS_OK && settings->method != METHOD_TIME_STEPPING)
        st = refuse_controls(dcs, diag);
done:
    if (st == STATUS_OK)
        *out = dcs;
    else
        dcs_free(dcs);
    return st;
}

void dcs_free(struct dcs *dcs)
{
    if (!dcs)
        return;
    arena_free(&dcs->mem);
    free(dcs);
}

/* --- Multipliers at a point ---------------------------------------------------------------------------------- */

void dcs_sel_of(const struct dcs *dcs, int c, int *first, int *end)
{
    *first = dcs->contact[c].force;             /* they are added contact by contact */
    *end = c + 1 < dcs->model->n_contact ? dcs->contact[c + 1].force : dcs->n_sel;
}

bool dcs_lam_varies(const struct dcs *dcs)
{
    const struct model *model = dcs->model;
    for (int c = 0; c < model->n_contact && dcs->impacts; c++) {
        if (expr_depends(dcs->g, model->contact[c].gap, model->n_p, model->p_sym))
            return true;
        if (model->horizon_free && expr_depends(dcs->g, model->contact[c].gap, 1, &model->T_sym))
            return true;
    }
    for (int k = 0; k < dcs->n_switch; k++) {
        if (expr_depends(dcs->g, dcs->sw[k].c, model->n_p, model->p_sym))
            return true;
        if (model->horizon_free && expr_depends(dcs->g, dcs->sw[k].c, 1, &model->T_sym))
            return true;
    }
    return false;
}

/* Symbols of y, p, T and sel with their values, for expr_eval. */
struct point { int n; expr *sym; double *val; int first_sel; };

static struct point point_create(const struct dcs *dcs, const double *y, const double *p, double T)
{
    const struct model *model = dcs->model;
    const int n = dcs->n_y + model->n_p + 1 + dcs->n_sel + dcs->n_band;
    struct point at = { 0, mem_alloc((size_t)n, sizeof(expr)), mem_alloc((size_t)n, sizeof(double)), 0 };
    for (int i = 0; i < dcs->n_y; i++) {
        at.sym[at.n] = dcs->y[i].sym;
        at.val[at.n++] = y[i];
    }
    for (int i = 0; i < model->n_p; i++) {
        at.sym[at.n] = model->p_sym[i];
        at.val[at.n++] = p[i];
    }
    if (model->horizon_free) {
        at.sym[at.n] = model->T_sym;
        at.val[at.n++] = T;
    }
    for (int k = 0; k < dcs->n_band; k++)
        at.sym[at.n++] = dcs->lam[dcs->band[k]].sym;            /* 0: no shift */
    at.first_sel = at.n;
    for (int k = 0; k < dcs->n_sel; k++)
        at.sym[at.n++] = dcs->sel[k].sym;
    return at;
}

static void steps_at(const struct dcs *dcs, struct point *at, double *lam)
{
    for (int k = 0; k < dcs->n_switch; k++) {                   /* a nested function comes after its inner ones */
        const struct dcs_switch *sw = &dcs->sw[k];
        if (sw->sel < 0)
            continue;
        const double c = expr_eval(dcs->g, sw->c, at->n, at->sym, at->val);
        lam[sw->lam_p] = fmax(c, 0);
        lam[sw->lam_n] = fmax(-c, 0);
        at->val[at->first_sel + sw->sel] = c > 0 ? 1 : c < 0 ? 0 : 0.5;
    }
}

static void stewart_at(const struct dcs *dcs, const struct dcs_stewart_group *group, struct point *at,
                       double *lam)
{
    double mu = -INFINITY;
    for (int m = 0; m < 1 << group->n_switch; m++) {
        double g = 0;
        for (int l = 0; l < group->n_switch; l++)
            g -= (m >> l & 1 ? 1 : -1) * expr_eval(dcs->g, dcs->sw[group->sw[l]].c, at->n, at->sym, at->val);
        lam[group->lam + m] = g;
        mu = fmax(mu, -g);
    }
    lam[group->mu] = mu;                                        /* mu = -min g, lambda = g - min g */
    int n_least = 0;
    for (int m = 0; m < 1 << group->n_switch; m++) {
        lam[group->lam + m] += mu;
        n_least += lam[group->lam + m] == 0;
    }
    for (int m = 0; m < 1 << group->n_switch; m++)
        at->val[at->first_sel + group->sel + m] = lam[group->lam + m] == 0 ? 1.0 / n_least : 0;
}

void dcs_lam_at(const struct dcs *dcs, const double *y, const double *p, double T, double *lam, double *sel)
{
    struct point at = point_create(dcs, y, p, T);
    for (int k = 0; k < dcs->n_lam; k++)
        lam[k] = 0;
    for (int c = 0; c < dcs->model->n_contact && dcs->impacts; c++)
        lam[dcs->contact[c].gap] = fmax(expr_eval(dcs->g, dcs->model->contact[c].gap, at.n, at.sym, at.val), 0);
    steps_at(dcs, &at, lam);
    for (int k = 0; k < dcs->n_group; k++)
        stewart_at(dcs, &dcs->group[k], &at, lam);
    for (int k = 0; k < dcs->n_sel; k++)
        sel[k] = at.val[at.first_sel + k];
    free(at.sym);
    free(at.val);
}
