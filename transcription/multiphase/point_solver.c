#include "transcription/multiphase/point_solver.h"

#include "core/base/mem.h"
#include "transcription/multiphase/decoupled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define START_IN_CONE 0.9           /* of its cone, at most: friction of an impulse that sticks, to start from */
#define HOLD_ACCELERATION 1e-4      /* m/s^2, beside 1 N and controls of their sizes: rest comes first */
#define HOLD_IN_CONE 0.9            /* of its cone: friction of what holds */
#define HOLD_LESS 0.5               /* of the size of friction that leaves it, for the next round */
enum { HOLD_ROUNDS = 8 };           /* to a 256th */

/* --- A small system of outputs for some slots, by Gauss-Newton, least squares where it is singular ------------- */

struct point_solver {
    const struct phase_system *sys;
    double *slot;                   /* [n_slot] values */
    int n_unknown, *unknown;        /* slots */
    int n_row, *row;                /* outputs that are to be 0 */
    double *value, *jac, *work;
    int *place, *row_place;         /* [n_slot] of an unknown, [n_out] of an output among the rows, or -1 */
    int n_entry, *entry;            /* entries of the Jacobian that are of a row and an unknown; [n_entry] these: */
    int *entry_row, *entry_column;
    double *entry_value, *b, *step; /* [n_entry], [n_row], [n_unknown] */
    double *size;                   /* [n_slot] of unknowns: of what is left open the smallest, relative to these */
    struct decoupled *squares;
    struct { const struct pointfun *fun; int n_unknown, n_row, *unknown, *row; } last;  /* whose pattern is set */
};

static void set_sizes(struct point_solver *at, int first, int n, double size)
{
    for (int k = 0; k < n; k++)
        at->size[first + k] = size;
}

struct point_solver *point_solver_create(const struct phase_system *sys)
{
    const struct pointfun *motion = sys->motion_fun, *impact = sys->impact_fun;
    struct point_solver *at = mem_alloc(1, sizeof *at);
    const size_t n_slot = (size_t)sys->n_slot;
    const size_t n_out = (size_t)(motion->n_out > impact->n_out ? motion->n_out : impact->n_out);
    const size_t n_jac = (size_t)(motion->n_jac > impact->n_jac ? motion->n_jac : impact->n_jac);
    const struct tape *const tape[] = { motion->value, motion->jac, impact->value, impact->jac };
    size_t work = 0;
    for (size_t k = 0; k < 4; k++)
        work = tape_work_size(tape[k]) > work ? tape_work_size(tape[k]) : work;
    at->sys = sys;
    at->slot = mem_alloc(n_slot, sizeof(double));
    at->unknown = mem_alloc(n_slot, sizeof(int));
    at->row = mem_alloc(n_out, sizeof(int));
    at->value = mem_alloc(n_out, sizeof(double));
    at->jac = mem_alloc(n_jac, sizeof(double));
    at->work = mem_alloc(work, sizeof(double));
    at->place = mem_alloc(n_slot, sizeof(int));
    at->row_place = mem_alloc(n_out, sizeof(int));
    at->entry = mem_alloc(n_jac, sizeof(int));
    at->entry_row = mem_alloc(n_jac, sizeof(int));
    at->entry_column = mem_alloc(n_jac, sizeof(int));
    at->entry_value = mem_alloc(n_jac, sizeof(double));
    at->b = mem_alloc(n_out, sizeof(double));
    at->step = mem_alloc(n_slot, sizeof(double));
    at->size = mem_alloc(n_slot, sizeof(double));
    set_sizes(at, 0, sys->n_slot, 1);
    at->last.unknown = mem_alloc(n_slot, sizeof(int));
    at->last.row = mem_alloc(n_out, sizeof(int));
    at->squares = decoupled_create((int)n_slot, (int)n_out, (int)n_jac);
    return at;
}

void point_solver_free(struct point_solver *at)
{
    if (!at)
        return;
    double *const number[] = { at->slot, at->value, at->jac, at->work, at->entry_value, at->b, at->step, at->size };
    int *const index[] = { at->unknown, at->row, at->place, at->row_place, at->entry, at->entry_row,
                           at->entry_column, at->last.unknown, at->last.row };
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        free(number[k]);
    for (size_t k = 0; k < sizeof index / sizeof *index; k++)
        free(index[k]);
    decoupled_free(at->squares);
    free(at);
}

static void add_unknown(struct point_solver *at, int slot)
{
    at->unknown[at->n_unknown++] = slot;
}

