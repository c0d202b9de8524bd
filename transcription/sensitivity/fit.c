#include "transcription/sensitivity/fit.h"

#include "core/base/mem.h"
#include "core/base/vec.h"
#include "transcription/method/method.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_FREEDOM 0.5           /* degrees of freedom: with less nothing is known of the size of errors */

/* What the series of one experiment are at a point: values, and derivatives by y and p. */
struct series_fun {
    int part;
    struct pointfun *fun;           /* of y, p and t */
    double *in, *out, *jac, *work;
};

/* The gradient of one e_k by the variables of the solution. */
struct gradient { int n, *var; double *coef; };

struct maker {
    struct fit *fit;
    int n_part, n_w;
    const struct fit_part *part;
    struct series_fun *fun;         /* [n_part] */
    const struct sensitivity *sens;
    const double *w;
    const int *const *var;          /* [n_part] or NULL, as in the solution */
    struct gradient *gradient;      /* [n_value]; in mem */
    struct arena mem;
    double *inverse;                /* [n_quantity * n_w] rows of K^-1 */
};

/* Where variable `var` of a part is in the solution. */
static int place(const struct maker *at, int part, int var)
{
    return at->var ? at->var[part][var] : var;
}

/* --- Functions ----------------------------------------------------------------------------------------------- */

static struct series_fun create_function(const struct maker *at, int part, struct arena *mem)
{
    const struct phase_system *sys = at->part[part].ph->sys;
    const struct model *model = sys->model;
    const int n_p = model->n_p, n = sys->n_y + n_p + 1, n_series = model->data.n_series;
    const expr now = expr_sym(sys->g, "t");
    expr *in = arena_alloc(mem, (size_t)n, sizeof *in), *e = arena_alloc(mem, (size_t)n_series, sizeof *e);
    memcpy(in, sys->slot + sys->y, (size_t)sys->n_y * sizeof *in);
    if (n_p)
        memcpy(in + sys->n_y, sys->slot + sys->p, (size_t)n_p * sizeof *in);
    in[n - 1] = now;
    for (int k = 0; k < n_series; k++)
        e[k] = model->data.series[k].e;
    expr_substitute(sys->g, n_series, e, 1, &model->t_sym, &now, e);
    struct series_fun fun = { .part = part, .fun = pointfun_create(sys->g, n, in, n_series, e) };
    const size_t a = tape_work_size(fun.fun->value), b = tape_work_size(fun.fun->jac);
    fun.work = arena_alloc(mem, a > b ? a : b, sizeof(double));
    fun.in = arena_alloc(mem, (size_t)n, sizeof(double));
    fun.out = arena_alloc(mem, (size_t)n_series, sizeof(double));
    fun.jac = arena_alloc(mem, (size_t)fun.fun->n_jac, sizeof(double));
    return fun;
}

static void evaluate(const struct maker *at, struct series_fun *fun, const struct phase_mix *mix, double t)
{
    const struct phases *ph = at->part[fun->part].ph;
    const int n_y = ph->sys->n_y, n_p = ph->sys->model->n_p;
    for (int i = 0; i < n_y; i++) {
        fun->in[i] = 0;
        for (int k = 0; k < mix->n; k++)
            fun->in[i] += mix->weight[k] * at->w[place(at, fun->part, mix->y[k][i])];
    }
    for (int k = 0; k < n_p; k++)
        fun->in[n_y + k] = at->w[place(at, fun->part, ph->at.p + k)];
    fun->in[n_y + n_p] = t;
    tape_eval(fun->fun->value, 1, fun->in, 1, fun->out, 1, fun->work);
    tape_eval(fun->fun->jac, 1, fun->in, 1, fun->jac, 1, fun->work);
}

static void add_term(struct gradient *gradient, int var, double coef)
{
    gradient->var[gradient->n] = var;
    gradient->coef[gradient->n++] = coef;
}

