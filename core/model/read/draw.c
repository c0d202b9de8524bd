/* core/model/read/draw.c - what films show: the block `draw` of the spec */
#include "core/model/read/blocks.h"

#include "core/model/shapes.h"

#include <string.h>

struct drawing { struct reader *r; const struct spec_node *points; bool *is_used; };     /* is_used: points of bodies */

/* --- Parts --------------------------------------------------------------------------------------------------- */

/* An expression of a point of the trajectory: reactions are none. */
static void read_formula(struct reader *r, const struct spec_node *node, expr *e)
{
    const struct model *m = r->model;
    reader_expr(r, node, e);
    for (int k = 0; k < m->switching.n_projection && !reader_is_broken(r, *e); k++)
        if (m->switching.projection[k].name
            && expr_depends(r->g, *e, 2,
                            (expr[]){ m->switching.projection[k].state, m->switching.projection[k].lambda }))
            spec_error(
                r->diag, node,
                "the reaction of \"%s\" is drawn by forces: {name: {at: point, contact: %s, normal: [x, z]}}",
                m->switching.projection[k].name, m->switching.projection[k].name);
}

/* n expressions of a list, 2 in the plane or 3 in space; 0 after a mistake. */
static int read_vector(struct reader *r, const struct spec_node *node, expr *e)
{
    if (node->kind != SPEC_SEQUENCE || node->n < 2 || node->n > 3) {
        spec_error(r->diag, node, "expected two expressions, [x, z], or three in space");
        return 0;
    }
    for (int i = 0; i < node->n; i++)
        read_formula(r, node->child[i], &e[i]);
    return node->n;
}

/* The name of a point. */
static const char *read_point_name(const struct drawing *in, const struct spec_node *node)
{
    if (!node || node->kind != SPEC_SCALAR) {
        if (node)
            spec_error(in->r->diag, node, "expected the name of a point");
        return "";
    }
    if (spec_get(in->points, node->text))
        return node->text;
    const struct model *m = in->r->model;
    const int n = in->points ? in->points->n : 0;
    const char **name = arena_alloc(in->r->mem, (size_t)(n + m->mechanics.n_point), sizeof *name);
    for (int k = 0; k < n; k++)
        name[k] = in->points->child[k]->key;
    for (int k = 0; k < m->mechanics.n_point; k++) {
        name[n + k] = m->mechanics.point[k].name;
        if (strcmp(node->text, m->mechanics.point[k].name) == 0) {
            in->is_used[k] = true;
            return node->text;
        }
    }
    const char *near = spec_suggest(node->text, n + m->mechanics.n_point, name);
    spec_error(in->r->diag, node, "\"%s\" is none of draw.points%s%s%s%s", node->text,
               m->mechanics.n_point ? " and no point of a body" : "", near ? " (did you mean \"" : "",
               near ? near : "", near ? "\"?)" : "");
    return "";
}

/* Text lists of at least two points. */
static void read_line(const struct drawing *in, const struct spec_node *node, struct model_drawn *out)
{
    if (node->kind != SPEC_SEQUENCE || node->n < 2) {
        spec_error(in->r->diag, node, "expected the names of two points or more, [a, b]");
        return;
    }
    out->n_at = node->n;
    out->at = arena_alloc(in->r->mem, (size_t)node->n, sizeof *out->at);
    for (int i = 0; i < node->n; i++)
        out->at[i] = read_point_name(in, node->child[i]);
}

/* Points, or points and a radius. */
static void read_link(const struct drawing *in, const struct spec_node *node, struct model_drawn *out)
{
    if (node->kind != SPEC_MAPPING) {
        read_line(in, node, out);
        return;
    }
    const struct spec_node *points = spec_get(node, "points"), *radius = spec_get(node, "radius");
    shape_check_keys(in->r->diag, node, &model_link_shape);
    if (points)
        read_line(in, points, out);
    else
        spec_error(in->r->diag, node, "\"points\" is missing: the names of two points or more, [a, b]");
    if (radius && reader_finite(in->r, radius, &out->size[0]) == STATUS_OK && out->size[0] < 0)
        spec_error(in->r->diag, radius, "a radius must be 0 or more, got %g", out->size[0]);
}

