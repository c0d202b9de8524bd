/* Friction under a load:
 *
 *   friction: {base: {slip: [v_x, v_y], load: m*g, coefficient: mu}}
 *
 * is a contact with that friction at which a mass of 1 kg sits that nothing but the load presses on it,
 * s'' = lambda_n - load: it stays at rest, and lambda_n is the load. Everything that knows contacts knows this
 * friction, exactly.
 *
 * Where the load is the normal force of a contact, as of resistance to rolling, the two are in series: the contact
 * closes on the seat, gap - s, and its force presses on it, s'' = lambda_n - lambda_n of the contact. That holds of
 * impulses, too.
 */
#include "core/model/mechanics/read.h"

void load_add_coordinates(struct reader *r)
{
    for (int k = 0; k < r->model->contacts.n_load; k++) {
        const int x = r->model->contacts.load[k].x;
        r->is_coordinate[x] = r->is_coordinate[x + 1] = true;
        reader_add_coordinate(r, x, x + 1);
    }
}

/* Index of its coordinate. */
static int coordinate_of(const struct model *m, int x)
{
    int i = 0;
    while (m->mechanics.q_index[i] != x) i++;
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
    if (!reader_is_broken(r, e) && model_value_at(r->model, e, AT_START) < 0)
        spec_error(r->diag, load,
                   "a load is a force that presses: it may not be negative, and is %.6g at the start",
                   model_value_at(r->model, e, AT_START));
    return e;
}

void load_add_inertia(struct reader *r)
{
    struct model *m = r->model;
    for (int k = 0; k < m->contacts.n_load && m->mechanics.coordinates_known; k++) {
        const struct model_load *load = &m->contacts.load[k];
        const int i = coordinate_of(m, load->x);
        m->mechanics.M[i + i * m->mechanics.n_q] = expr_const(r->g, 1);
        m->mechanics.f_v[i] = load->of >= 0 ? expr_const(r->g, 0) : expr_neg(r->g, read_load(r, load->node));
        m->mechanics.f_v_pos[i] = load->node->pos;
    }
}
