/* core/model/variables/steps.c - functions of time with steps, as controls that the spec gives
 *
 *   define: {price: {through: {0 h: 0.2, 7 h: 0.5, 22 h: 0.2}, by: steps}}
 *
 * Control intervals begin at the jumps, where the horizon is cut if need be (impulse_grid.c), so that every
 * formula sees one value from the start of an interval to its end.
 */
#include "core/model/variables/read.h"

#include "core/model/shapes.h"
#include "core/model/time/read.h"

#include <math.h>

void steps_count(struct reader *r)
{
    const struct spec_node *block = reader_block(r, r->root, "define");
    struct model_time *time = &r->model->time;
    for (int k = 0; block && k < block->n; k++)
        time->n_steps += reader_steps_are_given(r, block->child[k]);
    time->steps = arena_alloc(r->mem, (size_t)time->n_steps, sizeof *time->steps);
    r->steps_node = arena_alloc(r->mem, (size_t)time->n_steps, sizeof *r->steps_node);
}

void steps_collect(struct reader *r)
{
    const struct spec_node *block = reader_block(r, r->root, "define");
    struct model *m = r->model;
    for (int k = 0, n = 0; block && k < block->n; k++)
        if (reader_steps_are_given(r, block->child[k])) {
            m->time.steps[n] = (struct model_steps){ .u = m->n_u };
            r->steps_node[n++] = block->child[k];
            variables_add(r, block->child[k], block->child[k]->key, &m->n_u, m->u, m->u_sym);
        }
}

/* Jumps as parts of the horizon; bounds of the control are the least and the largest value. */
static void take_points(struct reader *r, const struct time_points *points, struct model_steps *steps)
{
    struct model_var *var = &r->model->u[steps->u];
    const double unit = points->has_unit ? r->model->time.horizon : 1;
    double *part = arena_alloc(r->mem, (size_t)points->n, sizeof *part);
    double *value = arena_alloc(r->mem, (size_t)points->n, sizeof *value);
    var->guess = var->lb = var->ub = points->point[0].y;
    for (int i = 0; i < points->n; i++) {
        part[i] = points->point[i].s / unit;
        value[i] = points->point[i].y;
        var->lb = fmin(var->lb, value[i]);
        var->ub = fmax(var->ub, value[i]);
    }
    *steps = (struct model_steps){ steps->u, points->n, part, value };
}

static void read_steps(struct reader *r, const struct spec_node *node, struct model_steps *steps)
{
    const struct time_points zero = { 1, false, (struct time_point[]){ { 0, 0 } } };
    struct model_var *var = &r->model->u[steps->u];
    struct time_points points;
    bool output;
    shape_check_keys(r->diag, node, &model_define_shape);
    if (spec_get(node, "expr"))
        spec_error(r->diag, spec_get(node, "through"), "either \"expr\" or \"through\", not both");
    if (spec_get(node, "output"))
        reader_bool(r, spec_get(node, "output"), &output);      /* results have it as they have all controls */
    var->units = reader_word(r, node, "units");
    var->long_name = reader_word(r, node, "long_name");
    var->initial.kind = END_FREE;
    if (reader_points(r, node, &points) != STATUS_OK) {
        take_points(r, &zero, steps);
        return;
    }
    reader_keep_points(r, node, &points);
    take_points(r, &points, steps);
}

void model_read_steps(struct reader *r)
{
    for (int k = 0; k < r->model->time.n_steps; k++)
        read_steps(r, r->steps_node[k], &r->model->time.steps[k]);
}
