#include "transcription/discretize/transcription.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* --- Places -------------------------------------------------------------------------------------------------- */

int tr_right(const struct transcription *tr)
{
    return tr->n_point;
}

bool tr_is_stage(const struct transcription *tr, int k)
{
    return k >= 1 && k <= tr->rk->s;
}

bool tr_last_of_interval(const struct transcription *tr, int e)
{
    const int i = tr->interval_of[e];
    return e == tr->first[i] + tr->elements[i] - 1;
}

static int base_of(const struct transcription *tr, int e, int k)
{
    return tr->point[e * (tr->n_point + 1) + k];
}

bool tr_has_junction(const struct transcription *tr, int e)
{
    return tr->junctions && e < tr->junctions->n;
}

/* Place of component i in the junction's block, if point k of element e is one and the component jumps; else -1. */
static int in_junction(const struct transcription *tr, int e, int k, const int *place, int i)
{
    if (k > 0 || !tr_has_junction(tr, e) || place[i] < 0)
        return -1;
    return tr->junctions->first[e] + place[i];
}

int tr_y(const struct transcription *tr, int e, int k, int i)
{
    const int own = tr->junctions ? in_junction(tr, e, k, tr->junctions->y_place, i) : -1;
    if (own >= 0)
        return own;
    if (k == 0)
        return tr_y(tr, e - 1, tr->n_point, i);
    return (e < 0 ? tr->y0 : base_of(tr, e, k)) + i;
}

int tr_lam(const struct transcription *tr, int e, int k, int i)
{
    const int own = tr->junctions ? in_junction(tr, e, k, tr->junctions->lam_place, i) : -1;
    if (own >= 0)
        return own;
    if (k == 0)
        return tr_lam(tr, e - 1, tr->n_point, i);
    return (e < 0 ? tr->lam0 : base_of(tr, e, k) + tr->dcs->n_y) + i;
}

void tr_get_y(const struct transcription *tr, const double *w, int e, int k, int n, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = w[tr_y(tr, e, k, i)];
}

int tr_impulse(const struct transcription *tr, int e)
{
    return tr->junctions->first[e] + tr->junctions->impulse;
}

int tr_part(const struct transcription *tr, int e, int c, int side)
{
    return tr->junctions->first[e] + tr->junctions->part + 2 * c + side;
}

int tr_sel(const struct transcription *tr, int e, int k)
{
    return base_of(tr, e, k) + tr->dcs->n_y + tr->dcs->n_lam;
}

int tr_z(const struct transcription *tr, int e, int k)
{
    return tr_sel(tr, e, k) + tr->dcs->n_sel;
}

int tr_rate(const struct transcription *tr, int e, int k)
{
    return tr_z(tr, e, k) + tr->dcs->n_z;
}

struct mpcc_label tr_label(const struct transcription *tr, const char *name, const char *path, struct srcpos pos,
                           int interval, int e, int k)
{
    return (struct mpcc_label){ name, pos, path, e >= 0 ? tr->interval_of[e] : interval, e, k };
}

/* Numerical time since the start at the left boundary of element e. */
static double numerical_time(const struct transcription *tr, int e, const double *w)
{
    double t = 0;
    for (int i = 0; i < e; i++)
        t += w[tr->h[i]];
    return t;
}

double tr_time_of(const struct transcription *tr, const struct mpcc_label *label, const double *w)
{
    if (label->interval < 0)
        return NAN;
    const int e = label->element >= 0 ? label->element : tr->first[label->interval];
    const int k = label->stage > 0 ? label->stage : 0;
    if (tr->dcs->clock >= 0)
        return w[tr_y(tr, e, k, tr->dcs->clock)];
    const double c = tr_is_stage(tr, k) ? tr->rk->c[k - 1] : 1;
    return numerical_time(tr, e, w) + (k ? c * w[tr->h[e]] : 0);
}

/* --- Slots of point functions -------------------------------------------------------------------------------- */

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

