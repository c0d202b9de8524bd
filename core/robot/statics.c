#include "core/robot/statics.h"

#include "core/base/mem.h"
#include "core/base/pi.h"
#include "core/lcp/lcp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EDGES_EXACT = 8, EDGES_SEARCH = 4, CORRECTIONS = 6 };

static const double undriven_weight = 1e4; /* of squares of what is left where nothing drives */
static const double force_weight = 1e-4;   /* of squares of forces beside those of torques */

/* A direction in which the joint of a body moves it: about or along an axis through the body's origin. */
struct freedom {
    int body, row;         /* row: of joints that follow, that of their leader */
    double axis[3], ratio; /* axis in the body */
    double scale;          /* of its row, in m g: L where that is of torques, 1 of forces */
    bool turns, driven;
};

struct robot_statics {
    const struct robot *robot;
    int n_freedom, n_row;
    struct freedom *freedom; /* [n_freedom] in the order of their bodies */
    int *first;              /* [n_body + 1] freedom of each body */
    double gravity[3], weight, size;
    double *row, *rest;             /* [n_row] square root of the weight; sum of all but feet and tau */
    double *shift;                  /* [n_row] what corrections add to rest */
    double *A;                      /* [n_row * n_edge] what a unit of each lambda does, weighted */
    double *H, *c, *lambda, *slack; /* H [n_edge * n_edge], others [n_edge] */
    double (*mass)[4];              /* [n_body] of a body and all on it: mass, mass times centre */
    struct lcp *lcp;
};

/* --- Freedoms ------------------------------------------------------------------------------------------------ */

static void add_freedom(struct robot_statics *s, int body, const double axis[3], bool turns)
{
    const struct robot_joint *joint = &s->robot->body[body].joint;
    struct freedom *out = &s->freedom[s->n_freedom++];
    *out = (struct freedom){ .body = body, .row = s->n_row, .ratio = 1, .turns = turns };
    memcpy(out->axis, axis, sizeof out->axis);
    out->driven = joint->has_actuator && robot_joint_has_axis(joint->type);
    if (joint->mimic < 0)
        s->n_row++;
    else
        out->ratio = joint->ratio;
}

static void add_freedoms(struct robot_statics *s, int body)
{
    static const double axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const struct robot_joint *joint = &s->robot->body[body].joint;
    const bool planar = joint->type == ROBOT_PLANAR;
    if (robot_joint_has_axis(joint->type))
        add_freedom(s, body, joint->axis, joint->type != ROBOT_PRISMATIC);
    for (int i = 0; i < 3 && (joint->type == ROBOT_FREE || planar); i++)
        if (i != 1 || !planar)
            add_freedom(s, body, axes[i], false);
    for (int i = 0; i < 3 && (joint->type == ROBOT_FREE || joint->type == ROBOT_BALL || planar); i++)
        if (i == 1 || !planar)
            add_freedom(s, body, axes[i], true);
}

static void find_freedoms(struct robot_statics *s)
{
    const int n = s->robot->n_body;
    s->freedom = mem_alloc(6 * (size_t)n, sizeof *s->freedom);
    s->first = mem_alloc((size_t)n + 1, sizeof *s->first);
    for (int b = 0; b < n; b++) {
        s->first[b] = s->n_freedom;
        add_freedoms(s, b);
    }
    s->first[n] = s->n_freedom;
    for (int k = 0; k < s->n_freedom; k++) {
        const int leader = s->robot->body[s->freedom[k].body].joint.mimic;
        if (leader >= 0)
            s->freedom[k].row = s->freedom[s->first[leader]].row;
        s->freedom[k].scale = s->freedom[leader >= 0 ? s->first[leader] : k].turns ? s->size : 1;
    }
}

/* --- Sizes --------------------------------------------------------------------------------------------------- */

