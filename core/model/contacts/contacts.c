/* core/model/contacts/contacts.c - gaps, tangents, and contacts as a whole */
#include "core/model/contacts/read.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "core/model/kinematics.h"
#include "core/model/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double GAP_TOL = 1e-8;     /* m: a gap at the start may be below zero by rounding */

static const char *const contact_hint = "gaps and tangents must be smooth (two contacts instead of a min)";

/* J of an expression of positions, e' = J'v. */
static expr *gradient(struct reader *r, expr e)
{
    expr *J = arena_alloc(r->mem, (size_t)r->model->mechanics.n_q, sizeof *J);
    kinematics_gradient(r->model, e, J);
    return J;
}

static const expr *velocities(struct reader *r)
{
    return reader_symbols(r, r->model->mechanics.n_q, r->model->mechanics.v_index);
}

static bool is_constant(const struct reader *r, int n, const expr *e)
{
    for (int i = 0; i < n; i++)
        if (!expr_is_const(r->g, e[i], NULL))
            return false;
    return true;
}

/* Once the start is fixed, so is the gap there. */
static void check_start(struct reader *r, const struct spec_node *node, const struct model_contact *contact)
{
    const struct model *m = r->model;
    for (int i = 0; i < m->mechanics.n_position; i++) {
        const int k = m->mechanics.q_index[i];
        if (m->x[k].initial.kind != END_FIXED && expr_depends(r->g, contact->gap, 1, &m->x_sym[k]))
            return;
    }
    if (expr_depends(r->g, contact->gap, m->n_p, m->p_sym))
        return;
    const double gap = model_value_at(m, contact->gap, AT_START);
    if (!isfinite(gap))
        spec_error(r->diag, node, "the gap is not finite at the initial positions");
    else if (gap < -GAP_TOL)
        spec_error(r->diag, node, "the gap is %.6g at the initial positions: the bodies overlap", gap);
}

/* d/dt of what a moving surface does to an expression of positions and time. */
static expr drift_of(struct reader *r, expr e)
{
    expr drift;
    expr_gradient(r->g, e, 1, &r->model->t_sym, &drift);
    return drift;
}

/* J'v + drift */
static expr contact_velocity(struct reader *r, const expr *J, expr drift)
{
    return expr_add(r->g, expr_dot(r->g, r->model->mechanics.n_q, J, velocities(r)), drift);
}

static void note_drift(struct reader *r, struct model_contact *contact)
{
    for (int i = 0; i < CONTACT_ROWS; i++)
        contact->moves = contact->moves || !expr_is_zero(r->g, contact->drift[i]);
}

/* What follows from the gap and J_n. */
static void finish_gap(struct reader *r, const struct spec_node *node, struct model_contact *contact)
{
    contact->drift[0] = drift_of(r, contact->gap);
    contact->v_n = contact_velocity(r, contact->J_n, contact->drift[0]);
    contact->gap_is_linear = is_constant(r, r->model->mechanics.n_q, contact->J_n);
    check_start(r, node, contact);
}

static void read_gap(struct reader *r, const struct spec_node *node, struct model_contact *contact)
{
    const struct model *m = r->model;
    contact->gap = reader_smooth(r, node, contact_hint, USES_POSITIONS | USES_TIME,
                                 "the gap, a function of positions and time,");
    if (reader_is_broken(r, contact->gap) || !r->model->mechanics.coordinates_known)
        return;
    if (!expr_depends(r->g, contact->gap, m->mechanics.n_position,
                      reader_symbols(r, m->mechanics.n_position, m->mechanics.q_index))) {
        spec_error(r->diag, node, "the gap depends on no position");
        return;
    }
    if (check_is_power(r->g, contact->gap))
        spec_error(r->diag, node,
                   "the gap is a power, whose gradient vanishes where the gap is 0: it tells neither the "
                   "direction nor the speed of an impact; give it a slope there, as q in place of q^2");
    contact->J_n = gradient(r, contact->gap);
    finish_gap(r, node, contact);
}

