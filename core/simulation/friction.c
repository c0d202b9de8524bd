#include "core/simulation/friction.h"

#include "core/base/arena.h"
#include "core/base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MAX_TURNS = 60, N_EDGES = 4, N_PER_CONTACT = 2 + N_EDGES };

#define TURN_TOL 1e-12              /* rad; some hundred roundings */
static const double quarter = 1.57079632679489661923;

/* Unknown of the complementarity problem: the size of an impulse along `along`, or a slack (slip speed). */
struct unknown { int contact; double along[3]; };

struct friction {
    struct arena mem;               /* owns this struct's arrays */
    struct lcp *lcp;                /* owned */
    int n_max;
    int n_force;                    /* unknowns that are forces; slacks follow */
    struct unknown *unknown;        /* [N_PER_CONTACT n_max] */
    int *slack;                     /* [n_max] of a contact, or -1 */
    double *angle;                  /* [n_max] of the first edge of a spatial contact */
    double *M, *q, *z, *w;
};

struct friction *friction_create(int n_max)
{
    assert(n_max >= 1);
    const size_t n = (size_t)(N_PER_CONTACT * n_max);
    struct friction *friction = mem_alloc(1, sizeof *friction);
    friction->n_max = n_max;
    friction->lcp = lcp_create((int)n);
    friction->unknown = arena_alloc(&friction->mem, n, sizeof *friction->unknown);
    friction->slack = arena_alloc(&friction->mem, (size_t)n_max, sizeof(int));
    friction->angle = arena_alloc(&friction->mem, (size_t)n_max, sizeof(double));
    friction->M = arena_alloc(&friction->mem, n * n, sizeof(double));
    friction->q = arena_alloc(&friction->mem, n, sizeof(double));
    friction->z = arena_alloc(&friction->mem, n, sizeof(double));
    friction->w = arena_alloc(&friction->mem, n, sizeof(double));
    return friction;
}

void friction_free(struct friction *friction)
{
    if (!friction)
        return;
    lcp_free(friction->lcp);
    arena_free(&friction->mem);
    free(friction);
}

static bool has_friction(const struct friction_problem *problem, int c)
{
    return problem->n_t[c] > 0 && problem->mu[c] > 0;
}

static void add_force(struct friction *friction, int contact, double n, double t1, double t2)
{
    friction->unknown[friction->n_force++] = (struct unknown){ contact, { n, t1, t2 } };
}

/* Lists the unknowns: normal impulses, edges of the pyramids, slacks. Returns how many. */
static int list_unknowns(struct friction *friction, const struct friction_problem *problem)
{
    friction->n_force = 0;
    for (int c = 0; c < problem->n; c++)
        add_force(friction, c, 1, 0, 0);
    for (int c = 0; c < problem->n; c++) {
        const int n_edges = !has_friction(problem, c) ? 0 : problem->n_t[c] == 1 ? 2 : N_EDGES;
        for (int k = 0; k < n_edges; k++) {
            const double angle = friction->angle[c] + quarter * k;
            if (n_edges == 2)
                add_force(friction, c, 0, k ? -1 : 1, 0);
            else
                add_force(friction, c, 0, cos(angle), sin(angle));
        }
    }
    int n = friction->n_force;
    for (int c = 0; c < problem->n; c++)
        friction->slack[c] = has_friction(problem, c) ? n++ : -1;
    return n;
}

/* a' G b for directions of two contacts. */
static double coupling(const struct friction_problem *problem, const struct unknown *a, const struct unknown *b)
{
    const size_t ld = 3 * (size_t)problem->n;
    double sum = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            sum += a->along[i] * b->along[j]
                   * problem->G[3 * (size_t)a->contact + (size_t)i + (3 * (size_t)b->contact + (size_t)j) * ld];
    return sum;
}

