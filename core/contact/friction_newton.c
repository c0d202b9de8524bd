#include "core/contact/friction_newton.h"

#include <string.h>

enum { R = CONTACT_ROWS, ROUNDS_MAX = 25, STARTS_MAX = 4, FIRST_SWEEPS = 10, HALVINGS_MAX = 6 };

#define MET_TOL 1e-13               /* what is left of the projections, relative to the largest impulse: rounding */
#define SETTLED_TOL 1e-11           /* the same: good enough where it gets no smaller */

struct newton_work {
    struct arena mem;
    const struct friction_problem *problem;
    int n;                          /* R * contacts */
    double *rho;                    /* [n] length over velocity, of each component */
    double *F, *step, *J;           /* [n], [n], [n * n] */
    double *tried, *v_tried;        /* [n] */
};

/* Of the normal its own stiffness, of the tangents their largest: of a component that no impulse moves 1. */
static void set_rho(struct newton_work *work)
{
    const int n = work->n;
    for (int c = 0; c < work->problem->n; c++) {
        const double *G = &work->problem->G[R * c + R * c * n];
        double stiff = 0;
        for (int k = 1; k < R; k++)
            stiff = fmax(stiff, G[k + k * n]);
        work->rho[R * c] = G[0] > 0 ? 1 / G[0] : 1;
        for (int k = 1; k < R; k++)
            work->rho[R * c + k] = stiff > 0 ? 1 / stiff : 1;
    }
}

/* What a contact is on: its normal, and where its tangents are projected to. */
struct piece { bool closed, slips; double most, size, to[SLIP_MAX]; };

static struct piece piece_of(const struct newton_work *work, int c, const double *r, const double *u)
{
    const struct friction_problem *problem = work->problem;
    const double normal = r[R * c] - work->rho[R * c] * (u[R * c] - problem->v_least[c]);
    struct piece piece = { .closed = normal > friction_least(problem, c) };
    piece.most = friction_acts(problem, c) ? problem->mu[c] * fmax(normal, friction_least(problem, c)) : 0;
    for (int k = 0; k < problem->n_t[c]; k++)
        piece.to[k] = r[R * c + 1 + k] - work->rho[R * c + 1 + k] * u[R * c + 1 + k];
    piece.size = slip_size(piece.to);
    piece.slips = piece.size > piece.most || !(piece.most > 0);
    if (friction_is_given(problem, c)) {
        for (int k = 0; k < SLIP_MAX; k++)
            piece.to[k] = -problem->direction[SLIP_MAX * c + k];
        piece.size = 1;
        piece.slips = true;
    }
    return piece;
}

/* F = r - its projection; returns the largest entry. */
static double leave(struct newton_work *work, const double *r, const double *u)
{
    for (int c = 0; c < work->problem->n; c++) {
        const struct piece piece = piece_of(work, c, r, u);
        double *F = &work->F[R * c];
        const double *r_c = &r[R * c];
        F[0] = piece.closed ? work->rho[R * c] * (u[R * c] - work->problem->v_least[c])
                            : r_c[0] - friction_least(work->problem, c);
        for (int k = 0; k < SLIP_MAX; k++) {
            const double part = piece.size > 0 ? piece.most / piece.size : 0;
            F[1 + k] = k >= work->problem->n_t[c] ? r_c[1 + k] : piece.slips ? r_c[1 + k] - part * piece.to[k]
                                                                             : r_c[1 + k] - piece.to[k];
        }
    }
    return dense_largest(work->n, work->F);
}

/* Row `row` of J += factor d u_by / d r. */
static void add_velocity(struct newton_work *work, int row, int by, double factor)
{
    for (int j = 0; j < work->n; j++)
        work->J[row + j * work->n] += factor * work->problem->G[by + j * work->n];
}

