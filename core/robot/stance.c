#include "core/robot/stance.h"

#include "core/base/mem.h"
#include "core/robot/statics.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double low_share = 0.25; /* of the robot's height: ends that are lower are feet */
static const double height_share = 100, center_share = 1, left_share = 100; /* of residuals */
static const double torque_share = 0.25, middle_share = 0.1;
static const double difference = 1e-6; /* rad, m */
static const int most_evaluations = 2000;
static const double balanced = 1e-9; /* of the weight: what may be left */
static const double level = 0.01;    /* m: points of a foot that touch the ground together */

enum { MOST_HELD = 64, MOST_SEARCHED = 200 }; /* feet, joints: robots with more keep the middle posture, */
                                             /* those with more feet without what holds it */

struct standing {
    const struct robot *robot;
    struct robot_stance *stance;
    double *middle;            /* [n_body] */
    struct pose *place;        /* [n_body] */
    bool *is_end;              /* [n_body] nothing hangs on it */
    int n_var, *var;           /* bodies whose joints have an axis of their own */
    struct robot_touch *touch; /* [n_foot] */
    struct robot_statics *statics;
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
            is_twin = is_twin
                      || (s->stance->foot[i].body == foot.body
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

/* --- The search ---------------------------------------------------------------------------------------------- */

static void find_touches(struct standing *s)
{
    for (int k = 0; k < s->stance->n_foot; k++) {
        const struct robot_foot *foot = &s->stance->foot[k];
        s->touch[k] =
            (struct robot_touch){ .body = foot->body,
                                  .friction = isnan(foot->friction) ? robot_usual_friction : foot->friction };
        pose_apply(&s->place[foot->body], foot->at, s->touch[k].at);
        s->touch[k].at[2] -= foot->radius;
    }
}

/* The first residuals of the header, one behind the other: feet, centre of mass. */
static void eval_places(struct standing *s, double *r)
{
    struct robot_stance *stance = s->stance;
    const int n = stance->n_foot;
    const double size = robot_size(s->statics);
    double mean[3] = { 0 }, center[3];
    robot_place(s->robot, stance->q, s->place);
    center_of_mass(s, center);
    find_touches(s);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            mean[i] += s->touch[k].at[i] / n;
    for (int k = 0; k < n; k++)
        *r++ = height_share * (s->touch[k].at[2] - mean[2]) / size;
    for (int i = 0; i < 2; i++)
        *r++ = center_share * (mean[i] - center[i]) / size;
}

static double hold(struct standing *s, bool exact)
{
    struct robot_stance *stance = s->stance;
    return robot_hold(s->statics, stance->q, s->place, stance->n_foot, s->touch, exact, stance->force,
                      stance->torque);
}

/* All of them: then what is left, torques, middle. */
static void eval_residuals(struct standing *s, double *r)
{
    const struct robot_stance *stance = s->stance;
    const int n_body = s->robot->n_body;
    const double size = robot_size(s->statics), weight = robot_weight(s->statics);
    eval_places(s, r);
    r += stance->n_foot + 2;
    *r++ = left_share * hold(s, false);
    for (int b = 0; b < n_body; b++)
        *r++ = torque_share * stance->torque[b] / (weight * size);
    for (int b = 0; b < n_body; b++)
        *r++ = middle_share * (stance->q[b] - s->middle[b]);
}

static double sum_of_squares(int n, const double *r)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += r[i] * r[i];
    return sum;
}

static double within(const struct robot_joint *joint, double q)
{
    return fmin(fmax(q, joint->lower), joint->upper);
}

/* J [n_r x n_var] by differences, into the limits. */
static void eval_jacobian(struct standing *s, void (*eval)(struct standing *, double *), int n_r, const double *r,
                          double *shifted, double *J)
{
    for (int i = 0; i < s->n_var; i++) {
        const struct robot_joint *joint = &s->robot->body[s->var[i]].joint;
        double *q = &s->stance->q[s->var[i]], before = *q;
        const double step = before + difference <= joint->upper ? difference : -difference;
        *q += step;
        eval(s, shifted);
        *q = before;
        for (int k = 0; k < n_r; k++)
            J[(size_t)k + (size_t)i * (size_t)n_r] = (shifted[k] - r[k]) / step;
    }
}

static size_t at(int n, int row, int column)
{
    return (size_t)row + (size_t)n * (size_t)column;
}

/* The step (J'J + damping) d = -J'r of the joints that are not `fixed`. */
static bool solve_step(const struct standing *s, int n_r, const double *J, const double *r, double damping,
                       const bool *fixed, double *H, double *d)
{
    const int n = s->n_var;
    for (int i = 0; i < n; i++) {
        const double *a = J + (size_t)i * (size_t)n_r;
        for (int j = 0; j <= i; j++) {
            const double *b = J + (size_t)j * (size_t)n_r;
            double sum = i == j ? damping : 0;
            for (int k = 0; k < n_r; k++)
                sum += a[k] * b[k];
            H[at(n, i, j)] = fixed[i] || fixed[j] ? i == j : sum;
        }
        d[i] = 0;
        for (int k = 0; k < n_r && !fixed[i]; k++)
            d[i] -= a[k] * r[k];
    }
    return LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n, 1, H, n, d, n) == 0;
}

