#include "core/replay/replay_parts.h"

#include "core/base/mem.h"
#include "core/base/vec.h"
#include "core/expression/diff.h"
#include "core/model/starts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_INSIDE = 40 };             /* places looked at within a piece of the simulation */
#define CONTROL_TOL 1e-6            /* of bounds of controls and parameters: they are numbers of the solution, which no
                                     * replay changes; IPOPT relaxes bounds by 1e-8 */

/* --- The worst of several -------------------------------------------------------------------------------------- */

struct worst { double figure, value, t; int i; };

static void worsen(struct worst *worst, double figure, double value, double t, int i)
{
    if (figure > worst->figure)
        *worst = (struct worst){ figure, value, t, i };
}

static const char *range_text(struct replay *r, double lb, double ub)
{
    struct arena *mem = &r->report->findings.mem;
    return lb == ub    ? arena_printf(mem, "%.7g", lb)
           : isinf(ub) ? arena_printf(mem, "at least %.7g", lb)
           : isinf(lb) ? arena_printf(mem, "at most %.7g", ub)
                       : arena_printf(mem, "in [%.7g, %.7g]", lb, ub);
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

/* "final values", 0.3, "x is 0.7, it must be 1 (mine.yaml:9)". */
static void add_demand(struct replay *r, const char *name, double tol, const struct worst *worst, const char *what,
                       const char *when, const char *demand, struct srcpos pos)
{
    struct findings *to = &r->report->findings;
    const char *line = pos.line ? arena_printf(&to->mem, " (%s:%d)", pos.file, pos.line) : "";
    const char *where = worst->figure > 0 ? arena_printf(&to->mem, "%s%s", what, when) : NULL;
    findings_add(to, &(struct finding){
                         name, worst->figure, tol, where,
                         arena_printf(&to->mem, "%s is %.7g%s, it must be %s%s: off by %.2g, the tolerance is %g",
                                      what, worst->value, when, demand, line, worst->figure, tol) });
}

static void add(struct replay *r, const char *name, double tol, const struct worst *worst, const char *what,
                const char *when, double lb, double ub, struct srcpos pos)
{
    add_demand(r, name, tol, worst, what, when, range_text(r, lb, ub), pos);
}

static const char *at_time(struct replay *r, double t)
{
    return arena_printf(&r->report->findings.mem, " at t = %.6g %s", t, r->model->time.unit);
}

/* --- Ends, horizon --------------------------------------------------------------------------------------------- */

static void judge_end(struct replay *r, bool is_final)
{
    const struct replay_point *point = is_final ? replay_last(r->solution) : &r->solution->point[0];
    struct worst worst = { .i = -1 };
    for (int i = 0; i < r->model->n_x; i++) {
        const struct model_var *x = &r->model->x[i];
        const struct model_end *end = is_final ? &x->final : &x->initial;
        if (end->kind == END_FIXED || end->kind == END_RANGE)
            worsen(&worst, vec_outside(point->x[i], end->lo, end->hi) / r->scale[i], point->x[i], point->t, i);
    }
    const struct model_var *x = &r->model->x[worst.i >= 0 ? worst.i : 0];
    const struct model_end *end = is_final ? &x->final : &x->initial;
    add(r, is_final ? "final values" : "initial values", r->settings->tol_others, &worst, x->name,
        is_final ? " at the end" : " at the start", end->lo, end->hi, end->pos.line ? end->pos : x->pos);
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
    worsen(&worst, vec_outside(t, lb, ub) / t, t, t, 0);
    const double tol = r->settings->tol_others;
    const struct worst first = { fabs(start) / t, start, start, 0 };
    if (first.figure > worst.figure)
        add(r, "horizon", tol, &first, "the first time", "", 0, 0, model->time.horizon_pos);
    else
        add(r, "horizon", tol, &worst, "the horizon", "", lb, ub, model->time.horizon_pos);
}

/* --- Bounds ---------------------------------------------------------------------------------------------------- */

struct state_bounds { const struct replay *r; struct worst worst; };

static void look_at_bounds(void *user, const struct replay_place *place)
{
    struct state_bounds *at = user;
    for (int i = 0; i < at->r->model->n_x; i++) {
        const struct model_var *x = &at->r->model->x[i];
        worsen(&at->worst, vec_outside(place->x[i], x->lb, x->ub) / at->r->scale[i], place->x[i], place->t, i);
    }
}

static void judge_state_bounds(struct replay *r)
{
    struct state_bounds at = { .r = r };
    replay_walk(r, NULL, look_at_bounds, &at);
    const struct model_var *x = &r->model->x[at.worst.i];
    add(r, "bounds of states", r->settings->tol_others, &at.worst, x->name, at_time(r, at.worst.t), x->lb, x->ub,
        x->pos);
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
            worsen(&worst, off / scale_of_bounds(lb, ub, value), value, rows->t[k], i);
        }
    const struct model_var *u = &r->model->u[worst.i];
    add_demand(r, "bounds of controls", CONTROL_TOL, &worst, u->name, at_time(r, worst.t),
               u->n_value ? values_text(r, u) : range_text(r, u->lb, u->ub), u->pos);
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
                worsen(&worst, fmax(0, least - length) / least, length, rows->t[stay[j].first], 0);
            }
        if (least > 0)
            add(r, arena_printf(mem, "stays of %s %s", u->name, on ? "on" : "off"), r->settings->tol_others,
                &worst, arena_printf(mem, "the time that %s stays %s", u->name, on ? "on" : "off"),
                arena_printf(mem, " from t = %.6g %s on", worst.t, r->model->time.unit), least, INFINITY,
                u->starts.pos);
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
        add(r, arena_printf(mem, "starts of %s", u->name), 0.5, &worst,
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
        worsen(&worst, vec_outside(value, p->lb, p->ub) / scale_of_bounds(p->lb, p->ub, value), value, 0, k);
    }
    const struct model_param *p = &model->param[model->p_param[worst.i]];
    add(r, "bounds of parameters", CONTROL_TOL, &worst, p->name, "", p->lb, p->ub, p->pos);
}

