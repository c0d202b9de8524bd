/* core/model/parts/mechanics.h - coordinates, bodies, masses and forces of a mechanical system */
#ifndef COCP_CORE_MODEL_PARTS_MECHANICS_H
#define COCP_CORE_MODEL_PARTS_MECHANICS_H

#include "core/expression/expr.h"
#include "core/model/geometry/solid.h"
#include "core/model/parts/loops.h"
#include "core/spec/spec.h"

/* An orientation: a unit quaternion (n = 4) or a rotation vector (3), turned by an angular
 * velocity in the frame of the body. */
struct model_rotation {
    int q, n, v;                    /* q_index[q .. q + n - 1], v_index[v .. v + 2] */
};

/* A joint by which a body hangs on another one or on the world, and the states that it declares. */
enum joint_type {
    JOINT_REVOLUTE, JOINT_CONTINUOUS, JOINT_PRISMATIC, JOINT_FIXED, JOINT_FREE, JOINT_PLANAR, JOINT_BALL,
    JOINT_NONE                      /* a body whose states the spec names */
};
struct model_joint {
    enum joint_type type;
    const char *name;
    const struct spec_node *node;
    int n_q, n_v;                   /* positions and velocities of its own; those of a joint that follows: 0 */
    int q[7], v[6];                 /* [n_q], [n_v] places in x */
    const char *control;            /* name of the torque or force of its drive; NULL: none */
    int leader;                     /* the joint that it follows: ratio times its position, plus offset; -1: none */
    double ratio, offset;
};

/* A rigid body: the place of its origin, which is its centre of mass where it has a
 * position, and its orientation. */
struct model_body {
    const char *name, *path;
    struct srcpos pos;
    int v, rotation;                /* its first velocity in v_index, its rotation; -1: it has none */
    int parent;                     /* of a body with a joint; -1: the world */
    expr origin[3], R[9];           /* a vector p of the body is origin + R p in the world */
    expr velocity[3], spin[3];      /* of the origin along the axes of the world, of the body along its own; linear in the
                                     * velocities */
    expr mass, center[3];           /* the centre of mass, in the body */
    expr inertia[9];                /* along the axes of the body, about the origin; of one with a joint about the centre */
};

struct model_point {                /* of a body, or its origin under the name of the body */
    const char *name;
    int body;
    expr in_body[3], at[3];         /* in the body; in the world */
    expr axes[9];                   /* of a frame, in the body; else those of the body */
};

/* A shape in space, as `shapes` has them. */
struct model_solid {
    const char *name;
    int body;                       /* -1: the world */
    struct solid is;                /* in the world */
};

struct model_quantity {             /* what bodies have by name: "corner.x", "tool.r11", "robot.com.x" */
    const char *name;
    expr e;
};

struct model_mechanics {
    bool coordinates_known;                     /* false: reported, and ddt and what hangs on it stay silent */
    int n_q;                                    /* degrees of freedom, velocities; 0 unless mechanical */
    int n_position;                             /* n_q, and one more for each quaternion */
    int *q_index, *v_index;                     /* [n_position], [n_q] places in x of positions and velocities: pairs of
                                                 * coordinates first, then rotations */
    expr *q_rate;                               /* [n_position] N v */
    int n_rotation;
    struct model_rotation *rotation;
    int n_joint;                                /* of them one for each body of the spec, of the type JOINT_NONE, too */
    struct model_joint *joint;
    bool joints_broken;                         /* reported: not all that they declare is there */
    int n_body, n_point, n_quantity;
    struct model_body *body;
    struct model_point *point;
    struct model_quantity *quantity;
    int n_solid;
    struct model_solid *solid;                  /* [n_solid] */
    expr *M;                                    /* [n_q * n_q] */
    bool M_is_constant;                         /* every entry is a number */
    expr *f_v;                                  /* [n_q] */
    struct srcpos *f_v_pos;                     /* [n_q] */
    struct model_loops loops;
};

#endif
