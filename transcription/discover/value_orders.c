#include "transcription/discover/value_orders.h"

#include "core/base/mem.h"
#include "core/model/starts.h"
#include "transcription/candidates/budget.h"
#include "transcription/finish/admissible.h"
#include "transcription/finish/better.h"
#include "transcription/finish/rounding.h"
#include "transcription/proposals/grid_motions.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ORDER_GAP 2e-3              /* of the best order's cost: what cannot be cheaper by that is not looked for */
#define ORDER_SHARE 1.0             /* of all work before: nodes since the last better order, a moment at least */
#define ORDER_WHOLE 1e-3            /* of the way between two values: nearer is that value */
enum { ORDER_NODES = 1000 };        /* programs of nodes: 24 intervals with stays take some hundred */

/* Values by interval, NAN: relaxed; and what it costs at least. */
struct node { double bound, *value; };

struct branching {
    struct discovery *at;
    const struct finish *relaxed;
    struct samples *from;
    const struct model *model;
    int n, n_u;                     /* intervals, controls */
    int n_open;
    struct node *open;
    int n_tried;
    double *tried;                  /* [n_tried * n * n_u] orders that were solved */
    double until;                   /* work of the solve at which nodes since the last better order were enough */
    struct value_orders *out;
};

static size_t node_size(const struct branching *b)
{
    return (size_t)(b->n * b->n_u);
}

/* --- Programs ------------------------------------------------------------------------------------------------- */

static double best_cost(const struct branching *b)
{
    return b->out->n ? b->out->best[0].objective : INFINITY;
}

/* What a node has to cost less than. */
static double cutoff(const struct branching *b)
{
    return b->out->n ? best_cost(b) - ORDER_GAP * fabs(best_cost(b)) : INFINITY;
}

static int count_starts(const struct branching *b, const struct finish *one)
{
    int n = 0;
    for (int k = 0; k < b->n_u; k++)
        n += b->model->u[k].starts.given ? starts_count(b->model, k, b->n, one->ph->grid.value) : 0;
    return n;
}

/* A run that comes to more than `beat` is given up. */
static enum status solve(struct branching *b, const double *value, double beat, struct finish *out)
{
    struct finish_task task = discovery_task(b->at, SEARCH_STAGES, 1);
    task.grid.free_intervals = false;
    task.grid.value = value;
    task.must_beat = isfinite(beat);
    task.beat = beat;
    const enum status st =
        finish_solve(&task, b->relaxed->ph->seq, b->from, FINISH_WARM, FINISH_MAX_ITER, out, b->at->diag);
    finish_descend(out, b->relaxed);
    return st;
}

static void drop_order(struct value_orders *out, int k)
{
    finish_free(&out->best[k]);
    out->n--;
    memmove(&out->best[k], &out->best[k + 1], (size_t)(out->n - k) * sizeof *out->best);
}

static void begin_patience(struct branching *b)
{
    b->until = budget_spent(b->at) + budget_share(b->at, ORDER_SHARE);
}

static bool is_patient(const struct branching *b)
{
    return b->out->n_node < ORDER_NODES && (b->out->n == 0 || budget_spent(b->at) <= b->until);
}

/* Takes it over where it is the best with as many starts, and among the best. */
static void keep_order(struct branching *b, struct finish *one)
{
    struct value_orders *out = b->out;
    int same = 0;
    while (one->solved && same < out->n && count_starts(b, &out->best[same]) != count_starts(b, one)) same++;
    if (!one->solved || (same < out->n && out->best[same].objective <= one->objective)) {
        finish_free(one);
        return;
    }
    if (same < out->n)
        drop_order(out, same);
    int place = out->n;
    while (place > 0 && one->objective < out->best[place - 1].objective) place--;
    if (place == VALUE_ORDERS_KEPT) {
        finish_free(one);
        return;
    }
    if (out->n == VALUE_ORDERS_KEPT)
        drop_order(out, out->n - 1);
    memmove(&out->best[place + 1], &out->best[place], (size_t)(out->n - place) * sizeof *out->best);
    out->best[place] = *one;
    out->n++;
    if (place == 0)
        begin_patience(b);
}

/* --- An order of each node ------------------------------------------------------------------------------------- */