/* A ground is a line through fixed points. */
static void read_ground(struct reader *r, const struct spec_node *node, struct model_drawn *out)
{
    if (node->kind != SPEC_SEQUENCE || node->n < 2) {
        spec_error(r->diag, node, "expected corners, [[x, z], [x, z]]");
        return;
    }
    out->n_at = node->n;
    out->corner = arena_alloc(r->mem, 3 * (size_t)node->n, sizeof *out->corner);
    for (int i = 0; i < node->n; i++) {
        const struct spec_node *corner = node->child[i];
        out->n = corner->kind == SPEC_SEQUENCE && corner->n == 3 ? 3 : 2;
        if (corner->kind != SPEC_SEQUENCE || corner->n < 2 || corner->n > 3)
            spec_error(r->diag, corner, "expected a corner, [x, z]");
        for (int j = 0; corner->kind == SPEC_SEQUENCE && j < corner->n && j < 3; j++)
            reader_finite(r, corner->child[j], &out->corner[3 * i + j]);
    }
}

static void read_one_point(const struct drawing *in, const struct spec_node *node, struct model_drawn *out)
{
    const struct spec_node *at = spec_get(node, "at");
    out->n_at = 1;
    out->at = arena_alloc(in->r->mem, 1, sizeof *out->at);
    out->at[0] = read_point_name(in, at);
    if (!at)
        spec_error(in->r->diag, node, "\"at\" is missing: the name of a point");
}

static void read_circle(const struct drawing *in, const struct spec_node *node, struct model_drawn *out)
{
    shape_check_keys(in->r->diag, node, &model_circle_shape);
    read_one_point(in, node, out);
    out->size[0] = 0.05;
    if (spec_get(node, "radius"))
        reader_finite(in->r, spec_get(node, "radius"), &out->size[0]);
}

static void read_box(const struct drawing *in, const struct spec_node *node, struct model_drawn *out)
{
    const struct spec_node *size = spec_get(node, "size"), *angle = spec_get(node, "angle");
    shape_check_keys(in->r->diag, node, &model_box_shape);
    read_one_point(in, node, out);
    if (!size || size->kind != SPEC_SEQUENCE || size->n != 2)
        spec_error(in->r->diag, size ? size : node, "a box wants its \"size\", [width, height]");
    for (int i = 0; size && size->kind == SPEC_SEQUENCE && size->n == 2 && i < 2; i++)
        reader_finite(in->r, size->child[i], &out->size[i]);
    out->n = 1;
    out->e[0] = expr_const(in->r->g, 0);
    if (angle)
        read_formula(in->r, angle, &out->e[0]);
}

/* A contact, or n_contact + a projection. */
static int find_contact(struct reader *r, const struct spec_node *node)
{
    const struct model *m = r->model;
    const char *name[64];
    const int all = m->contacts.n_contact + m->switching.n_projection, n = all < 64 ? all : 64;
    for (int c = 0; c < n; c++) {
        name[c] = c < m->contacts.n_contact ? m->contacts.contact[c].family
                                            : m->switching.projection[c - m->contacts.n_contact].name;
        const bool fits = node->kind == SPEC_SCALAR && name[c]
                          && (c < m->contacts.n_contact ? model_contact_is(&m->contacts.contact[c], node->text)
                                                        : strcmp(node->text, name[c]) == 0);
        if (fits)
            return c;
    }
    const char *near = node->kind == SPEC_SCALAR ? spec_suggest(node->text, n, name) : NULL;
    spec_error(r->diag, node, "expected the name of a contact%s%s%s", near ? " (did you mean \"" : "", near ? near : "",
               near ? "\"?)" : "");
    return -1;
}

