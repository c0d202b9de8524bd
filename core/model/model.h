/* core/model/model.h - a model, and all that is asked of it
 *
 * parts/model.h says what it is; read/read.h makes it of a spec.
 */
#ifndef COCP_CORE_MODEL_MODEL_H
#define COCP_CORE_MODEL_MODEL_H

#include "core/model/contacts.h"
#include "core/model/costs.h"
#include "core/model/data.h"
#include "core/model/impulses.h"
#include "core/model/parts/model.h"
#include "core/model/steps.h"
#include "core/model/switching.h"
#include "core/model/time.h"
#include "core/model/values.h"
#include "core/model/variables.h"

void model_free(struct model *model);

/* The same model with a graph of its own (expr_graph_fork), for what derives expressions from it; everything else
 * is borrowed. To be freed by model_free before the model itself. */
struct model *model_fork(const struct model *model);

/* The name of a switching function: the define it equals, else its text, with defines by
 * their names. In model->mem. */
const char *model_switch_name(struct model *model, expr c);

#endif
