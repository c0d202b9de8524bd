/* core/model/mechanics/joint_forces.c - what bodies on joints add to the equations
 *
 *   M += ratio ratio' M_tree + armature,  f_v += ratio (tau - damping v - friction sign(v) - stiffness (q - rest)
 * - bias)
 *
 * with the bias of multibody.h, Coriolis forces and weights. A joint that follows another one moves with ratio
 * times its velocity, and its forces act there ratio times.
 */
#include "core/model/mechanics/joint_tree.h"

#include "core/base/mem.h"
#include "core/model/mechanics/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pairs of freedoms on one path, each an entry of M that is written out: a chain of 100 links has 5050, and
 * derivatives of its equations take seconds. */
enum { MAX_PAIRS = 5050 };

static const double STANDARD_GRAVITY = 9.81; /* m/s^2 */

/* --- Numbers ------------------------------------------------------------------------------------------------- */

/* A coefficient that is not negative; 0 if absent. */
static expr coefficient(struct reader *r, const struct spec_node *joint, const char *key)
{
    const struct spec_node *node = reader_given(joint, key);
    expr e = expr_const(r->g, 0);
    if (!node || reader_parameter_expr(r, node, &e) != STATUS_OK)
        return node ? r->broken : e;
    const double value = model_value_at(r->model, e, AT_GUESS);
    if (!(value >= 0) || !isfinite(value))
        spec_error(r->diag, node, "must be at least 0 and finite, got %.15g", value);
    return e;
}

static expr armature(struct reader *r, const struct spec_node *joint)
{
    const struct spec_node *given = reader_given(joint, "armature"), *rotor = reader_given(joint, "rotor_inertia");
    const struct spec_node *reduction = reader_given(joint, "reduction");
    if (given && rotor)
        spec_error(r->diag, rotor, "either \"armature\", or \"rotor_inertia\" with a \"reduction\"");
    else if (reduction && !rotor)
        spec_error(r->diag, reduction, "\"rotor_inertia\" is missing: armature = reduction^2*rotor_inertia");
    expr ratio = expr_const(r->g, 1);
    if (reduction && reader_parameter_expr(r, reduction, &ratio) != STATUS_OK)
        return r->broken;
    return rotor ? expr_mul(r->g, expr_square(r->g, ratio), coefficient(r, joint, "rotor_inertia"))
                 : coefficient(r, joint, "armature");
}

static void read_gravity(struct reader *r, expr *gravity)
{
    const struct spec_node *node = reader_given(r->root, "gravity");
    for (int i = 0; i < 3; i++)
        gravity[i] = expr_const(r->g, i == 2 ? -STANDARD_GRAVITY : 0);
    if (node)
        (void)frame_read_vector(r, node, gravity);
    else if (strcmp(r->model->time.unit, "s") != 0)
        spec_error(r->diag, spec_get(r->root, "bodies"),
                   "with another unit of time than s write \"gravity\", as "
                   "gravity: [0, 0, -9.81*3600] in m/min^2");
}

/* --- Forces -------------------------------------------------------------------------------------------------- */

expr joint_drive(struct reader *r, const struct model_joint *joint)
{
    const struct model *m = r->model;
    if (!joint->control)
        return expr_const(r->g, 0);
    const struct name found = known_names_find(r->names, m, joint->control);
    return found.kind == NAME_CONTROL ? m->u_sym[found.index]
           : found.kind == NAME_STATE ? m->x_sym[found.index]
                                      : m->impulses.impulse[found.index].sym;
}

