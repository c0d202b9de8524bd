#include "core/replay/replay_worst.h"

#include "core/base/mem.h"
#include "core/base/vec.h"
#include "core/model/starts.h"

#include <math.h>
#include <stdlib.h>

#define CONTROL_TOL 1e-6            /* of bounds of controls and parameters: they are numbers of the solution, which no
                                     * replay changes; IPOPT relaxes bounds by 1e-8 */

/* --- Ends, horizon --------------------------------------------------------------------------------------------- */

static void judge_end(struct replay *r, bool is_final)
{
    const struct replay_point *point = is_final ? replay_last(r->solution) : &r->solution->point[0];
    struct worst worst = { .i = -1 };
    for (int i = 0; i < r->model->n_x; i++) {
        const struct model_var *x = &r->model->x[i];
        const struct model_end *end = is_final ? &x->final : &x->initial;
        if (end->kind == END_FIXED || end->kind == END_RANGE)
            worst_raise(&worst, vec_outside(point->x[i], end->lo, end->hi) / r->scale[i], point->x[i], point->t,
                        i);
    }
    const struct model_var *x = &r->model->x[worst.i >= 0 ? worst.i : 0];
    const struct model_end *end = is_final ? &x->final : &x->initial;
    worst_add_range(r, is_final ? "final values" : "initial values", r->settings->tol_others, &worst, x->name,
                    is_final ? " at the end" : " at the start", end->lo, end->hi,
                    end->pos.line ? end->pos : x->pos);
}

static bool may_end(const struct model_machine *machine, int state)
{
    bool may = machine->n_final == 0;
    for (int k = 0; k < machine->n_final; k++)
        may = may || machine->final[k] == state;
    return may;
}

/* The states that machines end in. */
static void judge_machines(struct replay *r, const struct sim *sim)
{
    const struct model *model = r->model;
    struct findings *to = &r->report->findings;
    const int n = sim_n_pieces(sim), first = sim_n_moded(sim) - model->switching.n_machine;
    for (int m = 0; m < model->switching.n_machine && n > 0; m++) {
        const struct model_machine *machine = &model->switching.machine[m];
        const int end = (int)sim_piece_at(sim, n - 1).mode[first + m];
        if (machine->n_final > 0)
            findings_add(to, &(struct finding){ arena_printf(&to->mem, "final state of %s", machine->name),
                                                may_end(machine, end) ? 0 : 1, 0, NULL,
                                                arena_printf(&to->mem, "%s ends in %s, where it may not (%s:%d)",
                                                             machine->name, machine->state[end], machine->pos.file,
                                                             machine->pos.line) });
    }
}

/* A trajectory begins at 0 and ends at the horizon. */
static void judge_horizon(struct replay *r)
{
    const struct model *model = r->model;
    const double lb = model->time.horizon_free ? model->time.horizon_min : model->time.horizon,
                 t = replay_last(r->solution)->t;
    const double ub = model->time.horizon_free ? model->time.horizon_max : model->time.horizon,
                 start = r->solution->point[0].t;
    struct worst worst = { .i = -1 };
    worst_raise(&worst, vec_outside(t, lb, ub) / t, t, t, 0);
    const double tol = r->settings->tol_others;
    const struct worst first = { fabs(start) / t, start, start, 0 };
    if (first.figure > worst.figure)
        worst_add_range(r, "horizon", tol, &first, "the first time", "", 0, 0, model->time.horizon_pos);
    else
        worst_add_range(r, "horizon", tol, &worst, "the horizon", "", lb, ub, model->time.horizon_pos);
}

/* --- Bounds ---------------------------------------------------------------------------------------------------- */

struct state_bounds { const struct replay *r; struct worst worst; };

static void look_at_bounds(void *user, const struct replay_place *place)
{
    struct state_bounds *at = user;
    for (int i = 0; i < at->r->model->n_x; i++) {
        const struct model_var *x = &at->r->model->x[i];
        worst_raise(&at->worst, vec_outside(place->x[i], x->lb, x->ub) / at->r->scale[i], place->x[i], place->t,
                    i);
    }
}

static void judge_state_bounds(struct replay *r)
{
    struct state_bounds at = { .r = r };
    replay_walk(r, NULL, look_at_bounds, &at);
    const struct model_var *x = &r->model->x[at.worst.i];
    worst_add_range(r, "bounds of states", r->settings->tol_others, &at.worst, x->name,
                    worst_time_text(r, at.worst.t), x->lb, x->ub, x->pos);
}

static double scale_of_bounds(double lb, double ub, double value)
{
    const double magnitude = fmax(isfinite(lb) ? fabs(lb) : 0, isfinite(ub) ? fabs(ub) : 0);
    return magnitude > 0 ? magnitude : fmax(fabs(value), 1);
}

/* Of control i in row k: of a control interval, or in a simulation of what its phase says. */
static void bounds_in_row(const struct replay *r, int k, int i, double *lb, double *ub)
{
    const struct model *model = r->model;
    const struct sim_controls *rows = &r->solution->controls;
    const struct model_phase *phase = model_phase_of_row(model, rows->u + k * model->n_u);
    const int interval = rows->n == model->time.n_intervals || !phase ? k : phase->first;
    *lb = model->u[i].lb;
    *ub = model->u[i].ub;
    if (model->time.n_phase || rows->n == model->time.n_intervals)
        model_control_bounds(model, i, interval, lb, ub);
}

