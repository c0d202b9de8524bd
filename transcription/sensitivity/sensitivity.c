#include "transcription/sensitivity/sensitivity.h"

#include "core/base/mem.h"
#include "core/base/vec.h"
#include "core/kkt/kkt.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WEAKLY_ACTIVE 1e-4          /* a multiplier and its slack both below: which holds, the barrier cannot tell well */
#define SENSITIVITY_ERROR 1e-6      /* of the linear system, relative: more is no solution */
#define SENSITIVITY_LEFT 1e-3       /* of the right side: more left is a direction without curvature, however long x is */
#define POLISH_NEAR 1e-3            /* of a variable, at least of 1: what is active is another set if Newton moves it more */
#define CLEARLY_NEARER 1.5          /* squared distances to states around an event: a switch alone moves none */
#define REST_ZERO 1e-6              /* of an interval: pieces this short have no length: the barrier keeps 1e-9 */
#define SENSITIVITY_DELTA 1e-10     /* on the diagonal of the KKT matrix */
enum {
    POLISH_STEPS = 2,               /* of Newton's method, from the barrier's solution to that of the active set */
    SENSITIVITY_ROUNDS = 4          /* of solves, each with what delta left of the one before */
};

/* What holds a variable or a row. */
enum held { HELD_FREE, HELD_LOWER, HELD_UPPER, HELD_GIVEN };    /* an equation, or a fixed variable: lower */

/* Of a program of phases: what begins with element first_element of control interval `from`, and the
 * variables of its first state. */
struct rest { const struct phases *ph; int from, first_element; const int *first; };

struct sensitivity {
    struct arena mem;               /* owns the arrays */
    const struct nlp *nlp;
    struct rest rest;               /* ph NULL: the whole program */
    double *w, *lambda;             /* [n_w], [n_g] the solution, with what is active exactly at its bounds */
    enum held *var, *row;           /* [n_w], [n_g] */
    int *var_at, *row_at;           /* places in the system, -1: none */
    int n, n_free, n_weak;          /* rows of the system; of these free variables, which come first */
    double *hess, *jac;             /* there */
    double *z;                      /* [n_w] gradient of the Lagrangian: minus the multipliers of variables that are held */
    struct kkt *kkt;
    enum kkt_outcome outcome;
};

/* --- The active set ------------------------------------------------------------------------------------------ */

/* Of a value with multipliers (>= 0) of both bounds. */
static enum held held_by(struct sensitivity *sens, double value, double lower, double upper, double z_lower,
                         double z_upper)
{
    if (lower == upper)
        return HELD_LOWER;
    const bool near_lower = value - lower < upper - value;
    const double slack = near_lower ? value - lower : upper - value, z = near_lower ? z_lower : z_upper;
    sens->n_weak += slack < WEAKLY_ACTIVE && z < WEAKLY_ACTIVE;
    return !(z > slack) ? HELD_FREE : near_lower ? HELD_LOWER : HELD_UPPER;
}

/* Before the rest, with what an impact at its beginning does, and what follows from it at once. */
static bool is_before(const struct rest *rest, const struct mpcc_label *place)
{
    if (place->interval != rest->from || place->element < 0)
        return place->interval < rest->from;
    return place->element < rest->first_element || (place->element == rest->first_element && place->stage == 0);
}

/* Variables that the rest does not move: those before it, its first state, and those of no interval. */
static void give_variables(struct sensitivity *sens)
{
    const struct rest *rest = &sens->rest;
    for (int k = 0; k < sens->nlp->n_w && rest->ph; k++)
        if (is_before(rest, &rest->ph->mpcc.var[k]))
            sens->var[k] = HELD_GIVEN;
    for (int i = 0; rest->ph && i < rest->ph->sys->model->n_x; i++)
        sens->var[rest->first[i]] = HELD_GIVEN;
}

