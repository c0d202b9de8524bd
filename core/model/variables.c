/* core/model/variables.c - states and controls: bounds, values at both ends, guesses */
#include "core/model/read.h"
#include "core/model/shapes.h"

#include <math.h>
#include <string.h>

/* The names of the block, then those of the phases from `more` on. */
static struct model_var *collect(struct reader *r, const struct spec_node *block, int more, expr **sym, int *count)
{
    const int n_block = block ? block->n : 0, n = n_block + more;
    struct model_var *var = arena_alloc(r->mem, (size_t)n, sizeof *var);
    *sym = arena_alloc(r->mem, (size_t)n, sizeof **sym);
    for (int k = 0; k < n; k++) {
        const struct spec_node *node = k < n_block ? block->child[k] : r->phase_node[k - n_block];
        var[k] = (struct model_var){ .name = node->key, .units = "", .long_name = "", .path = node->path,
                                     .pos = node->key_pos, .lb = -INFINITY, .ub = INFINITY, .guess = NAN,
                                     .initial = { END_MISSING, 0, 0, node->key_pos },
                                     .final = { END_FREE, 0, 0, node->key_pos } };
        reader_check_name(r, node);
        (*sym)[k] = expr_sym(r->g, node->key);
    }
    *count = n;
    return var;
}

/* Their controls: 1 in the phase, and at the guess in the first one. */
static void collect_phases(struct reader *r)
{
    struct model *m = r->model;
    r->n_plain_u = m->n_u - m->n_phase;
    for (int k = 0; k < m->n_phase; k++) {
        struct model_var *u = &m->u[r->n_plain_u + k];
        m->phase[k].u = r->n_plain_u + k;
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
    m->x = collect(r, states, 0, &m->x_sym, &m->n_x);
    m->u = collect(r, reader_block(r, r->root, "controls"), m->n_phase, &m->u_sym, &m->n_u);
    collect_phases(r);
    m->x_initial_sym = end_symbols(r, "initial");
    m->x_final_sym = end_symbols(r, "final");
    if (!spec_get(r->root, "states"))
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

static void read_common(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    const struct spec_node *bounds = spec_get(node, "bounds"), *guess = spec_get(node, "guess");
    var->units = reader_word(r, node, "units");
    var->long_name = reader_word(r, node, "long_name");
    if (bounds && bounds->kind != SPEC_NULL)
        reader_range(r, bounds, &var->lb, &var->ub);
    if (guess && guess->kind != SPEC_NULL)
        reader_finite(r, guess, &var->guess);
}

static void read_state(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    if (node->kind != SPEC_NULL && shape_check_keys(r->diag, node, &model_state_shape) != STATUS_OK
        && node->kind != SPEC_MAPPING) {
        var->initial.kind = END_FREE;           /* said enough about this one */
        return;
    }
    read_common(r, node, var);
    read_end(r, spec_get(node, "initial"), &var->initial);
    read_end(r, spec_get(node, "final"), &var->final);
    check_end(r, var, &var->initial, "the initial");
    check_end(r, var, &var->final, "the final");
}

static void read_control(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    var->initial.kind = END_FREE;
    if (node->kind == SPEC_NULL || (shape_check_keys(r->diag, node, &model_control_shape) != STATUS_OK
                                    && node->kind != SPEC_MAPPING))
        return;
    read_common(r, node, var);
}

void model_read_variables(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *states = reader_block(r, r->root, "states");
    const struct spec_node *controls = reader_block(r, r->root, "controls");
    for (int k = 0; k < m->n_x; k++)
        read_state(r, states->child[k], &m->x[k]);
    for (int k = 0; k < r->n_plain_u; k++)
        read_control(r, controls->child[k], &m->u[k]);
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
