/* core/model/contacts/grounds.c - grounds in the plane: polylines with steps and edges, and closed polygons
 *
 *   grounds: {stairs: {points: [[-1, 0], [1, 0], [1, 0.2], [3, 0.2]]}, table: {points: [...], closed: true}}
 *
 * A contact names one or several, brings one of its own, `ground: {points: ...}`, or touches the line z = 0.
 */
#include "core/model/contacts/read.h"

#include "core/model/geometry/polygon.h"
#include "core/model/geometry/ground_pieces.h"
#include "core/model/shapes.h"

#include <string.h>

/* A line of corners, each of two numbers; NULL after a mistake. */
static double *read_corners(struct reader *r, const struct spec_node *node)
{
    if (node->kind != SPEC_SEQUENCE || node->n < 2) {
        spec_error(r->diag, node, "expected corners, [[x, z], [x, z], ...]");
        return NULL;
    }
    double *at = arena_alloc(r->mem, 2 * (size_t)node->n, sizeof *at);
    bool good = true;
    for (int k = 0; k < node->n; k++) {
        const struct spec_node *corner = node->child[k];
        const bool is_pair = corner->kind == SPEC_SEQUENCE && corner->n == 2;
        if (!is_pair)
            spec_error(r->diag, corner, "expected a corner, [x, z]");
        for (int i = 0; i < 2; i++)
            good = is_pair && reader_finite(r, corner->child[i], &at[2 * k + i]) == STATUS_OK && good;
    }
    return good ? at : NULL;
}

/* What is wrong with corner k, and what to write. */
static void refuse(struct reader *r, const struct spec_node *points, enum ground_fault fault, int k)
{
    const struct spec_node *corner = points->child[k];
    switch (fault) {
    case GROUND_FINE:
        break;
    case GROUND_REPEATS:
        spec_error(r->diag, corner, "the corner before it is in the same place");
        break;
    case GROUND_FOLDS:
        spec_error(r->diag, corner,
                   "here the line turns back on itself: a wall has a thickness, give it two sides");
        break;
    case GROUND_GOES_BACK:
        spec_error(r->diag, points, "the line goes back and forth: there is no direction in which all of it goes on; write several "
                                    "grounds, and all of them at the contact, ground: [a, b]");
        break;
    case GROUND_POINTS_INWARD:
        spec_error(r->diag, corner,
                   "this corner points inwards: a closed ground is convex; write several that overlap");
        break;
    }
}

static bool read_ground(struct reader *r, const struct spec_node *node, const char *name,
                        struct model_ground *ground)
{
    const struct spec_node *points = spec_get(node, "points"), *closed = spec_get(node, "closed");
    *ground = (struct model_ground){ .name = name };
    shape_check_keys(r->diag, node, &model_ground_shape);
    if (node->kind != SPEC_MAPPING)
        return false;
    if (closed && reader_bool(r, closed, &ground->closed) != STATUS_OK)
        return false;
    if (!points)
        return spec_error(r->diag, node, "\"points\" is missing: corners, [[x, z], [x, z], ...]") == STATUS_OK;
    if (!(ground->at = read_corners(r, points)))
        return false;
    ground->n = points->n;
    if (ground->closed && ground->n < 3)
        return spec_error(r->diag, points, "a closed ground has three corners or more") == STATUS_OK;
    int k;
    const enum ground_fault fault = ground_cut(r->mem, ground->n, ground->at, ground->closed, &ground->pieces, &k);
    refuse(r, points, fault, k);
    return fault == GROUND_FINE;
}

/* --- Grounds by name ----------------------------------------------------------------------------------------- */

/* All of them first, with room for those that contacts bring; one with a mistake has no name. */
void model_read_grounds(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "grounds");
    const struct spec_node *contacts = spec_get(r->root, "contacts");
    const int n = block ? block->n : 0, n_contact = contacts ? contacts->n : 0;
    m->contacts.ground = arena_alloc(r->mem, (size_t)(n + n_contact), sizeof *m->contacts.ground);
    m->drawing.shape = arena_alloc(r->mem, 2 * (size_t)n_contact, sizeof *m->drawing.shape);
    for (int k = 0; k < n; k++) {
        struct model_ground *ground = &m->contacts.ground[m->contacts.n_ground++];
        reader_check_letters(r, block->child[k]);
        if (!read_ground(r, block->child[k], block->child[k]->key, ground))
            ground->n = 0;
    }
}

