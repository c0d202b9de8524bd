/* core/model/impulses.c - controls that are impulsive: moments at which states jump, sizes that are parameters
 *
 *   dv: {bounds: [-1, 1], impulsive: {at: [initial, {min: 1 s, max: 4 s}, final], jump: {v: dv}}}
 *   J:  {bounds: [0, 5], impulsive: {at: [0.5 s, 1 s]}}                # acts where it stands in force and rhs
 *
 * The k-th impulse is parameter dv_k; what it makes of the state is a jump at a boundary of control intervals. Moments
 * that the equidistant grid does not have cut the horizon into stretches with intervals of their own. A moment that is
 * free makes the lengths of the stretches beside it parameters, before_dv_2, and its bounds are rows on their sum.
 */
#include "core/model/read.h"
#include "core/model/shapes.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IMPULSES = 10000 };
static const double SAME = 1e-9;            /* of the horizon: two moments are one, or one that the grid has */
static const double LEAST_WAIT = 1e-6;      /* of the horizon, between impulses at free times */

/* --- Names --------------------------------------------------------------------------------------------------- */

bool impulse_is_meant(const struct spec_node *node)
{
    return node->kind == SPEC_MAPPING && spec_get(node, "impulsive");
}

void impulse_collect(struct reader *r, const struct spec_node *node)
{
    struct model *m = r->model;
    struct model_impulse *one = &m->impulse[m->n_impulse];
    int n = 0;
    *one = (struct model_impulse){ .leader = m->n_impulse };
    variables_add(r, node, node->key, &n, &one->var, &one->sym);
    r->impulse_node[m->n_impulse++] = node;
}

int model_find_impulse(const struct model *m, const char *name)
{
    for (int k = 0; k < m->n_impulse; k++)
        if (strcmp(m->impulse[k].var.name, name) == 0)
            return k;
    return -1;
}

/* --- Parameters ---------------------------------------------------------------------------------------------- */

/* Room for one more of all that is numbered like parameters. */
static void make_room(struct reader *r)
{
    struct model *m = r->model;
    if (m->n_param < r->cap_param)
        return;
    const size_t n = (size_t)m->n_param, cap = 2 * n + 16;
    r->cap_param = (int)cap;
    struct model_param *param = arena_alloc(r->mem, cap, sizeof *param);
    const struct spec_node **node = arena_alloc(r->mem, cap, sizeof *node);
    enum read_state *state = arena_alloc(r->mem, cap, sizeof *state);
    int *p_param = arena_alloc(r->mem, cap, sizeof *p_param);
    expr *p_sym = arena_alloc(r->mem, cap, sizeof *p_sym);
    for (size_t k = 0; k < n; k++) {
        param[k] = m->param[k];
        node[k] = r->param_node[k];
        state[k] = r->param_state[k];
    }
    for (int k = 0; k < m->n_p; k++) {
        p_param[k] = m->p_param[k];
        p_sym[k] = m->p_sym[k];
    }
    m->param = param;
    m->p_param = p_param;
    m->p_sym = p_sym;
    r->param_node = node;
    r->param_state = state;
}

int reader_add_parameter(struct reader *r, const struct model_var *of, const char *name, const char *units, double lb,
                         double ub, double value)
{
    struct model *m = r->model;
    const bool optimize = lb < ub;
    const struct spec_node named = { .kind = SPEC_SCALAR, .key = name, .path = of->path, .pos = of->pos, .key_pos = of->pos };
    make_room(r);
    reader_check_name(r, &named);
    const expr sym = optimize ? expr_sym(r->g, name) : EXPR_NONE;
    m->param[m->n_param] = (struct model_param){
        .name = name, .units = units, .long_name = "", .path = of->path, .pos = of->pos, .value = value, .optimize = optimize,
        .lb = lb, .ub = ub, .size = of->size, .sym = sym, .value_expr = optimize ? sym : expr_const(r->g, lb) };
    r->param_node[m->n_param] = r->root;
    r->param_state[m->n_param] = READ;
    if (optimize) {
        m->p_param[m->n_p] = m->n_param;
        m->p_sym[m->n_p++] = sym;
    }
    m->n_impulse_param++;
    return m->n_param++;
}

