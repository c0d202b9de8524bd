#include "core/simulation/system.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "core/expression/nonsmooth.h"
#include "core/expression/trace.h"
#include "core/model/kinematics.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOGETHER_FROM = 1500 };      /* instructions: from there on ten points together take less than three alone */

struct fields {                     /* the expressions, while they are put together */
    struct expr_graph *g;
    struct model *model;
    int n_s;
    expr *f_v, *rhs;                /* [n_q], [n_x]: without nonsmooth nodes */
    expr *u;                        /* [n_u] controls as expressions */
    expr *c, *alpha;                /* [n_s] */
    const char **name;              /* [n_s] */
};

/* --- Switches ------------------------------------------------------------------------------------------------ */

/* Row i of a group's field where the first n switches have the pattern's signs, multilinear in alpha. */
static expr blend(struct expr_graph *g, const struct model_group *group, const expr *alpha, int row, int n,
                  int pattern)
{
    if (n == 0)
        return group->mode[group->mode_of_pattern[pattern]].rhs[row];
    assert(alpha);
    const expr off = blend(g, group, alpha, row, n - 1, pattern);
    const expr on = blend(g, group, alpha, row, n - 1, pattern | 1 << (n - 1));
    return expr_add(g, off, expr_mul(g, alpha[n - 1], expr_sub(g, on, off)));
}

static void add_switch(struct fields *f, expr c, expr alpha, const char *name)
{
    f->c = mem_grow(f->c, f->n_s, 1, sizeof *f->c);
    f->alpha = mem_grow(f->alpha, f->n_s, 1, sizeof *f->alpha);
    f->name = mem_grow(f->name, f->n_s, 1, sizeof *f->name);
    f->c[f->n_s] = c;
    f->alpha[f->n_s] = alpha;
    f->name[f->n_s++] = name;
}

/* The switches of the groups come first, then those of nonsmooth functions. */
static void add_groups(struct system *sys, struct fields *f)
{
    for (int k = 0; k < f->model->dynamics.n_group; k++) {
        const struct model_group *group = &f->model->dynamics.group[k];
        const int first = f->n_s;
        for (int l = 0; l < group->n_c; l++)
            add_switch(f, group->c[l], expr_sym(f->g, group->c_name[l]), group->c_name[l]);
        for (int i = 0; i < sys->n_x; i++)
            f->rhs[i] = expr_add(f->g, f->rhs[i], blend(f->g, group, f->alpha + first, i, group->n_c, 0));
    }
}

static enum status lower_all(int n, expr *e, struct fields *f, struct switch_set *set, struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int i = 0; i < n; i++)
        if (nonsmooth_lower(f->g, e[i], set, &e[i], diag) != STATUS_OK)
            st = STATUS_SPEC;
    return st;
}

/* Forces of pairs are what the steps of their switches leave, lambda = 1 - alpha. */
static void place_pairs(struct fields *f, int n, expr *e)
{
    const struct model *model = f->model;
    expr *sym = mem_alloc((size_t)model->switching.n_projection, sizeof *sym),
          *by = mem_alloc((size_t)model->switching.n_projection, sizeof *by);
    int n_pair = 0;
    for (int k = 0; k < model->switching.n_projection; k++)
        if (model->switching.projection[k].is_pair) {
            sym[n_pair] = model->switching.projection[k].lambda;
            by[n_pair++] = expr_sub(f->g, expr_const(f->g, 1), model->switching.projection[k].state);
        }
    if (n_pair > 0)
        expr_substitute(f->g, n, e, n_pair, sym, by, e);
    free(sym);
    free(by);
}

/* Behind all others, whose switching functions know nothing of them. */
static enum status add_pairs(struct fields *f, struct diag *diag)
{
    const struct model *model = f->model;
    const int n_before = f->n_s;
    enum status st = STATUS_OK;
    for (int l = 0; l < n_before; l++)
        if (model_check_switch(model, f->c[l], f->name[l], diag) != STATUS_OK)
            st = STATUS_SPEC;
    for (int k = 0; k < model->switching.n_projection; k++) {
        const struct model_projection *one = &model->switching.projection[k];
        if (one->is_pair)
            add_switch(f, one->gap, one->state, one->name);
    }
    place_pairs(f, f->n_s, f->c);
    return st;
}

