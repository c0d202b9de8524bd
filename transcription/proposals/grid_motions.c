#include "transcription/proposals/grid_motions.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/base/vec.h"
#include "core/model/costs.h"
#include "core/model/inputs.h"
#include "core/model/starts.h"
#include "core/model/steps.h"
#include "core/model/time.h"
#include "core/model/variables.h"
#include "transcription/proposals/grid_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MISSED_SAME 1e-4            /* sizes: misses that differ by less are as good */
#define STAY_ROUNDING 1e-9          /* of the horizon */
enum {
    GRID_POINTS = 40,
    CELLS = 240,                    /* of a grid point, about, at first; */
    ORDERS_IN_CELL = 2,             /* motions of different orders that stay in one */
    EVENT_WORDS = 1000,             /* of orders: numbers above those of choices */
    SIMULATED_MOST = 24000          /* fewer, where more stretches than these would be simulated: some 70 microseconds each */
};

/* A motion that has come to a grid point. */
struct label {
    int from, choice;               /* the label at the point before, and the values on the way */
    int n_row;
    double *x;                      /* [n_x] */
    enum sim_mode *memory;          /* [n_memory] relays, other switches, machines */
    double *entered;                /* [n_machine] */
    double *switched;               /* [n_u] when controls with values went on or off; -INFINITY: before the start */
    int *starts;                    /* [n_u] */
    double integral, cost, missed;
    uint64_t order, cell;
};

struct layer { int n; struct label *of; };

struct grid {
    const struct phase_system *sys;
    struct model *model;
    int n_step, n_row;
    const double *p;
    const struct simulated_limits *limits;
    struct grid_levels levels;
    struct arena mem;               /* of all labels */
    struct layer *layer;            /* [n_step + 1] */
    bool *counts;                   /* [n_x] does anything but the terminal cost depend on it? */
    bool *has_clock;                /* [n_machine] is there a transition after a time? */
    struct function running, terminal, conditions;      /* sums of costs; constraints along the path */
    int n_condition;
    const struct model_constraint **condition;
    struct sim *first;              /* whose functions the others share */
    double *u, *y;                  /* [n_u], [n_x] scratch */
    int n_simulated;
    double start;                   /* of the clock */
};

/* --- What is asked --------------------------------------------------------------------------------------------- */

static double size_of(const struct model_var *x)
{
    const double size = model_var_size(x);
    return size > 0 && isfinite(size) ? size : 1;
}

static double missed_on_the_way(struct grid *at, double t, const double *x)
{
    double missed = 0;
    for (int i = 0; i < at->model->n_x; i++)
        missed += vec_outside(x[i], at->model->x[i].lb, at->model->x[i].ub) / size_of(&at->model->x[i]);
    const double *value = at->n_condition ? function_eval(&at->conditions, t, x, at->u) : NULL;
    for (int k = 0; k < at->n_condition; k++)
        missed += vec_outside(value[k], at->condition[k]->lb, at->condition[k]->ub);
    return missed;
}

static double missed_at_end(const struct grid *at, const struct label *label)
{
    const struct model *model = at->model;
    const int first = at->sys->n_switch;
    double missed = 0;
    for (int i = 0; i < model->n_x; i++) {
        const struct model_end *end = &model->x[i].final;
        if (end->kind == END_FIXED || end->kind == END_RANGE)
            missed += vec_outside(label->x[i], end->lo, end->hi) / size_of(&model->x[i]);
    }
    for (int m = 0; m < at->sys->n_machine; m++) {
        const struct model_machine *machine = &model->switching.machine[m];
        bool may = machine->n_final == 0;
        for (int k = 0; k < machine->n_final; k++)
            may = may || machine->final[k] == (int)label->memory[first + m];
        missed += !may;
    }
    return missed;
}