/* --- Moments as they are written ----------------------------------------------------------------------------- */

static struct impulse_moment *add_moment(struct moments *list, struct impulse_moment moment)
{
    list->moment = mem_grow(list->moment, list->n, 1, sizeof *list->moment);
    list->moment[list->n] = moment;
    return &list->moment[list->n++];
}

/* About which part of the horizon it is. */
static double part_of(const struct model *m, struct bound b)
{
    return b.has_unit ? b.value / m->horizon : b.value;
}

static enum status read_bound(struct reader *r, const struct spec_node *node, struct bound *out)
{
    struct moment moment;
    const struct model *m = r->model;
    if (reader_moment(r, node, &moment) != STATUS_OK)
        return STATUS_SPEC;
    *out = (struct bound){ moment.value, moment.has_unit };
    if (!(out->value >= 0 && (out->has_unit || out->value <= 1)))
        return spec_error(r->diag, node, "times here are parts of the horizon, from 0 to 1; others have a unit, as \"0.5 %s\"",
                          m->time_unit);
    if (!m->horizon_free && out->has_unit && !(out->value <= m->horizon * (1 + SAME)))
        return spec_error(r->diag, node, "%.15g %s lies outside the horizon, [0, %.15g] %s", out->value, m->time_unit, m->horizon,
                          m->time_unit);
    return STATUS_OK;
}

/* {min:, max:, guess:, number:} */
static void read_free(struct reader *r, const struct spec_node *node, struct moments *list)
{
    const struct spec_node *min = spec_get(node, "min"), *max = spec_get(node, "max"), *guess = spec_get(node, "guess");
    const struct spec_node *number = spec_get(node, "number");
    struct bound lo = { 0, false }, hi = { 1, false }, at;
    int n = 1;
    if (r->model->n_phase) {
        spec_error(r->diag, node, "with phases an impulse is where one begins: its name, whose lengths may be free, initial "
                   "or final");
        return;
    }
    shape_check_keys(r->diag, node, &model_free_moment_shape);
    if ((min && read_bound(r, min, &lo) != STATUS_OK) || (max && read_bound(r, max, &hi) != STATUS_OK)
        || (number && reader_int(r, number, 1, MOST_IMPULSES, &n) != STATUS_OK)
        || (guess && read_bound(r, guess, &at) != STATUS_OK))
        return;
    const double first = part_of(r->model, lo), last = part_of(r->model, hi);
    if (first > last)
        spec_error(r->diag, node, "\"min\" is later than \"max\"");
    else if (guess && n > 1)
        spec_error(r->diag, guess, "several have no one guess: write each as {min:, max:, guess:}");
    else if (guess && !(part_of(r->model, at) >= first - SAME && part_of(r->model, at) <= last + SAME))
        spec_error(r->diag, guess, "lies outside of \"min\" and \"max\"");
    for (int k = 0; k < n; k++)
        add_moment(list, (struct impulse_moment){ .node = node, .is_free = true, .lo = lo, .hi = hi,
                         .part = guess && n == 1 ? part_of(r->model, at) : first + (last - first) * (k + 1) / (n + 1) });
}

static void add_fixed(struct moments *list, const struct spec_node *node, double part)
{
    const struct bound at = { part, false };
    add_moment(list, (struct impulse_moment){ .node = node, .part = part, .lo = at, .hi = at });
}

/* initial, final, or the name of a phase. */
static void read_phase(struct reader *r, const struct spec_node *node, struct moments *list)
{
    const struct model *m = r->model;
    const char *name = node->kind == SPEC_SCALAR ? node->text : "";
    int at = strcmp(name, "initial") == 0 ? 0 : strcmp(name, "final") == 0 ? m->n_intervals : -1;
    for (int k = 0; k < m->n_phase; k++)
        if (strcmp(m->phase[k].name, name) == 0)
            at = m->phase[k].first;
    if (at < 0) {
        spec_error(r->diag, node, "with phases an impulse is where one begins: its name, initial or final");
        return;
    }
    add_fixed(list, node, (double)at / m->n_intervals);
    list->moment[list->n - 1].at = at;
}