/* Is the row one of the rest? Those of no element, as of lengths that add up, are the interval's. */
static bool is_in_rest(const struct rest *rest, int row)
{
    if (!rest->ph)
        return true;
    const struct mpcc_label *place = &rest->ph->mpcc.row[row];
    return place->interval < 0 || (place->interval == rest->from && place->stage < 0) || !is_before(rest, place);
}

static void find_active(struct sensitivity *sens, const struct nlp_point *at)
{
    const struct nlp *nlp = sens->nlp;
    double *g = arena_alloc(&sens->mem, (size_t)nlp->n_g, sizeof *g);
    nlp->eval_g(nlp->user, at->w, true, g);
    give_variables(sens);
    for (int k = 0; k < nlp->n_w; k++) {
        if (sens->var[k] != HELD_GIVEN)
            sens->var[k] = held_by(sens, at->w[k], nlp->lbw[k], nlp->ubw[k], at->z_lower[k], at->z_upper[k]);
        sens->var_at[k] = sens->var[k] == HELD_FREE ? sens->n++ : -1;
    }
    sens->n_free = sens->n;
    for (int k = 0; k < nlp->n_g; k++) {
        const double lambda = at->lambda[k];
        if (is_in_rest(&sens->rest, k))
            sens->row[k] = held_by(sens, g[k], nlp->lbg[k], nlp->ubg[k], fmax(-lambda, 0), fmax(lambda, 0));
        sens->row_at[k] = sens->row[k] != HELD_FREE ? sens->n++ : -1;
    }
}

/* --- The matrix ---------------------------------------------------------------------------------------------- */

/* Factorizes the system with delta on the diagonal of free variables, -SENSITIVITY_DELTA on that of rows:
 * constraints may repeat each other. The pattern is that of the active set, which stays, and is analysed once. */
static enum kkt_outcome factorize(struct sensitivity *sens, double delta)
{
    const struct nlp *nlp = sens->nlp;
    struct arena mem = { NULL };
    const size_t most = (size_t)(nlp->hess.nnz + nlp->jac.nnz + sens->n);
    int *row = arena_alloc(&mem, most, sizeof *row), *col = arena_alloc(&mem, most, sizeof *col), n = 0;
    double *val = arena_alloc(&mem, most, sizeof *val);
    for (int k = 0; k < nlp->n_w; k++) {
        for (int e = nlp->hess.colptr[k]; e < nlp->hess.colptr[k + 1]; e++) {
            row[n] = sens->var_at[nlp->hess.rowind[e]];
            col[n] = sens->var_at[k];
            val[n] = sens->hess[e];
            n += row[n] >= 0 && col[n] >= 0;
        }
        for (int e = nlp->jac.colptr[k]; e < nlp->jac.colptr[k + 1]; e++) {
            row[n] = sens->row_at[nlp->jac.rowind[e]];
            col[n] = sens->var_at[k];
            val[n] = sens->jac[e];
            n += row[n] >= 0 && col[n] >= 0;
        }
    }
    for (int k = 0; k < sens->n; k++) {
        row[n] = col[n] = k;
        val[n++] = k < sens->n_free ? delta : -SENSITIVITY_DELTA;
    }
    if (sens->kkt)
        kkt_forget(sens->kkt);
    else
        sens->kkt = kkt_create(sens->n, n, row, col);
    const enum kkt_outcome outcome = kkt_factorize(sens->kkt, val, KKT_THRESHOLD, KKT_ANY_INERTIA);
    arena_free(&mem);
    return outcome;
}

/* The gradient of the Lagrangian without the terms of variables' bounds: [n_w]; jac [nnz] is left at the point. */
static bool gradient_of(const struct nlp *nlp, const struct sensitivity *at, double *jac, double *gradient)
{
    if (!nlp->eval_grad(nlp->user, at->w, true, gradient) || !nlp->eval_jac(nlp->user, at->w, false, jac))
        return false;
    for (int k = 0; k < nlp->n_w; k++)
        for (int e = nlp->jac.colptr[k]; e < nlp->jac.colptr[k + 1]; e++)
            gradient[k] += jac[e] * at->lambda[nlp->jac.rowind[e]];
    return true;
}

