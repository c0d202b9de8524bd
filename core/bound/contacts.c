#include "core/bound/reading.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A contact: v_n = J_n v, and what an impulse along its normal or tangent does to velocities, M^-1 J'. */
struct touch {
    const struct model_contact *contact;
    bool has_friction;
    int slip_switch;                /* the switch of place 0 that is the sign of the slip; -1: there is none */
    struct interval J_n[POLY_MAX_VAR], by_n[POLY_MAX_VAR], by_t[POLY_MAX_VAR];
    struct interval w_nn, w_nt, w_tt; /* J_n M^-1 J_n', ... */
    struct interval_poly gap, v_n, v_t;
};

/* What impacts and forces along (1, -s mu) do: s = 0 is without friction. */
struct direction {
    int s;
    struct interval by[POLY_MAX_VAR], w;
}; /* M^-1 (J_n - s mu J_t)'; J_n of it */

static enum status refuse(const struct reading *r, const struct model_contact *contact, const char *what)
{
    return diag_error(r->diag, contact->pos, contact->path, "bounds do not know %s yet", what);
}

static struct interval times(struct interval a, struct interval b)
{
    return iv_is_zero(a) || iv_is_zero(b) ? iv(0) : iv_mul(a, b);
}

static struct interval plus(struct interval a, struct interval b)
{
    return iv_is_zero(a) ? b : iv_is_zero(b) ? a : iv_add(a, b);
}

/* out = M^-1 J */
static void respond(const struct reading *r, const struct interval *J, struct interval *out)
{
    const int n = r->model->mechanics.n_q;
    for (int i = 0; i < n; i++) {
        out[i] = iv(0);
        for (int j = 0; j < n; j++)
            out[i] = plus(out[i], times(r->M_inverse[i + n * j], J[j]));
    }
}

static struct interval dot(int n, const struct interval *a, const struct interval *b)
{
    struct interval sum = iv(0);
    for (int i = 0; i < n; i++)
        sum = plus(sum, times(a[i], b[i]));
    return sum;
}

static enum status check_contact(const struct reading *r, const struct model_contact *contact)
{
    const bool has_friction =
        contact->n_t > 0 && !(contact->mu <= 0 && expr_is_const(r->g, contact->friction, NULL));
    if (!contact->gap_is_linear)
        return refuse(r, contact, "contacts whose gap is not linear in the positions");
    if (contact->moves)
        return refuse(r, contact, "surfaces that move");
    if (contact->n_corner > 0 || contact->n_patch > 0 || contact->load_of >= 0)
        return refuse(r, contact, "grounds with corners");
    if (!expr_is_const(r->g, contact->restitution, NULL) ||
        (has_friction && !expr_is_const(r->g, contact->friction, NULL)))
        return refuse(r, contact, "friction and restitution that are optimized");
    if (has_friction && contact->n_t > 1)
        return refuse(r, contact, "friction in space");
    if (has_friction && r->model->contacts.n_contact > 1)
        return refuse(r, contact, "friction where there are several contacts");
    return STATUS_OK;
}

static enum status read_contact(struct reading *r, const struct model_contact *contact, struct touch *to)
{
    const int n = r->model->mechanics.n_q;
    const struct written at = { contact->pos, contact->path };
    struct interval J_t[POLY_MAX_VAR];
    double value;
    enum status st = check_contact(r, contact);
    *to = (struct touch){ .contact = contact, .slip_switch = -1, .has_friction = contact->n_t > 0 && contact->mu > 0 };
    for (int k = 0; k < n && st == STATUS_OK; k++) {
        if (!expr_is_const(r->g, contact->J_n[k], &value))
            st = refuse(r, contact, "contacts whose gap is not linear in the positions");
        to->J_n[k] = iv(value);
        if (st == STATUS_OK && to->has_friction && !expr_is_const(r->g, contact->J_t[k], &value))
            st = refuse(r, contact, "tangents that turn");
        J_t[k] = iv(value);
    }
    if (st == STATUS_OK)
        st = reading_polynomial(r, contact->gap, at, &to->gap);
    if (st == STATUS_OK)
        st = reading_polynomial(r, contact->v_n, at, &to->v_n);
    if (st == STATUS_OK && to->has_friction)
        st = reading_polynomial(r, contact->v_t[0], at, &to->v_t);
    if (st != STATUS_OK)
        return st;
    respond(r, to->J_n, to->by_n);
    to->w_nn = dot(n, to->J_n, to->by_n);
    if (to->has_friction) {
        respond(r, J_t, to->by_t);
        to->w_nt = dot(n, to->J_n, to->by_t);
        to->w_tt = dot(n, J_t, to->by_t);
    }
    if (to->has_friction && !iv_is_zero(to->w_nt))
        return refuse(r, contact, "friction that turns normal impulses into tangential motion and back");
    return to->w_nn.lo > 0 && (!to->has_friction || to->w_tt.lo > 0)
               ? STATUS_OK
               : refuse(r, contact, "contacts that no force can close");
}