static void read_fixed(struct reader *r, const struct spec_node *node, struct moments *list)
{
    const int n = r->model->n_intervals;
    const char *const unit = r->model->time_unit;
    const struct model_places places = reader_places(r, node);
    if (places.at & ~(AT_INITIAL | AT_FINAL | AT_TIMES | AT_INTERVALS)) {
        spec_error(r->diag, node, "an impulse is at times, as 0.5 %s, {every: 1 %s} or {min: 1 %s, max: 2 %s}, initial and "
                   "final among them, or at intervals, where those of the controls begin", unit, unit, unit, unit);
        return;
    }
    if (places.at & AT_INITIAL)
        add_fixed(list, node, 0);
    for (int k = 0; k < places.n_time; k++)
        add_fixed(list, node, places.time[k]);
    for (int i = 0; i < n && places.at & AT_INTERVALS; i++)
        add_fixed(list, node, (double)i / n);
    if (places.at & AT_FINAL)
        add_fixed(list, node, 1);
}

static void read_moment(struct reader *r, const struct spec_node *node, struct moments *list)
{
    if (node->kind == SPEC_MAPPING && !spec_get(node, "every"))
        read_free(r, node, list);
    else if (r->model->n_phase)
        read_phase(r, node, list);
    else
        read_fixed(r, node, list);
}

/* They are numbered in the order of time, which is the one they are written in. */
static void check_order(struct reader *r, const struct moments *list)
{
    for (int k = 1; k < list->n; k++) {
        const struct impulse_moment *before = &list->moment[k - 1], *now = &list->moment[k];
        if (now->part > before->part + SAME)
            continue;
        spec_error(r->diag, now->node, before->is_free || now->is_free
                   ? "is not guessed to be later than the one before: impulses stand in the order of time"
                   : "is not later than the one before: impulses stand in the order of time");
        return;
    }
}

static void read_moments(struct reader *r, int k, const struct spec_node *at)
{
    struct moments *list = &r->impulse_moments[k];
    if (at->kind != SPEC_SEQUENCE)
        read_moment(r, at, list);
    else if (at->n == 0)
        spec_error(r->diag, at, "the list of times is empty");
    for (int i = 0; i < at->n && at->kind == SPEC_SEQUENCE; i++)
        read_moment(r, at->child[i], list);
    check_order(r, list);
    if (list->n > MOST_IMPULSES)
        spec_error(r->diag, at, "these are %d impulses, at most %d are possible", list->n, MOST_IMPULSES);
}

/* --- Moments on the grid of control intervals ------------------------------------------------------------------ */

/* Of all controls, each moment once, without the two ends. */
static struct moments inner_moments(struct reader *r)
{
    struct moments inner = { 0 };
    for (int k = 0; k < r->model->n_impulse; k++)
        for (int i = 0; i < r->impulse_moments[k].n; i++) {
            const struct impulse_moment *one = &r->impulse_moments[k].moment[i];
            bool known = !one->is_free && (one->part <= SAME || one->part >= 1 - SAME);
            for (int j = 0; j < inner.n && !one->is_free; j++)
                known = known || (!inner.moment[j].is_free && fabs(inner.moment[j].part - one->part) <= SAME);
            if (!known)
                add_moment(&inner, *one);
        }
    return inner;
}

static int by_time(const void *a, const void *b)
{
    const double x = ((const struct impulse_moment *)a)->part, y = ((const struct impulse_moment *)b)->part;
    return (x > y) - (x < y);
}

/* Control intervals of each of n stretches, one at least, as their lengths are. */
static void share_intervals(int n_interval, int n, const double *end, int *count)
{
    int left = n_interval;
    for (int k = 0; k < n; k++) {
        const double from = k ? end[k - 1] : 0, rest = 1 - from;
        const int most = left - (n - 1 - k);
        const int share = rest > 0 ? (int)lround(left * (end[k] - from) / rest) : 1;
        count[k] = k == n - 1 ? left : share < 1 ? 1 : share > most ? most : share;
        left -= count[k];
    }
}

static const char *length_name(struct reader *r, const struct model_impulse *of, int k, int n)
{
    return arena_printf(r->mem, k < n ? "before_%s_%d" : "after_%s_%d", of->var.name, k < n ? k + 1 : n);
}

