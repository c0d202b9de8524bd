#include "transcription/start/initial_state.h"

#include "core/base/arena.h"
#include "core/expression/diff.h"
#include "core/model/inputs.h"
#include "transcription/start/guess.h"
#include "transcription/start/recipe.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* lb <= row <= ub at the start, or at the end. */
struct meeting {
    struct arena mem;
    struct model *model;            /* a fork: its graph grows by slopes */
    bool at_end;
    int n_free, *free;              /* states that may move */
    int n;                          /* rows */
    double *lb, *ub;                /* [n] */
    expr *e;                        /* [n * (1 + n_free)] each row and its slopes */
    struct function f;              /* of e; inputs are the states first */
};

static const struct model_end *end_of(const struct meeting *at, const struct model_var *var)
{
    return at->at_end ? &var->final : &var->initial;
}

static double lower(const struct meeting *at, const struct model_var *var)
{
    return end_of(at, var)->kind == END_RANGE ? end_of(at, var)->lo : var->lb;
}

static double upper(const struct meeting *at, const struct model_var *var)
{
    return end_of(at, var)->kind == END_RANGE ? end_of(at, var)->hi : var->ub;
}

static void ask(struct meeting *at, expr e, double lb, double ub)
{
    const struct model *model = at->model;
    expr *row = at->e + (ptrdiff_t)at->n * (1 + at->n_free);
    expr *slope = arena_alloc(&at->mem, (size_t)model->n_x, sizeof *slope);
    expr_gradient(model->graph, e, model->n_x, model->x_sym, slope);
    row[0] = e;
    for (int i = 0; i < at->n_free; i++)
        row[1 + i] = slope[at->free[i]];
    at->lb[at->n] = lb;
    at->ub[at->n++] = ub;
}

static void ask_all(struct meeting *at)
{
    const struct model *model = at->model;
    const size_t most = (size_t)(model->constraints.n_constraint + model->contacts.n_contact);
    at->lb = arena_alloc(&at->mem, most, sizeof *at->lb);
    at->ub = arena_alloc(&at->mem, most, sizeof *at->ub);
    at->e = arena_alloc(&at->mem, most * (size_t)(1 + at->n_free), sizeof *at->e);
    for (int k = 0; k < model->constraints.n_constraint; k++) {
        const struct model_constraint *c = &model->constraints.constraint[k];
        const bool last = c->end == 0 || c->end == model->time.n_intervals;
        const bool asked = at->at_end ? c->at & AT_FINAL && last : c->at & AT_INITIAL && c->first == 0;
        if (asked && !c->of_forces)
            ask(at, c->e, c->lb, c->ub);
    }
    for (int c = 0; c < model->contacts.n_contact; c++)
        if (model_has_contact(model, c, at->at_end ? model->time.n_intervals - 1 : 0))
            ask(at, model->contacts.contact[c].gap, 0, INFINITY);
}

/* Horizon, controls and parameters stay where the guess has them. */
static void set_inputs(struct meeting *at, const double *p, const double *x)
{
    const struct model *model = at->model;
    double *u = arena_alloc(&at->mem, (size_t)model->n_u, sizeof *u);
    for (int i = 0; i < model->n_u; i++)
        u[i] = guess_of_variable(&model->u[i]);
    at->f = function_create(model, p, at->n * (1 + at->n_free), at->e);
    inputs_set(&at->f.inputs, at->at_end ? model->time.horizon : 0, x, u);
}

/* What is missed by rows that are not met, into b [n] and A [n x n_free]; returns their number, *worst: the most of
 * it. An inequality that is broken is met at its bound from then on: a foot below the ground stands on it. */
static int linearize(struct meeting *at, double *A, double *b, double *worst)
{
    int m = 0;
    *worst = 0;
    const double *out = function_values(&at->f);
    for (int k = 0; k < at->n; k++) {
        const double *row = out + (ptrdiff_t)k * (1 + at->n_free);
        const double missed = fmin(fmax(row[0], at->lb[k]), at->ub[k]) - row[0];
        *worst = isnan(missed) ? INFINITY : fmax(*worst, fabs(missed));
        if (at->lb[k] < at->ub[k] && missed == 0)
            continue;
        at->lb[k] = at->ub[k] = fmin(fmax(row[0], at->lb[k]), at->ub[k]);
        memcpy(A + (ptrdiff_t)m * at->n_free, row + 1, (size_t)at->n_free * sizeof *A);
        b[m++] = missed;
    }
    return m;
}

static bool step(struct meeting *at, int m, double *A, double *b, lapack_int *pivot)
{
    lapack_int rank;
    memset(pivot, 0, (size_t)at->n_free * sizeof *pivot);
    if (LAPACKE_dgelsy(LAPACK_ROW_MAJOR, m, at->n_free, 1, A, at->n_free, b, 1, pivot, MEET_SINGULAR, &rank) != 0)
        return false;
    for (int i = 0; i < at->n_free; i++) {
        const struct model_var *var = &at->model->x[at->free[i]];
        double *x = &at->f.inputs.value[at->free[i]];
        *x = fmin(fmax(*x + b[i], lower(at, var)), upper(at, var));
    }
    return true;
}

static double meet(struct meeting *at)
{
    const size_t rows = (size_t)(at->n > at->n_free ? at->n : at->n_free);
    double *A = arena_alloc(&at->mem, rows * (size_t)at->n_free, sizeof *A),
           *b = arena_alloc(&at->mem, rows, sizeof *b), worst;
    lapack_int *pivot = arena_alloc(&at->mem, (size_t)at->n_free, sizeof *pivot);
    int m = linearize(at, A, b, &worst);
    for (int k = 0; k < MEET_STEPS && worst > 0 && isfinite(worst) && step(at, m, A, b, pivot); k++)    /* to rounding */
        m = linearize(at, A, b, &worst);
    return worst;
}

static bool meet_at(bool at_end, const struct model *model, const double *p, double *x)
{
    struct meeting at = { .mem = { NULL }, .at_end = at_end };
    double worst = 0;
    at.free = arena_alloc(&at.mem, (size_t)model->n_x, sizeof *at.free);
    for (int i = 0; i < model->n_x; i++)
        if (end_of(&at, &model->x[i])->kind != END_FIXED)
            at.free[at.n_free++] = i;
    if (at.n_free) {
        at.model = model_fork(model);
        ask_all(&at);
        set_inputs(&at, p, x);
        worst = meet(&at);
        if (worst <= MEET_TOL)
            memcpy(x, at.f.inputs.value, (size_t)model->n_x * sizeof *x);
        function_free(&at.f);
        model_free(at.model);
    }
    arena_free(&at.mem);
    return worst <= MEET_TOL;
}

bool initial_state_meet(const struct model *model, const double *p, double *x)
{
    return meet_at(false, model, p, x);
}

bool final_state_meet(const struct model *model, const double *p, double *x)
{
    return meet_at(true, model, p, x);
}
