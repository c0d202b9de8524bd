/* core/model/parts/mechanics.h - coordinates, bodies, masses and forces of a mechanical system */
#ifndef COCP_CORE_MODEL_PARTS_MECHANICS_H
#define COCP_CORE_MODEL_PARTS_MECHANICS_H

#include "core/expression/expr.h"
#include "core/spec/spec.h"

/* An orientation: a unit quaternion (n = 4) or a rotation vector (3), turned by an angular velocity in the frame of the
 * body. */
struct model_rotation {
    int q, n, v;                    /* q_index[q .. q + n - 1], v_index[v .. v + 2] */
};

/* A rigid body: the place of its origin, which is its centre of mass where it has a position, and its orientation. */
struct model_body {
    const char *name, *path;
    struct srcpos pos;
    int v, rotation;                /* its first velocity in v_index, its rotation; -1: it has none */
    expr origin[3], R[9];           /* a vector p of the body is origin + R p in the world */
    expr mass, inertia[9];          /* inertia about the origin, along the axes of the body */
};

struct model_point {                /* of a body, or its origin under the name of the body */
    const char *name;
    const char *part[3];            /* "corner.x", ...: names of its coordinates in expressions */
    int body;
    expr in_body[3], at[3];         /* in the body; in the world */
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
    int n_body, n_point;
    struct model_body *body;
    struct model_point *point;
    expr *M;                                    /* [n_q * n_q] */
    bool M_is_constant;                         /* every entry is a number */
    expr *f_v;                                  /* [n_q] */
    struct srcpos *f_v_pos;                     /* [n_q] */
};

#endif
