#include "core/impact/pointed.h"

#include "core/base/mem.h"
#include "core/contact/dense.h"
#include "core/lcp/lcp.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

/* p counts as zero below this, relative to the longest M^-1 J_n. */
static const double zero_tol = 1e-9;
/* r'M^-1 (J_n + J_t mu d) >= 1 up to this: friction of 1e5 makes as much of rounding. */
static const double cone_tol = 1e-6;
/* Normal impulses below this, their sum being 1, are rounding. */
static const double share_tol = 1e-6;

/* Impulses lambda [n_row] of the nearest point, by the LCP of [lambda_n; lambda_D; gamma; theta]: that of
 * cone.h with (M^-1 J)'M^-1 J for G, and gamma's force on lambda_n, as it stands for a minimum; rows and
 * columns of gamma are divided by mu. */
static bool find_nearest(const struct impact_system *system, double *lambda)
{
    struct arena mem = { NULL };
    const struct cone cone = impact_system_cone(system, 0, &mem);
    const int m = system->n_contact, n_row = system->n_row, n = cone.n + 1, theta = cone.n;
    double *G = arena_alloc(&mem, (size_t)(n_row * n_row), sizeof *G);
    double *W = arena_alloc(&mem, (size_t)(n * n), sizeof *W),
           *cones = arena_alloc(&mem, (size_t)(n * n), sizeof *W);
    double *q = arena_alloc(&mem, 3 * (size_t)n, sizeof *q), *z = q + n;
    const struct lcp_problem problem = { .n = n, .M = W, .ld = n, .q = q };
    struct lcp *lcp = lcp_create(n);
    struct lcp_info info;
    dense_product(system->n_v, n_row, system->MinvJ, system->MinvJ, G);
    cone_fill(&cone, n_row, G, cones);
    for (int j = 0; j < cone.n; j++)
        memcpy(W + j * n, cones + j * cone.n, (size_t)cone.n * sizeof *W);
    for (int c = 0; c < m; c++) {
        const int gamma = cone.slip[c];
        W[c + theta * n] = -1;
        W[theta + c * n] = 1;
        if (gamma < 0)
            continue;
        for (int i = m; i < cone.n_ray; i++) {
            W[i + gamma * n] /= cone.mu[c];
            W[gamma + i * n] /= cone.mu[c];
        }
        W[c + gamma * n] = -1;
        W[gamma + c * n] = 1;
    }
    q[theta] = -1;
    const bool is_solved = lcp_solve(lcp, &problem, NULL, z, q + 2 * n, &info) == LCP_SOLVED;
    memset(lambda, 0, (size_t)n_row * sizeof *lambda);
    cone_add_impulse(&cone, z, lambda);
    lcp_free(lcp);
    arena_free(&mem);
    return is_solved;
}

static double least_eigenvalue(const struct impact_system *system)
{
    const int n = system->n_v;
    struct arena mem = { NULL };
    double *M = arena_copy(&mem, system->M, (size_t)(n * n), sizeof *M);
    double *values = arena_alloc(&mem, (size_t)n, sizeof *values);
    const double least = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, M, n, values) == 0 ? values[0] : NAN;
    arena_free(&mem);
    return least;
}

/* The least of p'M^-1 (J_n + J_t mu d) over contacts and directions. */
static double least_push(const struct impact_system *system, const double *p)
{
    double least = INFINITY;
    for (int c = 0; c < system->n_contact; c++) {
        const struct impact_contact *contact = &system->contact[c];
        const double *column = system->MinvJ + contact->row * system->n_v;
        double push = vec_dot(system->n_v, p, column), drag = 0;
        for (int k = 0; k < contact->n_dir; k++) {
            double along = 0;
            for (int i = 0; i < contact->n_t; i++)
                along += contact->d[k][i] * vec_dot(system->n_v, p, column + (1 + i) * system->n_v);
            drag = fmin(drag, along);
        }
        least = fmin(least, push + contact->mu * drag);
    }
    return least;
}

void impact_pointed_check(const struct impact_system *system, struct impact_pointed *pointed)
{
    double lambda[IMPACT_MAX_ROWS], *p = mem_alloc((size_t)system->n_v, sizeof *p), longest = 0;
    *pointed = (struct impact_pointed){ .r_length = INFINITY, .sigma = least_eigenvalue(system) };
    for (int c = 0; c < system->n_contact; c++) {
        const double *column = system->MinvJ + system->contact[c].row * system->n_v;
        longest = fmax(longest, sqrt(vec_dot(system->n_v, column, column)));
    }
    if (find_nearest(system, lambda)) {
        impact_apply(system, lambda, p);
        const double length = sqrt(vec_dot(system->n_v, p, p));
        pointed->is_pointed = length > zero_tol * longest
                              && least_push(system, p) >= (1 - cone_tol) * length * length;
        if (pointed->is_pointed)
            pointed->r_length = 1 / length;
        for (int c = 0; c < system->n_contact; c++)
            pointed->against[c] = !pointed->is_pointed && lambda[system->contact[c].row] > share_tol;
    }
    free(p);
}

double impact_step_bound(const struct impact_system *system, const struct impact_pointed *pointed,
                         const double *v_minus, double h, double probability)
{
    const int m = system->n_contact;
    const double c = 4 * ceil((m + 1) * pointed->r_length / (h * sqrt(pointed->sigma)));
    const double k = ceil((m + 1) * (m + 1) * log(1 / probability));
    return c * ceil(sqrt(2 * impact_energy(system, v_minus))) + k;
}