static bool is_tried(struct branching *b, const double *value)
{
    const size_t size = node_size(b);
    for (int k = 0; k < b->n_tried; k++) {
        bool same = true;
        for (size_t i = 0; i < size && same; i++)
            same = isnan(value[i]) || value[i] == b->tried[(size_t)k * size + i];
        if (same)
            return true;
    }
    b->tried = mem_grow(b->tried, b->n_tried, 1, size * sizeof *b->tried);
    memcpy(b->tried + (size_t)b->n_tried++ * size, value, size * sizeof *value);
    return false;
}

/* What control k may be in each interval of a node. */
static void may_be(const struct branching *b, int k, const double *value, unsigned char *may)
{
    for (int i = 0; i < b->n; i++) {
        const double one = value[i * b->n_u + k];
        may[i] = isnan(one) ? MAY_BE_OFF | MAY_BE_ON : starts_is_on(&b->model->u[k], one) ? MAY_BE_ON : MAY_BE_OFF;
    }
}

/* The admissible order next to a relaxed solution, within its node. */
static bool round_node(const struct branching *b, const double *value, const struct finish *one, double *order)
{
    unsigned char *may = mem_alloc((size_t)b->n, 1);
    double *u = mem_alloc(2 * (size_t)b->n, sizeof *u), *rounded = u + b->n;
    bool any = true;
    for (int k = 0; k < b->n_u && any; k++) {
        for (int i = 0; i < b->n; i++) {
            order[i * b->n_u + k] = NAN;
            u[i] = one->w[one->ph->at.u[i] + k];
        }
        if (!b->model->u[k].n_value)
            continue;
        may_be(b, k, value, may);
        any = admissible_round(b->model, k, may, u, rounded);
        for (int i = 0; i < b->n && any; i++)
            order[i * b->n_u + k] = rounded[i];
    }
    free(u);
    free(may);
    return any;
}

static enum status try_order(struct branching *b, const double *order)
{
    struct finish leaf;
    if (is_tried(b, order))
        return STATUS_OK;
    const enum status st = solve(b, order, INFINITY, &leaf);
    counts_candidate(discovery_counts(b->at), VALUE_ORDERS, leaf.solved,
                     leaf.solved && leaf.objective < best_cost(b));
    if (st == STATUS_OK)
        keep_order(b, &leaf);
    else
        finish_free(&leaf);
    return st;
}

/* Orders of motions with a few values of the controls: good ones to begin with. */
static enum status try_motions(struct branching *b)
{
    const struct simulated_limits limits = discovery_limits(b->at);
    const double T = b->model->time.horizon;
    struct counting counting;
    if (!counts_begin(discovery_counts(b->at), BY_GRID_MOTIONS, &counting))
        return STATUS_OK;
    double *x = mem_alloc((size_t)b->from->n_y, sizeof *x), *order = mem_alloc(node_size(b), sizeof *order);
    enum status st = STATUS_OK;
    samples_at(b->from, 0, 0, x);
    struct grid_motions motions =
        grid_motions_find(b->at->out->sys, b->n, b->n, x, b->from->p, GRID_ORDERS, &limits);
    for (int j = 0; j < motions.n && st == STATUS_OK && !discovery_must_stop(b->at); j++) {
        const struct grid_motion *one = &motions.of[j];
        for (int i = 0, row = 0; i < b->n; i++) {
            while (row + 1 < one->n_row && one->t[row + 1] < T * (i + 0.5) / b->n) row++;
            for (int k = 0; k < b->n_u; k++)
                order[i * b->n_u + k] = b->model->u[k].n_value ? one->u[row * b->n_u + k] : NAN;
        }
        st = try_order(b, order);
    }
    grid_motions_free(&motions);
    counts_end(&counting);
    free(order);
    free(x);
    return st;
}

/* --- Nodes ---------------------------------------------------------------------------------------------------- */

/* How far u is from its nearest value, of the way between the two beside it. */
static double distance_of(const struct model_var *var, double u)
{
    const double near = rounding_value(var, u, false), other = rounding_value(var, u, true);
    return fabs(u - near) / fabs(other - near);
}

/* Where the relaxed controls of a solution are farthest from any value: interval * n_u +
 * control, -1: all have one. */
static int find_branch(const struct branching *b, const double *value, const struct finish *one)
{
    double most = ORDER_WHOLE;
    int place = -1;
    for (int i = 0; i < b->n; i++)
        for (int k = 0; k < b->n_u; k++) {
            const struct model_var *var = &b->model->u[k];
            const double far =
                var->n_value && isnan(value[i * b->n_u + k]) ? distance_of(var, one->w[one->ph->at.u[i] + k]) : 0;
            if (far > most) {
                most = far;
                place = i * b->n_u + k;
            }
        }
    return place;
}

