/* core/model/variables.c - states and controls: bounds, values at both ends, guesses */
#include "core/base/mem.h"
#include "core/model/read.h"
#include "core/model/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void variables_add(struct reader *r, const struct spec_node *node, const char *name, int *n, struct model_var *var,
                   expr *sym)
{
    struct spec_node named = *node;
    named.key = name;
    const int prefix = (int)(strlen(node->path) - strlen(node->key));
    named.path = strcmp(name, node->key) == 0 ? node->path : arena_printf(r->mem, "%.*s%s", prefix, node->path, name);
    reader_check_name(r, &named);
    var[*n] = (struct model_var){ .name = name, .units = "", .long_name = "", .path = node->path, .pos = node->key_pos,
                                  .lb = -INFINITY, .ub = INFINITY, .guess = NAN, .size = NAN,
                                  .initial = { END_MISSING, 0, 0, node->key_pos },
                                  .final = { END_FREE, 0, 0, node->key_pos } };
    sym[(*n)++] = expr_sym(r->g, name);
}

/* Held controls have up to two states each, loads two. */
static void allocate(struct reader *r, int n_states, int n_controls, int n_loads)
{
    struct model *m = r->model;
    const size_t n_x = (size_t)(n_states + 2 * n_controls + 2 * n_loads), n_u = (size_t)(n_controls + m->n_phase);
    m->load = arena_alloc(r->mem, (size_t)n_loads, sizeof *m->load);
    m->x = arena_alloc(r->mem, n_x, sizeof *m->x);
    m->x_sym = arena_alloc(r->mem, n_x, sizeof *m->x_sym);
    m->u = arena_alloc(r->mem, n_u, sizeof *m->u);
    m->u_sym = arena_alloc(r->mem, n_u, sizeof *m->u_sym);
    m->held = arena_alloc(r->mem, n_u, sizeof *m->held);
    m->impulse = arena_alloc(r->mem, (size_t)n_controls, sizeof *m->impulse);
    r->impulse_node = arena_alloc(r->mem, (size_t)n_controls, sizeof *r->impulse_node);
}

static void collect(struct reader *r, const struct spec_node *states, const struct spec_node *controls)
{
    struct model *m = r->model;
    allocate(r, states ? states->n : 0, controls ? controls->n : 0, load_count(r));
    for (int k = 0; states && k < states->n; k++)
        variables_add(r, states->child[k], states->child[k]->key, &m->n_x, m->x, m->x_sym);
    for (int k = 0; controls && k < controls->n; k++) {
        const struct spec_node *node = controls->child[k];
        const int order = held_order(node);
        if (impulse_is_meant(node))
            impulse_collect(r, node);
        else if (order > 0)
            held_collect(r, node, order);
        else
            variables_add(r, node, node->key, &m->n_u, m->u, m->u_sym);
    }
    load_collect(r);
}

/* Their controls: 1 in the phase, and at the guess in the first one. */
static void collect_phases(struct reader *r)
{
    struct model *m = r->model;
    r->n_plain_u = m->n_u;
    for (int k = 0; k < m->n_phase; k++) {
        m->phase[k].u = m->n_u;
        struct model_var *u = &m->u[m->n_u];
        variables_add(r, r->phase_node[k], r->phase_node[k]->key, &m->n_u, m->u, m->u_sym);
        u->lb = 0;
        u->ub = 1;
        u->guess = k == 0;
        u->long_name = "1 in this phase, else 0";
        u->initial.kind = END_FREE;
    }
}

/* Symbols of the states at the two ends, for boundary constraints. */
static expr *end_symbols(struct reader *r, const char *fmt)
{
    const struct model *m = r->model;
    expr *sym = arena_alloc(r->mem, (size_t)m->n_x, sizeof *sym);
    for (int k = 0; k < m->n_x; k++)
        sym[k] = expr_sym(r->g, arena_printf(r->mem, "%s(%s)", fmt, m->x[k].name));
    return sym;
}

