/* Points of bodies and shapes in space by their names, and the gaps of two shapes. */
#include "core/model/scope/reader.h"

#include <string.h>

/* The place of the name that a scalar is; -1, reported with the nearest one: there is none. */
static int find(struct reader *r, const struct spec_node *node, const char *what, int n, const char *const *name)
{
    for (int k = 0; k < n && node->kind == SPEC_SCALAR; k++)
        if (strcmp(name[k], node->text) == 0)
            return k;
    const char *near = node->kind == SPEC_SCALAR ? spec_suggest(node->text, n, name) : NULL;
    spec_error(r->diag, node, "expected the name of a %s%s%s%s", what, near ? " (did you mean \"" : "",
               near ? near : "", near ? "\"?)" : "");
    return -1;
}

const struct model_point *reader_point_of(struct reader *r, const struct spec_node *node)
{
    const struct model_mechanics *all = &r->model->mechanics;
    const char **name = arena_alloc(r->mem, (size_t)all->n_point, sizeof *name);
    for (int k = 0; k < all->n_point; k++)
        name[k] = all->point[k].name;
    const int found = find(r, node, "point of a body", all->n_point, name);
    return found >= 0 ? &all->point[found] : NULL;
}

const struct model_solid *reader_solid_of(struct reader *r, const struct spec_node *node)
{
    const struct model_mechanics *all = &r->model->mechanics;
    const char **name = arena_alloc(r->mem, (size_t)all->n_solid, sizeof *name);
    for (int k = 0; k < all->n_solid; k++)
        name[k] = all->solid[k].name;
    const int found = find(r, node, "shape, an entry of \"shapes\"", all->n_solid, name);
    return found >= 0 ? &all->solid[found] : NULL;
}

static struct solid floor_plane(struct reader *r)
{
    struct solid floor = { .kind = SOLID_PLANE, .radius = expr_const(r->g, 0) };
    for (int i = 0; i < 3; i++)
        floor.at[i] = floor.half[i] = expr_const(r->g, 0);
    for (int i = 0; i < 9; i++)
        floor.R[i] = expr_const(r->g, i % 4 == 0);
    return floor;
}

int reader_solid_gaps(struct reader *r, const struct spec_node *node, const struct model_solid *a,
                      const struct model_solid *b, struct solid_gap *out)
{
    static const char *const word[] = { "sphere", "capsule", "box", "plate", "plane" };
    const struct model *m = r->model;
    const struct solid floor = floor_plane(r), *other = b ? &b->is : &floor;
    if (reader_is_broken(r, a->is.at[0]) || reader_is_broken(r, other->at[0]) || !m->mechanics.coordinates_known)
        return 0;
    const int n = solid_gaps(r->g, &a->is, other, out);
    if (n == 0)
        spec_error(r->diag, node,
                   "there is no gap of a %s and a %s: spheres have one with every shape, capsules with "
                   "spheres, capsules and planes, boxes with spheres and planes",
                   word[a->is.kind], word[other->kind]);
    const expr *q = reader_symbols(r, m->mechanics.n_position, m->mechanics.q_index);
    for (int k = 0; k < n; k++)
        if (a->body == (b ? b->body : -1) || !expr_depends(r->g, out[k].gap, m->mechanics.n_position, q)) {
            spec_error(r->diag, node,
                       "the two do not move with respect to each other: their gap depends on no position");
            return 0;
        }
    return n;
}