static const struct model_ground *find_ground(struct reader *r, const struct spec_node *node)
{
    const struct model *m = r->model;
    const char **name = arena_alloc(r->mem, (size_t)m->contacts.n_ground, sizeof *name);
    if (node->kind != SPEC_SCALAR) {
        spec_error(r->diag, node, "expected the name of one of grounds");
        return NULL;
    }
    for (int k = 0; k < m->contacts.n_ground; k++) {
        name[k] = m->contacts.ground[k].name;
        if (strcmp(name[k], node->text) == 0)
            return m->contacts.ground[k].n ? &m->contacts.ground[k] : NULL;
    }
    const char *near = spec_suggest(node->text, m->contacts.n_ground, name);
    spec_error(r->diag, node, "\"%s\" is none of grounds%s%s%s", node->text, near ? " (did you mean \"" : "", near ? near : "",
               near ? "\"?)" : "");
    return NULL;
}

static const struct model_ground *floor_of(struct reader *r)
{
    static const double at[] = { 0, 0, 1, 0 };
    int k;
    struct model_ground *ground = arena_alloc(r->mem, 1, sizeof *ground);
    *ground = (struct model_ground){ .name = "floor", .n = 2, .at = arena_copy(r->mem, at, 4, sizeof *at) };
    (void)ground_cut(r->mem, 2, ground->at, false, &ground->pieces, &k);
    return ground;
}

/* One that a contact brings. */
static const struct model_ground *own_ground(struct reader *r, const struct spec_node *node, const char *contact)
{
    struct model *m = r->model;
    if (spec_get(node, "normal") || spec_get(node, "through")) {
        spec_error(r->diag, node, "a plane in space; a place in the plane has a ground of corners, {points: [[x, z], [x, z]]}, or the "
                                  "name of one of grounds");
        return NULL;
    }
    struct model_ground *ground = &m->contacts.ground[m->contacts.n_ground];
    return read_ground(r, node, contact, ground) ? &m->contacts.ground[m->contacts.n_ground++] : NULL;
}

static void add_pieces(struct reader *r, const struct model_ground *ground, struct ground_pieces *to)
{
    const struct ground_pieces *from = &ground->pieces;
    struct polygon *piece = arena_alloc(r->mem, (size_t)(to->n + from->n), sizeof *piece);
    double *vertex = arena_alloc(r->mem, 2 * (size_t)(to->n_vertex + from->n_vertex), sizeof *vertex);
    for (int k = 0; k < to->n + from->n; k++)
        piece[k] = k < to->n ? to->piece[k] : from->piece[k - to->n];
    for (int k = 0; k < 2 * (to->n_vertex + from->n_vertex); k++)
        vertex[k] = k < 2 * to->n_vertex ? to->vertex[k] : from->vertex[k - 2 * to->n_vertex];
    *to = (struct ground_pieces){ to->n + from->n, piece, to->n_vertex + from->n_vertex, vertex };
}

bool reader_ground_of(struct reader *r, const struct spec_node *contact, struct ground_pieces *pieces)
{
    const struct spec_node *node = spec_get(contact, "ground");
    const bool is_list = node && node->kind == SPEC_SEQUENCE && node->n > 0;
    *pieces = (struct ground_pieces){ .n = 0 };
    for (int k = 0; k < (is_list ? node->n : 1); k++) {
        const struct spec_node *one = is_list ? node->child[k] : node;
        const struct model_ground *ground = !one || one->kind == SPEC_NULL ? floor_of(r)
                                            : one->kind == SPEC_MAPPING && !is_list
                                                ? own_ground(r, one, contact->key)
                                                : find_ground(r, one);
        if (!ground)
            return false;
        add_pieces(r, ground, pieces);
    }
    return true;
}
