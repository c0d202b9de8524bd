#include "core/model/impulses.h"

#include <string.h>

int model_find_impulse(const struct model *m, const char *name)
{
    for (int k = 0; k < m->impulses.n_impulse; k++)
        if (strcmp(m->impulses.impulse[k].var.name, name) == 0)
            return k;
    return -1;
}

const struct model_jump *model_jump_at(const struct model *model, int i)
{
    for (int k = 0; k < model->impulses.n_jump; k++)
        if (model->impulses.jump[k].at == i)
            return &model->impulses.jump[k];
    return NULL;
}

int model_impulse_at(const struct model *model, int k, int i)
{
    for (int j = 0; j < model->impulses.impulse[k].n; j++)
        if (model->impulses.impulse[k].at[j] == i)
            return j;
    return -1;
}
