/* core/model/define/define.c - named expressions, and functions of time through given points */
#include "core/model/define/read.h"

#include "core/model/shapes.h"
#include "core/model/time/read.h"

static void add_name(struct reader *r, const struct spec_node *node, const char *name)
{
    struct model *m = r->model;
    r->define.node[m->defines.n_define] = node;
    m->defines.name[m->defines.n_define] = name;
    m->defines.e[m->defines.n_define++] = r->broken;
}

static void collect_name(struct reader *r, const struct spec_node *node)
{
    reader_check_name(r, node);
    add_name(r, node, node->key);
}

/* Gap or reaction of a projection, the k-th of them all, which are defines first, first + 1, ... */
static expr projection_part(struct reader *r, int first, int k)
{
    const struct model_projection *one = &r->model->switching.projection[k / 2];
    const int gap = first + k - k % 2;
    if (k % 2 == 0)
        reader_read_projection(r, k / 2);
    else if (one->is_pair)
        return one->lambda;
    else if (r->define.state[gap] == READING)
        spec_error(r->diag, spec_get(r->define.node[gap], "gap"), "the gap depends on its own reaction");
    else
        reader_need_define(r, gap);
    return k % 2 == 0 ? one->gap : one->lambda;
}

static void read_define(struct reader *r, int k)
{
    struct model *m = r->model;
    const struct spec_node *node = r->define.node[k];
    const int first = r->n_plain + r->n_relay + m->switching.n_signal;
    if (k >= first) {
        m->defines.e[k] = projection_part(r, first, k - first);
        return;
    }
    if (k >= r->n_plain + r->n_relay) {                         /* a signal: a relay without a condition (nonsmooth.h) */
        const expr never = expr_const(r->g, 0);
        expr *state = &m->switching.signal[k - r->n_plain - r->n_relay];
        *state = expr_sym(r->g, node->key);
        m->defines.e[k] = expr_relay(r->g, never, never, *state);
        return;
    }
    if (k >= r->n_plain) {
        reader_read_relay(r, node, &m->switching.hysteresis[m->switching.n_hysteresis++], &m->defines.e[k]);
        return;
    }
    if (node->kind == SPEC_MAPPING)
        shape_check_keys(r->diag, node, &model_define_shape);
    const struct spec_node *e = reader_main(node, "expr"), *through = spec_get(node, "through");
    if (e && through)
        spec_error(r->diag, through, "either \"expr\" or \"through\", not both");
    else if (through)
        reader_through(r, node, &m->defines.e[k]);
    else if (e)
        reader_expr(r, e, &m->defines.e[k]);
    else
        spec_error(r->diag, node, "needs an \"expr\" or points to go \"through\"");
    if (spec_get(node, "by") && !through)
        spec_error(r->diag, spec_get(node, "by"), "\"by\" belongs to \"through\"");
}

void model_collect_defines(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "define");
    const struct spec_node *relays = reader_block(r, r->root, "hysteresis");
    const struct spec_node *projections = reader_block(r, r->root, "projection");
    const struct spec_node **signal = NULL;
    r->n_plain = block ? block->n - m->time.n_steps : 0;        /* steps are controls */
    r->n_relay = relays ? relays->n : 0;
    m->switching.n_signal = reader_list_signals(r, &signal);
    m->switching.n_projection = (projections ? projections->n : 0) + own_pair_count(r);
    const int n = r->n_plain + r->n_relay + m->switching.n_signal + 2 * m->switching.n_projection;
    m->switching.hysteresis = arena_alloc(r->mem, (size_t)r->n_relay, sizeof *m->switching.hysteresis);
    m->switching.projection = arena_alloc(r->mem, (size_t)m->switching.n_projection,
                                          sizeof *m->switching.projection);
    m->switching.signal = arena_alloc(r->mem, (size_t)m->switching.n_signal, sizeof *m->switching.signal);
    m->defines.name = arena_alloc(r->mem, (size_t)n, sizeof *m->defines.name);
    m->defines.e = arena_alloc(r->mem, (size_t)n, sizeof *m->defines.e);
    m->defines.output = arena_alloc(r->mem, (size_t)n, sizeof *m->defines.output);
    r->define.node = arena_alloc(r->mem, (size_t)n, sizeof *r->define.node);
    r->define.state = arena_alloc(r->mem, (size_t)n, sizeof *r->define.state);
    r->define.read = read_define;
    m->defines.points = arena_alloc(r->mem, block ? (size_t)block->n : 0, sizeof *m->defines.points);
    for (int k = 0; block && k < block->n; k++)
        if (!reader_steps_are_given(r, block->child[k]))
            collect_name(r, block->child[k]);
    for (int k = 0; relays && k < relays->n; k++)
        collect_name(r, relays->child[k]);
    for (int k = 0; k < m->switching.n_signal; k++)
        collect_name(r, signal[k]);
    for (int k = 0; k < m->switching.n_projection; k++) {
        const struct spec_node *node = projection_node(r, k);
        const bool is_pair = !projections || k >= projections->n;
        if (is_pair)
            own_pair_name(r, node, &m->switching.projection[k]);
        add_name(r, node, arena_printf(r->mem, is_pair ? "%s.H" : "%s.gap", node->key));
        add_name(r, node, arena_printf(r->mem, "%s.lambda", node->key));
    }
}

static bool has_memory(const struct reader *r, expr e)
{
    for (int k = 0; k < r->model->switching.n_hysteresis; k++)
        if (expr_depends(r->g, e, 1, &r->model->switching.hysteresis[k].state))
            return true;
    return expr_depends(r->g, e, r->model->switching.n_signal, r->model->switching.signal);
}

/* The projection whose reaction e depends on; NULL: none. */
static const struct model_projection *find_reaction(const struct reader *r, expr e)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->switching.n_projection; k++)
        if (m->switching.projection[k].name && expr_depends(r->g, e, 1, &m->switching.projection[k].state))
            return &m->switching.projection[k];
    return NULL;
}

static void add_output(struct reader *r, const struct spec_node *node, const struct spec_node *flag, expr e)
{
    struct model *m = r->model;
    const char *units = reader_word(r, node, "units"), *long_name = reader_word(r, node, "long_name");
    const struct model_projection *one = find_reaction(r, e);
    if (has_memory(r, e))
        spec_error(r->diag, flag, "depends on hysteresis or a machine, which is no function of the states and cannot be "
                                  "an output (/events has the times at which it switches)");
    else if (one)
        spec_error(r->diag, flag,
                   "depends on a reaction, which is no function of the states; results have it as %s_lambda",
                   one->name);
    else
        m->defines.output[m->defines.n_output++] = (struct model_output){ node->key, units, long_name, node->path,
                                                                          node->key_pos, e };
}

void model_read_defines(struct reader *r)
{
    struct model *m = r->model;
    for (int k = 0; k < m->defines.n_define; k++) {
        reader_need_define(r, k);
        if (k >= r->n_plain)
            continue;
        const struct spec_node *node = r->define.node[k];
        const struct spec_node *flag = spec_get(node, "output");
        bool output = false;
        if (flag)
            reader_bool(r, flag, &output);
        if (output)
            add_output(r, node, flag, m->defines.e[k]);
    }
}