static struct direction direction_of(const struct reading *r, const struct touch *touch, int s)
{
    struct direction out = { .s = s, .w = touch->w_nn };
    const struct interval slope = iv(-s * touch->contact->mu);
    for (int k = 0; k < r->model->mechanics.n_q; k++)
        out.by[k] = plus(touch->by_n[k], times(slope, touch->by_t[k]));
    return out;
}

/* --- Which states vary --------------------------------------------------------------------------------------- */

static unsigned bits_of(const struct reading *r, int n, const int *state)
{
    unsigned bits = 0;
    for (int k = 0; k < n; k++)
        bits |= 1u << r->of_state[state[k]];
    return bits;
}

static unsigned positions(const struct reading *r)
{
    return bits_of(r, r->model->mechanics.n_position, r->model->mechanics.q_index);
}

static unsigned velocities(const struct reading *r)
{
    return bits_of(r, r->model->mechanics.n_q, r->model->mechanics.v_index);
}

/* --- Places: closed contacts --------------------------------------------------------------------------------- */

/* The normal force that keeps the contact closed, in the place's variables: a number times -J_n a. */
static struct interval_poly force_of(const struct reading *r, const struct bound_frame *frame,
                                     const struct touch *touch, const struct direction *along, int pattern)
{
    struct interval_poly sum = { 0, NULL };
    for (int k = 0; k < r->model->mechanics.n_q; k++)
        sum = enclosed_add(r->mem, sum, touch->J_n[k], r->acceleration[pattern][k]);
    return bound_in_frame(r->mem, frame, enclosed_scale(r->mem, iv_div(iv(-1), along->w), sum));
}

/* Rates at the place with a force added along `along`, one for each contact of the set. */
static void rates_with_forces(const struct reading *r, struct bound_place *place, int pattern, int to_pattern,
                              int n, const struct direction *along, const struct interval_poly *force)
{
    const struct bound_place *flight = &r->out->place[0];
    place->weight_least[to_pattern] = 1;
    place->running[to_pattern] = bound_in_frame(r->mem, &place->frame, flight->running[pattern]);
    for (int k = 0; k < r->out->n_var; k++)
        place->rate[to_pattern][k] = place->frame.gone >> k & 1
                                         ? (struct interval_poly){ 0, NULL }
                                         : bound_in_frame(r->mem, &place->frame, flight->rate[pattern][k]);
    for (int i = 0; i < r->model->mechanics.n_q; i++) {
        const int k = r->of_state[r->model->mechanics.v_index[i]];
        for (int c = 0; c < n && !(place->frame.gone >> k & 1); c++)
            if (!iv_is_zero(along[c].by[i]))
                place->rate[to_pattern][k] = enclosed_add(
                    r->mem, place->rate[to_pattern][k], iv_div(along[c].by[i], iv(r->out->var[k].half)), force[c]);
    }
}

static void add_switches(const struct reading *r, struct bound_place *place)
{
    const struct bound_place *flight = &r->out->place[0];
    for (int l = 0; l < flight->n_switch; l++)
        place->c[place->n_switch++] = bound_in_frame(r->mem, &place->frame, flight->c[l]);
}

/* Closes the contacts of a set [n]. False: they cannot be closed together. */
static bool close_contacts(const struct reading *r, struct bound_place *place, int n,
                           const struct touch *const *touch)
{
    place->name[0] = '\0';
    for (int c = 0; c < n; c++) {
        const size_t used = strlen(place->name);
        (void)snprintf(place->name + used, sizeof place->name - used, "%s%s", used ? " and " : "",
                       touch[c]->contact->name);
        const struct interval gap = bound_range(bound_in_frame(r->mem, &place->frame, touch[c]->gap));
        if (gap.lo > 0 || !bound_frame_solve(r->mem, &place->frame, touch[c]->gap, positions(r)) ||
            !bound_frame_solve(r->mem, &place->frame, touch[c]->v_n, velocities(r)))
            return false;
    }
    return true;
}

