#include "transcription/proposals/fit_search.h"

#include "core/base/clock.h"
#include "core/base/draw.h"
#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/model/data.h"
#include "core/model/inputs.h"
#include "core/model/time.h"
#include "core/model/variables.h"
#include "transcription/start/initial_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR_GUESS 0.4              /* relative */
#define BY_RATIO 100.0              /* of bounds: from there on ratios count, not differences */
#define TAIL 3.0902                 /* standard deviations that one in a thousand exceeds */
#define ALIKE 1e-3                  /* of the box: starts nearer to a proposal lead there again */
#define SETTLED 1e-3                /* of the misfit: a simplex whose corners differ by less has come to its end */
#define KEEP 0.8                    /* -1 to 1: unknowns that a mutant changes, nine of ten */
#define AT_NOISE 3.0                /* times the limit: a simplex goes the rest of the way */
#define SMALL 1e-7                  /* of the box: likewise */
enum {
    FIT_MOST = DRAW_SOBOL_DIM,      /* unknowns */
    POINTS_FIRST = 64,              /* Sobol' points of one unknown, */
    POINTS_MORE = 96,               /* and of each one more, */
    POINTS_MOST = 512,              /* up to that */
    FIRST_SIMPLEXES = 4,            /* before a population evolves */
    SIMPLEX_MOST = 70,              /* simulations of a simplex for each unknown */
    POPULATION = 15,                /* for each unknown */
    GENERATIONS = 60,
    EVENTS_MOST = 150,              /* of a motion: no program has as many */
    STEPS_LOST = 1000,              /* that a motion has taken which does not come to its end */
    WORK_MOST = 2000000             /* steps of all simulations, times states: what is larger is searched less */
};

struct place { double z[FIT_MOST], misfit; };           /* z in [0, 1] of the box */

struct unknown { int p, x; double lo, hi, guess; bool by_ratio; };      /* an optimized parameter, or a state, -1: none */

struct fit_search {
    struct arena mem;               /* owns the arrays below */
    struct model *model;            /* borrowed */
    int n;
    struct unknown unknown[FIT_MOST];
    struct inputs inputs;           /* of the series */
    struct function series;
    struct sim *first;              /* whose functions the others use; NULL: none yet */
    double *p, *x;                  /* scratch: [n_p], [n_x] */
    int n_simulation;
    double work;
    int n_point, n_found;
    struct place *point;            /* [n_point] the least misfit first */
    struct place found[FIT_SEARCHES];
    const struct simulated_limits *limits;      /* of the search at work */
    double deadline;                /* by clock_seconds */
};

/* --- The box ------------------------------------------------------------------------------------------------- */

static bool is_free(const struct model_var *x)
{
    return x->initial.kind == END_FREE || x->initial.kind == END_RANGE;
}

static int count_unknowns(const struct model *model)
{
    int n = model->n_p;
    for (int i = 0; i < model->n_x; i++)
        n += is_free(&model->x[i]);
    return n;
}

bool fit_search_fits(const struct model *model)
{
    const int n = count_unknowns(model);
    bool fits = model->data.n_series > 0 && n > 0 && n <= FIT_MOST && model->time.n_phase == 0 && !model->time.horizon_free;
    for (int k = 0; k < model->n_u && fits; k++)
        fits = model_is_given(model, k);
    for (int k = 0; k < model->n_p && fits; k++)
        fits = !model->param[model->p_param[k]].is_length;
    return fits;
}

static struct unknown unknown_of(double lb, double ub, double guess)
{
    const double far = fmax(fabs(guess), 1e-3);
    struct unknown one = { .p = -1, .x = -1, .guess = guess };
    one.lo = isfinite(lb) ? lb : fmin(guess, ub) - far;
    one.hi = isfinite(ub) ? ub : fmax(guess, lb) + far;
    one.by_ratio = one.lo > 0 && one.hi > BY_RATIO * one.lo;
    return one;
}

static void list_unknowns(struct fit_search *at)
{
    const struct model *model = at->model;
    for (int k = 0; k < model->n_p; k++) {
        const struct model_param *param = &model->param[model->p_param[k]];
        at->unknown[at->n] = unknown_of(param->lb, param->ub, param->value);
        at->unknown[at->n++].p = k;
    }
    for (int i = 0; i < model->n_x; i++) {
        const struct model_var *x = &model->x[i];
        const bool range = x->initial.kind == END_RANGE;
        if (!is_free(x))
            continue;
        at->unknown[at->n] = unknown_of(range ? fmax(x->initial.lo, x->lb) : x->lb, range ? fmin(x->initial.hi, x->ub) : x->ub,
                                        model_var_guess(x));
        at->unknown[at->n++].x = i;
    }
}