/* The running cost over a simulation: Gauss' rule with three points on each of its steps. */
static double integrate(struct grid *at, const struct sim *sim)
{
    static const double place[3] = { 0.11270166537925831, 0.5, 0.88729833462074169 };
    static const double weight[3] = { 5.0 / 18, 8.0 / 18, 5.0 / 18 };
    double sum = 0;
    for (int k = 0; at->model->costs.n_running && k < sim_n_pieces(sim); k++) {
        const struct sim_piece piece = sim_piece_at(sim, k);
        for (int j = 0; j < 3; j++) {
            const double t = piece.t_start + place[j] * (piece.t_end - piece.t_start);
            sim_eval_x(sim, k, t, at->y);
            sum += weight[j] * (piece.t_end - piece.t_start) * *function_eval(&at->running, t, at->y, at->u);
        }
    }
    return sum;
}

/* --- One step -------------------------------------------------------------------------------------------------- */

static double time_of(const struct grid *at, int step)
{
    return at->model->time.horizon * step / at->n_step;
}

static int n_memory(const struct grid *at)
{
    return at->sys->n_switch + at->sys->n_machine;
}

static struct label label_alloc(struct grid *at)
{
    const size_t n_x = (size_t)at->model->n_x, n_u = (size_t)at->model->n_u;
    return (struct label){ .x = arena_alloc(&at->mem, n_x, sizeof(double)),
                           .memory = arena_alloc(&at->mem, (size_t)n_memory(at), sizeof(enum sim_mode)),
                           .entered = arena_alloc(&at->mem, (size_t)at->sys->n_machine, sizeof(double)),
                           .switched = arena_alloc(&at->mem, n_u, sizeof(double)),
                           .starts = arena_alloc(&at->mem, n_u, sizeof(int)) };
}

static uint64_t mixed(uint64_t order, int what)
{
    return random_mix(order ^ (uint64_t)(what + 1));
}

/* Is control k, one with values, on with these values? */
static bool is_on(const struct grid *at, int choice, int k)
{
    const struct model_var *u = &at->model->u[k];
    return starts_is_on(u, choice < 0 ? u->starts.before : at->levels.u[choice * at->model->n_u + k]);
}

/* Goes on with values `choice` from time t; false where stays, starts or the number of rows forbid it. */
static bool choose(const struct grid *at, const struct label *from, int choice, double t, struct label *to)
{
    const struct model *model = at->model;
    const double rounding = STAY_ROUNDING * model->time.horizon;
    const bool first = from->choice < 0;
    to->choice = choice;
    to->n_row = from->n_row + (choice != from->choice);
    to->order = choice != from->choice && model_has_values(model) ? mixed(from->order, choice) : from->order;
    bool may = to->n_row <= at->n_row;
    for (int k = 0; k < model->n_u && may; k++) {
        const struct model_var *u = &model->u[k];
        to->switched[k] = from->switched[k];
        to->starts[k] = from->starts[k];
        if (!u->n_value || is_on(at, choice, k) == is_on(at, first ? -1 : from->choice, k))
            continue;
        const bool starts = is_on(at, choice, k);
        may = t - from->switched[k] >= (starts ? u->starts.min_off : u->starts.min_on) - rounding;
        to->switched[k] = t;
        to->starts[k] += starts;
        may = may && (u->starts.most < 0 || to->starts[k] <= u->starts.most);
    }
    return may;
}

static void set_controls(const struct grid *at, int choice, double t, double *u)
{
    const struct model *model = at->model;
    memcpy(u, at->levels.u + choice * model->n_u, (size_t)model->n_u * sizeof *u);
    for (int k = 0; k < model->n_u; k++)
        if (model_steps_of(model, k))
            u[k] = model_steps_value(model_steps_of(model, k), t / model->time.horizon);
}

static struct sim *simulate(struct grid *at, const struct label *from, double t, double t_end)
{
    struct sim_task task;
    sim_task_init(&task, at->model);
    task.p = at->p;
    task.x_initial = from->x;
    task.t_start = t;
    task.t_end = t_end;
    task.controls = (struct sim_controls){ 1, &t, at->u };
    task.memory = from->choice < 0 ? NULL : from->memory;
    task.entered = from->choice < 0 ? NULL : from->entered;
    task.like = at->first;
    task.is_part = true;
    at->n_simulated++;
    return simulated_task(&task, at->limits);
}

