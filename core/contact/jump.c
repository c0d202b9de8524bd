#include "core/contact/jump.h"

#include "core/contact/combine.h"
#include "core/contact/directions.h"
#include "core/contact/friction.h"
#include "core/contact/friction_newton.h"

#include <stdio.h>
#include <string.h>

static const double TOL = 1e-9;     /* of velocities and impulses, relative to the largest */
static const double SAME = 1e-8;    /* solutions that differ by less in v are one, relative to velocities */
static const double ACTS = 1e-7;    /* of the largest impulse: less is rounding of what Lemke's method or sweeps find */
enum {
    COMBINATIONS_MAX = 5000,
    TURNING_MAX = 4,                /* contacts with friction in space: their directions are sought in each combination */
    R = CONTACT_ROWS
};

/* What a contact does in an impact. A released one may still carry the impulse of its expansion. */
enum role {
    RELEASED = 0,
    RELEASED_STICK,
    RELEASED_FORWARD,
    RELEASED_BACKWARD,
    HELD_STICK,
    HELD_FORWARD,
    HELD_BACKWARD,
    N_ROLES
};

struct jump {                       /* one problem: u = u_free + G r, r_n = r_0 + rho */
    struct arena mem;
    const struct jump_impact *in;
    struct friction_problem problem;        /* of the arrays below */
    int m;                          /* contacts; components are R * c + (0 .. SLIP_MAX) */
    struct dense dense;
    double *W;                      /* [n_q * R m] M^-1 J */
    double *G;                      /* [R m * R m] */
    double *u_free, *target, *r_0;  /* [R m], [m], [m] */
    double *A, *b, *z;
    int *unknown;                   /* [R m] component of unknown k */
    double *r, *u;                  /* [R m] of the last combination */
    double *approximate;            /* [2 R m] r, u of Lemke's method, of sweeps */
    double *d;                      /* [SLIP_MAX m] directions of slip */
    struct slip *slip;              /* [m] those that are looked for */
    enum role *role;                /* [m] of the combination that is tried: option[c][at[c]] of n_of[c] */
    enum role (*option)[N_ROLES];
    int *n_of, *at;
    double scale_u, scale_r;
};

static bool is_held(enum role role) { return role >= HELD_STICK; }

static bool sticks(enum role role) { return role == RELEASED_STICK || role == HELD_STICK; }

static bool slips(enum role role) { return role != RELEASED && !sticks(role); }

static bool has_friction(const struct jump *jump, int c) { return friction_acts(&jump->problem, c); }

static enum status set_up(struct jump *jump, const struct jump_impact *in)
{
    const size_t m = (size_t)in->n_c, n = R * m;
    *jump = (struct jump){ .in = in, .m = in->n_c };
    double **const arrays[] = { &jump->W, &jump->G, &jump->A, &jump->u_free, &jump->b, &jump->z, &jump->r, &jump->u,
                                &jump->d, &jump->target, &jump->r_0, &jump->approximate };
    const size_t sizes[] = { (size_t)in->n_q * n, n * n, n * n, n, n, n, n, n, SLIP_MAX * m, m, m, 2 * n };
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = arena_alloc(&jump->mem, sizes[k], sizeof(double));
    jump->slip = arena_alloc(&jump->mem, m, sizeof *jump->slip);
    jump->unknown = arena_alloc(&jump->mem, n, sizeof(int));
    jump->role = arena_alloc(&jump->mem, m, sizeof *jump->role);
    jump->option = arena_alloc(&jump->mem, m, sizeof *jump->option);
    jump->n_of = arena_alloc(&jump->mem, m, sizeof(int));
    jump->at = arena_alloc(&jump->mem, m, sizeof(int));
    dense_init(&jump->dense, &jump->mem, (int)n);
    jump->problem = (struct friction_problem){ .n = in->n_c, .n_t = in->n_t, .G = jump->G, .v = jump->u_free,
                                               .mu = in->mu, .v_least = jump->target, .impulse_least = jump->r_0 };
    return dense_delassus(in->n_q, in->M, (int)n, in->J, jump->W, jump->G) ? STATUS_OK : STATUS_NUMERIC;
}

/* Contact velocities at v, before any impulse but r_0. */
static void set_velocity(struct jump *jump, const double *v)
{
    const int n = R * jump->m, n_q = jump->in->n_q;
    for (int k = 0; k < n; k++)
        jump->u_free[k] = vec_dot(n_q, jump->in->J + k * n_q, v) + (jump->in->drift ? jump->in->drift[k] : 0);
    jump->scale_u = dense_largest(n, jump->u_free);
    for (int c = 0; c < jump->m; c++)
        for (int k = 0; k < n; k++)
            jump->u_free[k] += jump->G[k + R * c * n] * jump->r_0[c];
}