/* How long stretch k is, from one moment to the next: known where both are. */
static void find_length(struct reader *r, const struct moments *inner, int k, int of)
{
    struct model *m = r->model;
    const struct impulse_moment *from = k ? &inner->moment[k - 1] : NULL, *to = k < inner->n ? &inner->moment[k] : NULL;
    const double part = (to ? to->part : 1) - (from ? from->part : 0);
    struct model_stretch *stretch = &m->stretch[k];
    stretch->p = LENGTH_OF_HORIZON;
    stretch->length = part;
    if (!(from && from->is_free) && !(to && to->is_free))
        return;
    const struct model_impulse *impulse = &m->impulse[of];
    const int first = r->impulse_moments[of].n > 0 && r->impulse_moments[of].moment[0].part <= SAME
                      && !r->impulse_moments[of].moment[0].is_free;
    reader_add_parameter(r, &impulse->var, length_name(r, impulse, k + first, inner->n + first), m->time_unit,
                  LEAST_WAIT * m->horizon, fmax(m->horizon_max, m->horizon), part * m->horizon);
    stretch->p = m->n_p - 1;
    stretch->length = 1;
}

static void cut_horizon(struct reader *r, const struct moments *inner, int of)
{
    struct model *m = r->model;
    const int n = inner->n + 1;
    if (m->n_intervals < n) {
        spec_error(r->diag, inner->moment[0].node, "impulses cut the horizon into %d parts, each with a control interval at "
                   "least: time.intervals is %d", n, m->n_intervals);
        return;
    }
    double *end = mem_alloc((size_t)n, sizeof *end);
    int *count = mem_alloc((size_t)n, sizeof *count);
    for (int k = 0; k < n; k++)
        end[k] = k < inner->n ? inner->moment[k].part : 1;
    share_intervals(m->n_intervals, n, end, count);
    m->stretch = arena_alloc(r->mem, (size_t)n, sizeof *m->stretch);
    m->n_stretch = n;
    for (int k = 0, first = 0; k < n; first += count[k++]) {
        m->stretch[k].first = first;
        m->stretch[k].n_interval = count[k];
        find_length(r, inner, k, of);
    }
    free(end);
    free(count);
}

static bool is_on_grid(const struct moments *inner, int n)
{
    bool is_on = true;
    for (int k = 0; k < inner->n; k++) {
        const double place = inner->moment[k].part * n;
        is_on = is_on && !inner->moment[k].is_free && fabs(place - round(place)) <= SAME * n;
    }
    return is_on;
}

/* The boundary of control intervals that a moment has become. */
static int boundary_of(const struct model *m, const struct impulse_moment *one)
{
    if (!one->is_free && (one->part <= SAME || one->part >= 1 - SAME))
        return one->part <= SAME ? 0 : m->n_intervals;
    if (m->n_stretch == 0)
        return (int)lround(one->part * m->n_intervals);
    double part = 0, nearest = INFINITY;
    int at = 0;
    for (int k = 0; k + 1 < m->n_stretch; k++) {
        const struct model_stretch *stretch = &m->stretch[k];
        part += stretch->p >= 0 ? m->param[m->p_param[stretch->p]].value / m->horizon : stretch->length;
        if (fabs(part - one->part) < nearest) {
            nearest = fabs(part - one->part);
            at = stretch[1].first;
        }
    }
    return at;
}

/* Whose moments are free; -1: none's. Two that are could be in any order. */
static int find_free(struct reader *r)
{
    int of = -1;
    for (int k = 0; k < r->model->n_impulse; k++) {
        const struct moments *list = &r->impulse_moments[k];
        for (int i = 0; i < list->n; i++) {
            if (!list->moment[i].is_free || of == k)
                continue;
            if (of >= 0)
                spec_error(r->diag, list->moment[i].node, "times of %s are free, too, and may come before or after: act with "
                           "it, as impulsive: {with: %s}", r->model->impulse[of].var.name, r->model->impulse[of].var.name);
            of = k;
        }
    }
    for (int k = 0; k < r->model->n_impulse && of >= 0; k++)
        for (int i = 0; i < r->impulse_moments[k].n; i++) {
            const struct impulse_moment *one = &r->impulse_moments[k].moment[i];
            if (k != of && !one->is_free && one->part > SAME && one->part < 1 - SAME) {
                spec_error(r->diag, one->node, "times of %s are free and may come before or after: write this one among them",
                           r->model->impulse[of].var.name);
                return of;
            }
        }
    return of;
}

