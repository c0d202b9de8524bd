/* core/model/time/horizon.c - the horizon and how it is cut into control intervals and finite elements */
#include "core/model/time/read.h"

#include "core/expression/names.h"
#include "core/model/shapes.h"
#include "core/model/units.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_ELEMENTS = 3, MAX_INTERVALS = 1000000, MAX_ELEMENTS = 10000 };

/* {min:, max:, guess:}: a free horizon. Without a guess the middle of a finite range, else its lower end. */
static void read_free_horizon(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    const struct spec_node *min = spec_get(node, "min"), *max = spec_get(node, "max");
    const struct spec_node *guess = spec_get(node, "guess");
    m->time.horizon_free = true;
    m->time.horizon_min = 1;
    m->time.horizon_max = INFINITY;
    shape_check_keys(r->diag, node, &model_horizon_shape);
    if (!min)
        spec_error(r->diag, node, "a free horizon needs a \"min\" above 0");
    else if (reader_finite(r, min, &m->time.horizon_min) == STATUS_OK && !(m->time.horizon_min > 0))
        spec_error(r->diag, min, "must be above 0, got %.15g", m->time.horizon_min);
    if (max && reader_number(r, max, &m->time.horizon_max) == STATUS_OK
        && !(m->time.horizon_max >= m->time.horizon_min))
        spec_error(r->diag, max, "must be at least \"min\", got %.15g", m->time.horizon_max);
    m->time.horizon = isfinite(m->time.horizon_max) ? 0.5 * (m->time.horizon_min + m->time.horizon_max)
                                                    : m->time.horizon_min;
    if (guess && reader_finite(r, guess, &m->time.horizon) == STATUS_OK
        && !(m->time.horizon >= m->time.horizon_min && m->time.horizon <= m->time.horizon_max))
        spec_error(r->diag, guess, "lies outside [%.15g, %.15g]", m->time.horizon_min, m->time.horizon_max);
}

static void read_horizon(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    m->time.horizon_pos = node->pos;
    if (node->kind == SPEC_MAPPING) {
        read_free_horizon(r, node);
        m->T_sym = expr_sym(r->g, "horizon");
        return;
    }
    m->time.horizon = 1;
    if (reader_finite(r, node, &m->time.horizon) == STATUS_OK && !(m->time.horizon > 0)) {
        spec_error(r->diag, node, "must be above 0, got %.15g", m->time.horizon);
        m->time.horizon = 1;
    }
    m->time.horizon_min = m->time.horizon_max = m->time.horizon;
    m->T_sym = expr_const(r->g, m->time.horizon);
}

static void read_elements(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    const int n = m->time.n_intervals > 0 ? m->time.n_intervals : 1;
    m->time.elements = arena_alloc(r->mem, (size_t)n, sizeof *m->time.elements);
    int common = DEFAULT_ELEMENTS;
    if (node && node->kind != SPEC_SEQUENCE)
        reader_int(r, node, 1, MAX_ELEMENTS, &common);
    for (int i = 0; i < n; i++)
        m->time.elements[i] = common;
    if (!node || node->kind != SPEC_SEQUENCE)
        return;
    if (m->time.n_intervals == 0)
        spec_error(r->diag, node, "a list has one number per interval: \"intervals\" is missing");
    else if (node->n != n)
        spec_error(r->diag, node, "a list has one number per interval: %d are needed, not %d", n, node->n);
    for (int i = 0; i < node->n && i < n; i++)
        reader_int(r, node->child[i], 1, MAX_ELEMENTS, &m->time.elements[i]);
}

/* The symbol of a unit that is written as a word, NULL if it is none of these. */
static const char *symbol_of(const char *word)
{
    static const char *const symbols[][2] = {
        { "milliseconds", "ms" }, { "seconds", "s" }, { "sec", "s" },  { "minutes", "min" },
        { "hours", "h" },         { "hr", "h" },      { "days", "d" },
    };
    const size_t n = strlen(word);
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++)
        if (strcmp(word, symbols[k][0]) == 0
            || (n > 2 && strncmp(word, symbols[k][0], n) == 0 && !symbols[k][0][n + 1]))
            return symbols[k][1];
    return NULL;
}

void model_read_time_unit(struct reader *r)
{
    const struct spec_node *time = spec_get(r->root, "time"), *node = spec_get(time, "unit");
    const char *text = node && node->kind == SPEC_SCALAR ? node->text : "";
    const struct dimension of = units_read(text);
    r->model->time.unit = "s";
    if (!node)
        return;
    if (!*text || text[strspn(text, UNITS_LETTERS)])
        spec_error(r->diag, node, "expected a unit of time as one word, as ms, s, min, h or d");
    else if (symbol_of(text))
        spec_error(r->diag, node, "write %s for %s", symbol_of(text), text);
    else if (of.known && !units_is_time(&of))
        spec_error(r->diag, node, "%s is a unit, but not of time: expected one as ms, s, min, h or d", text);
    else if (!of.known && names_is_taken(text))
        spec_error(r->diag, node,
                   "\"%s\" means something else in a formula: expected a unit as ms, s, min, h or d", text);
    else
        r->model->time.unit = text;
}

void model_read_time(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *block = reader_block(r, r->root, "time");
    if (block)
        shape_check_keys(r->diag, block, &model_time_shape);
    const struct spec_node *horizon = spec_get(block, "horizon"), *intervals = spec_get(block, "intervals");
    m->time.horizon = NAN;
    m->T_sym = expr_const(r->g, 1);             /* nothing may depend on a horizon that is not given */
    if (m->time.n_phase) {
        model_read_lengths(r);
        read_elements(r, spec_get(block, "elements"));
        return;
    }
    if (horizon)
        read_horizon(r, horizon);
    if (!intervals || reader_int(r, intervals, 1, MAX_INTERVALS, &m->time.n_intervals) == STATUS_OK)
        read_elements(r, spec_get(block, "elements"));
    else
        read_elements(r, NULL);

    const struct srcpos pos = block ? block->pos : r->root->pos;
    if (!horizon && (r->need == MODEL_FOR_SOLVE || r->need == MODEL_FOR_SIMULATE))
        diag_error(r->diag, pos, "time", "\"horizon\" is missing (in %s, or {min:, max:, guess:} if it is free)",
                   m->time.unit);
    if (!intervals && r->need == MODEL_FOR_SOLVE)
        diag_error(r->diag, pos, "time", "\"intervals\" is missing (the number of control intervals, as 20)");
}
