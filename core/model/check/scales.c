#include "core/model/check/scales.h"

#include <math.h>

/* NAN: nothing says how large it is. */
static double size_of(const struct model_var *x)
{
    const struct model_var without_bounds = { .size = x->size, .lb = -INFINITY, .ub = INFINITY, .guess = x->guess,
                                              .initial = x->initial, .final = x->final };
    return model_var_size(&without_bounds);
}

static void warn(const struct model_var *largest, const struct model_var *smallest, double most, double least,
                 struct diag *diag)
{
    if (most > SCALES_FAR * least)
        diag_add(diag, DIAG_WARNING, STATUS_OK, largest->pos, largest->path,
                 "is about %.1g, and %s about %.1g: so far apart numbers may lead to a worse solution or to "
                 "none, and take longer; `solver: {scale: auto}` solves in units of their sizes", most, smallest->path, least);
    else
        diag_add(diag, DIAG_WARNING, STATUS_OK, most > SCALES_FAR ? largest->pos : smallest->pos,
                 most > SCALES_FAR ? largest->path : smallest->path,
                 "is about %.1g: numbers so far from 1 may lead to a worse solution or to none, and take longer; "
                 "`solver: {scale: auto}` solves in units of their sizes", most > SCALES_FAR ? most : least);
}

void model_check_scales(const struct model *model, struct diag *diag)
{
    const struct model_var *largest = NULL, *smallest = NULL;
    double most = 0, least = INFINITY;
    for (int i = 0; i < model->n_x; i++) {
        const double size = size_of(&model->x[i]);
        if (size > most) {
            most = size;
            largest = &model->x[i];
        }
        if (size < least) {
            least = size;
            smallest = &model->x[i];
        }
    }
    if (largest && smallest && fmax(most, 1) > SCALES_FAR * fmin(least, 1))
        warn(largest, smallest, most, least, diag);
}
