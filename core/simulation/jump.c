#include "core/simulation/jump_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SAME = 1e-8; /* solutions that differ by less in v are one, relative to velocities */
enum {
    COMBINATIONS_MAX = 5000,
    STARTS = 4                      /* directions of slip that Newton's method starts from */
};

bool role_is_held(enum role role) { return role >= HELD_STICK; }

static bool sticks(enum role role) { return role == RELEASED_STICK || role == HELD_STICK; }

static bool slips(enum role role) { return role != RELEASED && !sticks(role); }

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

bool jump_is_fixed(const struct jump *jump, int c)
{
    return jump->is_fixed && jump->is_fixed[c];
}

bool jump_has_friction(const struct jump *jump, int c)
{
    return jump->in->mu[c] > 0 && jump->in->n_t[c] > 0;
}

/* Adds what unknown `by` of size 1 does to A: the impulse along component by, with the friction that goes with it.
 */
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
        if (role_is_held(jump->role[c]))
            jump->unknown[n_z++] = 3 * c;
        for (int k = 0; k < jump->in->n_t[c] && sticks(jump->role[c]) && jump_has_friction(jump, c); k++)
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
    return left <= JUMP_TOL * jump->scale_u;
}

/* Do r and u obey the inequalities of the roles? */
static bool is_consistent(const struct jump *jump)
{
    const double tol_u = JUMP_TOL * jump->scale_u, tol_r = JUMP_TOL * jump->scale_r;
    for (int c = 0; c < jump->m; c++) {
        const double *r = &jump->r[3 * c], *u = &jump->u[3 * c], *d = &jump->d[2 * c];
        const enum role role = jump->role[c];
        if (!(r[0] >= jump->r_0[c] - tol_r) || !(u[0] >= jump->target[c] - tol_u))
            return false;
        if (jump_has_friction(jump, c) && sticks(role) && !(hypot(r[1], r[2]) <= jump->in->mu[c] * r[0] + tol_r))
            return false;
        if (jump_has_friction(jump, c) && slips(role) && !jump_is_fixed(jump, c) &&
            !(u[1] * d[0] + u[2] * d[1] >= -tol_u))
            return false;
    }
    return true;
}

/* --- Directions of slip in space ----------------------------------------------------------------------------- */

bool jump_turns(const struct jump *jump, int c)
{
    return slips(jump->role[c]) && jump->in->n_t[c] == 2 && !jump_is_fixed(jump, c);
}

/* The part of u_t across d, of every contact that slips in space. */
static bool across(void *user, const double *angle, double *F)
{
    struct jump *jump = user;
    int n = 0;
    for (int c = 0; c < jump->m; c++)
        if (jump_turns(jump, c)) {
            jump->d[2 * c] = cos(angle[n]);
            jump->d[2 * c + 1] = sin(angle[n++]);
        }
    if (!solve_roles(jump))
        return false;
    n = 0;
    for (int c = 0; c < jump->m; c++)
        if (jump_turns(jump, c))
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
        if (jump_is_fixed(jump, c))
            memcpy(&jump->d[2 * c], &jump->fixed[2 * c], 2 * sizeof(double));
        if (jump_turns(jump, c))
            jump->angle[n++] = atan2(u[2], u[1]) + acos(0) * start;
    }
    return n;
}

bool jump_try_directions(struct jump *jump, int n_angle)
{
    const double tol = JUMP_TOL * jump->scale_u;
    return (n_angle > 0 ? angles_solve(&jump->dense, n_angle, across, jump, tol, jump->angle) : solve_roles(jump))
           && is_consistent(jump);
}