/* What it has come to at the end of the step. */
static void arrive(struct grid *at, const struct sim *sim, const struct label *from, int step, struct label *to)
{
    const struct model *model = at->model;
    const double t = time_of(at, step + 1);
    const struct sim_piece last = sim_piece_at(sim, sim_n_pieces(sim) - 1);
    sim_eval(sim, t, 1, to->x);
    memcpy(to->memory, last.mode + model->contacts.n_contact, (size_t)n_memory(at) * sizeof *to->memory);
    sim_entered(sim, t, to->entered);
    for (int k = 0; k < sim_n_events(sim); k++)
        to->order =
            mixed(to->order, 64 * (int)sim_event_at(sim, k)->kind + sim_event_at(sim, k)->subject + EVENT_WORDS);
    to->integral = from->integral + integrate(at, sim);
    to->missed = from->missed + missed_on_the_way(at, t, to->x);
    to->cost = to->integral;
    if (model->costs.n_terminal)
        to->cost += *function_eval(&at->terminal, t, to->x, at->u);
    for (int k = 0; k < model->n_u; k++)
        to->cost += model->u[k].starts.given ? model->u[k].starts.cost * to->starts[k] : 0;
    if (step + 1 == at->n_step)
        to->missed += missed_at_end(at, to);
}

static bool is_over(const struct grid *at)
{
    return (at->limits->interrupt && *at->limits->interrupt)
           || clock_seconds() - at->start > at->limits->max_seconds;
}

/* All that a label leads to. */
static void expand(struct grid *at, int step, int from, struct layer *all)
{
    const double t = time_of(at, step);
    for (int c = 0; c < at->levels.n && !is_over(at); c++) {
        const struct label *label = &at->layer[step].of[from];
        struct label next = label_alloc(at);
        if (!choose(at, label, c, t, &next))
            continue;
        set_controls(at, c, t, at->u);
        struct sim *sim = simulate(at, label, t, time_of(at, step + 1));
        if (!sim || sim_n_switch(sim) != at->sys->n_switch) {
            sim_free(sim);
            continue;
        }
        next.from = from;
        arrive(at, sim, label, step, &next);
        if (at->first)
            sim_free(sim);
        else
            at->first = sim;
        all->of = mem_grow(all->of, all->n, 1, sizeof *all->of);
        all->of[all->n++] = next;
    }
}

/* --- Which stay ------------------------------------------------------------------------------------------------ */

static int by_merit(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    if (fabs(x->missed - y->missed) > MISSED_SAME)
        return x->missed < y->missed ? -1 : 1;
    return (x->cost > y->cost) - (x->cost < y->cost);
}

static int by_cell(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    return x->cell != y->cell ? (x->cell < y->cell ? -1 : 1) : by_merit(a, b);
}

/* Cells of a state, so that all of them come to n_cell. */
static int cells_of_state(const struct grid *at, int n_cell)
{
    int n = 0;
    for (int i = 0; i < at->model->n_x; i++)
        n += at->counts[i];
    return n ? (int)fmax(1, floor(pow(n_cell, 1.0 / n))) : 1;
}

static void find_cells(const struct grid *at, int n_all, struct layer *all, int step)
{
    const struct model *model = at->model;
    const int n_cell = cells_of_state(at, n_all);
    const double t = time_of(at, step), part = time_of(at, 1);
    for (int j = 0; j < all->n; j++) {
        struct label *label = &all->of[j];
        label->cell = 0;
        for (int m = 0; m < n_memory(at); m++)
            label->cell = mixed(label->cell, (int)label->memory[m]);
        for (int m = 0; m < at->sys->n_machine; m++)
            label->cell =
                mixed(label->cell, (int)fmin(at->n_step, (t - label->entered[m]) / part * at->has_clock[m]));
        for (int k = 0; k < model->n_u; k++)
            if (model->u[k].starts.given) {
                const struct model_starts *starts = &model->u[k].starts;
                const double longest = fmax(starts->min_on, starts->min_off);
                label->cell = mixed(label->cell, is_on(at, label->choice, k));
                label->cell = mixed(label->cell, (int)(fmin(longest, t - label->switched[k]) / part + 0.5));
                label->cell = mixed(label->cell, starts->most >= 0 ? label->starts[k] : 0);
            }
    }
    for (int i = 0; i < model->n_x; i++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int j = 0; j < all->n && at->counts[i]; j++) {
            lo = fmin(lo, all->of[j].x[i]);
            hi = fmax(hi, all->of[j].x[i]);
        }
        for (int j = 0; j < all->n && hi > lo; j++)
            all->of[j].cell = mixed(all->of[j].cell, (int)fmin(n_cell - 1, n_cell * (all->of[j].x[i] - lo) / (hi - lo)));
    }
}