/* Of two values, those that stays leave no choice take the one that is left. False: there is no order. */
static bool narrow(const struct branching *b, double *value)
{
    unsigned char *may = mem_alloc((size_t)b->n, 1);
    bool any = true;
    for (int k = 0; k < b->n_u && any; k++) {
        const struct model_var *u = &b->model->u[k];
        if (!u->n_value)
            continue;
        may_be(b, k, value, may);
        any = admissible_narrow(b->model, k, may);
        for (int i = 0; i < b->n && any; i++)
            if (isnan(value[i * b->n_u + k]) && (may[i] == MAY_BE_OFF || (may[i] == MAY_BE_ON && u->n_value == 2)))
                value[i * b->n_u + k] = u->value[may[i] == MAY_BE_ON];
    }
    free(may);
    return any;
}

static void open_node(struct branching *b, double bound, const double *value, int place, double one)
{
    double *mine = mem_alloc(node_size(b), sizeof *mine);
    memcpy(mine, value, node_size(b) * sizeof *mine);
    if (place >= 0)
        mine[place] = one;
    if (!narrow(b, mine)) {
        free(mine);
        return;
    }
    b->open = mem_grow(b->open, b->n_open, 1, sizeof *b->open);
    b->open[b->n_open++] = (struct node){ bound, mine };
}

/* The cheapest one, of equal ones the last. */
static struct node take_node(struct branching *b)
{
    int best = 0;
    for (int k = 1; k < b->n_open; k++)
        if (b->open[k].bound <= b->open[best].bound)
            best = k;
    const struct node node = b->open[best];
    b->open[best] = b->open[--b->n_open];
    return node;
}

/* Solves a node, and opens those below it. A program that has not converged says nothing,
 * so that its own bound stays. */
static enum status expand(struct branching *b, const struct node *node)
{
    struct finish one;
    enum status st = solve(b, node->value, cutoff(b), &one);
    b->out->n_node++;
    const bool is_lost = !one.solved && (one.given_up != GIVEN_UP_NOT || one.outcome == NLP_INFEASIBLE);
    const double bound = one.solved ? fmax(one.objective, node->bound) : node->bound;
    if (st == STATUS_OK && !is_lost && bound < cutoff(b)) {
        double *order = mem_alloc(node_size(b), sizeof *order);
        if (round_node(b, node->value, &one, order))
            st = try_order(b, order);
        free(order);
        const int place = find_branch(b, node->value, &one);
        const struct model_var *var = place >= 0 ? &b->model->u[place % b->n_u] : NULL;
        for (int j = 0; var && j < var->n_value; j++)
            open_node(b, bound, node->value, place, var->value[j]);
    }
    finish_free(&one);
    return st;
}

enum status value_orders_search(struct discovery *at, const struct finish *relaxed, struct value_orders *out)
{
    const struct model *model = at->task->model;
    *out = (struct value_orders){ .bound = INFINITY };
    struct branching b = { .at = at, .relaxed = relaxed, .from = samples_of(relaxed->ph, relaxed->w), .model = model,
                           .n = model->time.n_intervals, .n_u = model->n_u, .out = out };
    double *none = mem_alloc(node_size(&b), sizeof *none);
    enum status st = STATUS_OK;
    for (size_t i = 0; i < node_size(&b); i++)
        none[i] = NAN;
    open_node(&b, -INFINITY, none, -1, 0);
    st = try_motions(&b);
    while (b.n_open > 0 && is_patient(&b) && st == STATUS_OK && !discovery_must_stop(at)) {
        const struct node node = take_node(&b);
        if (node.bound < cutoff(&b))
            st = expand(&b, &node);
        free(node.value);
    }
    out->bound = cutoff(&b);
    for (int k = 0; k < b.n_open; k++) {
        out->bound = fmin(out->bound, b.open[k].bound);
        free(b.open[k].value);
    }
    free(none);
    free(b.open);
    free(b.tried);
    samples_free(b.from);
    return st;
}

void value_orders_free(struct value_orders *orders)
{
    for (int k = 0; k < orders->n; k++)
        finish_free(&orders->best[k]);
    orders->n = 0;
}