/* --- One combination ----------------------------------------------------------------------------------------- */

/* Column j of A: what the impulse along its component does, with the friction that goes with it. */
static void fill_column(struct jump *jump, int n_z, int j)
{
    const int n = R * jump->m, by = jump->unknown[j], c = by / R;
    for (int i = 0; i < n_z; i++) {
        const int row = jump->unknown[i];
        double g = jump->G[row + by * n];
        for (int k = 0; k < SLIP_MAX && by % R == 0 && slips(jump->role[c]); k++)
            g -= jump->in->mu[c] * jump->d[SLIP_MAX * c + k] * jump->G[row + (by + 1 + k) * n];
        jump->A[i + j * n_z] = g;
    }
}

/* Impulses r and velocities u of the roles for given directions; false if there are none. */
static bool solve_roles(void *user)
{
    struct jump *jump = user;
    const int n = R * jump->m;
    int n_z = 0;
    bool is_redundant;
    for (int c = 0; c < jump->m; c++) {
        if (is_held(jump->role[c]))
            jump->unknown[n_z++] = R * c;
        for (int k = 0; k < jump->in->n_t[c] && sticks(jump->role[c]) && has_friction(jump, c); k++)
            jump->unknown[n_z++] = R * c + 1 + k;
    }
    memset(jump->r, 0, (size_t)n * sizeof *jump->r);
    for (int c = 0; c < jump->m; c++) {
        jump->r[R * c] = jump->r_0[c];
        for (int k = 0; k < SLIP_MAX && slips(jump->role[c]); k++)
            jump->r[R * c + 1 + k] = -jump->in->mu[c] * jump->r_0[c] * jump->d[SLIP_MAX * c + k];
    }
    friction_velocity(&jump->problem, jump->r, jump->u);
    for (int i = 0; i < n_z; i++) {
        const int row = jump->unknown[i];
        jump->b[i] = (row % R == 0 ? jump->target[row / R] : 0) - jump->u[row];
        fill_column(jump, n_z, i);
    }
    const double left = dense_solve(&jump->dense, n_z, jump->A, jump->b, NULL, jump->z, &is_redundant);
    for (int j = 0; j < n_z; j++) {
        const int by = jump->unknown[j], c = by / R;
        jump->r[by] += jump->z[j];
        for (int k = 0; k < SLIP_MAX && by % R == 0 && slips(jump->role[c]); k++)
            jump->r[by + 1 + k] -= jump->in->mu[c] * jump->z[j] * jump->d[SLIP_MAX * c + k];
    }
    friction_velocity(&jump->problem, jump->r, jump->u);
    jump->scale_r = dense_largest(n, jump->r);
    return left <= TOL * jump->scale_u;
}

/* Do r and u obey the inequalities of the roles? */
static bool is_consistent(const struct jump *jump)
{
    const double tol_u = TOL * jump->scale_u, tol_r = TOL * jump->scale_r;
    for (int c = 0; c < jump->m; c++) {
        const double *r = &jump->r[R * c], *u = &jump->u[R * c], *d = &jump->d[SLIP_MAX * c];
        const enum role role = jump->role[c];
        if (!(r[0] >= jump->r_0[c] - tol_r) || !(u[0] >= jump->target[c] - tol_u))
            return false;
        if (has_friction(jump, c) && sticks(role) && !(slip_size(r + 1) <= jump->in->mu[c] * r[0] + tol_r))
            return false;
        if (has_friction(jump, c) && slips(role) && !friction_is_given(&jump->problem, c) &&
            !(slip_dot(u + 1, d) >= -tol_u))
            return false;
    }
    return true;
}

/* --- Directions of slip in space ----------------------------------------------------------------------------- */

/* Does contact c slip in a direction in space that is to be found? */
static bool turns(const struct jump *jump, int c)
{
    return slips(jump->role[c]) && jump->in->n_t[c] > 1 && !friction_is_given(&jump->problem, c);
}

static struct slip slip_of(const struct jump *jump, int c, const double *along, int start)
{
    return slip_start(jump->in->n_t[c], along, start, &jump->d[SLIP_MAX * c], &jump->u[R * c + 1]);
}

/* The direction of contact c is +-1 in the plane. */
static void set_side(struct jump *jump, int c, bool is_backward)
{
    double *d = &jump->d[SLIP_MAX * c];
    memset(d, 0, SLIP_MAX * sizeof *d);
    d[0] = is_backward ? -1 : 1;
}

