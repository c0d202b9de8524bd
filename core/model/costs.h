/* core/model/costs.h - costs that are sums of several, at the end and at given times */
#ifndef COCP_CORE_MODEL_COSTS_H
#define COCP_CORE_MODEL_COSTS_H

#include "core/model/parts/model.h"

/* The sum of the terminal costs in g (the model's graph or a fork's), t in it being the final time. */
expr model_terminal_cost(const struct model *model, struct expr_graph *g);
/* Are there costs at given times, data among them? */
bool model_has_samples(const struct model *model);
/* The sum of the sampled costs at a part of the horizon, data among them, 0 and 1 being its ends, t in it being
 * that time: tables have their corners where samples are. */
expr model_sampled_cost(const struct model *model, struct expr_graph *g, double fraction);

#endif
