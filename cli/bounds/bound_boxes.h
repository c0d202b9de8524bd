/* cli/bounds/bound_boxes.h - boxes around a motion, for lower bounds where neither the spec nor rates have some */
#ifndef COCP_CLI_BOUNDS_BOUND_BOXES_H
#define COCP_CLI_BOUNDS_BOUND_BOXES_H

#include "core/model/model.h"
#include "core/results/results.h"

struct bound_boxes {                        /* [n_x], [n_u]; NAN: the result does not have it. NULL: of no motion */
    double *lo, *hi, *u_lo, *u_hi;
};

/* Around the motion of a result, in mem. */
void bound_boxes_of(const struct result *result, const struct model *model, struct arena *mem,
                    struct bound_boxes *to);

#endif
