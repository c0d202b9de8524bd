#include "core/simulation/jump.h"

#include "core/lcp/lcp.h"
#include "core/simulation/angles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TOL = 1e-9;             /* of velocities and impulses, relative to the largest */
static const double SAME = 1e-8;            /* solutions that differ by less in v are one */
enum {
    COMBINATIONS_MAX = 5000,
    DIRECTIONS = 8,                 /* of the polyhedral cone in space */
    SWEEPS_MAX = 20000,
    STARTS = 4                      /* directions of slip that Newton's method starts from */
};

/* What a contact does in an impact. A released one may still carry the impulse of its expansion. */
enum role { RELEASED = 0, RELEASED_STICK, RELEASED_FORWARD, RELEASED_BACKWARD, HELD_STICK, HELD_FORWARD, HELD_BACKWARD,
            N_ROLES };

static bool is_held(enum role role) { return role >= HELD_STICK; }

static bool sticks(enum role role) { return role == RELEASED_STICK || role == HELD_STICK; }

static bool slips(enum role role) { return role != RELEASED && !sticks(role); }

struct jump {                       /* one problem: u = u_free + G r, r_n = r_0 + rho */
    struct arena mem;
    const struct sim_impact *in;
    int m;                          /* contacts; components are 3 * c + (0, 1, 2) */
    struct dense dense;
    double *W;                      /* [n_q * 3 m] M^-1 J */
    double *G;                      /* [3 m * 3 m] */
    double *u_free, *target, *r_0;  /* [3 m], [m], [m] */
    double *A, *b, *z;
    int *unknown;                   /* [3 m] component of unknown k */
    double *r, *u;                  /* [3 m] of the last combination */
    double *d, *angle;              /* [2 m] directions of slip; [m] angles of those that are looked for */
    enum role *role;
    double scale_u, scale_r;
};

double jump_kinetic(int n_q, const double *M, const double *v)
{
    double sum = 0;
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_q; j++)
            sum += 0.5 * v[i] * M[i + j * n_q] * v[j];
    return sum;
}

