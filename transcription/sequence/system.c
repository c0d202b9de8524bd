#include "transcription/sequence/system.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "transcription/sequence/sequence.h"
#include "transcription/system/build.h"
#include "transcription/system/switched.h"

#include <math.h>
#include <stdlib.h>

/* --- The smooth part and its switches ------------------------------------------------------------------------ */

static enum status build_smooth_part(struct phase_system *sys, const struct model *model, struct diag *diag)
{
    const struct discretization settings = { .method = METHOD_FESD, .form = FORM_STEP };
    sys->dcs = mem_alloc(1, sizeof *sys->dcs);
    sys->dcs->model = sys->model = model_fork(model);           /* what is derived for this system goes with it */
    sys->dcs->g = sys->g = sys->model->graph;
    dcs_smooth_part(sys->dcs, dcs_depends_on_time(sys->model));
    return dcs_build_switched(sys->dcs, &settings, diag);
}

/* --- Slots --------------------------------------------------------------------------------------------------- */

static int add_slot(struct phase_system *sys, expr sym)
{
    sys->slot[sys->n_slot] = sym;
    return sys->n_slot++;
}

static void place_contact_slots(struct phase_system *sys, int c)
{
    struct phase_contact *contact = &sys->contact[c];
    contact->model = contact->form = &sys->model->contacts.contact[c];
    contact->n_t = expr_is_zero(sys->g, contact->model->friction) ? 0 : contact->model->n_t;
    contact->lambda_n = add_slot(sys, expr_sym(sys->g, "lambda_n"));
    contact->lambda_t = contact->dir = contact->speed = -1;
    for (int k = 0; k < contact->n_t; k++) {
        const int slot = add_slot(sys, expr_sym(sys->g, "lambda_t"));
        contact->lambda_t = k ? contact->lambda_t : slot;
    }
    for (int k = 0; k < contact->n_t; k++) {
        const int slot = add_slot(sys, expr_sym(sys->g, "direction of slip"));
        contact->dir = k ? contact->dir : slot;
    }
    if (contact->n_t > 1)
        contact->speed = add_slot(sys, expr_sym(sys->g, "speed of slip"));
    contact->corner = sys->n_corner;
    contact->held = contact->side = -1;
    if (contact->model->n_corner > 0)
        contact->held = add_slot(sys, expr_sym(sys->g, "patch is given"));
    for (int k = 0; k < contact->model->n_corner; k++) {
        const int slot = add_slot(sys, expr_sym(sys->g, "side of corner"));
        contact->side = k ? contact->side : slot;
    }
    sys->n_corner += contact->model->n_corner;
}

static int n_corner_of(const struct model *model)
{
    int n = 0;
    for (int c = 0; c < model->contacts.n_contact; c++)
        n += model->contacts.contact[c].n_corner;
    return n;
}

