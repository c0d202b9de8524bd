/* Friction under a given load, in one direction or isotropic in two:
 *
 *   friction: {base: {slip: [v_x, v_y], load: m*g, coefficient: mu}}
 *
 * is a contact with that friction at which a mass of 1 kg sits that nothing but the load presses on it, s'' = lambda_n - load:
 * it stays at rest, and lambda_n is the load. Everything that knows contacts knows this friction, exactly.
 */
#include "core/model/read.h"
#include "core/model/shapes.h"

void load_collect(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    const int x = m->n_x;
    m->load[m->n_load++] = (struct model_load){ x };
    variables_add(r, node, arena_printf(r->mem, "%s_seat", node->key), &m->n_x, m->x, m->x_sym);
    variables_add(r, node, arena_printf(r->mem, "%s_seat_rate", node->key), &m->n_x, m->x, m->x_sym);
    for (int i = x; i < x + 2; i++) {
        m->x[i].initial = (struct model_end){ END_FIXED, 0, 0, node->key_pos };
        m->x[i].guess = 0;
    }
}

bool model_is_seat(const struct model *model, int i)
{
    return model->n_load > 0 && i >= model->load[0].x;
}

const struct spec_node *load_node(struct reader *r, int k)
{
    return reader_block(r, r->root, "friction")->child[k];
}

void load_add_coordinates(struct reader *r)
{
    for (int k = 0; k < r->model->n_load; k++) {
        const int x = r->model->load[k].x;
        r->is_coordinate[x] = r->is_coordinate[x + 1] = true;
        reader_add_coordinate(r, x, x + 1);
    }
}

/* Index of its coordinate. */
static int coordinate_of(const struct model *m, int x)
{
    int i = 0;
    while (m->q_index[i] != x) i++;
    return i;
}

static expr read_load(struct reader *r, const struct spec_node *node)
{
    const struct spec_node *load = spec_get(node, "load");
    if (!load) {
        if (node->kind == SPEC_MAPPING)
            spec_error(r->diag, node, "\"load\" is missing: the normal force, as m*g");
        return r->broken;
    }
    const expr e = reader_smooth(r, load, "a load is smooth", USES_ALL, "a load");
    if (!reader_is_broken(r, e) && check_eval(r->model, e, AT_START) < 0)
        spec_error(r->diag, load, "a load is a force that presses: it may not be negative, and is %.6g at the start",
                   check_eval(r->model, e, AT_START));
    return e;
}

void load_add_inertia(struct reader *r)
{
    struct model *m = r->model;
    for (int k = 0; k < m->n_load && m->coordinates_known; k++) {
        const struct spec_node *node = load_node(r, k);
        const int i = coordinate_of(m, m->load[k].x);
        m->M[i + i * m->n_q] = expr_const(r->g, 1);
        m->f_v[i] = expr_neg(r->g, read_load(r, node));
        m->f_v_pos[i] = node->pos;
    }
}