/* Of series k. */
static void fill_gradient(struct maker *at, const struct series_fun *fun, const struct phase_mix *mix, int k,
                          struct gradient *gradient)
{
    const struct phases *ph = at->part[fun->part].ph;
    const int n_y = ph->sys->n_y, n_p = ph->sys->model->n_p;
    const size_t most = (size_t)(fun->fun->n_jac * mix->n);
    gradient->var = arena_alloc(&at->mem, most, sizeof *gradient->var);
    gradient->coef = arena_alloc(&at->mem, most, sizeof *gradient->coef);
    for (int e = 0; e < fun->fun->n_jac; e++) {
        const int in = fun->fun->jac_in[e];
        if (fun->fun->jac_out[e] != k)
            continue;
        for (int j = 0; j < mix->n && in < n_y; j++)
            add_term(gradient, place(at, fun->part, mix->y[j][in]), mix->weight[j] * fun->jac[e]);
        if (in >= n_y && in < n_y + n_p)
            add_term(gradient, place(at, fun->part, ph->at.p + in - n_y), fun->jac[e]);
    }
}

/* --- Values -------------------------------------------------------------------------------------------------- */

static void add_values(struct maker *at, int p)
{
    struct fit *fit = at->fit;
    struct series_fun *fun = &at->fun[p];
    const struct phases *ph = at->part[p].ph;
    const struct model_data *data = &ph->sys->model->data;
    for (int row = 0; row < data->n_row; row++) {
        const struct phase_mix mix = phases_state_at(ph, data->part[row]);
        evaluate(at, fun, &mix, data->t[row]);
        for (int k = 0; k < data->n_series; k++) {
            const double value = data->series[k].value[row], sigma = data->series[k].sigma[row];
            if (isnan(value))
                continue;
            fill_gradient(at, fun, &mix, k, &at->gradient[fit->n_value]);
            fit->misfit += (fun->out[k] - value) / sigma * ((fun->out[k] - value) / sigma);
            fit->value[fit->n_value++] = (struct fit_value){ p, k, row, data->t[row], value, fun->out[k], sigma,
                                                             NAN, NAN };
        }
    }
}

static double along(const struct gradient *gradient, const double *x)
{
    double sum = 0;
    for (int k = 0; k < gradient->n; k++)
        sum += gradient->coef[k] * x[gradient->var[k]];
    return sum;
}

static void leave_leverages_open(struct fit *fit)
{
    fit->freedom = NAN;
    for (int k = 0; k < fit->n_value; k++)
        fit->value[k].leverage = fit->value[k].std = NAN;
}

/* (2), and of the fit itself its variance over s^2. */
static void find_leverages(struct maker *at)
{
    struct fit *fit = at->fit;
    double *x = mem_alloc((size_t)at->n_w, sizeof *x), *b = mem_alloc((size_t)at->n_w, sizeof *b);
    fit->freedom = fit->n_value;
    for (int k = 0; k < fit->n_value; k++) {
        struct fit_value *value = &fit->value[k];
        const struct gradient *gradient = &at->gradient[k];
        memset(b, 0, (size_t)at->n_w * sizeof *b);
        for (int i = 0; i < gradient->n; i++)
            b[gradient->var[i]] += gradient->coef[i];
        if (!sensitivity_inverse(at->sens, b, x))
            continue;
        double variance = 0;
        for (int l = 0; l < fit->n_value; l++) {
            const double by = 2 / fit->value[l].sigma * along(&at->gradient[l], x);
            variance += by * by;
        }
        value->leverage = 2 / (value->sigma * value->sigma) * along(gradient, x);
        value->std = sqrt(variance);
        fit->freedom -= value->leverage;
    }
    free(x);
    free(b);
}

/* --- Quantities ---------------------------------------------------------------------------------------------- */