static void place_slots(struct phase_system *sys)
{
    const struct model *model = sys->model;
    const struct dcs *dcs = sys->dcs;
    const int most = dcs->n_y + model->mechanics.n_q + (3 + 2 * SLIP_MAX) * model->contacts.n_contact
                     + n_corner_of(model) + sys->n_switch
                     + model->n_u + model->n_p + 2 + model->switching.n_signal;
    sys->slot = arena_alloc(&sys->mem, (size_t)most, sizeof(expr));
    sys->contact = arena_alloc(&sys->mem, (size_t)sys->n_contact, sizeof *sys->contact);
    sys->sw = arena_alloc(&sys->mem, (size_t)sys->n_switch, sizeof *sys->sw);
    sys->y = sys->n_slot;
    for (int i = 0; i < sys->n_y; i++)
        add_slot(sys, dcs->y[i].sym);
    sys->a = sys->n_slot;
    for (int i = 0; i < sys->n_a; i++)
        add_slot(sys, expr_sym(sys->g, "acceleration"));
    for (int c = 0; c < sys->n_contact; c++)
        place_contact_slots(sys, c);
    for (int l = 0; l < dcs->n_switch; l++) {
        sys->sw[l].sw = &dcs->sw[l];
        sys->sw[l].wall = dcs->sw[l].wall != NULL;
        sys->sw[l].own = sys->sw[l].wall && dcs->sw[l].wall->is_pair;
        sys->sw[l].pair = -1;
        sys->sw[l].alpha = add_slot(sys, dcs->sel[dcs->sw[l].sel].sym);
    }
    for (int k = 0; k < sys->n_pair; k++)
        sys->sw[dcs->n_switch + k].alpha = add_slot(sys, expr_sym(sys->g, "side"));     /* of no use */
    sys->u = sys->n_slot;
    for (int k = 0; k < model->n_u; k++)
        add_slot(sys, model->u_sym[k]);
    sys->p = sys->n_slot;
    for (int k = 0; k < model->n_p; k++)
        add_slot(sys, model->p_sym[k]);
    sys->T = model->time.horizon_free ? add_slot(sys, model->T_sym) : -1;
    sys->signal = sys->n_slot;
    for (int k = 0; k < model->switching.n_signal; k++)
        add_slot(sys, model->switching.signal[k]);
    sys->width = add_slot(sys, expr_sym(sys->g, "width of smoothed friction"));
}

/* --- Machines ------------------------------------------------------------------------------------------------ */

static void list_transitions(struct phase_system *sys)
{
    const struct model *model = sys->model;
    int most = 0;
    sys->n_machine = model->switching.n_machine;
    for (int m = 0; m < model->switching.n_machine; m++)
        most += model->switching.machine[m].n_transition;
    sys->transition = arena_alloc(&sys->mem, (size_t)most, sizeof *sys->transition);
    for (int m = 0; m < model->switching.n_machine; m++)
        for (int k = 0; k < model->switching.machine[m].n_transition; k++) {
            const struct model_transition *one = &model->switching.machine[m].transition[k];
            sys->transition[sys->n_transition++] =
                (struct phase_transition){ one, m, model_is_commanded(model, one), sys->n_only };
            sys->n_only += one->n_only;
        }
}

/* --- Rates --------------------------------------------------------------------------------------------------- */

/* e with the slots of a in place of velocities. */
static expr after_impact(const struct phase_system *sys, expr e)
{
    const struct model *model = sys->model;
    expr *v = mem_alloc((size_t)sys->n_a, sizeof *v);
    for (int i = 0; i < sys->n_a; i++)
        v[i] = model->x_sym[model->mechanics.v_index[i]];
    expr_substitute(sys->g, 1, &e, sys->n_a, v, &sys->slot[sys->a], &e);
    free(v);
    return e;
}

static bool depends_on_velocity(const struct phase_system *sys, expr e)
{
    const struct model *model = sys->model;
    for (int i = 0; i < sys->n_a; i++)
        if (expr_depends(sys->g, e, 1, &model->x_sym[model->mechanics.v_index[i]]))
            return true;
    return false;
}

static void derive_rates(struct phase_system *sys)
{
    for (int c = 0; c < sys->n_contact; c++) {
        struct phase_contact *contact = &sys->contact[c];
        contact->gap_rate2 = phase_system_rate(sys, contact->form->v_n);
        contact->v_n_plus = after_impact(sys, contact->form->v_n);
        for (int k = 0; k < contact->n_t; k++) {
            contact->v_t_rate[k] = phase_system_rate(sys, contact->form->v_t[k]);
            contact->v_t_plus[k] = after_impact(sys, contact->form->v_t[k]);
        }
    }
    for (int l = 0; l < sys->dcs->n_switch; l++) {
        sys->sw[l].c_rate = sys->sw[l].own ? sys->sw[l].sw->c : phase_system_rate(sys, sys->sw[l].sw->c);
        sys->sw[l].jumps = !sys->sw[l].own && depends_on_velocity(sys, sys->sw[l].sw->c);
    }
}

