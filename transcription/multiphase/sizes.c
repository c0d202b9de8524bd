/* Sizes of what the model names in the smooth program of a sequence (core/nlp/scaled.h). */
#include "transcription/multiphase/multiphase.h"

#include "core/base/mem.h"
#include "core/nlp/scaled.h"

#include <math.h>
#include <stdlib.h>

static void size_states(const struct phases *ph, const int *y, double *size)
{
    const struct dcs *dcs = ph->sys->dcs;
    for (int i = 0; i < ph->sys->model->n_x; i++)
        size[y[i]] = model_var_size(&ph->sys->model->x[i]);
    if (dcs->clock >= 0)
        size[y[dcs->clock]] = ph->guess.horizon;
}

void phases_find_sizes(struct phases *ph, const double *w)
{
    const struct model *model = ph->sys->model;
    const int n = program_n_var(ph->prog);
    if (!model->has_sizes)
        return;
    double *size = mem_alloc((size_t)n, sizeof *size);
    for (int i = 0; i < n; i++)
        size[i] = NAN;
    size_states(ph, ph->at.start_y, size);
    for (int e = 0; e <= ph->n_element; e++)
        size_states(ph, phases_left(ph, e), size);
    for (int e = 0; e < ph->n_element; e++)
        for (int k = 0; k < ph->n_point; k++)
            size_states(ph, phases_stage_point(ph, e, k).y, size);
    for (int i = 0; i < ph->n_interval; i++)
        for (int k = 0; k < model->n_u; k++)
            size[ph->at.u[i] + k] = model_var_size(&model->u[k]);
    for (int k = 0; k < ph->n_piece; k++)
        if (ph->piece[k].length >= 0)
            size[ph->piece[k].length] = ph->guess.horizon / ph->n_interval;
    for (int k = 0; k < model->n_p; k++)
        size[ph->at.p + k] = model_param_size(&model->param[model->p_param[k]]);
    if (ph->at.T >= 0)
        size[ph->at.T] = ph->guess.horizon;
    ph->mpcc.nlp.sizes = nlp_sizes_create(&ph->mpcc.nlp, w, size, &ph->mem);
    free(size);
}
