/* core/model/demands/table_bounds.c - arguments of tables stay within their axes, by constraints */
#include "core/model/demands/read.h"

#include "core/model/tables.h"

/* Where the argument is one of a point in time, smooth, and of nothing that is known later. */
static bool can_be_kept(struct reader *r, expr arg)
{
    const struct model *m = r->model;
    return !reader_is_broken(r, arg) && expr_find_nonsmooth(r->g, arg) == EXPR_NONE && !quantity_is_impulse(m, arg)
           && !expr_depends(r->g, arg, m->n_x, m->x_initial_sym) && !expr_depends(r->g, arg, m->n_x, m->x_final_sym)
           && !model_find_own_pair(m, arg);
}

static bool varies(struct reader *r, expr arg)
{
    const struct model *m = r->model;
    return expr_depends(r->g, arg, m->n_x, m->x_sym) || expr_depends(r->g, arg, m->n_u, m->u_sym)
           || expr_depends(r->g, arg, 1, &m->t_sym) || quantity_is_force(m, arg);
}

static bool is_kept_already(const struct model *m, const struct model_table_use *use)
{
    for (const struct model_table_use *other = m->tables.use; other < use; other++)
        if (other->is_kept && other->arg == use->arg && other->table == use->table && other->axis == use->axis
            && (other->end == 0 || (other->first == use->first && other->end == use->end)))
            return true;
    return false;
}

void model_bound_tables(struct reader *r)
{
    struct model *m = r->model;
    reader_make_constraint_room(r, m->tables.n_use);
    for (int k = 0; k < m->tables.n_use; k++) {
        struct model_table_use *use = &m->tables.use[k];
        const struct model_table *table = &m->tables.table[use->table];
        if (table->outside != TABLE_REFUSE || !can_be_kept(r, use->arg)
            || model_table_holds(table, use->axis, model_table_reach(m, use)))
            continue;
        use->is_kept = true;
        if (is_kept_already(m, use))
            continue;
        m->constraints.constraint[m->constraints.n_constraint++] = (struct model_constraint){
            .name = arena_printf(r->mem, "%s_%s", table->name, table->arg[use->axis]),
            .path = arena_printf(r->mem, "%s.%s", table->path, table->arg[use->axis]), .pos = use->pos,
            .e = use->arg, .lb = table->at[use->axis][0], .ub = table->at[use->axis][table->n[use->axis] - 1],
            .at = varies(r, use->arg) ? AT_PATH : AT_INITIAL, .first = use->first, .end = use->end,
            .of_forces = quantity_is_force(m, use->arg) };
    }
}
