/* core/model/variables/parameters.c - parameters: numbers with names, some of them free for `solve` to choose */
#include "core/model/variables/read.h"

#include "core/base/mem.h"
#include "core/model/shapes.h"

#include <math.h>
#include <stdlib.h>

static void collect(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    reader_check_name(r, node);
    r->param.node[m->n_param] = node;
    m->param[m->n_param++] = (struct model_param){ .name = node->key, .units = "", .long_name = "", .path = node->path,
                                                   .pos = node->key_pos, .value = 1, .lb = -INFINITY, .ub = INFINITY,
                                                   .sym = EXPR_NONE, .value_expr = r->broken, .size = NAN };
}

/* The length of phase k as a parameter: "held_length". */
static void collect_length(struct reader *r, int k)
{
    struct model *m = r->model;
    const struct spec_node *phase = r->phase_node[k], *length = spec_get(phase, "length");
    struct spec_node *node = arena_copy(r->mem, length ? length : phase, 1, sizeof *node);
    node->key = arena_printf(r->mem, "%s_length", phase->key);
    node->key_pos = length ? length->pos : phase->key_pos;
    m->time.phase[k].param = m->n_param;
    collect(r, node);
    m->param[m->n_param - 1].units = m->time.unit;
    m->param[m->n_param - 1].is_length = true;
}

static void read_optimized(struct reader *r, struct model_param *param, const struct spec_node *range,
                           const struct spec_node *value)
{
    param->optimize = true;
    param->sym = expr_sym(r->g, param->name);
    param->value_expr = param->sym;
    const enum status st = reader_range(r, range, &param->lb, &param->ub);
    if (!value) {
        spec_error(r->diag, range, "an optimized parameter needs a value as its guess");
        return;
    }
    if (reader_finite(r, value, &param->value) == STATUS_OK && st == STATUS_OK
        && !(param->value >= param->lb && param->value <= param->ub))
        spec_error(r->diag, value, "the guess %.15g lies outside [%.15g, %.15g]", param->value, param->lb,
                   param->ub);
}

/* A number, an optimized parameter, or {min:, max:, guess:}, which makes it one. */
static void read_length(struct reader *r, const struct spec_node *node, struct model_param *param)
{
    const struct spec_node *min = spec_get(node, "min"), *max = spec_get(node, "max"),
                           *guess = spec_get(node, "guess");
    const struct spec_node *phase = r->phase_node[param - r->model->param - r->n_plain_param];
    if (!spec_get(phase, "length"))
        return;                     /* reported with the phases */
    if (node->kind != SPEC_MAPPING) {
        reader_parameter_expr(r, node, &param->value_expr);
        return;
    }
    param->optimize = true;
    param->sym = param->value_expr = expr_sym(r->g, param->name);
    param->lb = 1;
    shape_check_keys(r->diag, node, &model_horizon_shape);
    if (!min)
        spec_error(r->diag, node, "a free length needs a \"min\" above 0");
    else
        reader_finite(r, min, &param->lb);
    if (max && reader_number(r, max, &param->ub) == STATUS_OK && !(param->ub >= param->lb))
        spec_error(r->diag, max, "must be at least \"min\", got %.15g", param->ub);
    param->value = isfinite(param->ub) ? 0.5 * (param->lb + param->ub) : param->lb;
    if (guess && reader_finite(r, guess, &param->value) == STATUS_OK
        && !(param->value >= param->lb && param->value <= param->ub))
        spec_error(r->diag, guess, "lies outside [%.15g, %.15g]", param->lb, param->ub);
}

static void read_parameter(struct reader *r, int k)
{
    const struct spec_node *node = r->param.node[k];
    struct model_param *param = &r->model->param[k];
    if (param->is_length) {
        read_length(r, node, param);
        return;
    }
    if (node->kind == SPEC_MAPPING) {
        shape_check_keys(r->diag, node, &model_parameter_shape);
        param->units = reader_word(r, node, "units");
        param->long_name = reader_word(r, node, "long_name");
        reader_size(r, spec_get(node, "scale"), &param->size);
    }
    const struct spec_node *value = reader_main(node, "value");
    const struct spec_node *range = spec_get(node, "optimize");
    if (range && range->kind != SPEC_NULL)
        read_optimized(r, param, range, value);
    else if (value)
        reader_parameter_expr(r, value, &param->value_expr);
    else
        spec_error(r->diag, node, "has no value");
}