static const double *column(const struct sim_impact *in, int k)
{
    const int c = k / 3;
    return k % 3 == 0 ? &in->J_n[c * in->n_q] : &in->J_t[(2 * c + k % 3 - 1) * in->n_q];
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static enum status set_up(struct jump *jump, const struct sim_impact *in)
{
    const int n_q = in->n_q, n = 3 * in->n_c;
    const size_t N = (size_t)n, m = (size_t)in->n_c;
    *jump = (struct jump){ .in = in, .m = in->n_c };
    double *L = arena_copy(&jump->mem, in->M, (size_t)(n_q * n_q), sizeof(double));
    if (!dense_factor(n_q, L))
        return STATUS_NUMERIC;
    dense_init(&jump->dense, &jump->mem, n);
    jump->W = arena_alloc(&jump->mem, (size_t)n_q * N, sizeof(double));
    jump->G = arena_alloc(&jump->mem, N * N, sizeof(double));
    for (int k = 0; k < n; k++) {
        memcpy(&jump->W[k * n_q], column(in, k), (size_t)n_q * sizeof(double));
        dense_back(n_q, L, &jump->W[k * n_q]);
        for (int i = 0; i < n; i++)
            jump->G[i + k * n] = dot(n_q, column(in, i), &jump->W[k * n_q]);
    }
    jump->u_free = arena_alloc(&jump->mem, N, sizeof(double));
    jump->target = arena_alloc(&jump->mem, m, sizeof(double));
    jump->r_0 = arena_alloc(&jump->mem, m, sizeof(double));
    jump->A = arena_alloc(&jump->mem, N * N, sizeof(double));
    jump->b = arena_alloc(&jump->mem, N, sizeof(double));
    jump->z = arena_alloc(&jump->mem, N, sizeof(double));
    jump->unknown = arena_alloc(&jump->mem, N, sizeof(int));
    jump->r = arena_alloc(&jump->mem, N, sizeof(double));
    jump->u = arena_alloc(&jump->mem, N, sizeof(double));
    jump->d = arena_alloc(&jump->mem, 2 * m, sizeof(double));
    jump->angle = arena_alloc(&jump->mem, m, sizeof(double));
    jump->role = arena_alloc(&jump->mem, m, sizeof *jump->role);
    return STATUS_OK;
}

/* Contact velocities at v, before any impulse but r_0. */
static void set_velocity(struct jump *jump, const double *v)
{
    const int n = 3 * jump->m;
    jump->scale_u = 0;
    for (int k = 0; k < n; k++)
        jump->u_free[k] = dot(jump->in->n_q, column(jump->in, k), v);
    for (int k = 0; k < n; k++)
        jump->scale_u = fmax(jump->scale_u, fabs(jump->u_free[k]));
    for (int c = 0; c < jump->m; c++)
        for (int k = 0; k < n; k++)
            jump->u_free[k] += jump->G[k + 3 * c * n] * jump->r_0[c];
}

/* --- One combination ----------------------------------------------------------------------------------------- */

static bool has_friction(const struct jump *jump, int c)
{
    return jump->in->mu[c] > 0 && jump->in->n_t[c] > 0;
}

/* Adds what unknown `by` of size 1 does to A: the impulse along component by, with the friction that goes with it. */
static void fill_column(struct jump *jump, int n_z, int j)
{
    const int n = 3 * jump->m, by = jump->unknown[j], c = by / 3;
    for (int i = 0; i < n_z; i++) {
        const int row = jump->unknown[i];
        double g = jump->G[row + by * n];
        for (int k = 0; k < 2 && by % 3 == 0 && slips(jump->role[c]); k++)
            g -= jump->in->mu[c] * jump->d[2 * c + k] * jump->G[row + (by + 1 + k) * n];
        jump->A[i + j * n_z] = g;
    }
}

/* Impulses r and velocities u of the roles for given directions; false if there are none. */
static bool solve_roles(struct jump *jump)
{
    const int n = 3 * jump->m;
    int n_z = 0;
    bool is_redundant;
    for (int c = 0; c < jump->m; c++) {
        if (is_held(jump->role[c]))
            jump->unknown[n_z++] = 3 * c;
        for (int k = 0; k < jump->in->n_t[c] && sticks(jump->role[c]) && has_friction(jump, c); k++)
            jump->unknown[n_z++] = 3 * c + 1 + k;
    }
    for (int k = 0; k < n; k++) {
        jump->u[k] = jump->u_free[k];
        jump->r[k] = 0;
    }
    for (int c = 0; c < jump->m; c++) {
        jump->r[3 * c] = jump->r_0[c];
        for (int k = 0; k < 2 && slips(jump->role[c]); k++)
            jump->r[3 * c + 1 + k] = -jump->in->mu[c] * jump->r_0[c] * jump->d[2 * c + k];
        for (int k = 0; k < n; k++)
            jump->u[k] += jump->G[k + (3 * c + 1) * n] * jump->r[3 * c + 1]
                          + jump->G[k + (3 * c + 2) * n] * jump->r[3 * c + 2];
    }
    for (int i = 0; i < n_z; i++) {
        const int row = jump->unknown[i];
        jump->b[i] = (row % 3 == 0 ? jump->target[row / 3] : 0) - jump->u[row];
        fill_column(jump, n_z, i);
    }
    const double left = dense_solve(&jump->dense, n_z, jump->A, jump->b, NULL, jump->z, &is_redundant);
    for (int j = 0; j < n_z; j++) {
        const int by = jump->unknown[j], c = by / 3;
        jump->r[by] += jump->z[j];
        for (int k = 0; k < 2 && by % 3 == 0 && slips(jump->role[c]); k++)
            jump->r[by + 1 + k] -= jump->in->mu[c] * jump->z[j] * jump->d[2 * c + k];
    }
    jump->scale_r = 0;
    for (int k = 0; k < n; k++) {
        jump->u[k] = jump->u_free[k];
        for (int i = 0; i < n; i++)
            jump->u[k] += jump->G[k + i * n] * (i % 3 == 0 ? jump->r[i] - jump->r_0[i / 3] : jump->r[i]);
        jump->scale_r = fmax(jump->scale_r, fabs(jump->r[k]));
    }
    return left <= TOL * jump->scale_u;
}

/* Do r and u obey the inequalities of the roles? */
static bool is_consistent(const struct jump *jump)
{
    const double tol_u = TOL * jump->scale_u, tol_r = TOL * jump->scale_r;
    for (int c = 0; c < jump->m; c++) {
        const double *r = &jump->r[3 * c], *u = &jump->u[3 * c], *d = &jump->d[2 * c];
        const enum role role = jump->role[c];
        if (!(r[0] >= jump->r_0[c] - tol_r) || !(u[0] >= jump->target[c] - tol_u))
            return false;
        if (has_friction(jump, c) && sticks(role) && !(hypot(r[1], r[2]) <= jump->in->mu[c] * r[0] + tol_r))
            return false;
        if (has_friction(jump, c) && slips(role) && !(u[1] * d[0] + u[2] * d[1] >= -tol_u))
            return false;
    }
    return true;
}

/* --- Directions of slip in space ----------------------------------------------------------------------------- */

static bool turns(const struct jump *jump, int c)
{
    return slips(jump->role[c]) && jump->in->n_t[c] == 2;
}

/* The part of u_t across d, of every contact that slips in space. */
static bool across(void *user, const double *angle, double *F)
{
    struct jump *jump = user;
    int n = 0;
    for (int c = 0; c < jump->m; c++)
        if (turns(jump, c)) {
            jump->d[2 * c] = cos(angle[n]);
            jump->d[2 * c + 1] = sin(angle[n++]);
        }
    if (!solve_roles(jump))
        return false;
    n = 0;
    for (int c = 0; c < jump->m; c++)
        if (turns(jump, c))
            F[n++] = jump->u[3 * c + 2] * jump->d[2 * c] - jump->u[3 * c + 1] * jump->d[2 * c + 1];
    return true;
}

/* Directions in the plane; in space angles to start from, that of the velocity before turned by quarters. Returns
 * the number of the latter. */
static int guess_directions(struct jump *jump, int start)
{
    int n = 0;
    for (int c = 0; c < jump->m; c++) {
        const double *u = &jump->u_free[3 * c];
        jump->d[2 * c] = jump->role[c] == HELD_BACKWARD || jump->role[c] == RELEASED_BACKWARD ? -1 : 1;
        jump->d[2 * c + 1] = 0;
        if (turns(jump, c))
            jump->angle[n++] = atan2(u[2], u[1]) + acos(0) * start;
    }
    return n;
}

static bool try_combination(struct jump *jump)
{
    for (int start = 0; start < STARTS; start++) {
        const int n = guess_directions(jump, start);
        const double tol = TOL * jump->scale_u;
        const bool solved = n > 0 ? angles_solve(&jump->dense, n, across, jump, tol, jump->angle) : solve_roles(jump);
        if (solved && is_consistent(jump))
            return true;
        if (n == 0)
            return false;
    }
    return false;
}

/* --- All combinations ---------------------------------------------------------------------------------------- */

/* The next role that makes a difference for contact c, N_ROLES when there is none left. */
static enum role next_role(const struct jump *jump, int c, enum role role)
{
    const bool friction = has_friction(jump, c), planar = jump->in->n_t[c] == 1;
    for (int next = (int)role + 1; next < N_ROLES; next++) {
        const enum role r = (enum role)next;
        if (!is_held(r) && (jump->r_0[c] == 0 || !friction))
            continue;                                           /* released without an impulse: there is one role */
        if (!sticks(r) && !friction)
            continue;
        if ((r == HELD_BACKWARD || r == RELEASED_BACKWARD) && !planar)
            continue;
        return r;
    }
    return N_ROLES;
}

static bool advance(struct jump *jump)
{
    for (int c = 0; c < jump->m; c++) {
        jump->role[c] = next_role(jump, c, jump->role[c]);
        if (jump->role[c] != N_ROLES)
            return true;
        jump->role[c] = jump->r_0[c] > 0 && has_friction(jump, c) ? RELEASED_STICK : RELEASED;
    }
    return false;
}

static void first_combination(struct jump *jump)
{
    for (int c = 0; c < jump->m; c++)
        jump->role[c] = jump->r_0[c] > 0 && has_friction(jump, c) ? RELEASED_STICK : RELEASED;
}

static double n_combinations(const struct jump *jump)
{
    double n = 1;
    for (int c = 0; c < jump->m; c++) {
        int roles = 1;
        for (enum role r = RELEASED; (r = next_role(jump, c, r)) != N_ROLES;)
            roles++;
        n *= roles;
    }
    return n;
}

struct best { bool found; double merit, *r, *u; int n_solutions; };

static double distance(int n, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* Kinetic energy after, up to a constant: (r - r_0)'(u + u_free) / 2; or minus the impulse. */
static double merit(const struct jump *jump, const struct jump_options *options)
{
    double sum = 0;
    for (int k = 0; k < 3 * jump->m; k++) {
        const double r = jump->r[k] - (k % 3 == 0 ? jump->r_0[k / 3] : 0);
        sum += options->without_collision ? (k % 3 == 0 ? -r : 0) : 0.5 * r * (jump->u[k] + jump->u_free[k]);
    }
    return sum;
}

static void keep_best(const struct jump *jump, const struct jump_options *options, struct best *best)
{
    const int n = 3 * jump->m;
    const double now = merit(jump, options);
    const bool is_new = !best->found || distance(n, jump->u, best->u) > SAME * jump->scale_u;
    best->n_solutions += is_new;
    if (best->found && !(now < best->merit - 1e-12 * (fabs(now) + fabs(best->merit))))
        return;
    best->found = true;
    best->merit = now;
    memcpy(best->r, jump->r, (size_t)n * sizeof(double));
    memcpy(best->u, jump->u, (size_t)n * sizeof(double));
}

/* --- Lemke --------------------------------------------------------------------------------------------------- */

static int n_directions(const struct jump *jump, int c)
{
    return !has_friction(jump, c) ? 0 : jump->in->n_t[c] == 1 ? 2 : DIRECTIONS;
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

/* Component row of u per unit of unknown col: normals first, then rays. */
static double polyhedral(const struct jump *jump, const struct ray *ray, int row, int col)
{
    const int n = 3 * jump->m, m = jump->m;
    double sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            const int p = row < m ? 3 * row : 3 * ray[row - m].c + 1 + i;
            const int q = col < m ? 3 * col : 3 * ray[col - m].c + 1 + j;
            const double left = row < m ? (i == 0) : ray[row - m].d[i], right = col < m ? (j == 0) : ray[col - m].d[j];
            if (left != 0 && right != 0)
                sum += left * right * jump->G[p + q * n];
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
        const bool held = z[c] > TOL * most, slides = z[m + n_ray + c] > TOL * jump->scale_u;
        double along = 0;
        for (int k = 0; k < n_ray; k++)
            along += ray[k].c == c ? ray[k].d[0] * z[m + k] : 0;
        jump->role[c] = held ? HELD_STICK : jump->r_0[c] > 0 && has_friction(jump, c) ? RELEASED_STICK : RELEASED;
        if (jump->role[c] != RELEASED && slides && has_friction(jump, c))
            jump->role[c] = (enum role)(jump->role[c] + (jump->in->n_t[c] == 1 && along > 0 ? 2 : 1));
    }
}

/* The complementarity problem of Anitescu and Potra (impact.md 6) with z = [r_n; rays; gamma]. */
static bool solve_lemke(struct jump *jump, struct arena *mem)
{
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

/* --- Proximal points ------------------------------------------------------------------------------------------ */

/* One sweep of r_n = max(r_0, r_n - (u_n - target) / G), r_t = the nearest point of the disc of radius mu r_n to
 * r_t - u_t / G, contact by contact (HYB, proximal point formulation). Returns the largest change of an impulse. */
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
            r_c[k] = jump->in->n_t[c] == 0 ? 0 : size > most ? r_c[k] * most / size : r_c[k];
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
        const bool slides = has_friction(jump, c) && size > (1 - 1e-7) * jump->in->mu[c] * r[3 * c];
        const bool is_held = r[3 * c] - jump->r_0[c] > 1e-7 * most;
        const enum role stick = is_held ? HELD_STICK : jump->r_0[c] > 0 && has_friction(jump, c) ? RELEASED_STICK : RELEASED;
        const int side = jump->in->n_t[c] == 1 && r[3 * c + 1] > 0 ? 2 : 1;
        jump->role[c] = stick != RELEASED && slides ? (enum role)((int)stick + side) : stick;
        jump->d[2 * c] = side == 2 ? -1 : 1;
        jump->d[2 * c + 1] = 0;
        if (turns(jump, c))
            jump->angle[n++] = atan2(-r[3 * c + 2], -r[3 * c + 1]);
    }
}

/* Where combinations and Lemke's method fail: sweeps until impulses settle, then the combination they tell is solved
 * exactly. What is left are redundant contacts, whose combination is not unique: the swept impulses stand. */
static bool solve_by_sweeps(struct jump *jump)
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
        n_angle += turns(jump, c);
    const double tol = TOL * jump->scale_u;
    const bool solved = n_angle > 0 ? angles_solve(&jump->dense, n_angle, across, jump, tol, jump->angle) : solve_roles(jump);
    if (solved && is_consistent(jump))
        return true;
    memcpy(jump->r, r, (size_t)n * sizeof *r);
    for (int k = 0; k < n; k++) {
        jump->u[k] = jump->u_free[k];
        for (int i = 0; i < n; i++)
            jump->u[k] += jump->G[k + i * n] * (i % 3 == 0 ? r[i] - jump->r_0[i / 3] : r[i]);
    }
    return true;
}

