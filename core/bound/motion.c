#include "core/bound/reading.h"

#include "core/base/mem.h"
#include "core/expression/degree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Right sides without nonsmooth nodes --------------------------------------------------------------------- */

/* The motion as expressions: rates of states, accelerations apart, and those of modes; steps stand for signs. */
struct right_sides {
    expr *rhs, *f_v, **mode;
    expr *acceleration; /* where the mass matrix varies: in place of f_v */
};

/* Relays and reactions of walls are symbols from here on. */
static enum status lower(struct reading *r, expr e, expr *out)
{
    return nonsmooth_lower(r->g, nonsmooth_recall(r->g, e), &r->set, out, r->diag);
}

static enum status lower_all(struct reading *r, struct right_sides *to)
{
    const struct model *m = r->model;
    enum status st = STATUS_OK;
    int n_mode = 0, at = 0;
    for (int k = 0; k < m->dynamics.n_group; k++)
        n_mode += m->dynamics.group[k].n_mode;
    to->rhs = arena_copy(r->mem, m->dynamics.rhs, (size_t)m->n_x, sizeof *to->rhs);
    to->f_v = arena_copy(r->mem, m->mechanics.f_v, (size_t)m->mechanics.n_q, sizeof *to->f_v);
    to->mode = arena_alloc(r->mem, (size_t)n_mode, sizeof *to->mode);
    for (int i = 0; i < m->n_x && st == STATUS_OK; i++)
        if (m->dynamics.rhs[i] != EXPR_NONE)
            st = lower(r, m->dynamics.rhs[i], &to->rhs[i]);
    for (int i = 0; i < m->mechanics.n_q && st == STATUS_OK; i++)
        st = lower(r, m->mechanics.f_v[i], &to->f_v[i]);
    for (int k = 0; k < m->dynamics.n_group; k++)
        for (int mode = 0; mode < m->dynamics.group[k].n_mode; mode++, at++) {
            to->mode[at] =
                arena_copy(r->mem, m->dynamics.group[k].mode[mode].rhs, (size_t)m->n_x, sizeof **to->mode);
            for (int i = 0; i < m->n_x && st == STATUS_OK; i++)
                st = lower(r, to->mode[at][i], &to->mode[at][i]);
        }
    return st;
}

/* --- Switches ------------------------------------------------------------------------------------------------ */

static const char nested[] = "a switch that depends on another one is nothing that bounds know yet",
                  of_modes[] = "a switch that depends on a relay or a machine is nothing that bounds know yet";

/* The switching functions, of groups first, as polynomials of what V depends on. */
static enum status read_switches(struct reading *r, struct bound_place *place)
{
    const struct model *m = r->model;
    enum status st = STATUS_OK;
    r->n_group_switch = 0;
    for (int k = 0; k < m->dynamics.n_group; k++)
        r->n_group_switch += m->dynamics.group[k].n_c;
    if (r->n_group_switch + r->set.n > BOUND_MAX_SWITCH)
        return diag_error(r->diag, r->set.n ? r->set.pos[r->set.n - 1] : m->dynamics.group[0].c_pos[0], "dynamics",
                          "bounds are for up to %d switches; here are %d", BOUND_MAX_SWITCH,
                          r->n_group_switch + r->set.n);
    for (int k = 0; k < m->dynamics.n_group && st == STATUS_OK; k++)
        for (int l = 0; l < m->dynamics.group[k].n_c && st == STATUS_OK; l++) {
            const struct written at = { m->dynamics.group[k].c_pos[l], m->dynamics.group[k].c_name[l] };
            if (reading_depends_on_mode(r, nonsmooth_recall(r->g, m->dynamics.group[k].c[l])))
                return diag_error(r->diag, at.pos, at.path, of_modes);
            st = reading_sign(r, m->dynamics.group[k].c[l], at, &place->c[place->n_switch++]);
        }
    for (int l = 0; l < r->set.n && st == STATUS_OK; l++) {
        const struct written at = { r->set.pos[l], "dynamics" };
        if (expr_depends(r->g, r->set.c[l], r->set.n, r->set.alpha))
            return diag_error(r->diag, at.pos, at.path, nested);
        if (reading_depends_on_mode(r, r->set.c[l]))             /* its sign would jump where nothing crosses 0 */
            return diag_error(r->diag, at.pos, at.path, of_modes);
        st = reading_sign(r, r->set.c[l], at, &place->c[place->n_switch++]);
    }
    for (int l = 0; l < place->n_switch && st == STATUS_OK; l++) {
        place->c[l] = reading_unit_size(r, place->c[l]);
        if (enclosed_variables(place->c[l]) & r->out->controls)
            return diag_error(
                r->diag, l < r->n_group_switch ? m->dynamics.group[0].c_pos[0] : r->set.pos[l - r->n_group_switch],
                "dynamics", "a switch that depends on controls is nothing that bounds know yet");
    }
    return st;
}

