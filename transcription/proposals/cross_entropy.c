#include "transcription/proposals/cross_entropy.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/base/vec.h"
#include "core/model/inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPREAD 0.8                  /* of the first generation: of the way from the guess to a bound */
#define WIDER 1.3                   /* than the elite: it was selected */
#define APART 0.2                   /* weight of gaps that have never closed */
#define OBJECTIVE 0.01              /* weight of the objective beside what is missed */
#define LONGER 3                    /* times the guess of a free horizon: the longest */
enum {
    STRETCHES = 5,                  /* of constant controls */
    GENERATION = 40,                /* motions, */
    ELITE = 8,                      /* and those that the next ones are drawn around */
    POINTS = 60                     /* of a motion at which it is judged */
};

/* The first ELITE are the best of all so far, the others those of the generation. sim NULL: of no use, or
 * earlier. */
struct motion { double *way, *missed, score; struct sim *sim; };        /* [n], [n_row] */
enum { N_MOTION = ELITE + GENERATION };

struct cross_entropy {
    struct arena mem;               /* owns every array below */
    struct model *model;
    int n, n_row;                   /* numbers of a motion; what may be missed, what stays apart, and the objective */
    bool has_goal;
    double *mean, *spread;          /* [n] of the elite */
    struct motion motion[N_MOTION];
    struct sim *best;               /* the motion of the best */
    double *scale;                  /* [n_row] from the first generation; NULL before */
    uint64_t counter;
    struct inputs inputs;           /* of all functions: a point, then the states at both ends */
    struct function asked, running, terminal, gaps;
    double *least;                  /* scratch: [n_contact] */
    double *x, *u, *p, *t_row, *u_row;          /* scratch: [n_x], [n_u], [n_p], [STRETCHES], [STRETCHES * n_u] */
};

/* --- A motion from its numbers ------------------------------------------------------------------------------- */

static bool is_free(const struct model_var *x)
{
    return x->initial.kind != END_FIXED;
}

bool cross_entropy_fits(const struct model *model)
{
    int n = model->n_u + model->n_p + model->time.horizon_free;
    for (int i = 0; i < model->n_x; i++)
        n += is_free(&model->x[i]);
    return n > 0 && model->time.n_phase == 0 && model->data.n_series == 0;
}

bool cross_entropy_has_goal(const struct model *model)
{
    for (int i = 0; i < model->n_x; i++)
        if (model->x[i].final.kind == END_FIXED || model->x[i].final.kind == END_RANGE)
            return true;
    for (int c = 0; c < model->constraints.n_constraint; c++)
        if (model->constraints.constraint[c].at == 0 || model->constraints.constraint[c].at & (AT_FINAL | AT_TIMES))
            return true;
    return false;
}

/* The horizon goes from its guess to its bounds by factors. */
static double horizon_at(const struct model *model, double way)
{
    const double T = model->time.horizon, longest = fmin(model->time.horizon_max, LONGER * T);
    return T * pow((way < 0 ? model->time.horizon_min : longest) / T, fabs(way));
}

static double state_at(const struct model_var *x, double way)
{
    const bool range = x->initial.kind == END_RANGE;
    return simulated_value(x, range ? x->initial.lo : x->lb, range ? x->initial.hi : x->ub, way);
}

/* Fills the scratch; returns the horizon. */
static double take_numbers(struct cross_entropy *at, const double *way)
{
    const struct model *model = at->model;
    for (int i = 0; i < model->n_x; i++)
        at->x[i] = is_free(&model->x[i]) ? state_at(&model->x[i], *way++) : model->x[i].initial.lo;
    for (int k = 0; k < model->n_p; k++) {
        const struct model_param *p = &model->param[model->p_param[k]];
        const double guess = p->value, to = *way < 0 ? p->lb : p->ub;
        at->p[k] = guess + fabs(*way) * (isfinite(to) ? to - guess : (*way < 0 ? -1 : 1) * fmax(1, fabs(guess)));
        way++;
    }
    const double T = model->time.horizon_free ? horizon_at(model, *way++) : model->time.horizon;
    for (int k = 0; k < STRETCHES; k++) {
        at->t_row[k] = T * k / STRETCHES;
        for (int i = 0; i < model->n_u; i++)
            at->u_row[k * model->n_u + i] =
                model_is_given(model, i) ? NAN
                                         : simulated_value(&model->u[i], model->u[i].lb, model->u[i].ub, *way++);
    }
    return T;
}

