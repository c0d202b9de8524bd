/* core/spec/robots.h - `robots: {go2: {file: go2.urdf, base: floating}}`: blocks of a spec from files of robots
 *
 * Each file becomes entries of `bodies`, with what its joints are, and of `states` and `controls` where these are
 * not what joints make of themselves. They stand behind the spec's own, which count; `robots` leaves. Messages
 * about the entries have places in the robot's file.
 */
#ifndef COCP_CORE_SPEC_ROBOTS_H
#define COCP_CORE_SPEC_ROBOTS_H

#include "core/spec/shape.h"

extern const struct shape robots_shape;

/* Of a tree with `robots` at its root; paths are seen from the file that has them, those of --set from `file`. A
 * spec that comes from a result names no file to be read. Where a robot could not be read the root is NULL
 * afterwards: all else that would be said of the spec would be about what is missing. */
enum status robots_expand(struct spec *spec, const char *file, struct diag *diag);

#endif