/* Contacts without friction stay closed while none of their forces would have to pull. */
static void rest_without_friction(struct reading *r, int n, const struct touch *const *touch)
{
    struct bound_place *place = &r->out->place[r->out->n_place];
    bool presses = n == 1 && !(touch[0]->contact->e > 0) && r->model->contacts.n_contact == 1;
    *place = (struct bound_place){ .own = false };
    if (!close_contacts(r, place, n, touch))
        return;
    add_switches(r, place);
    for (int pattern = 0; pattern < 1 << place->n_switch; pattern++) {
        struct interval_poly force[BOUND_MAX_CONTACT];
        struct direction along[BOUND_MAX_CONTACT];
        for (int c = 0; c < n; c++) {
            along[c] = direction_of(r, touch[c], 0);
            force[c] = force_of(r, &place->frame, touch[c], &along[c], pattern);
            presses = presses && bound_range(force[c]).lo > 0;
            if (place->n_switch == 0 && !(bound_range(force[c]).lo > 0))
                bound_require(&place->region, reading_unit_size(r, force[c]));
        }
        rates_with_forces(r, place, pattern, pattern, n, along, force);
    }
    place->own = presses;
    r->out->n_place++;
}

/* Is the contact pressed together whatever happens, and does it not bounce? Then it stays closed once it is. */
static bool stays_closed(const struct reading *r, const struct bound_place *place, const struct touch *touch)
{
    const struct direction along = direction_of(r, touch, 0);
    bool does = !(touch->contact->e > 0) && r->model->contacts.n_contact == 1;
    for (int pattern = 0; pattern < 1 << r->out->place[0].n_switch; pattern++)
        does = does && bound_range(force_of(r, &place->frame, touch, &along, pattern)).lo > 0;
    return does;
}

/* The sign of the slip becomes a switch of place 0: nothing depends on it there, but V may have a kink. */
static void add_slip_switch(struct reading *r, struct touch *touch)
{
    struct bound_place *flight = &r->out->place[0];
    const int n = 1 << flight->n_switch;
    touch->slip_switch = flight->n_switch;
    flight->c[flight->n_switch++] = reading_unit_size(r, touch->v_t);
    for (int pattern = 0; pattern < n; pattern++) {
        memcpy(flight->rate[n + pattern], flight->rate[pattern], sizeof flight->rate[pattern]);
        flight->running[n + pattern] = flight->running[pattern];
        flight->weight_least[n + pattern] = flight->weight_least[pattern];
        memcpy(r->acceleration[n + pattern], r->acceleration[pattern], sizeof r->acceleration[pattern]);
    }
}

/* A closed contact with friction: the sign of its slip is one more switch. */
static enum status rest_with_friction(struct reading *r, struct touch *touch)
{
    struct bound_place *place = &r->out->place[r->out->n_place];
    const int n_flight = r->out->place[0].n_switch;
    *place = (struct bound_place){ .own = false };
    if (n_flight + 1 > BOUND_MAX_SWITCH)
        return refuse(r, touch->contact, "friction and so many switches");
    if (!close_contacts(r, place, 1, (const struct touch *const[]){ touch }))
        return refuse(r, touch->contact, "contacts that cannot close within the box");
    place->own = stays_closed(r, place, touch);
    if (!place->own)
        add_slip_switch(r, touch);
    add_switches(r, place);
    if (place->own)
        place->c[place->n_switch++] = reading_unit_size(r, bound_in_frame(r->mem, &place->frame, touch->v_t));
    for (int pattern = 0; pattern < 1 << place->n_switch; pattern++) {
        const struct direction along = direction_of(r, touch, pattern >> n_flight & 1 ? 1 : -1);
        const int before = pattern & ((1 << n_flight) - 1);
        const struct interval_poly force = force_of(r, &place->frame, touch, &along, before);
        rates_with_forces(r, place, before, pattern, 1, &along, &force);
        if (n_flight == 0 && pattern == 0 && !place->own)       /* it only pushes; the same for both signs of the slip */
            bound_require(&place->region, reading_unit_size(r, force));
    }
    r->out->n_place++;
    return STATUS_OK;
}

/* --- Guards: impacts ----------------------------------------------------------------------------------------- */

