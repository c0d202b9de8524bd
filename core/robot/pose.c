#include "core/robot/pose.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

struct pose pose_identity(void)
{
    return (struct pose){ .R = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
}

struct pose pose_shift(const double p[3])
{
    struct pose out = pose_identity();
    memcpy(out.p, p, sizeof out.p);
    return out;
}

void pose_rotate(const struct pose *a, const double vector[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a->R[i] * vector[0] + a->R[i + 3] * vector[1] + a->R[i + 6] * vector[2];
}

void pose_apply(const struct pose *a, const double point[3], double out[3])
{
    pose_rotate(a, point, out);
    for (int i = 0; i < 3; i++)
        out[i] += a->p[i];
}

void rotation_multiply(const double A[9], const double B[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i + 3 * j] = A[i] * B[3 * j] + A[i + 3] * B[1 + 3 * j] + A[i + 6] * B[2 + 3 * j];
}

struct pose pose_compose(const struct pose *a, const struct pose *b)
{
    struct pose out = { .p = { 0 } };
    rotation_multiply(a->R, b->R, out.R);
    pose_apply(a, b->p, out.p);
    return out;
}

struct pose pose_inverse(const struct pose *a)
{
    struct pose out = { .p = { 0 } };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.R[i + 3 * j] = a->R[j + 3 * i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.p[i] -= out.R[i + 3 * j] * a->p[j];
    return out;
}

bool pose_is_turned(const struct pose *a)
{
    for (int i = 0; i < 9; i++)
        if (a->R[i] != (i % 4 == 0))
            return true;
    return false;
}

/* --- Rotations ----------------------------------------------------------------------------------------------- */

/* R_z(yaw) R_y(pitch) R_x(roll) */
void rotation_of_rpy(const double rpy[3], double R[9])
{
    static const double axis[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    double turn[3][9], zy[9];
    for (int i = 0; i < 3; i++)
        rotation_about(axis[i], rpy[i], turn[i]);
    rotation_multiply(turn[2], turn[1], zy);
    rotation_multiply(zy, turn[0], R);
}

void rotation_of_quaternion(const double q[4], double R[9])
{
    const double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], s = 2 / n;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R[4 * i] = 1 - s * (q[j + 1] * q[j + 1] + q[k + 1] * q[k + 1]);
        R[j + 3 * i] = s * (q[i + 1] * q[j + 1] + q[0] * q[k + 1]);
        R[k + 3 * i] = s * (q[i + 1] * q[k + 1] - q[0] * q[j + 1]);
    }
}

/* Rodrigues' formula */
void rotation_about(const double axis[3], double angle, double R[9])
{
    const double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]), c = cos(angle),
                 s = sin(angle);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double a = axis[i] / n, b = axis[j] / n, d = axis[k] / n;
        R[4 * i] = c + (1 - c) * a * a;
        R[j + 3 * i] = (1 - c) * a * b + s * d;
        R[k + 3 * i] = (1 - c) * a * d - s * b;
    }
}

void rotation_of_z(const double z[3], double R[9])
{
    const double s = hypot(z[0], z[1]), turn[3] = { -z[1], z[0], 0 }, x[3] = { 1, 0, 0 };
    rotation_about(s > 0 ? turn : x, atan2(s, z[2]), R);
}

/* By the largest of the four squares, from which the others follow without loss. */
void rotation_to_quaternion(const double R[9], double q[4])
{
    const double trace = R[0] + R[4] + R[8];
    int largest = 0;
    double most = trace;
    for (int i = 0; i < 3; i++)
        if (R[4 * i] > most) {
            most = R[4 * i];
            largest = i + 1;
        }
    if (largest == 0) {
        const double s = 2 * sqrt(1 + trace);
        q[0] = s / 4;
        for (int i = 0; i < 3; i++)
            q[i + 1] = (R[(i + 2) % 3 + 3 * ((i + 1) % 3)] - R[(i + 1) % 3 + 3 * ((i + 2) % 3)]) / s;
        return;
    }
    const int i = largest - 1, j = (i + 1) % 3, k = (i + 2) % 3;
    const double s = 2 * sqrt(1 + R[4 * i] - R[4 * j] - R[4 * k]);
    q[0] = (R[k + 3 * j] - R[j + 3 * k]) / s;
    q[i + 1] = s / 4;
    q[j + 1] = (R[i + 3 * j] + R[j + 3 * i]) / s;
    q[k + 1] = (R[i + 3 * k] + R[k + 3 * i]) / s;
    for (int m = 0; m < 4 && q[0] < 0; m++)
        q[3 - m] = -q[3 - m];
}

/* --- Inertias ------------------------------------------------------------------------------------------------ */

struct inertia inertia_seen(const struct pose *at, const struct inertia *body)
{
    struct inertia out = { .mass = body->mass };
    double RT[9];
    pose_apply(at, body->center, out.center);
    rotation_multiply(at->R, body->tensor, RT);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                out.tensor[i + 3 * j] += RT[i + 3 * k] * at->R[j + 3 * k];
    return out;
}

/* Steiner: I += m (|d|^2 1 - d d') */
static void add_shifted(double tensor[9], const struct inertia *part, const double center[3])
{
    double d[3], square = 0;
    for (int i = 0; i < 3; i++) {
        d[i] = part->center[i] - center[i];
        square += d[i] * d[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            tensor[i + 3 * j] += part->tensor[i + 3 * j] + part->mass * ((i == j) * square - d[i] * d[j]);
}

void inertia_add(struct inertia *sum, const struct inertia *part)
{
    struct inertia out = { .mass = sum->mass + part->mass };
    for (int i = 0; i < 3; i++)
        out.center[i] = out.mass > 0 ? (sum->mass * sum->center[i] + part->mass * part->center[i]) / out.mass : 0;
    add_shifted(out.tensor, sum, out.center);
    add_shifted(out.tensor, part, out.center);
    *sum = out;
}

void inertia_moments(const double tensor[9], double moment[3])
{
    double A[9];
    memcpy(A, tensor, sizeof A);
    if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', 3, A, 3, moment) != 0)
        moment[0] = moment[1] = moment[2] = NAN;
}