static void add_quantity(struct maker *at, const char *name, const char *units, int var, int param)
{
    struct fit *fit = at->fit;
    struct fit_quantity *q = &fit->quantity[fit->n_quantity];
    *q = (struct fit_quantity){ name, units, var, param, at->w[var], NAN, FIT_FREE };
    double *row = at->inverse + (size_t)fit->n_quantity++ * (size_t)at->n_w;
    double *unit = mem_alloc((size_t)at->n_w, sizeof *unit);
    unit[var] = 1;
    if (sensitivity_is_held(at->sens, var))
        q->bound = FIT_AT_BOUND;
    else if (sensitivity_is_stopped(at->sens))
        q->bound = FIT_STOPPED;
    else if (!sensitivity_inverse(at->sens, unit, row))
        q->bound = FIT_NOT_DETERMINED;
    free(unit);
}

static void add_quantities(struct maker *at)
{
    const struct phases *first = at->part[0].ph;
    const struct model *model = first->sys->model;
    for (int k = 0; k < model->n_p; k++) {
        const struct model_param *param = &model->param[model->p_param[k]];
        add_quantity(at, param->name, param->units, place(at, 0, first->at.p + k), model->p_param[k]);
    }
    for (int p = 0; p < at->n_part; p++)
        for (int i = 0; i < model->n_x; i++) {
            const struct model_var *x = &at->part[p].ph->sys->model->x[i];
            const char *of = at->part[p].name;
            if (x->initial.kind != END_FIXED)
                add_quantity(at, arena_printf(&at->fit->mem, "%s%s%s(0)", of, *of ? "." : "", x->name), x->units,
                             place(at, p, at->part[p].ph->at.y0 + i), -1);
        }
}

/* (1), s still 1. */
static void find_covariance(struct maker *at)
{
    struct fit *fit = at->fit;
    const int n = fit->n_quantity, n_value = fit->n_value;
    double *by = mem_alloc((size_t)n * (size_t)n_value, sizeof *by);    /* sigma_k dq/dvalue_k */
    for (int q = 0; q < n; q++)
        for (int k = 0; k < n_value; k++)
            by[q * n_value + k] = 2 / fit->value[k].sigma
                                  * along(&at->gradient[k], at->inverse + (size_t)q * (size_t)at->n_w);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            const bool known = fit->quantity[a].bound == FIT_FREE && fit->quantity[b].bound == FIT_FREE;
            fit->covariance[a * n + b] = known ? vec_dot(n_value, by + a * n_value, by + b * n_value) : NAN;
        }
    free(by);
}

/* s, and what is in its units. */
static void apply_scale(struct fit *fit)
{
    const int n = fit->n_quantity;
    fit->scale = !fit->is_relative ? 1 : fit->freedom > LEAST_FREEDOM ? sqrt(fit->misfit / fit->freedom) : NAN;
    for (int k = 0; k < n * n; k++)
        fit->covariance[k] *= fit->scale * fit->scale;
    for (int q = 0; q < n; q++)
        fit->quantity[q].std = sqrt(fit->covariance[q * n + q]);
    for (int k = 0; k < fit->n_value; k++)
        fit->value[k].std *= fit->scale;
}

/* --- Misfits that are no errors ------------------------------------------------------------------------------ */

double fit_noise(const struct fit *fit)
{
    return fit->is_relative ? NAN : sqrt(fit->misfit / fmax(fit->freedom, 1));
}

bool fit_has_events(const struct model *model)
{
    return model->contacts.n_contact + model->switching.n_machine + model->switching.n_hysteresis > 0
           || model->dynamics.n_group > 0 || method_has_switches(model);
}

bool fit_is_unexplained(const struct fit *fit, const struct model *model)
{
    return fit_has_events(model) && fit_noise(fit) > FIT_MOST_NOISE;
}

void fit_write_reason(const struct fit *fit, char *why, size_t size)
{
    (void)snprintf(why, size, "it misses the data by %.3g of their sigma, root mean square: above %g that is no error of "
                   "measurement, but another order of events, or another model", fit_noise(fit), FIT_MOST_NOISE);
}

