/* Joints of bodies: the states and the control that each of them declares, by its name
 *
 *   revolute, continuous, prismatic   hip, hip_v, and hip_tau where it is actuated
 *   planar                            base_x, base_z, base_pitch, base_vx, base_vz, base_w
 *   ball                              neck_q0 .. neck_q3, neck_wx .. neck_wz
 *   free                              base_x .. base_z, base_q0 .. base_q3, base_vx .. base_vz, base_wx .. base_wz
 *
 * States come after those of the spec, controls after its controls. An entry of `states` or `controls` with such a
 * name says more of it: what it gives counts in place of what the joint does. Where nothing says how a joint
 * starts, it starts at 0, or at the limit that is nearest to it, and at rest.
 */
#include "core/model/variables/read.h"

#include "core/base/dictionary.h"
#include "core/base/mem.h"
#include "core/model/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FREEDOMS = 1000 }; /* of all joints: their mass matrix has a million entries */

/* What is appended to the name of the joint; "" is the position of one axis. */
struct suffix {
    const char *text, *units;
    double start;
};
struct declared {
    int n_q, n_v;
    struct suffix q[7], v[6];
};

#define ORIENTATION                                                                                               \
    { "_q0", "", 1 }, { "_q1", "", 0 }, { "_q2", "", 0 },                                                         \
    {                                                                                                             \
        "_q3", "", 0                                                                                              \
    }
#define SPIN                                                                                                      \
    { "_wx", "rad", 0 }, { "_wy", "rad", 0 },                                                                     \
    {                                                                                                             \
        "_wz", "rad", 0                                                                                           \
    }
static const struct declared
    declared[] = { /* units of velocities: by which they are divided by time */
                   [JOINT_REVOLUTE] = { 1, 1, { { "", "rad", 0 } }, { { "_v", "rad", 0 } } },
                   [JOINT_CONTINUOUS] = { 1, 1, { { "", "rad", 0 } }, { { "_v", "rad", 0 } } },
                   [JOINT_PRISMATIC] = { 1, 1, { { "", "m", 0 } }, { { "_v", "m", 0 } } },
                   [JOINT_FREE] = { 7,
                                    6,
                                    { { "_x", "m", 0 }, { "_y", "m", 0 }, { "_z", "m", 0 }, ORIENTATION },
                                    { { "_vx", "m", 0 }, { "_vy", "m", 0 }, { "_vz", "m", 0 }, SPIN } },
                   [JOINT_PLANAR] = { 3,
                                      3,
                                      { { "_x", "m", 0 }, { "_z", "m", 0 }, { "_pitch", "rad", 0 } },
                                      { { "_vx", "m", 0 }, { "_vz", "m", 0 }, { "_w", "rad", 0 } } },
                   [JOINT_BALL] = { 4, 3, { ORIENTATION }, { SPIN } },
                   [JOINT_FIXED] = { 0 },
                   [JOINT_NONE] = { 0 }
    };

static const struct spec_node *bodies_of(const struct reader *r)
{
    const struct spec_node *block = spec_get(r->root, "bodies");
    return block && block->kind == SPEC_MAPPING ? block : NULL;
}

int joint_room(const struct reader *r)
{
    const struct spec_node *bodies = bodies_of(r);
    int n = 0;
    for (int b = 0; bodies && b < bodies->n; b++)
        n += spec_get(bodies->child[b], "joint") != NULL;
    return n < MAX_FREEDOMS ? n : MAX_FREEDOMS;
}

/* --- Names --------------------------------------------------------------------------------------------------- */

static bool has_one_axis(const struct model_joint *joint)
{
    return joint->type == JOINT_REVOLUTE || joint->type == JOINT_CONTINUOUS || joint->type == JOINT_PRISMATIC;
}

/* The place in x of a state that the spec has an entry for, or of a new one. */
static int declare(struct reader *r, const struct spec_node *node, const char *name)
{
    struct model *m = r->model;
    const struct name found = known_names_find(r->names, m, name);
    if (found.kind == NAME_STATE)
        return found.index;
    const struct spec_node here = { .key = name,
                                    .key_pos = node->pos,
                                    .path = arena_printf(r->mem, "states.%s", name) };
    variables_add(r, &here, name, &m->n_x, m->x, m->x_sym);
    return m->n_x - 1;
}

static void declare_states(struct reader *r, const struct spec_node *node, struct model_joint *joint)
{
    const struct declared *of = &declared[joint->type];
    joint->n_q = of->n_q;
    joint->n_v = of->n_v;
    for (int i = 0; i < of->n_q; i++)
        joint->q[i] = declare(r, node, arena_printf(r->mem, "%s%s", joint->name, of->q[i].text));
    for (int i = 0; i < of->n_v; i++)
        joint->v[i] = declare(r, node, arena_printf(r->mem, "%s%s", joint->name, of->v[i].text));
}

