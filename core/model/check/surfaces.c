#include "core/model/check/surfaces.h"

#include "core/model/kinematics.h"

#include <string.h>

/* --- What could roll ------------------------------------------------------------------------------------------- */

static const struct model_shape *find_shape(const struct model *m, const char *name, const char *suffix)
{
    const size_t len = strlen(name);
    for (int k = 0; k < m->drawing.n_shape; k++)
        if (strncmp(m->drawing.shape[k].name, name, len) == 0
            && strcmp(m->drawing.shape[k].name + len, suffix) == 0)
            return &m->drawing.shape[k];
    return NULL;
}

static bool has_friction(const struct model *m, const char *family)
{
    for (int c = 0; c < m->contacts.n_contact; c++)
        if (strcmp(m->contacts.contact[c].family, family) == 0 && m->contacts.contact[c].mu > 0)
            return true;
    return false;
}

static bool is_coordinate(const struct model *m, expr e)
{
    for (int i = 0; i < m->mechanics.n_position; i++)
        if (e == m->x_sym[m->mechanics.q_index[i]])
            return true;
    return false;
}

/* A body of its own, its middle at two coordinates: the rounded foot of a leg does not roll, nor what is held. */
static bool is_body(const struct model *m, const struct model_shape *shape)
{
    return is_coordinate(m, shape->at[0]) && is_coordinate(m, shape->at[1]);
}

static void check_disc(const struct model *m, const struct spec_node *node, const struct model_shape *shape,
                       struct diag *diag)
{
    const struct spec_node *radius = spec_get(node, "radius");
    if (!shape || !radius || !(shape->radius > 0) || shape->size[0] > 0 || spec_get(node, "angle")
        || !is_body(m, shape))
        return;
    diag_add(diag, DIAG_WARNING, STATUS_OK, radius->pos, radius->path, "a disc with friction and no \"angle\" does not roll, it "
             "slides as a block: name the coordinate by which it turns, \"angle: phi\", or write \"angle: 0\" where it cannot turn");
}

static const struct spec_node *place_of(const struct spec_node *contact)
{
    const struct spec_node *frame = spec_get(contact, "frame");
    return frame ? frame : spec_get(contact, "point");
}

static void check_ball(const struct model *m, const struct spec_node *node, struct diag *diag)
{
    const struct spec_node *point = place_of(node), *radius = spec_get(node, "radius");
    for (int k = 0; radius && k < m->mechanics.n_point; k++)
        if (point->kind == SPEC_SCALAR && strcmp(m->mechanics.point[k].name, point->text) == 0
            && !kinematics_turns(m, &m->mechanics.body[m->mechanics.point[k].body]))
            diag_add(diag, DIAG_WARNING, STATUS_OK, radius->pos, radius->path, "a ball with friction does not roll, it slides as a "
                     "block, as its body has no \"orientation\": give it one, and an \"angular_velocity\"");
}

void model_check_turning(const struct model *model, struct diag *diag)
{
    const struct spec_node *block = spec_get(spec_root(model->spec), "contacts");
    for (int k = 0; block && k < block->n; k++) {
        const struct spec_node *node = block->child[k], *other = spec_get(node, "other");
        if (!place_of(node) || !has_friction(model, node->key))
            continue;
        check_disc(model, node, find_shape(model, node->key, ""), diag);
        check_disc(model, other, find_shape(model, node->key, "_other"), diag);
        check_ball(model, node, diag);
    }
}

/* --- What ends ------------------------------------------------------------------------------------------------- */

static bool is_angle(const struct model *m, int q)
{
    return strcmp(m->x[m->mechanics.q_index[q]].units, "rad") == 0;
}

/* Do two coordinates, q and *other, count along tangent i by their difference alone? */
static bool is_difference(const struct model *m, const struct model_contact *contact, int i, int q, int *other)
{
    double a, b;
    const expr *J = contact->J_t + i * m->mechanics.n_q;
    if (!expr_is_const(m->graph, J[q], &a) || a == 0 || is_angle(m, q))
        return false;
    for (*other = q + 1; *other < m->mechanics.n_q; (*other)++)
        if (expr_is_const(m->graph, J[*other], &b) && a + b == 0)
            return true;
    return false;
}

static bool speaks_of(const struct model *m, expr e, expr a, expr b)
{
    return expr_depends(m->graph, e, 1, &a) && expr_depends(m->graph, e, 1, &b);
}

/* Does something else say where the two may be to each other: a constraint, a
 * complementarity, a gap of another contact? */
static bool are_kept(const struct model *m, const struct model_contact *contact, expr a, expr b)
{
    for (int k = 0; k < m->constraints.n_constraint; k++)
        if (speaks_of(m, m->constraints.constraint[k].e, a, b))
            return true;
    for (int c = 0; c < m->contacts.n_contact; c++)
        if (&m->contacts.contact[c] != contact && speaks_of(m, m->contacts.contact[c].gap, a, b))
            return true;
    return false;
}

static void check_end(const struct model *m, const struct model_contact *contact, struct diag *diag)
{
    for (int i = 0; i < contact->n_t && i < 2; i++)
        for (int q = 0, other; q < m->mechanics.n_q; q++) {
            if (!is_difference(m, contact, i, q, &other))
                continue;
            const int k = m->mechanics.q_index[q], l = m->mechanics.q_index[other];
            if (are_kept(m, contact, m->x_sym[k], m->x_sym[l]))
                continue;
            diag_add(diag, DIAG_NOTE, STATUS_OK, contact->pos, contact->path, "the surface moves with %s or %s and has no ends: a gap "
                     "is that of a whole line or plane. If it ends, write a ground of points in the plane, \"point: [%s - %s, "
                     "...]\", or keep the two together by a constraint, as -0.2 <= %s - %s <= 0.2", m->x[k].name, m->x[l].name, m->x[k].name,
                     m->x[l].name, m->x[k].name, m->x[l].name);
            return;
        }
}

void model_check_ends(const struct model *model, struct diag *diag)
{
    /* there a coordinate and its velocity have the same place */
    const bool is_plain = model->mechanics.n_rotation == 0;
    /* seats have no surface */
    for (int c = 0; c < model->contacts.n_contact - model->contacts.n_load && is_plain; c++)
        if (!model->contacts.contact[c].n_patch && model->contacts.contact[c].normal[0] == EXPR_NONE)
            check_end(model, &model->contacts.contact[c], diag);
}
