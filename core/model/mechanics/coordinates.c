/* Which states are positions and velocities, and the right-hand sides of the others. */
#include "core/model/mechanics/read.h"

#include "core/model/kinematics.h"

#include <string.h>

int reader_take_state(struct reader *r, const struct spec_node *node)
{
    if (node->kind != SPEC_SCALAR) {
        spec_error(r->diag, node, "expected the name of a state");
        return -1;
    }
    const int k = reader_state_of(r, node, node->pos, node->text);
    if (k < 0)
        return -1;
    if (r->is_coordinate[k] || model_find_held(r->model, k)) {
        spec_error(r->diag, node, r->is_coordinate[k] ? "\"%s\" is a coordinate or a velocity already"
                                                      : "\"%s\" is a control, and no coordinate", node->text);
        return -1;
    }
    r->is_coordinate[k] = true;
    return k;
}

void reader_add_coordinate(struct reader *r, int q, int v)
{
    struct model *m = r->model;
    m->mechanics.q_rate[m->mechanics.n_position] = m->x_sym[v];
    m->mechanics.q_index[m->mechanics.n_position++] = q;
    m->mechanics.v_index[m->mechanics.n_q++] = v;
}

void reader_refuse_coordinate(struct reader *r, const struct spec_node *node, int k)
{
    const struct model *m = r->model;
    const char *said = "\"%s\" is a %s: its rate follows from coordinates and \"force\"";
    for (int i = 0; i < m->mechanics.n_position; i++)
        if (m->mechanics.q_index[i] == k)
            spec_error(r->diag, node, said, node->key, "position");
    for (int i = 0; i < m->mechanics.n_q; i++)
        if (m->mechanics.v_index[i] == k)
            spec_error(r->diag, node, said, node->key, "velocity");
}

static bool is_orientation(const struct model *m, int state)
{
    for (int i = m->mechanics.n_q - 3 * m->mechanics.n_rotation; i < m->mechanics.n_position; i++)
        if (m->mechanics.q_index[i] == state)
            return true;
    return false;
}

int reader_coordinate_of(struct reader *r, const struct spec_node *node)
{
    const struct model *m = r->model;
    int *index = arena_alloc(r->mem, (size_t)m->mechanics.n_q, sizeof *index);
    for (int i = 0; i < m->mechanics.n_q; i++) {
        if (strcmp(kinematics_name(m, i), node->key) == 0)
            return i;
        index[i] = i < m->mechanics.n_q - 3 * m->mechanics.n_rotation ? m->mechanics.q_index[i]
                                                                      : m->mechanics.v_index[i];
    }
    const int k = model_find_state(m, node->key);
    if (k >= 0 && is_orientation(m, k))
        diag_error(r->diag, node->key_pos, node->path,
                   "torques go by angular velocities, along the axes of the body, not by "
                   "orientations");
    else if (r->model->mechanics.coordinates_known)
        reader_refuse_name(r, node, node->key_pos, node->key, "coordinate", m->mechanics.n_q, m->x, index);
    return -1;
}

void reader_rhs(struct reader *r, const struct spec_node *block, expr *out, struct srcpos *pos, bool *given)
{
    for (int i = 0; i < block->n; i++) {
        const struct spec_node *node = block->child[i];
        const int k = reader_state_of(r, node, node->key_pos, node->key);
        expr e;
        reader_expr(r, node, &e);
        if (k < 0)
            continue;
        reader_refuse_coordinate(r, node, k);
        if (model_find_held(r->model, k))
            spec_error(r->diag, node, "\"%s\" is a control: how it changes is chosen by `solve`", node->key);
        out[k] = e;
        if (pos)
            pos[k] = node->pos;
        if (given)
            given[k] = true;
    }
}
