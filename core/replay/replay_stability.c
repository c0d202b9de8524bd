/* How much small changes grow along a solution, and whether that explains what its replay is off by. */
#include "core/base/random.h"
#include "core/replay/replay_parts.h"
#include "core/simulation/events/variation.h"

#include <math.h>
#include <string.h>

#define UNSTABLE 100                /* amplification */
#define PERTURBATION 1e-8           /* relative; rounding is amplified alike, 1e8 times less */
#define UNLUCKY 1000                /* how much less one change may grow than the one that does most */
#define CHANGED_STEPS 300           /* of an interval from a changed start: what is at the edge of slip may creep for
                                     * ever from there */

/* r->x: the state of the point, changed by that much of v [n_x], in scales; closed contacts stay closed. */
static void start_changed(struct replay *r, const struct replay_point *point, const double *v, double by)
{
    const int n = replay_close_contacts(r, point, r->x);
    for (int k = 0; k < r->model->n_x; k++)
        r->x[k] += by * v[k] * r->scale[k];
    if (n > 0) {
        replay_close_gaps(r, n, point->t, r->x);
        replay_stop_closing(r, n, point->t, r->x);
    }
}

/* The derivative of the state at the end of interval i by a change of that at its start, in the direction v
 * [n_x], by differences; all in scales of the states. Where the change leads out of the domain of a formula, or
 * its run fails otherwise, it is made the other way. False if both fail, or the interval itself does. */
static bool differ(struct replay *r, int i, const double *v, double *out)
{
    const int n_x = r->model->n_x;
    const double t_start = r->solution->controls.t[i], t_end = replay_end_of_interval(r, i),
                 *end = r->end + (ptrdiff_t)i * n_x;
    const struct replay_point *from = &r->solution->point[replay_point_at(r->solution, t_start, false)];
    bool done = false;
    for (double by = PERTURBATION; isfinite(*end) && !done; by = -by) {
        struct sim *sim = NULL;
        start_changed(r, from, v, by);
        done = replay_simulate(r, r->x, t_start, t_end, true, CHANGED_STEPS, &sim) != STATUS_SPEC
               && sim_status(sim) == STATUS_OK;
        if (done)
            sim_eval(sim, t_end, -1, out);
        sim_free(sim);
        for (int j = 0; j < n_x && done; j++)
            out[j] = (out[j] - end[j]) / (r->scale[j] * by);
        if (by < 0)
            break;
    }
    return done;
}

/* All directions at once, D [n_x * n_x] by columns, of the state at the end of interval i by that at its start:
 * by the variational equation, for changes that keep closed contacts closed. False where something happens in it.
 * work [n_x * (n_x + 1)]. */
static bool differentiate(struct replay *r, int i, double *D, double *work)
{
    const int n = r->model->n_x;
    const double t_start = r->solution->controls.t[i], t_end = replay_end_of_interval(r, i);
    const struct replay_point *from = &r->solution->point[replay_point_at(r->solution, t_start, false)];
    struct sim *sim = NULL;
    double *Y = work, *start = Y + n * n;
    replay_start_part(r, from, r->x);
    const bool done = replay_simulate(r, r->x, t_start, t_end, true, CHANGED_STEPS, &sim) != STATUS_SPEC
                      && variation_solve(sim, r->scale, Y);
    sim_free(sim);
    memset(r->y, 0, (size_t)n * sizeof *r->y);
    if (done) {
        start_changed(r, from, r->y, 0);
        memcpy(start, r->x, (size_t)n * sizeof *start);
    }
    for (int k = 0; k < n && done; k++) {
        memset(r->y, 0, (size_t)n * sizeof *r->y);
        r->y[k] = 1;
        start_changed(r, from, r->y, PERTURBATION);
        for (int l = 0; l < n; l++)
            D[l + k * n] = 0;
        for (int j = 0; j < n; j++) {
            const double by = (r->x[j] - start[j]) / PERTURBATION;
            for (int l = 0; l < n && by != 0; l++)
                D[l + k * n] += Y[l + j * n] * by / r->scale[l];
        }
    }
    return done;
}

/* The same by a run from each changed start. A column whose runs fail is 0. */
static void differ_each(struct replay *r, int i, double *D)
{
    const int n = r->model->n_x;
    for (int k = 0; k < n; k++) {
        memset(r->y, 0, (size_t)n * sizeof *r->y);
        r->y[k] = 1;
        if (!differ(r, i, r->y, D + k * n))
            memset(D + k * n, 0, (size_t)n * sizeof *D);
    }
}

