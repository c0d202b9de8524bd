#include "core/simulation/newton.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { S = SIM_DEGREE, ROUNDS_MAX = 40, GUESS_ROUNDS = 4 };
static const double DIRECTION = 1e-12;      /* what is left of an acceleration across the direction of a guess, relative */
static const double SLOW = 0.01;            /* of what forces accelerate to in a step: slip settles within it */
static const double INCREMENT = 1e-6;       /* of a direction, for differences: x' is a smooth function of it */

static bool slips_in_space(const struct system *sys, const struct mode *mode, int c)
{
    return mode->of[c] == SIM_FORWARD && sys->model->contacts.contact[c].n_t > 1 && sys->mu[c] > 0;
}

bool newton_is_wanted(const struct flow *flow, const struct mode *mode)
{
    for (int c = 0; c < flow->sys->n_c; c++)
        if (slips_in_space(flow->sys, mode, c))
            return true;
    return false;
}

bool newton_starts_from_rest(const struct flow *flow, const struct mode *mode)
{
    const struct system *sys = flow->sys;
    for (int c = 0; c < sys->n_c; c++) {
        if (!slips_in_space(sys, mode, c))
            continue;
        const struct contact_at at = system_contact(sys, c);
        if (slip_size(at.v_t) <= FLOW_NO_DIRECTION)
            return true;
    }
    return false;
}

/* Which contacts slip in space, and how many components of directions that makes. */
static void list_slips(struct newton *newton, const struct flow *flow, const struct mode *mode)
{
    newton->n_slip = newton->n_d = 0;
    for (int c = 0; c < flow->sys->n_c; c++)
        if (slips_in_space(flow->sys, mode, c)) {
            newton->slip[newton->n_slip++] = c;
            newton->n_d += flow->sys->model->contacts.contact[c].n_t;
        }
}

/* The places of velocities among the states, ascending. */
static void list_velocities(struct newton *newton, struct arena *mem, const struct model *model)
{
    newton->velocity = arena_alloc(mem, (size_t)model->mechanics.n_q, sizeof *newton->velocity);
    for (int k = 0; k < newton->n; k++)
        for (int i = 0; i < model->mechanics.n_q; i++)
            if (model->mechanics.v_index[i] == k)
                newton->velocity[newton->n_q++] = k;
}

static void allocate(struct newton *newton, struct arena *mem, struct flow *flow)
{
    const size_t N = (size_t)newton->n, n_c = (size_t)flow->sys->n_c, n_d = SLIP_MAX * n_c, all = S * n_d;
    newton->slip = arena_alloc(mem, n_c, sizeof(int));
    newton->direction = arena_alloc(mem, n_d, sizeof(double));
    newton->B = arena_alloc(mem, all * N, sizeof(double));
    newton->D = arena_alloc(mem, all * N, sizeof(double));
    list_velocities(newton, mem, flow->sys->model);
    newton->B_v = arena_alloc(mem, all * (size_t)flow->sys->n_q, sizeof(double));
    newton->D_v = arena_alloc(mem, all * (size_t)flow->sys->n_q, sizeof(double));
    newton->g = arena_alloc(mem, S * N, sizeof(double));
    newton->A = arena_alloc(mem, all * all, sizeof(double));
    newton->y = arena_alloc(mem, all, sizeof(double));
    newton->t = arena_alloc(mem, S, sizeof(double));
    newton->pivot = arena_alloc(mem, all, sizeof *newton->pivot);
    align_init(&newton->align, mem, flow);
    mode_init(&newton->mode, mem, flow->sys);
}

/* The directions of slip at the last evaluation, and rows of D: how they turn by velocities, d'
 * = (1 - d d') v_t' / |v_t|. */
static void turn_by_velocity(struct newton *newton, const struct flow *flow, const struct mode *mode, int stage)
{
    const struct system *sys = flow->sys;
    const int n = newton->n;
    double *row = &newton->D[stage * newton->n_d * n];
    memset(row, 0, (size_t)(newton->n_d * n) * sizeof *row);
    for (int s = 0; s < newton->n_slip; s++) {
        const int c = newton->slip[s], n_t = sys->model->contacts.contact[c].n_t;
        const struct contact_at at = system_contact(sys, c);
        const double speed = slip_size(at.v_t);
        double *d = &newton->direction[SLIP_MAX * c];
        flow_direction(flow, mode, c, &at, d);
        for (int k = 0; k < n_t; k++, row += n)
            for (int i = 0; i < sys->n_q && speed > FLOW_NO_DIRECTION; i++) {
                double along = 0;
                for (int l = 0; l < n_t; l++)
                    along += d[l] * at.J_t[l][i];
                row[sys->model->mechanics.v_index[i]] =
                    copysign(1, slip_dot(d, at.v_t)) * (at.J_t[k][i] - d[k] * along) / speed;
            }
    }
}

