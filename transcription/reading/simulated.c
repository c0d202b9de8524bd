#include "transcription/reading/simulated.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/simulation/until.h"
#include "transcription/sequence/recipe.h"
#include "transcription/start/initial_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GENTLE 0.2                  /* of the way to their bounds: controls of every other motion, as bounds are often wide */
#define SIMULATED_RTOL 1e-8         /* of motions that are to show sequences. A foot that creeps at 1e-6 m/s takes 9 s at the edge */
#define SIMULATED_ATOL 1e-10        /* of rounding, 1e-12 (table_pose), and hops in space do not replay then */
enum {
    START_STRETCHES = 4,            /* of constant controls: one pushes only one way, a swing needs several */
    START_EVENTS = 1000             /* a motion that chatters longer is no start */
};

static double guess_of(const struct model_var *var)
{
    return isnan(var->guess) ? fmin(fmax(0, var->lb), var->ub) : var->guess;
}

double simulated_value(const struct model_var *var, double lb, double ub, double way)
{
    const double from = guess_of(var), to = way < 0 ? lb : ub, far = fmax(1, fabs(from));
    return fmin(fmax(from + way * (isfinite(to) ? fabs(to - from) : far), lb), ub);
}

/* A part of a random way. */
static double moved(const struct model_var *var, double lb, double ub, double part, uint64_t *counter)
{
    return simulated_value(var, lb, ub, part * random_signed(random_next(counter)));
}

static void fill_states(const struct model *model, double part, uint64_t *counter, double *x)
{
    for (int i = 0; i < model->n_x; i++) {
        const struct model_var *var = &model->x[i];
        const bool range = var->initial.kind == END_RANGE;
        x[i] = var->initial.kind == END_FIXED
                   ? var->initial.lo
                   : moved(var, range ? var->initial.lo : var->lb, range ? var->initial.hi : var->ub, part, counter);
    }
}

/* A control of a motion; relays and machines are switched by what goes to the bounds. */
static double drawn(const struct model *model, const struct model_var *u, double part, uint64_t *counter)
{
    if ((model->switching.n_hysteresis || model->switching.n_machine) && isfinite(u->lb) && isfinite(u->ub))
        return random_signed(random_next(counter)) < 0 ? u->lb : u->ub;
    return moved(u, u->lb, u->ub, part, counter);
}

static void fill_controls(const struct model *model, double part, uint64_t *counter, double *t, double *u)
{
    for (int k = 0; k < START_STRETCHES; k++) {
        t[k] = model->time.horizon * k / START_STRETCHES;
        for (int i = 0; i < model->n_u; i++)
            u[k * model->n_u + i] = model_is_given(model, i) ? NAN : drawn(model, &model->u[i], part, counter);
    }
}

/* A start that cannot be simulated is no mistake. */
struct sim *simulated_task(struct sim_task *task, const struct simulated_limits *limits)
{
    struct diag *silent = diag_create();
    struct sim *sim = NULL;
    task->max_seconds = limits->max_seconds;
    task->interrupt = limits->interrupt;
    task->max_events = task->max_events < START_EVENTS ? task->max_events : START_EVENTS;
    task->rtol = SIMULATED_RTOL;
    task->atol = SIMULATED_ATOL;
    if (sim_run(task, &sim, silent) == STATUS_OK && sim_status(sim) != STATUS_OK) {
        sim_free(sim);
        sim = NULL;
    }
    diag_free(silent);
    return sim;
}

/* Optimized parameters; where machines make transitions they are moved like initial values, as thresholds and rates
 * say how many there are. */
static void fill_parameters(const struct model *model, double part, uint64_t *counter, double *p)
{
    model_p_guess(model, p);
    for (int k = 0; k < model->n_p && model->switching.n_machine; k++) {
        const struct model_param *param = &model->param[model->p_param[k]];
        const struct model_var as = { .lb = param->lb, .ub = param->ub, .guess = param->value };
        if (!param->is_length)
            p[k] = moved(&as, param->lb, param->ub, part, counter);
    }
}

/* Phases that end by a condition last as long as the motion makes them: p [n_p]. False where one does not end. */
static bool set_lengths(struct sim_task *task, const struct simulated_limits *limits, double *p)
{
    struct model *model = task->model;
    struct diag *silent = diag_create();
    task->p = p;
    task->max_seconds = limits->max_seconds;
    task->interrupt = limits->interrupt;
    const bool ends = !model_has_until(model) || sim_find_lengths(task, p, silent) == STATUS_OK;
    if (model_has_until(model))
        task->t_end = model_length(model, p);
    diag_free(silent);
    return ends;
}

void simulated_values(const struct model *model, unsigned seed, int start, double *x, double *p)
{
    uint64_t counter = random_mix(seed) + (uint64_t)start;
    fill_states(model, fmin(1, (double)start / SIMULATED_STARTS), &counter, x);
    model_p_guess(model, p);
    (void)initial_state_meet(model, p, x);
}

struct sim *simulated_start(struct model *model, unsigned seed, int start, const struct simulated_limits *limits)
{
    uint64_t counter = random_mix(seed) + (uint64_t)start;
    double t[START_STRETCHES];
    double *x = mem_alloc((size_t)model->n_x, sizeof *x);
    double *u = mem_alloc((size_t)(START_STRETCHES * model->n_u), sizeof *u);
    struct sim_task task;
    sim_task_init(&task, model);
    task.x_initial = x;
    fill_states(model, fmin(1, (double)start / SIMULATED_STARTS), &counter, x);
    fill_controls(model, start % 2 ? 1 : GENTLE, &counter, t, u);
    task.controls = (struct sim_controls){ start > 0 ? START_STRETCHES : 0, t, u };
    double *p = mem_alloc((size_t)model->n_p, sizeof *p);
    fill_parameters(model, fmin(1, (double)start / SIMULATED_STARTS), &counter, p);
    (void)initial_state_meet(model, p, x);      /* else as they are: they may do for a guess */
    struct sim *sim = set_lengths(&task, limits, p) ? simulated_task(&task, limits) : NULL;
    free(x);
    free(u);
    free(p);
    return sim;
}

struct sim *simulated_samples(struct model *model, const struct samples *samples,
                              const struct simulated_limits *limits)
{
    double *y = mem_alloc((size_t)samples->n_y, sizeof *y);
    double *t = mem_alloc((size_t)samples->n_interval + 1, sizeof *t);
    struct sim_task task;
    sim_task_init(&task, model);
    samples_at(samples, 0, 0, y);
    if (samples->t_interval)
        memcpy(t, samples->t_interval, ((size_t)samples->n_interval + 1) * sizeof *t);
    else
        model_grid(model, samples->horizon, samples->p, t);
    task.p = samples->p;
    task.x_initial = y;
    task.t_end = samples->horizon;
    task.controls = (struct sim_controls){ samples->n_u ? samples->n_interval : 0, t, samples->u };
    struct sim *sim = simulated_task(&task, limits);
    free(y);
    free(t);
    return sim;
}