/* The nearest value that a control may have, of values or within its bounds. */
static double nearest_value(const struct model_var *u, double value, double lb, double ub)
{
    double nearest = u->n_value ? u->value[0] : fmin(fmax(value, lb), ub);
    for (int j = 1; j < u->n_value; j++)
        if (fabs(u->value[j] - value) < fabs(nearest - value))
            nearest = u->value[j];
    return nearest;
}

/* "one of -1, 0, 1" */
static const char *values_text(struct replay *r, const struct model_var *u)
{
    struct arena *mem = &r->report->findings.mem;
    const char *text = arena_printf(mem, "one of %.7g", u->value[0]);
    for (int j = 1; j < u->n_value; j++)
        text = arena_printf(mem, "%s, %.7g", text, u->value[j]);
    return text;
}

static void judge_control_bounds(struct replay *r)
{
    const struct sim_controls *rows = &r->solution->controls;
    const int n_u = r->model->n_u;
    struct worst worst = { .i = 0 };
    if (n_u == 0 || !rows->u)
        return;
    for (int k = 0; k < rows->n; k++)
        for (int i = 0; i < n_u; i++) {
            const double value = rows->u[k * n_u + i];
            double lb, ub;
            if (r->solution->u_expr && r->solution->u_expr[i] != EXPR_NONE)
                continue;
            bounds_in_row(r, k, i, &lb, &ub);
            const double off = fabs(value - nearest_value(&r->model->u[i], value, lb, ub));
            worst_raise(&worst, off / scale_of_bounds(lb, ub, value), value, rows->t[k], i);
        }
    const struct model_var *u = &r->model->u[worst.i];
    worst_add(r, "bounds of controls", CONTROL_TOL, &worst, u->name, worst_time_text(r, worst.t),
              u->n_value ? values_text(r, u) : worst_range_text(r, u->lb, u->ub), u->pos);
}

/* How long control k stays on and off. */
static void judge_stays(struct replay *r, int k, int n_stay, const struct starts_stay *stay)
{
    const struct sim_controls *rows = &r->solution->controls;
    const struct model_var *u = &r->model->u[k];
    struct arena *mem = &r->report->findings.mem;
    for (int on = 0; on <= 1; on++) {
        const double least = on ? u->starts.min_on : u->starts.min_off;
        struct worst worst = { .i = -1 };
        for (int j = 0; j < n_stay && least > 0; j++)
            if (stay[j].is_whole && stay[j].is_on == on) {
                const double length = rows->t[stay[j].end] - rows->t[stay[j].first];
                worst_raise(&worst, fmax(0, least - length) / least, length, rows->t[stay[j].first], 0);
            }
        if (least > 0)
            worst_add_range(r, arena_printf(mem, "stays of %s %s", u->name, on ? "on" : "off"),
                            r->settings->tol_others, &worst,
                            arena_printf(mem, "the time that %s stays %s", u->name, on ? "on" : "off"),
                            arena_printf(mem, " from t = %.6g %s on", worst.t, r->model->time.unit), least,
                            INFINITY, u->starts.pos);
    }
}

/* Starts of controls with values: how many, and what lies between them. */
static void judge_starts(struct replay *r)
{
    const struct model *model = r->model;
    const struct sim_controls *rows = &r->solution->controls;
    if (!rows->u || !model_has_starts(model))
        return;
    struct starts_stay *stay = mem_alloc((size_t)rows->n, sizeof *stay);
    for (int k = 0; k < model->n_u; k++) {
        const struct model_var *u = &model->u[k];
        if (!u->starts.given || (r->solution->u_expr && r->solution->u_expr[k] != EXPR_NONE))
            continue;
        judge_stays(r, k, starts_stays(model, k, rows->n, rows->u, stay), stay);
        if (u->starts.most < 0)
            continue;
        const int n = starts_count(model, k, rows->n, rows->u);
        struct arena *mem = &r->report->findings.mem;
        const struct worst worst = { fmax(0, n - u->starts.most), n, 0, 0 };
        worst_add_range(r, arena_printf(mem, "starts of %s", u->name), 0.5, &worst,
                        arena_printf(mem, "the number of starts of %s", u->name), "", -INFINITY, u->starts.most,
                        u->starts.pos);
    }
    free(stay);
}

static void judge_parameters(struct replay *r)
{
    const struct model *model = r->model;
    struct worst worst = { .i = 0 };
    if (model->n_p == 0)
        return;
    for (int k = 0; k < model->n_p; k++) {
        const struct model_param *p = &model->param[model->p_param[k]];
        const double value = r->solution->p[k];
        worst_raise(&worst, vec_outside(value, p->lb, p->ub) / scale_of_bounds(p->lb, p->ub, value), value, 0, k);
    }
    const struct model_param *p = &model->param[model->p_param[worst.i]];
    worst_add_range(r, "bounds of parameters", CONTROL_TOL, &worst, p->name, "", p->lb, p->ub, p->pos);
}

/* --- All of them ----------------------------------------------------------------------------------------------- */

void replay_judge_demands(struct replay *r, const struct sim *sim)
{
    judge_horizon(r);
    judge_end(r, false);
    judge_end(r, true);
    if (sim)
        judge_machines(r, sim);
    judge_state_bounds(r);
    judge_control_bounds(r);
    judge_starts(r);
    judge_parameters(r);
    replay_judge_constraints(r, sim);
}
