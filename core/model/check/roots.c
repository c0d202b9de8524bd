#include "core/model/check/roots.h"

#include "core/expression/degree.h"

#include <stdlib.h>

static expr without_number(const struct expr_graph *g, expr e)
{
    expr rest;
    (void)expr_multiple(g, e, &rest);
    return rest;
}

/* Is e a root of an abs, or a power of one below 1? */
static bool is_root_of_abs(const struct expr_graph *g, expr e)
{
    const enum expr_op op = expr_op_of(g, e);
    double power = 0.5;
    if (op != EXPR_SQRT && !(op == EXPR_POW && expr_is_const(g, expr_arg(g, e, 1), &power)))
        return false;
    return power > 0 && power < 1 && expr_op_of(g, without_number(g, expr_arg(g, e, 0))) == EXPR_ABS;
}

static void warn(const struct model *m, expr root, struct diag *diag)
{
    const struct expr_graph *g = m->graph;
    const expr size = without_number(g, expr_arg(g, root, 0));
    struct srcpos pos = expr_pos(g, root);
    if (!pos.file)
        pos = expr_pos(g, size);
    char *text = expr_to_words(g, root), *d = expr_to_words(g, expr_arg(g, size, 0));
    diag_add(diag, DIAG_WARNING, STATUS_OK, pos, NULL, "%s has an infinite slope where %s is 0, where solvers and simulations "
             "stop: with d = %s write d/(d^2 + 1e-6)^0.25 for sign(d)*sqrt(abs(d)), and (d^2 + 1e-6)^0.25 for sqrt(abs(d))",
             text, d, d);
    free(text);
    free(d);
}

void model_check_roots(const struct model *model, struct diag *diag)
{
    const int n = expr_n_nodes(model->graph);
    for (expr e = 0; e < n; e++)
        if (is_root_of_abs(model->graph, e))
            warn(model, e, diag);
}
