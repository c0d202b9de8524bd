/* core/model/read/guess.c - where `solve` starts: waypoints, or another solution; and where simulations do */
#include "core/model/read/blocks.h"

#include "core/model/shapes.h"
#include "core/model/time/read.h"

#include <stdlib.h>

/* Index of a state, or n_x + that of a control; -1 (reported) if it is neither. */
static int variable_of(struct reader *r, const struct spec_node *node)
{
    const struct model *m = r->model;
    const int k = model_find_control(m, node->key);
    return k >= 0 ? m->n_x + k : reader_state_of(r, node, node->key_pos, node->key);
}

static void read_waypoint(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    double fraction = 0;
    const struct spec_node key = reader_key(node);
    const enum status st = reader_fraction(r, &key, &fraction);
    if (node->kind != SPEC_MAPPING) {
        spec_error(r->diag, node, "expected values {name: value}");
        return;
    }
    int *var = arena_alloc(r->mem, (size_t)node->n, sizeof *var), n = 0;
    double *val = arena_alloc(r->mem, (size_t)node->n, sizeof *val);
    for (int i = 0; i < node->n; i++) {
        const int k = variable_of(r, node->child[i]);
        if (reader_finite(r, node->child[i], &val[n]) == STATUS_OK && k >= 0)
            var[n++] = k;
    }
    if (st == STATUS_OK)
        m->guess.waypoint[m->guess.n_waypoint++] = (struct model_waypoint){ fraction, n, var, val };
}

static int by_fraction(const void *a, const void *b)
{
    const struct model_waypoint *x = a, *y = b;
    return (x->fraction > y->fraction) - (x->fraction < y->fraction);
}

static void read_waypoints(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    m->guess.waypoint = arena_alloc(r->mem, (size_t)node->n, sizeof *m->guess.waypoint);
    for (int i = 0; i < node->n; i++)
        read_waypoint(r, node->child[i]);
    if (m->guess.n_waypoint > 0)
        qsort(m->guess.waypoint, (size_t)m->guess.n_waypoint, sizeof *m->guess.waypoint, by_fraction);
    for (int i = 1; i < m->guess.n_waypoint; i++)
        if (m->guess.waypoint[i].fraction == m->guess.waypoint[i - 1].fraction)
            spec_error(r->diag, node, "two waypoints at the fraction %.15g", m->guess.waypoint[i].fraction);
}

void model_read_guess(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "guess");
    if (!block)
        return;
    shape_check_keys(r->diag, block, &model_guess_shape);
    const struct spec_node *file = spec_get(block, "file");
    const struct spec_node *waypoints = reader_block(r, block, "waypoints");
    m->guess.pos = file ? file->pos : block->pos;
    if (file && waypoints)
        spec_error(r->diag, file, "either \"waypoints\" or \"file\", not both");
    if (file) {
        m->guess.file = reader_word(r, block, "file");
        if (!*m->guess.file)
            m->guess.file = NULL;
    }
    if (waypoints)
        read_waypoints(r, waypoints);
}