/* Tangential velocity i and its J_t from a tangent: the derivative of a length along the contact. */
static void read_tangent(struct reader *r, const struct spec_node *node, struct model_contact *contact, int i)
{
    const struct model *m = r->model;
    const expr e = reader_smooth(r, node, contact_hint, USES_POSITIONS | USES_TIME,
                                 "the tangent, a function of positions and time,");
    if (reader_is_broken(r, e) || !r->model->mechanics.coordinates_known)
        return;
    const expr *J_t = gradient(r, e);
    memcpy(contact->J_t + i * m->mechanics.n_q, J_t, (size_t)m->mechanics.n_q * sizeof *J_t);
    const expr slip = expr_dot(r->g, m->mechanics.n_q, J_t, velocities(r));
    contact->drift[1 + i] = drift_of(r, e);
    contact->v_t[i] = expr_add(r->g, slip, contact->drift[1 + i]);
    if (expr_is_zero(r->g, slip))
        spec_error(r->diag, node, "the tangent depends on no position");
}

/* e where nothing moves but surfaces. */
static expr at_rest(struct reader *r, expr e)
{
    const struct model *m = r->model;
    expr *zero = arena_alloc(r->mem, (size_t)m->mechanics.n_q, sizeof *zero);
    for (int i = 0; i < m->mechanics.n_q; i++)
        zero[i] = expr_const(r->g, 0);
    expr_substitute(r->g, 1, &e, m->mechanics.n_q, velocities(r), zero, &e);
    return e;
}

/* The same from the tangential velocity itself, linear in the velocities but for what the surface does. */
static void read_slip(struct reader *r, const struct spec_node *node, struct model_contact *contact, int i)
{
    const struct model *m = r->model;
    const expr e = reader_smooth(r, node, contact_hint, USES_POSITIONS | USES_VELOCITIES | USES_TIME,
                                 "the slip, a function of positions, velocities and time,");
    if (reader_is_broken(r, e) || !r->model->mechanics.coordinates_known)
        return;
    const expr *v = velocities(r);
    expr *J_t = contact->J_t + i * m->mechanics.n_q;
    expr_gradient(r->g, e, m->mechanics.n_q, v, J_t);
    for (int j = 0; j < m->mechanics.n_q; j++)
        if (expr_depends(r->g, J_t[j], m->mechanics.n_q, v)) {
            spec_error(r->diag, node, "the slip must be linear in the velocities");
            return;
        }
    const expr slip = expr_dot(r->g, m->mechanics.n_q, J_t, v), rest = expr_sub(r->g, e, slip);
    contact->drift[1 + i] = model_is_zero(r->model, rest) ? expr_const(r->g, 0) : at_rest(r, e);
    contact->v_t[i] = expr_add(r->g, slip, contact->drift[1 + i]);
    if (expr_is_zero(r->g, slip))
        spec_error(r->diag, node, "the slip depends on no velocity");
}

static void read_tangents(struct reader *r, const struct spec_node *block, struct model_contact *contact)
{
    const struct spec_node *tangent = spec_get(block, "tangent"), *slip = spec_get(block, "slip");
    const struct spec_node *node = slip ? slip : tangent;
    contact->J_t = arena_alloc(r->mem, SLIP_MAX * (size_t)r->model->mechanics.n_q, sizeof *contact->J_t);
    for (int i = 0; i < SLIP_MAX * r->model->mechanics.n_q; i++)
        contact->J_t[i] = r->broken;
    for (int k = 0; k < SLIP_MAX; k++)
        contact->v_t[k] = r->broken;
    if (tangent && slip)
        spec_error(r->diag, slip, "either \"tangent\" or \"slip\", not both");
    if (!node || node->kind == SPEC_NULL)
        return;
    if (node->kind == SPEC_SEQUENCE && (node->n < 1 || node->n > SLIP_MAX)) {
        spec_error(r->diag, node, "one expression, or a list of two in 3D, of three with a turn about the normal");
        contact->n_t = 1;
        return;
    }
    contact->n_t = node->kind == SPEC_SEQUENCE ? node->n : 1;
    for (int i = 0; i < contact->n_t; i++) {
        const struct spec_node *one = node->kind == SPEC_SEQUENCE ? node->child[i] : node;
        if (slip)
            read_slip(r, one, contact, i);
        else
            read_tangent(r, one, contact, i);
    }
}