/* --- The laws ------------------------------------------------------------------------------------------------ */

/* Fills best->r, best->u for the present u_free, target and r_0. */
static bool solve_phase(struct jump *jump, const struct jump_options *options, struct best *best)
{
    *best = (struct best){ .r = arena_alloc(&jump->mem, (size_t)(3 * jump->m), sizeof(double)),
                           .u = arena_alloc(&jump->mem, (size_t)(3 * jump->m), sizeof(double)) };
    const bool few = n_combinations(jump) <= COMBINATIONS_MAX;
    first_combination(jump);
    do {
        if (few ? try_combination(jump) : solve_lemke(jump, &jump->mem) && try_combination(jump))
            keep_best(jump, options, best);
    } while (few && advance(jump));
    if (!best->found && !options->without_collision && solve_by_sweeps(jump))
        keep_best(jump, options, best);
    if (!few)
        best->n_solutions = 0;
    return best->found;
}

static void add_impulse(const struct jump *jump, const double *r, double *v, double *impulse)
{
    const int n_q = jump->in->n_q;
    for (int k = 0; k < 3 * jump->m; k++) {
        impulse[k] += r[k];
        for (int i = 0; i < n_q; i++)
            v[i] += jump->W[k * n_q + i] * r[k];
    }
}

static bool solve_newton(struct jump *jump, const struct jump_options *options, struct best *best)
{
    set_velocity(jump, jump->in->v_minus);
    for (int c = 0; c < jump->m; c++)
        jump->target[c] = options->inelastic || options->without_collision ? 0
                          : jump->in->e[c] * fmax(0, -jump->u_free[3 * c]);
    return solve_phase(jump, options, best);
}