static void find_starts(struct phase_system *sys)
{
    const struct model *model = sys->model;
    for (int c = 0; c < sys->n_contact; c++) {
        struct phase_contact *contact = &sys->contact[c];
        contact->gap_start = model_value_at_end(model, contact->model->gap, true);
        contact->v_n_start = model_value_at_end(model, contact->model->v_n, true);
        for (int k = 0; k < contact->n_t; k++)
            contact->v_t_start[k] = model_value_at_end(model, contact->model->v_t[k], true);
    }
    for (int l = 0; l < sys->n_switch; l++)
        sys->sw[l].c_start = sys->sw[l].pair < 0 ? model_value_at_end(model, sys->sw[l].sw->c, true) : NAN;
}

/* --- Functions ----------------------------------------------------------------------------------------------- */

static expr slot(const struct phase_system *sys, int k)
{
    return sys->slot[k];
}

/* Force along tangent k: lambda_t - mu lambda_n dir. */
static expr tangential_force(const struct phase_system *sys, const struct phase_contact *contact, int k)
{
    struct expr_graph *g = sys->g;
    const expr cone = expr_mul(g, contact->model->friction, slot(sys, contact->lambda_n));
    return expr_sub(g, slot(sys, contact->lambda_t + k), expr_mul(g, cone, slot(sys, contact->dir + k)));
}

/* Symbols of forces, or of impulses, as the slots that they are. */
static void place_forces(const struct phase_system *sys, const expr *sym, int n, expr *e)
{
    struct expr_graph *g = sys->g;
    const int n_force = model_n_force(sys->model), n_of_contacts = CONTACT_ROWS * sys->n_contact;
    expr *by = mem_alloc((size_t)n_force, sizeof *by);
    for (int c = 0; c < sys->n_contact; c++) {
        const struct phase_contact *contact = &sys->contact[c];
        by[CONTACT_ROWS * c] = slot(sys, contact->lambda_n);
        for (int k = 0; k < SLIP_MAX; k++)
            by[CONTACT_ROWS * c + 1 + k] = k < contact->n_t ? tangential_force(sys, contact, k) : expr_const(g, 0);
    }
    for (int l = 0; l < sys->n_switch; l++)
        if (sys->sw[l].wall)
            by[n_of_contacts + (int)(sys->sw[l].sw->wall - sys->model->switching.projection)]
                = expr_sub(g, expr_const(g, 1), slot(sys, sys->sw[l].alpha));
    expr_substitute(g, n, e, sym == sys->model->contacts.force_sym ? n_force : n_of_contacts, sym, by, e);
    free(by);
}

/* Costs and constraints of the fork: they speak of the slots. */
static void place_quantities(struct phase_system *sys)
{
    struct model *model = sys->model;
    if (!model->contacts.has_forces)
        return;
    model->costs.running = arena_copy(&sys->mem, model->costs.running, (size_t)model->costs.n_running,
                                      sizeof *model->costs.running);
    model->constraints.constraint = arena_copy(&sys->mem, model->constraints.constraint,
                                               (size_t)model->constraints.n_constraint,
                                               sizeof *model->constraints.constraint);
    model->costs.impact = arena_copy(&sys->mem, model->costs.impact, (size_t)model->costs.n_impact,
                                     sizeof *model->costs.impact);
    model->constraints.impact = arena_copy(&sys->mem, model->constraints.impact,
                                           (size_t)model->constraints.n_impact, sizeof *model->constraints.impact);
    for (int k = 0; k < model->costs.n_running; k++)
        place_forces(sys, model->contacts.force_sym, 1, &model->costs.running[k].e);
    for (int k = 0; k < model->constraints.n_constraint; k++)
        place_forces(sys, model->contacts.force_sym, 1, &model->constraints.constraint[k].e);
    for (int k = 0; k < model->costs.n_impact; k++)
        place_forces(sys, model->contacts.impulse_sym, 1, &model->costs.impact[k].e);
    for (int k = 0; k < model->constraints.n_impact; k++)
        place_forces(sys, model->contacts.impulse_sym, 1, &model->constraints.impact[k].e);
}

