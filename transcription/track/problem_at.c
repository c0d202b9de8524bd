#include "transcription/track/problem_at.h"

#include <math.h>
#include <string.h>

#define SHORTEST 1e-6               /* of the horizon: what a free one may still be */
#define ROUND 1e-3                  /* of what is broken: where its cost turns into none; programs need second derivatives */
#define ON_GRID 1e-9                /* of a control interval: it begins there */

/* What time and horizon become. */
struct shift { struct expr_graph *g; struct arena *mem; int n; expr sym[2], by[2]; };

static void shift_in_place(const struct shift *by, expr *e)
{
    if (*e != EXPR_NONE)
        expr_substitute(by->g, 1, e, by->n, by->sym, by->by, e);
}

static expr *shifted(const struct shift *by, int n, const expr *e)
{
    expr *out = n > 0 ? arena_copy(by->mem, e, (size_t)n, sizeof *e) : NULL;
    for (int i = 0; i < n; i++)
        shift_in_place(by, &out[i]);
    return out;
}

static void shift_groups(const struct shift *by, struct model *model)
{
    model->dynamics.group = arena_copy(by->mem, model->dynamics.group, (size_t)model->dynamics.n_group,
                                       sizeof *model->dynamics.group);
    for (int k = 0; k < model->dynamics.n_group; k++) {
        struct model_group *group = &model->dynamics.group[k];
        group->c = shifted(by, group->n_c, group->c);
        group->mode = arena_copy(by->mem, group->mode, (size_t)group->n_mode, sizeof *group->mode);
        for (int m = 0; m < group->n_mode; m++)
            group->mode[m].rhs = shifted(by, model->n_x, group->mode[m].rhs);
    }
}

static struct model_cost *shifted_costs(const struct shift *by, int n, const struct model_cost *cost)
{
    struct model_cost *out = arena_copy(by->mem, cost, (size_t)n, sizeof *cost);
    for (int k = 0; k < n; k++)
        shift_in_place(by, &out[k].e);
    return out;
}

static struct model_constraint *shifted_constraints(const struct shift *by, int n, const struct model_constraint *c)
{
    struct model_constraint *out = arena_copy(by->mem, c, (size_t)n, sizeof *c);
    for (int k = 0; k < n; k++)
        shift_in_place(by, &out[k].e);
    return out;
}

/* Surfaces that move. */
static void shift_contacts(const struct shift *by, struct model *model)
{
    model->contacts.contact = arena_copy(by->mem, model->contacts.contact, (size_t)model->contacts.n_contact,
                                         sizeof *model->contacts.contact);
    for (int k = 0; k < model->contacts.n_contact; k++) {
        struct model_contact *contact = &model->contacts.contact[k];
        shift_in_place(by, &contact->gap);
        shift_in_place(by, &contact->v_n);
        for (int t = 0; t < contact->n_t; t++)
            shift_in_place(by, &contact->v_t[t]);
        for (int d = 0; d <= contact->n_t; d++)
            shift_in_place(by, &contact->drift[d]);
        contact->J_n = shifted(by, model->mechanics.n_q, contact->J_n);
        contact->J_t = shifted(by, model->mechanics.n_q * contact->n_t, contact->J_t);
        contact->corner = shifted(by, contact->n_corner, contact->corner);
    }
}

/* Sets that move. */
static void shift_projections(const struct shift *by, struct model *model)
{
    model->switching.projection = arena_copy(by->mem, model->switching.projection,
                                             (size_t)model->switching.n_projection,
                                             sizeof *model->switching.projection);
    for (int k = 0; k < model->switching.n_projection; k++) {
        shift_in_place(by, &model->switching.projection[k].gap);
        shift_in_place(by, &model->switching.projection[k].lambda);
        if (!model->switching.projection[k].is_pair)
            model->switching.projection[k].push = shifted(by, model->n_x, model->switching.projection[k].push);
    }
}

