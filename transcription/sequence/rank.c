#include "transcription/sequence/rank.h"

#include "core/base/mem.h"
#include "core/base/vec.h"
#include "core/expression/diff.h"
#include "core/model/loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RANK_TOL 1e-6               /* of a row: less of it left is a repetition */

struct rank {
    int n, n_row;
    double *basis;                  /* [n + 1] rows of n: orthonormal, then the new one */
    double *value;                  /* [n + 1] of what they are the gradients of, in the same combinations */
};

struct rank *rank_create(int n)
{
    struct rank *rank = mem_alloc(1, sizeof *rank);
    rank->n = n;
    rank->basis = mem_alloc((size_t)((n + 1) * n), sizeof(double));
    rank->value = mem_alloc((size_t)n + 1, sizeof(double));
    return rank;
}

void rank_free(struct rank *rank)
{
    if (!rank)
        return;
    free(rank->basis);
    free(rank->value);
    free(rank);
}

double *rank_row(struct rank *rank)
{
    double *row = rank->basis + rank->n_row * rank->n;
    memset(row, 0, (size_t)rank->n * sizeof *row);
    rank->value[rank->n_row] = 0;
    return row;
}

void rank_value(struct rank *rank, double value)
{
    rank->value[rank->n_row] = value;
}

bool rank_add(struct rank *rank)
{
    const int n = rank->n;
    double *row = rank->basis + rank->n_row * n;
    const double length = sqrt(vec_dot(n, row, row));
    for (int pass = 0; pass < 2; pass++)                        /* twice is enough */
        for (int k = 0; k < rank->n_row; k++) {
            const double part = vec_dot(n, row, rank->basis + k * n);
            for (int i = 0; i < n; i++)
                row[i] -= part * rank->basis[k * n + i];
            rank->value[rank->n_row] -= part * rank->value[k];
        }
    const double left = sqrt(vec_dot(n, row, row));
    if (!(left > RANK_TOL * length) || rank->n_row == n)
        return false;
    for (int i = 0; i < n; i++)
        row[i] /= left;
    rank->value[rank->n_row++] /= left;
    return true;
}

void rank_correct(const struct rank *rank, double *y)
{
    for (int k = 0; k < rank->n_row; k++)
        for (int i = 0; i < rank->n; i++)
            y[i] -= rank->value[k] * rank->basis[k * rank->n + i];
}

double *rank_gradient(struct rank *rank, const struct phase_system *sys, expr e, const double *y)
{
    const struct model *model = sys->model;
    const int n = sys->n_y + model->n_p + 1;
    expr *sym = mem_alloc((size_t)n, sizeof *sym), *grad = mem_alloc((size_t)n, sizeof *grad);
    double *val = mem_alloc((size_t)n, sizeof *val), *row = rank_row(rank);
    memcpy(sym, &sys->slot[sys->y], (size_t)sys->n_y * sizeof *sym);
    memcpy(val, y, (size_t)sys->n_y * sizeof *val);
    for (int k = 0; k < model->n_p; k++)
        sym[sys->n_y + k] = model->p_sym[k];
    model_p_guess(model, val + sys->n_y);
    sym[n - 1] = model->T_sym;
    val[n - 1] = model->time.horizon;
    expr_gradient(sys->g, e, sys->n_y, sym, grad);
    const int n_known = model->time.horizon_free ? n : n - 1;
    for (int i = 0; i < sys->n_y; i++)
        row[i] = expr_eval(sys->g, grad[i], n_known, sym, val);
    rank_value(rank, expr_eval(sys->g, e, n_known, sym, val));
    free(sym);
    free(grad);
    free(val);
    return row;
}

static void add(struct rank *rank, const struct phase_system *sys, expr e, const double *y)
{
    rank_gradient(rank, sys, e, y);
    rank_add(rank);
}