/* Directions in the plane; in space those to start from, that of the velocity before turned by quarters. Returns
 * the number of the latter. */
static int guess_directions(struct jump *jump, int start)
{
    int n = 0;
    for (int c = 0; c < jump->m; c++) {
        set_side(jump, c, jump->role[c] == HELD_BACKWARD || jump->role[c] == RELEASED_BACKWARD);
        if (friction_is_given(&jump->problem, c))
            memcpy(&jump->d[SLIP_MAX * c], &jump->problem.direction[SLIP_MAX * c], SLIP_MAX * sizeof(double));
        if (turns(jump, c))
            jump->slip[n++] = slip_of(jump, c, &jump->u_free[R * c + 1], start);
    }
    return n;
}

static bool try_directions(struct jump *jump, int n_slip)
{
    const double tol = TOL * jump->scale_u;
    return (n_slip > 0 ? directions_solve(&jump->dense, n_slip, jump->slip, solve_roles, jump, tol)
                       : solve_roles(jump))
           && is_consistent(jump);
}

static bool try_combination(struct jump *jump)
{
    for (int start = 0; start < DIRECTION_STARTS; start++) {
        const int n = guess_directions(jump, start);
        if (try_directions(jump, n))
            return true;
        if (n == 0)
            return false;
    }
    return false;
}

/* --- All combinations ---------------------------------------------------------------------------------------- */

/* The role of a released contact, the first one of it if it has an impulse and friction all the same. */
static enum role released(const struct jump *jump, int c)
{
    return jump->r_0[c] > 0 && has_friction(jump, c) ? RELEASED_STICK : RELEASED;
}

/* Does it make a difference for contact c? One that is released without an impulse has one role. */
static bool matters(const struct jump *jump, int c, enum role role)
{
    const bool friction = has_friction(jump, c), is_backward = role == HELD_BACKWARD || role == RELEASED_BACKWARD;
    if (!friction)
        return role == HELD_STICK;
    if (friction_is_given(&jump->problem, c))
        return role == HELD_FORWARD;
    return (is_held(role) || jump->r_0[c] != 0) && (!is_backward || jump->in->n_t[c] == 1);
}

static void list_roles(struct jump *jump)
{
    for (int c = 0; c < jump->m; c++) {
        jump->at[c] = 0;
        jump->n_of[c] = 0;
        for (enum role role = released(jump, c); role < N_ROLES; role++)
            if (role == released(jump, c) || matters(jump, c, role))
                jump->option[c][jump->n_of[c]++] = role;
    }
}

struct best { bool found; double merit, *r, *u, *d; enum role *role; int n_solutions; };

/* Kinetic energy after, up to a constant: (r - r_0)'(u + u_free) / 2; or minus the impulse. */
static double merit(const struct jump *jump, enum jump_law law)
{
    double sum = 0;
    for (int k = 0; k < R * jump->m; k++) {
        const double r = jump->r[k] - (k % R == 0 ? jump->r_0[k / R] : 0);
        sum += law == JUMP_WITHOUT_COLLISION ? (k % R == 0 ? -r : 0) : 0.5 * r * (jump->u[k] + jump->u_free[k]);
    }
    return sum;
}

static void keep_best(const struct jump *jump, enum jump_law law, struct best *best)
{
    const int n = R * jump->m;
    const double now = merit(jump, law);
    const bool is_new = !best->found || dense_distance(n, jump->u, best->u) > SAME * jump->scale_u;
    best->n_solutions += is_new;
    if (best->found && !(now < best->merit - 1e-12 * (fabs(now) + fabs(best->merit))))
        return;
    best->found = true;
    best->merit = now;
    memcpy(best->r, jump->r, (size_t)n * sizeof(double));
    memcpy(best->u, jump->u, (size_t)n * sizeof(double));
    memcpy(best->d, jump->d, SLIP_MAX * (size_t)jump->m * sizeof(double));
    memcpy(best->role, jump->role, (size_t)jump->m * sizeof *best->role);
}

/* Are there few enough combinations to try them all? An impact without collision is not found otherwise. */
static bool are_few(const struct jump *jump, enum jump_law law)
{
    int turning = 0;
    for (int c = 0; c < jump->m; c++)
        turning += jump->in->n_t[c] > 1 && has_friction(jump, c) && !friction_is_given(&jump->problem, c);
    return combine_count(jump->m, jump->n_of) <= COMBINATIONS_MAX
           && (turning <= TURNING_MAX || law == JUMP_WITHOUT_COLLISION);
}

/* --- Many contacts ------------------------------------------------------------------------------------------- */

