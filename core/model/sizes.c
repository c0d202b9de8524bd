/* Typical sizes of variables, for programs that are solved in units of them (core/nlp/scaled.h). */
#include "core/model/read.h"

#include <math.h>
#include <string.h>

void reader_size(struct reader *r, const struct spec_node *node, double *out)
{
    double size;
    if (!node || node->kind == SPEC_NULL || reader_finite(r, node, &size) != STATUS_OK)
        return;
    if (size > 0)
        *out = size;
    else
        spec_error(r->diag, node, "must be above 0, got %.15g", size);
}

void model_read_scaling(struct reader *r)
{
    struct model *m = r->model;
    m->has_sizes = strcmp(reader_word(r, spec_get(r->root, "solver"), "scale"), "auto") == 0;
}

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
    return isfinite(param->lb) && isfinite(param->ub) ? larger(larger(NAN, param->lb), param->ub) : larger(NAN, param->value);
}
