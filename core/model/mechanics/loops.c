/* core/model/mechanics/loops.c - which points stay together:
 *
 *   loops: {rod: {a: crank_tip, b: rod_end}, pin: {a: foot, b: [0.3, 0, 0]}, hinge: {a: left, b: right, axis: [0,
 * 1, 0]}}
 *
 * Points of bodies, or of the world, give three conditions, the coordinates of a - b. With an axis, which is along
 * the axes of both bodies, or frames, a hinge closes: two axes of a that are perpendicular to it stay
 * perpendicular to that of b. With `weld: true` the axes of both stay the same. What of these conditions says
 * nothing, as the third one in a plane, is left out, by rank.
 */
#include "core/model/mechanics/loops.h"

#include "core/model/kinematics.h"
#include "core/model/multibody.h"
#include "core/model/rotation.h"
#include "core/model/shapes.h"

#include <math.h>
#include <string.h>

enum { MOST = 6 }; /* conditions of a loop */

struct end {
    int body;
    expr at[3], axes[9];
}; /* body -1: the world */

/* --- Ends ------------------------------------------------------------------------------------------------------
 */

static void refuse_point(struct reader *r, const struct spec_node *node)
{
    const struct model *m = r->model;
    const char **name = arena_alloc(r->mem, (size_t)m->mechanics.n_point, sizeof *name);
    for (int k = 0; k < m->mechanics.n_point; k++)
        name[k] = m->mechanics.point[k].name;
    const char *near = node->kind == SPEC_SCALAR ? spec_suggest(node->text, m->mechanics.n_point, name) : NULL;
    spec_error(r->diag, node, "expected a point of a body, or one of the world, [x, y, z]%s%s%s",
               near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
}

/* "tip", or "crank.tip" where it is a point of the crank. */
static const struct model_point *find_point(const struct model *m, const char *text)
{
    const char *dot = strchr(text, '.');
    for (int k = 0; k < m->mechanics.n_point; k++) {
        const struct model_point *point = &m->mechanics.point[k];
        const char *body = m->mechanics.body[point->body].name;
        if (strcmp(point->name, text) == 0
            || (dot && strcmp(point->name, dot + 1) == 0 && strlen(body) == (size_t)(dot - text)
                && strncmp(body, text, strlen(body)) == 0))
            return point;
    }
    return NULL;
}

static bool read_world(struct reader *r, const struct spec_node *node, struct end *end)
{
    end->body = -1;
    for (int i = 0; i < 9; i++)
        end->axes[i] = expr_const(r->g, i % 4 == 0);
    return frame_read_vector(r, node, end->at);
}

static bool read_end(struct reader *r, const struct spec_node *loop, const char *key, struct end *end)
{
    const struct spec_node *node = reader_given(loop, key);
    if (!node)
        return spec_error(r->diag, loop, "\"%s\" is missing: a point of a body, or one of the world, [x, y, z]",
                          key)
               == STATUS_OK;
    if (node->kind == SPEC_SEQUENCE)
        return read_world(r, node, end);
    const struct model_point *point = node->kind == SPEC_SCALAR ? find_point(r->model, node->text) : NULL;
    if (!point) {
        refuse_point(r, node);
        return false;
    }
    end->body = point->body;
    memcpy(end->at, point->at, sizeof end->at);
    multibody_product(r->g, r->model->mechanics.body[point->body].R, point->axes, end->axes);
    return !reader_is_broken(r, end->at[0]);
}

static const char *in_words(struct reader *r, const struct spec_node *loop, const char *key)
{
    const struct spec_node *node = spec_get(loop, key);
    return node->kind == SPEC_SCALAR ? node->text : arena_printf(r->mem, "a point of the world");
}

/* --- Conditions ------------------------------------------------------------------------------------------------
 */

/* Two unit vectors that are perpendicular to a unit vector and to each other. */
static void perpendicular(struct reader *r, const expr *axis, expr *one, expr *other)
{
    int least = 0;
    double value[3];
    for (int i = 0; i < 3; i++) {
        value[i] = model_value_at(r->model, axis[i], AT_GUESS);
        if (fabs(value[i]) < fabs(value[least]))
            least = i;
    }
    expr e[3];
    for (int i = 0; i < 3; i++)
        e[i] = expr_const(r->g, i == least);
    rotation_cross(r->g, axis, e, one);
    const expr length = expr_sqrt(r->g, expr_dot(r->g, 3, one, one));
    for (int i = 0; i < 3; i++)
        one[i] = expr_div(r->g, one[i], length);
    rotation_cross(r->g, axis, one, other);
}

static int add_axis(struct reader *r, const struct spec_node *node, const struct end *end, expr *out)
{
    expr axis[3], one[3], other[3], a[3], b[3];
    if (!frame_read_axis(r, node, "the axis has no length: it is the direction that stays the same", axis))
        return 0;
    perpendicular(r, axis, one, other);
    rotation_apply(r->g, end[1].axes, axis, b);
    rotation_apply(r->g, end[0].axes, one, a);
    out[0] = expr_dot(r->g, 3, a, b);
    rotation_apply(r->g, end[0].axes, other, a);
    out[1] = expr_dot(r->g, 3, a, b);
    return 2;
}

/* Half of what the turn between the axes has that is not symmetric, which is the axis times the sine of the angle.
 */
static int add_weld(struct reader *r, const struct end *end, expr *out)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const expr *a = end[0].axes, *b = end[1].axes;
        out[i] = expr_scale(
            r->g, 0.5,
            expr_sub(r->g, expr_dot(r->g, 3, a + 3 * k, b + 3 * j), expr_dot(r->g, 3, a + 3 * j, b + 3 * k)));
    }
    return 3;
}