static bool is_same(int n, const int *a, const int *b)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* Is the pattern that of the last system? From point to point of a mode it is. */
static bool has_pattern(const struct point_solver *at, const struct pointfun *fun)
{
    return at->last.fun == fun && at->last.n_unknown == at->n_unknown && at->last.n_row == at->n_row
           && is_same(at->n_unknown, at->last.unknown, at->unknown) && is_same(at->n_row, at->last.row, at->row);
}

static void set_pattern(struct point_solver *at, const struct pointfun *fun)
{
    if (has_pattern(at, fun))
        return;
    at->last.fun = fun;
    at->last.n_unknown = at->n_unknown;
    at->last.n_row = at->n_row;
    memcpy(at->last.unknown, at->unknown, (size_t)at->n_unknown * sizeof *at->unknown);
    memcpy(at->last.row, at->row, (size_t)at->n_row * sizeof *at->row);
    for (int k = 0; k < at->sys->n_slot; k++)
        at->place[k] = -1;
    for (int k = 0; k < at->n_unknown; k++)
        at->place[at->unknown[k]] = k;
    for (int i = 0; i < fun->n_out; i++)
        at->row_place[i] = -1;
    for (int i = 0; i < at->n_row; i++)
        at->row_place[at->row[i]] = i;
    at->n_entry = 0;
    for (int k = 0; k < fun->n_jac; k++) {
        const int row = at->row_place[fun->jac_out[k]], column = at->place[fun->jac_in[k]];
        if (row < 0 || column < 0)
            continue;
        at->entry[at->n_entry] = k;
        at->entry_row[at->n_entry] = row;
        at->entry_column[at->n_entry++] = column;
    }
    decoupled_set(at->squares, at->n_unknown, at->n_row, at->n_entry, at->entry_row, at->entry_column);
}

/* Are the conditions linear in the unknowns? Else they have products of alpha with forces. */
static bool is_linear(const struct point_solver *at, const struct pointfun *fun)
{
    for (int k = 0; k < fun->n_hess; k++)
        if (at->place[fun->hess_row[k]] >= 0 && at->place[fun->hess_col[k]] >= 0)
            return false;
    return true;
}

enum { STEPS = 3 };                 /* of linear conditions the later ones take away what rounding has left */

/* The Jacobian's entry k is jac[k * stride]. */
static void take_entries(struct point_solver *at, const double *jac, size_t stride)
{
    for (int k = 0; k < at->n_entry; k++)
        at->entry_value[k] = jac[(size_t)at->entry[k] * stride] * at->size[at->unknown[at->entry_column[k]]];
}

/* A step by the entries; the conditions' value i is value[i * stride]. */
static void take_step(struct point_solver *at, const double *value, size_t stride)
{
    for (int i = 0; i < at->n_row; i++)
        at->b[i] = -value[(size_t)at->row[i] * stride];
    if (!decoupled_solve(at->squares, at->entry_value, at->b, at->step))
        return;
    for (int i = 0; i < at->n_unknown; i++)
        if (isfinite(at->step[i]))
            at->slot[at->unknown[i]] += at->step[i] * at->size[at->unknown[i]];
}

/* Is there anything to solve for? Then the pattern is set. */
static bool has_system(struct point_solver *at, const struct pointfun *fun)
{
    if (at->n_unknown == 0 || at->n_row == 0)
        return false;
    set_pattern(at, fun);
    return true;
}

static void solve(struct point_solver *at, const struct pointfun *fun)
{
    if (!has_system(at, fun))
        return;
    const bool linear = is_linear(at, fun);
    for (int k = 0; k < STEPS; k++) {
        if (k == 0 || !linear) {
            tape_eval(fun->jac, 1, at->slot, 1, at->jac, 1, at->work);
            take_entries(at, at->jac, 1);
        }
        tape_eval(fun->value, 1, at->slot, 1, at->value, 1, at->work);
        take_step(at, at->value, 1);
    }
}

/* --- Points -------------------------------------------------------------------------------------------------- */