static void check_result_names(struct reader *r, const char *contact)
{
    static const char *const suffix[] = { "gap",      "v_n",      "v_t",       "v_t1",      "v_t2",     "v_t3",
                                          "lambda_n", "lambda_t", "lambda_t1", "lambda_t2", "lambda_t3" };
    reader_check_result_names(r, "contact", contact, sizeof suffix / sizeof suffix[0], suffix);
}

/* A point brings its own gap and, with friction, its tangents. */
static void check_keys_of_points(struct reader *r, const struct spec_node *block)
{
    static const char *const of_gap[] = { "gap", "tangent", "slip" };
    static const char *const of_point[] = { "radius",  "ground", "angle",   "box",
                                            "ellipse", "other",  "rolling", "drilling" };
    static const char *const of_shape[] = { "angle", "box", "ellipse", "other" };
    const size_t n_shape_keys = 6;      /* those before are of places in the plane, too */
    const struct spec_node *frame = spec_get(block, "frame");
    if (frame && spec_get(block, "point"))
        spec_error(r->diag, frame, "either a \"point\" or a \"frame\", not both");
    for (size_t i = 0; i < sizeof of_gap / sizeof *of_gap && reader_contact_place(block); i++)
        if (spec_get(block, of_gap[i]))
            spec_error(r->diag, spec_get(block, of_gap[i]), "follows from \"point\": leave it out, or write all by "
                                                            "\"gap\"");
    for (size_t i = 0; i < sizeof of_point / sizeof *of_point && !reader_contact_place(block); i++)
        if (spec_get(block, of_point[i]))
            spec_error(r->diag, spec_get(block, of_point[i]),
                       i < n_shape_keys ? "belongs to \"point\", a place [x, z] in the plane or a point of a body"
                                        : "belongs to \"point\", a point of a body; elsewhere write an entry of \"friction\", as "
                                          "roll: {slip: omega, load: %s.lambda_n, coefficient: 0.002}", block->key);
    for (size_t i = 0; i < sizeof of_shape / sizeof *of_shape && !reader_is_shape(block); i++)
        if (reader_contact_place(block) && spec_get(block, of_shape[i])
            && !(frame && strcmp(of_shape[i], "box") == 0))
            spec_error(r->diag, spec_get(block, of_shape[i]), "belongs to a place in the plane, as point: [x, z]");
    for (size_t i = n_shape_keys; i < sizeof of_point / sizeof *of_point && reader_is_shape(block); i++)
        if (spec_get(block, of_point[i]))
            spec_error(r->diag, spec_get(block, of_point[i]),
                       "belongs to a point of a body; a place in the plane has none");
}

/* Is there no motion along tangent i, as across the plane of a planar robot? */
static bool never_moves(struct reader *r, const struct model_contact *contact, int i)
{
    const int n_q = r->model->mechanics.n_q;
    bool moves = !expr_is_zero(r->g, contact->drift[1 + i]);
    for (int k = 0; k < n_q && !moves; k++)
        moves = !model_is_zero(r->model, contact->J_t[i * n_q + k]);
    return !moves;
}

/* Of two tangents the one along which there is motion: friction along the other one would have nothing to do. */
static void keep_moving_tangent(struct reader *r, struct model_contact *contact)
{
    const int n_q = r->model->mechanics.n_q;
    const bool first = never_moves(r, contact, 0), second = never_moves(r, contact, 1);
    if (first == second)
        return;
    for (int k = 0; k < n_q && first; k++)
        contact->J_t[k] = contact->J_t[n_q + k];
    if (first) {
        contact->drift[1] = contact->drift[2];
        memcpy(contact->axis[1], contact->axis[2], sizeof contact->axis[1]);
    }
    for (int k = n_q; k < SLIP_MAX * n_q; k++)
        contact->J_t[k] = r->broken;
    contact->drift[2] = expr_const(r->g, 0);
    contact->n_t = 1;
}