/* Steps that stand with a power other than 1 are not Filippov's mean of both sides. */
static enum status check_affine(const struct reading *r, expr e, struct written at)
{
    const int one = 1;
    for (int l = 0; l < r->set.n; l++)
        if (expr_degree(r->g, e, 1, &r->set.alpha[l], &one) > 1)
            return diag_error(r->diag, at.pos, at.path,
                              "is not linear in a step of its own: write what it is on each side, "
                              "if(c > 0, ..., ...), once");
    return STATUS_OK;
}

/* From here on steps are what the pattern says. */
static void name_steps(struct reading *r, int pattern)
{
    for (int l = 0; l < r->set.n; l++) {
        const int bit = pattern >> (r->n_group_switch + l) & 1;
        reading_name(r, r->set.alpha[l],
                     bit ? enclosed_constant(r->mem, iv(1)) : (struct interval_poly){ 0, NULL });
    }
}

/* --- Rates --------------------------------------------------------------------------------------------------- */

/* Of state i: of the model and, in a piecewise one, of the mode of each group. */
static enum status read_rate(struct reading *r, const struct right_sides *sides, int pattern, int i,
                             struct interval_poly *out)
{
    const struct model *m = r->model;
    const struct written at = { m->dynamics.rhs_pos[i], m->x[i].path };
    struct interval_poly part;
    int first = 0, shift = 0;
    enum status st = check_affine(r, sides->rhs[i], at);
    *out = (struct interval_poly){ 0, NULL };
    if (st == STATUS_OK)
        st = reading_rational(r, sides->rhs[i], at, out);
    for (int k = 0; k < m->dynamics.n_group && st == STATUS_OK; k++) {
        const struct model_group *group = &m->dynamics.group[k];
        const int mode = group->mode_of_pattern[pattern >> shift & ((1 << group->n_c) - 1)];
        const struct written in_mode = { group->mode[mode].pos, m->x[i].path };
        st = check_affine(r, sides->mode[first + mode][i], in_mode);
        if (st == STATUS_OK)
            st = reading_rational(r, sides->mode[first + mode][i], in_mode, &part);
        if (st == STATUS_OK)
            *out = enclosed_add(r->mem, *out, iv(1), part);
        first += group->n_mode;
        shift += group->n_c;
    }
    return st;
}

/* Of entry (row, col) of M [n * n], by columns; n <= 3. */
static expr cofactor(struct expr_graph *g, int n, const expr *M, int row, int col)
{
    expr rest[4];
    int k = 0;
    if (n == 1)
        return expr_const(g, 1);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (i != row && j != col)
                rest[k++] = M[i + n * j];
    const expr minor = n == 2 ? rest[0]
                              : expr_sub(g, expr_mul(g, rest[0], rest[3]), expr_mul(g, rest[1], rest[2]));
    return (row + col) % 2 ? expr_neg(g, minor) : minor;
}

/* adj(M) f / det(M): one divisor for all. */
static void solve_mass(const struct reading *r, struct right_sides *sides)
{
    const struct model *m = r->model;
    const int n = m->mechanics.n_q;
    struct expr_graph *g = r->g;
    const expr *M = m->mechanics.M;
    expr det = EXPR_NONE;
    sides->acceleration = arena_alloc(r->mem, (size_t)n, sizeof *sides->acceleration);
    for (int i = 0; i < n; i++) {
        expr sum = expr_const(g, 0);
        for (int j = 0; j < n; j++)
            sum = expr_add(g, sum, expr_mul(g, cofactor(g, n, M, j, i), sides->f_v[j]));
        sides->acceleration[i] = sum;
    }
    det = expr_const(g, 0);
    for (int j = 0; j < n; j++)
        det = expr_add(g, det, expr_mul(g, M[n * j], cofactor(g, n, M, 0, j)));
    for (int i = 0; i < n; i++)
        sides->acceleration[i] = expr_div(g, sides->acceleration[i], det);
}