void model_collect_variables(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *states = reader_block(r, r->root, "states");
    collect(r, states, reader_block(r, r->root, "controls"));
    collect_phases(r);
    m->x_initial_sym = end_symbols(r, "initial");
    m->x_final_sym = end_symbols(r, "final");
    if (!reader_given(r->root, "states"))
        spec_error(r->diag, r->root, "\"states\" is missing: a system has states");
    else if (states && m->n_x == 0)
        spec_error(r->diag, states, "a system has at least one state");
}

/* A value, a range [lo, hi] or the word free. */
static void read_end(struct reader *r, const struct spec_node *node, struct model_end *end)
{
    if (!node || node->kind == SPEC_NULL)
        return;
    end->pos = node->pos;
    if (node->kind == SPEC_SCALAR && strcmp(node->text, "free") == 0) {
        end->kind = END_FREE;
        return;
    }
    if (node->kind == SPEC_SEQUENCE) {
        const enum status st = reader_range(r, node, &end->lo, &end->hi);
        end->kind = st != STATUS_OK ? END_FREE : end->lo < end->hi ? END_RANGE : END_FIXED;
        return;
    }
    end->kind = reader_finite(r, node, &end->lo) == STATUS_OK ? END_FIXED : END_FREE;
    end->hi = end->lo;
}

/* The solver holds the bounds at both ends too: a value that they exclude has no solution. */
static void check_end(struct reader *r, const struct model_var *var, const struct model_end *end, const char *word)
{
    if (r->need != MODEL_FOR_SOLVE && r->need != MODEL_FOR_CHECK)
        return;
    if (end->kind == END_FIXED && !(end->lo >= var->lb && end->lo <= var->ub))
        diag_error(r->diag, end->pos, var->path, "%s value %.15g lies outside the bounds [%.15g, %.15g]", word,
                   end->lo, var->lb, var->ub);
    if (end->kind == END_RANGE && !(end->lo <= var->ub && end->hi >= var->lb))
        diag_error(r->diag, end->pos, var->path, "%s range [%.15g, %.15g] lies outside the bounds [%.15g, %.15g]",
                   word, end->lo, end->hi, var->lb, var->ub);
}

void variables_read_but_guess(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    const struct spec_node *bounds = spec_get(node, "bounds"), *scale = spec_get(node, "scale");
    reader_size(r, scale, &var->size);
    var->units = reader_word(r, node, "units");
    var->long_name = reader_word(r, node, "long_name");
    if (bounds && bounds->kind != SPEC_NULL)
        reader_range(r, bounds, &var->lb, &var->ub);
}

void variables_read_common(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    const struct spec_node *guess = spec_get(node, "guess");
    variables_read_but_guess(r, node, var);
    if (guess && guess->kind != SPEC_NULL)
        reader_finite(r, guess, &var->guess);
}

void variables_read_ends(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    read_end(r, spec_get(node, "initial"), &var->initial);
    read_end(r, spec_get(node, "final"), &var->final);
    check_end(r, var, &var->initial, "the initial");
    check_end(r, var, &var->final, "the final");
}

