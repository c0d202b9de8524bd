#include "transcription/phases/aim.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/model/inputs.h"
#include "transcription/phases/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first AIM_ELITE are the best of all so far, the others those of the generation. sim NULL: of no use, or
 * earlier. */
struct motion { double *way, *missed, score; struct sim *sim; };        /* [n], [n_row] */
enum { N_MOTION = AIM_ELITE + AIM_GENERATION };

struct aim {
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
    double *x, *u, *p, *t_row, *u_row;          /* scratch: [n_x], [n_u], [n_p], [AIM_STRETCHES], [AIM_STRETCHES * n_u] */
};

/* --- A motion from its numbers ------------------------------------------------------------------------------- */

static bool is_free(const struct model_var *x)
{
    return x->initial.kind != END_FIXED;
}

bool aim_fits(const struct model *model)
{
    int n = model->n_u + model->n_p + model->time.horizon_free;
    for (int i = 0; i < model->n_x; i++)
        n += is_free(&model->x[i]);
    return n > 0 && model->time.n_phase == 0 && model->data.n_series == 0;
}

bool aim_has_goal(const struct model *model)
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
    const double T = model->time.horizon, longest = fmin(model->time.horizon_max, AIM_LONGER * T);
    return T * pow((way < 0 ? model->time.horizon_min : longest) / T, fabs(way));
}

static double state_at(const struct model_var *x, double way)
{
    const bool range = x->initial.kind == END_RANGE;
    return simulated_value(x, range ? x->initial.lo : x->lb, range ? x->initial.hi : x->ub, way);
}

/* Fills the scratch; returns the horizon. */
static double take_numbers(struct aim *aim, const double *way)
{
    const struct model *model = aim->model;
    for (int i = 0; i < model->n_x; i++)
        aim->x[i] = is_free(&model->x[i]) ? state_at(&model->x[i], *way++) : model->x[i].initial.lo;
    for (int k = 0; k < model->n_p; k++) {
        const struct model_param *p = &model->param[model->p_param[k]];
        const double guess = p->value, to = *way < 0 ? p->lb : p->ub;
        aim->p[k] = guess + fabs(*way) * (isfinite(to) ? to - guess : (*way < 0 ? -1 : 1) * fmax(1, fabs(guess)));
        way++;
    }
    const double T = model->time.horizon_free ? horizon_at(model, *way++) : model->time.horizon;
    for (int k = 0; k < AIM_STRETCHES; k++) {
        aim->t_row[k] = T * k / AIM_STRETCHES;
        for (int i = 0; i < model->n_u; i++)
            aim->u_row[k * model->n_u + i] = simulated_value(&model->u[i], model->u[i].lb, model->u[i].ub, *way++);
    }
    return T;
}

static struct sim *simulate(struct aim *aim, const double *way, const struct simulated_limits *limits)
{
    struct sim_task task;
    sim_task_init(&task, aim->model);
    task.t_end = take_numbers(aim, way);
    task.p = aim->p;
    task.x_initial = aim->x;
    task.controls = (struct sim_controls){ aim->model->n_u ? AIM_STRETCHES : 0, aim->t_row, aim->u_row };
    return simulated_task(&task, limits);
}

/* --- What it misses ------------------------------------------------------------------------------------------ */

static double outside(double value, double lb, double ub)
{
    return isnan(value) ? INFINITY : fmax(0, fmax(lb - value, value - ub));
}

/* The point at time t of a motion, and the states at both ends, into the inputs. */
static void take_point(struct aim *aim, const struct sim *sim, double t)
{
    const struct model *model = aim->model;
    const int piece = sim_find_piece(sim, t, t > sim_t_start(sim) ? -1 : 1);
    sim_eval_x(sim, piece, t, aim->x);
    sim_eval_u(sim, piece, t, aim->u);
    inputs_set(&aim->inputs, t, aim->x, aim->u);
    double *value = aim->inputs.value, *ends = value + aim->inputs.n - 2 * model->n_x;
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
    if (k == 0 || k == AIM_POINTS)
        return k == 0 ? c->at & (AT_INITIAL | boundary) : c->at == 0 || c->at & (AT_FINAL | AT_STAGES | boundary);
    for (int i = 0; c->at & AT_TIMES && i < c->n_time; i++)
        if (lround(c->time[i] * AIM_POINTS) == k)
            return true;
    return c->at & (AT_STAGES | boundary);
}

