#include "core/model/check/sliding.h"

#include "core/base/random.h"
#include "core/expression/degree.h"
#include "core/expression/diff.h"
#include "core/expression/nonsmooth.h"
#include "core/model/inputs.h"

#include <math.h>
#include <stdlib.h>

enum { TRIES = 5, NEWTON_STEPS = 30 };
#define ON_SURFACE 1e-9
#define BENDS 1e-6                  /* of the curvature beside the surface, and of the rate: less is rounding */

/* A rate with steps for its nonsmooth functions, and what its symbols are: states first, steps last. */
struct rate {
    const struct model *model;
    expr e;
    struct srcpos pos;
    struct switch_set set;
    struct inputs at;
    double *slope;
};

static double value_of(const struct rate *rate, expr e)
{
    return expr_eval(rate->model->graph, e, rate->at.n, rate->at.sym, rate->at.value);
}

/* States around the guess, steps between 0 and 1. */
static void draw(struct rate *rate, uint64_t *counter)
{
    double *x = rate->at.value, *step = x + rate->at.n - rate->set.n;
    for (int k = 0; k < rate->model->n_x; k++)
        x[k] = model_var_guess(&rate->model->x[k]) + 0.5 * random_signed(random_next(counter));
    for (int l = 0; l < rate->set.n; l++)
        step[l] = 0.5 + 0.5 * random_signed(random_next(counter));
}

/* Moves the states onto c = 0 along its gradient, by Newton's method. False where that leads nowhere. */
static bool move_onto(struct rate *rate, expr c, const expr *gradient)
{
    double *x = rate->at.value, value = INFINITY;
    for (int k = 0; k < NEWTON_STEPS && !(fabs(value = value_of(rate, c)) < ON_SURFACE); k++) {
        double size = 0;
        for (int i = 0; i < rate->model->n_x; i++) {
            rate->slope[i] = value_of(rate, gradient[i]);
            size += rate->slope[i] * rate->slope[i];
        }
        if (!isfinite(value) || !(size > 0))
            return false;
        for (int i = 0; i < rate->model->n_x; i++)
            x[i] -= value * rate->slope[i] / size;
    }
    return fabs(value) < ON_SURFACE;
}

/* Is the curvature of the rate by step l there on the surface as well as beside it? */
static bool bends(struct rate *rate, int l, struct arena *mem)
{
    struct expr_graph *g = rate->model->graph;
    expr *gradient = arena_alloc(mem, (size_t)rate->model->n_x, sizeof *gradient), slope, curvature;
    uint64_t counter = 1;
    expr_gradient(g, rate->e, 1, &rate->set.alpha[l], &slope);
    expr_gradient(g, slope, 1, &rate->set.alpha[l], &curvature);
    expr_gradient(g, rate->set.c[l], rate->model->n_x, rate->model->x_sym, gradient);
    for (int k = 0; k < TRIES; k++) {
        draw(rate, &counter);
        const double beside = fabs(value_of(rate, curvature));
        if (move_onto(rate, rate->set.c[l], gradient)
            && fabs(value_of(rate, curvature)) > BENDS * fmax(beside, fabs(value_of(rate, rate->e))))
            return true;
    }
    return false;
}

static void warn(const struct rate *rate, int l, struct diag *diag)
{
    char *c = expr_to_words(rate->model->graph, rate->set.c[l]);
    diag_add(diag, DIAG_WARNING, STATUS_OK, rate->pos, NULL, "a rate is not linear in the step of %s: where that slides at 0, one value "
             "of the step stands in every place (Utkin's equivalent control); for Filippov's mean of both sides write what "
             "the rate is on each side, if(%s > 0, ..., ...), once", c, c);
    free(c);
}

static bool knows(const struct rate *rate, expr e)
{
    return expr_is_of(rate->model->graph, e, rate->at.n, rate->at.sym);
}

static void check_rate(struct rate *rate, struct arena *mem, struct diag *diag)
{
    struct expr_graph *g = rate->model->graph;
    rate->at = inputs_create(rate->model, NULL, rate->set.n, rate->set.alpha, mem);
    rate->slope = arena_alloc(mem, (size_t)rate->model->n_x, sizeof *rate->slope);
    for (int l = 0; l < rate->set.n && knows(rate, rate->e); l++) {
        const expr alpha = rate->set.alpha[l];
        const int degree = 1;
        if (expr_degree(g, rate->e, 1, &alpha, &degree) > 1 && !model_find_relay(rate->model, alpha)
            && knows(rate, rate->set.c[l]) && bends(rate, l, mem))
            warn(rate, l, diag);
    }
}

void model_check_sliding(const struct model *model, struct diag *diag)
{
    struct model *fork = model_fork(model);     /* names of switches follow the order in which expressions come */
    struct diag *silent = diag_create();
    for (int k = 0; k < fork->n_x + fork->mechanics.n_q; k++) {
        struct arena mem = { NULL };
        const bool is_force = k >= fork->n_x;
        struct rate rate = { .model = fork,
                             .e = is_force ? fork->mechanics.f_v[k - fork->n_x] : fork->dynamics.rhs[k],
                             .pos = is_force ? fork->mechanics.f_v_pos[k - fork->n_x] : fork->dynamics.rhs_pos[k] };
        if (rate.e != EXPR_NONE && expr_find_nonsmooth(fork->graph, rate.e) != EXPR_NONE
            && nonsmooth_lower(fork->graph, rate.e, &rate.set, &rate.e, silent) == STATUS_OK)
            check_rate(&rate, &mem, diag);
        switch_set_free(&rate.set);
        arena_free(&mem);
    }
    diag_free(silent);
    model_free(fork);
}