static struct sim *simulate(struct cross_entropy *at, const double *way, const struct simulated_limits *limits)
{
    struct sim_task task;
    sim_task_init(&task, at->model);
    task.t_end = take_numbers(at, way);
    task.p = at->p;
    task.x_initial = at->x;
    task.controls = (struct sim_controls){ at->model->n_u ? STRETCHES : 0, at->t_row, at->u_row };
    return simulated_task(&task, limits);
}

/* --- What it misses ------------------------------------------------------------------------------------------ */

/* The point at time t of a motion, and the states at both ends, into the inputs. */
static void take_point(struct cross_entropy *at, const struct sim *sim, double t)
{
    const struct model *model = at->model;
    const int piece = sim_find_piece(sim, t, t > sim_t_start(sim) ? -1 : 1);
    sim_eval_x(sim, piece, t, at->x);
    sim_eval_u(sim, piece, t, at->u);
    inputs_set(&at->inputs, t, at->x, at->u);
    double *value = at->inputs.value, *ends = value + at->inputs.n - 2 * model->n_x;
    memcpy(value + model->n_x + model->n_u, sim_p(sim), (size_t)model->n_p * sizeof *value);
    if (model->time.horizon_free)
        value[model->n_x + model->n_u + model->n_p + 1] = sim_t_end(sim);
    sim_eval(sim, sim_t_start(sim), 1, ends);
    sim_eval(sim, sim_t_end(sim), -1, ends + model->n_x);
}

/* Is a constraint asked for at the point with this index? Times count at the nearest point. */
static bool is_asked(const struct model_constraint *c, int k)
{
    const int boundary = AT_ELEMENTS | AT_INTERVALS;
    if (k == 0 || k == POINTS)
        return k == 0 ? c->at & (AT_INITIAL | boundary) : c->at == 0 || c->at & (AT_FINAL | AT_STAGES | boundary);
    for (int i = 0; c->at & AT_TIMES && i < c->n_time; i++)
        if (lround(c->time[i] * POINTS) == k)
            return true;
    return c->at & (AT_STAGES | boundary);
}

/* Rows: final values, bounds of states, constraints; the worst of each. */
static void worsen(struct cross_entropy *at, int k, double *missed)
{
    const struct model *model = at->model;
    const double *value = function_values(&at->asked);
    double *bounds = missed + model->n_x, *constraint = bounds + model->n_x;
    for (int i = 0; i < model->n_x; i++) {
        const struct model_var *x = &model->x[i];
        const bool is_given = x->final.kind == END_FIXED || x->final.kind == END_RANGE;
        if (k == POINTS && is_given)
            missed[i] = vec_outside(at->x[i], x->final.lo, x->final.hi);
        bounds[i] = fmax(bounds[i], vec_outside(at->x[i], x->lb, x->ub));
    }
    for (int c = 0; c < model->constraints.n_constraint; c++)
        if (is_asked(&model->constraints.constraint[c], k))
            constraint[c] = fmax(constraint[c],
                                 vec_outside(value[c], model->constraints.constraint[c].lb,
                                             model->constraints.constraint[c].ub));
}

static double sum_of(struct function *f, int n)
{
    const double *value = function_values(f);
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += value[k];
    return sum;
}

/* The least gap of each contact so far, at the points that are looked at: about 0 once it has closed. */
static void approach(struct cross_entropy *at)
{
    const double *gap = function_values(&at->gaps);
    for (int c = 0; c < at->model->contacts.n_contact; c++)
        at->least[c] = fmin(at->least[c], fmax(0, gap[c]));
}

/* The objective by the trapezoidal rule: motions are compared by it. */
static void judge(struct cross_entropy *at, struct motion *motion)
{
    const struct sim *sim = motion->sim;
    const double t_start = sim_t_start(sim), T = sim_t_end(sim) - t_start;
    const int n_c = at->model->contacts.n_contact;
    double *objective = &motion->missed[at->n_row - 1], *apart = &motion->missed[at->n_row - 2];
    memset(motion->missed, 0, (size_t)at->n_row * sizeof(double));
    for (int c = 0; c < n_c; c++)
        at->least[c] = INFINITY;
    for (int k = 0; k <= POINTS; k++) {
        take_point(at, sim, t_start + T * k / POINTS);
        worsen(at, k, motion->missed);
        approach(at);
        *objective += T / POINTS * (k == 0 || k == POINTS ? 0.5 : 1)
                      * sum_of(&at->running, at->model->costs.n_running);
    }
    *objective += sum_of(&at->terminal, 1);
    for (int c = 0; c < n_c; c++)
        *apart += at->least[c];
}