/* --- Constraints ----------------------------------------------------------------------------------------------- */

/* One constraint as a function: its value, then its derivatives by the states (of boundary ones at both ends). */
struct constraint {
    struct replay *r;
    const struct model_constraint *one;
    struct function f;
    int n_derivative;
    struct worst worst;
    int n_if;
    struct constraint *condition;   /* [n_if] where all of them are above 0 it holds; looked at where it is */
};

static struct constraint constraint_create(struct replay *r, const struct model_constraint *one)
{
    struct model *model = r->fork;
    const int n_x = model->n_x, n_end = one->at ? 0 : 2 * n_x, n = one->at ? n_x + model->n_u : n_end;
    struct constraint at = { .r = r, .one = one, .n_derivative = n, .worst = { .i = 0 } };
    struct arena mem = { NULL };
    expr *sym = mem_alloc((size_t)n, sizeof *sym), *e = mem_alloc((size_t)(1 + n), sizeof *e);
    memcpy(sym, one->at ? model->x_sym : model->x_initial_sym, (size_t)n_x * sizeof *sym);
    memcpy(sym + n_x, one->at ? model->u_sym : model->x_final_sym, (size_t)(n - n_x) * sizeof *sym);
    const struct inputs inputs = inputs_create(model, r->solution->p, n_end, sym, &mem);
    e[0] = one->e;
    expr_gradient(model->graph, one->e, n, sym, e + 1);
    at.f = function_of(&inputs, 1 + n, e);
    at.f.inputs_mem = mem;
    free(sym);
    free(e);
    return at;
}

/* What one is relative to: the bound that is broken; where it is zero what the scales of the states make of the
 * constraint there, at least the floor. */
