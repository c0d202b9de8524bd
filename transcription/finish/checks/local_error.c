#include "transcription/finish/checks/local_error.h"

#include "core/base/mem.h"
#include "core/replay/replay.h"
#include "transcription/multiphase/point_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOCAL_RTOL 1e-9             /* of a step, relative to the scales of states, where an element's motion is integrated */
#define LOCAL_INSIDE 0.1            /* weight of errors within an element: as finish.tol to the tolerance of verify */
enum { LOCAL_STEPS = 1000 };        /* between two points of an element */

/* HNW II.4 table 4.6: stages, the method of order 5 (the last stage is the next step's first), and its difference to
 * that of order 4. The motion does not depend on time but through the clock, which is a state. */
enum { STAGES = 7 };
static const double A[STAGES][STAGES - 1] = {
    { 0 },
    { 1.0 / 5 },
    { 3.0 / 40, 9.0 / 40 },
    { 44.0 / 45, -56.0 / 15, 32.0 / 9 },
    { 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729 },
    { 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656 },
    { 35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84 }
};
static const double E[STAGES] = { 71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40 };

struct integrator {
    const struct phases *ph;
    const double *w;
    struct point_solver *solver;
    struct point_inputs in;
    struct phase_point point;       /* its mode */
    int n;                          /* states */
    double *scale, *y, *next, *k;   /* [n], [n], [n], [STAGES * n] */
};

/* As a replay's: the largest magnitude of each state, at least the floor or the width of its bounds. */
static void find_scales(const struct integrator *at)
{
    const struct phases *ph = at->ph;
    for (int i = 0; i < at->n; i++) {
        double most = fabs(at->w[phases_left(ph, 0)[i]]);
        for (int k = 0; k < ph->n_element * ph->n_point; k++)
            most = fmax(most, fabs(at->w[ph->at.stage_y[k * at->n + i]]));
        const bool is_state = i < ph->sys->model->n_x;
        const double width = is_state ? ph->sys->model->x[i].ub - ph->sys->model->x[i].lb : INFINITY;
        at->scale[i] = fmax(most, width > 0 ? fmin(width, REPLAY_FLOOR) : REPLAY_FLOOR);
    }
}

static void rate(struct integrator *at, const double *y, double *to)
{
    point_solver_mode(at->solver, &at->point, &at->in, y);
    point_solver_rate(at->solver, to);
}

/* One step of length h from y to next; returns its error, relative to the scales. k[0] is filled. */
static double step(struct integrator *at, double h)
{
    const int n = at->n;
    for (int s = 1; s < STAGES; s++) {
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int r = 0; r < s; r++)
                sum += A[s][r] * at->k[r * n + i];
            at->next[i] = at->y[i] + h * sum;
        }
        rate(at, at->next, at->k + s * n);
    }
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double error = 0;
        for (int s = 0; s < STAGES; s++)
            error += h * E[s] * at->k[s * n + i];
        worst = !(fabs(error) / at->scale[i] <= worst) ? fabs(error) / at->scale[i] : worst;
    }
    return worst;
}

/* On by `length`, y and k[0] with it; *h is the step to try first, and next time. False: no end in sight. */
static bool advance(struct integrator *at, double length, double *h)
{
    double left = length;
    for (int n = 0; left > 0; n++) {
        const double now = fmin(*h, left), error = step(at, now) / LOCAL_RTOL;
        if (n == LOCAL_STEPS || isnan(error))
            return false;
        if (error <= 1) {
            memcpy(at->y, at->next, (size_t)at->n * sizeof *at->y);
            memcpy(at->k, at->k + (STAGES - 1) * at->n, (size_t)at->n * sizeof *at->k);
            left = now < left ? left - now : 0;
        }
        if (error > 1 || now == *h)
            *h = now * fmin(fmax(0.9 * pow(error, -0.2), 0.2), 5);
    }
    return true;
}

static double difference(const struct integrator *at, const int *y)
{
    double worst = 0;
    for (int i = 0; i < at->n; i++)
        worst = fmax(worst, fabs(at->y[i] - at->w[y[i]]) / at->scale[i]);
    return worst;
}

static double error_of(struct integrator *at, int e)
{
    const struct phases *ph = at->ph;
    const double length = phases_element_length(ph, at->w, e);
    double h = length / ph->n_point, worst = 0;
    at->point = phases_stage_point(ph, e, 0);
    at->in.u = &at->w[ph->at.u[at->point.interval]];
    for (int i = 0; i < at->n; i++)
        at->y[i] = at->w[phases_left(ph, e)[i]];
    rate(at, at->y, at->k);
    for (int r = 0; r < ph->n_point; r++) {
        if (!advance(at, length * (ph->c[r] - (r ? ph->c[r - 1] : 0)), &h))
            return INFINITY;
        const bool last = r == ph->n_point - 1;
        worst = fmax(worst, (last ? 1 : LOCAL_INSIDE) * difference(at, phases_stage_point(ph, e, r).y));
    }
    return worst;
}

void local_errors(const struct phases *ph, const double *w, double *error)
{
    const size_t n = (size_t)ph->sys->n_y;
    struct integrator at = { .ph = ph, .w = w, .solver = point_solver_create(ph->sys), .n = ph->sys->n_y,
                             .in = { .p = &w[ph->at.p], .horizon = phases_horizon(ph, w) } };
    at.scale = mem_alloc((3 + STAGES) * n, sizeof(double));
    at.y = at.scale + n;
    at.next = at.y + n;
    at.k = at.next + n;
    find_scales(&at);
    for (int e = 0; e < ph->n_element; e++)
        error[e] = error_of(&at, e);
    free(at.scale);
    point_solver_free(at.solver);
}
