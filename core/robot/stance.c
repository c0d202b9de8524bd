#include "core/robot/stance.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double low_share = 0.25;           /* of the robot's height: ends that are lower are feet */
static const double level = 0.01;               /* m: points of a foot that touch the ground together */

struct standing {
    const struct robot *robot;
    struct robot_stance *stance;
    double *middle;                             /* [n_body] */
    struct pose *place;                         /* [n_body] */
    bool *is_end;                               /* [n_body] nothing hangs on it */
};

/* --- Kinematics ---------------------------------------------------------------------------------------------- */

static double position_of(const struct robot *robot, const double *q, int b)
{
    const struct robot_joint *joint = &robot->body[b].joint;
    return joint->mimic >= 0 ? joint->ratio * q[joint->mimic] + joint->offset : q[b];
}

void robot_place(const struct robot *robot, const double *q, struct pose *place)
{
    for (int b = 0; b < robot->n_body; b++) {
        const struct robot_body *body = &robot->body[b];
        const struct pose motion = robot_joint_motion(&body->joint, position_of(robot, q, b));
        struct pose at = body->at;
        if (body->parent >= 0)
            at = pose_compose(&place[body->parent], &at);
        place[b] = pose_compose(&at, &motion);
    }
}

static double height_of(const struct standing *s, const struct robot_foot *foot)
{
    double at[3];
    pose_apply(&s->place[foot->body], foot->at, at);
    return at[2] - foot->radius;
}

/* --- Feet ---------------------------------------------------------------------------------------------------- */

static struct robot_foot *add_point(struct standing *s, int body, const struct pose *at, const double local[3],
                                    double radius, double friction)
{
    struct robot_stance *stance = s->stance;
    struct robot_foot foot = { .body = body, .frame = -1, .radius = radius, .friction = friction };
    pose_apply(at, local, foot.at);
    stance->foot = mem_grow(stance->foot, stance->n_foot, 1, sizeof *stance->foot);
    stance->foot[stance->n_foot] = foot;
    return &stance->foot[stance->n_foot++];
}

/* The corners of a box, the ends of what is long, the middle of a ball. */
static void add_shape(struct standing *s, const struct robot_shape *shape)
{
    const double *h = shape->half, r = shape->radius;
    if (shape->type == ROBOT_BOX)
        for (int k = 0; k < 8; k++)
            add_point(s, shape->body, &shape->at,
                      (double[]){ k & 1 ? h[0] : -h[0], k & 2 ? h[1] : -h[1], k & 4 ? h[2] : -h[2] }, 0,
                      shape->friction);
    else if (shape->type == ROBOT_CAPSULE || shape->type == ROBOT_CYLINDER)
        for (int side = -1; side <= 1; side += 2)
            add_point(s, shape->body, &shape->at, (double[]){ 0, 0, side * h[2] }, r, shape->friction);
    else if (shape->type == ROBOT_SPHERE || shape->type == ROBOT_ELLIPSOID)
        add_point(s, shape->body, &shape->at, (double[]){ 0, 0, 0 },
                  shape->type == ROBOT_SPHERE ? r : fmin(h[0], fmin(h[1], h[2])), shape->friction);
}

static void add_end(struct standing *s, int body)
{
    static const double origin[3] = { 0 };
    const struct robot *robot = s->robot;
    const struct pose here = pose_identity();
    const int before = s->stance->n_foot;
    for (int k = 0; k < robot->n_shape; k++)
        if (robot->shape[k].body == body && robot->shape[k].collides)
            add_shape(s, &robot->shape[k]);
    if (s->stance->n_foot > before)
        return;
    add_point(s, body, &here, origin, 0, NAN);
    for (int k = 0; k < robot->n_frame; k++)
        if (robot->frame[k].body == body)
            add_point(s, body, &robot->frame[k].at, origin, 0, NAN)->frame = k;
}

static double lowest_of(const struct standing *s, int body)
{
    double lowest = INFINITY;
    for (int k = 0; k < s->stance->n_foot; k++)
        if (body < 0 || s->stance->foot[k].body == body)
            lowest = fmin(lowest, height_of(s, &s->stance->foot[k]));
    return lowest;
}

/* Of the ends those that are low; of each the points that are lowest. */
static void keep_lowest(struct standing *s)
{
    const double lowest = lowest_of(s, -1);
    double highest = lowest;
    for (int b = 0; b < s->robot->n_body; b++)
        highest = fmax(highest, s->place[b].p[2]);
    const double limit = lowest + low_share * (highest - lowest);
    double *of_body = mem_alloc((size_t)s->robot->n_body, sizeof *of_body);
    for (int b = 0; b < s->robot->n_body; b++)
        of_body[b] = lowest_of(s, b);
    int n = 0;
    for (int k = 0; k < s->stance->n_foot; k++) {
        const struct robot_foot foot = s->stance->foot[k];
        const double z = height_of(s, &foot);
        bool is_twin = false;
        for (int i = 0; i < n; i++)
            is_twin = is_twin || (s->stance->foot[i].body == foot.body
                                  && memcmp(s->stance->foot[i].at, foot.at, sizeof foot.at) == 0);
        if (of_body[foot.body] <= limit && z <= of_body[foot.body] + level && !is_twin)
            s->stance->foot[n++] = foot;
    }
    s->stance->n_foot = n;
    free(of_body);
}

/* --- The posture --------------------------------------------------------------------------------------------- */

