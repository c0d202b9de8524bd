#include "core/output/trajectory.h"

#include "core/base/mem.h"
#include "core/model/inputs.h"

#include <stdlib.h>

struct trajectory {
    const struct model *model;
    int n, cap, n_column;
    struct layout_point *point;     /* [cap] */
    double *column;                 /* [cap * n_column] */
    struct function shown;          /* controls; per contact gap, v_n, v_t..; outputs */
};

static struct function shown_function(const struct model *model, const double *p, const expr *u_expr)
{
    expr *out = mem_alloc((size_t)columns_count(model), sizeof *out);
    int n = 0;
    for (int k = 0; k < model->n_u; k++)
        out[n++] = u_expr && u_expr[k] != EXPR_NONE ? u_expr[k] : model->u_sym[k];
    for (int c = 0; c < model->n_contact; c++) {
        out[n++] = model->contact[c].gap;
        out[n++] = model->contact[c].v_n;
        for (int k = 0; k < model->contact[c].n_t; k++)
            out[n++] = model->contact[c].v_t[k];
    }
    for (int k = 0; k < model->n_output; k++)
        out[n++] = model->output[k].e;
    const struct function shown = function_create(model, p, n, out);
    free(out);
    return shown;
}

struct trajectory *trajectory_create(const struct model *model, const double *p, const expr *u_expr)
{
    struct trajectory *tr = mem_alloc(1, sizeof *tr);
    tr->model = model;
    tr->n_column = columns_count(model);
    tr->shown = shown_function(model, p, u_expr);
    return tr;
}

void trajectory_free(struct trajectory *tr)
{
    if (!tr)
        return;
    function_free(&tr->shown);
    free(tr->point);
    free(tr->column);
    free(tr);
}

void trajectory_clear(struct trajectory *tr)
{
    tr->n = 0;
}

int trajectory_n(const struct trajectory *tr)
{
    return tr->n;
}

const double *trajectory_columns(const struct trajectory *tr)
{
    return tr->column;
}

static double *new_point(struct trajectory *tr, struct layout_point point)
{
    if (tr->n == tr->cap) {
        tr->cap = tr->cap ? 2 * tr->cap : 256;
        tr->point = mem_resize(tr->point, (size_t)tr->cap, sizeof *tr->point);
        tr->column = mem_resize(tr->column, (size_t)tr->cap * (size_t)tr->n_column, sizeof *tr->column);
    }
    tr->point[tr->n] = point;
    return tr->column + (size_t)tr->n++ * (size_t)tr->n_column;
}

void trajectory_add(struct trajectory *tr, double t, int element, int side, const double *x, const double *u,
                    const double *force)
{
    const struct model *model = tr->model;
    const double *from = function_eval(&tr->shown, t, x, u);
    double *to = new_point(tr, (struct layout_point){ t, t, element, -1, side, true });
    for (int i = 0; i < model->n_x; i++)
        *to++ = x[i];
    for (int k = 0; k < model->n_u; k++)
        *to++ = *from++;
    for (int c = 0; c < model->n_contact; c++) {
        const int n_t = model->contact[c].n_t;
        for (int k = 0; k < 2 + n_t; k++)
            *to++ = *from++;
        for (int k = 0; k < 1 + n_t; k++)
            *to++ = force[3 * c + k];
    }
    for (int k = 0; k < model->n_output; k++)
        *to++ = *from++;
}

/* --- Into the result -------------------------------------------------------------------------------------- */

void trajectory_write(const struct trajectory *tr, const struct layout *to)
{
    layout_trajectory(to, tr->n, tr->point, tr->column);
}

void trajectory_write_uniform(const struct trajectory *tr, const struct layout *to, const char *path)
{
    double *t = mem_alloc((size_t)tr->n, sizeof *t);
    for (int k = 0; k < tr->n; k++)
        t[k] = tr->point[k].t;
    layout_uniform(to, path, tr->n, t, tr->column);
    free(t);
}
