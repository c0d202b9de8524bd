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
};

static enum status lower(struct reading *r, expr e, expr *out)
{
    return nonsmooth_lower(r->g, e, &r->set, out, r->diag);
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

static const char nested[] = "a switch that depends on another one is nothing that bounds know yet";

/* The switching functions, of groups first, as polynomials of what V depends on. */
static enum status read_switches(struct reading *r)
{
    const struct model *m = r->model;
    struct bound_place *place = &r->out->place[0];
    enum status st = STATUS_OK;
    for (int k = 0; k < m->dynamics.n_group; k++)
        r->n_group_switch += m->dynamics.group[k].n_c;
    if (r->n_group_switch + r->set.n > BOUND_MAX_SWITCH)
        return diag_error(r->diag, r->set.n ? r->set.pos[r->set.n - 1] : m->dynamics.group[0].c_pos[0], "dynamics",
                          "bounds are for up to %d switches; here are %d", BOUND_MAX_SWITCH,
                          r->n_group_switch + r->set.n);
    for (int k = 0; k < m->dynamics.n_group && st == STATUS_OK; k++)
        for (int l = 0; l < m->dynamics.group[k].n_c && st == STATUS_OK; l++) {
            const struct written at = { m->dynamics.group[k].c_pos[l], m->dynamics.group[k].c_name[l] };
            st = reading_polynomial(r, m->dynamics.group[k].c[l], at, &place->c[place->n_switch++]);
        }
    for (int l = 0; l < r->set.n && st == STATUS_OK; l++) {
        const struct written at = { r->set.pos[l], "dynamics" };
        if (expr_depends(r->g, r->set.c[l], r->set.n, r->set.alpha))
            return diag_error(r->diag, at.pos, at.path, nested);
        st = reading_polynomial(r, r->set.c[l], at, &place->c[place->n_switch++]);
    }
    for (int l = 0; l < place->n_switch && st == STATUS_OK; l++) {
        place->c[l] = reading_unit_size(r, place->c[l]);
        if (enclosed_variables(place->c[l]) & r->out->controls)
            return diag_error(r->diag,
                              l < r->n_group_switch ? m->dynamics.group[0].c_pos[0] : r->set.pos[l - r->n_group_switch],
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
        st = reading_polynomial(r, sides->rhs[i], at, out);
    for (int k = 0; k < m->dynamics.n_group && st == STATUS_OK; k++) {
        const struct model_group *group = &m->dynamics.group[k];
        const int mode = group->mode_of_pattern[pattern >> shift & ((1 << group->n_c) - 1)];
        const struct written in_mode = { group->mode[mode].pos, m->x[i].path };
        st = check_affine(r, sides->mode[first + mode][i], in_mode);
        if (st == STATUS_OK)
            st = reading_polynomial(r, sides->mode[first + mode][i], in_mode, &part);
        if (st == STATUS_OK)
            *out = enclosed_add(r->mem, *out, iv(1), part);
        first += group->n_mode;
        shift += group->n_c;
    }
    return st;
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
            st = reading_polynomial(r, sides->f_v[i], at, &force[i]);
    }
    for (int i = 0; i < m->mechanics.n_q && st == STATUS_OK; i++) {
        r->acceleration[pattern][i] = (struct interval_poly){ 0, NULL };
        for (int j = 0; j < m->mechanics.n_q; j++)
            r->acceleration[pattern][i] =
                enclosed_add(r->mem, r->acceleration[pattern][i], r->M_inverse[i + m->mechanics.n_q * j], force[j]);
    }
    return st;
}

static enum status read_pattern(struct reading *r, const struct right_sides *sides, int pattern)
{
    const struct model *m = r->model;
    struct interval_poly *rate = r->out->place[0].rate[pattern];
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
    reading_function_rates(r, rate);
    for (int k = 0; k < r->out->n_var && st == STATUS_OK; k++)
        rate[k] = enclosed_scale(r->mem, iv_div(iv(1), iv(r->out->var[k].half)), rate[k]);
    return st;
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
        st = reading_polynomial(r, m->costs.running[k].e,
                                (struct written){ m->costs.running[k].pos, m->costs.running[k].path }, &part);
        if (st == STATUS_OK)
            r->out->running = enclosed_add(r->mem, r->out->running, scale, part);
    }
    return st;
}

static void leave_out(struct reading *r, const struct model_constraint *constraint)
{
    struct bound_problem *out = r->out;
    out->left_out = out->left_out
                        ? out->left_out
                        : arena_alloc(r->mem, (size_t)r->model->constraints.n_constraint, sizeof *out->left_out);
    out->left_out[out->n_left_out++] = constraint->path;
}

/* A constraint as polynomials of about size 1. False: it is none, and is left out. */
bool reading_constraint(struct reading *r, const struct model_constraint *constraint, struct bound_region *region)
{
    struct diag *silent = diag_create(), *own = r->diag;
    struct interval_poly e;
    r->diag = silent;
    const bool is =
        !constraint->of_forces && region->n + 2 < BOUND_MAX_REGION / 2 && region->n_zero + 1 < BOUND_MAX_REGION / 4
        && reading_polynomial(r, constraint->e, (struct written){ constraint->pos, constraint->path }, &e)
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
        bound_require_zero(region, reading_unit_size(r, from_lb));
        return true;
    }
    if (isfinite(constraint->lb))
        bound_require(region, reading_unit_size(r, from_lb));
    if (isfinite(constraint->ub))
        bound_require(region, reading_unit_size(r, to_ub));
    return true;
}

