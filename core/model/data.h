/* core/model/data.h - what was measured */
#ifndef COCP_CORE_MODEL_DATA_H
#define COCP_CORE_MODEL_DATA_H

#include "core/model/parts/model.h"

/* Values that are not missing. */
int model_n_values(const struct model_data *data);
/* Before a spec is read: do its data name several experiments? Does the block `data`? */
bool model_has_experiments(const struct spec_node *root);
bool data_are_several(const struct spec_node *block);

#endif