/* Joints at a limit that the step would leave stay there; then the others have another step. */
static bool find_step(const struct standing *s, int n_r, const double *J, const double *r, double damping,
                      bool *fixed, double *H, double *d)
{
    bool good, again = true;
    memset(fixed, 0, (size_t)s->n_var * sizeof *fixed);
    do {
        good = solve_step(s, n_r, J, r, damping, fixed, H, d);
        again = false;
        for (int i = 0; i < s->n_var && good; i++) {
            const struct robot_joint *joint = &s->robot->body[s->var[i]].joint;
            const double q = s->stance->q[s->var[i]];
            if (!fixed[i] && ((q >= joint->upper && d[i] > 0) || (q <= joint->lower && d[i] < 0)))
                fixed[i] = again = true;
        }
    } while (again);
    return good;
}

/* Levenberg and Marquardt's method within the limits: a robot that is the same on both sides stays so. */
static void search(struct standing *s)
{
    const int n = s->n_var, n_r = s->stance->n_foot + 3 + 2 * s->robot->n_body;
    const size_t rows = (size_t)n_r, columns = (size_t)n;
    double *r = mem_alloc(rows, sizeof *r), *next = mem_alloc(rows, sizeof *next),
           *d = mem_alloc(columns, sizeof *d);
    double *J = mem_alloc(rows * columns, sizeof *J), *H = mem_alloc(columns * columns, sizeof *H);
    double *before = mem_alloc(columns, sizeof *before), damping = 1e-3;
    bool *fixed = mem_alloc(columns, sizeof *fixed);
    int budget = most_evaluations;
    eval_residuals(s, r);
    for (bool done = n == 0; !done && budget > 0; budget -= n) {
        const double best = sum_of_squares(n_r, r);
        double now = INFINITY;
        eval_jacobian(s, eval_residuals, n_r, r, next, J);
        for (int i = 0; i < n; i++)
            before[i] = s->stance->q[s->var[i]];
        for (; !(now < best) && damping < 1e6; damping *= now < best ? 0.1 : 10, budget--) {
            if (!find_step(s, n_r, J, r, damping, fixed, H, d))
                continue;
            for (int i = 0; i < n; i++)
                s->stance->q[s->var[i]] = within(&s->robot->body[s->var[i]].joint, before[i] + d[i]);
            eval_residuals(s, next);
            now = sum_of_squares(n_r, next);
        }
        for (int i = 0; i < n && !(now < best); i++)
            s->stance->q[s->var[i]] = before[i];
        done = !(now < (1 - 1e-6) * best);
        damping = fmax(damping, 1e-9);
        if (now < best)
            memcpy(r, next, rows * sizeof *r);
    }
    free(r);
    free(next);
    free(d);
    free(J);
    free(H);
    free(before);
    free(fixed);
}

/* Newton's method for feet of one height and, where `balance`, below the centre of mass, by the least motion of
 * joints; where that cannot be it ends nearby. */
static void level_feet(struct standing *s, bool balance)
{
    const int n = s->n_var, n_r = s->stance->n_foot + 2, n_row = s->stance->n_foot + (balance ? 2 : 0);
    const size_t rows = (size_t)n_r, columns = (size_t)n, wanted = (size_t)n_row;
    double *r = mem_alloc(rows, sizeof *r), *next = mem_alloc(rows, sizeof *next),
           *J = mem_alloc(rows * columns, sizeof *J);
    double *K = mem_alloc(wanted * wanted, sizeof *K), *y = mem_alloc(wanted, sizeof *y);
    for (int round = 0; round < 8; round++) {
        eval_places(s, r);
        eval_jacobian(s, eval_places, n_r, r, next, J);
        for (int a = 0; a < n_row; a++) {
            y[a] = -r[a];
            for (int b = 0; b <= a; b++) {
                K[at(n_row, a, b)] = a == b ? 1e-10 : 0;
                for (int i = 0; i < n; i++)
                    K[at(n_row, a, b)] += J[(size_t)a + (size_t)i * rows] * J[(size_t)b + (size_t)i * rows];
            }
        }
        if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', n_row, 1, K, n_row, y, n_row) != 0)
            break;
        for (int i = 0; i < n; i++) {
            double step = 0;
            for (int a = 0; a < n_row; a++)
                step += J[(size_t)a + (size_t)i * rows] * y[a];
            s->stance->q[s->var[i]] = within(&s->robot->body[s->var[i]].joint, s->stance->q[s->var[i]] + step);
        }
    }
    free(r);
    free(next);
    free(J);
    free(K);
    free(y);
}