/* Roles and directions of slip from the impulses r; returns how many angles there are to be found. */
static int take_roles(struct jump *jump, const double *r)
{
    const double most = dense_largest(R * jump->m, r);
    int n = 0;
    for (int c = 0; c < jump->m; c++) {
        const double *r_c = &r[R * c], size = slip_size(r_c + 1);
        const bool held = r_c[0] - jump->r_0[c] > ACTS * most, given = friction_is_given(&jump->problem, c);
        const bool slides = has_friction(jump, c) && (given ? held : size > (1 - ACTS) * jump->in->mu[c] * r_c[0]);
        const enum role stick = held ? HELD_STICK : released(jump, c);
        const int side = !given && jump->in->n_t[c] == 1 && r_c[1] > 0 ? 2 : 1;
        jump->role[c] = stick != RELEASED && slides ? (enum role)((int)stick + side) : stick;
        set_side(jump, c, side == 2);
        if (given)
            memcpy(&jump->d[SLIP_MAX * c], &jump->problem.direction[SLIP_MAX * c], SLIP_MAX * sizeof(double));
        if (turns(jump, c))
            jump->slip[n++] = slip_of(jump, c, (double[SLIP_MAX]){ -r_c[1], -r_c[2], -r_c[3] }, 0);
    }
    return n;
}

/* What contact c does, by the velocities u that are left: these are unique where impulses are not. */
static enum role role_by_velocity(const struct jump *jump, int c)
{
    const double *u = &jump->u[R * c], tol = TOL * jump->scale_u;
    if (u[0] - jump->target[c] > tol)
        return released(jump, c);
    if (friction_is_given(&jump->problem, c))
        return HELD_FORWARD;
    if (!has_friction(jump, c) || !(slip_size(u + 1) > tol))
        return HELD_STICK;
    return jump->in->n_t[c] == 1 && u[1] < 0 ? HELD_BACKWARD : HELD_FORWARD;
}

/* Newton's method on the cones themselves: impulses, velocities, and with them roles and directions. */
static bool solve_cones(struct jump *jump)
{
    if (!friction_newton(&jump->dense, &jump->problem, jump->r, jump->u))
        return false;
    jump->scale_r = dense_largest(R * jump->m, jump->r);
    for (int c = 0; c < jump->m; c++) {
        const double *r = &jump->r[R * c];
        double *d = &jump->d[SLIP_MAX * c];
        jump->role[c] = role_by_velocity(jump, c);
        set_side(jump, c, jump->role[c] == HELD_BACKWARD);
        if (friction_is_given(&jump->problem, c))
            memcpy(d, &jump->problem.direction[SLIP_MAX * c], SLIP_MAX * sizeof *d);
        if (!turns(jump, c))
            continue;
        const bool acts = slip_size(r + 1) > ACTS * jump->scale_r;
        slip_unit(acts ? r + 1 : &jump->u[R * c + 1], d);
        for (int k = 0; k < SLIP_MAX && acts; k++)
            d[k] = -d[k];
    }
    return true;
}

/* Impulses of Lemke's method name a combination, which is then solved exactly. */
static bool solve_many(struct jump *jump)
{
    struct friction *friction = friction_create(jump->m);
    struct friction_info info;
    double *r = jump->approximate;
    const bool found = friction_solve(friction, &jump->problem, r, r + R * jump->m, &info) == LCP_SOLVED;
    friction_free(friction);
    return found && try_directions(jump, take_roles(jump, r));
}

/* The same with impulses of sweeps. What that does not solve are redundant contacts, whose combination is not
 * unique: the swept impulses stand. */
static bool solve_by_sweeps(struct jump *jump)
{
    double *r = jump->approximate, *u = r + R * jump->m;
    const bool found = friction_sweep(&jump->problem, FRICTION_SWEEPS, r, u);
    if (found && !try_directions(jump, take_roles(jump, r))) {
        memcpy(jump->r, r, R * (size_t)jump->m * sizeof *r);
        memcpy(jump->u, u, R * (size_t)jump->m * sizeof *u);
    }
    return found;
}

/* --- The laws ------------------------------------------------------------------------------------------------ */

