#include "core/output/trajectory.h"

#include "core/base/mem.h"

#include <stdlib.h>
#include <string.h>

struct trajectory trajectory_create(const struct model *model, const double *p, const expr *u_expr)
{
    expr *shown = mem_alloc((size_t)columns_n_shown(model), sizeof *shown);
    const int n = columns_expressions(model, u_expr, shown);
    const struct trajectory tr = { .model = model, .shown = function_create(model, p, n, shown) };
    free(shown);
    return tr;
}

void trajectory_free(struct trajectory *tr)
{
    function_free(&tr->shown);
    free(tr->points.point);
    free(tr->points.column);
}

void trajectory_add(struct trajectory *tr, struct trajectory_place place, const double *x, const double *u,
                    const double *force, const double *signal)
{
    const double t = place.t;
    double *row = layout_add_point(tr->model, &tr->points,
                                   (struct layout_point){ t, t, place.element, -1, place.side, true, 1 });
    memcpy(row, x, (size_t)tr->model->n_x * sizeof *row);
    inputs_set_forces(&tr->shown.inputs, force, NULL);
    columns_fill(tr->model, function_eval(&tr->shown, t, x, u), force, signal, row);
}
