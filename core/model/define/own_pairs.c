/* core/model/define/own_pairs.c - pairs of the block complementarity that have a force of their own
 *
 *   complementarity: {diode: {H: v_c - v_s + r*diode.lambda}}         0 <= H  _|_  diode.lambda >= 0
 *
 * In place of a side G the pair has an unknown, lambda, that H determines: the current of a diode, of which H
 * is the voltage, or the other way round. It stands in rhs, force and the H of any pair, and is at the level of
 * the state (index 1): in a mode lambda is 0, or follows from H = 0. That is a dynamic complementarity system
 * of relative degree 0,
 *
 *   x' = f(x, u, t, lambda),    0 <= H(x, u, t, lambda)  _|_  lambda >= 0
 *
 * Where H depends on no lambda its rate has to be 0 (degree 1): that is a projection. As there, lambda is 1 -
 * alpha of the step alpha of a switch with a wall.
 */
#include "core/model/define/read.h"

#include "core/model/shapes.h"

#include <string.h>

bool own_pair_is_meant(const struct spec_node *node)
{
    return node->kind == SPEC_MAPPING && !spec_get(node, "G") && spec_get(node, "H") && !spec_get(node, "zero");
}

int own_pair_count(const struct reader *r)
{
    const struct spec_node *block = spec_get(r->root, "complementarity");
    int n = 0;
    for (int k = 0; block && block->kind == SPEC_MAPPING && k < block->n; k++)
        n += own_pair_is_meant(block->child[k]);
    return n;
}

const struct spec_node *own_pair_node(const struct reader *r, int k)
{
    const struct spec_node *block = spec_get(r->root, "complementarity");
    int i = 0;
    while (!own_pair_is_meant(block->child[i]) || k-- > 0)
        i++;
    return block->child[i];
}

void own_pair_name(struct reader *r, const struct spec_node *node, struct model_projection *one)
{
    const char *name = arena_printf(r->mem, "%s.lambda", node->key);
    *one = (struct model_projection){ .name = node->key, .path = node->path, .pos = node->key_pos, .is_pair = true,
                                      .gap = r->broken, .lambda = expr_sym(r->g, name), .state = expr_sym(r->g, node->key) };
}

void own_pair_read(struct reader *r, const struct spec_node *node, struct model_projection *one)
{
    shape_check_keys(r->diag, node, &model_pair_shape);
    one->gap = reader_smooth(r, spec_get(node, "H"), "the sides of a complementarity are smooth",
                             USES_ALL | USES_LAMBDA, "H");
}

/* Does any H tell what lambda is? */
static bool is_determined(const struct reader *r, expr lambda)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->switching.n_projection; k++)
        if (m->switching.projection[k].is_pair && expr_depends(r->g, m->switching.projection[k].gap, 1, &lambda))
            return true;
    return false;
}

/* Once every H is read. */
static void check_one(struct reader *r, const struct spec_node *node, const struct model_projection *one)
{
    if (reader_is_broken(r, one->gap))
        return;
    if (!model_find_own_pair(r->model, one->gap))
        spec_error(r->diag, node, "\"G\" is missing: {G: an expression, H: another}, one of which is 0 at every time; without G "
                   "the pair has a force of its own, %s.lambda, and H has to depend on it (a set whose reaction keeps H from "
                   "falling below 0 is a \"projection\")", one->name);
    else if (!is_determined(r, one->lambda))
        spec_error(r->diag, node, "no H depends on %s.lambda, so that nothing says what it is (a set whose reaction keeps H "
                   "from falling below 0 is a \"projection\")", one->name);
}

void own_pairs_check(struct reader *r)
{
    static const char *const suffix[] = { "H", "lambda" };
    const struct model *m = r->model;
    for (int k = 0, i = 0; k < m->switching.n_projection; k++) {
        if (!m->switching.projection[k].is_pair)
            continue;
        const struct spec_node *node = own_pair_node(r, i++);
        reader_check_letters(r, node);
        reader_check_result_names(r, "pair", node->key, 2, suffix);
        for (int j = 0; j < k; j++)
            if (strcmp(m->switching.projection[j].name, node->key) == 0)
                diag_error(r->diag, node->key_pos, node->path, "there is a projection of this name already");
        check_one(r, node, &m->switching.projection[k]);
    }
}