/* The force of a contact along its normal, by default upwards, or any vector. */
static void read_force(const struct drawing *in, const struct spec_node *node, struct model_drawn *out)
{
    const struct spec_node *contact = spec_get(node, "contact"), *vector = spec_get(node, "vector");
    const struct spec_node *normal = spec_get(node, "normal");
    struct reader *r = in->r;
    shape_check_keys(r->diag, node, &model_force_shape);
    read_one_point(in, node, out);
    if (!contact == !vector) {
        spec_error(r->diag, node, "wants either a \"contact\" or a \"vector\"");
        return;
    }
    if (contact)
        out->contact = find_contact(r, contact);
    if (vector || normal)
        out->n = read_vector(r, vector ? vector : normal, out->e);
}

/* --- The block ----------------------------------------------------------------------------------------------- */

static void read_item(const struct drawing *in, const struct spec_node *node, struct model_drawn *out)
{
    switch (out->kind) {
    case DRAW_POINT:  out->n = read_vector(in->r, node, out->e); break;
    case DRAW_LINK:   read_link(in, node, out); break;
    case DRAW_SPRING: read_line(in, node, out); break;
    case DRAW_CIRCLE: read_circle(in, node, out); break;
    case DRAW_BOX:    read_box(in, node, out); break;
    case DRAW_GROUND: read_ground(in->r, node, out); break;
    case DRAW_FORCE:  read_force(in, node, out); break;
    }
}

/* Shapes know their normals. */
static void add_normal(const struct model *m, struct model_drawn *out)
{
    const struct model_contact *contact = &m->contacts.contact[out->contact];
    if (out->n > 0 || contact->normal[0] == EXPR_NONE)
        return;
    out->n = 2;
    memcpy(out->e, contact->normal, sizeof contact->normal);
}

/* The force of a shape on a ground is that of each of its contacts: out is the first of them, more may follow. */
static void spread_force(struct reader *r, const char *contact)
{
    struct model *m = r->model;
    const struct model_drawn first = m->drawing.draw[m->drawing.n_draw - 1];
    add_normal(m, &m->drawing.draw[m->drawing.n_draw - 1]);
    for (int c = first.contact + 1; c < m->contacts.n_contact; c++) {
        if (strcmp(m->contacts.contact[c].family, contact) != 0)
            continue;
        m->drawing.draw[m->drawing.n_draw] = first;
        m->drawing.draw[m->drawing.n_draw].contact = c;
        m->drawing.draw[m->drawing.n_draw].name = arena_printf(r->mem, "%s_%d", first.name, c - first.contact + 1);
        add_normal(m, &m->drawing.draw[m->drawing.n_draw++]);
    }
}

static bool is_drawn(const struct model *m, enum draw_kind kind, const char *name)
{
    for (int k = 0; k < m->drawing.n_draw; k++)
        if (m->drawing.draw[k].kind == kind && strcmp(m->drawing.draw[k].name, name) == 0)
            return true;
    return false;
}

/* Grounds are drawn without being asked for. */
static void add_ground(struct reader *r, const struct model_ground *ground)
{
    struct model *m = r->model;
    const int n = ground->n + ground->closed;
    if (ground->n == 0 || is_drawn(m, DRAW_GROUND, ground->name))
        return;
    struct model_drawn *out = &m->drawing.draw[m->drawing.n_draw++];
    *out = (struct model_drawn){ .kind = DRAW_GROUND, .name = ground->name, .contact = -1, .n = 2, .n_at = n };
    out->corner = arena_alloc(r->mem, 3 * (size_t)n, sizeof *out->corner);
    for (int k = 0; k < n; k++)
        memcpy(&out->corner[3 * k], &ground->at[2 * (k % ground->n)], 2 * sizeof *ground->at);
}