/* What follows from J_t; one coefficient may do with one tangent. */
static void finish_slip(struct reader *r, const struct spec_node *block, struct model_contact *contact)
{
    const struct spec_node *friction = spec_get(block, "friction");
    if (contact->n_t == 2 && friction && friction->kind == SPEC_SCALAR && r->model->mechanics.coordinates_known)
        keep_moving_tangent(r, contact);
    for (int i = 0; i < contact->n_t; i++)
        contact->v_t[i] = contact_velocity(r, contact->J_t + i * r->model->mechanics.n_q, contact->drift[1 + i]);
}

static void read_point(struct reader *r, const struct spec_node *block, int n_t, int corner,
                       struct model_contact *contact)
{
    contact->n_t = n_t;
    reader_point_contact(r, block, corner, contact);
    if (reader_is_broken(r, contact->gap))
        return;
    finish_gap(r, reader_contact_place(block), contact);
    finish_slip(r, block, contact);
}

static void refuse_ellipsoids(struct reader *r, const struct spec_node *node, const struct model_contact *contact)
{
    double weight;
    const bool is_disc = expr_is_const(r->g, contact->weight[1], &weight) && weight == 1;
    if (contact->n_t == SLIP_MAX && (r->need == MODEL_FOR_IMPACT || r->need == MODEL_FOR_CERTIFY))
        spec_error(r->diag, node, "impact and certify take friction along the surface alone: leave out the turn about the normal, "
                                  "as with `friction: [0.2, 0.5]`; simulate and solve take limit surfaces, too");
    else if (!is_disc && r->need == MODEL_FOR_CERTIFY)
        spec_error(r->diag, node,
                   "certify takes one coefficient of friction; simulate, solve and impact take ellipses, too");
}

static struct model_contact named_contact(struct reader *r, const struct spec_node *node)
{
    const expr zero = expr_const(r->g, 0), one = expr_const(r->g, 1);
    struct model_contact contact = { .name = node->key, .path = node->path, .family = node->key, .pos = node->key_pos,
                                   .gap = r->broken, .v_n = r->broken, .normal = { EXPR_NONE, EXPR_NONE },
                                   .load_of = -1, .weight = { one, one, one },
                                   .coefficient = { EXPR_NONE, EXPR_NONE, EXPR_NONE } };
    for (int i = 0; i < CONTACT_ROWS; i++)
        contact.drift[i] = zero;
    contact.body[0] = contact.body[1] = -1;
    for (int i = 0; i < 9; i++)
        contact.R[i] = contact.axis[i / 3][i % 3] = EXPR_NONE;
    for (int i = 0; i < 3; i++)
        contact.place[i] = contact.from[i] = EXPR_NONE;
    return contact;
}

static void check_surface(struct reader *r, const struct spec_node *node, struct model_contact *contact)
{
    note_drift(r, contact);
    if (contact->moves && (r->need == MODEL_FOR_IMPACT || r->need == MODEL_FOR_CERTIFY))
        spec_error(r->diag, node,
                   "its surface moves: impact and certify take surfaces at rest; simulate and solve take both");
}

/* What all contacts of a shape have in common is read. */
static void finish_shape(struct reader *r, const struct spec_node *node, struct model_contact *contact)
{
    const int n_q = r->model->mechanics.n_q;
    if (strcmp(contact->name, contact->family) != 0)
        check_result_names(r, contact->name);
    finish_gap(r, node, contact);
    contact->v_t[0] = contact->n_t ? contact_velocity(r, contact->J_t, contact->drift[1]) : r->broken;
    for (int i = contact->n_t * n_q; i < SLIP_MAX * n_q; i++)
        contact->J_t[i] = r->broken;
    for (int i = 1; i < SLIP_MAX; i++)
        contact->v_t[i] = r->broken;
    check_surface(r, node, contact);
}

static const char *const no_gap = "\"gap\" is missing, or \"point\": a place in the plane, [x, z], or a point of "
                                  "a body; or \"shape\", one of \"shapes\"";