/* Column of B for component k of contact c, by differences. */
static bool differ_by_direction(struct newton *newton, struct flow *flow, const struct mode *mode, int stage, int c,
                                int k, double *column)
{
    const double *f = &newton->K[stage * newton->n];
    double *d = &newton->direction[SLIP_MAX * c + k];
    const double here = *d;
    *d += INCREMENT;
    flow->held_direction = newton->direction;
    const bool has_value = flow_eval(flow, mode, newton->t[stage], &newton->X[stage * newton->n]) == FLOW_OK;
    flow->held_direction = NULL;
    for (int i = 0; i < newton->n; i++)
        column[i] = (flow->dx[i] - f[i]) / (*d - here);
    *d = here;
    return has_value;
}

/* Columns of B: what x' changes by with the directions of slip, at the state of the last evaluation. */
static bool change_by_direction(struct newton *newton, struct flow *flow, const struct mode *mode, int stage)
{
    double *column = &newton->B[stage * newton->n_d * newton->n];
    bool is_known = true, has_value = true;             /* known of the first: of all */
    for (int s = 0; s < newton->n_slip; s++) {
        const int c = newton->slip[s];
        for (int k = 0; k < flow->sys->model->contacts.contact[c].n_t && has_value; k++, column += newton->n) {
            is_known = is_known && flow_turn(flow, c, k, column);
            if (!is_known)
                has_value = differ_by_direction(newton, flow, mode, stage, c, k, column);
        }
    }
    return has_value;
}

/* x' at all stages, and its derivatives by directions. */
static bool evaluate(struct newton *newton, struct flow *flow, const struct mode *mode)
{
    const int n = newton->n;
    system_ahead(flow->sys, S, newton->t, newton->X);
    for (int j = 0; j < S; j++) {
        newton->why = flow_eval(flow, mode, newton->t[j], &newton->X[j * n]);
        if (newton->why != FLOW_OK)
            return false;
        memcpy(&newton->K[j * n], flow->dx, (size_t)n * sizeof *flow->dx);
        turn_by_velocity(newton, flow, mode, j);
        if (!change_by_direction(newton, flow, mode, j))
            return false;
    }
    return true;
}

/* The parts of n rows or columns that belong to velocities, with which alone directions turn. */
static void gather_velocities(const struct newton *newton, int n, const double *from, double *to)
{
    for (int r = 0; r < n; r++, from += newton->n)
        for (int i = 0; i < newton->n_q; i++)
            *to++ = from[newton->velocity[i]];
}

/* y: by how much directions turn, y_i = D_i (g_i + h sum_j a_ij B_j y_j); false if there is no such. */
static bool find_turns(struct newton *newton, double h)
{
    const int n = newton->n, n_d = newton->n_d, all = S * n_d;
    for (int r = 0; r < all; r++)
        newton->y[r] = vec_dot(n, &newton->D[r * n], &newton->g[r / n_d * n]);
    gather_velocities(newton, all, newton->D, newton->D_v);
    gather_velocities(newton, all, newton->B, newton->B_v);
    dense_product(newton->n_q, all, newton->D_v, newton->B_v, newton->A);
    for (int col = 0; col < all; col++)
        for (int row = 0; row < all; row++)
            newton->A[row + col * all] =
                (row == col) - h * newton->a[row / n_d][col / n_d] * newton->A[row + col * all];
    return LAPACKE_dgesv(LAPACK_COL_MAJOR, all, 1, newton->A, all, newton->pivot, newton->y, all) == 0;
}

/* (x + h a K) at stage i, component k. */
static double moved(const struct newton *newton, double h, const double *x, int i, int k)
{
    return collocation_stage(newton->a[i], h, x[k], &newton->K[k], newton->n);
}

/* X += g + h a B y, g = x + h a K - X; the largest change, relative to its tolerance:
 * INFINITY where there is none. */
