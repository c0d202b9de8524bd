/* Bodies on joints: whom each hangs on, where, and what it weighs; the coordinates that its joint adds */
#include "core/model/mechanics/read.h"

#include "core/base/dictionary.h"
#include "core/base/mem.h"
#include "core/model/mechanics/joint_tree.h"
#include "core/model/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative to the trace: of the inequalities that moments of inertia obey, as files have them with three digits. */
static const double INERTIA_TOL = 1e-3;

static const struct spec_node *bodies_block(const struct reader *r)
{
    return spec_get(r->root, "bodies");
}

bool joint_is_meant(const struct reader *r, int b)
{
    return r->model->mechanics.joint[b].node;
}

/* --- Coordinates --------------------------------------------------------------------------------------------- */

/* Makes a declared state a position or a velocity; false (reported) if it is one of another. */
static bool take(struct reader *r, const struct model_joint *joint, int k)
{
    if (r->is_coordinate[k] || model_find_held(r->model, k)) {
        spec_error(r->diag, joint->node, "the joint \"%s\" has a state \"%s\", which is %s already: give the joint another "
                   "\"name\"", joint->name, r->model->x[k].name, r->is_coordinate[k] ? "a coordinate or a velocity" : "a control");
        return false;
    }
    r->is_coordinate[k] = true;
    return true;
}

static int n_pairs(const struct model_joint *joint)
{
    return joint->type == JOINT_FREE || joint->type == JOINT_PLANAR ? 3 : joint->type == JOINT_BALL ? 0 : joint->n_v;
}

void joint_add_coordinates(struct reader *r, int b)
{
    const struct model_joint *joint = &r->model->mechanics.joint[b];
    bool good = !r->model->mechanics.joints_broken;
    for (int i = 0; i < joint->n_q; i++)
        good = take(r, joint, joint->q[i]) && good;
    for (int i = 0; i < joint->n_v; i++)
        good = take(r, joint, joint->v[i]) && good;
    for (int i = 0; good && i < n_pairs(joint); i++)
        reader_add_coordinate(r, joint->q[i], joint->v[i]);
    if (!good)
        r->model->mechanics.coordinates_known = false;
}

bool joint_has_orientation(const struct model_joint *joint)
{
    return joint->type == JOINT_FREE || joint->type == JOINT_BALL;
}

/* --- Parents ------------------------------------------------------------------------------------------------- */

static void find_parent(struct reader *r, const struct dictionary *by_name, int b)
{
    struct model *m = r->model;
    const struct spec_node *node = bodies_block(r)->child[b], *parent = reader_given(node, "parent");
    m->mechanics.body[b].parent = -1;
    if (!parent)
        return;
    const int found = parent->kind == SPEC_SCALAR ? dictionary_find(by_name, parent->text) : -1;
    if (!joint_is_meant(r, b))
        spec_error(r->diag, node, "\"joint\" is missing: how the body moves on its parent");
    else if (found < 0)
        reader_refuse_body(r, parent);
    else if (!joint_is_meant(r, found))
        spec_error(r->diag, parent, "\"%s\" has no joint: give it one, `joint: free`, in place of a position and an orientation",
                   parent->text);
    else if (m->mechanics.joint[b].type == JOINT_FREE)
        spec_error(r->diag, parent, "a free joint is one to the world: leave out \"parent\"");
    else
        m->mechanics.body[b].parent = found;
    if (m->mechanics.body[b].parent < 0)
        m->mechanics.coordinates_known = false;
}

void reader_refuse_body(struct reader *r, const struct spec_node *node)
{
    const struct spec_node *block = bodies_block(r);
    const char **name = mem_alloc((size_t)block->n, sizeof *name);
    for (int b = 0; b < block->n; b++)
        name[b] = block->child[b]->key;
    const char *near = node->kind == SPEC_SCALAR ? spec_suggest(node->text, block->n, name) : NULL;
    spec_error(r->diag, node, "expected the name of a body%s%s%s; what hangs on the world has no \"parent\"",
               near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
    free(name);
}

/* Puts b behind its parents, which are put first: from b up to one that stands in order, and back. */
static bool put_in_order(struct reader *r, int b, bool *is_put, int *path, int *order, int *n)
{
    const struct model_body *body = r->model->mechanics.body;
    int depth = 0;
    for (int at = b; at >= 0 && !is_put[at]; at = body[at].parent) {
        if (depth == r->model->mechanics.n_body) {
            const struct spec_node *node = bodies_block(r)->child[b];
            spec_error(r->diag, spec_get(node, "parent"), "\"%s\" hangs on itself: %s -> %s -> ..., and none of them on the "
                       "world", node->key, node->key, body[body[b].parent].name);
            return false;
        }
        path[depth++] = at;
    }
    while (depth > 0) {
        is_put[path[--depth]] = true;
        order[(*n)++] = path[depth];
    }
    return true;
}

int *joint_order(struct reader *r)
{
    struct model *m = r->model;
    const int n_body = m->mechanics.n_body;
    struct dictionary by_name = { 0 };
    int *order = arena_alloc(r->mem, (size_t)n_body, sizeof *order), *path = mem_alloc((size_t)n_body, sizeof *path);
    bool *is_put = mem_alloc((size_t)n_body, sizeof *is_put), good = true;
    int n = 0;
    for (int b = 0; b < n_body; b++)
        (void)dictionary_add(&by_name, m->mechanics.body[b].name, b);
    for (int b = 0; b < n_body; b++)
        find_parent(r, &by_name, b);
    for (int b = 0; b < n_body && good; b++)
        good = put_in_order(r, b, is_put, path, order, &n);
    dictionary_free(&by_name);
    free(path);
    free(is_put);
    m->mechanics.coordinates_known = m->mechanics.coordinates_known && good;
    return order;
}

/* --- Masses -------------------------------------------------------------------------------------------------- */

/* Is there a body of this inertia? With S = tr(I)/2 E - I, the second moments of its mass, I is positive and the sum of
 * two principal moments at least the third exactly where S has no negative eigenvalue. */
static bool is_possible(const double *I)
{
    const double trace = I[0] + I[4] + I[8], more = INERTIA_TOL * trace;
    double S[9];
    for (int i = 0; i < 9; i++)
        S[i] = (i % 4 == 0 ? 0.5 * trace + more : 0) - I[i];
    const double minor = S[0] * S[4] - S[1] * S[3];
    const double det = S[0] * (S[4] * S[8] - S[7] * S[5]) - S[3] * (S[1] * S[8] - S[7] * S[2]) + S[6] * (S[1] * S[5] - S[4] * S[2]);
    return S[0] > 0 && minor > 0 && det > 0;
}

void joint_check_mass(struct reader *r, const struct spec_node *node, const struct model_body *body)
{
    const struct spec_node *mass = spec_get(node, "mass"), *inertia = spec_get(node, "inertia");
    double I[9], most = 0;
    if (mass && !reader_is_broken(r, body->mass)) {
        const double value = model_value_at(r->model, body->mass, AT_GUESS);
        if (!(value >= 0) || !isfinite(value))
            spec_error(r->diag, mass, "a mass is at least 0 and finite, got %.15g", value);
    }
    for (int i = 0; inertia && i < 9; i++) {
        if (reader_is_broken(r, body->inertia[i]))
            return;
        I[i] = model_value_at(r->model, body->inertia[i], AT_GUESS);
        most = fmax(most, fabs(I[i]));
    }
    if (inertia && !(most == 0) && !is_possible(I))
        spec_error(r->diag, inertia, "no body has this inertia: principal moments are positive, and each of them is at most the sum "
                   "of the other two");
}