static void begin(struct point_solver *at, const struct phase_point *point, const struct point_inputs *in,
                  const double *y)
{
    const struct phase_system *sys = at->sys;
    const size_t n_u = (size_t)sys->model->n_u, n_p = (size_t)sys->model->n_p;
    memset(at->slot, 0, (size_t)sys->n_slot * sizeof(double));
    memcpy(at->slot + sys->y, y, (size_t)sys->n_y * sizeof(double));
    if (n_u)
        memcpy(at->slot + sys->u, in->u, n_u * sizeof(double));
    if (n_p)
        memcpy(at->slot + sys->p, in->p, n_p * sizeof(double));
    if (sys->T >= 0)
        at->slot[sys->T] = in->horizon;
    if (point->machine)
        phase_system_signals(sys, point->machine, at->slot + sys->signal);
    phases_set_patches(sys, point, at->slot);
    at->n_unknown = at->n_row = 0;
}

/* Direction and speed of slip in space, from the velocity. */
static void set_direction(struct point_solver *at, const struct phase_contact *contact, int v_t_out,
                          const struct pointfun *fun, double width)
{
    tape_eval(fun->value, 1, at->slot, 1, at->value, 1, at->work);
    const double *v = at->value + v_t_out, speed = hypot(slip_size(v), width);
    for (int k = 0; k < contact->n_t; k++)
        at->slot[contact->dir + k] = speed > 1e-9 ? v[k] / speed : k == 0;
    at->slot[contact->speed] = speed;
}

static void add_forces(struct point_solver *at, const struct phase_point *point, int c)
{
    const struct phase_contact *contact = &at->sys->contact[c];
    if (point->layout->lambda_n[c] >= 0)
        add_unknown(at, contact->lambda_n);
    for (int k = 0; k < contact->n_t && point->contact[c] == PHASE_STICK; k++)
        add_unknown(at, contact->lambda_t + k);
    if (point->contact[c] == PHASE_FORWARD || point->contact[c] == PHASE_BACKWARD)
        at->slot[contact->dir] = point->contact[c] == PHASE_FORWARD ? 1 : -1;
}

static void add_contact(struct point_solver *at, const struct phase_point *point, int c, const double *y,
                        double width)
{
    const struct phase_system *sys = at->sys;
    const struct phase_outputs *out = &sys->out;
    add_forces(at, point, c);
    at->row[at->n_row++] = out->gap_rate2 + c;
    for (int k = 0; k < sys->contact[c].n_t && point->contact[c] == PHASE_STICK; k++)
        at->row[at->n_row++] = out->v_t_rate + SLIP_MAX * c + k;
    if (point->contact[c] == PHASE_SLIP) {                      /* v_t as after an impact that changes nothing */
        for (int i = 0; i < sys->n_a; i++)
            at->slot[sys->a + i] = y[sys->model->mechanics.v_index[i]];
        set_direction(at, &sys->contact[c], out->v_t_plus + SLIP_MAX * c, sys->impact_fun, width);
    }
}

/* The conditions of a mode. */
static void add_mode(struct point_solver *at, const struct phase_point *point, const double *y, double width)
{
    const struct phase_system *sys = at->sys;
    for (int i = 0; i < sys->n_a; i++) {
        add_unknown(at, sys->a + i);
        at->row[at->n_row++] = sys->out.balance + i;
    }
    for (int c = 0; c < sys->n_contact; c++)
        if (point->contact[c] != PHASE_OPEN)
            add_contact(at, point, c, y, width);
    for (int l = 0; l < sys->n_switch; l++) {
        at->slot[sys->sw[l].alpha] = point->sw[l] == PHASE_POSITIVE ? 1 : point->sw[l] == PHASE_SLIDING ? 0.5 : 0;
        if (point->layout->alpha[l] < 0)
            continue;
        add_unknown(at, sys->sw[l].alpha);
        at->row[at->n_row++] = sys->out.c_rate + l;
    }
}

static void begin_mode(struct point_solver *at, const struct phase_point *point, const struct point_inputs *in,
                       const double *y)
{
    begin(at, point, in, y);
    add_mode(at, point, y, in->width);
}

void point_solver_mode(struct point_solver *at, const struct phase_point *point, const struct point_inputs *in,
                       const double *y)
{
    begin_mode(at, point, in, y);
    solve(at, at->sys->motion_fun);
}

/* --- Holding ------------------------------------------------------------------------------------------------- */

static bool is_in_cone(const struct point_solver *at, const struct phase_contact *contact)
{
    double along = 0;
    for (int k = 0; k < contact->n_t; k++)
        along = hypot(along, at->slot[contact->lambda_t + k]);
    return along <= HOLD_IN_CONE * contact->model->mu * at->slot[contact->lambda_n];
}

/* Contacts that are to stick, but pull, or push more along the ground than friction holds: they are to do less of
 * that next. False: there are none. */