/* Without a block, shapes are drawn as they are. */
static void add_shape(struct reader *r, const struct model_shape *shape)
{
    struct model *m = r->model;
    const char **at = arena_copy(r->mem, &shape->name, 1, sizeof *at);
    m->drawing.draw[m->drawing.n_draw++] = (struct model_drawn){ .kind = DRAW_POINT, .name = shape->name,
                                                                 .contact = -1, .n = 2,
                                                                 .e = { shape->at[0], shape->at[1], r->broken } };
    if (shape->size[0] > 0)
        m->drawing.draw[m->drawing.n_draw++] = (struct model_drawn){ .kind = DRAW_BOX, .name = shape->name,
                                                                     .n_at = 1, .at = at, .contact = -1,
                                                                     .size = { shape->size[0], shape->size[1] },
                                                                    .n = 1,
                                                                     .e = { shape->angle, r->broken, r->broken } };
    else if (shape->radius > 0)
        m->drawing.draw[m->drawing.n_draw++] = (struct model_drawn){ .kind = DRAW_CIRCLE, .name = shape->name,
                                                                     .n_at = 1, .at = at,
                                                                     .contact = -1, .size = { shape->radius, 0 } };
}

/* Points of bodies need no entry in draw.points. */
static void add_point_of_body(struct model *m, int k)
{
    struct model_drawn *out = &m->drawing.draw[m->drawing.n_draw++];
    *out = (struct model_drawn){ .kind = DRAW_POINT, .name = m->mechanics.point[k].name, .contact = -1, .n = 3 };
    memcpy(out->e, m->mechanics.point[k].at, sizeof out->e);
}

void model_read_draw(struct reader *r)
{
    static const char *const block_of[] = {
        [DRAW_POINT] = "points", [DRAW_LINK] = "links", [DRAW_SPRING] = "springs", [DRAW_CIRCLE] = "circles",
        [DRAW_BOX] = "boxes", [DRAW_GROUND] = "grounds", [DRAW_FORCE] = "forces"
    };
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "draw");
    if ((!block && m->drawing.n_shape == 0)
        || (block && shape_check_keys(r->diag, block, &model_draw_shape) != STATUS_OK))
        return;
    const struct drawing in = { r, reader_block(r, block, "points"),
                                arena_alloc(r->mem, (size_t)m->mechanics.n_point, sizeof(bool)) };
    size_t most = (size_t)(m->mechanics.n_point + 2 * m->drawing.n_shape + m->contacts.n_ground);
    for (int k = 0; block && k < block->n; k++)
        most += (size_t)block->child[k]->n * (size_t)(1 + m->contacts.n_contact);
    m->drawing.draw = arena_alloc(r->mem, most, sizeof *m->drawing.draw);
    for (int kind = DRAW_POINT; kind <= DRAW_FORCE; kind++) {
        const struct spec_node *list = reader_block(r, block, block_of[kind]);
        for (int k = 0; list && k < list->n; k++) {
            struct model_drawn *out = &m->drawing.draw[m->drawing.n_draw++];
            *out = (struct model_drawn){ .kind = (enum draw_kind)kind, .name = list->child[k]->key, .contact = -1 };
            reader_check_letters(r, list->child[k]);
            for (int i = 0; i < 3; i++)
                out->e[i] = r->broken;
            read_item(&in, list->child[k], out);
            if (out->contact >= 0 && out->contact < m->contacts.n_contact)
                spread_force(r, spec_get(list->child[k], "contact")->text);
        }
    }
    for (int k = 0; !block && k < m->drawing.n_shape; k++)
        add_shape(r, &m->drawing.shape[k]);
    for (int k = 0; k < m->contacts.n_ground; k++)
        add_ground(r, &m->contacts.ground[k]);
    for (int k = 0; k < m->mechanics.n_point; k++)
        if (in.is_used[k])
            add_point_of_body(m, k);
}