static void declare_control(struct reader *r, const struct spec_node *node, struct model_joint *joint)
{
    struct model *m = r->model;
    joint->control = arena_printf(r->mem, "%s_tau", joint->name);
    const enum name_kind kind = known_names_find(r->names, m, joint->control).kind;
    if (kind == NAME_CONTROL || kind == NAME_IMPULSE
        || (kind == NAME_STATE && spec_get(spec_get(r->root, "controls"), joint->control)))
        return;
    const struct spec_node here = { .key = joint->control,
                                    .key_pos = node->pos,
                                    .path = arena_printf(r->mem, "controls.%s", joint->control) };
    variables_add(r, &here, joint->control, &m->n_u, m->u, m->u_sym);
    m->u[m->n_u - 1].initial.kind = END_FREE;
}

static bool is_actuated(struct reader *r, const struct spec_node *node)
{
    const struct spec_node *actuate = spec_get(node, "actuate");
    bool is = false;
    if (actuate && actuate->kind != SPEC_NULL)
        reader_bool(r, actuate, &is);
    return is;
}

/* Its type and its name. */
static void start(struct reader *r, const struct spec_node *body, const struct spec_node *node,
                  struct model_joint *joint)
{
    const struct spec_node *type = reader_main(node, "type");
    *joint = (struct model_joint){ .type = JOINT_NONE, .name = body->key, .node = node, .leader = -1, .ratio = 1 };
    if (node->kind == SPEC_MAPPING && *reader_word(r, node, "name"))
        joint->name = reader_word(r, node, "name");
    if (!spec_is_name(joint->name))
        spec_error(r->diag, spec_get(node, "name") ? spec_get(node, "name") : node,
                   "a name is letters, digits and _, and does not start with a digit");
    if (!type || type->kind == SPEC_NULL)
        spec_error(r->diag, node,
                   "\"type\" is missing: revolute, continuous, prismatic, fixed, free, planar or ball");
    const int choice = type && type->kind != SPEC_NULL ? reader_choice(r, type, model_joint_words) : -1;
    if (choice >= 0)
        joint->type = (enum joint_type)choice;
    else
        r->model->mechanics.joints_broken = true;
}

/* --- Joints that follow others ------------------------------------------------------------------------------- */

/* Whom joint k follows, by name. */
static void find_leader(struct reader *r, const struct dictionary *by_name, struct model_joint *joint)
{
    const struct spec_node *mimic = spec_get(joint->node, "mimic"), *of = reader_main(mimic, "joint");
    if (mimic->kind == SPEC_MAPPING)
        shape_check_keys(r->diag, mimic, &model_mimic_shape);
    if (!has_one_axis(joint)) {
        spec_error(r->diag, mimic, "a joint that follows another has one axis: revolute, continuous or prismatic");
    } else if (!of || of->kind != SPEC_SCALAR) {
        spec_error(r->diag, mimic, "\"joint\" is missing: the one that it follows");
    } else {
        joint->leader = dictionary_find(by_name, of->text);
        if (joint->leader < 0 || !has_one_axis(&r->model->mechanics.joint[joint->leader]))
            spec_error(r->diag, of, "\"%s\" is no joint with one axis", of->text);
    }
    if (joint->leader < 0 || !has_one_axis(&r->model->mechanics.joint[joint->leader])) {
        r->model->mechanics.joints_broken = true;
        joint->leader = -1;
    }
}

/* Whom it follows in the end; -1 (reported): itself. */
static int last_leader(struct reader *r, int k)
{
    const struct model_joint *joint = r->model->mechanics.joint;
    int last = k;
    for (int steps = 0; joint[last].leader >= 0; steps++, last = joint[last].leader)
        if (steps > r->model->mechanics.n_joint) {
            spec_error(r->diag, spec_get(joint[k].node, "mimic"), "the joint \"%s\" follows itself",
                       joint[k].name);
            return -1;
        }
    return last;
}

static void find_leaders(struct reader *r)
{
    struct model_mechanics *all = &r->model->mechanics;
    struct dictionary by_name = { 0 };
    for (int k = 0; k < all->n_joint; k++)
        if (all->joint[k].node && !dictionary_add(&by_name, all->joint[k].name, k)) {
            spec_error(r->diag, all->joint[k].node, "there is a joint \"%s\" already: give this one a \"name\"",
                       all->joint[k].name);
            all->joints_broken = true;
        }
    for (int k = 0; k < all->n_joint; k++)
        if (reader_given(all->joint[k].node, "mimic"))
            find_leader(r, &by_name, &all->joint[k]);
    dictionary_free(&by_name);
    for (int k = 0; k < all->n_joint && !all->joints_broken; k++)
        all->joints_broken = last_leader(r, k) < 0;
}

