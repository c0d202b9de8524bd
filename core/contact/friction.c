#include "core/contact/friction.h"

#include "core/base/mem.h"
#include "core/contact/cone.h"
#include "core/contact/dense.h"
#include "core/contact/directions.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TURNS = 60, N_EDGES = 2 * SLIP_MAX, R = CONTACT_ROWS };

#define TURN_TOL 1e-12              /* rad; some hundred roundings */
#define SWEEP_TOL 1e-14             /* change of an impulse in a sweep, relative to the largest: as good as it gets */
#define SETTLED_TOL 1e-10           /* the same: good enough */

struct friction {
    struct arena mem;               /* owns this struct's arrays */
    struct lcp *lcp;                /* owned */
    int n_max;
    struct cone cone;
    double (*axis)[SLIP_MAX][SLIP_MAX];         /* [n_max] unit vectors along the edges of a spatial contact */
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
    friction->axis = arena_alloc(&friction->mem, (size_t)n_max, sizeof *friction->axis);
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

void friction_velocity(const struct friction_problem *problem, const double *impulse, double *v_plus)
{
    const int n = R * problem->n;
    memcpy(v_plus, problem->v, (size_t)n * sizeof *v_plus);
    for (int j = 0; j < n; j++) {
        const double more = j % R == 0 ? impulse[j] - friction_least(problem, j / R) : impulse[j];
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
        struct cone_ray *normal = cone_add(cone, c, R * c, R, NULL);
        for (int k = 0; k < SLIP_MAX && friction_is_given(problem, c); k++)
            normal->force[1 + k] = -problem->mu[c] * problem->direction[SLIP_MAX * c + k];
        cone->mu[c] = problem->mu[c];
    }
    for (int c = 0; c < problem->n; c++) {
        const bool has_edges = friction_acts(problem, c) && !friction_is_given(problem, c);
        for (int k = 0; k < 2 * problem->n_t[c] && has_edges; k++) {
            const double *axis = friction->axis[c][k % problem->n_t[c]], side = k < problem->n_t[c] ? 1 : -1;
            const double edge[SLIP_MAX] = { side * axis[0], side * axis[1], side * axis[2] };
            cone_add(cone, c, R * c, R, edge);
        }
    }
    cone_close(cone);
}

static enum lcp_outcome solve_pyramids(struct friction *friction, const struct friction_problem *problem,
                                       double *impulse, struct lcp_info *info)
{
    const struct cone *cone = &friction->cone;
    list_rays(friction, problem);
    cone_fill(cone, R * problem->n, problem->G, friction->M);
    cone_set_q(cone, problem->v, friction->q);
    memset(impulse, 0, R * (size_t)problem->n * sizeof *impulse);
    for (int c = 0; c < problem->n; c++) {
        friction->q[c] -= problem->v_least[c];
        impulse[R * c] = friction_least(problem, c);
        if (cone->slip[c] >= 0)
            friction->q[cone->slip[c]] = problem->mu[c] * friction_least(problem, c);
    }
    const struct lcp_problem lcp_problem = { .n = cone->n, .M = friction->M, .ld = cone->n, .q = friction->q };
    if (lcp_solve(friction->lcp, &lcp_problem, NULL, friction->z, friction->w, info) == LCP_SOLVED)
        cone_add_impulse(cone, friction->z, impulse);
    return info->outcome;
}

/* Where an edge of contact c has to point, *d of length 1; false where that is open. */
static bool wanted_edge(const struct friction_problem *problem, int c, const double *impulse, const double *v_plus,
                        double *d)
{
    const int n = R * problem->n, n_t = problem->n_t[c];
    double r = 0, away[SLIP_MAX] = { 0 };
    for (int k = 1; k <= n_t; k++)
        r += problem->G[R * c + k + (R * c + k) * n] / n_t;
    for (int k = 0; k < n_t; k++)
        away[k] = v_plus[R * c + 1 + k] - r * impulse[R * c + 1 + k];
    const bool is_open = slip_size(away) == 0;
    if (!is_open)
        slip_unit(away, d);
    return !is_open;
}

/* How far d is from the nearest edge: the sine of the angle between. */
static double turn_to(int n_t, const double (*axis)[SLIP_MAX], const double *d)
{
    double least_turn = INFINITY;
    for (int k = 0; k < n_t; k++) {
        double across[SLIP_MAX];
        for (int i = 0; i < SLIP_MAX; i++)
            across[i] = d[i] - slip_dot(axis[k], d) * axis[k][i];
        least_turn = fmin(least_turn, slip_size(across));
    }
    return least_turn;
}

/* Turns the pyramids of spatial contacts and returns the largest turn. */
static double turn_edges(struct friction *friction, const struct friction_problem *problem, const double *impulse,
                         const double *v_plus)
{
    double largest = 0, d[SLIP_MAX];
    for (int c = 0; c < problem->n; c++) {
        if (problem->n_t[c] < 2 || friction_is_given(problem, c) || !(impulse[R * c] > 0)
            || !wanted_edge(problem, c, impulse, v_plus, d))
            continue;
        largest = fmax(largest, turn_to(problem->n_t[c], (const double (*)[SLIP_MAX])friction->axis[c], d));
        slip_axes(problem->n_t[c], d, friction->axis[c]);
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
        slip_axes(problem->n_t[c], problem->v + R * c + 1, friction->axis[c]);
        is_spatial = is_spatial || (problem->n_t[c] > 1 && problem->mu[c] > 0);
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
    const int n = R * problem->n;
    double change = 0;
    for (int c = 0; c < problem->n; c++) {
        double *r = &impulse[R * c], to[R], stiff = 0;
        const double *G = &problem->G[R * c + R * c * n], *v = &v_plus[R * c];
        for (int k = 0; k < R; k++)
            stiff = fmax(stiff, G[k + k * n]);
        to[0] = fmax(friction_least(problem, c), r[0] - (v[0] - problem->v_least[c]) / stiff);
        for (int k = 1; k < R; k++)
            to[k] = r[k] - v[k] / stiff;
        const double most = problem->mu[c] * to[0], size = slip_size(to + 1);
        for (int k = 1; k < R; k++)
            to[k] = problem->n_t[c] < k             ? 0
                    : friction_is_given(problem, c) ? -most * problem->direction[SLIP_MAX * c + k - 1]
                    : size > most                   ? to[k] * most / size
                                                    : to[k];
        for (int k = 0; k < R; k++) {
            change = fmax(change, fabs(to[k] - r[k]));
            for (int i = 0; i < n; i++)
                v_plus[i] += problem->G[i + (R * c + k) * n] * (to[k] - r[k]);
            r[k] = to[k];
        }
    }
    return change;
}

bool friction_sweep(const struct friction_problem *problem, int most, double *impulse, double *v_plus)
{
    const int n = R * problem->n;
    double change = INFINITY;
    memset(impulse, 0, (size_t)n * sizeof *impulse);
    for (int c = 0; c < problem->n; c++)
        impulse[R * c] = friction_least(problem, c);
    for (int k = 0; k < most && change > SWEEP_TOL * dense_largest(n, impulse); k++) {
        friction_velocity(problem, impulse, v_plus);            /* anew, as sums of changes gather rounding */
        change = sweep(problem, impulse, v_plus);
    }
    friction_velocity(problem, impulse, v_plus);
    return change <= SETTLED_TOL * dense_largest(n, impulse);
}