/* Deviations would tell of errors that are not there. */
static void withhold_deviations(struct fit *fit)
{
    for (int k = 0; k < fit->n_quantity * fit->n_quantity; k++)
        fit->covariance[k] = NAN;
    for (int q = 0; q < fit->n_quantity; q++) {
        fit->quantity[q].std = NAN;
        fit->quantity[q].bound = fit->quantity[q].bound == FIT_FREE ? FIT_UNEXPLAINED : fit->quantity[q].bound;
    }
    for (int k = 0; k < fit->n_value; k++)
        fit->value[k].std = NAN;
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static void allocate(struct maker *at)
{
    struct fit *fit = at->fit;
    int n_value = 0, n_quantity = 0;
    for (int p = 0; p < at->n_part; p++) {
        const struct model *model = at->part[p].ph->sys->model;
        n_value += model_n_values(&model->data);
        n_quantity += model->n_p + model->n_x;
        fit->is_relative = fit->is_relative || model->data.is_relative;
    }
    fit->value = arena_alloc(&fit->mem, (size_t)n_value, sizeof *fit->value);
    fit->quantity = arena_alloc(&fit->mem, (size_t)n_quantity, sizeof *fit->quantity);
    fit->covariance = arena_alloc(&fit->mem, (size_t)(n_quantity * n_quantity), sizeof(double));
    at->gradient = arena_alloc(&at->mem, (size_t)n_value, sizeof *at->gradient);
    at->inverse = mem_alloc((size_t)n_quantity * (size_t)at->n_w, sizeof(double));
    at->fun = mem_alloc((size_t)at->n_part, sizeof *at->fun);
}

/* Its KKT matrix. A measurement that is held beside an event is set free, without the forces that hold it. */
static struct sensitivity *sensitivity_of_fit(int n_part, const struct fit_part *part,
                                              const struct fit_solution *solution, struct nlp *nlp,
                                              struct arena *mem)
{
    struct nlp_point point = solution->point;
    double *lb = arena_copy(mem, nlp->lbw, (size_t)nlp->n_w, sizeof *lb),
           *ub = arena_copy(mem, nlp->ubw, (size_t)nlp->n_w, sizeof *ub);
    bool held = false;
    for (int p = 0; p < n_part; p++)
        held = phases_free_interior_times(part[p].ph, point.w, solution->var ? solution->var[p] : NULL, lb, ub)
               || held;
    if (held) {
        nlp->lbw = lb;
        nlp->ubw = ub;
        point.lambda = arena_alloc(mem, (size_t)nlp->n_g, sizeof *point.lambda);
    }
    return sensitivity_of(nlp, &point);
}

struct fit *fit_create(int n_part, const struct fit_part *part, const struct fit_solution *solution)
{
    struct fit *fit = mem_alloc(1, sizeof *fit);
    struct nlp nlp = *solution->nlp;
    struct maker at = { .fit = fit, .n_part = n_part, .part = part, .n_w = nlp.n_w, .w = solution->point.w,
                        .var = solution->var };
    struct sensitivity *sens = sensitivity_of_fit(n_part, part, solution, &nlp, &at.mem);
    at.sens = sens;
    allocate(&at);
    for (int p = 0; p < n_part; p++) {
        at.fun[p] = create_function(&at, p, &fit->mem);
        add_values(&at, p);
    }
    add_quantities(&at);
    if (sensitivity_is_stopped(at.sens))
        leave_leverages_open(fit);
    else
        find_leverages(&at);
    find_covariance(&at);
    apply_scale(fit);
    if (fit_is_unexplained(fit, part[0].ph->sys->model))
        withhold_deviations(fit);
    for (int p = 0; p < n_part; p++)
        pointfun_free(at.fun[p].fun);
    free(at.fun);
    sensitivity_free(sens);
    arena_free(&at.mem);
    free(at.inverse);
    return fit;
}

void fit_free(struct fit *fit)
{
    if (!fit)
        return;
    arena_free(&fit->mem);
    free(fit);
}