/* What gap and tangents leave to be read. */
static void finish_contact(struct reader *r, const struct spec_node *node, struct model_contact *contact)
{
    const struct spec_node *friction = spec_get(node, "friction"), *shape = spec_get(node, "shape");
    const struct spec_node *place = shape ? shape : reader_contact_place(node);
    reader_friction(r, friction, contact);
    if (place)
        reader_drilling(r, spec_get(node, "drilling"), contact);
    const bool frictionless = expr_is_const(r->g, contact->friction, NULL) && !(contact->mu > 0);
    contact->n_t = place && frictionless ? 0 : contact->n_t;
    check_surface(r, node, contact);
    refuse_ellipsoids(r, node, contact);
    if (!frictionless && contact->n_t == 0 && !reader_is_broken(r, contact->friction))
        spec_error(r->diag, friction, "friction needs a \"tangent\" (or \"slip\")");
}

/* A point of a body, or the corners of a patch: their number, *out in the model's arena. */
static int read_place(struct reader *r, const struct spec_node *node, struct model_contact **out)
{
    const int n_t = reader_given(node, "drilling") ? 3 : reader_given(node, "friction") ? 2 : 0;
    const bool is_patch = spec_get(node, "frame") && reader_given(node, "box");
    const struct model_contact common = **out;
    const int n = is_patch ? 4 : 1, n_errors = diag_n_errors(r->diag);
    *out = arena_alloc(r->mem, 4, sizeof **out);
    for (int k = 0; k < n && diag_n_errors(r->diag) == n_errors; k++) {
        struct model_contact *contact = &(*out)[k];
        *contact = common;
        if (is_patch) {
            contact->name = arena_printf(r->mem, "%s_%d", node->key, k + 1);
            check_result_names(r, contact->name);
        }
        read_tangents(r, node, contact);
        read_point(r, node, n_t, is_patch ? k : -1, contact);
        finish_contact(r, node, contact);
    }
    return diag_n_errors(r->diag) == n_errors ? n : 1;
}

/* All that a shape in space does not take. */
static bool check_keys_of_solids(struct reader *r, const struct spec_node *node)
{
    static const char *const others[] = { "gap", "point",   "frame",  "radius",  "angle",
                                          "box", "ellipse", "ground", "tangent", "slip" };
    bool good = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (spec_get(node, others[i]))
            good = spec_error(
                       r->diag, spec_get(node, others[i]),
                       "a contact of a \"shape\" has all this from its shapes: leave it out%s",
                       strcmp(others[i], "ground") == 0 ? ", and name a plane among \"shapes\" as \"other\"" : "")
                   == STATUS_OK;
    if (spec_get(node, "rolling"))
        good = spec_error(r->diag, spec_get(node, "rolling"),
                          "belongs to a \"point\": shapes have no resistance to rolling")
               == STATUS_OK;
    return good;
}

/* distance.push in costs and constraints; `apart` has named its own already. */
static void name_distance(struct reader *r, const struct spec_node *node, const struct model_contact *contact)
{
    const char *name = arena_printf(r->mem, "distance.%s", contact->name);
    if (known_names_find(r->names, r->model, name).kind != NAME_NONE)
        diag_error(r->diag, node->key_pos, node->path,
                   "\"%s\" is that of an entry of \"apart\": give one of the two another name", name);
    else
        reader_add_quantity(r, name, contact->gap);
}

/* Two shapes in space: their number of contacts, *out in the model's arena. */
static int read_solids(struct reader *r, const struct spec_node *node, struct model_contact **out)
{
    const struct spec_node *shape = spec_get(node, "shape"), *other = reader_given(node, "other");
    const int n_t = reader_given(node, "drilling") ? 3 : reader_given(node, "friction") ? 2 : 0;
    const int n_errors = diag_n_errors(r->diag);
    const struct model_contact common = **out;
    struct solid_gap gap[SOLID_MOST_GAPS];
    if (!check_keys_of_solids(r, node))
        return 1;
    const struct model_solid *a = reader_solid_of(r, shape), *b = other ? reader_solid_of(r, other) : NULL;
    const int n = a && (b || !other) ? reader_solid_gaps(r, other ? other : shape, a, b, gap) : 0;
    if (n == 0)
        return 1;
    *out = arena_alloc(r->mem, (size_t)n, sizeof **out);
    for (int k = 0; k < n; k++) {
        struct model_contact *contact = &(*out)[k];
        *contact = common;
        if (n > 1) {
            contact->name = arena_printf(r->mem, "%s_%d", node->key, k + 1);
            check_result_names(r, contact->name);
        }
        read_tangents(r, node, contact);
        contact->n_t = n_t;
        reader_solid_contact(r, a, b, &gap[k], contact);
        name_distance(r, node, contact);
        finish_gap(r, node, contact);
        finish_slip(r, node, contact);
        finish_contact(r, node, contact);
    }
    return diag_n_errors(r->diag) == n_errors ? n : 1;
}

