/* Contact forces as unknowns: at a contact the gap is open or a force acts, and friction opposes slip (fesd_j.md
 * 3, 4, 6). FESD-J and fixed-grid time-stepping share them.
 *
 * Friction  scalar (planar, polyhedral)  v_t = x+ - x-,  c+ + c- = 2 mu lambda_n,  lambda_t = (c+ - c-)/2,
 *                                        0 <= x+ _|_ c+ >= 0,  0 <= x- _|_ c- >= 0                   fesd_j.md 6
 *           polyhedral (3D)              del = D'v + gam e,  bet = mu lambda_n - e'lambda_d,
 *                                        0 <= del _|_ lambda_d >= 0,  0 <= gam _|_ bet >= 0          fesd_j.md (7)
 *           cone                         sp lambda_t + mu lambda_n v_t = 0,  bet = (mu lambda_n)^2 - |lambda_t|^2,
 *                                        sp >= |v_t|,  0 <= sp _|_ bet >= 0                          fesd_j.md 6
 *           conic-paper                  rho v_t + 2 gam lambda_t = 0,  rho + gam = 1,  bet as above,  v_t = xi+ - xi-,
 *                                        0 <= gam _|_ bet >= 0,  0 <= xi+ _|_ xi- >= 0               fesd_j.md (6)
 * c+ = mu lambda_n + lambda_t is 0 where the contact slips forward, c- = mu lambda_n - lambda_t where it slips
 * back.
 */
#include "transcription/system/build.h"

#include <math.h>

struct force_builder {
    struct dcs *dcs;
    const struct model_contact *contact;
    struct dcs_contact *force;
    expr normal, cone;              /* lambda_n and mu lambda_n */
};

static struct dcs_var named(struct force_builder *at, const char *suffix, double lb, double guess)
{
    struct dcs_var var = { dcs_name(at->dcs, at->contact->name, suffix), at->contact->path, at->contact->pos,
                           EXPR_NONE, lb, INFINITY, guess, false };
    var.sym = expr_sym(at->dcs->g, var.name);
    return var;
}

/* A component that follows the velocity. */
static struct dcs_var slipping(struct force_builder *at, const char *suffix, double lb)
{
    struct dcs_var var = named(at, suffix, lb, lb < 0 ? 0 : 1);
    var.jumps = at->dcs->impacts;
    return var;
}

static struct dcs_row row_of(struct force_builder *at, const char *suffix, expr e)
{
    return (struct dcs_row){ dcs_name(at->dcs, at->contact->name, suffix), at->contact->path, at->contact->pos, e,
                             false, false };
}

static void add_slip_row(struct force_builder *at, const char *suffix, expr e)
{
    struct dcs_row row = row_of(at, suffix, e);
    row.jumps = at->dcs->impacts;
    dcs_add_cont(at->dcs, row);
}

static void add_pair(struct force_builder *at, int lam, int sel)
{
    dcs_add_pair(at->dcs, (struct dcs_pair){ lam, sel, 1, 0, false });
}

static void add_scalar_friction(struct force_builder *at)
{
    struct dcs *dcs = at->dcs;
    struct expr_graph *g = dcs->g;
    const struct dcs_var slip[2] = { slipping(at, " slip, positive part", 0), slipping(at, " slip, negative part", 0) };
    const struct dcs_var cone[2] = { named(at, " cone, upper side", 0, 1), named(at, " cone, lower side", 0, 1) };
    for (int side = 0; side < 2; side++)
        add_pair(at, dcs_add_lam(dcs, slip[side]), dcs_add_sel(dcs, cone[side]));
    add_slip_row(at, " slip", expr_sub(g, at->contact->v_t[0], expr_sub(g, slip[0].sym, slip[1].sym)));
    const expr width = expr_scale(g, 2, at->cone), sum = expr_add(g, cone[0].sym, cone[1].sym);
    dcs_add_stage(dcs, row_of(at, " friction cone", expr_sub(g, sum, width)));
    at->force->aux_t[0] = expr_scale(g, 0.5, expr_sub(g, cone[0].sym, cone[1].sym));
}