/* Moves what variables that are held do to the right side: b [n] of the system, dw [n_w] of those. */
static void subtract_held(const struct sensitivity *sens, const double *dw, double *b)
{
    const struct nlp *nlp = sens->nlp;
    for (int k = 0; k < nlp->n_w; k++) {
        for (int e = nlp->hess.colptr[k]; e < nlp->hess.colptr[k + 1]; e++) {
            const int i = nlp->hess.rowind[e];
            if (sens->var_at[i] >= 0 && sens->var_at[k] < 0)
                b[sens->var_at[i]] -= sens->hess[e] * dw[k];
            if (sens->var_at[k] >= 0 && sens->var_at[i] < 0)
                b[sens->var_at[k]] -= sens->hess[e] * dw[i];
        }
        for (int e = nlp->jac.colptr[k]; e < nlp->jac.colptr[k + 1] && sens->var_at[k] < 0; e++)
            if (sens->row_at[nlp->jac.rowind[e]] >= 0)
                b[sens->row_at[nlp->jac.rowind[e]]] -= sens->jac[e] * dw[k];
    }
}

/* Everything at the present point, and the factors. */
static bool linearize(struct sensitivity *sens)
{
    const struct nlp *nlp = sens->nlp;
    sens->outcome = KKT_NOT_FINITE;
    if (!gradient_of(nlp, sens, sens->jac, sens->z)
        || !nlp->eval_hess(nlp->user, sens->w, false, 1, sens->lambda, sens->hess))
        return false;
    sens->outcome = factorize(sens, SENSITIVITY_DELTA);     /* directions that cost nothing stand still */
    return sens->outcome == KKT_FACTORIZED;
}

/* One step of Newton's method on the conditions of the active set: the barrier has kept the solution a little off
 * what is active. False, and the point as it was, where it leads away. */
static bool step(struct sensitivity *sens, const struct nlp_point *solution)
{
    const struct nlp *nlp = sens->nlp;
    struct arena mem = { NULL };
    double *x = arena_alloc(&mem, (size_t)sens->n, sizeof *x), *g = arena_alloc(&mem, (size_t)nlp->n_g, sizeof *g);
    double *dw = arena_alloc(&mem, (size_t)nlp->n_w, sizeof *dw);
    nlp->eval_g(nlp->user, sens->w, true, g);
    for (int k = 0; k < nlp->n_w; k++) {
        if (sens->var[k] == HELD_LOWER || sens->var[k] == HELD_UPPER)
            dw[k] = (sens->var[k] == HELD_LOWER ? nlp->lbw[k] : nlp->ubw[k]) - sens->w[k];
        if (sens->var_at[k] >= 0)
            x[sens->var_at[k]] = -sens->z[k];
    }
    for (int k = 0; k < nlp->n_g; k++)
        if (sens->row_at[k] >= 0)
            x[sens->row_at[k]] = (sens->row[k] == HELD_LOWER ? nlp->lbg[k] : nlp->ubg[k]) - g[k];
    subtract_held(sens, dw, x);
    bool near = kkt_solve(sens->kkt, x) < SENSITIVITY_ERROR;
    for (int k = 0; k < nlp->n_w; k++) {
        dw[k] += sens->var_at[k] >= 0 ? x[sens->var_at[k]] : 0;
        near = near && fabs(sens->w[k] + dw[k] - solution->w[k]) <= POLISH_NEAR * fmax(1, fabs(solution->w[k]));
    }
    for (int k = 0; k < nlp->n_w && near; k++)
        sens->w[k] += dw[k];
    for (int k = 0; k < nlp->n_g && near; k++)
        sens->lambda[k] = sens->row_at[k] >= 0 ? sens->lambda[k] + x[sens->row_at[k]] : 0;
    arena_free(&mem);
    return near;
}

