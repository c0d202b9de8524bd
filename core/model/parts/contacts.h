/* core/model/parts/contacts.h - contacts, what they touch, and friction under loads */
#ifndef COCP_CORE_MODEL_PARTS_CONTACTS_H
#define COCP_CORE_MODEL_PARTS_CONTACTS_H

#include "core/base/slip.h"
#include "core/expression/expr.h"
#include "core/model/geometry/ground_pieces.h"
#include "core/spec/spec.h"

/* A ground in the plane (grounds.c): a polyline whose ends go on straight, the solid on its right, or a closed
 * polygon. */
struct model_ground {
    const char *name;
    int n;
    double *at;                     /* [2 n] its corners */
    bool closed;
    struct ground_pieces pieces;
};

struct model_contact {
    const char *name, *path;
    const char *family;             /* what the spec calls it: a shape on a ground of several pieces is several contacts */
    struct srcpos pos;
    expr gap;                       /* of q, t, p */
    expr v_n;                       /* J_n' v + drift */
    int n_t;                        /* components of slip: 0 frictionless without a tangent, 1 planar, 2 in 3D, 3 with a
                                     * turn about the normal */
    expr v_t[SLIP_MAX];             /* slip, J_t' v + drift; of different coefficients each is weighted: friction is isotropic */
    expr weight[SLIP_MAX];          /* by which, constants or of optimized parameters: along tangent k act
                                     * weight[k] lambda_t[k], slip is v_t[k] / weight[k] */
    expr drift[CONTACT_ROWS];       /* of normal, tangents: what they are where v is 0; the surface moves */
    bool moves;                     /* any drift is not 0 */
    expr *J_n;                      /* [n_q] */
    expr *J_t;                      /* [n_q * n_t] */
    expr coefficient[SLIP_MAX];     /* of several: friction times weight[k] */
    expr friction, restitution;     /* constants or expressions of optimized parameters */
    double mu, e;                   /* their values at the guess */
    bool gap_is_linear;             /* every entry of J_n is a number */
    int n_corner;
    expr *corner;                   /* [n_corner] of q, t: where one of them changes its sign the closed contact goes on at
                                     * another face or corner; sides (expr_side) in the gap and all that follows from it */
    int n_patch;                    /* faces and corners of its ground, beside each other in this order (polygon.h); 0: it has */
    const signed char *patch;       /* no corners. [n_patch * n_corner] sign of each corner function on a patch, 0: any */
    bool turns;                     /* the normal turns around corners; of a point it jumps there */
    expr normal[2];                 /* of a shape in the plane; else EXPR_NONE */
    int body[2];                    /* of a point or a shape in space: whom lambda_n pushes along axis[0], and whom */
    expr place[3], axis[3][3];      /* back; -1: the world. Where it touches, its normal and tangents, in the world; */
    expr from[3], R[9];             /* the frame of the contact, R by columns. All EXPR_NONE of others */
    int load_of;                    /* a seat: the contact that presses on it; -1: the load is given, or it is no seat */
};

/* Friction under a load (loads.c): a contact, its seat, whose normal force is the load, as that presses a
 * mass of its own on it, state x with velocity x + 1, both 0 at all times. The load is given, or what
 * contact `of` presses with. */
struct model_load {
    int x, of;                      /* of: -1 where the load is given */
    const struct spec_node *node;   /* its entry; of a rolling resistance the contact's */
    bool rolls;
};

struct model_contacts {
    int n_contact;
    struct model_contact *contact;
    int n_load;
    struct model_load *load;                    /* [n_load]; their contacts come after those of the spec, their states last */
    int n_ground;
    struct model_ground *ground;                /* [n_ground] those of the spec by name, then those that contacts bring */
    bool has_forces;                            /* costs or constraints speak of contact forces or impulses, */
    expr *force_sym, *impulse_sym;              /* [model_n_force], [CONTACT_ROWS * n_contact] as in results */
};

#endif
