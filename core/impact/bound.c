#include "core/impact/bound.h"

#include "core/contact/dense.h"
#include "core/lcp/lcp.h"

#include <string.h>

/* Halvings of the multiplier's range: what is left of it shows in the square. */
enum { N_BISECT = 24 };
/* Programs times the cube of their unknowns that are solved, a second or so. */
static const double work_max = 1e9;
/* Without units the multiplier of a ball of radius 1 is at most 1; where energy does not bound it is 0. */
static const double rho_min = 1e-6, rho_max = 4;
/* Rounding of p'g, where all sizes are 1; what it moves a bound by is added. */
static const double dual_tol = 1e-10, rounding = 1e-8;

/* Edges of the cones, one per direction of friction. Everything is divided by sizes, so that z and velocities have
 * size 1: edges by |g|_G, velocity r by sqrt(G_rr), both by sqrt(2 K). */
struct edges {
    const struct impact_system *system;
    struct arena mem;
    int n, n_lcp;
    double size, *g;                /* sqrt(2 K); [n_row * n] */
    double *pull;                   /* [n_row * n] G g, a row per velocity */
    double *Q, *q;                  /* [n * n], [n] of the energy */
    double *M, *rhs, *z, *w;        /* of the LCP [z; y; y of the contact that stops last] */
    int last;                       /* that contact; -1: none need stop */
    double scale[IMPACT_MAX_ROWS], u[IMPACT_MAX_ROWS];      /* sqrt(G_rr); u_minus, as above */
    struct lcp *lcp;
};

static int count_edges(const struct impact_system *system)
{
    int n = 0;
    for (int c = 0; c < system->n_contact; c++)
        n += system->contact[c].n_dir > 0 ? system->contact[c].n_dir : 1;
    return n;
}

/* g = [1; mu d] of each contact and direction. */
static void list_edges(struct edges *edges)
{
    const struct impact_system *system = edges->system;
    int k = 0;
    for (int c = 0; c < system->n_contact; c++) {
        const struct impact_contact *contact = &system->contact[c];
        for (int d = 0; d < contact->n_dir || d == 0; d++, k++) {
            double *g = edges->g + k * system->n_row + contact->row;
            g[0] = 1;
            for (int i = 0; i < contact->n_t && contact->n_dir > 0; i++)
                g[1 + i] = contact->mu * contact->d[d][i];
        }
    }
}

static void fill(struct edges *edges, const double *u_minus)
{
    const struct impact_system *system = edges->system;
    const int n_row = system->n_row, n = edges->n;
    for (int r = 0; r < n_row; r++) {
        edges->scale[r] = sqrt(system->G[r + r * n_row]);
        edges->u[r] = edges->scale[r] > 0 ? u_minus[r] / (edges->scale[r] * edges->size) : 0;
    }
    for (int k = 0; k < n; k++) {
        double *g = edges->g + k * n_row, *pull = edges->pull + k * n_row;
        for (int r = 0; r < n_row; r++)
            pull[r] = vec_dot(n_row, system->G + r * n_row, g);
        const double length = sqrt(vec_dot(n_row, g, pull));
        for (int r = 0; r < n_row && length > 0; r++) {
            g[r] /= length;
            pull[r] /= length;
        }
        edges->q[k] = vec_dot(n_row, g, u_minus) / edges->size;
    }
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            edges->Q[l + k * n] = vec_dot(n_row, edges->g + l * n_row, edges->pull + k * n_row);
    for (int k = 0; k < n; k++)
        for (int r = 0; r < n_row; r++)
            edges->pull[r + k * n_row] /= edges->scale[r] > 0 ? edges->scale[r] : 1;
}

static void set_row(struct edges *edges, int place, int contact, double sign)
{
    for (int k = 0; k < edges->n; k++) {
        const double pull = sign * edges->pull[edges->system->contact[contact].row + k * edges->system->n_row];
        edges->M[place + k * edges->n_lcp] = pull;
        edges->M[k + place * edges->n_lcp] = -pull;
    }
}

