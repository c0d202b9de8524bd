#include "transcription/finish/checks/local_error.h"

#include "core/base/arena.h"
#include "core/replay/replay.h"
#include "transcription/multiphase/point_solver.h"

#include <math.h>
#include <string.h>

#define LOCAL_RTOL 1e-9             /* of a step, relative to the scales of states, where an element's motion is integrated */
#define LOCAL_INSIDE 0.1            /* weight of errors within an element: as finish.tol to the tolerance of verify */
enum { LOCAL_STEPS = 1000 };        /* between two points of an element */

/* HNW II.4 table 4.6: stages, the method of order 5 (the last stage is the next step's first), and its difference
 * to that of order 4. The motion does not depend on time but through the clock, which is a state. */
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

enum { LANES = 32 };                /* elements that are integrated side by side: what a tape takes at a time */

/* An element on its way. */
struct lane {
    int element;                    /* -1: none */
    struct phase_point point;       /* its mode */
    struct point_inputs in;
    double *y, *next, *k;           /* [n], [n], [STAGES * n] */
    double length;                  /* of the element */
    int r, n_step;                  /* the point of it that is next; steps since the last one */
    double left, h, now;            /* from here to that point; a step to try; the one that is tried */
    double worst;
};

struct integrator {
    const struct phases *ph;
    const double *w;
    struct point_lanes *solvers;
    struct point_lane asked[LANES];
    int n;                          /* states */
    double *scale, *error;          /* [n]; [n_element], the caller's */
    int next;                       /* element */
    struct lane lane[LANES];
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

static double difference(const struct integrator *at, const struct lane *lane, const int *y)
{
    double worst = 0;
    for (int i = 0; i < at->n; i++)
        worst = fmax(worst, fabs(lane->y[i] - at->w[y[i]]) / at->scale[i]);
    return worst;
}

/* At points of its element the motion is compared with the solution; behind the last one the lane is free. */
static void pass_points(struct integrator *at, struct lane *lane)
{
    const struct phases *ph = at->ph;
    while (lane->element >= 0 && !(lane->left > 0)) {
        const bool last = lane->r == ph->n_point - 1;
        const int *y = phases_stage_point(ph, lane->element, lane->r).y;
        lane->worst = fmax(lane->worst, (last ? 1 : LOCAL_INSIDE) * difference(at, lane, y));
        lane->n_step = 0;
        if (!last) {
            lane->r++;
            lane->left = lane->length * (ph->c[lane->r] - ph->c[lane->r - 1]);
            continue;
        }
        at->error[lane->element] = lane->worst;
        lane->element = -1;
    }
}

static void start_element(struct integrator *at, struct lane *lane, int e)
{
    const struct phases *ph = at->ph;
    lane->element = e;
    lane->length = phases_element_length(ph, at->w, e);
    lane->h = lane->length / ph->n_point;
    lane->worst = lane->r = lane->n_step = 0;
    lane->left = lane->length * ph->c[0];
    lane->point = phases_stage_point(ph, e, 0);
    lane->in.u = &at->w[ph->at.u[lane->point.interval]];
    for (int i = 0; i < at->n; i++)
        lane->y[i] = at->w[phases_left(ph, e)[i]];
}

/* y' of all lanes that are on their way, of stage 0 those that are new: at y, of later ones at next. */
static void rates(struct integrator *at, int stage, const bool *is_new)
{
    int n = 0;
    for (struct lane *lane = at->lane; lane < at->lane + LANES; lane++)
        if (lane->element >= 0 && (stage > 0 || is_new[lane - at->lane]))
            at->asked[n++] = (struct point_lane){ &lane->point, &lane->in, stage > 0 ? lane->next : lane->y,
                                                  lane->k + stage * at->n };
    if (n > 0)
        point_lanes_rates(at->solvers, n, at->asked);
}

/* Free lanes take the next elements. False: there are none, and all are through. */
static bool fill_lanes(struct integrator *at)
{
    bool is_new[LANES] = { false }, any = false;
    for (int l = 0; l < LANES; l++) {
        struct lane *lane = &at->lane[l];
        if (lane->element < 0 && at->next < at->ph->n_element) {
            start_element(at, lane, at->next++);
            is_new[l] = true;
        }
        any = any || lane->element >= 0;
    }
    rates(at, 0, is_new);
    for (int l = 0; l < LANES; l++)
        pass_points(at, &at->lane[l]);
    return any;
}

/* Stage s of a step of length now, into next: after the last one that is where it leads. */
static void combine(struct lane *lane, int n, int s)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int r = 0; r < s; r++)
            sum += A[s][r] * lane->k[r * n + i];
        lane->next[i] = lane->y[i] + lane->now * sum;
    }
}

/* Of a step, relative to the scales. */
static double error_of_step(const struct integrator *at, const struct lane *lane)
{
    double worst = 0;
    for (int i = 0; i < at->n; i++) {
        double error = 0;
        for (int s = 0; s < STAGES; s++)
            error += lane->now * E[s] * lane->k[s * at->n + i];
        if (!(fabs(error) / at->scale[i] <= worst) && !isnan(worst))
            worst = fabs(error) / at->scale[i];
    }
    return worst;
}

/* Takes the step or tries a shorter one; an element without an end in sight has an infinite error. */
static void judge_step(struct integrator *at, struct lane *lane)
{
    const double error = error_of_step(at, lane) / LOCAL_RTOL;
    if (lane->n_step++ == LOCAL_STEPS || isnan(error)) {
        at->error[lane->element] = INFINITY;
        lane->element = -1;
        return;
    }
    if (error <= 1) {
        memcpy(lane->y, lane->next, (size_t)at->n * sizeof *lane->y);
        memcpy(lane->k, lane->k + (STAGES - 1) * at->n, (size_t)at->n * sizeof *lane->k);
        lane->left = lane->now < lane->left ? lane->left - lane->now : 0;
    }
    if (error > 1 || lane->now == lane->h)
        lane->h = lane->now * fmin(fmax(0.9 * pow(error, -0.2), 0.2), 5);
    pass_points(at, lane);
}

static void step_lanes(struct integrator *at)
{
    for (int s = 1; s < STAGES; s++) {
        for (struct lane *lane = at->lane; lane < at->lane + LANES; lane++)
            if (lane->element >= 0) {
                lane->now = fmin(lane->h, lane->left);
                combine(lane, at->n, s);
            }
        rates(at, s, NULL);
    }
    for (struct lane *lane = at->lane; lane < at->lane + LANES; lane++)
        if (lane->element >= 0)
            judge_step(at, lane);
}

void local_errors(const struct phases *ph, const double *w, double *error)
{
    const size_t n = (size_t)ph->sys->n_y;
    struct arena mem = { 0 };
    struct integrator *at = arena_alloc(&mem, 1, sizeof *at);
    at->ph = ph;
    at->w = w;
    at->solvers = point_lanes_create(ph->sys, LANES);
    at->n = ph->sys->n_y;
    at->error = error;
    at->scale = arena_alloc(&mem, n, sizeof(double));
    for (struct lane *lane = at->lane; lane < at->lane + LANES; lane++) {
        lane->element = -1;
        lane->in = (struct point_inputs){ .p = &w[ph->at.p], .horizon = phases_horizon(ph, w) };
        lane->y = arena_alloc(&mem, n, sizeof(double));
        lane->next = arena_alloc(&mem, n, sizeof(double));
        lane->k = arena_alloc(&mem, STAGES * n, sizeof(double));
    }
    find_scales(at);
    while (fill_lanes(at))
        step_lanes(at);
    point_lanes_free(at->solvers);
    arena_free(&mem);
}