/* Twice the largest distance of a body from the first one, joints where their file has them; 1 of a single body. */
static double size_of(const struct robot *robot)
{
    struct pose *place = mem_alloc((size_t)robot->n_body, sizeof *place);
    double size = 0;
    for (int b = 0; b < robot->n_body; b++) {
        const struct robot_body *body = &robot->body[b];
        double d[3];
        place[b] = body->parent < 0 ? body->at : pose_compose(&place[body->parent], &body->at);
        for (int i = 0; i < 3; i++)
            d[i] = place[b].p[i] - place[0].p[i];
        size = fmax(size, 2 * sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
    free(place);
    return size > 0 ? size : 1;
}

struct robot_statics *robot_statics_create(const struct robot *robot, int n_touch)
{
    struct robot_statics *s = mem_alloc(1, sizeof *s);
    const size_t n_edge = (size_t)n_touch * EDGES_EXACT, n_body = (size_t)robot->n_body;
    double mass = 0;
    s->robot = robot;
    s->size = size_of(robot);
    find_freedoms(s);
    for (int i = 0; i < 3; i++)
        s->gravity[i] = isnan(robot->gravity[0]) ? (i == 2 ? -9.81 : 0) : robot->gravity[i];
    for (int b = 0; b < robot->n_body; b++)
        mass += robot->body[b].inertia.mass;
    s->weight =
        mass * sqrt(s->gravity[0] * s->gravity[0] + s->gravity[1] * s->gravity[1] + s->gravity[2] * s->gravity[2]);
    s->weight = s->weight > 0 ? s->weight : 1;
    s->row = mem_alloc((size_t)s->n_row, sizeof *s->row);
    s->rest = mem_alloc((size_t)s->n_row, sizeof *s->rest);
    s->shift = mem_alloc((size_t)s->n_row, sizeof *s->shift);
    s->A = mem_alloc((size_t)s->n_row * n_edge, sizeof *s->A);
    s->H = mem_alloc(n_edge * n_edge, sizeof *s->H);
    s->c = mem_alloc(n_edge, sizeof *s->c);
    s->lambda = mem_alloc(n_edge, sizeof *s->lambda);
    s->slack = mem_alloc(n_edge, sizeof *s->slack);
    s->mass = mem_alloc(n_body, sizeof *s->mass);
    s->lcp = n_edge ? lcp_create((int)n_edge) : NULL;
    return s;
}

void robot_statics_free(struct robot_statics *s)
{
    if (!s)
        return;
    lcp_free(s->lcp);
    free(s->freedom);
    free(s->first);
    free(s->row);
    free(s->rest);
    free(s->shift);
    free(s->A);
    free(s->H);
    free(s->c);
    free(s->lambda);
    free(s->slack);
    free(s->mass);
    free(s);
}

double robot_weight(const struct robot_statics *s)
{
    return s->weight;
}

double robot_size(const struct robot_statics *s)
{
    return s->size;
}

/* --- What forces do ------------------------------------------------------------------------------------------ */

/* A force at a point (both in the world) along a freedom: N or N m. */
static double force_along(const struct freedom *freedom, const struct pose *place, const double at[3],
                          const double f[3])
{
    double axis[3], sum = 0;
    pose_rotate(place, freedom->axis, axis);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double moment = (at[j] - place->p[j]) * f[k] - (at[k] - place->p[k]) * f[j];
        sum += axis[i] * (freedom->turns ? moment : f[i]);
    }
    return sum;
}

/* Weights of all that a freedom moves, and springs, in m g and m g L. */
static void sum_weights(struct robot_statics *s, const double *q, const struct pose *place)
{
    const struct robot *robot = s->robot;
    memset(s->rest, 0, (size_t)s->n_row * sizeof *s->rest);
    for (int b = 0; b < robot->n_body; b++) {
        const struct inertia *inertia = &robot->body[b].inertia;
        double center[3];
        pose_apply(&place[b], inertia->center, center);
        s->mass[b][0] = inertia->mass;
        for (int i = 0; i < 3; i++)
            s->mass[b][i + 1] = inertia->mass * center[i];
    }
    for (int b = robot->n_body - 1; b >= 0; b--)
        for (int i = 0; i < 4 && robot->body[b].parent >= 0; i++)
            s->mass[robot->body[b].parent][i] += s->mass[b][i];
    for (int k = 0; k < s->n_freedom; k++) {
        const struct freedom *freedom = &s->freedom[k];
        const struct robot_joint *joint = &robot->body[freedom->body].joint;
        const double *sum = s->mass[freedom->body], mass = sum[0];
        const double weight[3] = { mass * s->gravity[0], mass * s->gravity[1], mass * s->gravity[2] };
        const double center[3] = { mass > 0 ? sum[1] / mass : 0, mass > 0 ? sum[2] / mass : 0,
                                   mass > 0 ? sum[3] / mass : 0 };
        const double position =
            joint->mimic >= 0 ? joint->ratio * q[joint->mimic] + joint->offset : q[freedom->body];
        const double spring = robot_joint_has_axis(joint->type) ? joint->stiffness * (joint->rest - position) : 0;
        const double force = force_along(freedom, &place[freedom->body], center, weight);
        s->rest[freedom->row] += freedom->ratio * (force + spring) / (s->weight * freedom->scale);
        if (joint->mimic < 0)
            s->row[freedom->row] = freedom->driven ? 1 : sqrt(undriven_weight);
    }
}

static void edge_of(double friction, int i, int n_edge, double d[3])
{
    const double angle = 2 * PI * i / n_edge;
    d[0] = friction * cos(angle);
    d[1] = friction * sin(angle);
    d[2] = 1;
}

/* Column `column` of A: a force of m g along d on a foot. */
static void fill_column(struct robot_statics *s, const struct pose *place, const struct robot_touch *touch,
                        const double d[3], int column)
{
    double *A = s->A + (size_t)column * (size_t)s->n_row;
    memset(A, 0, (size_t)s->n_row * sizeof *A);
    for (int b = touch->body; b >= 0; b = s->robot->body[b].parent)
        for (int k = s->first[b]; k < s->first[b + 1]; k++) {
            const struct freedom *freedom = &s->freedom[k];
            A[freedom->row] += freedom->ratio * force_along(freedom, &place[b], touch->at, d)
                               * s->row[freedom->row] / freedom->scale;
        }
}

/* lambda of the least weighted squares of A lambda + row (rest + shift), and of lambda; it stays where none is
 * found. */
static void solve_forces(struct robot_statics *s, int n)
{
    struct lcp_info info;
    for (int i = 0; i < n; i++) {
        const double *a = s->A + (size_t)i * (size_t)s->n_row;
        s->c[i] = 0;
        for (int r = 0; r < s->n_row; r++)
            s->c[i] += a[r] * s->row[r] * (s->rest[r] + s->shift[r]);
    }
    if (lcp_solve(s->lcp, &(struct lcp_problem){ n, s->H, n, s->c }, NULL, s->lambda, s->slack, &info)
        != LCP_SOLVED)
        memset(s->lambda, 0, (size_t)n * sizeof *s->lambda);
}

static void square(struct robot_statics *s, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const double *a = s->A + (size_t)i * (size_t)s->n_row, *b = s->A + (size_t)j * (size_t)s->n_row;
            double sum = i == j ? force_weight : 0;
            for (int r = 0; r < s->n_row; r++)
                sum += a[r] * b[r];
            s->H[i + n * j] = s->H[j + n * i] = sum;
        }
}