/* The right-hand sides, smooth for given alpha. Rows of v' are 0 in rhs. */
static enum status find_fields(struct system *sys, const expr *u_expr, struct fields *f, struct diag *diag)
{
    const struct model *model = f->model;
    const expr zero = expr_const(f->g, 0);
    f->f_v = arena_copy(&sys->mem, model->mechanics.f_v, (size_t)sys->n_q, sizeof(expr));
    f->rhs = arena_alloc(&sys->mem, (size_t)sys->n_x, sizeof(expr));
    f->u = arena_alloc(&sys->mem, (size_t)sys->n_u, sizeof(expr));
    for (int i = 0; i < sys->n_x; i++)
        f->rhs[i] = model->dynamics.rhs[i] == EXPR_NONE ? zero : model->dynamics.rhs[i];
    for (int k = 0; k < sys->n_u; k++)
        f->u[k] = u_expr && u_expr[k] != EXPR_NONE ? u_expr[k] : model->u_sym[k];
    add_groups(sys, f);
    struct switch_set set = { 0 };
    enum status st = lower_all(f->n_s, f->c, f, &set, diag);
    if (lower_all(sys->n_q, f->f_v, f, &set, diag) != STATUS_OK ||
        lower_all(sys->n_x, f->rhs, f, &set, diag) != STATUS_OK ||
        lower_all(sys->n_u, f->u, f, &set, diag) != STATUS_OK)
        st = STATUS_SPEC;
    for (int k = 0; k < model->constraints.n_conditional; k++) {
        expr when = model->constraints.conditional[k].when;     /* steps end where it changes */
        if (lower_all(1, &when, f, &set, diag) != STATUS_OK)
            st = STATUS_SPEC;
    }
    for (int k = 0; k < set.n; k++) {
        const struct model_hysteresis *relay = model_find_relay(f->model, set.alpha[k]);
        const struct model_projection *wall = model_find_projection(f->model, set.alpha[k]);
        add_switch(f, set.c[k], set.alpha[k], relay  ? relay->name
                                              : wall ? wall->name : model_switch_name(f->model, set.c[k]));
    }
    switch_set_free(&set);
    if (add_pairs(f, diag) != STATUS_OK)
        st = STATUS_SPEC;
    place_pairs(f, sys->n_q, f->f_v);
    place_pairs(f, sys->n_x, f->rhs);
    return st;
}

/* --- Tapes --------------------------------------------------------------------------------------------------- */

struct outputs { int n; expr *e; };

/* Room for n more, to be filled. */
static expr *put_room(struct outputs *out, int n)
{
    out->e = mem_grow(out->e, out->n, n, sizeof *out->e);
    out->n += n;
    return out->e + out->n - n;
}

static void put(struct outputs *out, int n, const expr *e)
{
    expr *to = put_room(out, n);
    assert(e || n == 0);
    for (int i = 0; i < n; i++)
        to[i] = e[i];
}

static struct function compile(const struct system *sys, struct outputs *out)
{
    const struct function f = function_of(&sys->inputs, out->n, out->e);
    free(out->e);
    return f;
}

/* d e_i / d alpha_k for all i and k, by columns. */
static void put_by_alpha(struct outputs *out, const struct fields *f, int n, const expr *e)
{
    expr *all = put_room(out, n * f->n_s), *row = mem_alloc((size_t)f->n_s, sizeof *row);
    for (int i = 0; i < n; i++) {
        expr_gradient(f->g, e[i], f->n_s, f->alpha, row);
        for (int k = 0; k < f->n_s; k++)
            all[i + k * n] = row[k];
    }
    free(row);
}

