/* core/model/scope/tables.c - calls of tables in formulas, and their arguments, which must lie within the axes */
#include "core/model/scope/reader.h"

#include "core/base/mem.h"
#include "core/model/tables.h"

#include <stdlib.h>

static void add_use(struct reader *r, int k, int axis, expr arg, expr value, struct srcpos pos)
{
    struct model_tables *tables = &r->model->tables;
    for (int i = 0; i < tables->n_use; i++)
        if (tables->use[i].table == k && tables->use[i].axis == axis && tables->use[i].arg == arg
            && tables->use[i].value == value)
            return;
    if (tables->n_use == tables->cap_use) {
        const struct model_table_use *before = tables->use;
        tables->cap_use = 2 * tables->cap_use + 4;
        tables->use = arena_alloc(r->mem, (size_t)tables->cap_use, sizeof *tables->use);
        for (int i = 0; i < tables->n_use; i++)
            tables->use[i] = before[i];
    }
    const int first = r->phase ? r->phase->first : 0, n_interval = r->phase ? r->phase->n_interval : 0;
    tables->use[tables->n_use++] =
        (struct model_table_use){ k, axis, arg, value, pos, r->path, first, first + n_interval, false };
}

/* A number that the table does not reach. */
static enum status check_number(struct reader *r, const struct model_table *table, int axis, expr arg,
                                struct srcpos pos)
{
    double value;
    if (table->outside != TABLE_REFUSE || !expr_is_const(r->g, arg, &value)
        || model_table_holds(table, axis, (struct interval){ value, value }))
        return STATUS_OK;
    return diag_error(r->diag, pos, r->path,
                      "%s = %.6g lies outside of table \"%s\", which goes from %.6g to %.6g", table->arg[axis],
                      value, table->name, table->at[axis][0], table->at[axis][table->n[axis] - 1]);
}

static expr refuse_count(struct reader *r, const struct model_table *table, int n, struct srcpos pos)
{
    const bool two = table->n_arg == 2;
    diag_error(r->diag, pos, r->path, "table \"%s\" takes %d argument%s, %s(%s%s%s), got %d", table->name,
               table->n_arg, two ? "s" : "", table->name, table->arg[0], two ? ", " : "", two ? table->arg[1] : "",
               n);
    return r->broken;
}

expr reader_call_table(struct reader *r, int k, int n, const expr *arg, struct srcpos pos)
{
    const struct model_table *table = &r->model->tables.table[k];
    if (table->n_arg == 0)
        return r->broken;
    if (n != table->n_arg)
        return refuse_count(r, table, n, pos);
    bool good = true;
    for (int i = 0; i < n; i++)
        good = !reader_is_broken(r, arg[i]) && check_number(r, table, i, arg[i], pos) == STATUS_OK && good;
    if (!good)
        return r->broken;
    const expr value = model_table_value(r->g, table, arg, r->need == MODEL_FOR_SIMULATE);
    for (int i = 0; i < n; i++)
        if (!expr_is_const(r->g, arg[i], NULL))
            add_use(r, k, i, arg[i], value, pos);
    return value;
}

const char *reader_nearest_table(const struct reader *r, const char *name)
{
    const struct model_tables *tables = &r->model->tables;
    const char **candidate = mem_alloc((size_t)tables->n_table, sizeof *candidate);
    for (int k = 0; k < tables->n_table; k++)
        candidate[k] = tables->table[k].name;
    const char *nearest = spec_suggest(name, tables->n_table, candidate);
    free(candidate);
    return nearest;
}