/* impact.md 6: rows are v_n_plus - v_least, velocities along the edges plus the slip speed, room in the cone. */
static struct lcp_problem assemble(struct friction *friction, const struct friction_problem *problem)
{
    const int n = list_unknowns(friction, problem);
    double *M = friction->M;
    for (int k = 0; k < n * n; k++)
        M[k] = 0;
    for (int j = 0; j < friction->n_force; j++)
        for (int i = 0; i < friction->n_force; i++)
            M[i + j * n] = coupling(problem, &friction->unknown[i], &friction->unknown[j]);
    for (int i = 0; i < friction->n_force; i++) {
        const struct unknown *unknown = &friction->unknown[i];
        const double *v = problem->v + 3 * unknown->contact;
        const int c = unknown->contact, slack = friction->slack[c];
        friction->q[i] = unknown->along[0] * (v[0] - problem->v_least[c]) + unknown->along[1] * v[1]
                         + unknown->along[2] * v[2];
        if (slack < 0)
            continue;
        if (i < problem->n) {
            M[slack + i * n] = problem->mu[c];
        } else {
            M[slack + i * n] = -1;
            M[i + slack * n] = 1;
        }
    }
    for (int i = friction->n_force; i < n; i++)
        friction->q[i] = 0;
    return (struct lcp_problem){ .n = n, .M = M, .ld = n, .q = friction->q };
}

static void read_impulse(const struct friction *friction, const struct friction_problem *problem, double *impulse,
                         double *v_plus)
{
    const int n = 3 * problem->n;
    for (int i = 0; i < n; i++) {
        impulse[i] = 0;
        v_plus[i] = problem->v[i];
    }
    for (int k = 0; k < friction->n_force; k++)
        for (int i = 0; i < 3; i++)
            impulse[3 * friction->unknown[k].contact + i] += friction->z[k] * friction->unknown[k].along[i];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            v_plus[i] += problem->G[i + j * n] * impulse[j];
}

/* Where the first edge of contact c has to point, up to quarter turns; its present angle where that is open. */
static double wanted_angle(const struct friction *friction, const struct friction_problem *problem, int c,
                           const double *impulse, const double *v_plus)
{
    const int n = 3 * problem->n, t1 = 3 * c + 1, t2 = 3 * c + 2;
    const double r = 0.5 * (problem->G[t1 + t1 * n] + problem->G[t2 + t2 * n]);
    const double s1 = v_plus[t1] - r * impulse[t1], s2 = v_plus[t2] - r * impulse[t2];
    return s1 == 0 && s2 == 0 ? friction->angle[c] : atan2(s2, s1);
}

/* Turns the pyramids of spatial contacts and returns the largest turn. */
static double turn_edges(struct friction *friction, const struct friction_problem *problem, const double *impulse,
                         const double *v_plus)
{
    double largest = 0;
    for (int c = 0; c < problem->n; c++) {
        if (problem->n_t[c] < 2 || !(impulse[3 * c] > 0))
            continue;
        const double angle = wanted_angle(friction, problem, c, impulse, v_plus);
        const double turn = fabs(remainder(angle - friction->angle[c], quarter));
        largest = fmax(largest, turn);
        friction->angle[c] = angle;
    }
    return largest;
}

enum lcp_outcome friction_solve(struct friction *friction, const struct friction_problem *problem, double *impulse,
                                double *v_plus, struct friction_info *info)
{
    assert(problem->n >= 1 && problem->n <= friction->n_max);
    bool is_spatial = false;
    *info = (struct friction_info){ 0 };
    for (int c = 0; c < problem->n; c++) {
        const double *v = problem->v + 3 * c;
        friction->angle[c] = atan2(v[2], v[1]);
        is_spatial = is_spatial || (problem->n_t[c] == 2 && problem->mu[c] > 0);
    }
    for (int k = 0; k < MAX_TURNS; k++) {
        const struct lcp_problem lcp_problem = assemble(friction, problem);
        struct lcp_info lcp_info;
        lcp_solve(friction->lcp, &lcp_problem, NULL, friction->z, friction->w, &lcp_info);
        info->n_lcp++;
        info->n_pivots += lcp_info.n_pivots;
        if (lcp_info.outcome != LCP_SOLVED)
            return lcp_info.outcome;
        read_impulse(friction, problem, impulse, v_plus);
        info->turn = is_spatial ? turn_edges(friction, problem, impulse, v_plus) : 0;
        if (info->turn < TURN_TOL)
            break;
    }
    return LCP_SOLVED;
}