static void compile_dynamics(struct system *sys, const struct fields *f)
{
    struct outputs out = { 0 };
    put(&out, sys->n_q * sys->n_q, f->model->mechanics.M);
    put(&out, sys->n_q, f->f_v);
    put(&out, sys->n_x, f->rhs);
    put_by_alpha(&out, f, sys->n_q, f->f_v);
    put_by_alpha(&out, f, sys->n_x, f->rhs);
    sys->dynamics = compile(sys, &out);
    sys->at.M = sys->dynamics.out;
    sys->at.f_v = sys->at.M + sys->n_q * sys->n_q;
    sys->at.rhs = sys->at.f_v + sys->n_q;
    sys->at.f_a = sys->at.rhs + sys->n_x;
    sys->at.rhs_a = sys->at.f_a + sys->n_q * sys->n_s;
}

static void compile_switches(struct system *sys, const struct fields *f)
{
    struct outputs out = { 0 };
    assert(f->c || sys->n_s == 0);
    put(&out, sys->n_s, f->c);
    for (int k = 0; k < sys->n_s; k++)
        expr_gradient(f->g, f->c[k], sys->n_x, f->model->x_sym, put_room(&out, sys->n_x));
    for (int k = 0; k < sys->n_s; k++)
        expr_gradient(f->g, f->c[k], 1, &f->model->t_sym, put_room(&out, 1));
    put_by_alpha(&out, f, sys->n_s, f->c);
    sys->switches = compile(sys, &out);
    sys->at.c = sys->switches.out;
    sys->at.c_x = sys->at.c + sys->n_s;
    sys->at.c_t = sys->at.c_x + sys->n_x * sys->n_s;
    sys->at.c_a = sys->at.c_t + sys->n_s;
}

static int count_transitions(const struct model *model)
{
    int n = 0;
    for (int m = 0; m < model->switching.n_machine; m++)
        n += model->switching.machine[m].n_transition;
    return n;
}

/* Above 0 where all conditions of a transition are; 0 where time decides. */
static expr condition_of(struct expr_graph *g, const struct model_transition *one)
{
    expr all = one->when == EXPR_NONE ? expr_const(g, 0) : one->when;
    for (int i = 0; i < one->n_only; i++)
        all = expr_binary(g, EXPR_MIN, all, one->only[i]);
    return all;
}

/* Conditions of transitions, and what resets lead to. */
static void compile_transitions(struct system *sys)
{
    const struct model *model = sys->model;
    struct outputs when = { 0 }, resets = { 0 };
    sys->transitions.of = arena_alloc(&sys->mem, (size_t)count_transitions(model), sizeof *sys->transitions.of);
    for (int m = 0; m < model->switching.n_machine; m++)
        for (int k = 0; k < model->switching.machine[m].n_transition; k++) {
            const struct model_transition *one = &model->switching.machine[m].transition[k];
            sys->transitions.of[sys->transitions.n++] = (struct system_transition){ m, one, resets.n };
            *put_room(&when, 1) = condition_of(model->graph, one);
            put(&resets, one->n_reset, one->reset);
        }
    sys->transitions.when = compile(sys, &when);
    sys->transitions.resets = compile(sys, &resets);
}

/* What states jump to where phases by the user begin and impulses act. */
static void compile_starts(struct system *sys)
{
    struct outputs out = { 0 };
    for (int k = 0; k < sys->model->impulses.n_jump; k++)
        put(&out, sys->model->impulses.jump[k].n, sys->model->impulses.jump[k].to);
    sys->starts = compile(sys, &out);
}

static bool is_affine(const struct system *sys, const struct fields *f)
{
    for (int k = 0; k < f->n_s; k++) {
        expr slope;
        if (expr_depends(f->g, f->c[k], f->n_s, f->alpha))
            return false;
        for (int i = 0; i < sys->n_q + sys->n_x; i++) {
            expr_gradient(f->g, i < sys->n_q ? f->f_v[i] : f->rhs[i - sys->n_q], 1, &f->alpha[k], &slope);
            if (expr_depends(f->g, slope, f->n_s, f->alpha))
                return false;
        }
    }
    return true;
}

