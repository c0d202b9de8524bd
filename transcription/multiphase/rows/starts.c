/* Starts of controls with values, and how long these stay on and off (core/model/starts.h).
 *
 * Where all values are known, what their starts cost is a number, and of intervals of free lengths those of a
 * stay add up to min_on or min_off at least. Where some are relaxed, on_i in [0, 1] says how far the control is
 * on in interval i, and
 *
 *   0 <= start_i,   on_i - on_(i-1) <= start_i                  start_cost is paid for it in part             (1)
 *   start_(i-L+1) + .. + start_i <= on_i                        min_on is L intervals                         (2)
 *   start_(i-L+1) + .. + start_i <= 1 - on_(i-L)                min_off is L intervals                        (3)
 *   start_0 + .. + start_(N-1) <= most                                                                        (4)
 *
 * (2) and (3) with (1) are the convex hull of all orders with such stays (D. Rajan, S. Takriti, Minimum
 * up/down polytopes of the unit commitment problem with start-up costs, IBM RC23628, 2005). They are of
 * intervals of equal known lengths.
 */
#include "transcription/multiphase/rows/rows.h"

#include "core/base/mem.h"
#include "core/model/starts.h"

#include <math.h>
#include <stdlib.h>

/* known + coef w_var; var -1: known alone. */
struct part { int var; double coef, known; };

/* lb <= sum of parts <= ub. */
struct sum { double lb, ub; int n; struct part *part; };

struct relaxed {
    struct phases *ph;
    int k;                          /* the control */
    const struct model_var *u;
    struct part *on, *start;        /* [n_interval] */
    struct sum sum;                 /* the row that is being made */
};

static struct mpcc_label label_of(const struct relaxed *at, const char *what, int i)
{
    const char *name = arena_printf(&at->ph->mem, "%s of %s", what, at->u->name);
    return (struct mpcc_label){ name, at->u->starts.pos, at->u->path, i, -1, -1 };
}

/* --- A row --------------------------------------------------------------------------------------------------- */

static void sum_begin(struct relaxed *at, double lb, double ub)
{
    at->sum.lb = lb;
    at->sum.ub = ub;
    at->sum.n = 0;
}

static void sum_add(struct relaxed *at, struct part part, double factor)
{
    at->sum.lb -= factor * part.known;
    at->sum.ub -= factor * part.known;
    if (part.var >= 0)
        at->sum.part[at->sum.n++] = (struct part){ part.var, factor * part.coef, 0 };
}

/* None where it is one of known parts alone. */
static void sum_end(struct relaxed *at, const char *what, int i)
{
    if (at->sum.n == 0)
        return;
    const int row = program_row(at->ph->prog, at->sum.lb, at->sum.ub, label_of(at, what, i));
    for (int j = 0; j < at->sum.n; j++)
        program_linear(at->ph->prog, row, at->sum.part[j].var, at->sum.part[j].coef);
}

/* --- Relaxed values ------------------------------------------------------------------------------------------ */

static struct part on_before(const struct relaxed *at, int i)
{
    return i > 0 ? at->on[i - 1] : (struct part){ -1, 0, starts_is_on(at->u, at->u->starts.before) };
}

static double known_value(const struct phases *ph, int k, int i)
{
    return ph->grid.value ? ph->grid.value[i * ph->sys->model->n_u + k] : NAN;
}

/* Of two values the control says it; of more it may be on where it lies between its least and its largest one. */
static void add_on(struct relaxed *at, int i)
{
    const struct model_var *u = at->u;
    const double value = known_value(at->ph, at->k, i), width = u->ub - u->lb;
    const struct part control = { at->ph->at.u[i] + at->k, 1, 0 };
    if (!isnan(value)) {
        at->on[i] = (struct part){ -1, 0, starts_is_on(u, value) };
        return;
    }
    if (u->n_value == 2) {
        at->on[i] = (struct part){ control.var, 1 / width, -u->lb / width };
        return;
    }
    at->on[i] = (struct part){ program_var(at->ph->prog, 0, 1, 0.5, label_of(at, "how far it is on", i)), 1, 0 };
    sum_begin(at, -INFINITY, u->lb);
    sum_add(at, control, 1);
    sum_add(at, at->on[i], -width);
    sum_end(at, "largest value", i);
    sum_begin(at, u->lb, INFINITY);
    sum_add(at, control, 1);
    sum_add(at, at->on[i], -(u->value[1] - u->lb));
    sum_end(at, "least value on", i);
}

static bool is_known(struct part part, double value)
{
    return part.var < 0 && part.known == value;
}