/* A contact, or the contacts of a shape with the pieces of its ground: their number. */
static int read_contact(struct reader *r, const struct spec_node *node, struct model_contact **out)
{
    struct model_contact *contact = *out = arena_alloc(r->mem, 1, sizeof *contact);
    *contact = named_contact(r, node);
    reader_check_letters(r, node);
    check_result_names(r, node->key);
    shape_check_keys(r->diag, node, &model_contact_shape);
    if (node->kind == SPEC_NULL)
        spec_error(r->diag, node, "%s", no_gap);
    if (node->kind != SPEC_MAPPING)
        return 1;
    const struct spec_node *gap = spec_get(node, "gap"), *friction = spec_get(node, "friction");
    reader_coefficient(r, spec_get(node, "restitution"), 1, &contact->restitution, &contact->e);
    if (spec_get(node, "shape"))
        return read_solids(r, node, out);
    check_keys_of_points(r, node);
    if (reader_contact_place(node) && !reader_is_shape(node))
        return read_place(r, node, out);
    read_tangents(r, node, contact);
    if (reader_is_shape(node)) {
        reader_coefficient(r, friction, INFINITY, &contact->friction, &contact->mu);
        contact->n_t = contact->mu > 0 || !expr_is_const(r->g, contact->friction, NULL);
        const int n = reader_shape_contacts(r, node, contact, out);
        for (int k = 0; k < n; k++)
            finish_shape(r, node, &(*out)[k]);
        return n > 0 ? n : 1;
    }
    if (gap)
        read_gap(r, gap, contact);
    else
        spec_error(r->diag, node, "%s", no_gap);
    finish_contact(r, node, contact);
    return 1;
}

/* The friction of a load: the gap of its seat, which stays closed. */
static void read_load(struct reader *r, int k, struct model_contact *contact)
{
    const struct model *m = r->model;
    const struct model_load *load = &m->contacts.load[k];
    const struct spec_node *node = load->node;
    *contact = named_contact(r, node);
    contact->name = contact->family = load->rolls ? arena_printf(r->mem, "%s_rolling", node->key) : node->key;
    contact->gap = m->x_sym[load->x];
    contact->restitution = expr_const(r->g, 0);
    contact->load_of = load->of;
    check_result_names(r, contact->name);
    if (!load->rolls)
        shape_check_keys(r->diag, node, &model_friction_shape);
    if (node->kind == SPEC_NULL)
        spec_error(r->diag, node, "\"slip\" is missing, and \"load\" and \"coefficient\"");
    if (load->of >= 0 && (r->need == MODEL_FOR_IMPACT || r->need == MODEL_FOR_CERTIFY))
        spec_error(r->diag, node,
                   "the load is that of a contact: impact and certify take loads that are given; simulate and "
                   "solve take both");
    if (node->kind != SPEC_MAPPING || !m->mechanics.coordinates_known)
        return;
    contact->J_n = gradient(r, contact->gap);
    finish_gap(r, node, contact);
    read_tangents(r, load->rolls ? NULL : node, contact);
    if (load->rolls)
        reader_point_rolling(r, node, contact);
    note_drift(r, contact);
    reader_friction(r, spec_get(node, load->rolls ? "rolling" : "coefficient"), contact);
    refuse_ellipsoids(r, node, contact);
    if (contact->n_t == 0 && !load->rolls)
        spec_error(r->diag, node, "\"slip\" is missing, or \"tangent\": what slides, in one direction or more");
    if (!load->rolls && !spec_get(node, "coefficient"))
        spec_error(r->diag, node, "\"coefficient\" is missing: Coulomb's");
}