static void lay_out(struct reader *r)
{
    struct model *m = r->model;
    struct moments inner = inner_moments(r);
    const int of = find_free(r);
    if (inner.n > 0)
        qsort(inner.moment, (size_t)inner.n, sizeof *inner.moment, by_time);
    if (!m->n_phase && m->n_intervals > 0 && !is_on_grid(&inner, m->n_intervals))
        cut_horizon(r, &inner, of);
    for (int k = 0; k < m->n_impulse; k++)
        for (int i = 0; i < r->impulse_moments[k].n; i++) {
            struct impulse_moment *one = &r->impulse_moments[k].moment[i];
            if (!m->n_phase)
                one->at = boundary_of(m, one);
        }
    free(inner.moment);
}

/* --- Sizes --------------------------------------------------------------------------------------------------- */

/* One guess for all, or one each. */
static double guess_of(struct reader *r, const struct spec_node *guess, const struct model_var *var, int k, int n)
{
    double value = isnan(var->guess) ? 0 : var->guess;
    if (guess && guess->kind == SPEC_SEQUENCE && guess->n == n)
        reader_finite(r, guess->child[k], &value);
    return fmin(fmax(value, var->lb), var->ub);
}

static void add_impulses(struct reader *r, int k)
{
    struct model *m = r->model;
    struct model_impulse *one = &m->impulse[k];
    const struct moments *list = &r->impulse_moments[one->leader];
    const struct spec_node *guess = spec_get(r->impulse_node[k], "guess");
    one->n = list->n;
    one->at = arena_alloc(r->mem, (size_t)list->n, sizeof *one->at);
    one->param = arena_alloc(r->mem, (size_t)list->n, sizeof *one->param);
    if (guess && guess->kind == SPEC_SEQUENCE && guess->n != list->n)
        spec_error(r->diag, guess, "a list has one number per impulse: %d are needed, not %d", list->n, guess->n);
    for (int i = 0; i < list->n; i++) {
        one->at[i] = list->moment[i].at;
        one->param[i] = reader_add_parameter(r, &one->var, arena_printf(r->mem, "%s_%d", one->var.name, i + 1), one->var.units,
                                      one->var.lb, one->var.ub, guess_of(r, guess, &one->var, i, list->n));
    }
}

static void read_leader(struct reader *r, int k, const struct spec_node *with)
{
    const char *name = with->kind == SPEC_SCALAR ? with->text : "";
    const int leader = model_find_impulse(r->model, name);
    if (leader < 0)
        spec_error(r->diag, with, "\"%s\" is no impulsive control", name);
    else if (leader == k || spec_get(spec_get(r->impulse_node[leader], "impulsive"), "with"))
        spec_error(r->diag, with, "%s has no times of its own", name);
    else
        r->model->impulse[k].leader = leader;
}

static void read_one(struct reader *r, int k)
{
    const struct spec_node *node = r->impulse_node[k], *block = spec_get(node, "impulsive"), *guess = spec_get(node, "guess");
    struct model_var *var = &r->model->impulse[k].var;
    static const char *const others[] = { "values", "hold", "rate", "initial", "final" };
    const char *const unit = r->model->time_unit;
    shape_check_keys(r->diag, node, &model_control_shape);
    var->initial.kind = END_FREE;
    variables_read_but_guess(r, node, var);
    if (guess && guess->kind == SPEC_SCALAR)
        reader_finite(r, guess, &var->guess);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (spec_get(node, others[i]))
            spec_error(r->diag, spec_get(node, others[i]), "an impulsive control has no \"%s\": it acts at moments alone",
                       others[i]);
    if (block->kind != SPEC_MAPPING) {
        spec_error(r->diag, block, "expected {at: times}, as {at: [0.5 %s, 1 %s]}", unit, unit);
        return;
    }
    shape_check_keys(r->diag, block, &model_impulsive_shape);
    const struct spec_node *at = spec_get(block, "at"), *with = spec_get(block, "with");
    if (with && at)
        spec_error(r->diag, with, "\"at\" are times of its own, \"with\" those of another one: one of the two");
    else if (with)
        read_leader(r, k, with);
    else if (at)
        read_moments(r, k, at);
    else
        spec_error(r->diag, block, "\"at\" is missing: the times, as [0.5 %s, 1 %s], or \"with\", whose times these are",
                   unit, unit);
}