/* Fills best->r, best->u for the present u_free, target and r_0. */
static bool solve_phase(struct jump *jump, enum jump_law law, struct best *best)
{
    const size_t m = (size_t)jump->m;
    *best = (struct best){ .r = arena_alloc(&jump->mem, R * m, sizeof(double)),
                           .u = arena_alloc(&jump->mem, R * m, sizeof(double)),
                           .d = arena_alloc(&jump->mem, SLIP_MAX * m, sizeof(double)),
                           .role = arena_alloc(&jump->mem, m, sizeof(enum role)) };
    list_roles(jump);
    const bool few = are_few(jump, law);
    do {
        for (int c = 0; c < jump->m; c++)
            jump->role[c] = jump->option[c][jump->at[c]];
        if (few ? try_combination(jump) : solve_cones(jump) || solve_many(jump))
            keep_best(jump, law, best);
    } while (few && combine_next(jump->m, jump->n_of, jump->at));
    if (!best->found && law != JUMP_WITHOUT_COLLISION && solve_by_sweeps(jump))
        keep_best(jump, law, best);
    if (!few)
        best->n_solutions = 0;
    return best->found;
}

static void add_impulse(const struct jump *jump, const double *r, double *v, double *impulse)
{
    const int n_q = jump->in->n_q;
    for (int k = 0; k < R * jump->m; k++) {
        impulse[k] += r[k];
        for (int i = 0; i < n_q; i++)
            v[i] += jump->W[k * n_q + i] * r[k];
    }
}

/* Newton's law with restitution as asked for: u_n >= e max(0, -u_n_minus) where r_n > 0. */
static bool solve_newton(struct jump *jump, enum jump_law law, const double *e, struct best *best)
{
    set_velocity(jump, jump->in->v_minus);
    for (int c = 0; c < jump->m; c++)
        jump->target[c] = e ? e[c] * fmax(0, -jump->u_free[R * c]) : 0;
    return solve_phase(jump, law, best);
}

/* Expansion after the compression that best holds; v is the velocity after it. */
static bool solve_expansion(struct jump *jump, const double *v, struct best *best)
{
    const struct best compression = *best;
    for (int c = 0; c < jump->m; c++)
        jump->r_0[c] = jump->in->e[c] * compression.r[R * c];
    const double scale = jump->scale_u;
    set_velocity(jump, v);
    jump->scale_u = fmax(jump->scale_u, scale);
    const bool found = solve_phase(jump, JUMP_POISSON, best);
    if (compression.n_solutions > 1)
        best->n_solutions = compression.n_solutions;
    return found;
}

enum status jump_forces(const struct jump_impact *in, const double *a_free, const bool *slips,
                        const double *direction, enum jump_rest *rest, double *slip_direction)
{
    struct jump jump;
    struct best best;
    enum status st = set_up(&jump, in);
    if (st == STATUS_OK) {
        jump.problem.slips = slips;
        jump.problem.direction = direction;
        memcpy(jump.u_free, a_free, R * (size_t)in->n_c * sizeof *a_free);
        jump.scale_u = dense_largest(R * in->n_c, a_free);
        if (!solve_phase(&jump, JUMP_NEWTON, &best))
            st = STATUS_NUMERIC;
    }
    for (int c = 0; c < in->n_c && st == STATUS_OK; c++) {
        const enum role role = best.role[c];
        rest[c] = is_held(role) ? (enum jump_rest)(JUMP_STICKS + (role - HELD_STICK)) : JUMP_OPENS;
        memcpy(&slip_direction[SLIP_MAX * c], &best.d[SLIP_MAX * c], SLIP_MAX * sizeof(double));
    }
    arena_free(&jump.mem);
    return st;
}

enum status jump_solve(enum jump_law law, const struct jump_impact *impact, double *v_plus, double *impulse,
                       struct jump_info *info, char *why, size_t why_size)
{
    struct jump jump;
    struct best best = { 0 };
    enum status st = set_up(&jump, impact);
    memcpy(v_plus, impact->v_minus, (size_t)impact->n_q * sizeof *v_plus);
    memset(impulse, 0, R * (size_t)impact->n_c * sizeof *impulse);
    if (st != STATUS_OK) {
        (void)snprintf(why, why_size, "the mass matrix is not positive definite");
    } else {
        bool found = solve_newton(&jump, law, law == JUMP_NEWTON ? impact->e : NULL, &best);
        if (found)
            add_impulse(&jump, best.r, v_plus, impulse);
        if (found && law == JUMP_POISSON && (found = solve_expansion(&jump, v_plus, &best)))
            add_impulse(&jump, best.r, v_plus, impulse);
        if (!found) {
            st = STATUS_NUMERIC;
            (void)snprintf(why, why_size, "no combination of sticking, slipping and released contacts obeys the law "
                           "of impact");
        }
    }
    info->n_solutions = best.n_solutions;
    info->loss = dense_kinetic(impact->n_q, impact->M, impact->v_minus)
                 - dense_kinetic(impact->n_q, impact->M, v_plus);
    arena_free(&jump.mem);
    return st;
}
