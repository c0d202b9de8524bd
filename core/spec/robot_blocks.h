/* core/spec/robot_blocks.h - a robot as entries of `bodies`, `states`, `controls` and `shapes`; for the sources of
 * this folder alone
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
    bool *has_shape;                            /* [n_shape] those that become entries of `shapes` */
};

/* On a body, and a sphere, capsule, cylinder or box. A cylinder becomes the capsule around it that has its axis. */
bool robot_shape_is_taken(const struct robot_shape *shape);

/* A plain finite number. */
bool robot_literal(const struct spec_node *node, double *out);

/* robot_lump, the posture going with the bodies that stay. */
void robot_start_lump(struct robot *robot, struct robot_start *start);

void robot_put_blocks(struct spec *spec, const struct robot *robot, const struct robot_names *names,
                      const struct robot_start *start);

#endif