/* sum_c J_n lambda_n + J_t lambda_t in row i. */
static expr contact_force(const struct phase_system *sys, int i)
{
    struct expr_graph *g = sys->g;
    expr sum = expr_const(g, 0);
    for (int c = 0; c < sys->n_contact; c++) {
        const struct phase_contact *contact = &sys->contact[c];
        sum = expr_add(g, sum, expr_mul(g, contact->form->J_n[i], slot(sys, contact->lambda_n)));
        for (int k = 0; k < contact->n_t; k++)
            sum = expr_add(g, sum,
                           expr_mul(g, contact->form->J_t[i + k * sys->n_a], tangential_force(sys, contact, k)));
    }
    return sum;
}

static expr inertia(const struct phase_system *sys, int i, const expr *a)
{
    const struct model *model = sys->model;
    expr sum = expr_const(sys->g, 0);
    for (int j = 0; j < sys->n_a; j++)
        sum = expr_add(sys->g, sum, expr_mul(sys->g, model->mechanics.M[i + j * sys->n_a], a[j]));
    return sum;
}

/* e - speed dir, component k of slip in space. */
static expr slip_of(const struct phase_system *sys, const struct phase_contact *contact, expr e, int k)
{
    return expr_sub(sys->g, e, expr_mul(sys->g, slot(sys, contact->speed), slot(sys, contact->dir + k)));
}

/* (mu lambda_n)^2 - |lambda_t|^2 in space, mu lambda_n -+ lambda_t in the plane. */
static expr cone_of(const struct phase_system *sys, const struct phase_contact *contact, enum phase_side side)
{
    struct expr_graph *g = sys->g;
    const expr cone = expr_mul(g, contact->model->friction, slot(sys, contact->lambda_n));
    const expr lambda_t = slot(sys, contact->lambda_t);
    if (contact->n_t == 1)
        return side == PHASE_UPPER ? expr_sub(g, cone, lambda_t) : expr_add(g, cone, lambda_t);
    expr left = expr_square(g, cone);
    for (int k = 0; k < contact->n_t; k++)
        left = expr_sub(g, left, expr_square(g, slot(sys, contact->lambda_t + k)));
    return left;
}

static expr unit_of(const struct phase_system *sys, const struct phase_contact *contact)
{
    struct expr_graph *g = sys->g;
    expr sum = expr_const(g, -1);
    for (int k = 0; k < contact->n_t; k++)
        sum = expr_add(g, sum, expr_square(g, slot(sys, contact->dir + k)));
    return sum;
}

/* Friction that is smoothed: dir - v_t / root and speed - root, root = sqrt(|v_t|^2 +
 * width^2); to [n_t] and *speed. */
static void write_smooth(const struct phase_system *sys, const struct phase_contact *contact, const expr *v_t,
                         expr *dir, expr *speed)
{
    struct expr_graph *g = sys->g;
    expr root = expr_square(g, slot(sys, sys->width));
    for (int k = 0; k < contact->n_t; k++)
        root = expr_add(g, root, expr_square(g, v_t[k]));
    root = expr_sqrt(g, root);
    for (int k = 0; k < contact->n_t; k++)
        dir[k] = expr_sub(g, slot(sys, contact->dir + k), expr_div(g, v_t[k], root));
    *speed = expr_sub(g, slot(sys, contact->speed), root);
}