/* (1) */
static void add_start(struct relaxed *at, int i)
{
    const struct part on = at->on[i], before = on_before(at, i);
    if (is_known(on, 0) || is_known(before, 1) || (on.var < 0 && before.var < 0)) {
        at->start[i] = (struct part){ -1, 0, on.known > before.known && on.var < 0 && before.var < 0 };
        program_add_cost(at->ph->prog, at->u->starts.cost * at->start[i].known);
        return;
    }
    const int var = program_var(at->ph->prog, 0, 1, 0.5, label_of(at, "start", i));
    at->start[i] = (struct part){ var, 1, 0 };
    if (at->u->starts.cost > 0)
        program_linear(at->ph->prog, PROGRAM_COST, var, at->u->starts.cost);
    sum_begin(at, 0, INFINITY);
    sum_add(at, at->start[i], 1);
    sum_add(at, on, -1);
    sum_add(at, before, 1);
    sum_end(at, "start", i);
}

/* The starts of `length` intervals up to i. */
static void sum_starts(struct relaxed *at, int i, int length)
{
    for (int j = i - length + 1 > 0 ? i - length + 1 : 0; j <= i; j++)
        sum_add(at, at->start[j], 1);
}

/* (2), (3) */
static void add_stays(struct relaxed *at)
{
    const struct model *model = at->ph->sys->model;
    const int on = starts_intervals(model, at->u->starts.min_on),
              off = starts_intervals(model, at->u->starts.min_off);
    for (int i = 0; i < at->ph->n_interval; i++) {
        if (on > 1) {
            sum_begin(at, -INFINITY, 0);
            sum_starts(at, i, on);
            sum_add(at, at->on[i], -1);
            sum_end(at, "least stay on", i);
        }
        if (off > 1) {
            sum_begin(at, -INFINITY, 1);
            sum_starts(at, i, off);
            sum_add(at, on_before(at, i - off + 1 > 0 ? i - off + 1 : 0), 1);
            sum_end(at, "least stay off", i);
        }
    }
}

static void add_relaxed(struct phases *ph, int k)
{
    const size_t n = (size_t)ph->n_interval;
    const struct model_var *u = &ph->sys->model->u[k];
    struct part *part = mem_alloc(4 * n + 2, sizeof *part);
    struct relaxed at = { .ph = ph, .k = k, .u = u, .on = part, .start = part + n, .sum.part = part + 2 * n };
    for (int i = 0; i < ph->n_interval; i++) {
        add_on(&at, i);
        add_start(&at, i);
    }
    if (!ph->grid.free_intervals && !ph->sys->model->time.horizon_free)
        add_stays(&at);
    if (u->starts.most >= 0) {
        sum_begin(&at, -INFINITY, u->starts.most);
        sum_starts(&at, ph->n_interval - 1, ph->n_interval);
        sum_end(&at, "number of starts", -1);
    }
    free(part);
}

/* --- Known values -------------------------------------------------------------------------------------------- */

static bool are_known(const struct phases *ph, int k)
{
    bool known = true;
    for (int i = 0; i < ph->n_interval; i++)
        known = known && !isnan(known_value(ph, k, i));
    return known;
}

static void add_stay(struct phases *ph, int k, const struct starts_stay *stay)
{
    const struct model_var *u = &ph->sys->model->u[k];
    const double least = stay->is_on ? u->starts.min_on : u->starts.min_off;
    if (!stay->is_whole || !(least > 0))
        return;
    const char *name = arena_printf(&ph->mem, "least stay of %s %s", u->name, stay->is_on ? "on" : "off");
    const int row = program_row(ph->prog, least, INFINITY,
                                (struct mpcc_label){ name, u->starts.pos, u->path, stay->first, -1, -1 });
    for (int i = 0; i < ph->n_piece; i++)
        if (ph->piece[i].interval >= stay->first && ph->piece[i].interval < stay->end)
            program_linear(ph->prog, row, ph->piece[i].length, ph->piece[i].coef);
}

static void add_known(struct phases *ph, int k)
{
    const struct model *model = ph->sys->model;
    struct starts_stay *stay = mem_alloc((size_t)ph->n_interval, sizeof *stay);
    const int n = starts_stays(model, k, ph->n_interval, ph->grid.value, stay);
    program_add_cost(ph->prog, model->u[k].starts.cost * starts_count(model, k, ph->n_interval, ph->grid.value));
    for (int j = 0; j < n && ph->grid.free_intervals; j++)
        add_stay(ph, k, &stay[j]);
    free(stay);
}

void phases_add_starts(struct phases *ph)
{
    const struct model *model = ph->sys->model;
    for (int k = 0; k < model->n_u; k++)
        if (model->u[k].starts.given && are_known(ph, k))
            add_known(ph, k);
        else if (model->u[k].starts.given)
            add_relaxed(ph, k);
}