static bool is_small_enough(struct reader *r)
{
    const struct model_mechanics *all = &r->model->mechanics;
    int n = 0;
    for (int k = 0; k < all->n_joint; k++)
        n += all->joint[k].leader < 0 ? declared[all->joint[k].type].n_v : 0;
    if (n > MAX_FREEDOMS)
        spec_error(r->diag, bodies_of(r),
                   "these joints have %d degrees of freedom: no more than %d are read, as their mass "
                   "matrix is written out",
                   n, (int)MAX_FREEDOMS);
    return n <= MAX_FREEDOMS;
}

void joint_collect(struct reader *r)
{
    struct model *m = r->model;
    const struct spec_node *bodies = bodies_of(r);
    m->mechanics.n_joint = bodies ? bodies->n : 0;
    m->mechanics.joint = arena_alloc(r->mem, (size_t)m->mechanics.n_joint, sizeof *m->mechanics.joint);
    for (int b = 0; b < m->mechanics.n_joint; b++) {
        const struct spec_node *node = reader_given(bodies->child[b], "joint");
        m->mechanics.joint[b] = (struct model_joint){ .type = JOINT_NONE, .leader = -1 };
        if (node)
            start(r, bodies->child[b], node, &m->mechanics.joint[b]);
    }
    find_leaders(r);
    m->mechanics.joints_broken = m->mechanics.joints_broken || !is_small_enough(r);
    for (int b = 0; b < m->mechanics.n_joint && !m->mechanics.joints_broken; b++) {
        struct model_joint *joint = &m->mechanics.joint[b];
        if (joint->leader < 0)
            declare_states(r, joint->node, joint);
    }
}

void joint_collect_controls(struct reader *r)
{
    struct model_mechanics *all = &r->model->mechanics;
    for (int b = 0; b < all->n_joint && !all->joints_broken; b++) {
        struct model_joint *joint = &all->joint[b];
        if (joint->leader < 0 && has_one_axis(joint) && is_actuated(r, joint->node))
            declare_control(r, joint->node, joint);
    }
}

/* --- Bounds -------------------------------------------------------------------------------------------------- */

/* +-max of a variable. */
static void bound_by(struct reader *r, const struct spec_node *node, struct model_var *var)
{
    double max;
    if (!node || node->kind == SPEC_NULL || reader_number(r, node, &max) != STATUS_OK)
        return;
    if (max > 0) {
        var->lb = -max;
        var->ub = max;
    } else {
        spec_error(r->diag, node, "must be above 0, got %.15g; without it there is no bound", max);
    }
}

/* The variable that the control of a joint is: a state where it is held; NULL: an impulse, which has bounds of its
 * own. */
static struct model_var *control_of(struct reader *r, const struct model_joint *joint)
{
    struct model *m = r->model;
    const struct name found = known_names_find(r->names, m, joint->control);
    return found.kind == NAME_CONTROL ? &m->u[found.index] : found.kind == NAME_STATE ? &m->x[found.index] : NULL;
}

/* ratio and offset of a joint to the one that is followed in the end. */
static void read_mimic(struct reader *r, struct model_joint *joint)
{
    const struct spec_node *mimic = spec_get(joint->node, "mimic");
    const struct spec_node *ratio = reader_given(mimic, "ratio"), *offset = reader_given(mimic, "offset");
    if (ratio && reader_finite(r, ratio, &joint->ratio) == STATUS_OK && joint->ratio == 0)
        spec_error(r->diag, ratio, "a joint that does not move is of type fixed");
    if (offset)
        reader_finite(r, offset, &joint->offset);
}

/* Straight to the joint that moves by itself. */
static void shorten(struct reader *r, struct model_joint *joint)
{
    const struct model_joint *all = r->model->mechanics.joint;
    while (joint->leader >= 0 && all[joint->leader].leader >= 0) {
        const struct model_joint *next = &all[joint->leader];
        joint->offset += joint->ratio * next->offset;
        joint->ratio *= next->ratio;
        joint->leader = next->leader;
    }
}