/* [Q -A'; A 0] with the rows A of the normals, u_n >= 0 and for the last contact -u_n >= 0: the LCP's matrix for
 * every multiplier, as it is written for rho z. */
static void fill_matrix(struct edges *edges, int last)
{
    const int n = edges->n, m = edges->system->n_contact;
    memset(edges->M, 0, (size_t)edges->n_lcp * (size_t)edges->n_lcp * sizeof(double));
    for (int k = 0; k < n; k++)
        memcpy(edges->M + k * edges->n_lcp, edges->Q + k * n, (size_t)n * sizeof(double));
    for (int c = 0; c < m; c++)
        set_row(edges, n + c, c, 1);
    if (last >= 0)
        set_row(edges, n + m, last, -1);
    edges->last = last;
}

static void open_edges(struct edges *edges, const struct impact_system *system, const double *u_minus,
                       double energy)
{
    const size_t n = (size_t)count_edges(system), n_row = (size_t)system->n_row,
                 n_lcp = n + (size_t)system->n_contact + 1;
    *edges = (struct edges){ .system = system, .n = (int)n, .n_lcp = (int)n_lcp, .size = sqrt(2 * energy) };
    edges->g = arena_alloc(&edges->mem, n_row * n, sizeof(double));
    edges->pull = arena_alloc(&edges->mem, n_row * n, sizeof(double));
    edges->Q = arena_alloc(&edges->mem, n * n, sizeof(double));
    edges->q = arena_alloc(&edges->mem, n, sizeof(double));
    edges->M = arena_alloc(&edges->mem, n_lcp * n_lcp, sizeof(double));
    edges->rhs = arena_alloc(&edges->mem, 3 * n_lcp, sizeof(double));
    edges->z = edges->rhs + n_lcp;
    edges->w = edges->z + n_lcp;
    edges->lcp = lcp_create((int)n_lcp);
    list_edges(edges);
    fill(edges, u_minus);
}

/* How far a contact may approach at the end, as sizes here are. */
static double slack(const struct edges *edges, int row)
{
    return edges->scale[row] > 0 ? IMPACT_TOL / (edges->scale[row] * edges->size) : 0;
}

/* Lemke's ray proves that no z >= 0 has M z + rhs >= 0: no outcome has this contact stop last. */
static bool is_impossible(const struct edges *edges, const struct lcp_info *info)
{
    const int n = edges->n_lcp;
    if (info->outcome != LCP_RAY)
        return false;
    const double size = dense_largest(n, info->ray_z);
    for (int k = 0; k < n; k++)
        if (!(vec_dot(n, edges->M + k * n, info->ray_z) <= dual_tol * size))
            return false;
    return vec_dot(n, edges->rhs, info->ray_z) < -rounding * size;
}

/* A bound of sign u_r by the multipliers rho of the energy and y of the normals, with x = v_plus in the norm of M:
 *
 *   p = rho x - sign c_r - A'y is in the dual cone, p'g >= 0, so that
 *   sign c_r'x <= (sign c_r + A'y + p)'x - p'x_minus + tol'y <= rho |x| - p'x_minus + tol'y
 *
 * and the gain of energy at x. NAN: not solved, or p is not in the dual cone. z and y solve
 *
 *   0 <= z _|_ rho (Q z + q) - sign pull_r - A'y >= 0,   0 <= y _|_ A x >= 0 */