/* To that many steps in a unit, within the limits. */
static void round_posture(struct standing *s, double steps)
{
    for (int b = 0; b < s->robot->n_body; b++) {
        const struct robot_joint *joint = &s->robot->body[b].joint;
        const double low = ceil(steps * joint->lower), high = floor(steps * joint->upper), q = s->stance->q[b];
        if (low <= high)
            s->stance->q[b] = fmin(fmax(round(steps * q), low), high) / steps + 0.0; /* no -0 */
    }
    robot_place(s->robot, s->stance->q, s->place);
}

static bool floats(const struct robot *robot, int b)
{
    while (robot->body[b].parent >= 0)
        b = robot->body[b].parent;
    return robot->body[b].joint.type != ROBOT_FIXED;
}

static void settle(struct standing *s, bool balance)
{
    double *r = mem_alloc((size_t)s->stance->n_foot + 2, sizeof *r);
    level_feet(s, balance);
    round_posture(s, 1e10);
    eval_places(s, r);
    s->stance->lowest = lowest_of(s, -1);
    s->stance->left = hold(s, true);
    free(r);
}

/* The posture, and what holds it. */
static void stand(struct standing *s)
{
    struct robot_stance *stance = s->stance;
    if (stance->n_foot > 0) {
        keep_lowest(s);
        s->touch = mem_alloc((size_t)stance->n_foot, sizeof *s->touch);
    }
    s->statics = robot_statics_create(s->robot, stance->n_foot <= MOST_HELD ? stance->n_foot : 0);
    stance->weight = robot_weight(s->statics);
    stance->size = robot_size(s->statics) / 2;
    stance->lowest = stance->n_foot > 0 ? lowest_of(s, -1) : 0;
    find_touches(s);
    if (stance->n_foot <= MOST_HELD) {
        stance->force = mem_alloc(3 * (size_t)stance->n_foot, sizeof *stance->force);
        stance->left = hold(s, true);
    }
    if (stance->n_foot > 0 && stance->n_foot <= MOST_HELD && s->n_var <= MOST_SEARCHED) {
        search(s);
        round_posture(s, 1e4);
        settle(s, false);
        if (stance->left > balanced)
            settle(s, true);
    }
    free(s->touch);
    robot_statics_free(s->statics);
}

struct robot_stance robot_stand(const struct robot *robot)
{
    struct robot_stance stance = { .n_foot = 0 };
    const size_t n = (size_t)robot->n_body;
    struct standing s = { .robot = robot,
                          .stance = &stance,
                          .middle = mem_alloc(n, sizeof(double)),
                          .place = mem_alloc(n, sizeof *s.place),
                          .is_end = mem_alloc(n, sizeof(bool)),
                          .var = mem_alloc(n, sizeof *s.var) };
    stance.q = mem_alloc(n, sizeof *stance.q);
    stance.torque = mem_alloc(n, sizeof *stance.torque);
    for (int b = 0; b < robot->n_body; b++) {
        const struct robot_joint *joint = &robot->body[b].joint;
        s.is_end[b] = true;
        if (robot->body[b].parent >= 0)
            s.is_end[robot->body[b].parent] = false;
        if (robot_joint_has_axis(joint->type) && joint->mimic < 0) {
            stance.q[b] = s.middle[b] = middle_of(joint);
            s.var[s.n_var++] = b;
        }
    }
    round_posture(&s, 1e4);
    for (int b = 0; b < robot->n_body; b++)
        if (s.is_end[b] && floats(robot, b))
            add_end(&s, b);
    stand(&s);
    free(s.middle);
    free(s.place);
    free(s.is_end);
    free(s.var);
    return stance;
}

void robot_stance_free(struct robot_stance *stance)
{
    free(stance->foot);
    free(stance->q);
    free(stance->force);
    free(stance->torque);
}