static enum status read_accelerations(struct reading *r, const struct right_sides *sides, int pattern)
{
    const struct model *m = r->model;
    struct interval_poly force[POLY_MAX_VAR];
    enum status st = STATUS_OK;
    for (int i = 0; i < m->mechanics.n_q && st == STATUS_OK; i++) {
        const struct written at = { m->mechanics.f_v_pos[i], m->x[m->mechanics.v_index[i]].path };
        st = check_affine(r, sides->f_v[i], at);
        if (st == STATUS_OK)
            st = reading_rational(r, sides->acceleration ? sides->acceleration[i] : sides->f_v[i], at, &force[i]);
    }
    for (int i = 0; i < m->mechanics.n_q && st == STATUS_OK; i++) {
        r->acceleration[pattern][i] = sides->acceleration ? force[i] : (struct interval_poly){ 0, NULL };
        for (int j = 0; j < m->mechanics.n_q && !sides->acceleration; j++)
            r->acceleration[pattern][i] =
                enclosed_add(r->mem, r->acceleration[pattern][i], r->M_inverse[i + m->mechanics.n_q * j], force[j]);
    }
    return st;
}

/* Rates of the scaled variables where switches have these signs. */
static enum status read_pattern(struct reading *r, const struct right_sides *sides, int pattern,
                                struct interval_poly *rate)
{
    const struct model *m = r->model;
    enum status st = STATUS_OK;
    name_steps(r, pattern);
    for (int i = 0; i < m->n_x && st == STATUS_OK; i++)
        if (m->dynamics.rhs[i] != EXPR_NONE)
            st = read_rate(r, sides, pattern, i, &rate[r->of_state[i]]);
    if (st == STATUS_OK && m->mechanics.n_q > 0)
        st = read_accelerations(r, sides, pattern);
    for (int i = 0; i < m->mechanics.n_q && st == STATUS_OK; i++)
        rate[r->of_state[m->mechanics.v_index[i]]] = r->acceleration[pattern][i];
    rate[r->out->time] = enclosed_constant(r->mem, iv(1));
    for (int k = 0; k < r->modes.n_machine; k++)
        if (r->modes.clock[k] >= 0)
            rate[r->modes.clock[k]] = enclosed_constant(r->mem, iv(1));
    reading_function_rates(r, rate);
    for (int k = 0; k < r->out->n_var && st == STATUS_OK; k++)
        rate[k] = enclosed_scale(r->mem, iv_div(iv(1), iv(r->out->var[k].half)), rate[k]);
    return st;
}

/* --- Walls: what their reactions do -------------------------------------------------------------------------- */

/* The step of a wall stands for 1 - lambda: the rates' part in lambda is what the reaction pushes. */
static enum status read_pushes(struct reading *r, const struct right_sides *sides, struct bound_place *place)
{
    const struct model *m = r->model;
    enum status st = STATUS_OK;
    for (int w = 0; w < place->n_wall && st == STATUS_OK; w++) {
        struct interval_poly rate[POLY_MAX_VAR] = { { 0, NULL } };
        int power[DIVISORS_MAX] = { 0 };
        reading_name(r, m->switching.projection[w].state, enclosed_affine(r->mem, iv(1), iv(-1), BOUND_RHO));
        st = read_pattern(r, sides, 0, rate);
        for (int k = 0; k < r->out->n_var && st == STATUS_OK; k++) {
            place->wall[w].push[k] = enclosed_divide(r->mem, rate[k], BOUND_RHO);
            divisors_powers(&r->divisors, place->wall[w].push[k], power);
            if (enclosed_variables(place->wall[w].push[k]) >> BOUND_RHO & 1)
                return diag_error(r->diag, m->switching.projection[w].pos, m->switching.projection[w].path,
                                  "a reaction that rates are not linear in is nothing that bounds know yet");
        }
        for (int k = 0; k < r->out->n_var; k++)
            place->wall[w].push[k] = divisors_clear(r->mem, &r->divisors, power, place->wall[w].push[k]);
        reading_name(r, m->switching.projection[w].state, enclosed_constant(r->mem, iv(1)));
    }
    return st;
}

/* --- Divisors ------------------------------------------------------------------------------------------------ */

/* Rates and cost of a pattern, multiplied by what divides them. */
static void clear_divisors(struct reading *r, struct bound_place *place, int pattern)
{
    int power[DIVISORS_MAX] = { 0 };
    place->running[pattern] = r->running;
    divisors_powers(&r->divisors, r->running, power);
    for (int k = 0; k < r->out->n_var; k++)
        divisors_powers(&r->divisors, place->rate[pattern][k], power);
    place->weight_least[pattern] = 1;
    if (power[0] + power[1] + power[2] + power[3] == 0)
        return;
    place->running[pattern] = divisors_clear(r->mem, &r->divisors, power, r->running);
    for (int k = 0; k < r->out->n_var; k++)
        place->rate[pattern][k] = divisors_clear(r->mem, &r->divisors, power, place->rate[pattern][k]);
    place->weight[pattern] = divisors_clear(r->mem, &r->divisors, power, enclosed_constant(r->mem, iv(1)));
    struct interval least = iv(1);
    for (int k = 0; k < r->divisors.n; k++)
        for (int n = 0; n < power[k]; n++)
            least = iv_mul(least, iv(polynomial_least(r->divisors.d[k])));
    place->weight_least[pattern] = least.lo;
}

