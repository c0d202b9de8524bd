/* tests/unit/impacts.h - impacts for tests: those of SVI 5.4 by the formulas of impact.md 7, and random ones */
#ifndef COCP_TESTS_UNIT_IMPACTS_H
#define COCP_TESTS_UNIT_IMPACTS_H

#include "core/base/draw.h"
#include "core/contact/system.h"

#include <math.h>
#include <string.h>

enum { MAX_V = 9 };

/* J by rows [n_row][n_v], as impact.md prints it: normal and tangent of each contact. */
struct impact_numbers {
    int n_v, n_contact, n_t;
    double M[MAX_V][MAX_V], J[15][MAX_V], v[MAX_V], mu, h;
};

static inline struct impact_numbers rocking_block(void)
{
    struct impact_numbers a = { .n_v = 3, .n_contact = 2, .n_t = 1, .mu = 1, .h = 0.3 };
    const double J[4][3] = { { 0, 1, -0.5 }, { 1, 0, 1 }, { 0, 1, 0.5 }, { 1, 0, 1 } };
    a.M[0][0] = a.M[1][1] = 1;
    a.M[2][2] = 5.0 / 12;
    for (int r = 0; r < 4; r++)
        memcpy(a.J[r], J[r], sizeof J[r]);
    a.v[1] = -sqrt(2 * 9.81 * 0.01);
    return a;
}

static inline struct impact_numbers compass_gait(void)
{
    struct impact_numbers a = { .n_v = 4, .n_contact = 2, .n_t = 1, .mu = 5, .h = 0.25 };
    const double al = 78 * acos(-1.0) / 180, w = 0.25, s = 0.5, th[2] = { -al, al };
    a.M[0][0] = a.M[1][1] = 2;
    for (int i = 0; i < 2; i++) {
        a.M[2 + i][2 + i] = s * s;
        a.M[0][2 + i] = a.M[2 + i][0] = s * cos(th[i]);
        a.M[1][2 + i] = a.M[2 + i][1] = s * sin(th[i]);
        a.J[2 * i][1] = a.J[2 * i + 1][0] = 1;
        a.J[2 * i][2 + i] = sin(th[i]);
        a.J[2 * i + 1][2 + i] = cos(th[i]);
    }
    a.v[0] = -cos(al) * w;
    a.v[1] = -sin(al) * w;
    a.v[2] = a.v[3] = w;
    return a;
}

static inline struct impact_numbers box_wall(void)
{
    struct impact_numbers a = { .n_v = 3, .n_contact = 2, .n_t = 1, .mu = 1, .h = 2 };
    const double th = 10 * acos(-1.0) / 180, p = (cos(th) - sin(th)) / 2, q = (cos(th) + sin(th)) / 2;
    const double J[4][3] = { { 0, 1, p }, { 1, 0, q }, { -1, 0, p }, { 0, -1, -q } };
    a.M[0][0] = a.M[1][1] = 1;
    a.M[2][2] = 1.0 / 6;
    for (int r = 0; r < 4; r++)
        memcpy(a.J[r], J[r], sizeof J[r]);
    a.v[0] = 1;
    return a;
}

/* Three discs of radius 1: floor-L, floor-R, T-L, T-R, L-R; n from body 1 to body 2, t = (n_y, -n_x). */
static inline struct impact_numbers disk_stack(double m)
{
    enum { FLOOR = -1, T, L, R };
    struct impact_numbers a = { .n_v = 9, .n_contact = 5, .n_t = 1, .mu = sqrt(3), .h = 1 };
    const struct { int one, two; double n[2]; } pair[5] = {
        { FLOOR, L, { 0, 1 } }, { FLOOR, R, { 0, 1 } }, { T, L, { -0.5, -sqrt(3) / 2 } },
        { T, R, { 0.5, -sqrt(3) / 2 } }, { L, R, { 1, 0 } }
    };
    for (int b = 0; b < 3; b++) {
        a.M[3 * b][3 * b] = a.M[3 * b + 1][3 * b + 1] = m;
        a.M[3 * b + 2][3 * b + 2] = m / 2;
    }
    for (int c = 0; c < 5; c++) {
        const double *n = pair[c].n, t[2] = { n[1], -n[0] };
        for (int i = 0; i < 2; i++) {
            a.J[2 * c][3 * pair[c].two + i] = n[i];
            a.J[2 * c + 1][3 * pair[c].two + i] = t[i];
            if (pair[c].one != FLOOR) {
                a.J[2 * c][3 * pair[c].one + i] = -n[i];
                a.J[2 * c + 1][3 * pair[c].one + i] = -t[i];
            }
        }
        a.J[2 * c + 1][3 * pair[c].two + 2] = 1;
        if (pair[c].one != FLOOR)
            a.J[2 * c + 1][3 * pair[c].one + 2] = 1;
    }
    a.v[1] = -1;
    return a;
}

/* A number in (-1, 1) of a sequence. */
static inline double draw_signed(uint64_t *state)
{
    return 2 * draw_random(77, 0, (*state)++) - 1;
}

/* A random system whose first contact approaches: M = A'A + I / 2, random rows, mu in (0.1, 1.5). */
static inline struct impact_numbers random_impact(uint64_t *state, int n_contact, int n_t)
{
    struct impact_numbers a = { .n_v = 3 + n_contact, .n_contact = n_contact, .n_t = n_t, .h = 0.5 };
    double A[MAX_V][MAX_V], u = 0;
    for (int i = 0; i < a.n_v; i++)
        for (int j = 0; j < a.n_v; j++)
            A[i][j] = draw_signed(state);
    for (int i = 0; i < a.n_v; i++)
        for (int j = 0; j < a.n_v; j++) {
            a.M[i][j] = i == j ? 0.5 : 0;
            for (int k = 0; k < a.n_v; k++)
                a.M[i][j] += A[k][i] * A[k][j];
        }
    for (int r = 0; r < n_contact * (1 + n_t); r++)
        for (int j = 0; j < a.n_v; j++)
            a.J[r][j] = draw_signed(state);
    a.mu = 0.8 + 0.7 * draw_signed(state);
    for (int j = 0; j < a.n_v; j++) {
        a.v[j] = draw_signed(state);
        u += a.J[0][j] * a.v[j];
    }
    for (int j = 0; j < a.n_v && u > 0; j++)
        a.v[j] = -a.v[j];
    return a;
}

/* The system of the numbers, four directions of friction in 3D. */
static inline void make_system(struct impact_system *system, struct arena *mem, const struct impact_numbers *a)
{
    double M[MAX_V * MAX_V], J[CONTACT_ROWS * IMPACT_MAX_CONTACTS * MAX_V], mu[IMPACT_MAX_CONTACTS];
    int n_t[IMPACT_MAX_CONTACTS];
    struct diag *diag = diag_create();
    for (int i = 0; i < a->n_v; i++)
        for (int j = 0; j < a->n_v; j++)
            M[i + j * a->n_v] = a->M[i][j];
    for (int c = 0; c < a->n_contact; c++) {
        n_t[c] = a->n_t;
        mu[c] = a->mu;
        for (int i = 0; i <= a->n_t; i++)
            for (int j = 0; j < a->n_v; j++)
                J[j + (CONTACT_ROWS * c + i) * a->n_v] = a->J[c * (1 + a->n_t) + i][j];
    }
    const struct jump_impact impact = { .n_q = a->n_v, .n_c = a->n_contact, .n_t = n_t, .mu = mu, .M = M, .J = J };
    (void)impact_system_init(system, mem, &impact, 4, diag);
    diag_free(diag);
}

#endif
