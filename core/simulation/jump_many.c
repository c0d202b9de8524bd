/* Impacts of many contacts: Lemke's method on a polyhedral cone, and sweeps of proximal points. */
#include "core/simulation/jump_parts.h"

#include "core/lcp/lcp.h"

#include <math.h>
#include <string.h>

enum {
    DIRECTIONS = 8,                 /* of the polyhedral cone in space */
    SWEEPS_MAX = 20000
};

/* --- Lemke --------------------------------------------------------------------------------------------------- */

static int n_directions(const struct jump *jump, int c)
{
    return !jump_has_friction(jump, c) || jump_is_fixed(jump, c) ? 0 : jump->in->n_t[c] == 1 ? 2 : DIRECTIONS;
}

struct ray { int c; double d[2]; };             /* direction d of the tangential impulse of contact c */

static int list_rays(const struct jump *jump, struct ray *ray)
{
    int n = 0;
    for (int c = 0; c < jump->m; c++)
        for (int k = 0; k < n_directions(jump, c); k++, n++) {
            const double angle = 2 * acos(-1) * k / n_directions(jump, c);
            ray[n] = (struct ray){ c, { jump->in->n_t[c] == 1 ? 1 - 2 * k : cos(angle),
                                        jump->in->n_t[c] == 1 ? 0 : sin(angle) } };
        }
    return n;
}

/* Component row of u per unit of unknown col: normals (with the friction of given slip) first, then rays. */
static double polyhedral(const struct jump *jump, const struct ray *ray, int row, int col)
{
    const int n = 3 * jump->m, m = jump->m;
    double sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            const int p = row < m ? 3 * row : 3 * ray[row - m].c + 1 + i;
            const int q = col < m ? 3 * col : 3 * ray[col - m].c + 1 + j;
            const double left = row < m ? (i == 0) : ray[row - m].d[i],
                         right = col < m ? (j == 0) : ray[col - m].d[j];
            if (left != 0 && right != 0)
                sum += left * right * jump->G[p + q * n];
            if (left != 0 && col < m && jump_is_fixed(jump, col))
                sum -= left * jump->in->mu[col] * jump->fixed[2 * col + j] * jump->G[p + (q + 1 + j) * n];
        }
    return sum;
}

/* Roles from the solution z of the polyhedral problem. */
static void take_roles(struct jump *jump, int n_ray, const struct ray *ray, const double *z)
{
    const int m = jump->m;
    double most = 0;
    for (int c = 0; c < m; c++)
        most = fmax(most, z[c]);
    for (int c = 0; c < m; c++) {
        const bool held = z[c] > JUMP_TOL * most, slides = z[m + n_ray + c] > JUMP_TOL * jump->scale_u;
        double along = 0;
        for (int k = 0; k < n_ray; k++)
            along += ray[k].c == c ? ray[k].d[0] * z[m + k] : 0;
        jump->role[c] = held                                             ? HELD_STICK
                        : jump->r_0[c] > 0 && jump_has_friction(jump, c) ? RELEASED_STICK
                                                                         : RELEASED;
        if (jump->role[c] != RELEASED && slides && jump_has_friction(jump, c))
            jump->role[c] = (enum role)(jump->role[c] + (jump->in->n_t[c] == 1 && along > 0 ? 2 : 1));
        if (held && jump_is_fixed(jump, c) && jump_has_friction(jump, c))
            jump->role[c] = HELD_FORWARD;
    }
}

/* The complementarity problem of Anitescu and Potra (impact.md 6) with z = [r_n; rays; gamma]. */
bool jump_solve_lemke(struct jump *jump)
{
    struct arena *mem = &jump->mem;
    const int m = jump->m;
    struct ray *ray = arena_alloc(mem, (size_t)(DIRECTIONS * m), sizeof *ray);
    const int n_ray = list_rays(jump, ray), n = 2 * m + n_ray;
    double *M = arena_alloc(mem, (size_t)(n * n), sizeof *M), *q = arena_alloc(mem, (size_t)n, sizeof *q);
    double *z = arena_alloc(mem, (size_t)n, sizeof *z), *w = arena_alloc(mem, (size_t)n, sizeof *w);
    for (int i = 0; i < m + n_ray; i++) {
        for (int j = 0; j < m + n_ray; j++)
            M[i + j * n] = polyhedral(jump, ray, i, j);
        q[i] = i < m ? jump->u_free[3 * i] - jump->target[i]
                     : jump->u_free[3 * ray[i - m].c + 1] * ray[i - m].d[0]
                       + jump->u_free[3 * ray[i - m].c + 2] * ray[i - m].d[1];
    }
    for (int k = 0; k < n_ray; k++) {
        M[m + k + (m + n_ray + ray[k].c) * n] = 1;
        M[m + n_ray + ray[k].c + (m + k) * n] = -1;
    }
    for (int c = 0; c < m; c++) {
        M[m + n_ray + c + c * n] = jump->in->mu[c];
        q[m + n_ray + c] = jump->in->mu[c] * jump->r_0[c];
    }
    struct lcp *lcp = lcp_create(n);
    struct lcp_info info;
    const struct lcp_problem problem = { n, M, n, q };
    const bool solved = lcp_solve(lcp, &problem, NULL, z, w, &info) == LCP_SOLVED;
    if (solved)
        take_roles(jump, n_ray, ray, z);
    lcp_free(lcp);
    return solved;
}