/* Conditions and resets; machines are in the states that they are in. */
static void shift_machines(const struct shift *by, const struct problem_from *from, struct model *model)
{
    model->switching.machine = arena_copy(by->mem, model->switching.machine, (size_t)model->switching.n_machine,
                                          sizeof *model->switching.machine);
    for (int m = 0; m < model->switching.n_machine; m++) {
        struct model_machine *machine = &model->switching.machine[m];
        machine->start = from->machine[m];
        machine->since = from->since[m];
        machine->transition = arena_copy(by->mem, machine->transition, (size_t)machine->n_transition,
                                         sizeof *machine->transition);
        for (int k = 0; k < machine->n_transition; k++) {
            shift_in_place(by, &machine->transition[k].when);
            machine->transition[k].only = shifted(by, machine->transition[k].n_only, machine->transition[k].only);
            machine->transition[k].reset = shifted(by, machine->transition[k].n_reset, machine->transition[k].reset);
        }
    }
}

/* All that may depend on time. */
static void shift_model(const struct shift *by, struct model *model)
{
    model->dynamics.rhs = shifted(by, model->n_x, model->dynamics.rhs);
    model->mechanics.f_v = shifted(by, model->mechanics.n_q, model->mechanics.f_v);
    shift_groups(by, model);
    shift_contacts(by, model);
    shift_projections(by, model);
    model->costs.running = shifted_costs(by, model->costs.n_running, model->costs.running);
    model->costs.terminal = shifted_costs(by, model->costs.n_terminal, model->costs.terminal);
    model->costs.impact = shifted_costs(by, model->costs.n_impact, model->costs.impact);
    model->constraints.constraint = shifted_constraints(by, model->constraints.n_constraint,
                                                        model->constraints.constraint);
    model->constraints.conditional = arena_copy(by->mem, model->constraints.conditional,
                                                (size_t)model->constraints.n_conditional,
                                                sizeof *model->constraints.conditional);
    for (int k = 0; k < model->constraints.n_conditional; k++) {
        struct model_conditional *one = &model->constraints.conditional[k];
        shift_in_place(by, &one->of.e);
        shift_in_place(by, &one->when);
        one->only = shifted(by, one->n_if, one->only);
    }
    model->constraints.impact = shifted_constraints(by, model->constraints.n_impact, model->constraints.impact);
    model->defines.output = arena_copy(by->mem, model->defines.output, (size_t)model->defines.n_output,
                                       sizeof *model->defines.output);
    for (int k = 0; k < model->defines.n_output; k++)
        shift_in_place(by, &model->defines.output[k].e);
    model->costs.sampled = arena_copy(by->mem, model->costs.sampled, (size_t)model->costs.n_sampled,
                                      sizeof *model->costs.sampled);
    for (int k = 0; k < model->costs.n_sampled; k++)
        shift_in_place(by, &model->costs.sampled[k].cost.e);
    model->defines.e = shifted(by, model->defines.n_define, model->defines.e);
    model->costs.n_reference = model->drawing.n_draw = 0;  /* pictures are drawn of the whole */
}

/* Parts of a horizon that begins at t0. */
static void shift_steps(struct model *model, double t0, double total, double rest)
{
    model->time.steps = arena_copy(&model->mem, model->time.steps, (size_t)model->time.n_steps, sizeof *model->time.steps);
    for (int k = 0; k < model->time.n_steps; k++) {
        struct model_steps *steps = &model->time.steps[k];
        double *part = arena_copy(&model->mem, steps->part, (size_t)steps->n, sizeof *part);
        for (int i = 0; i < steps->n; i++)
            part[i] = (part[i] * total - t0) / rest;
        steps->part = part;
    }
}

static void shrink(struct model *model, double t0, double total, int n_interval)
{
    const double rest = fmax(total - t0, SHORTEST * total), least = SHORTEST * total;
    model->time.n_intervals = n_interval;
    model->time.horizon = rest;
    if (!model->time.horizon_free) {
        model->T_sym = expr_const(model->graph, rest);
        return;
    }
    model->time.horizon_min = fmax(model->time.horizon_min - t0, least);
    model->time.horizon_max = fmax(model->time.horizon_max - t0, 2 * model->time.horizon_min);
}