/* Root mean squares of a row, of the objective about its mean: 1 where nothing is missed. */
static void scale_rows(struct cross_entropy *at)
{
    at->scale = arena_alloc(&at->mem, (size_t)at->n_row, sizeof(double));
    for (int r = 0; r < at->n_row; r++) {
        double n = 0, sum = 0, squares = 0;
        for (int k = ELITE; k < N_MOTION; k++)
            if (at->motion[k].sim && isfinite(at->motion[k].missed[r])) {
                n++;
                sum += at->motion[k].missed[r];
                squares += at->motion[k].missed[r] * at->motion[k].missed[r];
            }
        const double mean = r == at->n_row - 1 && n > 0 ? sum / n : 0;
        const double size = n > 0 ? sqrt(fmax(0, squares / n - mean * mean)) : 0;
        at->scale[r] = size > 0 ? size : 1;
    }
}

static double sum_missed(const struct cross_entropy *at, const double *missed)
{
    double sum = 0;
    for (int r = 0; r < at->n_row - 2; r++)
        sum += missed[r] / at->scale[r];
    return sum;
}

static double score_of(const struct cross_entropy *at, const struct motion *motion)
{
    const double objective = motion->missed[at->n_row - 1] / at->scale[at->n_row - 1];
    const double apart = motion->missed[at->n_row - 2] / at->scale[at->n_row - 2];
    const double score = sum_missed(at, motion->missed)
                         + (at->has_goal ? APART * apart + OBJECTIVE * objective : objective);
    return motion->sim && isfinite(score) ? score : INFINITY;
}

/* --- Generations --------------------------------------------------------------------------------------------- */

/* Standard normal, by the polar method. */
static double normal(uint64_t *counter)
{
    for (;;) {
        const double a = random_signed(random_next(counter)), b = random_signed(random_next(counter)),
                     r = a * a + b * b;
        if (r > 0 && r < 1)
            return a * sqrt(-2 * log(r) / r);
    }
}

static int by_score(const void *a, const void *b)
{
    const struct motion *one = a, *other = b;
    return (one->score > other->score) - (one->score < other->score);
}

static int n_elite(const struct cross_entropy *at)
{
    int n = 0;
    while (n < ELITE && isfinite(at->motion[n].score)) n++;
    return n;
}

static void take_distribution(struct cross_entropy *at)
{
    const int n = n_elite(at);
    for (int i = 0; i < at->n && n > 1; i++) {
        double sum = 0, squares = 0;
        for (int k = 0; k < n; k++)
            sum += at->motion[k].way[i];
        for (int k = 0; k < n; k++)
            squares += pow(at->motion[k].way[i] - sum / n, 2);
        at->mean[i] = sum / n;
        at->spread[i] = sqrt(squares / (n - 1));
    }
}

/* The first generation is drawn from timid to bold: full controls throw many a system far beyond its
 * bounds. Later ones have half of their variance along the elite's differences, which know of
 * valleys, half in all directions. */
static void draw(struct cross_entropy *at, int k, double *way)
{
    const int n = at->scale ? n_elite(at) : 0;
    const double size = at->scale ? WIDER : (k + 1.0) / GENERATION, apart = n > 1 ? sqrt(0.5) : 1;
    double along[ELITE];
    for (int e = 0; e < n; e++)
        along[e] = n > 1 ? sqrt(0.5 / (n - 1)) * normal(&at->counter) : 0;
    for (int i = 0; i < at->n; i++) {
        double step = apart * at->spread[i] * normal(&at->counter);
        for (int e = 0; e < n; e++)
            step += along[e] * (at->motion[e].way[i] - at->mean[i]);
        way[i] = fmin(fmax(at->mean[i] + size * step, -1), 1);
    }
}

/* The best keeps its simulation, the others lose theirs. */
static void drop_motions(struct cross_entropy *at)
{
    if (at->motion[0].sim && isfinite(at->motion[0].score)) {
        sim_free(at->best);
        at->best = at->motion[0].sim;
        at->motion[0].sim = NULL;
    }
    for (int k = 0; k < N_MOTION; k++) {
        sim_free(at->motion[k].sim);
        at->motion[k].sim = NULL;
    }
}

void cross_entropy_generation(struct cross_entropy *at, const struct simulated_limits *limits)
{
    for (int k = ELITE; k < N_MOTION; k++) {
        struct motion *one = &at->motion[k];
        draw(at, k - ELITE, one->way);
        one->sim = limits->interrupt && *limits->interrupt ? NULL : simulate(at, one->way, limits);
        if (one->sim)
            judge(at, one);
    }
    if (!at->scale)
        scale_rows(at);
    for (int k = ELITE; k < N_MOTION; k++)
        at->motion[k].score = at->motion[k].sim ? score_of(at, &at->motion[k]) : INFINITY;
    qsort(at->motion, N_MOTION, sizeof *at->motion, by_score);
    take_distribution(at);
    drop_motions(at);
}

