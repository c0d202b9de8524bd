#include "core/model/variables.h"

#include <math.h>
#include <string.h>

/* --- Which ones ----------------------------------------------------------------------------------------------- */

static int find_variable(int n, const struct model_var *var, const char *name)
{
    for (int k = 0; k < n; k++)
        if (strcmp(var[k].name, name) == 0)
            return k;
    return -1;
}

int model_find_state(const struct model *m, const char *name)
{
    return find_variable(m->n_x, m->x, name);
}

int model_find_control(const struct model *m, const char *name)
{
    return find_variable(m->n_u, m->u, name);
}

const struct model_held *model_find_held(const struct model *model, int i)
{
    for (int k = 0; k < model->n_held; k++)
        if (i >= model->held[k].x && i < model->held[k].x + model->held[k].order)
            return &model->held[k];
    return NULL;
}

bool model_has_goal(const struct model *model)
{
    for (int i = 0; i < model->n_x; i++)
        if (model->x[i].final.kind == END_FIXED && model->x[i].initial.kind == END_FIXED)
            return true;
    return false;
}

bool model_has_values(const struct model *model)
{
    for (int k = 0; k < model->n_u; k++)
        if (model->u[k].n_value)
            return true;
    return false;
}

/* --- Guesses -------------------------------------------------------------------------------------------------- */

void model_p_guess(const struct model *model, double *p)
{
    for (int k = 0; k < model->n_p; k++)
        p[k] = model->param[model->p_param[k]].value;
}

double model_var_guess(const struct model_var *var)
{
    double guess = var->guess;
    if (isnan(guess) && var->initial.kind == END_FIXED)
        guess = var->initial.lo;
    if (isnan(guess) && var->initial.kind == END_RANGE)
        guess = isfinite(var->initial.lo) && isfinite(var->initial.hi)
                    ? 0.5 * (var->initial.lo + var->initial.hi)
                    : fmin(fmax(0, var->initial.lo), var->initial.hi);
    if (isnan(guess))
        guess = 0;
    return fmin(fmax(guess, var->lb), var->ub);
}

/* --- Sizes ---------------------------------------------------------------------------------------------------- */

/* The larger of two sizes, either of which may not be known (NAN) or say nothing (0, infinite). */
static double larger(double size, double other)
{
    return isfinite(other) && other != 0 ? fmax(size, fabs(other)) : size;
}

static double of_end(double size, const struct model_end *end)
{
    return end->kind == END_FIXED || end->kind == END_RANGE ? larger(larger(size, end->lo), end->hi) : size;
}

/* Bounds on both sides say how large it is, one of them little. */
double model_var_size(const struct model_var *var)
{
    if (!isnan(var->size))
        return var->size;
    if (isfinite(var->lb) && isfinite(var->ub))
        return larger(larger(NAN, var->lb), var->ub);
    return of_end(of_end(larger(NAN, var->guess), &var->initial), &var->final);
}

double model_param_size(const struct model_param *param)
{
    if (!isnan(param->size))
        return param->size;
    return isfinite(param->lb) && isfinite(param->ub) ? larger(larger(NAN, param->lb), param->ub)
                                                      : larger(NAN, param->value);
}

bool model_is_noted(const struct model *model, int i)
{
    const int place = i - model->constraints.first_noted;
    return place >= 0 && place < model->constraints.n_noted;
}
