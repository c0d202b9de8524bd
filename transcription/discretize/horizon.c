#include "transcription/discretize/horizon.h"

#include "core/base/mem.h"

#include <stdlib.h>

void horizon_add_row(struct program *prog, const struct model *model, int T, int p, struct mpcc_label label)
{
    double fixed = 0, share = 0, *n = mem_alloc((size_t)model->n_p, sizeof *n);
    for (int k = 0; k < model->time.n_stretch; k++) {
        const struct model_stretch *stretch = &model->time.stretch[k];
        if (stretch->p == LENGTH_FIXED)
            fixed += stretch->length;
        else if (stretch->p == LENGTH_OF_HORIZON)
            share += stretch->length;
        else
            n[stretch->p] += stretch->length;
    }
    const double sum = T >= 0 ? fixed : fixed - (1 - share) * model->time.horizon;
    const int row = program_row(prog, sum, sum, label);
    if (T >= 0)
        program_linear(prog, row, T, 1 - share);
    for (int k = 0; k < model->n_p; k++)
        if (n[k] > 0)
            program_linear(prog, row, p + k, -n[k]);
    free(n);
}