/* --- Corners of grounds ---------------------------------------------------------------------------------------- */

static const double CORNER_NEAR = 1e-10;    /* m: on either side of a corner the pieces of a gap are the same */

/* The sides of corners become inputs: a closed contact keeps to the face or corner that
 * it touches until an event. */
static void hold_sides(struct system *sys, struct model_contact *contact, const expr *side)
{
    struct model *model = sys->model;
    const int n_q = sys->n_q, n = 4 + (1 + contact->n_t) * n_q, n_k = contact->n_corner;
    expr *sign = arena_alloc(&sys->mem, (size_t)n_k, sizeof *sign),
         *e = arena_alloc(&sys->mem, (size_t)n, sizeof *e);
    for (int k = 0; k < n_k; k++)
        sign[k] = expr_side(model->graph, contact->corner[k]);
    e[0] = contact->gap;
    e[1] = contact->v_n;
    e[2] = contact->n_t > 0 ? contact->v_t[0] : EXPR_NONE;
    e[3] = EXPR_NONE;
    memcpy(e + 4, contact->J_n, (size_t)n_q * sizeof *e);
    memcpy(e + 4 + n_q, contact->J_t, (size_t)(contact->n_t * n_q) * sizeof *e);
    expr_substitute(model->graph, n, e, n_k, sign, side, e);
    expr_substitute(model->graph, 3, contact->drift, n_k, sign, side, contact->drift);
    contact->gap = e[0];
    contact->v_n = e[1];
    contact->v_t[0] = contact->n_t > 0 ? e[2] : contact->v_t[0];
    contact->J_n = e + 4;
    contact->J_t = contact->n_t > 0 ? e + 4 + n_q : contact->J_t;
}

/* Of all contacts; their sides are symbols side [n_k]. */
static expr *list_corners(struct system *sys)
{
    struct model *model = sys->model;
    const size_t n_c = (size_t)sys->n_c;
    expr *gap = arena_alloc(&sys->mem, n_c, sizeof *gap);
    for (int c = 0; c < sys->n_c; c++) {
        gap[c] = model->contacts.contact[c].gap;
        sys->corner.n += model->contacts.contact[c].n_corner;
    }
    const size_t n_k = (size_t)sys->corner.n;
    expr *side = arena_alloc(&sys->mem, n_k, sizeof *side), *corner = arena_alloc(&sys->mem, n_k, sizeof *corner);
    sys->corner.of = arena_alloc(&sys->mem, n_k, sizeof *sys->corner.of);
    sys->corner.held = arena_alloc(&sys->mem, n_k, sizeof *sys->corner.held);
    sys->corner.is_held = arena_alloc(&sys->mem, n_k, sizeof *sys->corner.is_held);
    model->contacts.contact = arena_copy(&model->mem, model->contacts.contact, n_c,
                                         sizeof *model->contacts.contact);
    for (int c = 0, k = 0; c < sys->n_c; c++) {
        struct model_contact *contact = &model->contacts.contact[c];
        for (int i = 0; i < contact->n_corner; i++) {
            corner[k + i] = contact->corner[i];
            side[k + i] = expr_sym(model->graph, "side");
            sys->corner.of[k + i] = c;
            sys->corner.held[k + i] = SIM_OPEN;
        }
        if (contact->n_corner > 0)
            hold_sides(sys, contact, side + k);
        k += contact->n_corner;
    }
    sys->corner.gap = gap;
    sys->corner.c = corner;
    return side;
}

static void compile_corners(struct system *sys)
{
    struct outputs out = { 0 };
    put(&out, sys->corner.n, sys->corner.c);
    for (int k = 0; k < sys->corner.n; k++)
        *put_room(&out, 1) = kinematics_rate(sys->model, sys->corner.c[k]);
    sys->corner.f = compile(sys, &out);
}