/* The best orders of each cell. */
static void keep_best(const struct grid *at, int n_cell, struct layer *all, int step)
{
    int n = 0;
    find_cells(at, n_cell, all, step);
    qsort(all->of, (size_t)all->n, sizeof *all->of, by_cell);
    for (int j = 0, first = 0; j < all->n; j++) {
        if (n > first && all->of[j].cell != all->of[first].cell)
            first = n;
        bool stays = n - first < ORDERS_IN_CELL;
        for (int i = first; i < n && stays; i++)
            stays = all->of[i].order != all->of[j].order;
        if (stays)
            all->of[n++] = all->of[j];
    }
    all->n = n;
}

/* Of cells as large as it takes for what is left to be simulated. */
static void thin_out(const struct grid *at, struct layer *all, int step)
{
    const int most = SIMULATED_MOST / (at->n_step * at->levels.n) + 1;
    int n_cell = CELLS;
    keep_best(at, n_cell, all, step);
    for (; all->n > most && n_cell > 1; n_cell /= 2)
        keep_best(at, n_cell / 2, all, step);
}

/* --- The whole ------------------------------------------------------------------------------------------------- */

/* What only the terminal cost depends on says nothing of how a motion goes on. */
static void find_counting(struct grid *at)
{
    const struct phase_system *sys = at->sys;
    const struct model *model = at->model;
    for (int i = 0; i < model->n_x; i++) {
        const expr x = model->x_sym[i], slot = sys->slot[sys->y + i];
        bool counts = model->x[i].final.kind == END_FIXED || model->x[i].final.kind == END_RANGE
                      || isfinite(model->x[i].lb) || isfinite(model->x[i].ub);
        for (int k = 0; k < sys->out.n_motion; k++)
            counts = counts || expr_depends(sys->g, sys->motion[k], 1, &slot);
        for (int k = 0; k < sys->out.n_state; k++)
            counts = counts || expr_depends(sys->g, sys->state[k], 1, &slot);
        for (int k = 0; k < model->costs.n_running; k++)
            counts = counts || expr_depends(model->graph, model->costs.running[k].e, 1, &x);
        for (int k = 0; k < model->constraints.n_constraint; k++)
            counts = counts || expr_depends(model->graph, model->constraints.constraint[k].e, 1, &x)
                     || model->constraints.constraint[k].at == 0;
        at->counts[i] = counts;
    }
    for (int m = 0; m < sys->n_machine; m++)
        for (int k = 0; k < model->switching.machine[m].n_transition; k++)
            at->has_clock[m] = at->has_clock[m] || !isnan(model->switching.machine[m].transition[k].after);
}

static void compile(struct grid *at)
{
    struct model *model = at->model;
    struct expr_graph *g = model->graph;
    expr running = expr_const(g, 0), terminal = model_terminal_cost(model, g);
    for (int k = 0; k < model->costs.n_running; k++)
        running = expr_add(g, running, model->costs.running[k].e);
    at->running = function_create(model, at->p, 1, &running);
    at->terminal = function_create(model, at->p, 1, &terminal);
    expr *e = arena_alloc(&at->mem, (size_t)model->constraints.n_constraint, sizeof *e);
    at->condition = arena_alloc(&at->mem, (size_t)model->constraints.n_constraint, sizeof *at->condition);
    for (int k = 0; k < model->constraints.n_constraint; k++)
        if (model->constraints.constraint[k].at & (AT_STAGES | AT_ELEMENTS | AT_INTERVALS)) {
            e[at->n_condition] = model->constraints.constraint[k].e;
            at->condition[at->n_condition++] = &model->constraints.constraint[k];
        }
    at->conditions = function_create(model, at->p, at->n_condition, e);
}

