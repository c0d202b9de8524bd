#include "core/model/check/tables.h"

#include "core/model/tables.h"

#include <math.h>
#include <stdlib.h>

static bool is_symbol(const struct model *m, expr e)
{
    return expr_op_of(m->graph, e) == EXPR_SYM;
}

static void report(const struct model *m, const struct model_table_use *use, struct interval range,
                   struct diag *diag)
{
    const struct model_table *table = &m->tables.table[use->table];
    const double lo = table->at[use->axis][0], hi = table->at[use->axis][table->n[use->axis] - 1];
    const bool is_bounded = isfinite(range.lo) || isfinite(range.hi);
    const enum diag_level level =
        !use->is_kept || (is_symbol(m, use->arg) && is_bounded) ? DIAG_WARNING : DIAG_NOTE;
    char *text = expr_to_words(m->graph, use->arg);
    diag_add(diag, level, STATUS_OK, use->pos, use->path, "%s may be from %.6g to %.6g, and table \"%s\" goes from "
             "%.6g to %.6g in %s: %s; else write outside: constant, or linear", text, range.lo, range.hi, table->name, lo, hi,
             table->arg[use->axis], use->is_kept ? "solve keeps it there by a constraint"
             : "no constraint keeps it there, as it is not smooth or not of one time");
    free(text);
}

void model_check_tables(const struct model *model, struct diag *diag)
{
    for (int k = 0; k < model->tables.n_use; k++) {
        const struct model_table_use *use = &model->tables.use[k];
        const struct model_table *table = &model->tables.table[use->table];
        const struct interval range = model_table_reach(model, use);
        if (table->outside == TABLE_REFUSE && !expr_depends(model->graph, use->arg, 1, &model->broken)
            && !model_table_holds(table, use->axis, range))
            report(model, use, range, diag);
    }
}