static double scale_of_value(const struct constraint *at, const double *value)
{
    const struct replay *r = at->r;
    const double bound = value[0] < at->one->lb ? at->one->lb : at->one->ub;
    const int n_x = r->model->n_x;
    double scale = r->settings->floor;
    if (bound != 0)
        return fmax(scale, fabs(bound));
    for (int i = 0; i < at->n_derivative; i++) {
        const bool is_u = at->one->at && i >= n_x;
        scale = fmax(scale, fabs(value[1 + i]) * (is_u ? fabs(at->f.inputs.value[i]) : r->scale[i % n_x]));
    }
    return scale;
}

/* How far it is off where that has been evaluated. */
static double figure_of(struct constraint *at)
{
    const double *value = function_values(&at->f);
    const double by = vec_outside(value[0], at->one->lb, at->one->ub);
    return by > 0 ? by / scale_of_value(at, value) : 0;
}

/* One with a condition is off by what it or the condition would have to change, whichever is less. */
static void look_at_value(struct constraint *at, double t)
{
    double figure = figure_of(at);
    for (int k = 0; k < at->n_if && figure > 0; k++) {
        const struct inputs *from = &at->f.inputs, *to = &at->condition[k].f.inputs;
        memcpy(to->value, from->value, (size_t)from->n * sizeof *to->value);
        figure = fmin(figure, figure_of(&at->condition[k]));
    }
    if (figure > 0)
        worsen(&at->worst, figure, *function_values(&at->f), t, 0);
}

/* force NULL: what forces are asked for is not known here. */
static void look_at(struct constraint *at, double t, const double *x, const double *u, const double *force)
{
    if (at->one->of_forces)
        inputs_set_forces(&at->f.inputs, force, NULL);
    inputs_set(&at->f.inputs, t, x, u);
    look_at_value(at, t);
}

/* Along the path: everywhere. Otherwise where it is asked for. */
static bool is_along_path(const struct model_constraint *one)
{
    return (one->at & AT_PATH) == AT_PATH;
}

/* At a jump the state before it counts. */
static bool is_its_time(const struct constraint *at, const struct replay_place *place)
{
    const struct model_constraint *one = at->one;
    const double same = SAME_TIME * replay_last(at->r->solution)->t;
    bool found = false;
    for (int i = 0; i < one->n_time; i++)
        found = found || fabs(place->t - replay_time_of_part(at->r, one->time[i])) <= same;
    return found && place->side <= 0;
}

/* Start (false) or end of the control intervals that the constraint is about. */
static double end_of_its(const struct constraint *at, bool end)
{
    const struct model_constraint *one = at->one;
    const double n = at->r->model->time.n_intervals;
    if (one->end == 0)
        return end ? replay_last(at->r->solution)->t : at->r->solution->point[0].t;
    return replay_time_of_part(at->r, (end ? one->end : one->first) / n);
}

/* Does the place lie in the intervals of the constraint? At jumps on their ends the side tells. */
static bool is_in_phase(const struct constraint *at, const struct replay_place *place)
{
    const double same = SAME_TIME * replay_last(at->r->solution)->t;
    const double first = end_of_its(at, false), last = end_of_its(at, true);
    if (at->one->end == 0)
        return true;
    return place->t >= first - same && place->t <= last + same && !(place->side < 0 && place->t <= first + same)
           && !(place->side > 0 && place->t >= last - same);
}

static bool is_asked_for(const struct constraint *at, const struct replay_place *place)
{
    const struct replay_solution *solution = at->r->solution;
    const int flags = at->one->at, k = place->point;
    if (!is_in_phase(at, place))
        return false;
    if (is_along_path(at->one))
        return true;
    const double same = SAME_TIME * replay_last(solution)->t;
    const bool first = at->one->end ? fabs(place->t - end_of_its(at, false)) <= same : k == 0;
    const bool last = at->one->end ? fabs(place->t - end_of_its(at, true)) <= same : k == solution->n_point - 1;
    const bool is_last = k + 1 == solution->n_point;
    const bool ends = first || last || is_last || solution->point[k + 1].element != solution->point[k].element;
    bool on_grid = last;
    for (int i = 0; i < solution->controls.n && !on_grid; i++)
        on_grid = fabs(solution->controls.t[i] - place->t) <= SAME_TIME * replay_last(solution)->t;
    return place->is_point
           && ((flags & AT_INITIAL && first) || (flags & AT_FINAL && last) || (flags & AT_STAGES && !first)
               || (flags & AT_ELEMENTS && ends) || (flags & AT_INTERVALS && on_grid)
               || (flags & AT_TIMES && ends && is_its_time(at, place)));
}

