/* core/model/read/blocks.h - blocks of a spec that nothing else depends on */
#ifndef COCP_CORE_MODEL_READ_BLOCKS_H
#define COCP_CORE_MODEL_READ_BLOCKS_H

#include "core/model/scope/reader.h"

void model_read_guess(struct reader *r);
void model_read_draw(struct reader *r);

#endif
