/* core/model/mechanics/joint_tree.h - the tree of the bodies on joints, between the files that read it
 *
 * What is fixed to a body moves with it: they are one link. Bodies that are fixed to the world are on no link.
 */
#ifndef COCP_CORE_MODEL_MECHANICS_JOINT_TREE_H
#define COCP_CORE_MODEL_MECHANICS_JOINT_TREE_H

#include "core/model/multibody.h"
#include "core/model/scope/reader.h"

/* A freedom of a joint: velocity i of the model, ratio times. */
struct joint_freedom {
    int joint, i;
    double ratio;
    expr q;
}; /* q: position, of joints with one axis */

struct joint_tree {
    struct multibody multibody;
    struct joint_freedom *freedom; /* [n_freedom] */
};

/* --- joints.c --------------------------------------------------------------------------------------------------
 */
/* Has body b a joint? Adds the pairs of its states. Has the joint an orientation, too? */
bool joint_is_meant(const struct reader *r, int b);
void joint_add_coordinates(struct reader *r, int b);
bool joint_has_orientation(const struct model_joint *joint);
/* Parents of all bodies, and these in an order in which each comes behind its parent: [n_body]. */
int *joint_order(struct reader *r);
/* Reports that a text names no body. */
void reader_refuse_body(struct reader *r, const struct spec_node *node);
void joint_check_mass(struct reader *r, const struct spec_node *node, const struct model_body *body);

/* --- tree.c: places and velocities of bodies with joints, in an order; r->tree. --------------------------------
 */
void joint_build_tree(struct reader *r, const int *order);

/* --- joint_forces.c: what joints add to M and f_v. -------------------------------------------------------------
 */
void joint_add_dynamics(struct reader *r);
/* The torque or force of its drive; 0 where it has none. */
expr joint_drive(struct reader *r, const struct model_joint *joint);

/* --- momentum.c: centre of mass and momentum of each tree, by the name of its root. ----------------------------
 */
void joint_name_momentum(struct reader *r, const int *order);

/* --- motors.c: what drives of joints do, and those of each tree together, by the name of its root. --------------
 */
void joint_name_motors(struct reader *r, const int *order);

#endif