static double middle_of(const struct robot_joint *joint)
{
    if (joint->lower <= 0 && joint->upper >= 0)
        return 0;
    if (isinf(joint->lower) || isinf(joint->upper))
        return isinf(joint->lower) ? joint->upper : joint->lower;
    return joint->lower > 0 ? joint->lower + (joint->upper - joint->lower) / 4
                            : joint->upper - (joint->upper - joint->lower) / 4;
}

static void center_of_mass(const struct standing *s, double center[3])
{
    double mass = 0, at[3];
    center[0] = center[1] = center[2] = 0;
    for (int b = 0; b < s->robot->n_body; b++) {
        const struct inertia *inertia = &s->robot->body[b].inertia;
        pose_apply(&s->place[b], inertia->center, at);
        mass += inertia->mass;
        for (int i = 0; i < 3; i++)
            center[i] += inertia->mass * at[i];
    }
    for (int i = 0; i < 3; i++)
        center[i] /= mass > 0 ? mass : 1;
}

/* How far from standing: see the header. */
static double imbalance(struct standing *s)
{
    const int n = s->stance->n_foot;
    double mean[3] = { 0 }, center[3], at[3], sum = 0;
    robot_place(s->robot, s->stance->q, s->place);
    center_of_mass(s, center);
    for (int k = 0; k < n; k++) {
        pose_apply(&s->place[s->stance->foot[k].body], s->stance->foot[k].at, at);
        mean[0] += at[0] / n;
        mean[1] += at[1] / n;
        mean[2] += (at[2] - s->stance->foot[k].radius) / n;
    }
    for (int k = 0; k < n; k++)
        sum += pow(height_of(s, &s->stance->foot[k]) - mean[2], 2);
    sum += pow(mean[0] - center[0], 2) + pow(mean[1] - center[1], 2);
    for (int b = 0; b < s->robot->n_body; b++)
        sum += 1e-4 / s->robot->n_body * pow(s->stance->q[b] - s->middle[b], 2);
    return sum;
}

/* Tries one joint a step up and down, within its limits and those of what follows it; true if that is better. */
static bool try_joint(struct standing *s, int b, double step, double *best)
{
    const struct robot_joint *joint = &s->robot->body[b].joint;
    for (int side = -1; side <= 1; side += 2) {
        const double before = s->stance->q[b];
        s->stance->q[b] = fmin(fmax(before + side * step, joint->lower), joint->upper);
        const double now = imbalance(s);
        if (now < *best) {
            *best = now;
            return true;
        }
        s->stance->q[b] = before;
    }
    return false;
}

/* In steps of 1e-4 within the limits, which may be closer together than that. */
static void round_posture(struct standing *s)
{
    for (int b = 0; b < s->robot->n_body; b++) {
        const struct robot_joint *joint = &s->robot->body[b].joint;
        const double low = ceil(1e4 * joint->lower), high = floor(1e4 * joint->upper), q = s->stance->q[b];
        if (low <= high)
            s->stance->q[b] = fmin(fmax(round(1e4 * q), low), high) / 1e4 + 0.0;    /* no -0 */
    }
}

/* Pattern search: some thousand evaluations of a few microseconds each, for an answer that is a start and no more.
 */
static void search(struct standing *s)
{
    double best = imbalance(s);
    int budget = 200;
    for (double step = 0.2; step > 1e-4 && budget > 0; budget--) {
        bool better = false;
        for (int b = 0; b < s->robot->n_body; b++)
            if (robot_joint_has_axis(s->robot->body[b].joint.type) && s->robot->body[b].joint.mimic < 0)
                better = try_joint(s, b, step, &best) || better;
        if (!better)
            step /= 2;
    }
    round_posture(s);
    robot_place(s->robot, s->stance->q, s->place);
}

static bool floats(const struct robot *robot, int b)
{
    while (robot->body[b].parent >= 0)
        b = robot->body[b].parent;
    return robot->body[b].joint.type != ROBOT_FIXED;
}

struct robot_stance robot_stand(const struct robot *robot)
{
    struct robot_stance stance = { .n_foot = 0 };
    const size_t n = (size_t)robot->n_body;
    struct standing s = { .robot = robot, .stance = &stance, .middle = mem_alloc(n, sizeof(double)),
                          .place = mem_alloc(n, sizeof *s.place), .is_end = mem_alloc(n, sizeof(bool)) };
    stance.q = mem_alloc(n, sizeof *stance.q);
    for (int b = 0; b < robot->n_body; b++) {
        const struct robot_joint *joint = &robot->body[b].joint;
        s.is_end[b] = true;
        if (robot->body[b].parent >= 0)
            s.is_end[robot->body[b].parent] = false;
        if (robot_joint_has_axis(joint->type) && joint->mimic < 0)
            stance.q[b] = s.middle[b] = middle_of(joint);
    }
    robot_place(robot, stance.q, s.place);
    round_posture(&s);
    for (int b = 0; b < robot->n_body; b++)
        if (s.is_end[b] && floats(robot, b))
            add_end(&s, b);
    if (stance.n_foot > 0) {
        keep_lowest(&s);
        search(&s);
        stance.lowest = lowest_of(&s, -1);
    }
    free(s.middle);
    free(s.place);
    free(s.is_end);
    return stance;
}

void robot_stance_free(struct robot_stance *stance)
{
    free(stance->foot);
    free(stance->q);
}