/* The inverse of a mass matrix of numbers by elimination; false: a pivot may be 0. */
static bool invert_mass(struct reading *r)
{
    const struct model *m = r->model;
    const int n = m->mechanics.n_q;
    struct interval A[POLY_MAX_VAR * POLY_MAX_VAR] = { { 0, 0 } };
    struct interval *B = r->M_inverse;
    for (int k = 0; k < n * n; k++) {
        A[k] = iv(expr_eval(r->g, m->mechanics.M[k], 0, NULL, NULL));
        B[k] = iv(k / n == k % n ? 1 : 0);
    }
    for (int k = 0; k < n; k++) {
        const struct interval pivot = A[k + n * k];
        if (!(pivot.lo > 0))
            return false;
        for (int j = 0; j < n; j++) {
            A[k + n * j] = iv_mag(A[k + n * j]) > 0 ? iv_div(A[k + n * j], pivot) : iv(0);
            B[k + n * j] = iv_mag(B[k + n * j]) > 0 ? iv_div(B[k + n * j], pivot) : iv(0);
        }
        for (int i = 0; i < n; i++) {
            const struct interval factor = A[i + n * k];
            for (int j = 0; j < n && i != k && iv_mag(factor) > 0; j++) {
                A[i + n * j] = iv_sub(A[i + n * j], iv_mul(factor, A[k + n * j]));
                if (iv_mag(B[k + n * j]) > 0)
                    B[i + n * j] = iv_sub(B[i + n * j], iv_mul(factor, B[k + n * j]));
            }
        }
    }
    return true;
}

/* --- Cost and constraints along the way ---------------------------------------------------------------------- */

static enum status read_running(struct reading *r)
{
    const struct model *m = r->model;
    const struct interval scale = iv(1 / r->out->cost_scale);
    enum status st = STATUS_OK;
    for (int k = 0; k < m->costs.n_running && st == STATUS_OK; k++) {
        struct interval_poly part;
        st = reading_rational(r, m->costs.running[k].e,
                              (struct written){ m->costs.running[k].pos, m->costs.running[k].path }, &part);
        if (st == STATUS_OK)
            r->running = enclosed_add(r->mem, r->running, scale, part);
    }
    return st;
}

void reading_leave_out(struct reading *r, const char *path)
{
    struct bound_problem *out = r->out;
    const struct model_constraints *of = &r->model->constraints;
    const int room = of->n_constraint + of->n_pair + of->n_impact;
    out->left_out = out->left_out ? out->left_out : arena_alloc(r->mem, (size_t)room, sizeof *out->left_out);
    for (int k = 0; k < out->n_left_out; k++)
        if (out->left_out[k] == path)
            return;
    out->left_out[out->n_left_out++] = path;
}

static struct interval_poly without_divisors(const struct reading *r, struct interval_poly a)
{
    int power[DIVISORS_MAX] = { 0 };
    divisors_powers(&r->divisors, a, power);
    return divisors_clear(r->mem, &r->divisors, power, a);
}

/* A constraint as polynomials of about size 1. False: it is none, and is left out. */
bool reading_constraint(struct reading *r, const struct model_constraint *constraint, struct bound_region *region)
{
    struct diag *silent = diag_create(), *own = r->diag;
    struct interval_poly e;
    r->diag = silent;
    const bool is =
        !constraint->of_forces && region->n + 2 < BOUND_MAX_REGION / 2 && region->n_zero + 1 < BOUND_MAX_REGION / 4
        && reading_rational(r, constraint->e, (struct written){ constraint->pos, constraint->path }, &e)
               == STATUS_OK;
    r->diag = own;
    diag_free(silent);
    if (!is)
        return false;
    const struct interval_poly from_lb =
        enclosed_add(r->mem, e, iv(-1), enclosed_constant(r->mem, iv(constraint->lb)));
    const struct interval_poly to_ub =
        enclosed_add(r->mem, enclosed_constant(r->mem, iv(constraint->ub)), iv(-1), e);
    if (!(constraint->ub > constraint->lb)) {
        bound_require_zero(region, reading_unit_size(r, without_divisors(r, from_lb)));
        return true;
    }
    if (isfinite(constraint->lb))
        bound_require(region, reading_unit_size(r, without_divisors(r, from_lb)));
    if (isfinite(constraint->ub))
        bound_require(region, reading_unit_size(r, without_divisors(r, to_ub)));
    return true;
}