/* The gradient of a velocity by the velocities. */
static double *velocity_gradient(struct rank *rank, const struct phase_system *sys, expr e, const double *y)
{
    double *row = rank_gradient(rank, sys, e, y);
    for (int i = 0; i < sys->n_y; i++)
        row[i] = sys->a_of[i] >= 0 ? row[i] : 0;
    return row;
}

static bool add_velocity(struct rank *rank, const struct phase_system *sys, expr e, const double *y)
{
    velocity_gradient(rank, sys, e, y);
    return rank_add(rank);
}

/* Beside `speeds`, those before it by velocities alone: away from rest the gradients of velocities that repeat each
 * other differ in positions, of which they say nothing. */
static void add_speed(struct rank *rank, struct rank *speeds, const struct phase_system *sys, expr e,
                      const double *y)
{
    if (add_velocity(speeds, sys, e, y))
        add(rank, sys, e, y);
}

void rank_add_contacts(struct rank *rank, const struct phase_system *sys, const unsigned char *state,
                       const double *y)
{
    struct rank *speeds = rank_create(sys->n_y);
    const struct model_loops *loops = &sys->model->mechanics.loops;
    for (int k = 0; k < loops->n; k++)
        if (!loops->follows[k]) {
            add(rank, sys, loops->gap[k], y);
            add_speed(rank, speeds, sys, loops_rate(sys->model, sys->g, k), y);
        }
    for (int c = 0; c < sys->n_contact; c++) {
        const struct phase_contact *contact = &sys->contact[c];
        if (state[c] == PHASE_OPEN)
            continue;
        add(rank, sys, contact->model->gap, y);
        add_speed(rank, speeds, sys, contact->model->v_n, y);
        for (int k = 0; k < contact->n_t && state[c] == PHASE_STICK; k++)
            add_speed(rank, speeds, sys, contact->model->v_t[k], y);
    }
    rank_free(speeds);
}

void rank_add_mode(struct rank *rank, const struct phase_system *sys, const unsigned char *state, const double *y)
{
    rank_add_contacts(rank, sys, state, y);
    for (int l = 0; l < sys->n_switch; l++) {
        const int is = state[sys->n_contact + l], pair = sys->sw[l].pair;
        const struct phase_pair_side *zero =
            pair >= 0 ? &sys->pair[pair].side[is == PHASE_H_ZERO ? SIDE_H : SIDE_G] : NULL;
        if (is == PHASE_SLIDING && !sys->sw[l].own)
            add(rank, sys, sys->sw[l].sw->c, y);
        for (int q = 0; zero && q < zero->n_rate; q++)
            add(rank, sys, zero->rate[q], y);
    }
}

/* --- Rest that others imply ------------------------------------------------------------------------------------ */

/* Of the rows of rank, which stay as they are. */
static bool is_independent(struct rank *rank, const struct phase_system *sys, expr e, const double *y)
{
    rank_gradient(rank, sys, e, y);
    const bool is = rank_add(rank);
    rank->n_row -= is;
    return is;
}

void rank_drop_implied_sticks(const struct phase_system *sys, unsigned char *state, const double *y)
{
    struct rank *rank = rank_create(sys->n_y);
    for (int c = 0; c < sys->n_contact; c++)
        if (state[c] != PHASE_OPEN)
            add(rank, sys, sys->contact[c].model->v_n, y);
    for (int c = 0; c < sys->n_contact; c++)
        if (state[c] == PHASE_STICK && sys->contact[c].n_t == 1
            && !is_independent(rank, sys, sys->contact[c].model->v_t[0], y))
            state[c] = PHASE_CLOSED;
    rank_free(rank);
}

static struct rank *rank_of_closed(const struct phase_system *sys, const unsigned char *state, const double *y)
{
    struct rank *rank = rank_create(sys->n_y);
    for (int c = 0; c < sys->n_contact; c++)
        if (state[c] != PHASE_OPEN)
            (void)add_velocity(rank, sys, sys->contact[c].model->v_n, y);
    return rank;
}