/* Velocities before the impact, by rho, and after it: each component k gains gain[k]. */
static bool set_frames(const struct reading *r, struct bound_guard *guard, const struct touch *touch,
                       double hardest, const struct interval_poly *gain)
{
    const struct interval_poly rho = enclosed_monomial(r->mem, monomial_power(BOUND_RHO, 1), iv(hardest));
    if ((!guard->sticks && !bound_frame_solve(r->mem, &guard->before, touch->gap, positions(r))) ||
        !bound_frame_solve(r->mem, &guard->before, enclosed_add(r->mem, touch->v_n, iv(1), rho), velocities(r)))
        return false;
    guard->after = guard->before;
    for (int i = 0; i < r->model->mechanics.n_q; i++) {
        const int k = r->of_state[r->model->mechanics.v_index[i]];
        const struct interval_poly before =
            bound_in_frame(r->mem, &guard->before, enclosed_monomial(r->mem, monomial_power(k, 1), iv(1)));
        guard->after.gone |= 1u << k;
        guard->after.with[k] = enclosed_add(r->mem, before, iv_div(iv(1), iv(r->out->var[k].half)),
                                            bound_in_frame(r->mem, &guard->before, gain[i]));
    }
    return true;
}

/* What is asked of impacts. */
static void require_of_impacts(struct reading *r, struct bound_guard *guard)
{
    const struct model_constraints *of = &r->model->constraints;
    for (int k = 0; k < of->n_impact; k++) {
        struct model_constraint one = of->impact[k];
        one.of_forces = false; /* impulses have names here */
        if (!reading_constraint(r, &one, &guard->region))
            reading_leave_out(r, one.path);
    }
}

/* What an impact costs, in coordinates of the guard, by the impulses of its contact, and what is asked of it. A
 * part of the cost that is there where nothing hits, and is not negative, is left out. */
static enum status set_cost(struct reading *r, const struct touch *touch, const struct interval_poly impulse[2],
                            struct bound_guard *guard)
{
    const struct model *m = r->model;
    const struct interval_poly nothing[POLY_MAX_VAR] = { { 0, NULL } };
    const int own = (int)(touch->contact - m->contacts.contact);
    enum status st = STATUS_OK;
    for (int k = 0; k < CONTACT_ROWS * m->contacts.n_contact && m->contacts.impulse_sym; k++) {
        const int row = k - CONTACT_ROWS * own;
        reading_name(r, m->contacts.impulse_sym[k], row == 0 || row == 1 ? impulse[row] : nothing[0]);
    }
    require_of_impacts(r, guard);
    for (int k = 0; k < m->costs.n_impact && st == STATUS_OK; k++) {
        struct interval_poly cost;
        st = reading_polynomial(r, m->costs.impact[k].e,
                                (struct written){ m->costs.impact[k].pos, m->costs.impact[k].path }, &cost);
        if (st != STATUS_OK)
            return st;
        cost = bound_in_frame(r->mem, &guard->before, cost);
        const struct interval_poly idle =
            guard->once ? nothing[0]
                        : enclosed_substitute(r->mem, cost, 1u << BOUND_RHO | 1u << BOUND_SIGMA, nothing);
        if (idle.n > 0 && !(bound_range(idle).lo >= 0))
            return diag_error(r->diag, m->costs.impact[k].pos, m->costs.impact[k].path,
                              "bounds do not know impacts that pay though nothing hits yet");
        guard->cost = enclosed_add(r->mem, guard->cost, iv(1 / r->out->cost_scale),
                                   enclosed_add(r->mem, cost, iv(-1), idle));
    }
    return st;
}

