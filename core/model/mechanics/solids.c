/* core/model/mechanics/solids.c - the block `shapes`: spheres, capsules, boxes, plates and planes, fixed to the
 * frames of bodies or in the world */
#include "core/model/mechanics/read.h"

#include "core/model/multibody.h"
#include "core/model/rotation.h"
#include "core/model/shapes.h"

#include <math.h>
#include <string.h>

static const char *const kind_word[] = { [SOLID_SPHERE] = "sphere",
                                         [SOLID_CAPSULE] = "capsule",
                                         [SOLID_BOX] = "box",
                                         [SOLID_PLATE] = "plate",
                                         [SOLID_PLANE] = "plane" };
enum { N_KIND = sizeof kind_word / sizeof *kind_word };

/* Above 0; false (reported) after a mistake. */
static bool read_length(struct reader *r, const struct spec_node *node, expr *out)
{
    if (reader_parameter_expr(r, node, out) != STATUS_OK)
        return false;
    return model_value_at(r->model, *out, AT_GUESS) > 0
           || spec_error(r->diag, node, "must be above 0") == STATUS_OK;
}

/* n lengths, in halves. */
static bool read_sides(struct reader *r, const struct spec_node *node, int n, expr *half)
{
    bool good = node->kind == SPEC_SEQUENCE && node->n == n;
    if (!good)
        return spec_error(r->diag, node,
                          n == 3 ? "expected the lengths of three sides, [x, y, z]"
                                 : "expected the lengths of two sides, [x, y]")
               == STATUS_OK;
    for (int i = 0; i < n; i++) {
        good = read_length(r, node->child[i], &half[i]) && good;
        half[i] = expr_scale(r->g, 0.5, half[i]);
    }
    return good;
}

/* The z axis of the solid along a, of its frame. */
static void set_axis(struct reader *r, const expr *a, struct solid *solid)
{
    expr out[3];
    rotation_apply(r->g, solid->R, a, out);
    memcpy(solid->R + 6, out, sizeof out);
}

/* A capsule from end to end. */
static bool read_ends(struct reader *r, const struct spec_node *node, struct solid *solid)
{
    const struct spec_node *from = reader_given(node, "from"), *to = reader_given(node, "to");
    expr end[2][3], middle[3], d[3], moved[3];
    if (!from || !to)
        return spec_error(r->diag,
                          from ? from
                          : to ? to
                               : spec_get(node, "capsule"),
                          "a capsule is [radius, length], along z; or a radius with \"from\" and \"to\", the "
                          "places of its ends")
               == STATUS_OK;
    if (!frame_read_vector(r, from, end[0]) || !frame_read_vector(r, to, end[1]))
        return false;
    for (int i = 0; i < 3; i++) {
        d[i] = expr_sub(r->g, end[1][i], end[0][i]);
        middle[i] = expr_scale(r->g, 0.5, expr_add(r->g, end[0][i], end[1][i]));
    }
    const expr length = expr_sqrt(r->g, expr_dot(r->g, 3, d, d));
    if (!(model_value_at(r->model, length, AT_GUESS) > 0))
        return spec_error(r->diag, to, "both ends are the same place: a sphere") == STATUS_OK;
    solid->half[2] = expr_scale(r->g, 0.5, length);
    rotation_apply(r->g, solid->R, middle, moved);
    for (int i = 0; i < 3; i++) {
        d[i] = expr_div(r->g, d[i], length);
        solid->at[i] = expr_add(r->g, solid->at[i], moved[i]);
    }
    set_axis(r, d, solid);
    return true;
}

static bool read_capsule(struct reader *r, const struct spec_node *node, struct solid *solid)
{
    const struct spec_node *size = spec_get(node, "capsule");
    if (size->kind != SPEC_SEQUENCE)
        return read_length(r, size, &solid->radius) && read_ends(r, node, solid);
    if (size->n != 2)
        return spec_error(r->diag, size, "expected [radius, length]") == STATUS_OK;
    const bool good =
        read_length(r, size->child[0], &solid->radius) && read_length(r, size->child[1], &solid->half[2]);
    solid->half[2] = expr_scale(r->g, 0.5, solid->half[2]);
    return good;
}