const struct sim *cross_entropy_best(const struct cross_entropy *at)
{
    return at->best;
}

double cross_entropy_missed(const struct cross_entropy *at)
{
    return at->best ? sum_missed(at, at->motion[0].missed) : INFINITY;
}

/* --- Life ---------------------------------------------------------------------------------------------------- */

/* Costs and constraints of contact forces are left to programs. */
static expr unless_of_forces(const struct model *model, expr e, bool of_forces)
{
    return of_forces ? expr_const(model->graph, 0) : e;
}

static void compile(struct cross_entropy *at)
{
    struct model *model = at->model;
    const size_t n_x = (size_t)model->n_x;
    expr *ends = arena_alloc(&at->mem, 2 * n_x, sizeof *ends);
    memcpy(ends, model->x_initial_sym, n_x * sizeof *ends);
    memcpy(ends + n_x, model->x_final_sym, n_x * sizeof *ends);
    at->inputs = inputs_create(model, NULL, 2 * model->n_x, ends, &at->mem);
    expr *asked = arena_alloc(&at->mem, (size_t)model->constraints.n_constraint, sizeof *asked);
    expr *running = arena_alloc(&at->mem, (size_t)model->costs.n_running, sizeof *running);
    for (int c = 0; c < model->constraints.n_constraint; c++)
        asked[c] = unless_of_forces(model, model->constraints.constraint[c].e,
                                    model->constraints.constraint[c].of_forces);
    for (int k = 0; k < model->costs.n_running; k++)
        running[k] = unless_of_forces(model, model->costs.running[k].e, model->costs.running[k].of_forces);
    const expr terminal = model_terminal_cost(model, model->graph);
    at->asked = function_of(&at->inputs, model->constraints.n_constraint, asked);
    at->running = function_of(&at->inputs, model->costs.n_running, running);
    at->terminal = function_of(&at->inputs, 1, &terminal);
    expr *gap = arena_alloc(&at->mem, (size_t)model->contacts.n_contact, sizeof *gap);
    for (int c = 0; c < model->contacts.n_contact; c++)
        gap[c] = model->contacts.contact[c].gap;
    at->gaps = function_of(&at->inputs, model->contacts.n_contact, gap);
    at->least = arena_alloc(&at->mem, (size_t)model->contacts.n_contact, sizeof *at->least);
}

struct cross_entropy *cross_entropy_create(struct model *model, unsigned seed)
{
    struct cross_entropy *at = mem_alloc(1, sizeof *at);
    *at = (struct cross_entropy){ .model = model, .counter = random_mix(seed),
                         .n_row = 2 * model->n_x + model->constraints.n_constraint + 2 };
    at->has_goal = cross_entropy_has_goal(model);
    at->n = model->n_p + model->time.horizon_free + STRETCHES * model->n_u;
    for (int i = 0; i < model->n_x; i++)
        at->n += is_free(&model->x[i]);
    at->mean = arena_alloc(&at->mem, (size_t)at->n, sizeof(double));
    at->spread = arena_alloc(&at->mem, (size_t)at->n, sizeof(double));
    for (int i = 0; i < at->n; i++) {
        at->mean[i] = 0;
        at->spread[i] = SPREAD;
    }
    for (int k = 0; k < N_MOTION; k++)
        at->motion[k] =
            (struct motion){ arena_alloc(&at->mem, (size_t)at->n, sizeof(double)),
                             arena_alloc(&at->mem, (size_t)at->n_row, sizeof(double)), INFINITY, NULL };
    at->x = arena_alloc(&at->mem, (size_t)model->n_x, sizeof(double));
    at->u = arena_alloc(&at->mem, (size_t)model->n_u, sizeof(double));
    at->p = arena_alloc(&at->mem, (size_t)model->n_p, sizeof(double));
    at->t_row = arena_alloc(&at->mem, STRETCHES, sizeof(double));
    at->u_row = arena_alloc(&at->mem, (size_t)(STRETCHES * model->n_u), sizeof(double));
    compile(at);
    return at;
}

void cross_entropy_free(struct cross_entropy *at)
{
    if (!at)
        return;
    sim_free(at->best);
    function_free(&at->asked);
    function_free(&at->running);
    function_free(&at->terminal);
    function_free(&at->gaps);
    arena_free(&at->mem);
    free(at);
}