void tr_fill(struct transcription *tr, struct program_block *block, const struct tr_slots *slots, int e, int k,
             int interval)
{
    const struct dcs *dcs = tr->dcs;
    const struct model *model = tr->model;
    block_point(block);
    for (int i = 0; i < dcs->n_y; i++)
        block_slot(block, slots->y + i, tr_y(tr, e, k, i));
    for (int i = 0; i < dcs->n_lam; i++)
        block_slot(block, slots->lam + i, tr_lam(tr, e, k, i));
    for (int i = 0; i < dcs->n_sel && tr_is_stage(tr, k) && e >= 0; i++)
        block_slot(block, slots->sel + i, tr_sel(tr, e, k) + i);
    for (int i = 0; i < dcs->n_z && tr_is_stage(tr, k) && e >= 0; i++)
        block_slot(block, slots->z + i, tr_z(tr, e, k) + i);
    for (int i = 0; i < model->n_u; i++)
        block_slot(block, slots->u + i, tr->u[interval] + i);
    for (int i = 0; i < model->n_p; i++)
        block_slot(block, slots->p + i, tr->p + i);
    if (model->horizon_free)
        block_slot(block, slots->T, tr->T);
}

/* --- Initial state ------------------------------------------------------------------------------------------- */

void tr_set_initial(struct transcription *tr, const double *x, double t)
{
    const struct dcs *dcs = tr->dcs;
    double *y = mem_alloc((size_t)dcs->n_y, sizeof *y), *lam = mem_alloc((size_t)dcs->n_lam, sizeof *lam);
    double *sel = mem_alloc((size_t)dcs->n_sel, sizeof *sel), *p = mem_alloc((size_t)tr->model->n_p, sizeof *p);
    for (int i = 0; i < tr->model->n_x; i++)
        y[i] = x[i];
    if (dcs->clock >= 0)
        y[dcs->clock] = t;
    model_p_guess(tr->model, p);
    double *w0 = program_guess(tr->prog);
    dcs_lam_at(dcs, y, p, tr->T >= 0 ? w0[tr->T] : tr->task.grid.horizon, lam, sel);
    for (int i = 0; i < dcs->n_y; i++) {
        program_set_bounds(tr->prog, tr->y0 + i, y[i], y[i]);
        w0[tr->y0 + i] = y[i];
    }
    for (int i = 0; i < dcs->n_lam; i++) {
        w0[tr->lam0 + i] = lam[i];
        if (!tr->start_is_free)
            program_set_bounds(tr->prog, tr->lam0 + i, lam[i], lam[i]);
    }
    for (int i = 0; i < dcs->n_sel && tr->sel0 >= 0; i++)
        w0[tr->sel0 + i] = sel[i];
    free(y);
    free(lam);
    free(sel);
    free(p);
}

/* --- Building ------------------------------------------------------------------------------------------------ */

/* The last NLP is (almost) free of what equilibration and dead bands add to the cost. */
static void fade_penalty(void *user, double sigma, bool last)
{
    (void)sigma;
    struct program_weights weights = program_weights(user);
    weights.penalty = last ? 1e-6 : 1;
    program_set_weights(user, weights);
}

static enum status choose_scheme(struct transcription *tr, struct diag *diag)
{
    const struct discretization *settings = tr->settings;
    if (tr->dcs->kind == DCS_FORCES && !tr->dcs->impacts)       /* impacts spread over a step: implicit Euler, math.md D.9 */
        return rk_create(RK_RADAU_IIA, 1, &tr->rk, diag);
    return rk_create((enum rk_family)settings->scheme, settings->stages, &tr->rk, diag);
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
        for (int e = tr->first[i]; e < tr->first[i] + tr->elements[i]; e++) {
            tr->interval_of[e] = i;
            tr->h0[e] = grid->horizon / (grid->n_interval * tr->elements[i]);
        }
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
    if (tr->junctions)
        tr_add_junctions(tr);
    tr_add_pairs(tr);
    tr_add_equilibration(tr);
    if (task->optimize) {
        tr_add_cost(tr);
        tr_add_constraints(tr);
    }
    program_finish(tr->prog);
    tr_settle_first_junction(tr);
    tr->mpcc = program_mpcc(tr->prog);
    tr->mpcc.set_sigma = fade_penalty;
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
    program_free(tr->prog);
    rk_free(tr->rk);
    dcs_free(tr->dcs);
    arena_free(&tr->mem);
    free(tr);
}
