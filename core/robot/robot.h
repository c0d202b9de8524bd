/* core/robot/robot.h - a robot as its file tells it: bodies in a tree, joints, frames, shapes, actuators
 *
 * One struct for every format; urdf.c and the mjcf_ files fill it, lump.c simplifies it, core/spec/robots.c and
 * `cocp import` make blocks of a spec of it.
 *
 *   A body's frame is that of its joint behind the motion: at q = 0 it is `at` in the frame of the parent.
 *   Everything of a body - centre of mass, frames, shapes, joints of its children - is given in it.
 *
 * Units  m, rad, s, kg, N, N m. No bound is INFINITY; what a file leaves open is NAN.
 * Errors are at file:line:column of the robot's file (STATUS_SPEC), all of one file in one run; what the file says
 * and nobody takes is warned of once. STATUS_IO: the file cannot be read.
 */
#ifndef COCP_CORE_ROBOT_ROBOT_H
#define COCP_CORE_ROBOT_ROBOT_H

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/robot/pose.h"

#include <stdbool.h>
#include <stdio.h>

enum { ROBOT_MAX_BODIES = 1000 };

enum robot_joint_type {
    ROBOT_FIXED, ROBOT_REVOLUTE, ROBOT_CONTINUOUS, ROBOT_PRISMATIC, ROBOT_FREE, ROBOT_PLANAR, ROBOT_BALL
};
/* "fixed", "revolute", ... as a spec writes it. */
const char *robot_joint_word(enum robot_joint_type type);
/* One that turns or slides along one axis: its state is one number. */
bool robot_joint_has_axis(enum robot_joint_type type);

struct robot_joint {
    const char *name;                           /* of the file; NULL: it has none */
    struct srcpos pos;
    enum robot_joint_type type;
    double axis[3];                             /* of length 1; planar ones move in x and z of their frame: y */
    double lower, upper;                        /* of its position */
    double speed;                               /* largest */
    double effort[2];                           /* least and largest force or torque of its actuator */
    bool has_actuator;                          /* the file says that something drives it */
    double damping, friction, armature;         /* friction: dry */
    double stiffness, rest;                     /* of a spring, and where it rests */
    double reference;                           /* its position where the bodies are as the file has them */
    double reduction;                           /* of its gear; NAN: none is named */
    int mimic;                                  /* the body whose joint it follows; -1: it is free to move */
    double ratio, offset;                       /* q = ratio * q of that joint + offset */
};

/* What a joint with one axis does at a position (rad, m); any other one does nothing. */
struct pose robot_joint_motion(const struct robot_joint *joint, double position);

struct robot_body {
    const char *name;                           /* of the file */
    struct srcpos pos;
    int parent;                                 /* -1: the world; else less than its own number */
    struct pose at;
    struct robot_joint joint;
    struct inertia inertia;
};

/* A place on a body that has a name: a link that was lumped into it, a site. */
struct robot_frame {
    const char *name;
    struct srcpos pos;
    int body;
    struct pose at;
};

enum robot_shape_type {
    ROBOT_SPHERE,
    ROBOT_CAPSULE,
    ROBOT_CYLINDER,
    ROBOT_BOX,
    ROBOT_ELLIPSOID,
    ROBOT_PLANE,
    ROBOT_MESH
};

/* Capsules, cylinders: along z, `half` is half of the length between the ends of the axis. */
struct robot_shape {
    const char *name;                           /* NULL: none */
    const char *link;                           /* the file's body that it is on, once lumped; NULL: the world */
    struct srcpos pos;
    int body;                                   /* -1: the world */
    enum robot_shape_type type;
    struct pose at;                             /* its middle */
    double radius, half[3];                     /* half the sizes; of capsules and cylinders half[2] */
    double friction;                            /* NAN: the file says none */
    bool collides;                              /* else it is only seen */
    const char *mesh;                           /* file of a mesh, never opened; NULL: none */
};

/* Two frames whose origins stay together, with `weld` their axes, too. */
struct robot_loop {
    const char *name;
    struct srcpos pos;
    int a, b;                                   /* frames; b -1: `at` in the world */
    struct pose at;
    bool weld;
};

struct robot {
    struct arena mem;
    const char *file;
    int n_body, n_frame, n_shape, n_loop;
    struct robot_body *body;                    /* [n_body], parents first */
    struct robot_frame *frame;                  /* [n_frame] */
    struct robot_shape *shape;                  /* [n_shape] */
    struct robot_loop *loop;                    /* [n_loop] */
    double gravity[3];                          /* m/s^2; NAN: the file says none */
};

/* Reads URDF or MJCF, as the root element tells. *out is NULL after an error. The file is noted as one that was
 * read; `from` is where its path is written (line 0: nowhere), for the message when it cannot be read. */
enum status robot_read(const char *path, struct srcpos from, struct robot **out, struct diag *diag);
/* The same of an open file, which `path` names in messages; files that it includes are seen from there. */
enum status robot_read_stream(FILE *file, const char *path, struct robot **out, struct diag *diag);
void robot_free(struct robot *robot);

/* How a root may be on the world: "floating", "fixed", "planar", NULL at the end. */
extern const char *const robot_base_words[];
/* The joint that such a word means; false: there is no such word. */
bool robot_base_type(const char *word, enum robot_joint_type *type);
/* The first body on the world; *n_root: how many there are. */
int robot_root(const struct robot *robot, int *n_root);

/* The body whose joint has that name in the file; -1: none. */
int robot_find_joint(const struct robot *robot, const char *name);

/* Lumps every body on a fixed joint into its parent, but for those on the world: its mass is part of the parent's,
 * its frame a frame of the parent. What floats on a body that is fixed on the world floats on the world. lump.c */
void robot_lump(struct robot *robot);

/* Fixes a joint with one axis at a position; lump it afterwards. */
void robot_lock(struct robot *robot, int body, double position);

#endif