/* Limits of a joint, or what those of one that follows are for its leader. */
static void read_limits(struct reader *r, const struct model_joint *joint)
{
    const struct spec_node *limits = reader_given(joint->node, "limits");
    double lo = -INFINITY, hi = INFINITY;
    if (!limits || reader_range(r, limits, &lo, &hi) != STATUS_OK)
        return;
    if (joint->type == JOINT_CONTINUOUS) {
        spec_error(r->diag, limits, "a continuous joint has no limits: one with limits is revolute");
        return;
    }
    if (joint->leader < 0) {
        struct model_var *var = &r->model->x[joint->q[0]];
        var->lb = fmax(var->lb, lo);
        var->ub = fmin(var->ub, hi);
        return;
    }
    struct model_var *var = &r->model->x[r->model->mechanics.joint[joint->leader].q[0]];
    const double a = (lo - joint->offset) / joint->ratio, b = (hi - joint->offset) / joint->ratio;
    var->lb = fmax(var->lb, fmin(a, b));
    var->ub = fmin(var->ub, fmax(a, b));
    if (!(var->lb <= var->ub))
        spec_error(r->diag, limits, "no position of \"%s\" is within these limits and its own",
                   r->model->mechanics.joint[joint->leader].name);
}

static void refuse_keys(struct reader *r, const struct model_joint *joint)
{
    static const char *const of_axis[] = { "limits",   "speed",         "effort",    "friction",
                                           "armature", "rotor_inertia", "reduction", "stiffness",
                                           "rest",     "actuate",       "axis" };
    static const char *const of_leader[] = { "speed", "effort", "actuate" };
    const bool one_axis = has_one_axis(joint);
    for (size_t i = 0; i < sizeof of_axis / sizeof *of_axis && !one_axis; i++)
        if (spec_get(joint->node, of_axis[i]))
            spec_error(r->diag, spec_get(joint->node, of_axis[i]),
                       "\"%s\" is of joints with one axis: revolute, continuous, "
                       "prismatic",
                       of_axis[i]);
    for (size_t i = 0; i < sizeof of_leader / sizeof *of_leader && joint->leader >= 0; i++)
        if (spec_get(joint->node, of_leader[i]))
            spec_error(r->diag, spec_get(joint->node, of_leader[i]),
                       "\"%s\" is of the joint that this one follows", of_leader[i]);
    if (joint->type == JOINT_FIXED && spec_get(joint->node, "damping"))
        spec_error(r->diag, spec_get(joint->node, "damping"), "a fixed joint does not move");
}

/* Units of what it declares. */
static void set_units(struct reader *r, const struct model_joint *joint)
{
    struct model *m = r->model;
    const struct declared *of = &declared[joint->type];
    for (int i = 0; i < joint->n_q; i++)
        m->x[joint->q[i]].units = of->q[i].units;
    for (int i = 0; i < joint->n_v; i++)
        m->x[joint->v[i]].units = arena_printf(r->mem, "%s/%s", of->v[i].units, m->time.unit);
    if (joint->control && control_of(r, joint) && strcmp(m->time.unit, "s") == 0)
        control_of(r, joint)->units = joint->type == JOINT_PRISMATIC ? "N" : "N m";
}

void joint_read_bounds(struct reader *r)
{
    struct model_mechanics *all = &r->model->mechanics;
    for (int k = 0; k < all->n_joint && !all->joints_broken; k++)
        if (all->joint[k].leader >= 0)
            read_mimic(r, &all->joint[k]);
    for (int k = 0; k < all->n_joint && !all->joints_broken; k++) {
        struct model_joint *joint = &all->joint[k];
        if (!joint->node)
            continue;
        shorten(r, joint);
        if (joint->node->kind == SPEC_MAPPING)
            shape_check_keys(r->diag, joint->node, &model_joint_shape);
        refuse_keys(r, joint);
        set_units(r, joint);
        if (!has_one_axis(joint))
            continue;
        read_limits(r, joint);
        if (joint->leader < 0)
            bound_by(r, spec_get(joint->node, "speed"), &r->model->x[joint->v[0]]);
        if (joint->control && control_of(r, joint))
            bound_by(r, spec_get(joint->node, "effort"), control_of(r, joint));
    }
}

/* --- What the spec has left open ------------------------------------------------------------------------------
 */

static void begin(const struct suffix *of, struct model_var *var)
{
    if (var->initial.kind != END_MISSING)
        return;
    var->initial.kind = END_FIXED;
    var->initial.pos = (struct srcpos){ NULL, 0, 0 };
    var->initial.lo = var->initial.hi = fmin(fmax(of->start, var->lb), var->ub);
}

void joint_complete(struct reader *r)
{
    struct model *m = r->model;
    for (int k = 0; k < m->mechanics.n_joint; k++) {
        const struct model_joint *joint = &m->mechanics.joint[k];
        for (int i = 0; i < joint->n_q; i++)
            begin(&declared[joint->type].q[i], &m->x[joint->q[i]]);
        for (int i = 0; i < joint->n_v; i++)
            begin(&declared[joint->type].v[i], &m->x[joint->v[i]]);
    }
}
