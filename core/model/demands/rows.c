/* Room for constraints that come one by one. */
#include "core/model/demands/read.h"

/* Room for n more. */
void reader_make_constraint_room(struct reader *r, int n)
{
    struct model *m = r->model;
    const struct model_constraint *before = m->constraints.constraint;
    m->constraints.constraint = arena_alloc(r->mem, (size_t)(m->constraints.n_constraint + n),
                                            sizeof *m->constraints.constraint);
    for (int k = 0; k < m->constraints.n_constraint; k++)
        m->constraints.constraint[k] = before[k];
    const struct model_conditional *conditional = m->constraints.conditional;
    m->constraints.conditional = arena_alloc(r->mem, (size_t)(m->constraints.n_conditional + n),
                                             sizeof *m->constraints.conditional);
    for (int k = 0; k < m->constraints.n_conditional; k++)
        m->constraints.conditional[k] = conditional[k];
    const struct model_constraint *limit = m->constraints.impact;
    m->constraints.impact = arena_alloc(r->mem, (size_t)(m->constraints.n_impact + n),
                                        sizeof *m->constraints.impact);
    for (int k = 0; k < m->constraints.n_impact; k++)
        m->constraints.impact[k] = limit[k];
}
