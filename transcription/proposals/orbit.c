#include "transcription/proposals/orbit.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ORBIT_HORIZONS = 40,            /* guesses of the horizon that the motion lasts, */
    ORBIT_POINTS = 2000,            /* and times at which it is looked at after */
    ORBIT_BISECTIONS = 40
};
#define ORBIT_SETTLES 0.5           /* of that motion, before it */
#define ORBIT_MISS 0.1              /* of its width, of any state: it does not come back */
#define ORBIT_AS_GOOD 2             /* times the least miss: shorter ones are taken */
#define ORBIT_NEAR 1e-3             /* of its width, a given value is met; of its length, a turn is no shorter */
#define ORBIT_ROUNDING 1e-6

/* --- What is periodic ------------------------------------------------------------------------------------------ */

/* Of the states at both ends alone? */
static bool is_of_ends(const struct model *model, expr e)
{
    return !expr_depends(model->graph, e, model->n_p, model->p_sym) && !expr_depends(model->graph, e, 1, &model->T_sym);
}

/* Is it met wherever both ends are the same? value [2 n_x]: states that nothing is special about. */
static bool says_same(const struct model *model, const struct model_constraint *c, const expr *sym, const double *value)
{
    if (c->lb != c->ub || !is_of_ends(model, c->e))
        return false;
    return fabs(expr_eval(model->graph, c->e, 2 * model->n_x, sym, value) - c->lb) <= ORBIT_ROUNDING;
}

/* tied [n_x]: states that constraints make equal at both ends; how many. -1: constraints say something else, too. */
static int tied_states(const struct model *model, bool *tied)
{
    const int n_x = model->n_x;
    expr *sym = mem_alloc(2 * (size_t)n_x, sizeof *sym);
    double *value = mem_alloc(2 * (size_t)n_x, sizeof *value);
    int n = 0;
    bool same = true;
    for (int i = 0; i < n_x; i++) {
        sym[i] = model->x_initial_sym[i];
        sym[n_x + i] = model->x_final_sym[i];
        value[i] = value[n_x + i] = 0.5 + 0.1 * sqrt(i + 2.0);
        tied[i] = false;
    }
    for (int k = 0; k < model->constraints.n_constraint && same; k++) {
        const struct model_constraint *c = &model->constraints.constraint[k];
        if (c->at != 0)
            continue;
        same = says_same(model, c, sym, value);
        for (int i = 0; i < n_x && same; i++)
            tied[i] = tied[i] || expr_depends(model->graph, c->e, 1, &model->x_final_sym[i]);
    }
    for (int i = 0; i < n_x; i++)
        n += tied[i];
    free(sym);
    free(value);
    return same ? n : -1;
}

static bool has_free_start(const struct model *model)
{
    for (int i = 0; i < model->n_x; i++)
        if (model->x[i].initial.kind != END_FIXED)
            return true;
    return false;
}

bool orbit_fits(const struct model *model)
{
    if (model->n_u > 0 || !model->time.horizon_free || model->time.n_phase > 0 || model->switching.n_machine > 0
        || !has_free_start(model))
        return false;
    bool *tied = mem_alloc((size_t)model->n_x, sizeof *tied);
    const int n = tied_states(model, tied);
    free(tied);
    return n > 0;
}

/* --- Where it returns ------------------------------------------------------------------------------------------ */

struct returns {
    const struct model *model;
    const struct sim *sim;
    struct arena mem;
    bool *tied;                     /* [n_x] */
    double *scale;                  /* [n_x] width of the motion */
    double *first, *again;          /* [n_x] scratch */
    double *signal, *at_start;      /* [n_hysteresis + n_signal] */
    int section;                    /* state whose initial value is given, and which is met there; -1: none */
};

struct turn { double t, T, miss; };

static double value_at(const struct returns *at, double t, double *x)
{
    sim_eval_x(at->sim, sim_find_piece(at->sim, t, 1), t, x);
    return at->section >= 0 ? x[at->section] - at->model->x[at->section].initial.lo : 0;
}

static void set_scales(struct returns *at, double from, double step)
{
    const int n_x = at->model->n_x;
    double *least = arena_alloc(&at->mem, (size_t)n_x, sizeof *least), *most = arena_alloc(&at->mem, (size_t)n_x, sizeof *most);
    for (int k = 0; k < ORBIT_POINTS; k++) {
        (void)value_at(at, from + k * step, at->first);
        for (int i = 0; i < n_x; i++) {
            least[i] = k ? fmin(least[i], at->first[i]) : at->first[i];
            most[i] = k ? fmax(most[i], at->first[i]) : at->first[i];
        }
    }
    for (int i = 0; i < n_x; i++)
        at->scale[i] = most[i] - least[i];
}

/* Largest change of tied states between two times, scaled. */
static double miss_between(struct returns *at, double t1, double t2)
{
    double miss = 0;
    (void)value_at(at, t1, at->first);
    (void)value_at(at, t2, at->again);
    for (int i = 0; i < at->model->n_x; i++)
        if (at->tied[i] && at->scale[i] > 0)
            miss = fmax(miss, fabs(at->again[i] - at->first[i]) / at->scale[i]);
    return miss;
}

static bool has_signals_of_start(struct returns *at, double t)
{
    const int n = at->model->switching.n_hysteresis;
    if (n > 0)
        sim_eval_signals(at->sim, sim_find_piece(at->sim, t, 1), at->signal);
    return n == 0 || memcmp(at->signal, at->at_start, (size_t)n * sizeof *at->signal) == 0;
}