/* What is left of row r once the feet push. */
static double left_over(const struct robot_statics *s, int n, int r)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += s->A[(size_t)i * (size_t)s->n_row + (size_t)r] * s->lambda[i];
    return s->rest[r] + sum / s->row[r];
}

double robot_hold(struct robot_statics *s, const double *q, const struct pose *place, int n_touch,
                  const struct robot_touch *touch, bool exact, double *force, double *torque)
{
    const int n_edge = exact ? EDGES_EXACT : EDGES_SEARCH, n = n_edge * n_touch;
    double d[3], most = 0;
    sum_weights(s, q, place);
    memset(s->shift, 0, (size_t)s->n_row * sizeof *s->shift);
    for (int i = 0; i < n; i++) {
        edge_of(touch[i / n_edge].friction, i % n_edge, n_edge, d);
        fill_column(s, place, &touch[i / n_edge], d, i);
    }
    square(s, n);
    for (int k = 0; k < (exact ? CORRECTIONS : 1) && n > 0;
         k++) { /* method of multipliers for rows without drives */
        solve_forces(s, n);
        for (int r = 0; r < s->n_row; r++)
            s->shift[r] += s->row[r] > 1 ? left_over(s, n, r) : 0;
    }
    memset(force, 0, 3 * (size_t)n_touch * sizeof *force);
    for (int i = 0; i < n; i++) {
        edge_of(touch[i / n_edge].friction, i % n_edge, n_edge, d);
        for (int k = 0; k < 3; k++)
            force[3 * (i / n_edge) + k] += s->lambda[i] * d[k] * s->weight;
    }
    memset(torque, 0, (size_t)s->robot->n_body * sizeof *torque);
    for (int k = 0; k < s->n_freedom; k++) {
        const struct freedom *freedom = &s->freedom[k];
        const double left = left_over(s, n, freedom->row);
        if (freedom->driven && s->robot->body[freedom->body].joint.mimic < 0)
            torque[freedom->body] = -left * s->weight * freedom->scale;
        else if (s->row[freedom->row] > 1)
            most = fmax(most, fabs(left));
    }
    return most;
}