/* Of freedom k, along its own velocity. */
static expr joint_force(struct reader *r, int k)
{
    const struct joint_freedom *freedom = &r->tree->freedom[k];
    const struct model_joint *joint = &r->model->mechanics.joint[freedom->joint];
    const struct spec_node *node = joint->node;
    const expr v = r->tree->multibody.freedom[k].v;
    expr sum = expr_neg(r->g, expr_mul(r->g, coefficient(r, node, "damping"), v));
    if (freedom->q == EXPR_NONE)
        return sum;
    const expr friction = coefficient(r, node, "friction"), stiffness = coefficient(r, node, "stiffness");
    const struct spec_node *rest = reader_given(node, "rest");
    expr q_rest = expr_const(r->g, 0);
    if (rest)
        reader_parameter_expr(r, rest, &q_rest);
    if (!expr_is_zero(r->g, friction))
        sum = expr_sub(r->g, sum, expr_mul(r->g, friction, expr_unary(r->g, EXPR_SIGN, v)));
    sum = expr_sub(r->g, sum, expr_mul(r->g, stiffness, expr_sub(r->g, freedom->q, q_rest)));
    return expr_add(r->g, sum, joint_drive(r, joint));
}

/* --- The equations ------------------------------------------------------------------------------------------- */

static bool is_small_enough(struct reader *r)
{
    const struct multibody *tree = &r->tree->multibody;
    int *above = mem_alloc((size_t)tree->n_link, sizeof *above); /* freedoms from a link to the world */
    long n = 0;
    for (int i = 0; i < tree->n_link; i++) {
        const struct link *link = &tree->link[i];
        above[i] = link->n + (link->parent >= 0 ? above[link->parent] : 0);
        n += (long)link->n * above[i];
    }
    free(above);
    if (n > MAX_PAIRS)
        spec_error(r->diag, spec_get(r->root, "bodies"),
                   "the mass matrix of these joints has %ld entries to be written out: no "
                   "more than %d are read, as many as a chain of 100 joints has",
                   n, (int)MAX_PAIRS);
    return n <= MAX_PAIRS;
}

static void add_mass(struct reader *r)
{
    const struct model *m = r->model;
    const struct joint_tree *tree = r->tree;
    const int n = tree->multibody.n_freedom, n_q = m->mechanics.n_q;
    expr *M = mem_alloc((size_t)n * (size_t)n, sizeof *M);
    multibody_mass(r->g, &tree->multibody, M);
    for (int k = 0; k < n; k++) {
        const struct model_joint *joint = &m->mechanics.joint[tree->freedom[k].joint];
        if (tree->freedom[k].q != EXPR_NONE)
            M[k + k * n] = expr_add(r->g, M[k + k * n], armature(r, joint->node));
    }
    for (int k = 0; k < n * n; k++) {
        const struct joint_freedom *a = &tree->freedom[k % n], *b = &tree->freedom[k / n];
        expr *entry = &m->mechanics.M[a->i + b->i * n_q];
        *entry = expr_add(r->g, *entry, expr_scale(r->g, a->ratio * b->ratio, M[k]));
    }
    free(M);
}

static void add_forces(struct reader *r)
{
    struct model *m = r->model;
    const struct joint_tree *tree = r->tree;
    const int n = tree->multibody.n_freedom;
    expr *bias = mem_alloc((size_t)n, sizeof *bias), gravity[3];
    read_gravity(r, gravity);
    multibody_bias(r->g, &tree->multibody, gravity, bias);
    for (int k = 0; k < n; k++) {
        const struct joint_freedom *freedom = &tree->freedom[k];
        const expr sum = expr_sub(r->g, joint_force(r, k), bias[k]);
        m->mechanics.f_v[freedom->i] =
            expr_add(r->g, m->mechanics.f_v[freedom->i], expr_scale(r->g, freedom->ratio, sum));
    }
    free(bias);
}

void joint_add_dynamics(struct reader *r)
{
    const struct spec_node *gravity = reader_given(r->root, "gravity");
    if (gravity && !r->tree && r->model->mechanics.coordinates_known)
        spec_error(r->diag, gravity,
                   "it acts on bodies with joints, and there are none: write it into \"potential\", or into "
                   "\"force\"");
    if (!r->tree || !r->model->mechanics.coordinates_known)
        return;
    if (!is_small_enough(r)) {
        r->model->mechanics.coordinates_known = false;
        return;
    }
    add_mass(r);
    add_forces(r);
}
