#include "core/contact/friction.h"

#include "core/base/mem.h"
#include "core/contact/cone.h"
#include "core/contact/dense.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TURNS = 60, N_EDGES = 4, SWEEPS_MAX = 20000 };

#define TURN_TOL 1e-12              /* rad; some hundred roundings */
#define SWEEP_TOL 1e-14             /* change of an impulse in a sweep, relative to the largest: as good as it gets */
#define SETTLED_TOL 1e-10           /* the same: good enough */
static const double quarter = 1.57079632679489661923;

struct friction {
    struct arena mem;               /* owns this struct's arrays */
    struct lcp *lcp;                /* owned */
    int n_max;
    struct cone cone;
    double *angle;                  /* [n_max] of the first edge of a spatial contact */
    double *M, *q, *z, *w;
};

struct friction *friction_create(int n_max)
{
    assert(n_max >= 1);
    const size_t n = (size_t)(2 + N_EDGES) * (size_t)n_max;
    struct friction *friction = mem_alloc(1, sizeof *friction);
    friction->n_max = n_max;
    friction->lcp = lcp_create((int)n);
    friction->cone = cone_create(n_max, N_EDGES, 0, &friction->mem);
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

static double least(const struct friction_problem *problem, int c)
{
    return problem->impulse_least ? problem->impulse_least[c] : 0;
}

void friction_velocity(const struct friction_problem *problem, const double *impulse, double *v_plus)
{
    const int n = 3 * problem->n;
    memcpy(v_plus, problem->v, (size_t)n * sizeof *v_plus);
    for (int j = 0; j < n; j++) {
        const double more = j % 3 == 0 ? impulse[j] - least(problem, j / 3) : impulse[j];
        for (int i = 0; i < n; i++)
            v_plus[i] += problem->G[i + j * n] * more;
    }
}

/* --- Lemke's method ------------------------------------------------------------------------------------------ */

/* Normals, one that slips in a given direction with its friction; edges of the others. */
static void list_rays(struct friction *friction, const struct friction_problem *problem)
{
    struct cone *cone = &friction->cone;
    cone->n_contact = problem->n;
    cone->n_ray = 0;
    for (int c = 0; c < problem->n; c++) {
        struct cone_ray *normal = cone_add(cone, c, 3 * c, 3, 1, 0, 0);
        for (int k = 0; k < 2 && friction_is_given(problem, c); k++)
            normal->force[1 + k] = -problem->mu[c] * problem->direction[2 * c + k];
        cone->mu[c] = problem->mu[c];
    }
    for (int c = 0; c < problem->n; c++) {
        const bool has_edges = friction_acts(problem, c) && !friction_is_given(problem, c);
        for (int k = 0; k < 2 && has_edges && problem->n_t[c] == 1; k++)
            cone_add(cone, c, 3 * c, 3, 0, 1 - 2 * k, 0);
        for (int k = 0; k < N_EDGES && has_edges && problem->n_t[c] == 2; k++) {
            const double angle = friction->angle[c] + quarter * k;
            cone_add(cone, c, 3 * c, 3, 0, cos(angle), sin(angle));
        }
    }
    cone_close(cone);
}

static enum lcp_outcome solve_pyramids(struct friction *friction, const struct friction_problem *problem,
                                       double *impulse, struct lcp_info *info)
{
    const struct cone *cone = &friction->cone;
    list_rays(friction, problem);
    cone_fill(cone, 3 * problem->n, problem->G, friction->M);
    cone_set_q(cone, problem->v, friction->q);
    memset(impulse, 0, 3 * (size_t)problem->n * sizeof *impulse);
    for (int c = 0; c < problem->n; c++) {
        friction->q[c] -= problem->v_least[c];
        impulse[3 * c] = least(problem, c);
        if (cone->slip[c] >= 0)
            friction->q[cone->slip[c]] = problem->mu[c] * least(problem, c);
    }
    const struct lcp_problem lcp_problem = { .n = cone->n, .M = friction->M, .ld = cone->n, .q = friction->q };
    if (lcp_solve(friction->lcp, &lcp_problem, NULL, friction->z, friction->w, info) == LCP_SOLVED)
        cone_add_impulse(cone, friction->z, impulse);
    return info->outcome;
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
        if (problem->n_t[c] < 2 || friction_is_given(problem, c) || !(impulse[3 * c] > 0))
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
        struct lcp_info lcp_info;
        (void)solve_pyramids(friction, problem, impulse, &lcp_info);
        info->n_lcp++;
        info->n_pivots += lcp_info.n_pivots;
        if (lcp_info.outcome != LCP_SOLVED)
            return lcp_info.outcome;
        friction_velocity(problem, impulse, v_plus);
        info->turn = is_spatial ? turn_edges(friction, problem, impulse, v_plus) : 0;
        if (info->turn < TURN_TOL)
            break;
    }
    return LCP_SOLVED;
}

/* --- Proximal points ----------------------------------------------------------------------------------------- */

/* impulse_n = max(impulse_least, impulse_n - (v_n - v_least) / G), impulse_t = the nearest point of the disc of
 * radius mu impulse_n to impulse_t - v_t / G, contact by contact. Returns the largest change of an impulse. */
static double sweep(const struct friction_problem *problem, double *impulse, double *v_plus)
{
    const int n = 3 * problem->n;
    double change = 0;
    for (int c = 0; c < problem->n; c++) {
        double *r = &impulse[3 * c], to[3];
        const double *G = &problem->G[3 * c + 3 * c * n], *v = &v_plus[3 * c];
        const double stiff = fmax(G[0], fmax(G[1 + n], G[2 + 2 * n]));
        to[0] = fmax(least(problem, c), r[0] - (v[0] - problem->v_least[c]) / stiff);
        for (int k = 1; k < 3; k++)
            to[k] = r[k] - v[k] / stiff;
        const double most = problem->mu[c] * to[0], size = hypot(to[1], to[2]);
        for (int k = 1; k < 3; k++)
            to[k] = problem->n_t[c] == 0            ? 0
                    : friction_is_given(problem, c) ? -most * problem->direction[2 * c + k - 1]
                    : size > most                   ? to[k] * most / size
                                                    : to[k];
        for (int k = 0; k < 3; k++) {
            change = fmax(change, fabs(to[k] - r[k]));
            for (int i = 0; i < n; i++)
                v_plus[i] += problem->G[i + (3 * c + k) * n] * (to[k] - r[k]);
            r[k] = to[k];
        }
    }
    return change;
}

bool friction_sweep(const struct friction_problem *problem, double *impulse, double *v_plus)
{
    const int n = 3 * problem->n;
    double change = INFINITY;
    memset(impulse, 0, (size_t)n * sizeof *impulse);
    for (int c = 0; c < problem->n; c++)
        impulse[3 * c] = least(problem, c);
    for (int k = 0; k < SWEEPS_MAX && change > SWEEP_TOL * dense_largest(n, impulse); k++) {
        friction_velocity(problem, impulse, v_plus);            /* anew, as sums of changes gather rounding */
        change = sweep(problem, impulse, v_plus);
    }
    friction_velocity(problem, impulse, v_plus);
    return change <= SETTLED_TOL * dense_largest(n, impulse);
}
