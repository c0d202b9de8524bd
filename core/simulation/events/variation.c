#include "core/simulation/events/variation.h"

#include "core/base/arena.h"
#include "core/simulation/events/run.h"

#include <math.h>
#include <string.h>

enum { S = STEP_STAGES, SWEEPS_MAX = 40 };
static const double CHANGE = 1e-7;          /* of a state, relative to its scale, for differences of the field */
static const double SETTLED = 1e-9;         /* change of a stage in a sweep, relative to the largest entry */

struct variation {
    const struct sim *sim;
    int n;
    const double *scale;
    double *A;                      /* [S * n * n] df/dx at the stages */
    double *Y, *Z, *K;              /* [n * n] at the start of the piece; [S * n * n] at its stages; A Z there */
    double *x, *t;                  /* [(n + 1) * n] a stage, and it with each state changed; their times */
    double *f;                      /* [n] the field at a stage */
    int *row;                       /* [n] scratch */
};

static void allocate(struct variation *v, struct arena *mem, double *Y)
{
    const size_t n = (size_t)v->n, points = n + 1;
    v->Y = Y;
    v->A = arena_alloc(mem, S * n * n, sizeof(double));
    v->Z = arena_alloc(mem, S * n * n, sizeof(double));
    v->K = arena_alloc(mem, S * n * n, sizeof(double));
    v->x = arena_alloc(mem, points * n, sizeof(double));
    v->t = arena_alloc(mem, points, sizeof(double));
    v->f = arena_alloc(mem, n, sizeof(double));
    v->row = arena_alloc(mem, n, sizeof(int));
}

/* Is the run one flow to its end? What comes to rest is an event, too, and so is a change of mode. */
static bool is_smooth(const struct sim *sim)
{
    for (int k = 0; k < sim->n_event; k++)
        if (sim->event[k].t < sim->task.t_end)
            return false;
    return sim->status == STATUS_OK && sim->pieces.n > 0 && sim->pace.n_push == 0;
}

/* Stage j of piece k, and it with one state changed after the other. */
static void list_points(struct variation *v, int k, int j)
{
    const struct piece *piece = &v->sim->pieces.of[k];
    const int n = v->n;
    v->t[0] = piece->t_start + v->sim->step.gauss.c[j] * (piece->t_end - piece->t_start);
    sim_eval_x(v->sim, k, v->t[0], v->x);
    for (int i = 0; i < n; i++) {
        double *x = v->x + (i + 1) * n;
        v->t[i + 1] = v->t[0];
        memcpy(x, v->x, (size_t)n * sizeof *x);
        x[i] += CHANGE * v->scale[i];
    }
}

/* df/dx at stage j of piece k. */
static bool find_slope(struct variation *v, int k, int j)
{
    const struct sim *sim = v->sim;
    struct flow *flow = (struct flow *)&sim->flow;              /* its scratch; nothing of the run changes */
    const struct mode mode = run_mode(sim, k);
    const int n = v->n;
    list_points(v, k, j);
    flow_set_inputs(flow, &mode, v->t[0], v->x);
    system_ahead(sim->sys, n + 1, v->t, v->x);
    if (flow_eval(flow, &mode, v->t[0], v->x) != FLOW_OK)
        return false;
    memcpy(v->f, flow->dx, (size_t)n * sizeof *v->f);
    for (int i = 0; i < n; i++) {
        const double *x = v->x + (i + 1) * n, by = x[i] - v->x[i];
        if (flow_eval(flow, &mode, v->t[0], x) != FLOW_OK)
            return false;
        for (int l = 0; l < n; l++)
            v->A[(j * n + i) * n + l] = (flow->dx[l] - v->f[l]) / by;
    }
    return true;
}

/* Stage i from K of all; its largest change, relative to its largest entry: INFINITY where there is none. */
static double move_stage(struct variation *v, int i, double h)
{
    const int size = v->n * v->n;
    double *Z = &v->Z[i * size], change = 0, most = 0;
    for (int l = 0; l < size; l++) {
        double sum = 0;
        for (int j = 0; j < S; j++)
            sum += v->sim->step.gauss.a[i][j] * v->K[j * size + l];
        const double now = v->Y[l] + h * sum;
        change = fmax(change, isfinite(now) ? fabs(now - Z[l]) : INFINITY);
        most = fmax(most, fabs(now));
        Z[l] = now;
    }
    return most > 0 && isfinite(change) ? change / most : INFINITY;
}

/* Y goes on over piece k. */
static bool cross_piece(struct variation *v, int k)
{
    const struct piece *piece = &v->sim->pieces.of[k];
    const int n = v->n, size = n * n;
    const double h = piece->t_end - piece->t_start;
    for (int j = 0; j < S; j++) {
        if (!find_slope(v, k, j))
            return false;
        memcpy(&v->Z[j * size], v->Y, (size_t)size * sizeof *v->Z);
        dense_multiply(n, &v->A[j * size], v->Y, &v->K[j * size], v->row);
    }
    double change = INFINITY;
    for (int sweep = 0; sweep < SWEEPS_MAX && change > SETTLED; sweep++) {
        change = 0;
        for (int i = 0; i < S; i++) {
            change = fmax(change, move_stage(v, i, h));
            dense_multiply(n, &v->A[i * size], &v->Z[i * size], &v->K[i * size], v->row);
        }
    }
    for (int j = 0; j < S; j++)
        for (int l = 0; l < size; l++)
            v->Y[l] += h * v->sim->step.gauss.to_legendre[0][j] * v->K[j * size + l];
    return change <= SETTLED;
}

bool variation_solve(const struct sim *sim, const double *scale, double *Y)
{
    struct arena mem = { 0 };
    struct variation v = { .sim = sim, .n = sim->sys->n_x, .scale = scale };
    bool done = is_smooth(sim);
    allocate(&v, &mem, Y);
    memset(Y, 0, (size_t)(v.n * v.n) * sizeof *Y);
    for (int i = 0; i < v.n; i++)
        Y[i + i * v.n] = 1;
    for (int k = 0; k < sim->pieces.n && done; k++)
        done = cross_piece(&v, k);
    arena_free(&mem);
    return done;
}