/* Rows: final values, bounds of states, constraints; the worst of each. */
static void worsen(struct aim *aim, int k, double *missed)
{
    const struct model *model = aim->model;
    const double *value = function_values(&aim->asked);
    double *bounds = missed + model->n_x, *constraint = bounds + model->n_x;
    for (int i = 0; i < model->n_x; i++) {
        const struct model_var *x = &model->x[i];
        const bool is_given = x->final.kind == END_FIXED || x->final.kind == END_RANGE;
        if (k == AIM_POINTS && is_given)
            missed[i] = outside(aim->x[i], x->final.lo, x->final.hi);
        bounds[i] = fmax(bounds[i], outside(aim->x[i], x->lb, x->ub));
    }
    for (int c = 0; c < model->constraints.n_constraint; c++)
        if (is_asked(&model->constraints.constraint[c], k))
            constraint[c] = fmax(constraint[c],
                                 outside(value[c], model->constraints.constraint[c].lb,
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
static void approach(struct aim *aim)
{
    const double *gap = function_values(&aim->gaps);
    for (int c = 0; c < aim->model->contacts.n_contact; c++)
        aim->least[c] = fmin(aim->least[c], fmax(0, gap[c]));
}

/* The objective by the trapezoidal rule: motions are compared by it. */
static void judge(struct aim *aim, struct motion *motion)
{
    const struct sim *sim = motion->sim;
    const double t_start = sim_t_start(sim), T = sim_t_end(sim) - t_start;
    const int n_c = aim->model->contacts.n_contact;
    double *objective = &motion->missed[aim->n_row - 1], *apart = &motion->missed[aim->n_row - 2];
    memset(motion->missed, 0, (size_t)aim->n_row * sizeof(double));
    for (int c = 0; c < n_c; c++)
        aim->least[c] = INFINITY;
    for (int k = 0; k <= AIM_POINTS; k++) {
        take_point(aim, sim, t_start + T * k / AIM_POINTS);
        worsen(aim, k, motion->missed);
        approach(aim);
        *objective += T / AIM_POINTS * (k == 0 || k == AIM_POINTS ? 0.5 : 1)
                      * sum_of(&aim->running, aim->model->costs.n_running);
    }
    *objective += sum_of(&aim->terminal, 1);
    for (int c = 0; c < n_c; c++)
        *apart += aim->least[c];
}

/* Root mean squares of a row, of the objective about its mean: 1 where nothing is missed. */
static void scale_rows(struct aim *aim)
{
    aim->scale = arena_alloc(&aim->mem, (size_t)aim->n_row, sizeof(double));
    for (int r = 0; r < aim->n_row; r++) {
        double n = 0, sum = 0, squares = 0;
        for (int k = AIM_ELITE; k < N_MOTION; k++)
            if (aim->motion[k].sim && isfinite(aim->motion[k].missed[r])) {
                n++;
                sum += aim->motion[k].missed[r];
                squares += aim->motion[k].missed[r] * aim->motion[k].missed[r];
            }
        const double mean = r == aim->n_row - 1 && n > 0 ? sum / n : 0;
        const double size = n > 0 ? sqrt(fmax(0, squares / n - mean * mean)) : 0;
        aim->scale[r] = size > 0 ? size : 1;
    }
}

static double sum_missed(const struct aim *aim, const double *missed)
{
    double sum = 0;
    for (int r = 0; r < aim->n_row - 2; r++)
        sum += missed[r] / aim->scale[r];
    return sum;
}

static double score_of(const struct aim *aim, const struct motion *motion)
{
    const double objective = motion->missed[aim->n_row - 1] / aim->scale[aim->n_row - 1];
    const double apart = motion->missed[aim->n_row - 2] / aim->scale[aim->n_row - 2];
    const double score = sum_missed(aim, motion->missed) + (aim->has_goal ? AIM_APART * apart + AIM_OBJECTIVE * objective : objective);
    return motion->sim && isfinite(score) ? score : INFINITY;
}

/* --- Generations --------------------------------------------------------------------------------------------- */

/* Standard normal, by the polar method. */
static double normal(uint64_t *counter)
{
    for (;;) {
        const double a = random_signed(random_next(counter)), b = random_signed(random_next(counter)), r = a * a + b * b;
        if (r > 0 && r < 1)
            return a * sqrt(-2 * log(r) / r);
    }
}

static int by_score(const void *a, const void *b)
{
    const struct motion *one = a, *other = b;
    return (one->score > other->score) - (one->score < other->score);
}

static int n_elite(const struct aim *aim)
{
    int n = 0;
    while (n < AIM_ELITE && isfinite(aim->motion[n].score)) n++;
    return n;
}

static void take_distribution(struct aim *aim)
{
    const int n = n_elite(aim);
    for (int i = 0; i < aim->n && n > 1; i++) {
        double sum = 0, squares = 0;
        for (int k = 0; k < n; k++)
            sum += aim->motion[k].way[i];
        for (int k = 0; k < n; k++)
            squares += pow(aim->motion[k].way[i] - sum / n, 2);
        aim->mean[i] = sum / n;
        aim->spread[i] = sqrt(squares / (n - 1));
    }
}

/* The first generation is drawn from timid to bold: full controls throw many a system far beyond its bounds. Later ones
 * have half of their variance along the elite's differences, which know of valleys, half in all directions. */
static void draw(struct aim *aim, int k, double *way)
{
    const int n = aim->scale ? n_elite(aim) : 0;
    const double size = aim->scale ? AIM_WIDER : (k + 1.0) / AIM_GENERATION, apart = n > 1 ? sqrt(0.5) : 1;
    double along[AIM_ELITE];
    for (int e = 0; e < n; e++)
        along[e] = n > 1 ? sqrt(0.5 / (n - 1)) * normal(&aim->counter) : 0;
    for (int i = 0; i < aim->n; i++) {
        double step = apart * aim->spread[i] * normal(&aim->counter);
        for (int e = 0; e < n; e++)
            step += along[e] * (aim->motion[e].way[i] - aim->mean[i]);
        way[i] = fmin(fmax(aim->mean[i] + size * step, -1), 1);
    }
}

/* The best keeps its simulation, the others lose theirs. */
static void drop_motions(struct aim *aim)
{
    if (aim->motion[0].sim && isfinite(aim->motion[0].score)) {
        sim_free(aim->best);
        aim->best = aim->motion[0].sim;
        aim->motion[0].sim = NULL;
    }
    for (int k = 0; k < N_MOTION; k++) {
        sim_free(aim->motion[k].sim);
        aim->motion[k].sim = NULL;
    }
}

void aim_generation(struct aim *aim, const struct simulated_limits *limits)
{
    for (int k = AIM_ELITE; k < N_MOTION; k++) {
        struct motion *one = &aim->motion[k];
        draw(aim, k - AIM_ELITE, one->way);
        one->sim = limits->interrupt && *limits->interrupt ? NULL : simulate(aim, one->way, limits);
        if (one->sim)
            judge(aim, one);
    }
    if (!aim->scale)
        scale_rows(aim);
    for (int k = AIM_ELITE; k < N_MOTION; k++)
        aim->motion[k].score = aim->motion[k].sim ? score_of(aim, &aim->motion[k]) : INFINITY;
    qsort(aim->motion, N_MOTION, sizeof *aim->motion, by_score);
    take_distribution(aim);
    drop_motions(aim);
}

const struct sim *aim_best(const struct aim *aim)
{
    return aim->best;
}

double aim_missed(const struct aim *aim)
{
    return aim->best ? sum_missed(aim, aim->motion[0].missed) : INFINITY;
}

/* --- Life ---------------------------------------------------------------------------------------------------- */

/* Costs and constraints of contact forces are left to programs. */
static expr unless_of_forces(const struct model *model, expr e, bool of_forces)
{
    return of_forces ? expr_const(model->graph, 0) : e;
}

static void compile(struct aim *aim)
{
    struct model *model = aim->model;
    const size_t n_x = (size_t)model->n_x;
    expr *ends = arena_alloc(&aim->mem, 2 * n_x, sizeof *ends);
    memcpy(ends, model->x_initial_sym, n_x * sizeof *ends);
    memcpy(ends + n_x, model->x_final_sym, n_x * sizeof *ends);
    aim->inputs = inputs_create(model, NULL, 2 * model->n_x, ends, &aim->mem);
    expr *asked = arena_alloc(&aim->mem, (size_t)model->constraints.n_constraint, sizeof *asked);
    expr *running = arena_alloc(&aim->mem, (size_t)model->costs.n_running, sizeof *running);
    for (int c = 0; c < model->constraints.n_constraint; c++)
        asked[c] = unless_of_forces(model, model->constraints.constraint[c].e,
                                    model->constraints.constraint[c].of_forces);
    for (int k = 0; k < model->costs.n_running; k++)
        running[k] = unless_of_forces(model, model->costs.running[k].e, model->costs.running[k].of_forces);
    const expr terminal = model_terminal_cost(model, model->graph);
    aim->asked = function_of(&aim->inputs, model->constraints.n_constraint, asked);
    aim->running = function_of(&aim->inputs, model->costs.n_running, running);
    aim->terminal = function_of(&aim->inputs, 1, &terminal);
    expr *gap = arena_alloc(&aim->mem, (size_t)model->contacts.n_contact, sizeof *gap);
    for (int c = 0; c < model->contacts.n_contact; c++)
        gap[c] = model->contacts.contact[c].gap;
    aim->gaps = function_of(&aim->inputs, model->contacts.n_contact, gap);
    aim->least = arena_alloc(&aim->mem, (size_t)model->contacts.n_contact, sizeof *aim->least);
}

struct aim *aim_create(struct model *model, unsigned seed)
{
    struct aim *aim = mem_alloc(1, sizeof *aim);
    *aim = (struct aim){ .model = model, .counter = random_mix(seed),
                         .n_row = 2 * model->n_x + model->constraints.n_constraint + 2 };
    aim->has_goal = aim_has_goal(model);
    aim->n = model->n_p + model->time.horizon_free + AIM_STRETCHES * model->n_u;
    for (int i = 0; i < model->n_x; i++)
        aim->n += is_free(&model->x[i]);
    aim->mean = arena_alloc(&aim->mem, (size_t)aim->n, sizeof(double));
    aim->spread = arena_alloc(&aim->mem, (size_t)aim->n, sizeof(double));
    for (int i = 0; i < aim->n; i++) {
        aim->mean[i] = 0;
        aim->spread[i] = AIM_SPREAD;
    }
    for (int k = 0; k < N_MOTION; k++)
        aim->motion[k] = (struct motion){ arena_alloc(&aim->mem, (size_t)aim->n, sizeof(double)),
                                          arena_alloc(&aim->mem, (size_t)aim->n_row, sizeof(double)), INFINITY, NULL };
    aim->x = arena_alloc(&aim->mem, (size_t)model->n_x, sizeof(double));
    aim->u = arena_alloc(&aim->mem, (size_t)model->n_u, sizeof(double));
    aim->p = arena_alloc(&aim->mem, (size_t)model->n_p, sizeof(double));
    aim->t_row = arena_alloc(&aim->mem, AIM_STRETCHES, sizeof(double));
    aim->u_row = arena_alloc(&aim->mem, (size_t)(AIM_STRETCHES * model->n_u), sizeof(double));
    compile(aim);
    return aim;
}

void aim_free(struct aim *aim)
{
    if (!aim)
        return;
    sim_free(aim->best);
    function_free(&aim->asked);
    function_free(&aim->running);
    function_free(&aim->terminal);
    function_free(&aim->gaps);
    arena_free(&aim->mem);
    free(aim);
}