/* --- Places on the horizon ----------------------------------------------------------------------------------- */

/* Times that are still to come, as parts of what is left; returns how many. */
static int times_left(const struct problem_from *from, struct arena *mem, int n, const double **time)
{
    const double passed = from->t0 / from->total;
    double *left = arena_alloc(mem, (size_t)n, sizeof *left);
    int k = 0;
    for (int i = 0; i < n; i++)
        if ((*time)[i] > passed + SHORTEST)
            left[k++] = ((*time)[i] - passed) / (1 - passed);
    *time = left;
    return k;
}

/* What is asked at the start or has passed goes; a constraint that nothing is left of, too. */
static void move_places(const struct problem_from *from, struct model *model)
{
    int n = 0;
    for (int k = 0; k < model->constraints.n_constraint; k++) {
        struct model_constraint *c = &model->constraints.constraint[k];
        const bool is_boundary = c->at == 0;
        c->n_time = times_left(from, &model->mem, c->n_time, &c->time);
        c->at &= c->n_time ? ~AT_INITIAL : ~(AT_INITIAL | AT_TIMES);
        if (is_boundary || c->at)
            model->constraints.constraint[n++] = *c;
    }
    model->constraints.n_constraint = n;
    for (int k = 0; k < model->costs.n_sampled; k++) {
        struct model_sampled *one = &model->costs.sampled[k];
        one->n_time = times_left(from, &model->mem, one->n_time, &one->time);
        one->at &= one->n_time ? ~AT_INITIAL : ~(AT_INITIAL | AT_TIMES);
    }
    const double *moment = model->time.interior_time;
    model->time.n_interior_time = times_left(from, &model->mem, model->time.n_interior_time, &moment);
    model->time.interior_time =
        arena_copy(&model->mem, moment, (size_t)model->time.n_interior_time, sizeof *moment);
}

/* --- Impulses ------------------------------------------------------------------------------------------------- */

/* Parameter k becomes a number in all that may speak of an impulse. */
static void fix_parameter(struct model *model, int k, double value)
{
    struct model_param *param = &model->param[k];
    struct shift by = { .g = model->graph, .mem = &model->mem, .n = 1, .sym = { param->sym },
                        .by = { expr_const(model->graph, value) } };
    for (int i = 0; i < model->impulses.n_jump; i++)
        model->impulses.jump[i].to = shifted(&by, model->impulses.jump[i].n, model->impulses.jump[i].to);
    for (int i = 0; i < model->costs.n_running; i++)
        shift_in_place(&by, &model->costs.running[i].e);
    for (int i = 0; i < model->costs.n_terminal; i++)
        shift_in_place(&by, &model->costs.terminal[i].e);
    for (int i = 0; i < model->costs.n_sampled; i++)
        shift_in_place(&by, &model->costs.sampled[i].cost.e);
    for (int i = 0; i < model->constraints.n_constraint; i++)
        shift_in_place(&by, &model->constraints.constraint[i].e);
    param->optimize = false;
    param->value_expr = by.by[0];
}

/* The impulses of control k that have acted before interval `first` go; the others move along, those
 * before `chosen` as they are. */
static void pass_impulses(struct model *model, int k, int first, int chosen, const double *value)
{
    struct model_impulse *one = &model->impulses.impulse[k];
    const size_t n = (size_t)one->n;
    one->at = arena_copy(&model->mem, one->at, n, sizeof *one->at);
    one->param = arena_copy(&model->mem, one->param, n, sizeof *one->param);
    int left = 0;
    for (int j = 0; j < one->n; j++) {
        const int at = one->at[j], param = one->param[j];
        if (at < chosen && model->param[param].optimize)
            fix_parameter(model, param, value[param]);
        if (at < first)
            continue;
        one->at[left] = at - first;
        one->param[left++] = param;
    }
    one->n = left;
}

