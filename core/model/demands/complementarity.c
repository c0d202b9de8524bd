/* Pairs of expressions neither of which is negative, and one of which is 0 at every time
 *
 *   complementarity: {push: {G: force, H: box - finger}}      0 <= G _|_ H >= 0
 *                    {grip: {G: force, zero: speed}}          0 <= G, and G or H is 0, H of any sign
 *
 * Those without G have a force of their own (own_pairs.c).
 */
#include "core/model/demands/read.h"

#include "core/model/define/read.h"

#include <string.h>

static const char *const side_key[] = { [SIDE_G] = "G", [SIDE_H] = "H" };

/* One that depends on forces or impulses is no method's: these find out which side is zero. */
static enum status refuse_forces(struct reader *r, const struct spec_node *node, expr e)
{
    if (!quantity_is_force(r->model, e) && !quantity_is_impulse(r->model, e))
        return STATUS_OK;
    return spec_error(r->diag, node, "a side may not depend on contact forces or impulses, which the contact determines: "
                      "gap, v_n and v_t of it may stand here, its forces in \"constraints\"");
}

static expr read_side(struct reader *r, const struct spec_node *pair, enum pair_side side)
{
    const struct spec_node *zero = side == SIDE_H ? spec_get(pair, "zero") : NULL;
    const struct spec_node *node = zero ? zero : spec_get(pair, side_key[side]);
    double value;
    if (!node) {
        if (pair->kind == SPEC_MAPPING)
            spec_error(r->diag, pair, "\"%s\" is missing: {G: an expression, H: another}, one of which is 0 at every "
                       "time (zero in place of H: of any sign)", side_key[side]);
        return r->broken;
    }
    r->contacts_allowed = true;
    const expr e = reader_smooth(r, node, "the sides of a complementarity are smooth (for abs(e) write e as the "
                                 "difference of two controls that are never negative)", USES_ALL,
                                 "a side of a complementarity");
    r->contacts_allowed = false;
    if (reader_is_broken(r, e) || refuse_forces(r, node, e) != STATUS_OK)
        return r->broken;
    if (expr_is_const(r->g, e, &value)) {
        spec_error(r->diag, node,
                   "is %.6g at all times: a side is an expression of states, controls, parameters or t", value);
        return r->broken;
    }
    return e;
}

/* Sides are stored under names that nothing else has. */
static void check_output_name(struct reader *r, const struct spec_node *node, const char *name)
{
    const struct model *m = r->model;
    bool taken = model_find_state(m, name) >= 0 || model_find_control(m, name) >= 0;
    for (int k = 0; k < m->n_param; k++)
        taken = taken || strcmp(m->param[k].name, name) == 0;
    for (int k = 0; k < m->defines.n_define; k++)
        taken = taken || strcmp(m->defines.name[k], name) == 0;
    for (int k = 0; k < m->defines.n_output; k++)
        taken = taken || strcmp(m->defines.output[k].name, name) == 0;
    if (taken)
        diag_error(r->diag, node->key_pos, node->path, "its sides are stored as %s_G and %s_H, and there is a \"%s\" "
                   "already", node->key, node->key, name);
}

static void add_output(struct reader *r, const struct spec_node *node, const struct model_pair *pair,
                       enum pair_side side)
{
    struct model *m = r->model;
    const char *name = arena_printf(r->mem, "%s_%s", pair->name, side_key[side]);
    const char *long_name = arena_printf(r->mem, "side %s of %s", side_key[side], pair->name);
    check_output_name(r, node, name);
    m->defines.output[m->defines.n_output++] = (struct model_output){ name, "", long_name, pair->path, pair->pos,
                                                                      pair->side[side] };
}

static void read_pair(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    reader_check_letters(r, node);
    shape_check_keys(r->diag, node, &model_pair_shape);
    struct model_pair pair = { .name = node->key, .path = node->path, .pos = node->pos };
    pair.any_sign = spec_get(node, "zero") != NULL;
    if (pair.any_sign && spec_get(node, "H"))
        spec_error(r->diag, spec_get(node, "zero"),
                   "either \"H\", which is never negative, or \"zero\", of any sign");
    for (int side = 0; side < 2; side++) {
        pair.side[side] = read_side(r, node, side);
        pair.side_name[side] = arena_printf(r->mem, "%s %s", node->key, side_key[side]);
    }
    if (pair.side[SIDE_G] == r->broken || pair.side[SIDE_H] == r->broken)
        return;
    if (pair.side[SIDE_G] == pair.side[SIDE_H]) {
        spec_error(r->diag, node, "both sides are the same, which is then 0 at all times: write a constraint");
        return;
    }
    pair.product = expr_mul(r->g, pair.side[SIDE_G], pair.side[SIDE_H]);
    for (int side = 0; side < 2; side++)
        add_output(r, node, &pair, side);
    m->constraints.pair[m->constraints.n_pair++] = pair;
}

void model_read_complementarity(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "complementarity");
    if (!block)
        return;
    const struct model_output *before = m->defines.output;
    m->constraints.pair = arena_alloc(r->mem, (size_t)block->n, sizeof *m->constraints.pair);
    m->defines.output = arena_alloc(r->mem, (size_t)(m->defines.n_output + 2 * block->n),
                                    sizeof *m->defines.output);
    for (int k = 0; k < m->defines.n_output; k++)
        m->defines.output[k] = before[k];
    for (int k = 0; k < block->n; k++)
        if (!own_pair_is_meant(block->child[k]))
            read_pair(r, block->child[k]);
}
