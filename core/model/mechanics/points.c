/* Points and frames of bodies, and what they are called in formulas */
#include "core/model/mechanics/read.h"

#include "core/model/multibody.h"
#include "core/model/rotation.h"
#include "core/model/shapes.h"

#include <string.h>

/* Its velocity, and the angular velocity of its body, along the axes of the world. */
static void name_velocity(struct reader *r, const char *name, const struct model_point *point)
{
    static const char *const axis[] = { "x", "y", "z" };
    const struct model_body *body = &r->model->mechanics.body[point->body];
    expr turn[3], rate[3], w[3];
    rotation_cross(r->g, body->spin, point->in_body, turn);
    rotation_apply(r->g, body->R, turn, rate);
    rotation_apply(r->g, body->R, body->spin, w);
    for (int i = 0; i < 3; i++) {
        const bool broken = reader_is_broken(r, point->at[i]);
        reader_add_quantity(r, arena_printf(r->mem, "%s.v%s", name, axis[i]),
                            broken ? r->broken : expr_add(r->g, body->velocity[i], rate[i]));
        reader_add_quantity(r, arena_printf(r->mem, "%s.w%s", name, axis[i]), w[i]);
    }
}

/* A point of body b, at its origin unless in_body says where. */
static void add_point(struct reader *r, const struct spec_node *node, int b, const expr *in_body)
{
    static const char *const axis[] = { "x", "y", "z" };
    struct model *m = r->model;
    const struct model_body *body = &m->mechanics.body[b];
    if (known_names_find(r->names, m, arena_printf(r->mem, "%s.x", node->key)).kind == NAME_POINT)
        diag_error(r->diag, node->key_pos, node->path, "there is a body or a point of this name already");
    reader_check_letters(r, node);
    struct model_point *point = &m->mechanics.point[m->mechanics.n_point++];
    *point = (struct model_point){ .name = node->key, .body = b };
    for (int i = 0; i < 9; i++)
        point->axes[i] = expr_const(r->g, i % 4 == 0);
    for (int i = 0; i < 3; i++) {
        point->in_body[i] = in_body ? in_body[i] : expr_const(r->g, 0);
        point->at[i] = r->broken;
    }
    if (!reader_is_broken(r, point->in_body[0])) {
        rotation_apply(r->g, body->R, point->in_body, point->at);
        for (int i = 0; i < 3; i++)
            point->at[i] = expr_add(r->g, body->origin[i], point->at[i]);
    }
    for (int i = 0; i < 3; i++)
        reader_add_quantity(r, arena_printf(r->mem, "%s.%s", node->key, axis[i]), point->at[i]);
    name_velocity(r, node->key, point);
}

static void read_point(struct reader *r, const struct spec_node *node, int b)
{
    expr in_body[3] = { r->broken, r->broken, r->broken };
    if (node->kind != SPEC_SEQUENCE || node->n != 3)
        spec_error(r->diag, node, "expected three coordinates along the axes of the body, [x, y, z]");
    else
        for (int i = 0; i < 3; i++)
            reader_parameter_expr(r, node->child[i], &in_body[i]);
    add_point(r, node, b, in_body);
}

/* A point with axes: r12 of it is the first coordinate in the world of its second axis. */
static void read_frame(struct reader *r, const struct spec_node *node, int b)
{
    const struct spec_node *at = reader_given(node, "at");
    expr in_body[3] = { expr_const(r->g, 0), expr_const(r->g, 0), expr_const(r->g, 0) }, R[9];
    shape_check_keys(r->diag, node, &model_frame_shape);
    if (at)
        (void)frame_read_vector(r, at, in_body);
    add_point(r, node, b, in_body);
    if (frame_read_turn(r, spec_get(node, "turn"), R)) {
        memcpy(r->model->mechanics.point[r->model->mechanics.n_point - 1].axes, R, sizeof R);
        multibody_product(r->g, r->model->mechanics.body[b].R, R, R);
    }
    for (int i = 0; i < 9; i++)
        reader_add_quantity(r, arena_printf(r->mem, "%s.r%d%d", node->key, i % 3 + 1, i / 3 + 1), R[i]);
}

void reader_body_points(struct reader *r, const struct spec_node *node, int b)
{
    const struct spec_node *points = reader_block(r, node, "points"), *frames = reader_block(r, node, "frames");
    add_point(r, node, b, NULL);
    for (int i = 0; points && i < points->n; i++)
        read_point(r, points->child[i], b);
    for (int i = 0; frames && i < frames->n; i++)
        read_frame(r, frames->child[i], b);
}
