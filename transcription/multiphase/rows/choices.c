#include "transcription/multiphase/rows/choices.h"

#include "core/base/mem.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHOICE_TOL 1e-9             /* by which a combination of values may miss a constraint */
enum { CHOICES_MOST = 64 };         /* combinations of values that are tried where constraints couple them */

/* --- Which there are ------------------------------------------------------------------------------------------- */

bool choices_settle(const struct model *model, const struct model_constraint *constraint)
{
    const expr e = constraint->e;
    bool any = false;
    if (!(constraint->at & (AT_STAGES | AT_ELEMENTS | AT_INTERVALS)) || constraint->end || constraint->of_forces)
        return false;
    if (expr_depends(model->graph, e, model->n_x, model->x_sym)
        || expr_depends(model->graph, e, model->n_p, model->p_sym)
        || expr_depends(model->graph, e, 1, &model->t_sym) || expr_depends(model->graph, e, 1, &model->T_sym))
        return false;
    for (int k = 0; k < model->n_u; k++) {
        const bool there = expr_depends(model->graph, e, 1, &model->u_sym[k]);
        if (there && !model->u[k].n_value)
            return false;
        any = any || there;
    }
    return any;
}

static bool is_admitted(const struct model *model, const double *u)
{
    for (int k = 0; k < model->constraints.n_constraint; k++) {
        const struct model_constraint *one = &model->constraints.constraint[k];
        if (!choices_settle(model, one))
            continue;
        const double value = expr_eval(model->graph, one->e, model->n_u, model->u_sym, u);
        if (!(value >= one->lb - CHOICE_TOL && value <= one->ub + CHOICE_TOL))
            return false;
    }
    return true;
}

static bool is_coupled(const struct model *model)
{
    bool any = false;
    for (int k = 0; k < model->constraints.n_constraint; k++)
        any = any || choices_settle(model, &model->constraints.constraint[k]);
    return any;
}

/* Of all controls, or 0 if there are too many. */
static int count_combinations(const struct model *model)
{
    int n = 1;
    for (int k = 0; k < model->n_u; k++)
        if (model->u[k].n_value && (n *= model->u[k].n_value) > CHOICES_MOST)
            return 0;
    return n;
}

struct choices choices_of(const struct model *model)
{
    const int n_u = model->n_u, n = is_coupled(model) ? count_combinations(model) : 0;
    struct choices choices = { 0, n_u, NULL };
    double *u = mem_alloc((size_t)n_u, sizeof *u);
    for (int i = 0; i < n; i++) {
        for (int k = 0, left = i; k < n_u; k++) {
            const struct model_var *var = &model->u[k];
            u[k] = var->n_value ? var->value[left % var->n_value] : NAN;
            left /= var->n_value ? var->n_value : 1;
        }
        if (!is_admitted(model, u))
            continue;
        choices.value = mem_grow(choices.value, choices.n, 1, (size_t)n_u * sizeof *u);
        memcpy(choices.value + (size_t)choices.n++ * (size_t)n_u, u, (size_t)n_u * sizeof *u);
    }
    free(u);
    return choices;
}

void choices_free(struct choices *choices)
{
    free(choices->value);
    *choices = (struct choices){ 0 };
}

/* --- Means of them --------------------------------------------------------------------------------------------- */

int choices_nearest(const struct choices *choices, const struct model *model, const double *u)
{
    int best = 0;
    double least = INFINITY;
    for (int j = 0; j < choices->n; j++) {
        double far = 0;
        for (int k = 0; k < choices->n_u; k++) {
            const struct model_var *var = &model->u[k];
            const double off =
                var->n_value ? (choices->value[j * choices->n_u + k] - u[k]) / (var->ub - var->lb) : 0;
            far += off * off;
        }
        if (far < least) {
            least = far;
            best = j;
        }
    }
    return best;
}

/* The largest part of a choice in `rest` that leaves a mean within the bounds. */
static double most_of(const struct choices *choices, const struct model *model, int j, const double *rest)
{
    double part = 1;
    for (int k = 0; k < choices->n_u; k++) {
        const struct model_var *var = &model->u[k];
        const double value = choices->value[j * choices->n_u + k];
        if (var->n_value && value > var->lb)
            part = fmin(part, (rest[k] - var->lb) / (value - var->lb));
        if (var->n_value && value < var->ub)
            part = fmin(part, (var->ub - rest[k]) / (var->ub - value));
    }
    return fmax(part, 0);
}

void choices_split(const struct choices *choices, const struct model *model, const double *u, double *part)
{
    const int n_u = choices->n_u;
    double *rest = mem_alloc((size_t)n_u, sizeof *rest), left = 1;
    memcpy(rest, u, (size_t)n_u * sizeof *rest);
    memset(part, 0, (size_t)choices->n * sizeof *part);
    for (int round = 0; round <= n_u && left > ROUND_EQUAL; round++) {
        const int j = choices_nearest(choices, model, rest);
        const double most = most_of(choices, model, j, rest),
                     took = round == n_u || most > 1 - ROUND_EQUAL ? 1 : most;
        part[j] += took * left;
        left *= 1 - took;
        for (int k = 0; k < n_u && took < 1; k++)
            rest[k] = (rest[k] - took * choices->value[j * n_u + k]) / (1 - took);
    }
    free(rest);
}
