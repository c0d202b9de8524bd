/* core/model/variables/noted.c - constraints at times that are optimized: states that keep their values
 *
 *   constraints: {pick: {expr: x >= 0.4, at: {time: t_pick}}}
 *
 * State pick_value becomes x at t_pick, by a machine that goes over then (demands/noted_values.c), and is what is
 * constrained at the end.
 */
#include "core/model/variables/read.h"

#include "core/model/time/read.h"

static const struct spec_node *constraints_of(const struct reader *r)
{
    const struct spec_node *block = spec_get(r->root, "constraints");
    return block && block->kind == SPEC_MAPPING ? block : NULL;
}

void noted_count(struct reader *r)
{
    const struct spec_node *block = constraints_of(r);
    for (int k = 0; block && k < block->n; k++)
        r->model->constraints.n_noted += reader_is_optimized_time(spec_get(block->child[k], "at"));
}

void noted_collect(struct reader *r)
{
    const struct spec_node *block = constraints_of(r);
    struct model *m = r->model;
    m->constraints.first_noted = m->n_x;
    for (int k = 0; block && k < block->n; k++) {
        const struct spec_node *node = block->child[k];
        if (!reader_is_optimized_time(spec_get(node, "at")))
            continue;
        struct model_var *x = &m->x[m->n_x];
        variables_add(r, node, arena_printf(r->mem, "%s_value", node->key), &m->n_x, m->x, m->x_sym);
        x->initial = (struct model_end){ END_FIXED, 0, 0, node->key_pos };
        x->guess = 0;
        x->long_name = arena_printf(r->mem, "of %s at its time, 0 before", node->key);
    }
}
