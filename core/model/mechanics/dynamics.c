/* core/model/mechanics/dynamics.c - the right-hand sides, by the type of the system */
#include "core/model/mechanics/read.h"

#include "core/base/mem.h"
#include "core/model/shapes.h"
#include "core/model/time/read.h"
#include "core/model/variables/read.h"

#include <stdlib.h>

static const char *const type_word[] = { "ode", "mechanical", "piecewise", NULL };

/* Pairs `position: velocity`, each a state that has no other role. */
static void read_pair(struct reader *r, const struct spec_node *node)
{
    const struct spec_node key = reader_key(node);
    const int q = reader_take_state(r, &key);
    int v = -1;
    if (node->kind == SPEC_SCALAR)
        v = reader_take_state(r, node);
    else
        spec_error(r->diag, node, "expected the name of the velocity");
    if (q >= 0 && v >= 0)
        reader_add_coordinate(r, q, v);
    else
        r->model->mechanics.coordinates_known = false;
}

static void read_coordinates(struct reader *r, const struct spec_node *block)
{
    struct model *m = r->model;
    const size_t n_x = (size_t)m->n_x;
    const struct spec_node *node = reader_block(r, block, "coordinates");
    const struct spec_node *bodies = reader_block(r, r->root, "bodies");
    m->mechanics.q_index = arena_alloc(r->mem, n_x, sizeof *m->mechanics.q_index);
    m->mechanics.v_index = arena_alloc(r->mem, n_x, sizeof *m->mechanics.v_index);
    m->mechanics.q_rate = arena_alloc(r->mem, n_x, sizeof *m->mechanics.q_rate);
    r->is_coordinate = arena_alloc(r->mem, n_x, sizeof *r->is_coordinate);
    if (!node && !bodies) {
        if (!reader_given(block, "coordinates"))
            spec_error(r->diag, block,
                       "\"coordinates\" is missing: pairs position: velocity, or a block \"bodies\"");
        r->model->mechanics.coordinates_known = false;
    }
    for (int i = 0; node && i < node->n; i++)
        read_pair(r, node->child[i]);
    if (node && node->n == 0)
        spec_error(r->diag, node, "a mechanical system has at least one coordinate");
    load_add_coordinates(r);
    if (bodies)
        model_read_bodies(r);
}

static void refuse_bodies(struct reader *r, const struct spec_node *node)
{
    spec_error(r->diag, node, "bodies need dynamics of type mechanical");
    r->model->mechanics.coordinates_known = false;
}

static bool has_joints(const struct reader *r)
{
    for (int b = 0; b < r->model->mechanics.n_joint; b++)
        if (r->model->mechanics.joint[b].node)
            return true;
    return false;
}

/* The block, or where bodies on joints are all there is an empty one; NULL (reported): there is neither. */
static const struct spec_node *dynamics_block(struct reader *r)
{
    const struct spec_node *block = reader_block(r, r->root, "dynamics"), *bodies = spec_get(r->root, "bodies");
    if (block || reader_given(r->root, "dynamics") || !has_joints(r))
        return block;
    struct spec_node *empty = arena_alloc(r->mem, 1, sizeof *empty);
    *empty = (struct spec_node){
        .kind = SPEC_MAPPING, .pos = bodies->key_pos, .key_pos = bodies->key_pos, .path = bodies->path
    };
    return empty;
}

/* Type and coordinates come before the defines: ddt needs to know the velocities. */
void model_read_coordinates(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = dynamics_block(r);
    if (!block) {
        if (!reader_given(r->root, "dynamics"))
            spec_error(r->diag, r->root, "\"dynamics\" is missing");
        return;
    }
    const struct spec_node *type = spec_get(block, "type");
    if (!type && (block->n > 0 || !has_joints(r))) {
        spec_error(r->diag, block, "\"type\" is missing: ode, mechanical or piecewise");
        return;
    }
    const int choice = type ? reader_choice(r, type, type_word) : 1;
    if (choice < 0)
        return;
    r->model->dynamics.type_known = r->model->mechanics.coordinates_known = true;
    m->dynamics.type = choice == 0 ? MODEL_ODE : choice == 1 ? MODEL_MECHANICAL : MODEL_PIECEWISE;
    const struct spec_node *bodies = spec_get(r->root, "bodies");
    if (m->dynamics.type != MODEL_MECHANICAL && m->contacts.n_load)
        spec_error(r->diag, spec_get(r->root, "friction"), "friction under a load needs dynamics of type mechanical; elsewhere "
                   "write -coefficient*load*sign(slip)");
    if (m->dynamics.type == MODEL_MECHANICAL)
        read_coordinates(r, block);
    else if (bodies)
        refuse_bodies(r, bodies);
    if (!bodies && reader_given(r->root, "loops"))
        spec_error(r->diag, spec_get(r->root, "loops"),
                   "loops close chains of bodies, and there are no \"bodies\"");
}

