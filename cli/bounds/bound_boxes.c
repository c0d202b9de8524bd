#include "cli/bounds/bound_boxes.h"

#include <math.h>

static const double WIDER = 0.25;           /* of how far a motion goes in a state, to either side: its box */
static const double WIDER_CONTROLS = 2;     /* the same of controls without bounds */
static const double STILL = 1e-6;   /* of 1 and of its size: a state that moves less stands still, but for rounding */

/* A box around what the motion does; NAN of what it does not have. */
static void box_around(const struct result *result, const char *name, double wider, double *out_lo, double *out_hi)
{
    const struct result_data *data = result_data_of(result, "/trajectory", name);
    double lo = INFINITY, hi = -INFINITY;
    for (int k = 0; data && k < data->n; k++) {
        lo = fmin(lo, result_value(data, k));
        hi = fmax(hi, result_value(data, k));
    }
    const double size = fmax(1, fmax(fabs(lo), fabs(hi)));
    const double width = hi - lo > STILL * size ? hi - lo : size;
    *out_lo = isfinite(lo) ? lo - wider * width : NAN;
    *out_hi = isfinite(hi) ? hi + wider * width : NAN;
}

void bound_boxes_of(const struct result *result, const struct model *model, struct arena *mem,
                    struct bound_boxes *to)
{
    const size_t n_x = (size_t)model->n_x, n_u = (size_t)model->n_u;
    to->lo = arena_alloc(mem, n_x, sizeof *to->lo);
    to->hi = arena_alloc(mem, n_x, sizeof *to->hi);
    to->u_lo = arena_alloc(mem, n_u, sizeof *to->u_lo);
    to->u_hi = arena_alloc(mem, n_u, sizeof *to->u_hi);
    for (int i = 0; i < model->n_x; i++)
        box_around(result, model->x[i].name, WIDER, &to->lo[i], &to->hi[i]);
    for (int k = 0; k < model->n_u; k++)
        box_around(result, model->u[k].name, WIDER_CONTROLS, &to->u_lo[k], &to->u_hi[k]);
    for (int h = 0; h < model->n_held; h++)
        box_around(result, model->x[model->held[h].x].name, WIDER_CONTROLS, &to->u_lo[model->held[h].u],
                   &to->u_hi[model->held[h].u]);
}
