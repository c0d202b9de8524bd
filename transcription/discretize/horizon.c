#include "transcription/discretize/horizon.h"

#include "core/base/mem.h"

#include <stdlib.h>

void horizon_add_row(struct program *prog, const struct model *model, int T, int p, struct mpcc_label label)
{
    double fixed = 0, *n = mem_alloc((size_t)model->n_p, sizeof *n);
    for (int k = 0; k < model->n_phase; k++)
        if (model->phase[k].p < 0)
            fixed += model->phase[k].length;
        else
            n[model->phase[k].p]++;
    const int row = program_row(prog, fixed, fixed, label);
    program_linear(prog, row, T, 1);
    for (int k = 0; k < model->n_p; k++)
        if (n[k] > 0)
            program_linear(prog, row, p + k, -n[k]);
    free(n);
}