/* What is left of a row beside those before it, as a vector. */
static void project(const struct rank *rank, const double *row, double *left)
{
    memcpy(left, row, (size_t)rank->n * sizeof *left);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < rank->n_row; k++) {
            const double part = vec_dot(rank->n, left, rank->basis + k * rank->n);
            for (int i = 0; i < rank->n; i++)
                left[i] -= part * rank->basis[k * rank->n + i];
        }
}

/* The combination of components of which most is left: the first direction of left [n_t * n], by power iteration on
 * left left'. Returns how much. */
static double largest_combination(int n, int n_t, const double *left, double *of)
{
    double size = 0;
    for (int k = 0, most = 0; k < n_t; k++) {
        const double own = vec_dot(n, left + k * n, left + k * n);
        if (own >= size) {
            of[most] = 0;
            of[k] = 1;
            most = k;
            size = own;
        }
    }
    for (int step = 0; step < 100 && size > 0; step++) {
        double next[SLIP_MAX] = { 0 };
        for (int k = 0; k < n_t; k++)
            for (int q = 0; q < n_t; q++)
                next[k] += vec_dot(n, left + k * n, left + q * n) * of[q];
        size = sqrt(vec_dot(n_t, next, next));
        for (int k = 0; k < n_t && size > 0; k++)
            of[k] = next[k] / size;
    }
    return sqrt(size);
}

/* One combination after the other, each taken in, until nothing is left. */
static void find_rows(struct rank *rank, const struct phase_system *sys, int c, const double *y,
                      struct slip_rows *rows)
{
    const int n = sys->n_y, n_t = sys->contact[c].n_t;
    double *gradient = mem_alloc(2 * (size_t)(n_t * n), sizeof *gradient), *left = gradient + n_t * n, size = 0;
    for (int k = 0; k < n_t; k++) {
        memcpy(gradient + k * n, velocity_gradient(rank, sys, sys->contact[c].model->v_t[k], y),
               (size_t)n * sizeof *gradient);
        size = fmax(size, sqrt(vec_dot(n, gradient + k * n, gradient + k * n)));
    }
    for (rows->n = 0; rows->n < n_t && rank->n_row < n; rows->n++) {
        double *of = rows->of[rows->n], *row;
        for (int k = 0; k < n_t; k++)
            project(rank, gradient + k * n, left + k * n);
        memset(of, 0, sizeof rows->of[0]);
        if (!(largest_combination(n, n_t, left, of) > RANK_TOL * size))
            break;
        row = rank_row(rank);
        for (int k = 0; k < n_t; k++)
            for (int i = 0; i < n; i++)
                row[i] += of[k] * gradient[k * n + i];
        (void)rank_add(rank);
    }
    free(gradient);
}

/* Each component for itself. */
static struct slip_rows all_rows(int n_t)
{
    struct slip_rows rows = { .n = n_t };
    for (int k = 0; k < n_t; k++)
        rows.of[k][k] = 1;
    return rows;
}

void rank_slip_rows(const struct phase_system *sys, const unsigned char *state, const bool *rests, const bool *asks,
                    const double *y, struct slip_rows *rows)
{
    struct rank *rank = rank_of_closed(sys, state, y);
    for (int c = 0; c < sys->n_contact; c++)
        for (int k = 0; k < sys->contact[c].n_t && rests && rests[c]; k++)
            (void)add_velocity(rank, sys, sys->contact[c].model->v_t[k], y);
    for (int c = 0; c < sys->n_contact; c++) {
        rows[c] = (struct slip_rows){ 0 };
        if (!asks[c] || sys->contact[c].n_t == 0)
            continue;
        find_rows(rank, sys, c, y, &rows[c]);
        if (rows[c].n == sys->contact[c].n_t)
            rows[c] = all_rows(sys->contact[c].n_t);
    }
    rank_free(rank);
}