static void add_polyhedral_friction(struct force_builder *at, int directions)
{
    struct dcs *dcs = at->dcs;
    struct expr_graph *g = dcs->g;
    const double turn = 6.283185307179586 / directions;
    const struct dcs_var gam = slipping(at, " slip speed", 0), bet = named(at, " friction left", 0, 1);
    expr left = at->cone, *aux = at->force->aux_t;
    for (int k = 0; k < directions; k++) {
        const double d[2] = { cos(k * turn), sin(k * turn) };
        const struct dcs_var del = slipping(at, " slip against a direction", 0),
                             lambda = named(at, " friction force", 0, 1);
        add_pair(at, dcs_add_lam(dcs, del), dcs_add_sel(dcs, lambda));
        expr along = gam.sym;
        for (int q = 0; q < 2; q++) {
            along = expr_add(g, along, expr_scale(g, d[q], at->contact->v_t[q]));
            aux[q] = expr_add(g, aux[q], expr_scale(g, d[q], lambda.sym));
        }
        add_slip_row(at, " slip", expr_sub(g, along, del.sym));
        left = expr_sub(g, left, lambda.sym);
    }
    add_pair(at, dcs_add_lam(dcs, gam), dcs_add_sel(dcs, bet));
    dcs_add_stage(dcs, row_of(at, " friction cone", expr_sub(g, left, bet.sym)));
}

/* lambda_t of both conic forms, in sel; and bet = (mu lambda_n)^2 - |lambda_t|^2. Returns the place of bet. */
static int add_tangential_forces(struct force_builder *at)
{
    struct dcs *dcs = at->dcs;
    struct expr_graph *g = dcs->g;
    const struct dcs_var bet = named(at, " friction left", 0, 1);
    expr left = expr_square(g, at->cone);
    for (int k = 0; k < at->contact->n_t; k++) {
        const struct dcs_var lambda = named(at, " friction force", -INFINITY, 0);
        at->force->force_t[k] = dcs_add_sel(dcs, lambda);
        at->force->aux_t[k] = lambda.sym;
        left = expr_sub(g, left, expr_square(g, lambda.sym));
    }
    dcs_add_stage(dcs, row_of(at, " friction cone", expr_sub(g, left, bet.sym)));
    return dcs_add_sel(dcs, bet);
}

static void add_cone_friction(struct force_builder *at)
{
    struct dcs *dcs = at->dcs;
    struct expr_graph *g = dcs->g;
    const int bet = add_tangential_forces(at);
    const struct dcs_var speed = slipping(at, " slip speed", 0);
    expr faster = expr_square(g, speed.sym);
    for (int k = 0; k < at->contact->n_t; k++) {
        const struct dcs_var slip = slipping(at, " slip velocity", -INFINITY);
        at->force->slip[k] = dcs_add_lam(dcs, slip);
        add_slip_row(at, " slip", expr_sub(g, at->contact->v_t[k], slip.sym));
        const expr against =
            expr_add(g, expr_mul(g, speed.sym, at->force->aux_t[k]), expr_mul(g, at->cone, slip.sym));
        dcs_add_stage(dcs, row_of(at, " friction against slip", against));
        faster = expr_sub(g, faster, expr_square(g, slip.sym));
    }
    struct dcs_row row = row_of(at, " slip speed", faster);
    row.at_least = true;
    row.jumps = dcs->impacts;
    dcs_add_cont(dcs, row);
    add_pair(at, dcs_add_lam(dcs, speed), bet);
}

static void add_paper_friction(struct force_builder *at)
{
    struct dcs *dcs = at->dcs;
    struct expr_graph *g = dcs->g;
    const int bet = add_tangential_forces(at);
    const struct dcs_var gam = slipping(at, " slip multiplier", 0), rho = slipping(at, " weight of slip", 0);
    add_pair(at, dcs_add_lam(dcs, gam), bet);
    (void)dcs_add_lam(dcs, rho);
    add_slip_row(at, " multipliers of slip", expr_sub(g, expr_add(g, rho.sym, gam.sym), expr_const(g, 1)));
    for (int k = 0; k < at->contact->n_t; k++) {
        const struct dcs_var xi[2] = { slipping(at, " slip, positive part", 0), slipping(at, " slip, negative part", 0) };
        const int plus = dcs_add_lam(dcs, xi[0]), minus = dcs_add_lam(dcs, xi[1]);
        dcs_add_pair(dcs, (struct dcs_pair){ plus, minus, 1, 0, true });
        add_slip_row(at, " slip", expr_sub(g, at->contact->v_t[k], expr_sub(g, xi[0].sym, xi[1].sym)));
        const expr pull = expr_scale(g, 2, expr_mul(g, gam.sym, at->force->aux_t[k]));
        dcs_add_stage(dcs, row_of(at, " friction against slip",
                                  expr_add(g, expr_mul(g, rho.sym, at->contact->v_t[k]), pull)));
    }
}