static void begin(struct grid *at, const double *x)
{
    struct label first = label_alloc(at);
    first.from = first.choice = -1;
    memcpy(first.x, x, (size_t)at->model->n_x * sizeof *x);
    for (int k = 0; k < at->model->n_u; k++)
        first.switched[k] = -INFINITY;
    at->layer[0].of = mem_alloc(1, sizeof first);
    at->layer[0].of[0] = first;
    at->layer[0].n = 1;
}

/* Rows of controls of the way to a label of the last layer. */
static struct grid_motion motion_of(const struct grid *at, const struct label *end)
{
    const int n_u = at->model->n_u;
    struct grid_motion out = { .n_row = end->n_row, .cost = end->cost, .missed = end->missed };
    out.t = mem_alloc((size_t)end->n_row, sizeof *out.t);
    out.u = mem_alloc((size_t)(end->n_row * n_u), sizeof *out.u);
    for (int step = at->n_step; step > 0; step--) {
        const int row = end->n_row - 1;
        out.t[row] = time_of(at, step - 1);
        memcpy(out.u + row * n_u, at->levels.u + end->choice * n_u, (size_t)n_u * sizeof *out.u);
        end = &at->layer[step - 1].of[end->from];
    }
    return out;
}

static void take_best(struct grid *at, int most, struct grid_motions *out)
{
    struct layer *last = &at->layer[at->n_step];
    qsort(last->of, (size_t)last->n, sizeof *last->of, by_merit);
    out->of = mem_alloc((size_t)most, sizeof *out->of);
    for (int j = 0; j < last->n && out->n < most; j++) {
        bool is_new = true;
        for (int i = 0; i < j && is_new; i++)
            is_new = last->of[i].order != last->of[j].order;
        if (is_new)
            out->of[out->n++] = motion_of(at, &last->of[j]);
    }
}

struct grid_motions grid_motions_find(const struct phase_system *sys, int n_step, int n_row, const double *x,
                                      const double *p, int most, const struct simulated_limits *limits)
{
    if (sys->n_pair > 0)
        return (struct grid_motions){ .n = 0 };
    struct model *model = model_fork(sys->model);
    const size_t n_x = (size_t)model->n_x;
    struct grid at = { .sys = sys, .model = model, .n_step = n_step, .n_row = n_row, .p = p, .limits = limits,
                       .levels = grid_levels_of(sys), .start = clock_seconds() };
    struct grid_motions out = { .n = 0 };
    at.layer = mem_alloc((size_t)n_step + 1, sizeof *at.layer);
    at.counts = arena_alloc(&at.mem, n_x + (size_t)sys->n_machine, sizeof *at.counts);
    at.has_clock = at.counts + n_x;
    at.y = arena_alloc(&at.mem, n_x, sizeof *at.y);
    at.u = arena_alloc(&at.mem, (size_t)model->n_u, sizeof *at.u);
    compile(&at);
    find_counting(&at);
    begin(&at, x);
    for (int step = 0; step < n_step && at.levels.n > 0; step++) {
        for (int from = 0; from < at.layer[step].n; from++)
            expand(&at, step, from, &at.layer[step + 1]);
        thin_out(&at, &at.layer[step + 1], step + 1);
    }
    if (at.levels.n > 0 && !is_over(&at))
        take_best(&at, most, &out);
    out.n_simulated = at.n_simulated;
    for (int step = 0; step <= n_step; step++)
        free(at.layer[step].of);
    free(at.layer);
    function_free(&at.running);
    function_free(&at.terminal);
    function_free(&at.conditions);
    sim_free(at.first);
    grid_levels_free(&at.levels);
    arena_free(&at.mem);
    model_free(model);
    return out;
}

int grid_motions_finer(int N)
{
    return N < GRID_POINTS ? (GRID_POINTS + N - 1) / N : 1;
}

void grid_motions_free(struct grid_motions *motions)
{
    for (int k = 0; k < motions->n; k++) {
        free(motions->of[k].t);
        free(motions->of[k].u);
    }
    free(motions->of);
    *motions = (struct grid_motions){ 0 };
}