/* --- Proximal points ------------------------------------------------------------------------------------------
 */

/* One sweep of r_n = max(r_0, r_n - (u_n - target) / G), r_t = the nearest point of the disc of radius mu r_n to
 * r_t - u_t / G, contact by contact (HYB, proximal point formulation). Returns the largest change of an impulse.
 */
static double sweep(struct jump *jump, double *r)
{
    const int n = 3 * jump->m;
    double change = 0;
    for (int c = 0; c < jump->m; c++) {
        double u[3], *r_c = &r[3 * c];
        for (int k = 0; k < 3; k++) {
            u[k] = jump->u_free[3 * c + k];
            for (int i = 0; i < n; i++)
                u[k] += jump->G[3 * c + k + i * n] * (i % 3 == 0 ? r[i] - jump->r_0[i / 3] : r[i]);
        }
        const double *G = &jump->G[3 * c + 3 * c * n];
        const double stiff = fmax(G[0], fmax(G[1 + n], G[2 + 2 * n])), before[3] = { r_c[0], r_c[1], r_c[2] };
        r_c[0] = fmax(jump->r_0[c], r_c[0] - (u[0] - jump->target[c]) / stiff);
        for (int k = 1; k < 3; k++)
            r_c[k] -= u[k] / stiff;
        const double most = jump->in->mu[c] * r_c[0], size = hypot(r_c[1], r_c[2]);
        for (int k = 1; k < 3; k++)
            r_c[k] = jump->in->n_t[c] == 0    ? 0
                     : jump_is_fixed(jump, c) ? -most * jump->fixed[2 * c + k - 1]
                     : size > most            ? r_c[k] * most / size
                                              : r_c[k];
        for (int k = 0; k < 3; k++)
            change = fmax(change, fabs(r_c[k] - before[k]));
    }
    return change;
}

static double largest(int n, const double *a)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

/* Roles and directions of slip from the impulses r. */
static void roles_of_impulses(struct jump *jump, const double *r)
{
    const double most = largest(3 * jump->m, r);
    int n = 0;
    for (int c = 0; c < jump->m; c++) {
        const double size = hypot(r[3 * c + 1], r[3 * c + 2]);
        const bool slides = jump_has_friction(jump, c) && size > (1 - 1e-7) * jump->in->mu[c] * r[3 * c];
        const bool is_held = r[3 * c] - jump->r_0[c] > 1e-7 * most;
        const enum role stick = is_held                                          ? HELD_STICK
                                : jump->r_0[c] > 0 && jump_has_friction(jump, c) ? RELEASED_STICK
                                                                                 : RELEASED;
        const int side = jump->in->n_t[c] == 1 && r[3 * c + 1] > 0 ? 2 : 1;
        jump->role[c] = stick != RELEASED && slides ? (enum role)((int)stick + side) : stick;
        jump->d[2 * c] = side == 2 ? -1 : 1;
        jump->d[2 * c + 1] = 0;
        if (jump_is_fixed(jump, c)) {
            jump->role[c] = !is_held ? RELEASED : jump_has_friction(jump, c) ? HELD_FORWARD : HELD_STICK;
            memcpy(&jump->d[2 * c], &jump->fixed[2 * c], 2 * sizeof(double));
        }
        if (jump_turns(jump, c))
            jump->angle[n++] = atan2(-r[3 * c + 2], -r[3 * c + 1]);
    }
}

/* Where combinations and Lemke's method fail: sweeps until impulses settle, then the combination they tell is
 * solved exactly. What is left are redundant contacts, whose combination is not unique: the swept impulses stand.
 */
bool jump_solve_sweeps(struct jump *jump)
{
    const int n = 3 * jump->m;
    double *r = arena_alloc(&jump->mem, (size_t)n, sizeof *r), change = INFINITY;
    for (int c = 0; c < jump->m; c++)
        r[3 * c] = jump->r_0[c];
    for (int k = 0; k < SWEEPS_MAX && change > 1e-14 * largest(n, r); k++)
        change = sweep(jump, r);
    if (change > 1e-10 * largest(n, r))
        return false;
    roles_of_impulses(jump, r);
    int n_angle = 0;
    for (int c = 0; c < jump->m; c++)
        n_angle += jump_turns(jump, c);
    if (jump_try_directions(jump, n_angle))
        return true;
    memcpy(jump->r, r, (size_t)n * sizeof *r);
    for (int k = 0; k < n; k++) {
        jump->u[k] = jump->u_free[k];
        for (int i = 0; i < n; i++)
            jump->u[k] += jump->G[k + i * n] * (i % 3 == 0 ? r[i] - jump->r_0[i / 3] : r[i]);
    }
    return true;
}