static double value_of(const struct unknown *one, double z)
{
    return one->by_ratio ? one->lo * pow(one->hi / one->lo, z) : one->lo + z * (one->hi - one->lo);
}

static double place_of(const struct unknown *one, double value)
{
    const double z =
        one->by_ratio ? log(value / one->lo) / log(one->hi / one->lo) : (value - one->lo) / (one->hi - one->lo);
    return one->hi > one->lo ? fmin(fmax(z, 0), 1) : 0;
}

/* --- One simulation ------------------------------------------------------------------------------------------ */

static struct sim *simulate(struct fit_search *at, const double *z, const struct sim *like,
                            const struct simulated_limits *limits)
{
    const struct model *model = at->model;
    struct sim_task task;
    model_p_guess(model, at->p);
    for (int i = 0; i < model->n_x; i++)
        at->x[i] = model_var_guess(&model->x[i]);
    for (int k = 0; k < at->n; k++) {
        const struct unknown *one = &at->unknown[k];
        *(one->p >= 0 ? &at->p[one->p] : &at->x[one->x]) = value_of(one, z[k]);
    }
    (void)initial_state_meet(model, at->p, at->x);
    sim_task_init(&task, at->model);
    task.p = at->p;
    task.x_initial = at->x;
    task.like = like;
    task.max_events = EVENTS_MOST;
    return simulated_task(&task, limits);
}

static double misfit_of(struct fit_search *at, const struct sim *sim)
{
    const struct model *model = at->model;
    const struct model_data *data = &model->data;
    double sum = 0;
    memcpy(at->inputs.value + model->n_x + model->n_u, sim_p(sim), (size_t)model->n_p * sizeof(double));
    for (int row = 0; row < data->n_row; row++) {
        sim_eval(sim, data->t[row], data->t[row] > 0 ? -1 : 1, at->x);
        const double *e = function_eval(&at->series, data->t[row], at->x, NULL);
        for (int k = 0; k < data->n_series; k++) {
            const double off = (e[k] - data->series[k].value[row]) / data->series[k].sigma[row];
            sum += isnan(data->series[k].value[row]) ? 0 : off * off;
        }
    }
    return sum;
}

static bool is_over(const struct fit_search *at)
{
    return at->work > WORK_MOST || clock_seconds() >= at->deadline
           || (at->limits->interrupt && *at->limits->interrupt);
}

/* Its misfit; INFINITY where the motion does not come to its end. */
static void judge(struct fit_search *at, struct place *one)
{
    one->misfit = INFINITY;
    if (is_over(at))
        return;
    struct sim *sim = simulate(at, one->z, at->first, at->limits);
    at->n_simulation++;
    at->work += (double)(sim ? sim_n_pieces(sim) : STEPS_LOST) * at->model->n_x;
    if (!sim)
        return;
    const double misfit = misfit_of(at, sim);
    one->misfit = isfinite(misfit) ? misfit : INFINITY;
    if (at->first)
        sim_free(sim);
    else
        at->first = sim;
}

static int by_misfit(const void *a, const void *b)
{
    const struct place *one = a, *other = b;
    return (one->misfit > other->misfit) - (one->misfit < other->misfit);
}

/* --- Points of the box --------------------------------------------------------------------------------------- */

/* The guess, then every other point in the whole box, the others beside the guess. */
static void place_point(const struct fit_search *at, const struct draw_sobol *sobol, int k, double *z)
{
    for (int i = 0; i < at->n; i++) {
        const struct unknown *one = &at->unknown[i];
        const double part = draw_sobol(sobol, (uint64_t)(k / 2), (uint64_t)i);
        const double way = NEAR_GUESS * (2 * part - 1) * fmax(fabs(one->guess), 0.1 * (one->hi - one->lo));
        z[i] = k % 2 ? part : place_of(one, one->guess + (k > 0 ? way : 0));
    }
}

static void scan(struct fit_search *at, unsigned seed)
{
    struct draw_sobol sobol;
    draw_sobol_init(&sobol, seed);
    at->n_point = POINTS_FIRST + POINTS_MORE * (at->n - 1) < POINTS_MOST ? POINTS_FIRST + POINTS_MORE * (at->n - 1)
                                                                         : POINTS_MOST;
    at->point = arena_alloc(&at->mem, (size_t)at->n_point, sizeof *at->point);
    for (int k = 0; k < at->n_point; k++) {
        place_point(at, &sobol, k, at->point[k].z);
        judge(at, &at->point[k]);
    }
    qsort(at->point, (size_t)at->n_point, sizeof *at->point, by_misfit);
}

