#include "core/impact/pointed.h"

#include "core/base/mem.h"
#include "core/lcp/lcp.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

/* r makes all products at least 1 up to this; the generators' sizes enter by the length of the longest. */
static const double tol = 1e-6;
/* Shares of y below this are rounding. */
static const double share_tol = 1e-6;

struct generators { int n; double *a; int *contact; };     /* [n_v * n] by columns, [n] */

static struct generators make_generators(const struct impact_system *system)
{
    const int n_v = system->n_v, most = system->n_contact * (IMPACT_MAX_DIRECTIONS + 1);
    struct generators g = { 0, mem_alloc((size_t)(n_v * most), sizeof *g.a), mem_alloc((size_t)most, sizeof *g.contact) };
    for (int c = 0; c < system->n_contact; c++) {
        const struct impact_contact *contact = &system->contact[c];
        for (int k = 0; k < (contact->n_dir > 0 ? contact->n_dir : 1); k++, g.n++) {
            g.contact[g.n] = c;
            for (int j = 0; j < n_v; j++) {
                double *a = &g.a[j + g.n * n_v];
                *a = system->MinvJ[j + contact->row * n_v];
                for (int i = 0; contact->n_dir > 0 && i < contact->n_t; i++)
                    *a += contact->mu * contact->d[k][i] * system->MinvJ[j + (contact->row + 1 + i) * n_v];
            }
        }
    }
    return g;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* The nearest point: KKT as the LCP AA'y - theta >= 0 _|_ y >= 0, sum y - 1 >= 0 _|_ theta >= 0. */
static bool find_nearest(const struct generators *g, int n_v, double *y)
{
    const int n = g->n + 1;
    double *W = mem_alloc((size_t)(n * n), sizeof *W), *q = mem_alloc(3 * (size_t)n, sizeof *q);
    const struct lcp_problem problem = { .n = n, .M = W, .ld = n, .q = q };
    struct lcp *lcp = lcp_create(n);
    struct lcp_info info;
    for (int i = 0; i < g->n; i++) {
        for (int j = 0; j < g->n; j++)
            W[i + j * n] = dot(n_v, g->a + i * n_v, g->a + j * n_v);
        W[i + g->n * n] = -1;
        W[g->n + i * n] = 1;
    }
    q[g->n] = -1;
    const bool solved = lcp_solve(lcp, &problem, NULL, q + n, q + 2 * n, &info) == LCP_SOLVED;
    for (int i = 0; i < g->n; i++)
        y[i] = q[n + i];
    lcp_free(lcp);
    free(W);
    free(q);
    return solved;
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

/* With p = A'y: all generators have p'a >= |p|^2 (1 - tol) > 0. */
static void judge(const struct impact_system *system, const struct generators *g, const double *y,
                  struct impact_pointed *pointed)
{
    const int n_v = system->n_v;
    double *p = mem_alloc((size_t)n_v, sizeof *p), longest = 0, least = INFINITY;
    for (int i = 0; i < g->n; i++) {
        longest = fmax(longest, dot(n_v, g->a + i * n_v, g->a + i * n_v));
        for (int j = 0; j < n_v; j++)
            p[j] += y[i] * g->a[j + i * n_v];
    }
    const double length2 = dot(n_v, p, p);
    for (int i = 0; i < g->n; i++)
        least = fmin(least, dot(n_v, p, g->a + i * n_v));
    /* Rounding of p is about 1e-16 of the longest generator. */
    pointed->is_pointed = length2 > 1e-24 * longest && least >= (1 - tol) * length2;
    pointed->r_length = pointed->is_pointed ? 1 / sqrt(length2) : INFINITY;
    for (int i = 0; i < g->n && !pointed->is_pointed; i++)
        if (y[i] > share_tol)
            pointed->against[g->contact[i]] = true;
    free(p);
}

void impact_pointed_check(const struct impact_system *system, struct impact_pointed *pointed)
{
    struct generators g = make_generators(system);
    double *y = mem_alloc((size_t)g.n, sizeof *y);
    *pointed = (struct impact_pointed){ .r_length = INFINITY, .sigma = least_eigenvalue(system) };
    if (find_nearest(&g, system->n_v, y))
        judge(system, &g, y, pointed);
    free(y);
    free(g.a);
    free(g.contact);
}

double impact_step_bound(const struct impact_system *system, const struct impact_pointed *pointed,
                         const double *v_minus, double h, double probability)
{
    const int m = system->n_contact;
    const double c = 4 * ceil((m + 1) * pointed->r_length / (h * sqrt(pointed->sigma)));
    const double k = ceil((m + 1) * (m + 1) * log(1 / probability));
    return c * ceil(sqrt(2 * impact_energy(system, v_minus))) + k;
}