static struct sensitivity *create(const struct nlp *nlp, const struct nlp_point *solution, const struct rest *rest)
{
    struct sensitivity *sens = mem_alloc(1, sizeof *sens);
    sens->nlp = nlp;
    sens->rest = *rest;
    const size_t n_w = (size_t)nlp->n_w, n_g = (size_t)nlp->n_g;
    sens->var = arena_alloc(&sens->mem, n_w, sizeof *sens->var);
    sens->row = arena_alloc(&sens->mem, n_g, sizeof *sens->row);
    sens->var_at = arena_alloc(&sens->mem, n_w, sizeof *sens->var_at);
    sens->row_at = arena_alloc(&sens->mem, n_g, sizeof *sens->row_at);
    sens->hess = arena_alloc(&sens->mem, (size_t)nlp->hess.nnz, sizeof *sens->hess);
    sens->jac = arena_alloc(&sens->mem, (size_t)nlp->jac.nnz, sizeof *sens->jac);
    sens->z = arena_alloc(&sens->mem, n_w, sizeof *sens->z);
    sens->w = arena_copy(&sens->mem, solution->w, n_w, sizeof *sens->w);
    sens->lambda = arena_copy(&sens->mem, solution->lambda, n_g, sizeof *sens->lambda);
    find_active(sens, solution);
    int round = 0;
    while (round < POLISH_STEPS && linearize(sens) && step(sens, solution))
        round++;
    if (round == POLISH_STEPS)
        linearize(sens);
    return sens;
}

struct sensitivity *sensitivity_of(const struct nlp *nlp, const struct nlp_point *solution)
{
    return create(nlp, solution, &(struct rest){ .ph = NULL });
}

struct sensitivity *sensitivity_create(const struct finish *finish)
{
    const struct nlp_point solution = { finish->w, finish->lambda, finish->z_lower, finish->z_upper };
    return sensitivity_of(&finish->ph->mpcc.nlp, &solution);
}

/* Of a piece's first state from x. */
static double distance(const struct finish *finish, int piece, const double *x)
{
    const int *first = phases_left(finish->ph, finish->ph->piece[piece].first);
    double sum = 0;
    for (int i = 0; i < finish->ph->sys->model->n_x; i++)
        sum += pow(x[i] - finish->w[first[i]], 2);
    return sum;
}

/* Where the interval begins with an event, after it, unless x is clearly nearer to what was before: an impact just
 * ahead. */
static int first_piece(const struct finish *finish, int from, const double *x)
{
    const struct phases *ph = finish->ph;
    const double least = REST_ZERO * phases_horizon(ph, finish->w) / ph->n_interval;
    int k = 0;
    while (ph->piece[k].interval < from) k++;
    int nearest = k;
    for (; k + 1 < ph->n_piece && ph->piece[k + 1].interval == from && phases_length(ph, finish->w, k) < least; k++)
        if (distance(finish, k + 1, x) <= CLEARLY_NEARER * distance(finish, nearest, x) + DBL_EPSILON)
            nearest = k + 1;
    return nearest;
}

struct sensitivity *sensitivity_create_rest(const struct finish *finish, int from, const double *x)
{
    const struct nlp_point solution = { finish->w, finish->lambda, finish->z_lower, finish->z_upper };
    const int element = finish->ph->piece[first_piece(finish, from, x)].first;
    const struct rest rest = { finish->ph, from, element, phases_left(finish->ph, element) };
    return create(&finish->ph->mpcc.nlp, &solution, &rest);
}

void sensitivity_free(struct sensitivity *sens)
{
    if (!sens)
        return;
    kkt_free(sens->kkt);
    arena_free(&sens->mem);
    free(sens);
}

bool sensitivity_is_minimum(const struct sensitivity *sens)
{
    return sens->outcome == KKT_FACTORIZED && kkt_inertia(sens->kkt).positive == sens->n_free;
}

bool sensitivity_is_strict(struct sensitivity *sens)
{
    if (!sensitivity_is_minimum(sens))
        return false;
    sens->outcome = factorize(sens, -SENSITIVITY_DELTA);
    const bool is_strict = sensitivity_is_minimum(sens);
    sens->outcome = KKT_NOT_FINITE;             /* these factors are none of the system */
    return is_strict;
}

