/* Sizes of what the model names, where its programs are solved in units of them; the others follow
 * (core/nlp/scaled.h). */
#include "transcription/discretize/initial.h"

#include "core/base/mem.h"
#include "core/nlp/scaled.h"

#include <math.h>
#include <stdlib.h>

static void size_states(const struct transcription *tr, int j, int k, double *size)
{
    for (int i = 0; i < tr->model->n_x; i++)
        size[tr_y(tr, j, k, i)] = model_var_size(&tr->model->x[i]);
    if (tr->dcs->clock >= 0)
        size[tr_y(tr, j, k, tr->dcs->clock)] = tr->task.grid.horizon;
}

void tr_find_sizes(struct transcription *tr)
{
    const struct model *model = tr->model;
    const int n = program_n_var(tr->prog);
    if (!model->has_sizes || !tr->task.optimize)
        return;
    double *size = mem_alloc((size_t)n, sizeof *size);
    for (int i = 0; i < n; i++)
        size[i] = NAN;
    size_states(tr, -1, tr_right(tr), size);
    for (int j = 0; j < tr->n_element; j++)
        for (int k = 0; k <= tr->n_point; k++)
            size_states(tr, j, k, size);
    size_states(tr, tr->n_element, 0, size);
    for (int i = 0; i < tr->n_interval; i++)
        for (int k = 0; k < model->n_u; k++)
            size[tr->u[i] + k] = model_var_size(&model->u[k]);
    for (int k = 0; k < model->n_p; k++)
        size[tr->p + k] = model_param_size(&model->param[model->p_param[k]]);
    for (int j = 0; j < tr->n_element; j++)
        size[tr->h[j]] = tr->h0[j];
    if (tr->T >= 0)
        size[tr->T] = tr->task.grid.horizon;
    tr->mpcc.nlp.sizes = nlp_sizes_create(&tr->mpcc.nlp, program_guess(tr->prog), size, &tr->mem);
    free(size);
}
