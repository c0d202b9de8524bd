#include "core/model/data.h"

#include "core/model/shapes.h"

#include <math.h>

/* Experiments by name, each a mapping of its own: they are read when they are taken (spec_take). */
bool data_are_several(const struct spec_node *block)
{
    bool several = block->n > 0;
    for (int k = 0; k < block->n; k++)
        several = several && block->child[k]->kind == SPEC_MAPPING
                  && !shape_key_find(model_data_shape.key, block->child[k]->key);
    return several;
}

bool model_has_experiments(const struct spec_node *root)
{
    const struct spec_node *block = spec_get(root, "data");
    return block && block->kind == SPEC_MAPPING && data_are_several(block);
}

int model_n_values(const struct model_data *data)
{
    int n = 0;
    for (int k = 0; k < data->n_series; k++)
        for (int row = 0; row < data->n_row; row++)
            n += !isnan(data->series[k].value[row]);
    return n;
}