/* A turn may begin where relays are as at the start, and what is given is met. */
static bool may_begin(struct returns *at, double t)
{
    (void)value_at(at, t, at->first);
    for (int i = 0; i < at->model->n_x; i++) {
        const struct model_end *end = &at->model->x[i].initial;
        const double slack = ORBIT_NEAR * at->scale[i];
        if (end->kind != END_FREE && end->kind != END_MISSING && (at->first[i] < end->lo - slack || at->first[i] > end->hi + slack))
            return false;
    }
    return has_signals_of_start(at, t);
}

/* Between two times on both sides of the section: where it is met. */
static double bisect(struct returns *at, double a, double b)
{
    const double at_a = value_at(at, a, at->first);
    for (int k = 0; k < ORBIT_BISECTIONS; k++) {
        const double middle = 0.5 * (a + b);
        if ((value_at(at, middle, at->first) > 0) == (at_a > 0))
            a = middle;
        else
            b = middle;
    }
    return 0.5 * (a + b);
}

/* Times at which a turn may begin or end, [ORBIT_POINTS]: where the given value is met on its way up, or down;
 * without one all. */
static int candidates(struct returns *at, double from, double step, bool up, double *t)
{
    int n = 0;
    double before = value_at(at, from, at->first);
    for (int k = 1; k < ORBIT_POINTS; k++) {
        const double now = value_at(at, from + k * step, at->first);
        if (at->section < 0)
            t[n++] = from + k * step;
        else if (up ? before < 0 && now >= 0 : before > 0 && now <= 0)
            t[n++] = bisect(at, from + (k - 1) * step, from + k * step);
        before = now;
    }
    return n;
}

/* The one that misses least, or a shorter one that misses little more. */
static void take_better(struct turn *best, const struct turn *one)
{
    const double as_good = ORBIT_AS_GOOD * best->miss + ORBIT_ROUNDING;
    if (one->miss < best->miss / ORBIT_AS_GOOD || (one->miss <= as_good && one->T < best->T * (1 - ORBIT_NEAR)))
        *best = *one;
}

static void look_for_turns(struct returns *at, int n, const double *t, struct turn *best)
{
    const double shortest = at->model->time.horizon_min, longest = at->model->time.horizon_max;
    for (int j = 0; j < n; j++) {
        if (!may_begin(at, t[j]))
            continue;
        for (int k = j + 1; k < n && t[k] - t[j] <= longest; k++) {
            const struct turn one = { t[j], t[k] - t[j], miss_between(at, t[j], t[k]) };
            if (one.T >= shortest && one.T > 0 && has_signals_of_start(at, t[k]))
                take_better(best, &one);
        }
    }
}

static struct turn best_turn(struct model *model, const struct sim *sim)
{
    struct returns at = { .model = model, .sim = sim, .section = -1 };
    const size_t n_x = (size_t)model->n_x, n_signal = (size_t)model->switching.n_hysteresis + 1;
    const double end = sim_t_end(sim), from = ORBIT_SETTLES * end, step = (end - from) / ORBIT_POINTS;
    struct turn best = { 0, INFINITY, ORBIT_MISS };
    at.tied = arena_alloc(&at.mem, n_x, sizeof *at.tied);
    at.scale = arena_alloc(&at.mem, n_x, sizeof *at.scale);
    at.first = arena_alloc(&at.mem, n_x, sizeof *at.first);
    at.again = arena_alloc(&at.mem, n_x, sizeof *at.again);
    at.signal = arena_alloc(&at.mem, n_signal, sizeof *at.signal);
    at.at_start = arena_alloc(&at.mem, n_signal, sizeof *at.at_start);
    double *t = arena_alloc(&at.mem, ORBIT_POINTS, sizeof *t);
    (void)tied_states(model, at.tied);
    set_scales(&at, from, step);
    sim_eval_signals(sim, 0, at.at_start);
    for (int i = 0; i < model->n_x && at.section < 0; i++)
        if (model->x[i].initial.kind == END_FIXED && at.scale[i] > 0)
            at.section = i;
    look_for_turns(&at, candidates(&at, from, step, true, t), t, &best);
    if (at.section >= 0)
        look_for_turns(&at, candidates(&at, from, step, false, t), t, &best);
    arena_free(&at.mem);
    return best;
}

/* --- One turn --------------------------------------------------------------------------------------------------- */

static struct sim *run(struct model *model, const double *x, const double *p, double t_end, const struct simulated_limits *limits)
{
    struct sim_task task;
    sim_task_init(&task, model);
    task.x_initial = x;
    task.p = p;
    task.t_end = t_end;
    return simulated_task(&task, limits);
}

struct sim *orbit_of_start(struct model *model, unsigned seed, int start, const struct simulated_limits *limits)
{
    double *x = mem_alloc((size_t)model->n_x, sizeof *x), *p = mem_alloc((size_t)model->n_p + 1, sizeof *p);
    simulated_values(model, seed, start, x, p);
    struct sim *turn = NULL, *whole = run(model, x, p, ORBIT_HORIZONS * model->time.horizon, limits);
    if (whole && sim_n_pieces(whole) > 0) {
        const struct turn best = best_turn(model, whole);
        if (best.miss < ORBIT_MISS) {
            sim_eval_x(whole, sim_find_piece(whole, best.t, 1), best.t, x);
            for (int i = 0; i < model->n_x; i++)
                x[i] = model->x[i].initial.kind == END_FIXED ? model->x[i].initial.lo : x[i];
            turn = run(model, x, p, best.T, limits);
        }
    }
    sim_free(whole);
    free(x);
    free(p);
    return turn;
}