/* Whom the chains from two bodies to the world have in common may be one link: then nothing moves between them. */
static bool is_one_link(const struct model *m, int a, int b)
{
    while (a >= 0 && m->mechanics.joint[a].type == JOINT_FIXED)
        a = m->mechanics.body[a].parent;
    while (b >= 0 && m->mechanics.joint[b].type == JOINT_FIXED)
        b = m->mechanics.body[b].parent;
    return a == b;
}

/* Appends its conditions; false (reported) after a mistake. */
static bool read_loop(struct reader *r, const struct spec_node *node, struct model_loop *loop)
{
    struct model_loops *loops = &r->model->mechanics.loops;
    const struct spec_node *axis = reader_given(node, "axis"), *weld = reader_given(node, "weld");
    struct end end[2] = { { 0 } };
    bool is_weld = false;
    shape_check_keys(r->diag, node, &model_loop_shape);
    reader_check_letters(r, node);
    const bool has_a = read_end(r, node, "a", &end[0]), has_b = read_end(r, node, "b", &end[1]);
    if (!has_a || !has_b || (weld && reader_bool(r, weld, &is_weld) != STATUS_OK))
        return false;
    if (is_one_link(r->model, end[0].body, end[1].body))
        return spec_error(r->diag, node, "\"a\" and \"b\" are on one body: nothing moves between them")
               == STATUS_OK;
    if (axis && is_weld)
        return spec_error(r->diag, axis, "a weld turns about no axis: either \"axis\" or \"weld\"") == STATUS_OK;
    *loop = (struct model_loop){ .name = node->key,
                                 .path = node->path,
                                 .pos = node->key_pos,
                                 .first = loops->n,
                                 .end = { in_words(r, node, "a"), in_words(r, node, "b") } };
    expr *out = loops->gap + loops->n;
    for (int i = 0; i < 3; i++)
        out[i] = expr_sub(r->g, end[0].at[i], end[1].at[i]);
    loop->n = 3 + (axis ? add_axis(r, axis, end, out + 3) : is_weld ? add_weld(r, end, out + 3) : 0);
    loops->n += loop->n;
    return !axis || loop->n > 3;
}

static void make_slopes(struct reader *r)
{
    struct model *m = r->model;
    struct model_loops *loops = &m->mechanics.loops;
    loops->G = arena_alloc(r->mem, (size_t)(loops->n * m->mechanics.n_q), sizeof *loops->G);
    for (int k = 0; k < loops->n; k++)
        kinematics_gradient(m, loops->gap[k], loops->G + k * m->mechanics.n_q);
}

void model_read_loops(struct reader *r)
{
    struct model *m = r->model;
    struct model_loops *loops = &m->mechanics.loops;
    const struct spec_node *block = reader_block(r, r->root, "loops");
    bool good = m->mechanics.coordinates_known;
    if (!block)
        return;
    loops->gap = arena_alloc(r->mem, MOST * (size_t)block->n, sizeof *loops->gap);
    loops->follows = arena_alloc(r->mem, MOST * (size_t)block->n, sizeof *loops->follows);
    loops->loop = arena_alloc(r->mem, (size_t)block->n, sizeof *loops->loop);
    for (int k = 0; k < block->n && m->mechanics.coordinates_known; k++) {
        good = read_loop(r, block->child[k], &loops->loop[loops->n_loop]) && good;
        loops->n_loop++;
    }
    if (!good) {
        loops->n = loops->n_loop = 0;
        return;
    }
    make_slopes(r);
    loop_close_ends(r);
}