/* Where nothing is known of when control intervals end there are no jumps between them. */
static void check_grid(struct reader *r)
{
    const struct model *m = r->model;
    const struct spec_node *node = spec_get(r->impulse_node[0], "impulsive");
    if (strcmp(reader_word(r, spec_get(r->root, "discretization"), "control_grid"), "free") == 0)
        spec_error(r->diag, node, "with discretization.control_grid: free no interval ends at a given time");
    for (int k = 0; k < m->n_u; k++)
        if (m->u[k].n_value)
            spec_error(r->diag, node, "with %s.values control intervals end where that switches: give times of both by phases",
                       m->u[k].path);
}

void model_read_impulses(struct reader *r)
{
    struct model *m = r->model;
    if (m->n_impulse == 0)
        return;
    r->impulse_moments = arena_alloc(r->mem, (size_t)m->n_impulse, sizeof *r->impulse_moments);
    const int before = diag_n_errors(r->diag);
    for (int k = 0; k < m->n_impulse; k++)
        read_one(r, k);
    check_grid(r);
    if (isnan(m->horizon) || m->n_intervals == 0)
        diag_error(r->diag, m->impulse[0].var.pos, m->impulse[0].var.path, "an impulsive control needs time.horizon and "
                   "time.intervals, or phases");
    else if (diag_n_errors(r->diag) == before)
        lay_out(r);
    for (int k = 0; k < m->n_impulse; k++)
        add_impulses(r, k);
}

/* --- Bounds of times that are free ---------------------------------------------------------------------------- */

static expr length_of(struct reader *r, const struct model_stretch *stretch)
{
    const struct model *m = r->model;
    return stretch->p >= 0 ? m->p_sym[stretch->p] : expr_scale(r->g, stretch->length, m->T_sym);
}

/* time - b, a number where b is one. */
static double bound_row(struct reader *r, struct bound b, expr time, expr *e)
{
    const struct model *m = r->model;
    *e = b.has_unit || !m->horizon_free ? time : expr_sub(r->g, time, expr_scale(r->g, b.value, m->T_sym));
    return b.has_unit ? b.value : m->horizon_free ? 0 : b.value * m->horizon;
}

static void add_row(struct reader *r, const struct impulse_moment *one, const char *name, expr e, double lb, double ub)
{
    struct model *m = r->model;
    reader_make_constraint_room(r, 1);
    m->constraint[m->n_constraint++] = (struct model_constraint){
        .name = name, .path = one->node->path, .pos = one->node->pos, .e = e, .lb = lb, .ub = ub, .at = AT_FINAL };
}

static void bound_times(struct reader *r, const struct model_impulse *of, const struct moments *list)
{
    const struct model *m = r->model;
    for (int k = 0; k < list->n; k++) {
        const struct impulse_moment *one = &list->moment[k];
        expr time = expr_const(r->g, 0), above, below;
        bool is_known = true;
        for (int j = 0; j < m->n_stretch && m->stretch[j].first < one->at; j++) {
            time = expr_add(r->g, time, length_of(r, &m->stretch[j]));
            is_known = is_known && m->stretch[j].p < 0;
        }
        if (is_known || one->at == m->n_intervals)
            continue;
        const char *name = arena_printf(r->mem, "time of %s_%d", of->var.name, k + 1);
        const double lb = bound_row(r, one->lo, time, &above), ub = bound_row(r, one->hi, time, &below);
        if (above == below) {
            add_row(r, one, name, above, lb, ub);
        } else {
            add_row(r, one, name, above, lb, INFINITY);
            add_row(r, one, name, below, -INFINITY, ub);
        }
    }
}

void model_bound_impulses(struct reader *r)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->n_impulse && m->n_stretch && !m->n_phase; k++)
        if (m->impulse[k].leader == k)
            bound_times(r, &m->impulse[k], &r->impulse_moments[k]);
    for (int k = 0; k < m->n_impulse; k++)
        free(r->impulse_moments[k].moment);
}