/* Expansion after the compression that best holds; v is the velocity after it. */
static bool solve_expansion(struct jump *jump, const struct jump_options *options, const double *v, struct best *best)
{
    const struct best compression = *best;
    for (int c = 0; c < jump->m; c++) {
        jump->target[c] = 0;
        jump->r_0[c] = jump->in->e[c] * compression.r[3 * c];
    }
    const double scale = jump->scale_u;
    set_velocity(jump, v);
    jump->scale_u = fmax(jump->scale_u, scale);
    const bool found = solve_phase(jump, options, best);
    if (compression.n_solutions > 1)
        best->n_solutions = compression.n_solutions;
    return found;
}

enum status jump_solve(const struct jump_options *options, const struct sim_impact *impact, double *v_plus,
                       double *impulse, struct jump_info *info, char *why, size_t why_size)
{
    struct jump jump;
    struct best best = { 0 };
    const bool two_phases = options->restitution == SIM_POISSON && !options->inelastic && !options->without_collision;
    enum status st = set_up(&jump, impact);
    memcpy(v_plus, impact->v_minus, (size_t)impact->n_q * sizeof *v_plus);
    memset(impulse, 0, 3 * (size_t)impact->n_c * sizeof *impulse);
    if (st != STATUS_OK) {
        (void)snprintf(why, why_size, "the mass matrix is not positive definite");
    } else {
        struct jump_options first = *options;
        first.inelastic = options->inelastic || two_phases;
        bool found = solve_newton(&jump, &first, &best);
        if (found)
            add_impulse(&jump, best.r, v_plus, impulse);
        if (found && two_phases && (found = solve_expansion(&jump, options, v_plus, &best)))
            add_impulse(&jump, best.r, v_plus, impulse);
        if (!found) {
            st = STATUS_NUMERIC;
            (void)snprintf(why, why_size, "no combination of sticking, slipping and released contacts obeys the law "
                           "of impact");
        }
    }
    info->n_solutions = best.n_solutions;
    info->loss = jump_kinetic(impact->n_q, impact->M, impact->v_minus) - jump_kinetic(impact->n_q, impact->M, v_plus);
    arena_free(&jump.mem);
    return st;
}