/* growth := growth D, D the derivative of the state at the end of interval i by that at its start; both [n_x *
 * n_x] by columns, scaled. Scratch: work [n_x * (2 n_x + 1)], row [n_x]. */
static void multiply_growth(struct replay *r, int i, double *growth, double *work, int *row)
{
    const int n = r->model->n_x;
    double *D = work, *product = D + n * n;             /* of no use before D is found */
    if (!differentiate(r, i, D, product))
        differ_each(r, i, D);
    dense_multiply(n, growth, D, product, row);
    memcpy(growth, product, (size_t)(n * n) * sizeof *growth);
}

static double largest_row(int n, const double *a)
{
    double most = 0;
    for (int l = 0; l < n; l++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += fabs(a[l + k * n]);
        most = fmax(most, sum);
    }
    return most;
}

/* How much a change of one state at the start grows to the end, and what is left there of the errors of
 * intervals, which may be of all states at once. */
struct growth { double amplification, left; };

static double error_of(const struct replay *r, int i)
{
    return fmax(r->report->interval_error[i], r->settings->rtol);
}

static bool explains(const struct replay_report *report, const struct growth *growth, double factor)
{
    return factor * growth->amplification > UNSTABLE && report->error <= factor * growth->left;
}

/* Of all changes, from interval to interval towards the start until that explains the
 * error. known: of one of them. */
static struct growth largest_growth(struct replay *r, double known)
{
    const int n = r->model->n_x;
    struct growth found = { known, 0 };
    double *growth = arena_alloc(&r->mem, (size_t)(n * n), sizeof *growth);
    double *work = arena_alloc(&r->mem, (size_t)(n * (2 * n + 1)), sizeof *work);
    int *row = arena_alloc(&r->mem, (size_t)n, sizeof *row);
    for (int k = 0; k < n; k++)
        growth[k + k * n] = 1;
    for (int i = r->report->n_interval - 1; i >= 0 && !explains(r->report, &found, 1); i--) {
        found.left += largest_row(n, growth) * error_of(r, i);
        if (!replay_is_instant(r, i))
            multiply_growth(r, i, growth, work, row);
        for (int k = 0; k < n * n && i == 0; k++)
            found.amplification = fmax(found.amplification, fabs(growth[k]));
    }
    return found;
}

/* Of one change in a direction that is none in particular, followed from interval to interval: no
 * more than the above, and near it where anything grows, for one simulation. False where its run
 * fails or nothing is left of it. */
static bool follow_change(struct replay *r, struct growth *found)
{
    const int n = r->model->n_x, n_interval = r->report->n_interval;
    double *v = arena_alloc(&r->mem, (size_t)n, sizeof *v), *w = arena_alloc(&r->mem, (size_t)n, sizeof *w);
    double *factor = arena_alloc(&r->mem, (size_t)n_interval, sizeof *factor);
    uint64_t counter = 0;
    for (int k = 0; k < n; k++)
        v[k] = copysign(1, random_signed(random_next(&counter)));
    for (int i = 0; i < n_interval; i++) {
        factor[i] = 1;
        if (replay_is_instant(r, i))
            continue;
        if (!differ(r, i, v, w) || !((factor[i] = dense_largest(n, w)) > 0))
            return false;
        for (int k = 0; k < n; k++)
            v[k] = w[k] / factor[i];
    }
    *found = (struct growth){ 1, 0 };
    for (int i = n_interval - 1; i >= 0; i--) {
        found->left += found->amplification * error_of(r, i);
        found->amplification *= factor[i];
    }
    found->amplification /= sqrt(n);    /* every state was changed, signs by chance: the root mean square of one's */
    return true;
}

/* Errors of intervals, and of their simulation, grow from each to the end. What is left of all of them there is
 * no more than their sum, each times its growth. Growth is that of intervals one after the other: over all of the
 * horizon at once a change grows out of its linear range. One change tells most of the time; where it does not,
 * though larger ones might, all are looked at, at the price of a simulation each. */
void replay_judge_stability(struct replay *r)
{
    struct replay_report *report = r->report;
    struct growth growth = { 0, 0 };
    const bool followed = follow_change(r, &growth);
    if (!followed || (!explains(report, &growth, 1) && explains(report, &growth, UNLUCKY)))
        growth = largest_growth(r, growth.amplification);
    report->amplification = growth.amplification;
    report->unstable = explains(report, &growth, 1);
}