/* The contact hits and goes on along one direction of slip; to where its force is along that. */
static bool add_slide(struct reading *r, const struct touch *touch, const struct direction *along, double hardest,
                      int to, bool once)
{
    struct bound_guard *guard = &r->out->guard[r->out->n_guard];
    struct interval_poly gain[POLY_MAX_VAR], slip = touch->v_t;
    const struct interval factor = iv_div(iv_add(iv(1), iv(touch->contact->e)), along->w);
    const struct interval_poly r_n = enclosed_monomial(r->mem, monomial_power(BOUND_RHO, 1), iv(hardest));
    const struct interval_poly impulse[2] = { enclosed_scale(r->mem, factor, r_n),
                                              enclosed_scale(
                                                  r->mem, times(iv(-along->s * touch->contact->mu), factor), r_n) };
    *guard = (struct bound_guard){ .to = to, .once = once };
    (void)snprintf(guard->name, sizeof guard->name, "%s%s", touch->contact->name,
                   along->s > 0   ? " slips forwards"
                   : along->s < 0 ? " slips backwards"
                                  : "");
    for (int i = 0; i < r->model->mechanics.n_q; i++)
        gain[i] = iv_is_zero(along->by[i]) ? (struct interval_poly){ 0, NULL }
                                        : enclosed_scale(r->mem, iv_mul(factor, along->by[i]), r_n);
    if (!set_frames(r, guard, touch, hardest, gain))
        return false;
    if (along->s != 0) {
        const struct interval change = iv_mul(iv_mul(iv(-along->s * touch->contact->mu), factor), touch->w_tt);
        slip = enclosed_add(r->mem, bound_in_frame(r->mem, &guard->before, slip), change, r_n);
        bound_require(&guard->region, reading_unit_size(r, enclosed_scale(r->mem, iv(along->s), slip)));
        if (touch->slip_switch >= 0) {
            guard->of_mask = 1u << touch->slip_switch;
            guard->of_bits = along->s > 0 ? guard->of_mask : 0;
        } else {
            guard->to_bits = along->s > 0 ? 1u << r->out->place[0].n_switch : 0;
        }
    }
    r->out->n_guard++;
    return set_cost(r, touch, impulse, guard) == STATUS_OK;
}

/* The slip ends in the impact: the tangential impulse is what that takes, within the cone. s is the sign of the
 * slip where V knows it, else 0. */
static bool add_stick(struct reading *r, const struct touch *touch, int s, double hardest, int to)
{
    struct bound_guard *guard = &r->out->guard[r->out->n_guard];
    struct interval_poly gain[POLY_MAX_VAR];
    const double fastest = iv_mag(bound_range(touch->v_t)) * (1 + 1e-12);
    const struct interval_poly r_n = enclosed_monomial(r->mem, monomial_power(BOUND_RHO, 1), iv(hardest));
    const struct interval_poly sigma = enclosed_monomial(r->mem, monomial_power(BOUND_SIGMA, 1), iv(-s * fastest));
    const struct interval normal = iv_div(iv_add(iv(1), iv(touch->contact->e)), touch->w_nn);
    const struct interval tangential = iv_div(iv(-1), touch->w_tt);
    *guard = (struct bound_guard){ .to = to, .once = s == 0, .sticks = s != 0 };
    (void)snprintf(guard->name, sizeof guard->name, "%s sticks%s", touch->contact->name,
                   s > 0 ? " from forwards" : s < 0 ? " from backwards" : "");
    for (int i = 0; i < r->model->mechanics.n_q; i++) {
        gain[i] = enclosed_scale(r->mem, times(normal, touch->by_n[i]), r_n);
        gain[i] = enclosed_add(r->mem, gain[i], times(tangential, touch->by_t[i]), touch->v_t);
    }
    const struct interval reach = iv_mul(iv_mul(iv(touch->contact->mu), normal), touch->w_tt);
    if (s != 0) {
        const double unit = exp2(-ceil(log2(fmax(fastest, hardest))));
        guard->of_mask = 1u << touch->slip_switch;
        guard->of_bits = s > 0 ? guard->of_mask : 0;
        guard->reach = iv_scale(unit, iv_mul(reach, iv(hardest)));
        guard->slip = iv_mul(iv(unit), iv(fastest));
        if (!bound_frame_solve(r->mem, &guard->before, touch->gap, positions(r))
            || !bound_frame_solve(r->mem, &guard->before, enclosed_add(r->mem, touch->v_t, iv(1), sigma),
                                  velocities(r)))
            return false;
    }
    if (!set_frames(r, guard, touch, hardest, gain))
        return false;
    const struct interval_poly slip = bound_in_frame(r->mem, &guard->before, touch->v_t);
    for (int side = -1; side <= 1; side += 2)
        if (side != s)
            bound_require(
                &guard->region,
                reading_unit_size(r, enclosed_add(r->mem, enclosed_scale(r->mem, reach, r_n), iv(side), slip)));
    const struct interval_poly impulse[2] = { enclosed_scale(r->mem, normal, r_n),
                                              enclosed_scale(r->mem, tangential, slip) };
    r->out->n_guard++;
    return set_cost(r, touch, impulse, guard) == STATUS_OK;
}

