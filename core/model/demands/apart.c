/* core/model/demands/apart.c - shapes that keep a distance, without a force: constraints along the path on their
 * gaps */
#include "core/model/demands/read.h"

#include "core/model/shapes.h"

#include <math.h>

static void read_pair(struct reader *r, const struct spec_node *node)
{
    const struct spec_node *a = spec_get(node, "a"), *b = spec_get(node, "b"),
                           *least = reader_given(node, "distance");
    struct model_constraints *to = &r->model->constraints;
    struct solid_gap gap[SOLID_MOST_GAPS];
    expr distance = expr_const(r->g, 0);
    reader_check_letters(r, node);
    if (shape_check_keys(r->diag, node, &model_apart_shape) != STATUS_OK)
        return;
    if (!a || !b) {
        spec_error(r->diag, node, "expected {a:, b:, distance:}, names of two shapes and how far they stay apart");
        return;
    }
    const struct model_solid *one = reader_solid_of(r, a), *other = reader_solid_of(r, b);
    if (least && reader_parameter_expr(r, least, &distance) != STATUS_OK)
        return;
    const int n = one && other ? reader_solid_gaps(r, b, one, other, gap) : 0;
    reader_make_constraint_room(r, n);
    for (int k = 0; k < n; k++) {
        const char *number = n > 1 ? arena_printf(r->mem, "_%d", k + 1) : "";
        reader_add_quantity(r, arena_printf(r->mem, "distance.%s%s", node->key, number), gap[k].gap);
        to->constraint[to->n_constraint++] =
            (struct model_constraint){ .name = arena_printf(r->mem, "%s%s", node->key, number),
                                       .path = node->path,
                                       .pos = node->key_pos,
                                       .e = expr_sub(r->g, gap[k].gap, distance),
                                       .lb = 0,
                                       .ub = INFINITY,
                                       .at = AT_PATH };
    }
}

void model_read_apart(struct reader *r)
{
    const struct spec_node *block = reader_block(r, r->root, "apart");
    for (int k = 0; block && k < block->n; k++)
        read_pair(r, block->child[k]);
}