static bool lean_less(struct point_solver *at, const struct phase_point *point)
{
    bool any = false;
    for (int c = 0; c < at->sys->n_contact; c++) {
        const struct phase_contact *contact = &at->sys->contact[c];
        if (point->contact[c] != PHASE_STICK || point->layout->lambda_t[c] < 0 || is_in_cone(at, contact))
            continue;
        set_sizes(at, contact->lambda_t, contact->n_t, HOLD_LESS * at->size[contact->lambda_t]);
        any = true;
    }
    return any;
}

static void read_forces(const struct point_solver *at, double *force)
{
    for (int c = 0; c < at->sys->n_contact; c++) {
        const struct phase_contact *contact = &at->sys->contact[c];
        double *own = force + (1 + SLIP_MAX) * c;
        own[0] = at->slot[contact->lambda_n];
        for (int k = 0; k < SLIP_MAX; k++)
            own[1 + k] = k < contact->n_t ? at->slot[contact->lambda_t + k] : 0;
    }
}

bool point_solver_hold(struct point_solver *at, const struct phase_point *point, const struct point_inputs *in,
                       const double *y, const double *size, double *u, double *force)
{
    const struct phase_system *sys = at->sys;
    const int n_u = sys->model->n_u;
    bool outside = true;
    set_sizes(at, sys->a, sys->n_a, HOLD_ACCELERATION);
    for (int k = 0; k < n_u; k++)
        at->size[sys->u + k] = size[k];
    for (int round = 0; round < HOLD_ROUNDS && outside; round++) {
        begin(at, point, in, y);
        add_mode(at, point, y, in->width);
        for (int k = 0; k < n_u; k++)
            if (size[k] > 0)
                add_unknown(at, sys->u + k);
        solve(at, sys->motion_fun);
        outside = lean_less(at, point);
    }
    memcpy(u, at->slot + sys->u, (size_t)n_u * sizeof *u);
    if (force)
        read_forces(at, force);
    set_sizes(at, 0, sys->n_slot, 1);
    return !outside;
}

/* Of an impulse that sticks: lambda_t = -mu lambda_n dir, inside. */
static void set_place_in_cone(struct point_solver *at, const struct phase_contact *contact)
{
    const double *lambda_t = at->slot + contact->lambda_t, cone = contact->model->mu * at->slot[contact->lambda_n];
    double size = 0;
    for (int k = 0; k < contact->n_t; k++)
        size = hypot(size, lambda_t[k]);
    const double part = size <= START_IN_CONE * cone ? 1 / cone : START_IN_CONE / size;
    for (int k = 0; k < contact->n_t; k++)
        at->slot[contact->dir + k] = size > 0 ? -part * lambda_t[k] : 0;
}

void point_solver_impact(struct point_solver *at, const struct phase_point *point, const struct point_inputs *in,
                         const double *y, const double *y_plus)
{
    const struct phase_system *sys = at->sys;
    begin(at, point, in, y);
    for (int i = 0; i < sys->n_a; i++) {
        at->slot[sys->a + i] = y_plus[sys->model->mechanics.v_index[i]];
        at->row[at->n_row++] = sys->out.momentum + i;
    }
    for (int c = 0; c < sys->n_contact; c++) {
        if (point->contact[c] == PHASE_OPEN)
            continue;
        add_forces(at, point, c);
        if (point->contact[c] == PHASE_SLIP)
            set_direction(at, &sys->contact[c], sys->out.v_t_plus + SLIP_MAX * c, sys->impact_fun, in->width);
    }
    solve(at, sys->impact_fun);
    for (int c = 0; c < sys->n_contact; c++)
        if (point->contact[c] == PHASE_STICK && point->layout->dir[c] >= 0)
            set_place_in_cone(at, &sys->contact[c]);
}

void point_solver_unknowns(const struct point_solver *at, const struct phase_layout *layout, double *block)
{
    const struct phase_system *sys = at->sys;
    memcpy(block, at->slot + sys->a, (size_t)sys->n_a * sizeof *block);
    for (int c = 0; c < sys->n_contact; c++) {
        const struct phase_contact *contact = &sys->contact[c];
        if (layout->lambda_n[c] >= 0)
            block[layout->lambda_n[c]] = at->slot[contact->lambda_n];
        for (int k = 0; k < contact->n_t && layout->lambda_t[c] >= 0; k++)
            block[layout->lambda_t[c] + k] = at->slot[contact->lambda_t + k];
        for (int k = 0; k < contact->n_t && layout->dir[c] >= 0; k++)
            block[layout->dir[c] + k] = at->slot[contact->dir + k];
        if (layout->speed[c] >= 0)
            block[layout->speed[c]] = at->slot[contact->speed];
    }
    for (int l = 0; l < sys->n_switch; l++)
        if (layout->alpha[l] >= 0)
            block[layout->alpha[l]] = at->slot[sys->sw[l].alpha];
}