/* --- The simplex method -------------------------------------------------------------------------------------- */

struct simplex { int n; struct place corner[FIT_MOST + 1]; double centre[FIT_MOST]; };

/* centre + way (worst - centre), within the box. */
static struct place beside(struct fit_search *at, const struct simplex *simplex, double way)
{
    struct place one;
    for (int i = 0; i < simplex->n; i++) {
        const double z = simplex->centre[i] + way * (simplex->corner[simplex->n].z[i] - simplex->centre[i]);
        one.z[i] = fmin(fmax(z, 0), 1);
    }
    judge(at, &one);
    return one;
}

static void shrink(struct fit_search *at, struct simplex *simplex)
{
    for (int k = 1; k <= simplex->n; k++) {
        for (int i = 0; i < simplex->n; i++)
            simplex->corner[k].z[i] = 0.5 * (simplex->corner[k].z[i] + simplex->corner[0].z[i]);
        judge(at, &simplex->corner[k]);
    }
}

/* Corners are sorted; the worst is replaced, or all go half the way to the best. */
static void improve(struct fit_search *at, struct simplex *simplex)
{
    const int n = simplex->n;
    struct place *corner = simplex->corner, *worst = &corner[n];
    for (int i = 0; i < n; i++) {
        simplex->centre[i] = 0;
        for (int k = 0; k < n; k++)
            simplex->centre[i] += corner[k].z[i] / n;
    }
    const struct place mirrored = beside(at, simplex, -1);
    if (mirrored.misfit < corner[0].misfit) {
        const struct place farther = beside(at, simplex, -2);
        *worst = farther.misfit < mirrored.misfit ? farther : mirrored;
    } else if (mirrored.misfit < corner[n - 1].misfit) {
        *worst = mirrored;
    } else {
        const bool outside = mirrored.misfit < worst->misfit;
        const struct place nearer = beside(at, simplex, outside ? -0.5 : 0.5);
        if (nearer.misfit < (outside ? mirrored.misfit : worst->misfit))
            *worst = nearer;
        else
            shrink(at, simplex);
    }
    qsort(corner, (size_t)n + 1, sizeof *corner, by_misfit);
}

