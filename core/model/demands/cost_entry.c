/* One entry of a cost: an expression, or weighted squares. */
#include "core/model/demands/read.h"

#include <string.h>

/* What a key of `squares` stands for: a state, a control or a define. */
static expr term_of(struct reader *r, const struct spec_node *node)
{
    const struct spec_node name = { .kind = SPEC_SCALAR, .pos = node->key_pos, .path = node->path,
                                    .text = node->key };
    expr e;
    if (!spec_is_name(node->key)) {
        spec_error(r->diag, &name, "\"%s\" is no name: squares are of states, controls and defines", node->key);
        return r->broken;
    }
    reader_expr(r, &name, &e);
    return e;
}

/* The first reference of each name is what pictures show. */
static void note_reference(struct model *m, const char *name, expr e)
{
    /* others are mistakes, reported elsewhere */
    if (m->costs.n_reference == m->n_x + m->n_u + m->defines.n_define)
        return;
    for (int k = 0; k < m->costs.n_reference; k++)
        if (strcmp(m->costs.reference[k].name, name) == 0)
            return;
    m->costs.reference[m->costs.n_reference++] = (struct model_reference){ name, e };
}

/* sum of w (e - reference)^2 */
static expr read_squares(struct reader *r, const struct spec_node *squares, const struct spec_node *reference)
{
    expr sum = expr_const(r->g, 0);
    if (squares->kind != SPEC_MAPPING) {
        spec_error(r->diag, squares, "expected weights {name: weight}");
        return r->broken;
    }
    for (int i = 0; i < squares->n; i++) {
        const struct spec_node *node = squares->child[i], *target = spec_get(reference, node->key);
        double weight = 1;
        expr e = term_of(r, node), ref = expr_const(r->g, 0);
        reader_finite(r, node, &weight);
        if (target && reader_expr(r, target, &ref) == STATUS_OK)
            note_reference(r->model, node->key, ref);
        e = expr_square(r->g, expr_sub(r->g, e, ref));
        sum = expr_add(r->g, sum, expr_scale(r->g, weight, e));
    }
    for (int i = 0; reference && i < reference->n; i++)
        if (!spec_get(squares, reference->child[i]->key))
            diag_error(r->diag, reference->child[i]->key_pos, reference->child[i]->path,
                       "\"%s\" is not among the squares", reference->child[i]->key);
    return sum;
}

/* A text, {expr, weight} or {squares, reference, weight}. */
expr reader_cost_entry(struct reader *r, const struct spec_node *node, const struct shape *shape)
{
    if (node->kind == SPEC_MAPPING)
        shape_check_keys(r->diag, node, shape);
    const struct spec_node *e_node = reader_main(node, "expr"), *squares = spec_get(node, "squares");
    const struct spec_node *weight = spec_get(node, "weight"), *reference = spec_get(node, "reference");
    double w = 1;
    expr e = r->broken;
    if (weight)
        reader_finite(r, weight, &w);
    if (reference && !squares)
        spec_error(r->diag, reference, "\"reference\" belongs to \"squares\"");
    if (e_node && squares)
        spec_error(r->diag, squares, "either \"expr\" or \"squares\", not both");
    else if (squares)
        e = read_squares(r, squares, reader_block(r, node, "reference"));
    else if (e_node)
        reader_expr(r, e_node, &e);
    else
        spec_error(r->diag, node, "needs an \"expr\" or \"squares\"");
    return expr_scale(r->g, w, e);
}