static bool is_position(const struct model *m, int k)
{
    for (int i = 0; i < m->mechanics.n_position; i++)
        if (m->mechanics.q_index[i] == k)
            return true;
    return false;
}

/* Common right-hand sides: all of an ode, further states of a mechanical system, what piecewise modes share. */
static void read_common_rhs(struct reader *r, const struct spec_node *block)
{
    struct model *m = r->model;
    bool *given = mem_alloc((size_t)m->n_x, sizeof *given);
    const struct spec_node *rhs = reader_block(r, block, "rhs");
    for (int i = 0; i < m->mechanics.n_position; i++) {
        m->dynamics.rhs[m->mechanics.q_index[i]] = m->mechanics.q_rate[i];
        given[m->mechanics.q_index[i]] = true;
    }
    for (int i = 0; i < m->mechanics.n_q; i++) {
        m->dynamics.rhs[m->mechanics.v_index[i]] = EXPR_NONE;
        given[m->mechanics.v_index[i]] = true;
    }
    if (rhs)
        reader_rhs(r, rhs, m->dynamics.rhs, m->dynamics.rhs_pos, given);
    held_add_rates(r, given);
    for (int k = 0; k < m->n_x && m->dynamics.type != MODEL_PIECEWISE; k++)
        if (m->dynamics.rhs[k] != EXPR_NONE && !is_position(m, k))
            m->dynamics.rhs[k] = reader_phases_blend(r, "rhs", m->x[k].name, m->dynamics.rhs[k]);
    for (int k = 0; k < m->n_x && m->dynamics.type != MODEL_PIECEWISE && r->model->mechanics.coordinates_known; k++)
        if (!given[k] && !model_is_seat(m, k) && !model_is_noted(m, k)
            && !reader_phases_give(r, "rhs", m->x[k].name))
            diag_error(r->diag, m->x[k].pos, m->x[k].path, m->dynamics.type == MODEL_ODE
                           ? "has no right-hand side in dynamics.rhs"
                           : "is neither a coordinate nor a velocity and has no right-hand side in dynamics.rhs");
    free(given);
}

static void check_type_keys(struct reader *r, const struct spec_node *block)
{
    const enum model_type type = r->model->dynamics.type;
    shape_check_keys(r->diag, block, type == MODEL_ODE ? &model_ode_shape : type == MODEL_MECHANICAL
                                     ? &model_mechanical_shape : &model_piecewise_shape);
}

void model_read_dynamics(struct reader *r)
{
    struct model *m = r->model;
    m->dynamics.rhs = arena_alloc(r->mem, (size_t)m->n_x, sizeof *m->dynamics.rhs);
    m->dynamics.rhs_pos = arena_alloc(r->mem, (size_t)m->n_x, sizeof *m->dynamics.rhs_pos);
    for (int k = 0; k < m->n_x; k++) {
        m->dynamics.rhs[k] = expr_const(r->g, 0);
        m->dynamics.rhs_pos[k] = m->x[k].pos;
    }
    if (!r->model->dynamics.type_known)
        return;
    const struct spec_node *block = dynamics_block(r);
    check_type_keys(r, block);
    read_common_rhs(r, block);
    if (m->dynamics.type == MODEL_MECHANICAL)
        model_read_mechanical(r, block);
    if (m->dynamics.type == MODEL_PIECEWISE)
        model_read_piecewise(r, block);
}