/* Slip: r_t = most to / size, to = r_t - rho u_t; most = mu (r_n - rho_n (u_n - v_least)). */
static void slip_rows(struct newton_work *work, int c, const struct piece *piece)
{
    const struct friction_problem *problem = work->problem;
    const int n = work->n, n_t = problem->n_t[c];
    const bool given = friction_is_given(problem, c);
    const double turn = !given && piece->size > 0 ? piece->most / piece->size : 0;
    for (int k = 0; k < n_t; k++) {
        const int row = R * c + 1 + k;
        const double e_k = piece->size > 0 ? piece->to[k] / piece->size : 0;
        work->J[row + row * n] += 1;
        if (piece->closed) {
            work->J[row + R * c * n] -= problem->mu[c] * e_k;
            add_velocity(work, row, R * c, problem->mu[c] * e_k * work->rho[R * c]);
        }
        for (int l = 0; l < n_t; l++) {
            const int by = R * c + 1 + l;
            const double across = turn * ((k == l) - e_k * piece->to[l] / fmax(piece->size, 1e-300));
            work->J[row + by * n] -= across;
            add_velocity(work, row, by, across * work->rho[by]);
        }
    }
}

static void differentiate(struct newton_work *work, const double *r, const double *u)
{
    const int n = work->n;
    memset(work->J, 0, (size_t)(n * n) * sizeof *work->J);
    for (int c = 0; c < work->problem->n; c++) {
        const struct piece piece = piece_of(work, c, r, u);
        if (piece.closed)
            add_velocity(work, R * c, R * c, work->rho[R * c]);
        else
            work->J[R * c + R * c * n] = 1;
        for (int k = work->problem->n_t[c]; k < SLIP_MAX; k++)
            work->J[R * c + 1 + k + (R * c + 1 + k) * n] = 1;
        if (piece.slips)
            slip_rows(work, c, &piece);
        for (int k = 0; k < work->problem->n_t[c] && !piece.slips; k++)
            add_velocity(work, R * c + 1 + k, R * c + 1 + k, work->rho[R * c + 1 + k]);
    }
}

/* r and u from a round on, by the largest part of the step that leaves less; what is left. */
static double go(struct newton_work *work, double *r, double *u, double before)
{
    const int n = work->n;
    double left = before, part = 1;
    for (int k = 0; k <= HALVINGS_MAX; k++, part *= 0.5) {
        for (int i = 0; i < n; i++)
            work->tried[i] = r[i] - part * work->step[i];
        friction_velocity(work->problem, work->tried, work->v_tried);
        left = leave(work, work->tried, work->v_tried);
        if (left < before)
            break;
    }
    memcpy(r, work->tried, (size_t)n * sizeof *r);
    memcpy(u, work->v_tried, (size_t)n * sizeof *u);
    return left;
}

/* Rounds from r on; false if they do not settle. */
static bool settle(struct dense *dense, struct newton_work *work, double *r, double *u)
{
    bool is_redundant;
    friction_velocity(work->problem, r, u);
    double left = leave(work, r, u), before = INFINITY;
    for (int round = 0; round < ROUNDS_MAX && left > MET_TOL * dense_largest(work->n, r); round++) {
        differentiate(work, r, u);
        (void)dense_solve(dense, work->n, work->J, work->F, NULL, work->step, &is_redundant);
        if (!dense_is_finite(work->n, work->step))
            return false;
        before = left;
        left = go(work, r, u, before);
        if (left >= before && left <= SETTLED_TOL * dense_largest(work->n, r))
            break;
    }
    return left <= SETTLED_TOL * dense_largest(work->n, r);
}

bool friction_newton(struct dense *dense, const struct friction_problem *problem, double *impulse, double *v_plus)
{
    const int n = R * problem->n;
    struct newton_work work = { .problem = problem, .n = n };
    double **const arrays[] = { &work.rho, &work.F, &work.step, &work.tried, &work.v_tried };
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = arena_alloc(&work.mem, (size_t)n, sizeof(double));
    work.J = arena_alloc(&work.mem, (size_t)(n * n), sizeof(double));
    set_rho(&work);
    bool found = false;
    for (int start = 0, sweeps = FIRST_SWEEPS; start < STARTS_MAX && !found; start++, sweeps *= 6) {
        (void)friction_sweep(problem, sweeps, impulse, v_plus);
        found = settle(dense, &work, impulse, v_plus);
    }
    arena_free(&work.mem);
    return found;
}
