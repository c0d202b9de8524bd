/* core/spec/robot_blocks.h - a robot as entries of `bodies`, `states` and `controls`; for the sources of this
 * folder alone
 *
 * What the spec has already counts; entries are put together with it key by key.
 */
#ifndef COCP_CORE_SPEC_ROBOT_BLOCKS_H
#define COCP_CORE_SPEC_ROBOT_BLOCKS_H

#include "core/robot/robot.h"
#include "core/spec/robot_names.h"
#include "core/spec/tree.h"

/* Where a robot starts. */
struct robot_start {
    struct pose place;                          /* of its root */
    const struct spec_node **posture;           /* [n_body] of its joints; NULL: where they are at rest */
};

/* A plain finite number. */
bool robot_literal(const struct spec_node *node, double *out);

/* robot_lump, the posture going with the bodies that stay. */
void robot_start_lump(struct robot *robot, struct robot_start *start);

void robot_put_blocks(struct spec *spec, const struct robot *robot, const struct robot_names *names,
                      const struct robot_start *start);

#endif