static double distance(const struct fit_search *at, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < at->n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static bool has_settled(const struct fit_search *at, const struct simplex *simplex)
{
    const struct place *corner = simplex->corner;
    double width = 0;
    for (int k = 1; k <= simplex->n; k++)
        width = fmax(width, distance(at, corner[k].z, corner[0].z));
    return corner[simplex->n].misfit - corner[0].misfit <= SETTLED * corner[0].misfit || width < SMALL;
}

/* From a point, with corners as far from it as points are from each other beside the guess. */
static struct place descend(struct fit_search *at, const struct place *from)
{
    struct simplex simplex = { .n = at->n };
    const double apart = NEAR_GUESS * pow(at->n_point, -1.0 / at->n);
    const int until = at->n_simulation + SIMPLEX_MOST * at->n;
    for (int k = 0; k <= at->n; k++) {
        simplex.corner[k] = *from;
        if (k == 0)
            continue;
        double *z = &simplex.corner[k].z[k - 1];
        const double value = value_of(&at->unknown[k - 1], *z),
                     step = apart * fmax(fabs(value), 0.01 * at->unknown[k - 1].hi);
        const double up = place_of(&at->unknown[k - 1], value + step);
        *z = up > *z ? up : place_of(&at->unknown[k - 1], value - step);
        judge(at, &simplex.corner[k]);
    }
    qsort(simplex.corner, (size_t)at->n + 1, sizeof *simplex.corner, by_misfit);
    while (at->n_simulation < until && !has_settled(at, &simplex) && !is_over(at))
        improve(at, &simplex);
    return simplex.corner[0];
}

/* What is as good as errors let it be; 0 where nothing says how large these are. */
static double enough_of(const struct fit_search *at)
{
    const double limit = fit_search_limit(at->model);
    return isfinite(limit) ? limit : 0;
}

/* --- Differential evolution ---------------------------------------------------------------------------------- */

/* A place beside number k of the first n: part of the way to the best, plus a difference of
 * two others, in most unknowns. */
static struct place mutant(const struct fit_search *at, int n, int best, int k, uint64_t *counter)
{
    struct place one = at->point[k];
    const struct place *a = &at->point[random_next(counter) % (uint64_t)n],
                       *b = &at->point[random_next(counter) % (uint64_t)n];
    const double size = 0.65 + 0.35 * random_signed(random_next(counter)),
                 way = 0.5 + 0.5 * random_signed(random_next(counter));
    const int always = (int)(random_next(counter) % (uint64_t)at->n);
    for (int i = 0; i < at->n; i++) {
        const double z = one.z[i] + way * (at->point[best].z[i] - one.z[i]) + size * (a->z[i] - b->z[i]);
        if (i == always || random_signed(random_next(counter)) < KEEP)
            one.z[i] = fmin(fmax(z, 0), 1);
    }
    return one;
}

/* The first n points, generation by generation: each is replaced by its mutant where that is better. */
static void evolve(struct fit_search *at, int n, unsigned seed)
{
    uint64_t counter = random_mix(seed);
    const double enough = AT_NOISE * enough_of(at);
    int best = 0;
    for (int k = 0; k < n; k++)
        best = at->point[k].misfit < at->point[best].misfit ? k : best;
    for (int g = 0; g < GENERATIONS && at->point[best].misfit > enough && !is_over(at); g++)
        for (int k = 0; k < n && !is_over(at); k++) {
            struct place one = mutant(at, n, best, k, &counter);
            judge(at, &one);
            if (one.misfit <= at->point[k].misfit)
                at->point[k] = one;
            if (one.misfit < at->point[best].misfit)
                best = k;
        }
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

double fit_search_limit(const struct model *model)
{
    const int freedom = model_n_values(&model->data) - count_unknowns(model);
    const double part = 2 / (9.0 * freedom);
    return model->data.is_relative || freedom <= 0 ? INFINITY : freedom * pow(1 - part + TAIL * sqrt(part), 3);
}

static bool leads_elsewhere(const struct fit_search *at, const struct place *from)
{
    bool elsewhere = isfinite(from->misfit);
    for (int k = 0; k < at->n_found && elsewhere; k++)
        elsewhere = distance(at, at->found[k].z, from->z) > ALIKE;
    return elsewhere;
}

/* Simplexes from up to n of these places, the least misfit first. True where one is at the noise. */
static bool descend_from(struct fit_search *at, const struct place *from, int n_from, int n)
{
    const double enough = enough_of(at);
    bool done = false;
    const int until = at->n_found + n;
    for (int k = 0; k < n_from && at->n_found < until && !done && !is_over(at); k++) {
        if (!leads_elsewhere(at, &from[k]))
            continue;
        at->found[at->n_found] = descend(at, &from[k]);
        done = at->found[at->n_found++].misfit <= enough;
    }
    qsort(at->found, (size_t)at->n_found, sizeof *at->found, by_misfit);
    return done;
}

static void search(struct fit_search *at, unsigned seed)
{
    if (descend_from(at, at->point, at->n_point, FIRST_SIMPLEXES) || is_over(at))
        return;
    const int n = POPULATION * at->n < at->n_point ? POPULATION * at->n : at->n_point;
    for (int k = 0; k < at->n_found; k++)       /* what they have come to is among them */
        at->point[n - 1 - k] = at->found[k];
    evolve(at, n, seed);
    qsort(at->point, (size_t)n, sizeof *at->point, by_misfit);
    (void)descend_from(at, at->point, n, FIT_SEARCHES - FIRST_SIMPLEXES);
}

struct fit_search *fit_search_run(struct model *model, unsigned seed, const struct simulated_limits *limits)
{
    struct fit_search *at = mem_alloc(1, sizeof *at);
    at->model = model;
    at->limits = limits;
    at->deadline = clock_seconds() + limits->max_seconds;
    list_unknowns(at);
    at->p = arena_alloc(&at->mem, (size_t)model->n_p, sizeof *at->p);
    at->x = arena_alloc(&at->mem, (size_t)model->n_x, sizeof *at->x);
    expr *e = arena_alloc(&at->mem, (size_t)model->data.n_series, sizeof *e);
    for (int k = 0; k < model->data.n_series; k++)
        e[k] = model->data.series[k].e;
    at->inputs = inputs_create(model, NULL, 0, NULL, &at->mem);
    at->series = function_of(&at->inputs, model->data.n_series, e);
    scan(at, seed);
    search(at, seed);
    sim_free(at->first);
    at->first = NULL;
    return at;
}

void fit_search_free(struct fit_search *at)
{
    if (!at)
        return;
    function_free(&at->series);
    arena_free(&at->mem);
    free(at);
}

int fit_search_n_simulations(const struct fit_search *at)
{
    return at->n_simulation;
}

int fit_search_n(const struct fit_search *at)
{
    return at->n_found;
}

double fit_search_misfit(const struct fit_search *at, int k)
{
    return at->found[k].misfit;
}

struct sim *fit_search_motion(struct fit_search *at, int k, const struct simulated_limits *limits)
{
    return simulate(at, at->found[k].z, NULL, limits);
}