static enum status add_impacts(struct reading *r, const struct touch *touch)
{
    const double hardest = -bound_range(touch->v_n).lo * (1 + 1e-12);
    const int resting = r->out->n_place > 1 && r->out->place[1].own ? 1 : 0;
    bool all = true;
    if (!(hardest > 0))
        return STATUS_OK; /* nothing falls within the box */
    if (touch->has_friction) {
        for (int s = -1; s <= 1; s += 2) {
            const struct direction along = direction_of(r, touch, s);
            all = all && add_slide(r, touch, &along, hardest, resting, resting > 0);
            all = all && (resting > 0 || add_stick(r, touch, s, hardest, resting));
        }
        all = all && (resting == 0 || add_stick(r, touch, 0, hardest, resting));
    } else {
        const struct direction along = direction_of(r, touch, 0);
        all = add_slide(r, touch, &along, hardest, resting, resting > 0);
    }
    if (all)
        return STATUS_OK;
    return diag_n_errors(r->diag) > 0 ? STATUS_SPEC : refuse(r, touch->contact, "contacts like this one");
}

/* --- Several contacts ---------------------------------------------------------------------------------------- */

/* Does an impulse at one change what the other is about? */
static bool act_on_each_other(const struct reading *r, const struct touch *a, const struct touch *b)
{
    bool do_ = false;
    for (int k = 0; k < r->model->mechanics.n_q; k++)
        do_ = do_ || (!iv_is_zero(a->by_n[k]) && (!iv_is_zero(b->J_n[k]) || !iv_is_zero(b->by_n[k]))) ||
              (!iv_is_zero(b->by_n[k]) && !iv_is_zero(a->J_n[k]));
    return do_;
}

static bool are_never_both_closed(const struct reading *r, const struct touch *a, const struct touch *b)
{
    struct bound_frame frame = { 0 };
    return bound_frame_solve(r->mem, &frame, a->gap, positions(r)) &&
           bound_range(bound_in_frame(r->mem, &frame, b->gap)).lo > 0;
}

/* Gaps as constraints along the way; what the box says already is left out. */
static void require_gap(struct reading *r, const struct touch *touch)
{
    const struct interval range = bound_range(touch->gap);
    if (!(range.lo > -1e-10 * iv_mag(range)))
        bound_require(&r->out->path, reading_unit_size(r, touch->gap));
}

/* An impact must not throw a switch. */
static enum status check_switches(const struct reading *r, const struct touch *touch)
{
    unsigned thrown = 0;
    for (int k = 0; k < r->model->mechanics.n_q; k++)
        if (!iv_is_zero(touch->by_n[k]) || (touch->has_friction && !iv_is_zero(touch->by_t[k])))
            thrown |= 1u << r->of_state[r->model->mechanics.v_index[k]];
    for (int l = 0; l < r->out->place[0].n_switch; l++)
        if (enclosed_variables(r->out->place[0].c[l]) & thrown)
            return refuse(r, touch->contact, "impacts that throw a switch");
    return STATUS_OK;
}

enum status reading_contacts(struct reading *r)
{
    const struct model *m = r->model;
    struct touch touch[BOUND_MAX_CONTACT];
    enum status st = STATUS_OK;
    for (int c = 0; c < m->contacts.n_contact && st == STATUS_OK; c++) {
        st = read_contact(r, &m->contacts.contact[c], &touch[c]);
        if (st == STATUS_OK)
            st = check_switches(r, &touch[c]);
        for (int other = 0; other < c && st == STATUS_OK; other++)
            if (act_on_each_other(r, &touch[c], &touch[other]) &&
                !are_never_both_closed(r, &touch[c], &touch[other]))
                st = refuse(r, &m->contacts.contact[c], "contacts that act on each other");
    }
    if (st == STATUS_OK && m->contacts.n_contact == 1 && touch[0].has_friction)
        st = rest_with_friction(r, &touch[0]);
    for (int set = 1; set < 1 << m->contacts.n_contact && st == STATUS_OK
                      && !(m->contacts.n_contact == 1 && touch[0].has_friction);
         set++) {
        const struct touch *closed[BOUND_MAX_CONTACT];
        int n = 0;
        for (int c = 0; c < m->contacts.n_contact; c++)
            if (set >> c & 1)
                closed[n++] = &touch[c];
        rest_without_friction(r, n, closed);
    }
    for (int c = 0; c < m->contacts.n_contact && st == STATUS_OK; c++) {
        require_gap(r, &touch[c]);
        st = add_impacts(r, &touch[c]);
    }
    return st;
}
