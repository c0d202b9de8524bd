/* core/model/time.c - the horizon and how it is cut into control intervals and finite elements */
#include "core/model/read.h"
#include "core/model/shapes.h"

#include <math.h>

enum { DEFAULT_ELEMENTS = 3, MAX_INTERVALS = 1000000, MAX_ELEMENTS = 10000 };

/* {min:, max:, guess:}: a free horizon. Without a guess the middle of a finite range, else its lower end. */
static void read_free_horizon(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    const struct spec_node *min = spec_get(node, "min"), *max = spec_get(node, "max");
    const struct spec_node *guess = spec_get(node, "guess");
    m->horizon_free = true;
    m->horizon_min = 1;
    m->horizon_max = INFINITY;
    shape_check_keys(r->diag, node, &model_horizon_shape);
    if (!min)
        spec_error(r->diag, node, "a free horizon needs a \"min\" above 0");
    else if (reader_finite(r, min, &m->horizon_min) == STATUS_OK && !(m->horizon_min > 0))
        spec_error(r->diag, min, "must be above 0, got %.15g", m->horizon_min);
    if (max && reader_number(r, max, &m->horizon_max) == STATUS_OK && !(m->horizon_max >= m->horizon_min))
        spec_error(r->diag, max, "must be at least \"min\", got %.15g", m->horizon_max);
    m->horizon = isfinite(m->horizon_max) ? 0.5 * (m->horizon_min + m->horizon_max) : m->horizon_min;
    if (guess && reader_finite(r, guess, &m->horizon) == STATUS_OK
        && !(m->horizon >= m->horizon_min && m->horizon <= m->horizon_max))
        spec_error(r->diag, guess, "lies outside [%.15g, %.15g]", m->horizon_min, m->horizon_max);
}

static void read_horizon(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    m->horizon_pos = node->pos;
    if (node->kind == SPEC_MAPPING) {
        read_free_horizon(r, node);
        m->T_sym = expr_sym(r->g, "horizon");
        return;
    }
    m->horizon = 1;
    if (reader_finite(r, node, &m->horizon) == STATUS_OK && !(m->horizon > 0)) {
        spec_error(r->diag, node, "must be above 0, got %.15g", m->horizon);
        m->horizon = 1;
    }
    m->horizon_min = m->horizon_max = m->horizon;
    m->T_sym = expr_const(r->g, m->horizon);
}

static void read_elements(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    const int n = m->n_intervals > 0 ? m->n_intervals : 1;
    m->elements = arena_alloc(r->mem, (size_t)n, sizeof *m->elements);
    int common = DEFAULT_ELEMENTS;
    if (node && node->kind != SPEC_SEQUENCE)
        reader_int(r, node, 1, MAX_ELEMENTS, &common);
    for (int i = 0; i < n; i++)
        m->elements[i] = common;
    if (!node || node->kind != SPEC_SEQUENCE)
        return;
    if (m->n_intervals == 0)
        spec_error(r->diag, node, "a list has one number per interval: \"intervals\" is missing");
    else if (node->n != n)
        spec_error(r->diag, node, "a list has one number per interval: %d are needed, not %d", n, node->n);
    for (int i = 0; i < node->n && i < n; i++)
        reader_int(r, node->child[i], 1, MAX_ELEMENTS, &m->elements[i]);
}

void model_read_time(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "time");
    if (block)
        shape_check_keys(r->diag, block, &model_time_shape);
    const struct spec_node *horizon = spec_get(block, "horizon"), *intervals = spec_get(block, "intervals");
    m->horizon = NAN;
    m->T_sym = expr_const(r->g, 1);             /* nothing may depend on a horizon that is not given */
    if (m->n_phase) {
        model_read_lengths(r);
        read_elements(r, spec_get(block, "elements"));
        return;
    }
    if (horizon)
        read_horizon(r, horizon);
    if (!intervals || reader_int(r, intervals, 1, MAX_INTERVALS, &m->n_intervals) == STATUS_OK)
        read_elements(r, spec_get(block, "elements"));
    else
        read_elements(r, NULL);

    const struct srcpos pos = block ? block->pos : r->root->pos;
    if (!horizon && (r->need == MODEL_FOR_SOLVE || r->need == MODEL_FOR_SIMULATE))
        diag_error(r->diag, pos, "time", "\"horizon\" is missing (s, or {min:, max:, guess:} if it is free)");
    if (!intervals && r->need == MODEL_FOR_SOLVE)
        diag_error(r->diag, pos, "time", "\"intervals\" is missing (the number of control intervals, as 20)");
}
