/* core/spec/robot_names.h - what the parts of a robot's file are called in a spec
 *
 * Files may use any character, specs letters, digits and _: others become _, a name that begins with a digit gets
 * an _ in front, and one that is taken then a number behind. Bodies and frames share their names, joints have
 * their own.
 */
#ifndef COCP_CORE_SPEC_ROBOT_NAMES_H
#define COCP_CORE_SPEC_ROBOT_NAMES_H

#include "core/base/arena.h"
#include "core/robot/robot.h"

struct robot_names {
    const char **body, **frame;                 /* [n_body], [n_frame] */
    const char **joint; /* [n_body]: of its states; that of the body where the joint has none */
    const char **shape; /* [n_shape] of the block `shapes`: those of the file, or of their links */
    const char **loop;                          /* [n_loop] */
    int n_changed;                              /* names that are not those of the file */
    const char *from, *to;                      /* the first of them */
};

/* The names of a robot that has been lumped, each behind `prefix`, in mem. */
struct robot_names robot_names_of(const struct robot *robot, const char *prefix, struct arena *mem);

#endif
