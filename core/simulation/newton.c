#include "core/simulation/newton.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { S = SIM_DEGREE, ITERATIONS_MAX = 8 };
static const double BESIDE_SLIP = 1e-4;     /* increments of differences, relative to the slowest slip */
static const double DIRECTION = 1e-12;      /* what is left of an acceleration across the direction of a guess, relative */
static const double INCREMENT = 1e-7;       /* where nothing slips slowly */

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

static void allocate(struct newton *newton, struct arena *mem, struct flow *flow)
{
    const size_t N = (size_t)newton->n, all = S * N;
    newton->A = arena_alloc(mem, all * all, sizeof(double));
    newton->b = arena_alloc(mem, all, sizeof(double));
    newton->f = arena_alloc(mem, N, sizeof(double));
    newton->x = arena_alloc(mem, N, sizeof(double));
    newton->pivot = arena_alloc(mem, all, sizeof *newton->pivot);
    align_init(&newton->align, mem, flow);
    mode_init(&newton->mode, mem, flow->sys);
}

/* The change of a velocity that leaves every slip in space nearly as it is; as of the last evaluation of the flow. */
static double increment(const struct flow *flow, const struct mode *mode)
{
    const struct system *sys = flow->sys;
    double least = INCREMENT;
    for (int c = 0; c < sys->n_c; c++) {
        if (!slips_in_space(sys, mode, c))
            continue;
        const struct contact_at at = system_contact(sys, c);
        double most = 1;
        for (int k = 0; k < sys->model->contacts.contact[c].n_t; k++)
            for (int i = 0; i < sys->n_q; i++)
                most = fmax(most, fabs(at.J_t[k][i]));
        least = fmin(least, BESIDE_SLIP * slip_size(at.v_t) / most);
    }
    return least;
}

/* Column block j of A: -h a_ij df/dx at stage j, and the unit matrix. False where there is no field. */
static bool differentiate(struct newton *newton, struct flow *flow, const struct mode *mode, double t,
                          double h, int j)
{
    const int n = newton->n, ld = S * n;
    const double by = increment(flow, mode);
    memcpy(newton->f, &newton->K[j * n], (size_t)n * sizeof *newton->f);
    memcpy(newton->x, &newton->X[j * n], (size_t)n * sizeof *newton->x);
    for (int k = 0; k < n; k++) {
        double *column = &newton->A[(j * n + k) * ld];
        const double here = newton->x[k], there = here + fmax(by, fmax(8 * DBL_EPSILON * fabs(here), DBL_MIN / DBL_EPSILON));
        newton->x[k] = there;
        if (flow_eval(flow, mode, t, newton->x) != FLOW_OK)
            return false;
        newton->x[k] = here;
        for (int i = 0; i < S; i++)
            for (int row = 0; row < n; row++)
                column[i * n + row] = (i == j && row == k) - h * newton->a[i][j] * (flow->dx[row] - newton->f[row]) / (there - here);
    }
    return true;
}

/* x' and its derivatives at all stages. */
static bool evaluate(struct newton *newton, struct flow *flow, const struct mode *mode, double t, double h)
{
    const int n = newton->n;
    for (int j = 0; j < S; j++) {
        const double t_j = t + newton->c[j] * h;
        newton->why = flow_eval(flow, mode, t_j, &newton->X[j * n]);
        if (newton->why != FLOW_OK)
            return false;
        memcpy(&newton->K[j * n], flow->dx, (size_t)n * sizeof *flow->dx);
        system_eval_contacts(flow->sys);
        if (!differentiate(newton, flow, mode, t_j, h, j))
            return false;
    }
    return true;
}

/* X -= A^-1 (X - x - h a K); the largest change, relative to its tolerance: INFINITY where there is none. */
static double correct(struct newton *newton, double h, const double *x, double rtol, double atol)
{
    const int n = newton->n, all = S * n;
    double change = 0;
    for (int i = 0; i < S; i++)
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int j = 0; j < S; j++)
                sum += newton->a[i][j] * newton->K[j * n + k];
            newton->b[i * n + k] = x[k] + h * sum - newton->X[i * n + k];
        }
    if (LAPACKE_dgesv(LAPACK_COL_MAJOR, all, 1, newton->A, all, newton->pivot, newton->b, all) != 0)
        return INFINITY;
    for (int i = 0; i < all; i++) {
        const double size = fmax(fabs(newton->X[i]), fabs(x[i % n]));
        const double moved = fmax(0, fabs(newton->b[i]) - 2 * DBL_EPSILON * size) / (atol + rtol * size);
        if (!(moved <= change))
            change = isnan(moved) ? INFINITY : moved;
        newton->X[i] += newton->b[i];
    }
    return change;
}

/* Stages by the forces of their times on the state at the start: what slips from rest by forces that grow has no x'
 * there. */
static bool guess(struct newton *newton, struct flow *flow, const struct mode *mode, double t, double h, const double *x)
{
    const int n = newton->n;
    struct mode *now = &newton->mode;
    mode_copy(now, mode, flow->sys);
    flow_set_inputs(flow, now, t, x);
    system_eval_contacts(flow->sys);
    align_list(&newton->align, now);
    for (int j = 0; j < S; j++) {
        if (newton->align.n > 0)                /* with no direction the last one is as good */
            (void)align_find(&newton->align, now, t + newton->c[j] * h, x, 0, DIRECTION * flow->scale_a);
        newton->why = flow_eval(flow, now, t + newton->c[j] * h, x);
        if (newton->why != FLOW_OK)
            return false;
        memcpy(&newton->K[j * n], flow->dx, (size_t)n * sizeof *flow->dx);
    }
    for (int i = 0; i < S; i++)
        for (int k = 0; k < n; k++) {
            double sum = 0;
            for (int j = 0; j < S; j++)
                sum += newton->a[i][j] * newton->K[j * n + k];
            newton->X[i * n + k] = x[k] + h * sum;
        }
    return true;
}

bool newton_find(struct newton *newton, struct arena *mem, struct flow *flow, const struct mode *mode, double t, double h,
                 const double *x, double rtol, double atol)
{
    const int n = newton->n;
    double before = INFINITY;
    if (!newton->A)
        allocate(newton, mem, flow);
    if (!guess(newton, flow, mode, t, h, x))
        return false;
    for (int round = 0; round < ITERATIONS_MAX; round++) {
        if (!evaluate(newton, flow, mode, t, h))
            return false;
        const double change = correct(newton, h, x, rtol, atol);
        if (change < 1e-2 || (change < 1 && change > 0.5 * before))
            break;
        if (!isfinite(change) || round + 1 == ITERATIONS_MAX || (round > 2 && change > before))
            return false;
        before = change;
    }
    for (int j = 0; j < S; j++) {
        newton->why = flow_eval(flow, mode, t + newton->c[j] * h, &newton->X[j * n]);
        if (newton->why != FLOW_OK)
            return false;
        memcpy(&newton->K[j * n], flow->dx, (size_t)n * sizeof *flow->dx);
    }
    return true;
}