/* A point is where its element ends, so that the controls are those before a jump; unless it follows one. */
static void visit_constraint(void *user, const struct replay_place *place)
{
    struct constraint *at = user;
    const double same = SAME_TIME * replay_last(at->r->solution)->t;
    const bool begins = at->one->end && fabs(place->t - end_of_its(at, false)) <= same;
    const double *force = place->is_point && place->side == 0 ? at->r->solution->point[place->point].force : NULL;
    if (is_asked_for(at, place) && (!at->one->of_forces || force))
        look_at(at, place->t, place->x,
                replay_controls(at->r, place->t, place->point == 0 || place->side > 0 || begins ? 1 : -1), force);
}

/* At the state in r->x. */
static void look_at_simulated(struct constraint *at, const struct sim *sim, int k, double t, const double *u)
{
    inputs_set(&at->f.inputs, t, at->r->x, u);
    replay_set_forces(&at->f.inputs, sim, k, t);
    look_at_value(at, t);
}

static void look_along(struct constraint *at, const struct sim *sim)
{
    struct replay *r = at->r;
    double *u = mem_alloc((size_t)r->model->n_u, sizeof *u);
    for (int k = 0; k < sim_n_pieces(sim); k++) {
        const struct sim_piece piece = sim_piece_at(sim, k);
        const struct replay_place middle = { .t = 0.5 * (piece.t_start + piece.t_end) };
        for (int j = 1; j < N_INSIDE && is_in_phase(at, &middle); j++) {
            const double t = piece.t_start + (piece.t_end - piece.t_start) * j / N_INSIDE;
            sim_eval_u(sim, k, t, u);
            sim_eval_x(sim, k, t, r->x);
            look_at_simulated(at, sim, k, t, u);
        }
    }
    free(u);
}

static bool has_point(const struct replay_solution *solution, double t)
{
    for (int k = 0; k < solution->n_point; k++)
        if (fabs(solution->point[k].t - t) <= SAME_TIME * replay_last(solution)->t)
            return true;
    return false;
}

/* At given times where what is judged, a simulation, has no point. */
static void look_at_times(struct constraint *at, const struct sim *sim)
{
    struct replay *r = at->r;
    double *u = mem_alloc((size_t)r->model->n_u, sizeof *u);
    for (int i = 0; i < at->one->n_time; i++) {
        const double t = replay_time_of_part(r, at->one->time[i]);
        int k = 0;
        while (k + 1 < sim_n_pieces(sim) && sim_piece_at(sim, k).t_end < t) k++;
        if (has_point(r->solution, t))
            continue;
        sim_eval_u(sim, k, t, u);
        sim_eval_x(sim, k, t, r->x);
        look_at_simulated(at, sim, k, t, u);
    }
    free(u);
}

static void look_at_ends(struct constraint *at)
{
    const struct replay_solution *solution = at->r->solution;
    const int n_x = at->r->model->n_x;
    const struct replay_point *last = replay_last(solution);
    inputs_set(&at->f.inputs, last->t, last->x, replay_controls(at->r, last->t, -1));
    double *ends = at->f.inputs.value + at->f.inputs.n - 2 * n_x;
    memcpy(ends, solution->point[0].x, (size_t)n_x * sizeof *ends);
    memcpy(ends + n_x, last->x, (size_t)n_x * sizeof *ends);
    look_at_value(at, last->t);
}