/* Names first, so that the values may refer to each other in any order. */
void model_collect_parameters(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "parameters");
    const int n = r->n_plain_param = block ? block->n : 0, n_all = n + m->time.n_phase;
    m->param = arena_alloc(r->mem, (size_t)n_all, sizeof *m->param);
    r->param.node = arena_alloc(r->mem, (size_t)n_all, sizeof *r->param.node);
    r->param.state = arena_alloc(r->mem, (size_t)n_all, sizeof *r->param.state);
    r->param.read = read_parameter;
    for (int k = 0; k < n; k++)
        collect(r, block->child[k]);
    for (int k = 0; k < m->time.n_phase; k++)
        collect_length(r, k);
}

static void number_optimized(struct model *m)
{
    m->p_param = arena_alloc(&m->mem, (size_t)m->n_param, sizeof *m->p_param);
    m->p_sym = arena_alloc(&m->mem, (size_t)m->n_param, sizeof *m->p_sym);
    for (int k = 0; k < m->n_param; k++) {
        if (!m->param[k].optimize)
            continue;
        m->p_param[m->n_p] = k;
        m->p_sym[m->n_p++] = m->param[k].sym;
    }
}

void model_read_parameters(struct reader *r)
{
    struct model *m = r->model;
    for (int k = 0; k < m->n_param; k++)
        reader_need_parameter(r, k);
    number_optimized(m);
    double *p = mem_alloc((size_t)m->n_p, sizeof *p);
    model_p_guess(m, p);
    for (int k = 0; k < m->n_param; k++) {
        struct model_param *param = &m->param[k];
        if (param->optimize || reader_is_broken(r, param->value_expr))
            continue;
        param->value = expr_eval(r->g, param->value_expr, m->n_p, m->p_sym, p);
        if (isnan(param->value)) {
            spec_error(r->diag, reader_main(r->param.node[k], "value"), "is not a number (NaN)");
            param->value_expr = r->broken;
        }
    }
    free(p);
}

/* --- Parameters of impulses, which come later ---------------------------------------------------------------- */

/* Room for one more of all that is numbered like parameters. */
static void make_room(struct reader *r)
{
    struct model *m = r->model;
    if (m->n_param < r->cap_param)
        return;
    const size_t n = (size_t)m->n_param, cap = 2 * n + 16;
    r->cap_param = (int)cap;
    struct model_param *param = arena_alloc(r->mem, cap, sizeof *param);
    const struct spec_node **node = arena_alloc(r->mem, cap, sizeof *node);
    enum read_state *state = arena_alloc(r->mem, cap, sizeof *state);
    int *p_param = arena_alloc(r->mem, cap, sizeof *p_param);
    expr *p_sym = arena_alloc(r->mem, cap, sizeof *p_sym);
    for (size_t k = 0; k < n; k++) {
        param[k] = m->param[k];
        node[k] = r->param.node[k];
        state[k] = r->param.state[k];
    }
    for (int k = 0; k < m->n_p; k++) {
        p_param[k] = m->p_param[k];
        p_sym[k] = m->p_sym[k];
    }
    m->param = param;
    m->p_param = p_param;
    m->p_sym = p_sym;
    r->param.node = node;
    r->param.state = state;
}

int reader_add_parameter(struct reader *r, const struct model_var *of, const char *name, const char *units,
                         double lb, double ub, double value)
{
    struct model *m = r->model;
    const bool optimize = lb < ub;
    const struct spec_node named = { .kind = SPEC_SCALAR, .key = name, .path = of->path, .pos = of->pos, .key_pos = of->pos };
    make_room(r);
    reader_check_name(r, &named);
    const expr sym = optimize ? expr_sym(r->g, name) : EXPR_NONE;
    m->param[m->n_param] = (struct model_param){
        .name = name, .units = units, .long_name = "", .path = of->path, .pos = of->pos, .value = value, .optimize = optimize,
        .lb = lb, .ub = ub, .size = of->size, .sym = sym, .value_expr = optimize ? sym : expr_const(r->g, lb) };
    r->param.node[m->n_param] = r->root;
    r->param.state[m->n_param] = READ;
    if (optimize) {
        m->p_param[m->n_p] = m->n_param;
        m->p_sym[m->n_p++] = sym;
    }
    m->impulses.n_param++;
    return m->n_param++;
}