static bool read_size(struct reader *r, const struct spec_node *node, struct solid *solid)
{
    const struct spec_node *size = spec_get(node, kind_word[solid->kind]);
    expr normal[3];
    switch (solid->kind) {
    case SOLID_SPHERE: return read_length(r, size, &solid->radius);
    case SOLID_CAPSULE: return read_capsule(r, node, solid);
    case SOLID_BOX: return read_sides(r, size, 3, solid->half);
    case SOLID_PLATE: return read_sides(r, size, 2, solid->half);
    case SOLID_PLANE:
        if (!frame_read_axis(r, size, "the normal has no length: it points out of the plane", normal))
            return false;
        set_axis(r, normal, solid);
        return true;
    }
    return false;
}

/* The frame of the shape, in that of its body or in the world. */
static bool read_frame(struct reader *r, const struct spec_node *node, struct model_solid *out)
{
    const struct spec_node *frame = reader_given(node, "frame"), *at = reader_given(node, "at");
    const struct model_point *point = frame ? reader_point_of(r, frame) : NULL;
    struct solid *solid = &out->is;
    expr place[3], moved[3], R[9];
    if (frame && !point)
        return false;
    if (point) {
        out->body = point->body;
        memcpy(solid->at, point->at, sizeof solid->at);
        multibody_product(r->g, r->model->mechanics.body[point->body].R, point->axes, solid->R);
    }
    if (at) {
        if (!frame_read_vector(r, at, place))
            return false;
        rotation_apply(r->g, solid->R, place, moved);
        for (int i = 0; i < 3; i++)
            solid->at[i] = expr_add(r->g, solid->at[i], moved[i]);
    }
    if (!frame_read_turn(r, spec_get(node, "turn"), R))
        return false;
    multibody_product(r->g, solid->R, R, solid->R);
    return true;
}

/* Which one of its kinds it is; false (reported): none or two. */
static bool read_kind(struct reader *r, const struct spec_node *node, struct solid *solid)
{
    const struct spec_node *found = NULL;
    for (int k = 0; k < N_KIND; k++) {
        const struct spec_node *given = reader_given(node, kind_word[k]);
        if (given && found)
            return spec_error(r->diag, given, "a shape is one thing: \"%s\" is given already", found->key)
                   == STATUS_OK;
        if (given) {
            found = given;
            solid->kind = (enum solid_kind)k;
        }
    }
    if (!found)
        return spec_error(r->diag, node,
                          "expected what it is, one of \"sphere\", \"capsule\", \"box\", \"plate\" and "
                          "\"plane\"")
               == STATUS_OK;
    for (int k = 0; k < 2; k++) {
        const struct spec_node *end = reader_given(node, k ? "to" : "from");
        if (end && (solid->kind != SOLID_CAPSULE || found->kind == SPEC_SEQUENCE))
            return spec_error(r->diag, end, "belongs to a capsule of which the radius alone is given")
                   == STATUS_OK;
    }
    return true;
}

static void read_solid(struct reader *r, const struct spec_node *node, struct model_solid *out)
{
    const expr zero = expr_const(r->g, 0);
    *out = (struct model_solid){ .name = node->key, .body = -1, .is = { .radius = zero } };
    for (int i = 0; i < 3; i++)
        out->is.at[i] = out->is.half[i] = zero;
    for (int i = 0; i < 9; i++)
        out->is.R[i] = expr_const(r->g, i % 4 == 0);
    reader_check_letters(r, node);
    if (shape_check_keys(r->diag, node, &model_solid_shape) != STATUS_OK || !read_kind(r, node, &out->is)
        || !read_frame(r, node, out) || !read_size(r, node, &out->is))
        for (int i = 0; i < 3; i++)
            out->is.at[i] = r->broken;
}

void model_read_solids(struct reader *r)
{
    struct model_mechanics *all = &r->model->mechanics;
    const struct spec_node *block = reader_block(r, r->root, "shapes");
    if (!block)
        return;
    all->solid = arena_alloc(r->mem, (size_t)block->n, sizeof *all->solid);
    for (int k = 0; k < block->n; k++)
        read_solid(r, block->child[k], &all->solid[all->n_solid++]);
}