static enum dcs_friction law_of(const struct model_contact *contact, const struct discretization *settings)
{
    switch ((enum friction_form)settings->friction_form) {
    case FRICTION_CONE:
        return DCS_CONE;
    case FRICTION_CONIC_PAPER:
        return DCS_CONIC_PAPER;
    case FRICTION_POLYHEDRAL:
        return contact->n_t == 1 ? DCS_SCALAR : DCS_POLYHEDRAL;
    case FRICTION_AUTO:
        break;
    }
    return contact->n_t == 1 ? DCS_SCALAR : DCS_CONE;
}

static void add_friction(struct force_builder *at, const struct discretization *settings)
{
    at->force->friction = law_of(at->contact, settings);
    switch (at->force->friction) {
    case DCS_SCALAR:
        add_scalar_friction(at);
        break;
    case DCS_POLYHEDRAL:
        add_polyhedral_friction(at, settings->directions);
        break;
    case DCS_CONE:
        add_cone_friction(at);
        break;
    case DCS_CONIC_PAPER:
        add_paper_friction(at);
        break;
    case DCS_FRICTIONLESS:
        break;
    }
}

static void add_contact(struct dcs *dcs, int c, const struct discretization *settings)
{
    struct expr_graph *g = dcs->g;
    struct force_builder at = { .dcs = dcs, .contact = &dcs->model->contacts.contact[c],
                                .force = &dcs->contact[c] };
    const expr zero = expr_const(g, 0);
    *at.force = (struct dcs_contact){ .first_pair = dcs->n_pair };
    for (int k = 0; k < SLIP_MAX; k++) {
        at.force->aux_t[k] = zero;
        at.force->slip[k] = at.force->force_t[k] = -1;
    }
    const struct dcs_var gap = named(&at, " gap", 0, 1), force = named(&at, " normal force", 0, 1);
    at.force->gap = dcs_add_lam(dcs, gap);
    at.force->force = dcs_add_sel(dcs, force);
    add_pair(&at, at.force->gap, at.force->force);
    dcs_add_cont(dcs, row_of(&at, " gap", expr_sub(g, at.contact->gap, gap.sym)));
    at.force->aux_n = at.normal = force.sym;
    at.cone = expr_mul(g, at.contact->friction, force.sym);
    if (at.contact->n_t > 0 && !expr_is_zero(g, at.contact->friction))
        add_friction(&at, settings);
    at.force->end_pair = dcs->n_pair;
}

/* Seats stay at rest: where a relaxed solution could lift one there would be no friction. */
static void hold_seats(struct dcs *dcs)
{
    for (int k = 0; k < dcs->model->contacts.n_load; k++) {
        struct dcs_var *rate = &dcs->y[dcs->model->contacts.load[k].x + 1];
        rate->lb = rate->ub = 0;
    }
}

enum status dcs_build_forces(struct dcs *dcs, const struct discretization *settings, struct diag *diag)
{
    const struct model *model = dcs->model;
    dcs->kind = DCS_FORCES;
    dcs->impacts = settings->method == METHOD_FESD_J;
    dcs->contact = arena_alloc(&dcs->mem, (size_t)model->contacts.n_contact, sizeof *dcs->contact);
    for (int i = 0; i < model->mechanics.n_q && dcs->impacts; i++)
        dcs->y[model->mechanics.v_index[i]].jumps = true;
    hold_seats(dcs);
    const enum status st = dcs_lower_nonsmooth(dcs, diag);      /* first: dcs_sel_of */
    for (int c = 0; c < model->contacts.n_contact; c++) {
        add_contact(dcs, c, settings);
        dcs_add_contact_force(dcs, c);
    }
    return st;
}
