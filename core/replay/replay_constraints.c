/* Does a replay hold the constraints of the spec: at the places that they name, along the path, at impacts? */
#include "core/replay/replay_worst.h"

#include "core/base/mem.h"
#include "core/base/vec.h"
#include "core/expression/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_INSIDE = 40 };             /* places looked at within a piece of the simulation */

/* --- One constraint ------------------------------------------------------------------------------------------ */

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
        worst_raise(&at->worst, figure, *function_values(&at->f), t, 0);
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

/* The finding: where it is off most, and when. Its functions are not needed any more. */
static void tell(struct constraint *at, const char *when)
{
    const struct model_constraint *one = at->one;
    worst_add_range(at->r, one->path ? one->path : one->name, at->r->settings->tol_others, &at->worst, one->name,
                    when, one->lb, one->ub, one->pos);
    function_free(&at->f);
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
    tell(at, one->at ? worst_time_text(r, at->worst.t) : "");
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
    tell(&at, worst_time_text(r, at.worst.t));
}

/* --- Complementarity ----------------------------------------------------------------------------------------- */

/* 0 <= G _|_ H >= 0 as three constraints along the path, the last one G H <= 0, or = 0 with H of any sign:
 * relative to what the scales make of the product, G is small where H is not, and H where G is not. */
static void judge_pair(struct replay *r, const struct model_pair *pair, const struct sim *sim)
{
    struct model_constraint one = { .name = arena_printf(&r->mem, "%s.G", pair->name), .pos = pair->pos,
                                    .lb = 0, .ub = INFINITY, .at = AT_PATH, .e = pair->side[SIDE_G] };
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

/* --- All of them --------------------------------------------------------------------------------------------- */

void replay_judge_constraints(struct replay *r, const struct sim *sim)
{
    for (int k = 0; k < r->model->constraints.n_constraint; k++)
        judge_constraint(r, &r->model->constraints.constraint[k], sim);
    for (int k = 0; k < r->model->constraints.n_conditional; k++)
        judge_conditional(r, &r->model->constraints.conditional[k], sim);
    for (int k = 0; k < r->model->constraints.n_pair; k++)
        judge_pair(r, &r->model->constraints.pair[k], sim);
    for (int k = 0; k < r->model->constraints.n_impact; k++)
        judge_impacts(r, &r->model->constraints.impact[k]);
}