static void number_outputs(struct phase_system *sys)
{
    struct phase_outputs *out = &sys->out;
    const int n_c = sys->n_contact;
    out->F = 0;
    out->balance = sys->n_y;
    out->gap_rate2 = out->balance + sys->n_a;
    out->v_t_rate = out->gap_rate2 + n_c;
    out->slip_rate = out->v_t_rate + SLIP_MAX * n_c;
    out->c_rate = out->slip_rate + SLIP_MAX * n_c;
    out->n_motion = out->c_rate + sys->n_switch;
    out->gap = 0;
    out->v_n = n_c;
    out->v_t = 2 * n_c;
    out->slip = out->v_t + SLIP_MAX * n_c;
    out->unit = out->slip + SLIP_MAX * n_c;
    out->smooth_dir = out->unit + n_c;
    out->smooth_speed = out->smooth_dir + SLIP_MAX * n_c;
    out->cone = out->smooth_speed + n_c;
    out->c = out->cone + 2 * n_c;
    out->side = out->c + sys->n_switch;
    out->corner = out->side + 2 * sys->n_pair;
    out->when = out->corner + sys->n_corner;
    out->only = out->when + sys->n_transition;
    out->n_state = out->only + sys->n_only;
    out->momentum = 0;
    out->newton = sys->n_a;
    out->v_n_plus = out->newton + n_c;
    out->v_t_plus = out->v_n_plus + n_c;
    out->slip_plus = out->v_t_plus + SLIP_MAX * n_c;
    out->impact_unit = out->slip_plus + SLIP_MAX * n_c;
    out->impact_cone = out->impact_unit + n_c;
    out->impact_smooth_dir = out->impact_cone + 2 * n_c;
    out->impact_smooth_speed = out->impact_smooth_dir + SLIP_MAX * n_c;
    out->n_impact = out->impact_smooth_speed + n_c;
}

static expr *zeros(struct phase_system *sys, int n)
{
    expr *e = arena_alloc(&sys->mem, (size_t)n, sizeof *e);
    for (int k = 0; k < n; k++)
        e[k] = expr_const(sys->g, 0);
    return e;
}

static void write_friction_outputs(struct phase_system *sys, int c)
{
    const struct phase_contact *contact = &sys->contact[c];
    const struct phase_outputs *out = &sys->out;
    for (int k = 0; k < contact->n_t; k++) {
        sys->motion[out->v_t_rate + SLIP_MAX * c + k] = contact->v_t_rate[k];
        sys->state[out->v_t + SLIP_MAX * c + k] = contact->form->v_t[k];
        sys->impact[out->v_t_plus + SLIP_MAX * c + k] = contact->v_t_plus[k];
        if (contact->n_t < 2)
            continue;
        sys->motion[out->slip_rate + SLIP_MAX * c + k] = slip_of(sys, contact, contact->v_t_rate[k], k);
        sys->state[out->slip + SLIP_MAX * c + k] = slip_of(sys, contact, contact->form->v_t[k], k);
        sys->impact[out->slip_plus + SLIP_MAX * c + k] = slip_of(sys, contact, contact->v_t_plus[k], k);
    }
    if (contact->n_t > 1) {
        sys->state[out->unit + c] = sys->impact[out->impact_unit + c] = unit_of(sys, contact);
        write_smooth(sys, contact, contact->form->v_t, &sys->state[out->smooth_dir + SLIP_MAX * c],
                     &sys->state[out->smooth_speed + c]);
        write_smooth(sys, contact, contact->v_t_plus, &sys->impact[out->impact_smooth_dir + SLIP_MAX * c],
                     &sys->impact[out->impact_smooth_speed + c]);
    }
    for (int side = 0; side < phase_sides(contact->n_t); side++)
        sys->state[out->cone + 2 * c + side] = sys->impact[out->impact_cone + 2 * c + side]
            = cone_of(sys, contact, (enum phase_side)side);
}