static void read_path(struct reading *r)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->constraints.n_constraint; k++) {
        const struct model_constraint *constraint = &m->constraints.constraint[k];
        if (constraint->at & AT_STAGES && constraint->end == 0) {
            if (!reading_constraint(r, constraint, &r->out->path))
                leave_out(r, constraint);
        } else if (!(constraint->at & (AT_INITIAL | AT_FINAL))) {
            leave_out(r, constraint);
        }
    }
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

/* Are rates and cost affine in each control, and no constraint speaks of one? Then corners are all that counts. */
static bool is_affine_in_controls(const struct bound_problem *out)
{
    struct arena mem = { NULL };
    bool is = true;
    for (int k = 0; k < out->n_var && is; k++)
        if (out->controls >> k & 1) {
            is = enclosed_degree_in(out->running, k) <= 1;
            for (int pattern = 0; pattern < 1 << out->place[0].n_switch; pattern++)
                for (int i = 0; i < out->n_var; i++)
                    is = is && enclosed_degree_in(out->place[0].rate[pattern][i], k) <= 1;
            for (int c = 0; c < out->path.n; c++)
                is = is && enclosed_degree_in(out->path.at_least_0[c], k) == 0;
            for (int c = 0; c < out->path.n_zero; c++)
                is = is && enclosed_degree_in(out->path.zero[c], k) == 0;
        }
    arena_free(&mem);
    return is;
}

enum status reading_motion(struct reading *r)
{
    struct right_sides sides;
    struct bound_place *flight = &r->out->place[r->out->n_place++];
    (void)snprintf(flight->name, sizeof flight->name, "%s", r->model->contacts.n_contact ? "free" : "motion");
    flight->own = true;
    if (r->model->mechanics.n_q > POLY_MAX_VAR || (r->model->mechanics.n_q > 0 && !invert_mass(r)))
        return diag_error(r->diag, r->model->mechanics.f_v_pos[0], "dynamics",
                          "the mass matrix is not positive definite");
    enum status st = lower_all(r, &sides);
    if (st == STATUS_OK)
        st = read_switches(r);
    for (int pattern = 0; pattern < 1 << flight->n_switch && st == STATUS_OK; pattern++)
        st = read_pattern(r, &sides, pattern);
    if (st == STATUS_OK)
        st = read_running(r);
    if (st == STATUS_OK)
        read_path(r);
    r->out->corners = st == STATUS_OK && is_affine_in_controls(r->out);
    return st;
}