bool jump_try_combination(struct jump *jump)
{
    for (int start = 0; start < STARTS; start++) {
        const int n = guess_directions(jump, start);
        if (jump_try_directions(jump, n))
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
    const bool friction = jump_has_friction(jump, c), planar = jump->in->n_t[c] == 1;
    for (int next = (int)role + 1; next < N_ROLES; next++) {
        const enum role r = (enum role)next;
        if (!role_is_held(r) && (jump->r_0[c] == 0 || !friction))
            continue; /* released without an impulse: there is one role */
        if (!sticks(r) && !friction)
            continue;
        if (jump_is_fixed(jump, c) && friction && r != HELD_FORWARD)
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
        jump->role[c] = jump->r_0[c] > 0 && jump_has_friction(jump, c) ? RELEASED_STICK : RELEASED;
    }
    return false;
}

static void first_combination(struct jump *jump)
{
    for (int c = 0; c < jump->m; c++)
        jump->role[c] = jump->r_0[c] > 0 && jump_has_friction(jump, c) ? RELEASED_STICK : RELEASED;
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

struct best { bool found; double merit, *r, *u, *d; enum role *role; int n_solutions; };

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
    memcpy(best->d, jump->d, 2 * (size_t)jump->m * sizeof(double));
    memcpy(best->role, jump->role, (size_t)jump->m * sizeof *best->role);
}

/* --- The laws ------------------------------------------------------------------------------------------------ */

/* Fills best->r, best->u for the present u_free, target and r_0. */
static bool solve_phase(struct jump *jump, const struct jump_options *options, struct best *best)
{
    const size_t m = (size_t)jump->m;
    *best = (struct best){ .r = arena_alloc(&jump->mem, 3 * m, sizeof(double)),
                           .u = arena_alloc(&jump->mem, 3 * m, sizeof(double)),
                           .d = arena_alloc(&jump->mem, 2 * m, sizeof(double)),
                           .role = arena_alloc(&jump->mem, m, sizeof(enum role)) };
    const bool few = n_combinations(jump) <= COMBINATIONS_MAX;
    first_combination(jump);
    do {
        if (few ? jump_try_combination(jump) : jump_solve_lemke(jump) && jump_try_combination(jump))
            keep_best(jump, options, best);
    } while (few && advance(jump));
    if (!best->found && !options->without_collision && jump_solve_sweeps(jump))
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
static bool solve_expansion(struct jump *jump, const struct jump_options *options, const double *v,
                            struct best *best)
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

enum status jump_forces(const struct sim_impact *in, const double *a_free, const bool *slips,
                        const double *direction, enum jump_rest *rest, double *slip_direction)
{
    const struct jump_options options = { .restitution = SIM_NEWTON };
    struct jump jump;
    struct best best;
    enum status st = set_up(&jump, in);
    if (st == STATUS_OK) {
        jump.is_fixed = slips;
        jump.fixed = direction;
        memcpy(jump.u_free, a_free, 3 * (size_t)in->n_c * sizeof *a_free);
        for (int k = 0; k < 3 * in->n_c; k++)
            jump.scale_u = fmax(jump.scale_u, fabs(a_free[k]));
        if (!solve_phase(&jump, &options, &best))
            st = STATUS_NUMERIC;
    }
    for (int c = 0; c < in->n_c && st == STATUS_OK; c++) {
        const enum role role = best.role[c];
        rest[c] = !role_is_held(role)    ? JUMP_OPENS
                  : role == HELD_STICK   ? JUMP_STICKS
                  : role == HELD_FORWARD ? JUMP_FORWARD
                                         : JUMP_BACKWARD;
        memcpy(&slip_direction[2 * c], &best.d[2 * c], 2 * sizeof(double));
    }
    arena_free(&jump.mem);
    return st;
}

enum status jump_solve(const struct jump_options *options, const struct sim_impact *impact, double *v_plus,
                       double *impulse, struct jump_info *info, char *why, size_t why_size)
{
    struct jump jump;
    struct best best = { 0 };
    const bool two_phases =
        options->restitution == SIM_POISSON && !options->inelastic && !options->without_collision;
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
            (void)snprintf(why, why_size,
                           "no combination of sticking, slipping and released contacts obeys the law "
                           "of impact");
        }
    }
    info->n_solutions = best.n_solutions;
    info->loss =
        jump_kinetic(impact->n_q, impact->M, impact->v_minus) - jump_kinetic(impact->n_q, impact->M, v_plus);
    arena_free(&jump.mem);
    return st;
}