static void judge(struct constraint *at, const struct sim *sim)
{
    struct replay *r = at->r;
    const struct model_constraint *one = at->one;
    if (one->at == 0)
        look_at_ends(at);
    else
        replay_walk(r, NULL, visit_constraint, at);
    if (is_along_path(one) && sim)
        look_along(at, sim);
    if (sim)
        look_at_times(at, sim);
    add(r, one->path ? one->path : one->name, r->settings->tol_others, &at->worst, one->name,
        one->at ? at_time(r, at->worst.t) : "", one->lb, one->ub, one->pos);
    function_free(&at->f);
}

static void judge_constraint(struct replay *r, const struct model_constraint *one, const struct sim *sim)
{
    struct constraint at = constraint_create(r, one);
    judge(&at, sim);
}

/* A condition c > 0 is off where it holds: as the constraint c <= 0. */
static void judge_conditional(struct replay *r, const struct model_conditional *one, const struct sim *sim)
{
    struct constraint at = constraint_create(r, &one->of);
    struct model_constraint *off = arena_alloc(&r->mem, (size_t)one->n_if, sizeof *off);
    at.condition = arena_alloc(&r->mem, (size_t)one->n_if, sizeof *at.condition);
    for (at.n_if = 0; at.n_if < one->n_if; at.n_if++) {
        off[at.n_if] = one->of;
        off[at.n_if].e = one->only[at.n_if];
        off[at.n_if].lb = -INFINITY;
        off[at.n_if].ub = 0;
        at.condition[at.n_if] = constraint_create(r, &off[at.n_if]);
    }
    judge(&at, sim);
    for (int k = 0; k < at.n_if; k++)
        function_free(&at.condition[k].f);
}

/* At every impact of the solution. */
static void judge_impacts(struct replay *r, const struct model_constraint *one)
{
    struct constraint at = constraint_create(r, one);
    for (int j = 0; j < r->solution->n_event; j = replay_next_impact(r, j))
        if (replay_set_impact(r, &at.f.inputs, j))
            look_at_value(&at, r->solution->event[j].t);
    add(r, one->path ? one->path : one->name, r->settings->tol_others, &at.worst, one->name,
        at_time(r, at.worst.t), one->lb, one->ub, one->pos);
    function_free(&at.f);
}

/* --- Complementarity ------------------------------------------------------------------------------------------- */

/* 0 <= G _|_ H >= 0 as three constraints along the path, the last one G H <= 0, or = 0 with H of any sign:
 * relative to what the scales make of the product, G is small where H is not, and H where G is not. */
static void judge_pair(struct replay *r, const struct model_pair *pair, const struct sim *sim)
{
    struct model_constraint one = { .name = arena_printf(&r->mem, "%s.G", pair->name), .pos = pair->pos, .lb = 0, .ub = INFINITY,
                                    .at = AT_PATH, .e = pair->side[SIDE_G] };
    one.path = arena_printf(&r->mem, "%s.G", pair->path);
    judge_constraint(r, &one, sim);
    one.name = arena_printf(&r->mem, "%s.H", pair->name);
    one.path = arena_printf(&r->mem, "%s.H", pair->path);
    one.e = pair->side[SIDE_H];
    if (!pair->any_sign)
        judge_constraint(r, &one, sim);
    one.name = arena_printf(&r->mem, "%s: G*H", pair->name);
    one.path = arena_printf(&r->mem, "%s, G*H", pair->path);
    one.e = pair->product;
    one.lb = pair->any_sign ? 0 : -INFINITY;
    one.ub = 0;
    judge_constraint(r, &one, sim);
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
    for (int k = 0; k < r->model->constraints.n_constraint; k++)
        judge_constraint(r, &r->model->constraints.constraint[k], sim);
    for (int k = 0; k < r->model->constraints.n_conditional; k++)
        judge_conditional(r, &r->model->constraints.conditional[k], sim);
    for (int k = 0; k < r->model->constraints.n_pair; k++)
        judge_pair(r, &r->model->constraints.pair[k], sim);
    for (int k = 0; k < r->model->constraints.n_impact; k++)
        judge_impacts(r, &r->model->constraints.impact[k]);
}