/* Contacts that press on seats close on them. */
static void put_in_series(struct reader *r)
{
    struct model *m = r->model;
    for (int k = 0; k < m->contacts.n_load && m->mechanics.coordinates_known; k++) {
        const struct model_load *load = &m->contacts.load[k];
        struct model_contact *contact = load->of >= 0 ? &m->contacts.contact[load->of] : NULL;
        if (!contact || reader_is_broken(r, contact->gap) || reader_is_broken(r, contact->v_n))
            continue;
        contact->gap = expr_sub(r->g, contact->gap, m->x_sym[load->x]);
        contact->v_n = expr_sub(r->g, contact->v_n, m->x_sym[load->x + 1]);
        for (int i = 0; i < m->mechanics.n_q; i++)
            if (m->mechanics.v_index[i] == load->x + 1)
                contact->J_n[i] = expr_const(r->g, -1);
    }
}

/* Loads know the entry of the block whose normal force they are: from here on its contact. first [n + 1], of each
 * entry. */
static void of_contacts(struct reader *r, const struct spec_node *block, const int *first)
{
    for (int k = 0; k < r->model->contacts.n_load; k++) {
        struct model_load *load = &r->model->contacts.load[k];
        const int i = load->of;
        if (i < 0 || !block)
            continue;
        load->of = first[i];
        if (first[i + 1] - first[i] != 1)
            spec_error(r->diag, load->node,
                       "\"%s\" is a shape with several contacts: a load is the normal force of one",
                       block->child[i]->key);
    }
}

static void check_apart(struct reader *r, const struct spec_node *contacts)
{
    for (int k = 0; k < r->model->contacts.n_load; k++) {
        const struct spec_node *node = r->model->contacts.load[k].node;
        if (!r->model->contacts.load[k].rolls && spec_get(contacts, node->key))
            diag_error(r->diag, node->key_pos, node->path, "there is a contact of this name already");
    }
}

/* Those of shapes have numbers: wheel_1, wheel_2. */
static void check_names_differ(struct reader *r)
{
    const struct model *m = r->model;
    for (int c = 0; c < m->contacts.n_contact; c++)
        for (int other = 0; other < c; other++)
            if (strcmp(m->contacts.contact[c].name, m->contacts.contact[other].name) == 0) {
                diag_error(r->diag, m->contacts.contact[c].pos, m->contacts.contact[c].path,
                           "there is a contact of the name \"%s\" already: "
                           "those of a shape with the pieces of its ground have numbers",
                           m->contacts.contact[c].name);
                return;
            }
}

void model_read_contacts(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "contacts");
    const int n = block ? block->n : 0;
    if (n + m->contacts.n_load == 0 || !r->model->dynamics.type_known)
        return;
    if (m->dynamics.type != MODEL_MECHANICAL) {
        if (n > 0)
            spec_error(r->diag, block, "contacts need dynamics of type mechanical");
        return;
    }
    check_apart(r, block);
    struct model_contact *contact = NULL, *of;
    int *first = mem_alloc((size_t)n + 1, sizeof *first);
    for (int i = 0; i < n; i++) {
        first[i] = m->contacts.n_contact;
        const int n_of = read_contact(r, block->child[i], &of);
        contact = mem_grow(contact, m->contacts.n_contact, n_of, sizeof *contact);
        if (n_of > 0)
            memcpy(contact + m->contacts.n_contact, of, (size_t)n_of * sizeof *of);
        m->contacts.contact = contact;              /* names in the next ones are compared with those so far */
        m->contacts.n_contact += n_of;
    }
    first[n] = m->contacts.n_contact;
    of_contacts(r, block, first);
    contact = mem_grow(contact, m->contacts.n_contact, m->contacts.n_load, sizeof *contact);
    m->contacts.contact = contact;
    for (int k = 0; k < m->contacts.n_load; k++, m->contacts.n_contact++)
        read_load(r, k, &contact[m->contacts.n_contact]);
    m->contacts.contact = arena_copy(r->mem, contact, (size_t)m->contacts.n_contact, sizeof *contact);
    free(contact);
    free(first);
    check_names_differ(r);
    put_in_series(r);
}
