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
#include "core/model/read.h"
#include "core/model/shapes.h"

#include <ctype.h>
#include <string.h>

static const struct spec_node *block_of(const struct reader *r, const char *name)
{
    const struct spec_node *block = spec_get(r->root, name);
    return block && block->kind == SPEC_MAPPING ? block : NULL;
}

/* The contact whose lambda_n, and nothing else, the text is; -1: it is none. */
static int find_contact(const struct reader *r, const struct spec_node *load)
{
    const struct spec_node *contacts = block_of(r, "contacts");
    const char *text = load && load->kind == SPEC_SCALAR ? load->text : "";
    while (isspace((unsigned char)*text)) text++;
    for (int k = 0; contacts && k < contacts->n; k++) {
        const size_t n = strlen(contacts->child[k]->key), of = strlen(".lambda_n");
        const char *rest = text + n + of;
        if (strncmp(text, contacts->child[k]->key, n) != 0 || strncmp(text + n, ".lambda_n", of) != 0)
            continue;
        while (isspace((unsigned char)*rest)) rest++;
        if (*rest == '\0')
            return k;
    }
    return -1;
}

static void add(struct reader *r, const struct spec_node *node, const char *name, int of, bool rolls)
{
    struct model *m = r->model;
    const int x = m->n_x;
    m->load[m->n_load++] = (struct model_load){ x, of, node, rolls };
    variables_add(r, node, arena_printf(r->mem, "%s_seat", name), &m->n_x, m->x, m->x_sym);
    variables_add(r, node, arena_printf(r->mem, "%s_seat_rate", name), &m->n_x, m->x, m->x_sym);
    for (int i = x; i < x + 2; i++) {
        m->x[i].initial = (struct model_end){ END_FIXED, 0, 0, node->key_pos };
        m->x[i].guess = 0;
    }
}

int load_count(struct reader *r)
{
    const struct spec_node *friction = reader_block(r, r->root, "friction"), *contacts = block_of(r, "contacts");
    int n = friction ? friction->n : 0;
    for (int k = 0; contacts && k < contacts->n; k++)
        n += spec_get(contacts->child[k], "rolling") != NULL;
    return n;
}

void load_collect(struct reader *r)
{
    const struct spec_node *friction = block_of(r, "friction"), *contacts = block_of(r, "contacts");
    for (int k = 0; friction && k < friction->n; k++)
        add(r, friction->child[k], friction->child[k]->key, find_contact(r, spec_get(friction->child[k], "load")), false);
    for (int k = 0; contacts && k < contacts->n; k++)
        if (spec_get(contacts->child[k], "rolling"))
            add(r, contacts->child[k], arena_printf(r->mem, "%s_rolling", contacts->child[k]->key), k, true);
}

bool model_is_seat(const struct model *model, int i)
{
    return model->n_load > 0 && i >= model->load[0].x;
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
        const struct model_load *load = &m->load[k];
        const int i = coordinate_of(m, load->x);
        m->M[i + i * m->n_q] = expr_const(r->g, 1);
        m->f_v[i] = load->of >= 0 ? expr_const(r->g, 0) : expr_neg(r->g, read_load(r, load->node));
        m->f_v_pos[i] = load->node->pos;
    }
}
