#include "core/model/steps.h"

#include <math.h>
#include <string.h>

static const double SAME = 1e-12;           /* of the horizon: a row that begins there begins with the jump */

const struct model_steps *model_steps_of(const struct model *model, int k)
{
    const int first = model->n_u - model->time.n_steps;
    return k >= first ? &model->time.steps[k - first] : NULL;
}

double model_steps_value(const struct model_steps *steps, double part)
{
    int k = 0;
    while (k + 1 < steps->n && steps->part[k + 1] <= part)
        k++;
    return steps->value[k];
}

/* --- Rows ---------------------------------------------------------------------------------------------------- */

static bool rows_tell(const struct model *model, const struct model_rows *rows)
{
    bool tell = rows->n > 0;
    for (int row = 0; row < rows->n; row++)
        for (int k = 0; k < model->time.n_steps; k++)
            tell = tell && !isnan(rows->u[(size_t)row * (size_t)model->n_u + (size_t)model->time.steps[k].u]);
    return tell;
}

/* The first jump behind t; INFINITY: none. */
static double next_jump(const struct model *model, double T, double t)
{
    double next = INFINITY;
    for (int k = 0; k < model->time.n_steps; k++)
        for (int i = 1; i < model->time.steps[k].n; i++)
            if (model->time.steps[k].part[i] * T > t + SAME * T)
                next = fmin(next, model->time.steps[k].part[i] * T);
    return next;
}

static void fill_row(const struct model *model, const double *given, double part, double *u)
{
    for (int i = 0; i < model->n_u; i++)
        u[i] = given ? given[i] : NAN;
    for (int k = 0; k < model->time.n_steps; k++)
        u[model->time.steps[k].u] = model_steps_value(&model->time.steps[k], part);
}

struct model_rows model_rows_with_steps(const struct model *model, double T, struct model_rows rows,
                                        struct arena *mem)
{
    const size_t n_u = (size_t)model->n_u;
    size_t most = (size_t)rows.n + 1;
    if (model->time.n_steps == 0 || rows_tell(model, &rows))
        return rows;
    for (int k = 0; k < model->time.n_steps; k++)
        most += (size_t)model->time.steps[k].n;
    double *t = arena_alloc(mem, most, sizeof *t), *u = arena_alloc(mem, most * n_u, sizeof *u);
    int n = 0, row = 0;
    for (double now = rows.n > 0 ? fmin(rows.t[0], 0) : 0; isfinite(now); n++) {
        t[n] = now;
        fill_row(model, rows.n > 0 ? rows.u + (size_t)row * n_u : NULL, now / T + SAME, u + (size_t)n * n_u);
        const double of_row = row + 1 < rows.n ? rows.t[row + 1] : INFINITY, jump = next_jump(model, T, now);
        now = of_row < jump + SAME * T ? of_row : jump;
        row += of_row <= now;
    }
    return (struct model_rows){ n, t, u };
}