static void write_outputs(struct phase_system *sys)
{
    const struct phase_outputs *out = &sys->out;
    const struct model *model = sys->model;
    struct expr_graph *g = sys->g;
    sys->motion = zeros(sys, out->n_motion);
    sys->state = zeros(sys, out->n_state);
    sys->impact = zeros(sys, out->n_impact);
    expr *jump = zeros(sys, sys->n_a);
    for (int i = 0; i < sys->n_a; i++)
        jump[i] = expr_sub(g, slot(sys, sys->a + i), model->x_sym[model->mechanics.v_index[i]]);
    for (int i = 0; i < sys->n_y; i++)
        if (sys->a_of[i] < 0)
            sys->motion[out->F + i] = sys->dcs->F[i].e;
    for (int i = 0; i < sys->n_a; i++) {
        const expr force = contact_force(sys, i), smooth = sys->dcs->F[model->mechanics.v_index[i]].e;
        sys->motion[out->balance + i] =
            expr_sub(g, inertia(sys, i, &sys->slot[sys->a]), expr_add(g, smooth, force));
        sys->impact[out->momentum + i] = expr_sub(g, inertia(sys, i, jump), force);
    }
    for (int c = 0; c < sys->n_contact; c++) {
        const struct phase_contact *contact = &sys->contact[c];
        sys->motion[out->gap_rate2 + c] = contact->gap_rate2;
        sys->state[out->gap + c] = contact->form->gap;
        sys->state[out->v_n + c] = contact->form->v_n;
        sys->impact[out->v_n_plus + c] = contact->v_n_plus;
        sys->impact[out->newton + c]
            = expr_add(g, contact->v_n_plus, expr_mul(g, contact->model->restitution, contact->form->v_n));
        for (int k = 0; k < contact->model->n_corner; k++)
            sys->state[out->corner + contact->corner + k] = contact->form->corner[k];
        write_friction_outputs(sys, c);
    }
    for (int l = 0; l < sys->dcs->n_switch; l++) {
        sys->motion[out->c_rate + l] = sys->sw[l].c_rate;
        sys->state[out->c + l] = sys->sw[l].sw->c;
    }
    for (int k = 0; k < sys->n_pair; k++)
        for (int side = 0; side < 2; side++)
            sys->state[out->side + 2 * k + side] = sys->pair[k].model->side[side];
    for (int k = 0; k < sys->n_transition; k++)
        if (sys->transition[k].model->when != EXPR_NONE)
            sys->state[out->when + k] = sys->transition[k].model->when;
    for (int k = 0; k < sys->n_transition; k++)
        for (int i = 0; i < sys->transition[k].model->n_only; i++)
            sys->state[out->only + sys->transition[k].first_only + i] = sys->transition[k].model->only[i];
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

enum status phase_system_create(struct model *model, struct phase_system **out, struct diag *diag)
{
    struct phase_system *sys = mem_alloc(1, sizeof *sys);
    *out = NULL;
    const enum status st = build_smooth_part(sys, model, diag);
    if (st != STATUS_OK) {
        phase_system_free(sys);
        return st;
    }
    sys->n_y = sys->dcs->n_y;
    sys->n_a = sys->model->mechanics.n_q;
    sys->n_contact = sys->model->contacts.n_contact;
    sys->n_pair = sys->model->constraints.n_pair;
    sys->n_switch = sys->dcs->n_switch + sys->n_pair;
    list_transitions(sys);
    sys->a_of = arena_alloc(&sys->mem, (size_t)sys->n_y, sizeof(int));
    for (int i = 0; i < sys->n_y; i++)
        sys->a_of[i] = -1;
    for (int i = 0; i < sys->n_a; i++)
        sys->a_of[sys->model->mechanics.v_index[i]] = i;
    place_slots(sys);
    phase_system_add_pairs(sys);
    phase_system_hold_patches(sys);
    phase_system_find_kept(sys);
    place_quantities(sys);
    derive_rates(sys);
    find_starts(sys);
    number_outputs(sys);
    write_outputs(sys);
    sys->motion_fun = phase_system_function(sys, sys->out.n_motion, sys->motion);
    sys->impact_fun = phase_system_function(sys, sys->out.n_impact, sys->impact);
    *out = sys;
    return STATUS_OK;
}

void phase_system_free(struct phase_system *sys)
{
    if (!sys)
        return;
    pointfun_free(sys->motion_fun);
    pointfun_free(sys->impact_fun);
    dcs_free(sys->dcs);
    arena_free(&sys->mem);
    free(sys);
}
