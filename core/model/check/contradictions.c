#include "core/model/check/contradictions.h"

#include <math.h>
#include <stdlib.h>

#define SLACK 1e-9                  /* of a limit, at least of 1 */

/* A range of values of e at the places `at`; where it was written. */
struct demand { expr e; int at; double lo, hi; struct srcpos pos; const char *path; };

static bool are_apart(double lo, double hi)
{
    return lo > hi + SLACK * fmax(1, fabs(hi));
}

/* The range of b as one of a.e; false: it is about something else, or other places. */
static bool is_about(const struct model *m, const struct demand *a, const struct demand *b, double *lo, double *hi)
{
    const bool same = a->e == b->e, negative = !same && b->e == expr_neg(m->graph, a->e);
    *lo = negative ? -b->hi : b->lo;
    *hi = negative ? -b->lo : b->hi;
    return (same || negative) && ((a->at & b->at) || (a->at == 0 && b->at == 0));
}

static void compare(const struct model *m, const struct demand *a, const struct demand *b, struct diag *diag)
{
    double lo, hi;
    if (!is_about(m, a, b, &lo, &hi) || !(are_apart(a->lo, hi) || are_apart(lo, a->hi)))
        return;
    char *text = expr_to_words(m->graph, a->e);
    diag_add(diag, DIAG_WARNING, STATUS_OK, a->pos, a->path, "cannot hold together with %s in line %d: %s is to be at least %g and at "
             "most %g there", b->path, b->pos.line, text, fmax(a->lo, lo), fmin(a->hi, hi));
    free(text);
}

static struct demand demand_of(const struct model_constraint *c)
{
    return (struct demand){ c->e, c->at & ~AT_TIMES, c->lb, c->ub, c->pos, c->path };
}

/* At places that are known: not those of a phase by the user, nor at times of its own. */
static bool is_everywhere(const struct model_constraint *c)
{
    return c->end == 0 && (c->at == 0 || c->at & ~AT_TIMES);
}

/* Ranges; values that are given are looked at where constraints are read. */
static void compare_ends(const struct model *m, const struct demand *a, struct diag *diag)
{
    for (int i = 0; i < m->n_x; i++) {
        const struct model_var *x = &m->x[i];
        const struct demand first = { m->x_sym[i], AT_INITIAL, x->initial.lo, x->initial.hi, x->pos, x->path };
        const struct demand last = { m->x_sym[i], AT_FINAL, x->final.lo, x->final.hi, x->pos, x->path };
        if (x->initial.kind == END_RANGE)
            compare(m, a, &first, diag);
        if (x->final.kind == END_RANGE)
            compare(m, a, &last, diag);
    }
}

void model_check_contradictions(const struct model *model, struct diag *diag)
{
    for (int k = 0; k < model->constraints.n_constraint; k++) {
        const struct demand one = demand_of(&model->constraints.constraint[k]);
        if (!is_everywhere(&model->constraints.constraint[k]))
            continue;
        for (int j = 0; j < k; j++) {
            const struct demand other = demand_of(&model->constraints.constraint[j]);
            if (is_everywhere(&model->constraints.constraint[j]))
                compare(model, &one, &other, diag);
        }
        if (one.at)
            compare_ends(model, &one, diag);
    }
}