static double correct(struct newton *newton, double h, const double *x, double rtol, double atol)
{
    const int n = newton->n, n_d = newton->n_d;
    double change = 0;
    for (int i = 0; i < S; i++)
        for (int k = 0; k < n; k++)
            newton->g[i * n + k] = moved(newton, h, x, i, k) - newton->X[i * n + k];
    if (!find_turns(newton, h))
        return INFINITY;
    for (int j = 0; j < S; j++)                 /* K becomes K + B y: x' with the directions turned */
        for (int r = 0; r < n_d; r++)
            for (int k = 0; k < n; k++)
                newton->K[j * n + k] += newton->B[(j * n_d + r) * n + k] * newton->y[j * n_d + r];
    for (int i = 0; i < S; i++)
        for (int k = 0; k < n; k++) {
            const double now = moved(newton, h, x, i, k), before = newton->X[i * n + k];
            const double size = fmax(fabs(before), fabs(x[k]));
            if (!isfinite(now))
                return INFINITY;
            change = fmax(change, (fabs(now - before) - 2 * DBL_EPSILON * size) / (atol + rtol * size));
            newton->X[i * n + k] = now;
        }
    return change;
}

/* The directions at stage j: of what slips from rest those that it would slip in there, of others those of v_t. */
static void align_stage(struct newton *newton, struct flow *flow, int j)
{
    struct mode *now = &newton->mode;
    const double *x = &newton->X[j * newton->n];
    flow_set_inputs(flow, now, newton->t[j], x);
    system_eval_contacts(flow->sys);
    for (int s = 0; s < newton->n_slip; s++) {
        const int c = newton->slip[s];
        const struct contact_at at = system_contact(flow->sys, c);
        if (!align_has(&newton->align, c))
            flow_direction(flow, now, c, &at, &now->direction[SLIP_MAX * c]);
    }
    flow->held_direction = now->direction;
    /* with no direction the last one is as good */
    (void)align_find(&newton->align, now, newton->t[j], x, 0, DIRECTION * flow->scale_a);
}

/* Stages of what slips from rest. Forces grow over what contacts bear, with time or with the state: at the start x'
 * is that of sticking, and of each stage the direction is the one in which it would slip from rest there (align.h).
 * Each round is right to one more power of h, and slip is of the second. */
static bool guess(struct newton *newton, struct flow *flow, const struct mode *mode, double t, double h,
                  const double *x)
{
    const int n = newton->n;
    struct mode *now = &newton->mode;
    mode_copy(now, mode, flow->sys);
    flow_set_inputs(flow, now, t, x);
    system_eval_contacts(flow->sys);
    align_list(&newton->align, now, SLOW * h * flow->scale_a);
    for (int j = 0; j < S; j++)
        memcpy(&newton->X[j * n], x, (size_t)n * sizeof *x);
    for (int round = 0; round < (newton->align.n > 0 ? GUESS_ROUNDS : 1); round++) {
        system_ahead(flow->sys, S, newton->t, newton->X);
        for (int j = 0; j < S; j++) {
            if (newton->align.n > 0)
                align_stage(newton, flow, j);
            newton->why = flow_eval(flow, now, newton->t[j], &newton->X[j * n]);
            flow->held_direction = NULL;
            if (newton->why != FLOW_OK)
                return false;
            memcpy(&newton->K[j * n], flow->dx, (size_t)n * sizeof *flow->dx);
        }
        for (int i = 0; i < S; i++)
            for (int k = 0; k < n; k++)
                newton->X[i * n + k] = moved(newton, h, x, i, k);
    }
    return true;
}

int newton_find(struct newton *newton, struct arena *mem, struct flow *flow, const struct mode *mode, double t,
                double h, const double *x, double rtol, double atol)
{
    double before = INFINITY;
    if (!newton->A)
        allocate(newton, mem, flow);
    list_slips(newton, flow, mode);
    for (int j = 0; j < S; j++)
        newton->t[j] = t + newton->c[j] * h;
    if (!guess(newton, flow, mode, t, h, x))
        return 0;
    for (int round = 1; round <= ROUNDS_MAX; round++) {
        if (!evaluate(newton, flow, mode))
            return 0;
        const double change = correct(newton, h, x, rtol, atol), rate = fmin(change / before, 0.9);
        const bool is_met = change == 0 || (round > 1 && change * rate < 1e-6 * (1 - rate));
        if (is_met || (round > 4 && change < NEWTON_ROUNDING && change > 0.5 * before))      /* to rounding */
            return round;
        if (!isfinite(change) || (round > 4 && change > before))
            return 0;
        before = change;
    }
    return 0;
}