void system_eval_contacts(struct system *sys)
{
    const double *c = sys->corner.n > 0 ? function_values(&sys->corner.f) : NULL;
    for (int k = 0; k < sys->corner.n; k++) {
        const bool holds = sys->corner.held[k] != SIM_OPEN && (sys->corner.is_held[k] || fabs(c[k]) <= CORNER_NEAR);
        sys->corner.side[k] = holds ? sys->corner.held[k] == SIM_POSITIVE : c[k] >= 0;
    }
    contact_functions_eval(&sys->contacts);
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

/* Switches and places in the inputs. */
static void set_inputs(struct system *sys, const double *p, const struct fields *f, const expr *side)
{
    sys->n_s = f->n_s;
    sys->n_m = sys->model->switching.n_machine;
    sys->n_subject = sys->n_c + f->n_s + sys->n_m + sys->corner.n;
    sys->switch_name = arena_copy(&sys->mem, f->name, (size_t)f->n_s, sizeof *f->name);
    sys->relay = arena_alloc(&sys->mem, (size_t)f->n_s, sizeof *sys->relay);
    sys->wall = arena_alloc(&sys->mem, (size_t)f->n_s, sizeof *sys->wall);
    for (int k = 0; k < f->n_s; k++) {
        sys->relay[k] = model_find_relay(sys->model, f->alpha[k]);
        sys->wall[k] = model_find_projection(sys->model, f->alpha[k]);
        sys->has_pairs = sys->has_pairs || system_is_pair(sys, k);
    }
    const int n_signal = sys->model->switching.n_signal, first = n_signal + sys->corner.n;
    expr *extra = arena_alloc(&sys->mem, (size_t)(first + f->n_s), sizeof *extra);
    for (int k = 0; k < first + f->n_s; k++)
        extra[k] = k < n_signal ? sys->model->switching.signal[k] : k < first ? side[k - n_signal]
                                                                              : f->alpha[k - first];
    sys->inputs = inputs_create(sys->model, p, first + f->n_s, extra, &sys->mem);
    sys->x = sys->inputs.value;
    sys->u = sys->x + sys->n_x;
    sys->t = sys->u + sys->n_u + sys->model->n_p;
    sys->alpha = sys->inputs.value + sys->inputs.n - f->n_s;
    sys->corner.side = sys->alpha - sys->corner.n;
    sys->signal = sys->corner.side - n_signal;
}

/* By the parameters at hand. */
static void find_breaks(struct system *sys)
{
    struct outputs all = { 0 };
    put(&all, sys->n_q, sys->formula.f_v);
    put(&all, sys->n_x, sys->formula.rhs);
    put(&all, sys->n_s, sys->formula.c);
    sys->breaks = breaks_find(&sys->inputs, all.n, all.e);
    free(all.e);
}

/* The expressions outlive their compilation: their ranges and breaks are asked for. */
static void keep_fields(struct system *sys, const struct fields *f)
{
    sys->formula.f_v = f->f_v;
    sys->formula.rhs = f->rhs;
    sys->formula.c = arena_copy(&sys->mem, f->c, (size_t)sys->n_s, sizeof(expr));
    find_breaks(sys);
}

/* Likewise, of contacts. */
static void read_friction(struct system *sys)
{
    system_eval_contacts(sys);
    for (int c = 0; c < sys->n_c; c++) {
        sys->mu[c] = system_contact(sys, c).mu;
        sys->e[c] = system_contact(sys, c).e;
    }
}

enum status system_create(const struct model *model, const double *p, const expr *u_expr, struct system **out,
                          struct diag *diag)
{
    struct system *sys = mem_alloc(1, sizeof *sys);
    sys->model = model_fork(model);
    struct fields f = { .g = sys->model->graph, .model = sys->model };
    *out = sys;
    sys->n_x = model->n_x;
    sys->n_u = model->n_u;
    sys->n_q = model->mechanics.n_q;
    sys->n_c = model->contacts.n_contact;
    sys->is_off = arena_alloc(&sys->mem, (size_t)sys->n_c, sizeof *sys->is_off);
    sys->has_u_expr = u_expr != NULL;
    const enum status st = find_fields(sys, u_expr, &f, diag);
    if (st == STATUS_OK) {
        sys->alpha_is_affine = is_affine(sys, &f);
        set_inputs(sys, p, &f, list_corners(sys));
        keep_fields(sys, &f);
        compile_dynamics(sys, &f);
        sys->contacts = contact_functions_create(&sys->inputs, sys->n_c, NULL);
        compile_corners(sys);
        compile_switches(sys, &f);
        sys->controls = function_of(&sys->inputs, sys->n_u, f.u);
        compile_transitions(sys);
        compile_starts(sys);
        sys->mu = arena_alloc(&sys->mem, (size_t)sys->n_c, sizeof(double));
        sys->e = arena_alloc(&sys->mem, (size_t)sys->n_c, sizeof(double));
        read_friction(sys);
    }
    free(f.c);
    free(f.alpha);
    free(f.name);
    return st;
}

void system_forget(struct system *sys, const double *p)
{
    const struct model *model = sys->model;
    double *now = sys->u + sys->n_u;
    memset(sys->x, 0, (size_t)(sys->n_x + sys->n_u) * sizeof *sys->x);
    *sys->t = 0;
    memset(sys->signal, 0, (size_t)(sys->inputs.n - (int)(sys->signal - sys->inputs.value)) * sizeof *sys->signal);
    memset(sys->is_off, 0, (size_t)sys->n_c * sizeof *sys->is_off);
    memset(sys->corner.is_held, 0, (size_t)sys->corner.n * sizeof *sys->corner.is_held);
    for (int k = 0; k < sys->corner.n; k++)
        sys->corner.held[k] = SIM_OPEN;
    if (!p || memcmp(now, p, (size_t)model->n_p * sizeof *p) == 0)
        return;
    memcpy(now, p, (size_t)model->n_p * sizeof *p);
    free(sys->breaks.t);
    find_breaks(sys);
    read_friction(sys);
}

void system_free(struct system *sys)
{
    if (!sys)
        return;
    function_free(&sys->dynamics);
    contact_functions_free(&sys->contacts);
    function_free(&sys->corner.f);
    function_free(&sys->switches);
    function_free(&sys->controls);
    function_free(&sys->transitions.when);
    function_free(&sys->transitions.resets);
    function_free(&sys->starts);
    free(sys->breaks.t);
    model_free(sys->model);
    arena_free(&sys->mem);
    free(sys);
}

void system_ahead(struct system *sys, int n, const double *t, const double *x)
{
    const int n_in = sys->inputs.n, t_index = (int)(sys->t - sys->inputs.value);
    if (n > sys->ahead.n) {
        sys->ahead.n = n;
        sys->ahead.point = arena_alloc(&sys->mem, (size_t)(n * n_in), sizeof *sys->ahead.point);
    }
    for (int k = 0; k < n; k++) {
        memcpy(&sys->ahead.point[k * n_in], sys->inputs.value, (size_t)n_in * sizeof *sys->ahead.point);
        memcpy(&sys->ahead.point[k * n_in], &x[k * sys->n_x], (size_t)sys->n_x * sizeof *x);
        sys->ahead.point[k * n_in + t_index] = t[k];
    }
    function_ahead(&sys->dynamics, n, sys->ahead.point);
    if (sys->n_c > 0)
        function_ahead(&sys->contacts.f, n, sys->ahead.point);
}

bool system_is_large(const struct system *sys)
{
    const int n_contacts = sys->n_c > 0 ? tape_n_instructions(sys->contacts.f.tape) : 0;
    return tape_n_instructions(sys->dynamics.tape) + n_contacts > TOGETHER_FROM;
}

void system_set_controls(struct system *sys, const double *u)
{
    const struct model_phase *phase = model_phase_of_row(sys->model, u);
    memcpy(sys->u, u, (size_t)sys->n_u * sizeof *u);
    for (int c = 0; c < sys->n_c; c++)
        sys->is_off[c] = phase && phase->contact[c] == CONTACT_ABSENT;
}

void system_eval_controls(struct system *sys, double *u)
{
    if (sys->has_u_expr)
        (void)function_values(&sys->controls);
    memcpy(u, sys->has_u_expr ? sys->controls.out : sys->u, (size_t)sys->n_u * sizeof *u);
}

struct jump_impact system_impact(const struct system *sys, int n, const int *contact, struct arena *mem)
{
    const size_t n_q = (size_t)sys->n_q, N = (size_t)n;
    double *v = arena_alloc(mem, n_q, sizeof *v), *J = arena_alloc(mem, CONTACT_ROWS * N * n_q, sizeof *J);
    double *mu = arena_alloc(mem, N, sizeof *mu), *e = arena_alloc(mem, N, sizeof *e);
    double *drift = arena_alloc(mem, CONTACT_ROWS * N, sizeof *drift);
    int *n_t = arena_alloc(mem, N, sizeof *n_t);
    for (int i = 0; i < sys->n_q; i++)
        v[i] = sys->x[sys->model->mechanics.v_index[i]];
    for (int k = 0; k < n; k++) {
        n_t[k] = sys->model->contacts.contact[contact[k]].n_t;
        mu[k] = sys->mu[contact[k]];
        e[k] = sys->e[contact[k]];
        const struct contact_at at = system_contact(sys, contact[k]);
        memcpy(&J[CONTACT_ROWS * (size_t)k * n_q], at.J_n, CONTACT_ROWS * n_q * sizeof *J);
        memcpy(&drift[CONTACT_ROWS * k], at.drift, sizeof at.drift);
    }
    return (struct jump_impact){ .n_q = sys->n_q, .n_c = n, .contact = contact, .n_t = n_t, .v_minus = v, .M = sys->at.M,
                                 .J = J, .mu = mu, .e = e, .drift = drift };
}

/* Where an expression is not finite at the inputs; what is empty where it is. */
struct trace { struct srcpos pos; char what[300]; };

static struct trace trace_of(const struct system *sys, expr e)
{
    struct trace at = { { NULL, 0, 0 }, "" };
    if (e != EXPR_NONE)
        at.pos = expr_trace(sys->model->graph, e, sys->inputs.n, sys->inputs.sym, sys->inputs.value, at.what, sizeof at.what);
    return at;
}

/* In a mode, whether or not it is the present one. */
static struct trace trace_modes(const struct system *sys)
{
    const struct model *model = sys->model;
    struct trace at = { { NULL, 0, 0 }, "" };
    for (int k = 0; k < model->dynamics.n_group; k++)
        for (int m = 0; m < model->dynamics.group[k].n_mode; m++)
            for (int i = 0; i < sys->n_x && !*at.what; i++)
                at = trace_of(sys, model->dynamics.group[k].mode[m].rhs[i]);
    return at;
}

bool system_trace(const struct system *sys, char *text, size_t size)
{
    const struct model *model = sys->model;
    struct trace at = { { NULL, 0, 0 }, "" };
    for (int i = 0; i < sys->n_q + sys->n_x && !*at.what; i++) {
        at = trace_of(sys, i < sys->n_q ? model->mechanics.f_v[i] : model->dynamics.rhs[i - sys->n_q]);
        if (*at.what && !at.pos.line && i < sys->n_q)
            at.pos = model->mechanics.f_v_pos[i];
    }
    const bool in_mode = !*at.what;
    if (in_mode)
        at = trace_modes(sys);
    const char *hint = in_mode ? " (the formulas of all modes are evaluated everywhere)" : "";
    if (*at.what && at.pos.line)
        (void)snprintf(text, size, "%s:%d:%d: %s%s", at.pos.file, at.pos.line, at.pos.col, at.what, hint);
    else
        (void)snprintf(text, size, "%s%s", at.what, *at.what ? hint : "");
    return *at.what != '\0';
}