/* y' from the values of the motion's functions. */
static void take_rate(const struct point_solver *at, const double *value, size_t stride, double *rate)
{
    const struct phase_system *sys = at->sys;
    for (int i = 0; i < sys->n_y; i++)
        rate[i] = sys->a_of[i] >= 0 ? at->slot[sys->a + sys->a_of[i]] : value[(size_t)(sys->out.F + i) * stride];
}

void point_solver_rate(struct point_solver *at, double *rate)
{
    tape_eval(at->sys->motion_fun->value, 1, at->slot, 1, at->value, 1, at->work);
    take_rate(at, at->value, 1, rate);
}

/* --- Many points --------------------------------------------------------------------------------------------- */

struct point_lanes {
    int n_max;
    struct point_solver **at;       /* [n_max] */
    bool *is_asked;                 /* [n_max] has unknowns and conditions */
    double *slot, *out;             /* [n_slot * n_max], [outputs or entries * n_max]: a row for each number */
};

struct point_lanes *point_lanes_create(const struct phase_system *sys, int n_max)
{
    const struct pointfun *motion = sys->motion_fun;
    const int n_out = motion->n_out > motion->n_jac ? motion->n_out : motion->n_jac;
    struct point_lanes *lanes = mem_alloc(1, sizeof *lanes);
    lanes->n_max = n_max;
    lanes->at = mem_alloc((size_t)n_max, sizeof(struct point_solver *));
    lanes->is_asked = mem_alloc((size_t)n_max, sizeof(bool));
    lanes->slot = mem_alloc((size_t)sys->n_slot * (size_t)n_max, sizeof(double));
    lanes->out = mem_alloc((size_t)n_out * (size_t)n_max, sizeof(double));
    for (int p = 0; p < n_max; p++)
        lanes->at[p] = point_solver_create(sys);
    return lanes;
}

void point_lanes_free(struct point_lanes *lanes)
{
    for (int p = 0; p < lanes->n_max; p++)
        point_solver_free(lanes->at[p]);
    free(lanes->at);
    free(lanes->is_asked);
    free(lanes->slot);
    free(lanes->out);
    free(lanes);
}

static void eval_lanes(struct point_lanes *lanes, int n, const struct tape *tape)
{
    const int n_slot = lanes->at[0]->sys->n_slot;
    for (int p = 0; p < n; p++)
        for (int k = 0; k < n_slot; k++)
            lanes->slot[k * n + p] = lanes->at[p]->slot[k];
    tape_eval(tape, n, lanes->slot, (size_t)n, lanes->out, (size_t)n, lanes->at[0]->work);
}

void point_lanes_rates(struct point_lanes *lanes, int n, const struct point_lane *lane)
{
    const struct pointfun *fun = lanes->at[0]->sys->motion_fun;
    bool any_bends = false;
    for (int p = 0; p < n; p++) {
        begin_mode(lanes->at[p], lane[p].point, lane[p].in, lane[p].y);
        lanes->is_asked[p] = has_system(lanes->at[p], fun);
        any_bends = any_bends || (lanes->is_asked[p] && !is_linear(lanes->at[p], fun));
    }
    for (int k = 0; k < STEPS; k++) {
        if (k == 0 || any_bends)
            eval_lanes(lanes, n, fun->jac);
        for (int p = 0; p < n && (k == 0 || any_bends); p++)
            if (lanes->is_asked[p] && (k == 0 || !is_linear(lanes->at[p], fun)))
                take_entries(lanes->at[p], lanes->out + p, (size_t)n);
        eval_lanes(lanes, n, fun->value);
        for (int p = 0; p < n; p++)
            if (lanes->is_asked[p])
                take_step(lanes->at[p], lanes->out + p, (size_t)n);
    }
    eval_lanes(lanes, n, fun->value);
    for (int p = 0; p < n; p++)
        take_rate(lanes->at[p], lanes->out + p, (size_t)n, lane[p].rate);
}