static double bound_at(struct edges *edges, int r, double sign, double rho, double *gain)
{
    const struct impact_system *system = edges->system;
    const int n = edges->n, m = system->n_contact, n_row = system->n_row, n_lcp = edges->n_lcp;
    const struct lcp_problem problem = { .n = n_lcp, .M = edges->M, .ld = n_lcp, .q = edges->rhs };
    double along = 0, square = 1, rest = sign * edges->u[r], least = 0, *z = edges->z;
    struct lcp_info info;
    for (int k = 0; k < n; k++)
        edges->rhs[k] = rho * edges->q[k] - sign * edges->pull[r + k * n_row];
    for (int c = 0; c < m; c++)
        edges->rhs[n + c] = rho * (edges->u[system->contact[c].row] + slack(edges, system->contact[c].row));
    edges->rhs[n + m] = 1;
    if (edges->last >= 0) {
        const int row = system->contact[edges->last].row;
        edges->rhs[n + m] = rho * (slack(edges, row) - edges->u[row]);
    }
    *gain = 0;
    if (lcp_solve(edges->lcp, &problem, NULL, z, edges->w, &info) != LCP_SOLVED)
        return is_impossible(edges, &info) ? -INFINITY : (double)NAN;
    for (int k = 0; k < n; k++) {
        const double Qz = vec_dot(n, edges->Q + k * n, z);
        double push = edges->rhs[k] + Qz;                       /* p'g */
        for (int l = n; l < n_lcp; l++)
            push += edges->M[k + l * n_lcp] * z[l];
        least = fmin(least, push);
        along += z[k] / rho * edges->q[k];
        square += z[k] / rho * (2 * edges->q[k] + Qz / rho);
    }
    for (int l = n; l < n_lcp; l++) {
        rest += z[l] * edges->rhs[l] / rho;
        least = fmin(least, z[l]);
    }
    *gain = (square - 1) / 2;
    return least < -dual_tol ? (double)NAN : rho * (sqrt(fmax(square, 0)) - 1 - along) + rest;
}

/* The least bound: at the multiplier where the gain of energy changes its sign. */
static double largest_of(struct edges *edges, int r, double sign)
{
    double low = log(rho_min), high = log(rho_max), least = 1;      /* |u_r| <= 1 by its energy */
    for (int k = 0; k <= N_BISECT; k++) {
        const double at = k == 0 ? low : (low + high) / 2;
        double gain = NAN;
        const double value = bound_at(edges, r, sign, exp(at), &gain);
        least = fmin(least, value + rounding);                      /* skips NAN */
        if (isinf(value) || (k == 0 && gain <= 0 && !isnan(value)))
            break;
        *(gain <= 0 && !isnan(value) ? &high : &low) = at;
    }
    return least;
}

/* Over the sets of an impact's last contacts. */
static void widen(struct edges *edges, int last, double *least, double *largest)
{
    fill_matrix(edges, last);
    for (int r = 0; r < edges->system->n_row; r++) {
        largest[r] = fmax(largest[r], largest_of(edges, r, 1));
        least[r] = fmin(least[r], -largest_of(edges, r, -1));
    }
}

void impact_bound_find(const struct impact_system *system, const double *v_minus, bool is_inelastic,
                       struct impact_bound *bound)
{
    const double energy = impact_energy(system, v_minus);
    struct edges edges;
    double u_minus[IMPACT_MAX_ROWS];
    impact_contact_velocity(system, v_minus, u_minus);
    open_edges(&edges, system, u_minus, energy);
    const double work = 2.0 * N_BISECT * system->n_row * pow(edges.n_lcp, 3);
    const bool is_small = work <= work_max && energy > 0,
               some_stops = is_inelastic && work * system->n_contact <= work_max;
    for (int r = 0; r < system->n_row; r++) {
        bound->largest[r] = is_small ? -INFINITY : 1;
        bound->least[r] = -bound->largest[r];
    }
    for (int last = some_stops ? 0 : -1; is_small && last < (some_stops ? system->n_contact : 0); last++)
        widen(&edges, last, bound->least, bound->largest);
    for (int r = 0; r < system->n_row; r++) {
        const double unit = edges.scale[r] * edges.size;
        bound->largest[r] = unit * fmin(bound->largest[r], 1);
        bound->least[r] = unit * fmax(bound->least[r], -1);
    }
    lcp_free(edges.lcp);
    arena_free(&edges.mem);
}