/* 0 <= G, 0 <= H, G H = 0, of controls, too. */
static void read_pair(struct reading *r, const struct model_pair *pair)
{
    const struct model_constraint side[3] = {
        { .pos = pair->pos, .path = pair->path, .e = pair->side[SIDE_G], .ub = INFINITY },
        { .pos = pair->pos, .path = pair->path, .e = pair->side[SIDE_H], .ub = INFINITY },
        { .pos = pair->pos, .path = pair->path, .e = pair->product },
    };
    bool all = true;
    for (int k = 0; k < 3; k++)
        if (k != SIDE_H || !pair->any_sign)
            all = reading_constraint(r, &side[k], &r->out->path) && all;
    if (!all)
        reading_leave_out(r, pair->path);
}

/* Does it hold along the way? What is asked for at the intervals does where it speaks of controls alone, which
 * stay as they are within one. */
static bool holds_on_the_way(const struct reading *r, const struct model_constraint *constraint)
{
    const struct model *m = r->model;
    if (constraint->end != 0)
        return false;
    return constraint->at & AT_STAGES
           || (constraint->at & AT_INTERVALS && m->n_held == 0
               && expr_is_of(r->g, constraint->e, m->n_u, m->u_sym));
}

static void read_path(struct reading *r)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->constraints.n_pair; k++)
        read_pair(r, &m->constraints.pair[k]);
    for (int k = 0; k < m->constraints.n_constraint; k++) {
        const struct model_constraint *constraint = &m->constraints.constraint[k];
        if (holds_on_the_way(r, constraint)) {
            if (!reading_constraint(r, constraint, &r->out->path))
                reading_leave_out(r, constraint->path);
        } else if (constraint->at && !(constraint->at & (AT_INITIAL | AT_FINAL))) {
            reading_leave_out(r, constraint->path);
        }
    }
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

/* The place of a mode; without relays and machines the only one. */
static enum status read_place(struct reading *r, const struct right_sides *sides, int mode)
{
    struct bound_place *place = &r->out->place[r->out->n_place++];
    (void)snprintf(place->name, sizeof place->name, "%s", r->model->contacts.n_contact ? "free" : "motion");
    reading_name_mode(r, mode);
    enum status st = reading_mode_place(r, mode, place);
    if (st == STATUS_OK)
        st = read_switches(r, place);
    if (st == STATUS_OK)
        reading_cuts(r, place);
    if (st == STATUS_OK && !place->own && place->n_switch > 0)
        st = diag_error(r->diag, r->model->switching.machine[0].pos, r->model->switching.machine[0].path,
                        "bounds do not know commands to and fro beside switches yet");
    for (int pattern = 0; pattern < 1 << place->n_switch && st == STATUS_OK; pattern++)
        st = read_pattern(r, sides, pattern, place->rate[pattern]);
    if (st == STATUS_OK)
        st = reading_walls(r, place);
    if (st == STATUS_OK)
        st = read_pushes(r, sides, place);
    for (int pattern = 0; pattern < 1 << place->n_switch && st == STATUS_OK; pattern++)
        clear_divisors(r, place, pattern);
    return st;
}

enum status reading_motion(struct reading *r)
{
    struct right_sides sides = { .acceleration = NULL };
    const struct model *m = r->model;
    const bool varies = m->mechanics.n_q > 0 && !m->mechanics.M_is_constant;
    if (m->mechanics.n_q > POLY_MAX_VAR || (m->mechanics.n_q > 0 && !varies && !invert_mass(r)))
        return diag_error(r->diag, m->mechanics.f_v_pos[0], "dynamics", "the mass matrix is not positive definite");
    reading_open_walls(r);
    enum status st = lower_all(r, &sides);
    if (varies)
        solve_mass(r, &sides);
    if (st == STATUS_OK)
        st = read_running(r);
    for (int mode = 0; mode < r->modes.n && st == STATUS_OK; mode++)
        st = read_place(r, &sides, mode);
    if (st == STATUS_OK)
        st = reading_mode_guards(r);
    if (st == STATUS_OK)
        read_path(r);
    if (st == STATUS_OK)
        reading_corners(r);
    return st;
}
