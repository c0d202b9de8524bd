/* Forces and right-hand sides that differ from phase to phase, as one expression. */
#include "core/model/mechanics/read.h"

/* What a phase says of a state in force or rhs; NULL: nothing. */
static const struct spec_node *given_of(const struct reader *r, int k, const char *kind, const char *state)
{
    return spec_get(spec_get(spec_get(r->phase_node[k], "dynamics"), kind), state);
}

bool reader_phases_give(const struct reader *r, const char *kind, const char *state)
{
    bool all = r->model->time.n_phase > 0;
    for (int k = 0; k < r->model->time.n_phase; k++)
        all = all && given_of(r, k, kind, state);
    return all;
}

/* base in the phases that say nothing else: base (1 - sum of the others) + sum name * theirs. */
expr reader_phases_blend(struct reader *r, const char *kind, const char *state, expr base)
{
    const struct model *m = r->model;
    expr sum = expr_const(r->g, 0), rest = expr_const(r->g, 1);
    for (int k = 0; k < m->time.n_phase; k++) {
        const struct spec_node *node = given_of(r, k, kind, state);
        expr e;
        if (!node)
            continue;
        reader_expr(r, node, &e);
        sum = expr_add(r->g, sum, expr_mul(r->g, m->u_sym[m->time.phase[k].u], e));
        rest = expr_sub(r->g, rest, m->u_sym[m->time.phase[k].u]);
    }
    return reader_phases_give(r, kind, state) ? sum : expr_add(r->g, expr_mul(r->g, base, rest), sum);
}