bool sensitivity_is_stopped(const struct sensitivity *sens)
{
    return sens->outcome == KKT_STOPPED;
}

int sensitivity_n_weak(const struct sensitivity *sens)
{
    return sens->n_weak;
}

/* --- One number ---------------------------------------------------------------------------------------------- */

/* What of the program changes with theta at the solution: per unit. */
struct program_change {
    double f, *gradient, *g, *var, *row;        /* [n_w], [n_g]; bounds that hold: [n_w], [n_g] */
};

static double rate(double less, double more, double step)
{
    return isfinite(less) && isfinite(more) ? (more - less) / step : 0;
}

static bool differentiate(const struct sensitivity *sens, const struct nlp *less, const struct nlp *more,
                          double step, struct arena *mem, struct program_change *out)
{
    const int n_w = sens->nlp->n_w, n_g = sens->nlp->n_g;
    const struct nlp *const nlp[2] = { less, more };
    double f[2], *gradient[2], *g[2];
    for (int k = 0; k < 2; k++) {
        gradient[k] = arena_alloc(mem, (size_t)n_w, sizeof(double));
        g[k] = arena_alloc(mem, (size_t)n_g, sizeof(double));
        double *jac = arena_alloc(mem, (size_t)nlp[k]->jac.nnz, sizeof *jac);
        if (!nlp[k]->eval_f(nlp[k]->user, sens->w, true, &f[k])
            || !nlp[k]->eval_g(nlp[k]->user, sens->w, false, g[k])
            || !gradient_of(nlp[k], sens, jac, gradient[k]))
            return false;
    }
    *out = (struct program_change){ .f = rate(f[0], f[1], step), .gradient = gradient[0], .g = g[0] };
    out->var = arena_alloc(mem, (size_t)n_w, sizeof(double));
    out->row = arena_alloc(mem, (size_t)n_g, sizeof(double));
    for (int k = 0; k < n_w; k++) {
        const bool upper = sens->var[k] == HELD_UPPER;
        out->gradient[k] = rate(gradient[0][k], gradient[1][k], step);
        out->var[k] = upper ? rate(less->ubw[k], more->ubw[k], step) : rate(less->lbw[k], more->lbw[k], step);
    }
    for (int k = 0; k < n_g; k++) {
        const bool upper = sens->row[k] == HELD_UPPER;
        out->g[k] = rate(g[0][k], g[1][k], step);
        out->row[k] = upper ? rate(less->ubg[k], more->ubg[k], step) : rate(less->lbg[k], more->lbg[k], step);
    }
    return true;
}

/* By the Lagrangian: its own change, and that of the bounds that hold. */
static double change_of_objective(const struct sensitivity *sens, const struct program_change *change)
{
    double df = change->f;
    for (int k = 0; k < sens->nlp->n_g; k++)
        df += sens->lambda[k] * (change->g[k] - (sens->row[k] == HELD_FREE ? 0 : change->row[k]));
    for (int k = 0; k < sens->nlp->n_w; k++)
        df += sens->z[k] * (sens->var[k] == HELD_FREE ? 0 : change->var[k]);
    return df;
}

/* Solves in place, and takes out what delta does: with K + delta D factorized, K x misses b by delta D x, of a
 * correction by delta D times that. Returns what is missed in the end: where constraints contradict each other it
 * does not shrink. */
static double solve_exactly(const struct sensitivity *sens, double *b, struct arena *mem)
{
    double *x = arena_alloc(mem, (size_t)sens->n, sizeof *x), left = INFINITY;
    for (int round = 0; round < SENSITIVITY_ROUNDS; round++) {
        if (!(kkt_solve(sens->kkt, b) < SENSITIVITY_ERROR))
            return INFINITY;
        for (int k = 0; k < sens->n; k++) {
            x[k] += b[k];
            b[k] *= k < sens->n_free ? SENSITIVITY_DELTA : -SENSITIVITY_DELTA;
        }
        left = vec_largest(sens->n, b);
    }
    memcpy(b, x, (size_t)sens->n * sizeof *b);
    return left;
}