static void read_state(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    if (node->kind != SPEC_NULL && shape_check_keys(r->diag, node, &model_state_shape) != STATUS_OK
        && node->kind != SPEC_MAPPING) {
        var->initial.kind = END_FREE;           /* said enough about this one */
        return;
    }
    variables_read_common(r, node, var);
    variables_read_ends(r, node, var);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All that a control may be; its bounds are the ends. */
static void read_values(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    const struct spec_node *list = spec_get(node, "values");
    if (!list)
        return;
    if (list->kind != SPEC_SEQUENCE || list->n < 2) {
        spec_error(r->diag, list, "expected two numbers or more, as [0, 1]");
        return;
    }
    if (r->model->n_phase) {
        spec_error(r->diag, list, "with phases of the spec's own a control has no values: say what it is in each, as "
                   "constraints: {on: u == 1}");
        return;
    }
    double *value = arena_alloc(r->mem, (size_t)list->n, sizeof *value);
    for (int k = 0; k < list->n; k++)
        if (reader_finite(r, list->child[k], &value[k]) != STATUS_OK)
            return;
    qsort(value, (size_t)list->n, sizeof *value, ascending);
    for (int k = 1; k < list->n; k++)
        if (value[k] == value[k - 1])
            spec_error(r->diag, list, "%.15g stands there twice", value[k]);
    if (spec_get(node, "bounds"))
        spec_error(r->diag, spec_get(node, "bounds"), "\"values\" say what it may be: no \"bounds\" beside them");
    var->n_value = list->n;
    var->value = value;
    var->lb = value[0];
    var->ub = value[list->n - 1];
}

static void read_control(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    var->initial.kind = END_FREE;
    if (node->kind == SPEC_NULL || (shape_check_keys(r->diag, node, &model_control_shape) != STATUS_OK
                                    && node->kind != SPEC_MAPPING))
        return;
    variables_read_common(r, node, var);
    read_values(r, node, var);
    if (spec_get(node, "hold"))
        reader_choice(r, spec_get(node, "hold"), model_hold_words);
    static const char *const of_held[] = { "rate", "initial", "final" };
    for (size_t i = 0; i < sizeof of_held / sizeof *of_held; i++)
        if (spec_get(node, of_held[i]))
            spec_error(r->diag, spec_get(node, of_held[i]), "\"%s\" is of controls with hold: linear or spline; this "
                       "one jumps from interval to interval", of_held[i]);
}

void model_read_variables(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *states = reader_block(r, r->root, "states");
    const struct spec_node *controls = reader_block(r, r->root, "controls");
    for (int k = 0; states && k < states->n; k++)
        read_state(r, states->child[k], &m->x[k]);
    for (int k = 0, i = 0, held = 0; controls && i < controls->n; i++) {
        if (impulse_is_meant(controls->child[i]))
            continue;                   /* impulses.c */
        if (held < m->n_held && m->held[held].u == k)
            held_read(r, controls->child[i], &m->held[held++]);
        else
            read_control(r, controls->child[i], &m->u[k]);
        k++;
    }
}

bool model_has_goal(const struct model *model)
{
    for (int i = 0; i < model->n_x; i++)
        if (model->x[i].final.kind == END_FIXED && model->x[i].initial.kind == END_FIXED)
            return true;
    return false;
}

bool model_has_values(const struct model *model)
{
    for (int k = 0; k < model->n_u; k++)
        if (model->u[k].n_value)
            return true;
    return false;
}

double model_var_guess(const struct model_var *var)
{
    double guess = var->guess;
    if (isnan(guess) && var->initial.kind == END_FIXED)
        guess = var->initial.lo;
    if (isnan(guess) && var->initial.kind == END_RANGE)
        guess = isfinite(var->initial.lo) && isfinite(var->initial.hi)
                    ? 0.5 * (var->initial.lo + var->initial.hi)
                    : fmin(fmax(0, var->initial.lo), var->initial.hi);
    if (isnan(guess))
        guess = 0;
    return fmin(fmax(guess, var->lb), var->ub);
}

double model_value_at_end(const struct model *model, expr e, bool at_start)
{
    int n = 0;
    expr *sym = mem_alloc((size_t)model->n_x + 1, sizeof *sym);
    double *value = mem_alloc((size_t)model->n_x + 1, sizeof *value);
    for (int i = 0; i < model->n_x; i++) {
        const struct model_end *end = at_start ? &model->x[i].initial : &model->x[i].final;
        if (end->kind == END_FIXED) {
            sym[n] = model->x_sym[i];
            value[n++] = end->lo;
        }
    }
    if (at_start || !model->horizon_free) {
        sym[n] = model->t_sym;
        value[n++] = at_start ? 0 : model->horizon;
    }
    const double out = expr_is_of(model->graph, e, n, sym) ? expr_eval(model->graph, e, n, sym, value) : NAN;
    free(sym);
    free(value);
    return out;
}
