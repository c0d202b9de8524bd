#include "core/model/values.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/expression/tape.h"
#include "core/model/inputs.h"
#include "core/model/variables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double start_of(const struct model_var *var)
{
    return var->initial.kind == END_FIXED ? var->initial.lo : model_var_guess(var);
}

/* Every symbol of the model at the guess or at the start: the inputs of model functions, then both ends. */
static struct inputs point_create(const struct model *m, enum model_when where, struct arena *mem)
{
    const int n_x = m->n_x;
    expr *ends = arena_alloc(mem, 2 * (size_t)n_x, sizeof *ends);
    memcpy(ends, m->x_initial_sym, (size_t)n_x * sizeof *ends);
    memcpy(ends + n_x, m->x_final_sym, (size_t)n_x * sizeof *ends);
    const struct inputs point = inputs_create(m, NULL, 2 * n_x, ends, mem);
    double *at_ends = point.value + point.n - 2 * n_x;
    for (int k = 0; k < n_x; k++) {
        const double val = where == AT_GUESS ? model_var_guess(&m->x[k]) : start_of(&m->x[k]);
        point.value[k] = at_ends[k] = at_ends[n_x + k] = val;
    }
    for (int k = 0; k < m->n_u; k++)
        point.value[n_x + k] = model_var_guess(&m->u[k]);
    return point;
}

double model_value_at(const struct model *m, expr e, enum model_when where)
{
    double number;
    if (expr_is_const(m->graph, e, &number))
        return number;
    struct arena mem = { NULL };
    const struct inputs point = point_create(m, where, &mem);
    const double val = expr_eval(m->graph, e, point.n, point.sym, point.value);
    arena_free(&mem);
    return val;
}

void model_values_at(const struct model *m, int n, const expr *e, enum model_when where, double *value)
{
    struct arena mem = { NULL };
    const struct inputs point = point_create(m, where, &mem);
    struct tape *tape = tape_create(m->graph, point.n, point.sym, n, e);
    double *work = arena_alloc(&mem, tape_work_size(tape), sizeof *work);
    tape_eval(tape, 1, point.value, 1, value, 1, work);
    tape_free(tape);
    arena_free(&mem);
}

bool model_is_zero(const struct model *m, expr e)
{
    enum { TRIES = 5 };
    const double tol = 1e-9;        /* absolute, for values of order 1: an identity leaves 1e-15, a mistake 1e-2 */
    if (expr_is_const(m->graph, e, NULL))
        return expr_is_zero(m->graph, e);
    struct arena mem = { NULL };
    const struct inputs point = point_create(m, AT_GUESS, &mem);
    bool zero = true;
    uint64_t counter = 12345;
    for (int i = 0; i < TRIES && zero; i++) {
        for (int k = 0; k < point.n; k++)
            if (k < m->n_x + m->n_u || k >= point.n - 2 * m->n_x)       /* but for parameters and times */
                point.value[k] += 0.5 * random_signed(random_next(&counter));
        const double val = expr_eval(m->graph, e, point.n, point.sym, point.value);
        zero = !(isfinite(val) && fabs(val) > tol);
    }
    arena_free(&mem);
    return zero;
}

double model_value_at_end(const struct model *model, expr e, bool at_start)
{
    int n = 0;
    expr *sym = mem_alloc((size_t)model->n_x + 1, sizeof *sym);
    double *value = mem_alloc((size_t)model->n_x + 1, sizeof *value);
    for (int i = 0; i < model->n_x; i++) {
        const struct model_end *end = at_start ? &model->x[i].initial : &model->x[i].final;
        if (end->kind == END_FIXED) {
            sym[n] = model->x_sym[i];
            value[n++] = end->lo;
        }
    }
    if (at_start || !model->time.horizon_free) {
        sym[n] = model->t_sym;
        value[n++] = at_start ? 0 : model->time.horizon;
    }
    const double out = expr_is_of(model->graph, e, n, sym) ? expr_eval(model->graph, e, n, sym, value) : NAN;
    free(sym);
    free(value);
    return out;
}

/* Where the guess begins: a value to be proposed; NAN: nothing says one. */
static double guess_at_start(const struct model *model, int i)
{
    const struct model_waypoint *first = model->guess.waypoint;
    for (int k = 0; model->guess.n_waypoint > 0 && first->fraction == 0 && k < first->n; k++)
        if (first->var[k] == i)
            return first->val[k];
    return model->x[i].guess;
}

enum status model_initial_state(const struct model *model, double *x, struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int i = 0; i < model->n_x; i++) {
        const struct model_end *initial = &model->x[i].initial;
        const double guess = guess_at_start(model, i);
        char value[32] = "VALUE";
        if (isfinite(guess))
            (void)snprintf(value, sizeof value, "%.6g", guess);
        if (initial->kind != END_FIXED)
            st = diag_error(diag, initial->pos.line ? initial->pos : model->x[i].pos, model->x[i].path,
                            "a simulation needs one initial value of %s, not %s: --set %s.initial=%s", model->x[i].name,
                            initial->kind == END_RANGE ? "a range" : "`free`", model->x[i].path, value);
        x[i] = initial->lo;
    }
    return st;
}