bool sensitivity_is_held(const struct sensitivity *sens, int var)
{
    return sens->var_at[var] < 0;
}

bool sensitivity_inverse(const struct sensitivity *sens, const double *b, double *x)
{
    if (sens->outcome != KKT_FACTORIZED)
        return false;
    struct arena mem = { NULL };
    double *all = arena_alloc(&mem, (size_t)sens->n, sizeof *all);
    for (int k = 0; k < sens->nlp->n_w; k++)
        if (sens->var_at[k] >= 0)
            all[sens->var_at[k]] = b[k];
    const double left = solve_exactly(sens, all, &mem);
    for (int k = 0; k < sens->nlp->n_w; k++)
        x[k] = sens->var_at[k] >= 0 ? all[sens->var_at[k]] : 0;
    const double asked = vec_largest(sens->nlp->n_w, b);
    const bool solved = left <= SENSITIVITY_ERROR * fmax(vec_largest(sens->nlp->n_w, x), asked)
                        && left <= SENSITIVITY_LEFT * asked;
    arena_free(&mem);
    return solved;
}

bool sensitivity_solve(const struct sensitivity *sens, const struct phases *less, const struct phases *more,
                       double step, double *dw, double *df)
{
    const struct nlp *a = &less->mpcc.nlp, *b = &more->mpcc.nlp, *nlp = sens->nlp;
    struct arena mem = { NULL };
    struct program_change change;
    bool solved = a->n_w == nlp->n_w && b->n_w == nlp->n_w && a->n_g == nlp->n_g && b->n_g == nlp->n_g
                  && sens->outcome == KKT_FACTORIZED
                  && differentiate(sens, a, b, step, &mem, &change);
    if (solved) {
        double *x = arena_alloc(&mem, (size_t)sens->n, sizeof *x);
        for (int k = 0; k < nlp->n_w; k++) {
            dw[k] = sens->var_at[k] < 0 ? change.var[k] : 0;
            if (sens->var_at[k] >= 0)
                x[sens->var_at[k]] = -change.gradient[k];
        }
        for (int k = 0; k < nlp->n_g; k++)
            if (sens->row_at[k] >= 0)
                x[sens->row_at[k]] = change.row[k] - change.g[k];
        subtract_held(sens, dw, x);
        const double left = solve_exactly(sens, x, &mem);
        for (int k = 0; k < nlp->n_w; k++)
            if (sens->var_at[k] >= 0)
                dw[k] = x[sens->var_at[k]];
        solved = left <= SENSITIVITY_ERROR * vec_largest(nlp->n_w, dw);
        *df = change_of_objective(sens, &change);
    }
    arena_free(&mem);
    return solved;
}

bool sensitivity_solve_state(const struct sensitivity *sens, const double *x, double *dw)
{
    const struct rest *rest = &sens->rest;
    struct arena mem = { NULL };
    double *b = arena_alloc(&mem, (size_t)sens->n, sizeof *b);
    const int n_w = sens->nlp->n_w;
    bool solved = sens->outcome == KKT_FACTORIZED;
    memset(dw, 0, (size_t)n_w * sizeof *dw);
    for (int i = 0; i < rest->ph->sys->model->n_x; i++)
        dw[rest->first[i]] = x[i] - sens->w[rest->first[i]];
    if (solved) {
        subtract_held(sens, dw, b);
        const double left = solve_exactly(sens, b, &mem);
        for (int k = 0; k < n_w; k++)
            dw[k] += sens->var_at[k] >= 0 ? b[sens->var_at[k]] : 0;
        solved = left <= SENSITIVITY_ERROR * vec_largest(n_w, dw);
    }
    arena_free(&mem);
    return solved;
}
