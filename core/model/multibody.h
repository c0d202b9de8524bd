/* core/model/multibody.h - mass matrix and inverse dynamics of a tree of rigid bodies, as expressions
 *
 * A link is a rigid body with a frame of its own. Its origin is at r in the frame of its parent, R turns vectors of the
 * link into those of its parent, and the rates of both are, for the freedoms k of its joint,
 *
 *   r' = sum of slide_k v_k  along the axes of the parent,    w_rel = sum of spin_k v_k  along its own axes,
 *
 * slide and spin constant. With w, a the angular velocity and the acceleration of the origin, both along the link's axes,
 * w_p, a_p those of its parent, a_p = -gravity of the world:
 *
 *   w = R'w_p + w_rel,  w' = R'w_p' + sum spin_k v_k' + R'w_p x w_rel
 *   a = R'(a_p + w_p' x r + w_p x (w_p x r) + 2 w_p x r' + sum slide_k v_k')
 *   F = m a + w' x h + w x (w x h),  N = h x a + I w' + w x (I w)            Newton and Euler, about the origin
 *   tau_k = slide_k'R F + spin_k'N,  F_p += R F,  N_p += R N + r x R F       from the leaves to the root
 *
 * that is recursive Newton-Euler with accelerations of points in place of spatial ones [Featherstone, Rigid Body Dynamics
 * Algorithms, 2008, table 5.1], and for M the composite-rigid-body algorithm, table 6.2 there. What is zero because two
 * freedoms are on different branches is the constant 0.
 *
 * Shapes  R, I [9] by columns; M [n_freedom * n_freedom] by columns, symmetric. Units are the caller's.
 * Errors  none: links stand behind their parents.
 */
#ifndef COCP_CORE_MODEL_MULTIBODY_H
#define COCP_CORE_MODEL_MULTIBODY_H

#include "core/expression/expr.h"

struct link {
    int parent;                     /* -1: the world */
    int first, n;                   /* its freedoms: first .. first + n - 1 */
    expr R[9], r[3];
    expr m, h[3], I[9];             /* mass, its first moment, inertia about the origin, along the axes of the link */
};

struct freedom {
    expr slide[3], spin[3], v;
};

struct multibody {
    int n_link, n_freedom;
    struct link *link;              /* [n_link], borrowed */
    struct freedom *freedom;        /* [n_freedom], borrowed */
};

void multibody_mass(struct expr_graph *g, const struct multibody *tree, expr *M);
/* tau of v' = 0: bias [n_freedom]; M v' + bias = forces of the freedoms. gravity [3] in the world. */
void multibody_bias(struct expr_graph *g, const struct multibody *tree, const expr *gravity, expr *bias);

/* Adds a rigid body of a mass m, with its centre at c and the inertia I about it, to a link; c and I along the link's
 * axes. */
void multibody_add_mass(struct expr_graph *g, struct link *link, expr m, const expr *c, const expr *I);

/* R A R' of a symmetric A; A B; all [9]. */
void multibody_turn(struct expr_graph *g, const expr *R, const expr *A, expr *out);
void multibody_product(struct expr_graph *g, const expr *A, const expr *B, expr *out);

#endif