static void move_impulses(const struct problem_from *from, struct model *model)
{
    const int first = model->time.n_intervals - from->n_interval;
    const double busy = (from->t_from - from->t0) / (from->total - from->t0) * from->n_interval;       /* intervals */
    const int chosen = first + (int)ceil(fmin(busy, from->n_interval) - ON_GRID);
    int n_jump = 0, n_p = 0;
    if (model->impulses.n_impulse == 0)
        return;
    model->param = arena_copy(&model->mem, model->param, (size_t)model->n_param, sizeof *model->param);
    model->impulses.impulse = arena_copy(&model->mem, model->impulses.impulse, (size_t)model->impulses.n_impulse,
                                         sizeof *model->impulses.impulse);
    model->impulses.jump = arena_copy(&model->mem, model->impulses.jump, (size_t)model->impulses.n_jump,
                                      sizeof *model->impulses.jump);
    for (int k = 0; k < model->n_param; k++)
        model->param[k].value = from->value[k];                 /* guesses of those that are left */
    for (int k = 0; k < model->impulses.n_impulse; k++)
        pass_impulses(model, k, first, chosen, from->value);
    for (int k = 0; k < model->impulses.n_jump; k++)
        if (model->impulses.jump[k].at >= first) {
            model->impulses.jump[n_jump] = model->impulses.jump[k];
            model->impulses.jump[n_jump++].at -= first;
        }
    model->impulses.n_jump = n_jump;
    const int *p_param = model->p_param;
    model->p_param = arena_copy(&model->mem, p_param, (size_t)model->n_p, sizeof *p_param);
    model->p_sym = arena_copy(&model->mem, model->p_sym, (size_t)model->n_p, sizeof *model->p_sym);
    for (int k = 0; k < model->n_p; k++)
        if (model->param[p_param[k]].optimize) {
            model->p_param[n_p] = p_param[k];
            model->p_sym[n_p++] = model->param[p_param[k]].sym;
        }
    model->n_p = n_p;
}

