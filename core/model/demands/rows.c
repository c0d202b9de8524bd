/* Room for constraints that come one by one. */
#include "core/model/demands/read.h"

/* Room for n more. */
void reader_make_constraint_room(struct reader *r, int n)
{
    struct model *m = r->model;
    const struct model_constraint *before = m->constraint;
    m->constraint = arena_alloc(r->mem, (size_t)(m->n_constraint + n), sizeof *m->constraint);
    for (int k = 0; k < m->n_constraint; k++)
        m->constraint[k] = before[k];
    const struct model_constraint *limit = m->impact_limit;
    m->impact_limit = arena_alloc(r->mem, (size_t)(m->n_impact_limit + n), sizeof *m->impact_limit);
    for (int k = 0; k < m->n_impact_limit; k++)
        m->impact_limit[k] = limit[k];
}
