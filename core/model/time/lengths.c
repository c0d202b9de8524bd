/* Phases by the user: how many, and how long; their lengths and intervals make the horizon. */
#include "core/model/time/read.h"

#include "core/model/shapes.h"

#include <math.h>

enum { MAX_INTERVALS = 1000000 };

void model_collect_phases(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "phases");
    const int n = block ? block->n : 0;
    m->time.phase = arena_alloc(r->mem, (size_t)n, sizeof *m->time.phase);
    r->phase_node = arena_alloc(r->mem, (size_t)n, sizeof *r->phase_node);
    for (int k = 0; k < n; k++) {
        const struct spec_node *node = block->child[k];
        r->phase_node[k] = node;
        m->time.phase[k] = (struct model_phase){ .name = node->key, .path = node->path, .pos = node->key_pos,
                                                 .p = -1, .length = 1, .n_interval = 1, .until = EXPR_NONE };
    }
    m->time.n_phase = n;
    if (block && n == 0)
        spec_error(r->diag, block, "names no phase: {name: {length: 0.5, intervals: 5}}");
}

/* What its parameter has become: a number, or an optimized one. */
static void find_length(struct reader *r, struct model_phase *phase, const struct spec_node *length)
{
    const struct model *m = r->model;
    const struct model_param *param = &m->param[phase->param];
    phase->length = param->value;
    for (int k = 0; k < m->n_p; k++)
        if (m->p_sym[k] == param->value_expr)
            phase->p = k;
    if (reader_is_broken(r, param->value_expr))
        phase->length = 1;
    else if (phase->p < 0 && !expr_is_const(r->g, param->value_expr, NULL))
        spec_error(r->diag, length,
                   "must be a number, an optimized parameter by its name, or {min:, max:, guess:}");
    else if (!(param->value > 0 && isfinite(param->value)))
        spec_error(r->diag, length, "must be above 0, got %.15g", param->value);
    else if (phase->p >= 0 && !(m->param[m->p_param[phase->p]].lb > 0))
        spec_error(r->diag, length, "may become %.15g: the least length must be above 0",
                   m->param[m->p_param[phase->p]].lb);
}

static void read_length(struct reader *r, struct model_phase *phase, const struct spec_node *node)
{
    const struct spec_node *length = spec_get(node, "length"), *intervals = spec_get(node, "intervals");
    if (node->kind != SPEC_NULL)
        shape_check_keys(r->diag, node, &model_phase_shape);
    if (node->kind != SPEC_MAPPING && node->kind != SPEC_NULL)
        return;
    if (length)
        find_length(r, phase, length);
    else
        spec_error(r->diag, node, "\"length\" is missing (s, or {min:, max:, guess:} if it is free)");
    if (intervals)
        reader_int(r, intervals, 1, MAX_INTERVALS, &phase->n_interval);
    else
        spec_error(r->diag, node, "\"intervals\" is missing (the number of its control intervals, as 10)");
}

/* The horizon is their sum: a number, or a symbol with bounds. */
static void add_up(struct reader *r)
{
    struct model *m = r->model;
    m->time.horizon = m->time.horizon_min = m->time.horizon_max = 0;
    for (int k = 0; k < m->time.n_phase; k++) {
        struct model_phase *phase = &m->time.phase[k];
        const struct model_param *p = phase->p >= 0 ? &m->param[m->p_param[phase->p]] : NULL;
        phase->first = m->time.n_intervals;
        if (phase->n_interval > MAX_INTERVALS - m->time.n_intervals) {
            diag_error(r->diag, phase->pos, phase->path, "makes more than %d control intervals in all",
                       (int)MAX_INTERVALS);
            phase->n_interval = 1;
        }
        m->time.n_intervals += phase->n_interval;
        m->time.horizon += phase->length;
        m->time.horizon_min += p ? p->lb : phase->length;
        m->time.horizon_max += p ? p->ub : phase->length;
        m->time.horizon_free = m->time.horizon_free || p;
    }
    m->time.n_stretch = m->time.n_phase;
    m->time.stretch = arena_alloc(r->mem, (size_t)m->time.n_phase, sizeof *m->time.stretch);
    for (int k = 0; k < m->time.n_phase; k++) {
        const struct model_phase *phase = &m->time.phase[k];
        m->time.stretch[k] = (struct model_stretch){ phase->first, phase->n_interval,
                                                     phase->p < 0 ? LENGTH_FIXED : phase->p,
                                                     phase->p < 0 ? phase->length : 1 };
    }
    m->T_sym = m->time.horizon_free ? expr_sym(r->g, "horizon") : expr_const(r->g, m->time.horizon);
    m->time.horizon_pos = m->time.phase[0].pos;
}

void model_read_lengths(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *time = spec_get(r->root, "time");
    static const char *const theirs[] = { "horizon", "intervals" };
    for (int k = 0; k < 2; k++)
        if (spec_get(time, theirs[k]))
            spec_error(r->diag, spec_get(time, theirs[k]),
                       "is that of the phases together: write \"%s\" in each of "
                       "them",
                       k ? "intervals" : "length");
    for (int k = 0; k < m->time.n_phase; k++)
        read_length(r, &m->time.phase[k], r->phase_node[k]);
    add_up(r);
}