/* initial(e) is about the start of the whole motion. */
static void keep_start(const struct problem_from *from, struct model *model)
{
    struct shift by = { .g = model->graph, .n = 1 };
    for (int i = 0; i < model->n_x; i++) {
        by.sym[0] = model->x_initial_sym[i];
        by.by[0] = expr_const(model->graph, from->x_start[i]);
        for (int k = 0; k < model->constraints.n_constraint; k++)
            if (model->constraints.constraint[k].at == 0)
                shift_in_place(&by, &model->constraints.constraint[k].e);
    }
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

struct model *problem_at(const struct model *model, const struct problem_from *from)
{
    struct model *at = model_fork(model);
    struct expr_graph *g = at->graph;
    const bool shrinks = from->horizon == TRACK_SHRINKING;
    struct shift by = { .g = g, .mem = &at->mem, .n = 1, .sym = { model->t_sym, model->T_sym } };
    const expr t0 = expr_const(g, from->t0);
    by.by[0] = expr_add(g, model->t_sym, t0);
    by.by[1] = expr_add(g, model->T_sym, t0);
    if (shrinks && model->time.horizon_free)
        by.n = 2;
    shift_model(&by, at);
    shift_machines(&by, from, at);
    if (at->time.n_steps)
        shift_steps(at, from->t0, from->total,
                    shrinks ? fmax(from->total - from->t0, SHORTEST * from->total) : from->total);
    if (shrinks) {
        keep_start(from, at);
        move_places(from, at);
        move_impulses(from, at);
        shrink(at, from->t0, from->total, from->n_interval);
    }
    at->x = arena_copy(&at->mem, at->x, (size_t)at->n_x, sizeof *at->x);
    for (int i = 0; i < at->n_x; i++)
        at->x[i].initial = (struct model_end){ END_FIXED, from->x[i], from->x[i], at->x[i].initial.pos };
    at->is_measured = true;
    return at;
}

/* --- As near as can be --------------------------------------------------------------------------------------- */

/* Costs to be added to, the old ones first. */
static struct model_cost *grown(struct model *at, int n, const struct model_cost *cost, int most)
{
    struct model_cost *all = arena_alloc(&at->mem, (size_t)(n + most), sizeof *all);
    if (n)
        memcpy(all, cost, (size_t)n * sizeof *all);
    return all;
}

/* max(0, e)^2, round within ROUND of 0. */
static expr square_above(struct expr_graph *g, expr e)
{
    const expr root = expr_sqrt(g, expr_add(g, expr_mul(g, e, e), expr_const(g, ROUND * ROUND)));
    const expr above = expr_mul(g, expr_const(g, 0.5), expr_add(g, e, root));
    return expr_mul(g, above, above);
}

/* Of the distance from [lo, hi]. */
static expr square_outside(struct expr_graph *g, expr e, double lo, double hi)
{
    const expr below = expr_sub(g, expr_const(g, lo), e), above = expr_sub(g, e, expr_const(g, hi));
    if (lo == hi)
        return expr_mul(g, above, above);
    const expr zero = expr_const(g, 0);
    return expr_add(g, isfinite(lo) ? square_above(g, below) : zero, isfinite(hi) ? square_above(g, above) : zero);
}

static struct model_cost penalty(struct expr_graph *g, double weight, const char *name, const char *path,
                                 struct srcpos pos, expr e)
{
    return (struct model_cost){ .name = name, .path = path, .pos = pos, .e = expr_mul(g, expr_const(g, weight), e) };
}

/* Of a state, by which it is weighed. */
static double width_of(const struct model_var *x)
{
    return fmin(x->ub - x->lb, 1);
}

bool problem_soften_end(struct model *at, double weight)
{
    struct expr_graph *g = at->graph;
    const int n = at->costs.n_terminal;
    struct model_cost *all = grown(at, n, at->costs.terminal, at->n_x);
    for (int i = 0; i < at->n_x; i++) {
        struct model_var *x = &at->x[i];
        if (x->final.kind != END_FIXED && x->final.kind != END_RANGE)
            continue;
        const double width = width_of(x), hi = x->final.kind == END_FIXED ? x->final.lo : x->final.hi;
        all[at->costs.n_terminal++] = penalty(g, weight / (width * width), x->name, x->path, x->pos,
                                              square_outside(g, at->x_sym[i], x->final.lo, hi));
        x->final = (struct model_end){ END_FREE, -INFINITY, INFINITY, x->final.pos };
    }
    at->costs.terminal = all;
    return at->costs.n_terminal > n;
}

static bool is_bounded(double lo, double hi)
{
    return isfinite(lo) || isfinite(hi);
}

/* Inequalities that are asked along the path; what else they are asked at stays, but for
 * the start, which is given. */
static void soften_constraints(struct model *at, double weight)
{
    int n = 0;
    for (int k = 0; k < at->constraints.n_constraint; k++) {
        struct model_constraint *c = &at->constraints.constraint[k];
        if ((c->at & AT_STAGES) && c->lb < c->ub && !c->of_forces) {
            at->costs.running[at->costs.n_running++] = penalty(at->graph, weight, c->name, c->path, c->pos,
                                                               square_outside(at->graph, c->e, c->lb, c->ub));
            c->at &= ~AT_PATH;
            if (!c->at)
                continue;
        }
        at->constraints.constraint[n++] = *c;
    }
    at->constraints.n_constraint = n;
}

static void soften_bounds(struct model *at, double weight)
{
    for (int i = 0; i < at->n_x; i++) {
        struct model_var *x = &at->x[i];
        const double width = width_of(x);
        if (!is_bounded(x->lb, x->ub))
            continue;
        at->costs.running[at->costs.n_running++] = penalty(at->graph, weight / (width * width), x->name, x->path,
                                                           x->pos,
                                                           square_outside(at->graph, at->x_sym[i], x->lb, x->ub));
        x->lb = -INFINITY;
        x->ub = INFINITY;
    }
}

bool problem_soften_path(struct model *at, double weight)
{
    const int n = at->costs.n_running;
    at->costs.running = grown(at, n, at->costs.running, at->constraints.n_constraint + at->n_x);
    soften_constraints(at, weight / at->time.horizon);
    soften_bounds(at, weight / at->time.horizon);
    return at->costs.n_running > n;
}
