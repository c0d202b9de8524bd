/* Moments at which impulses act and steps jump, on the grid of control intervals: the horizon
 * is cut where they need it. */
#include "core/model/variables/read.h"

#include "core/base/mem.h"
#include "core/model/variables/impulses.h"

#include <math.h>
#include <stdlib.h>

static const double LEAST_WAIT = 1e-6;      /* of the horizon, between impulses at free times */

/* Each moment once, without the two ends. */
static void add_inner(struct moments *inner, const struct impulse_moment *one)
{
    bool known = !one->is_free && (one->part <= SAME_MOMENT || one->part >= 1 - SAME_MOMENT);
    for (int j = 0; j < inner->n && !one->is_free; j++)
        known = known || (!inner->moment[j].is_free && fabs(inner->moment[j].part - one->part) <= SAME_MOMENT);
    if (!known)
        impulse_add_moment(inner, *one);
}

/* Of all impulsive controls and steps. */
static struct moments inner_moments(struct reader *r)
{
    const struct model *m = r->model;
    struct moments inner = { 0 };
    for (int k = 0; k < m->impulses.n_impulse; k++)
        for (int i = 0; i < r->impulse_moments[k].n; i++)
            add_inner(&inner, &r->impulse_moments[k].moment[i]);
    for (int k = 0; k < m->time.n_steps; k++)
        for (int i = 1; i < m->time.steps[k].n; i++)
            add_inner(&inner, &(struct impulse_moment){ .node = r->steps_node[k], .part = m->time.steps[k].part[i] });
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
    struct model_stretch *stretch = &m->time.stretch[k];
    stretch->p = LENGTH_OF_HORIZON;
    stretch->length = part;
    if (!(from && from->is_free) && !(to && to->is_free))
        return;
    const struct model_impulse *impulse = &m->impulses.impulse[of];
    const int first = r->impulse_moments[of].n > 0 && r->impulse_moments[of].moment[0].part <= SAME_MOMENT
                      && !r->impulse_moments[of].moment[0].is_free;
    reader_add_parameter(r, &impulse->var, length_name(r, impulse, k + first, inner->n + first), m->time.unit,
                  LEAST_WAIT * m->time.horizon, fmax(m->time.horizon_max, m->time.horizon), part * m->time.horizon);
    stretch->p = m->n_p - 1;
    stretch->length = 1;
}

static void cut_horizon(struct reader *r, const struct moments *inner, int of)
{
    struct model *m = r->model;
    const int n = inner->n + 1;
    if (m->time.n_intervals < n) {
        spec_error(r->diag, inner->moment[0].node,
                   "what jumps at given times cuts the horizon into %d parts, each with a control interval at "
                   "least: time.intervals is %d",
                   n, m->time.n_intervals);
        return;
    }
    double *end = mem_alloc((size_t)n, sizeof *end);
    int *count = mem_alloc((size_t)n, sizeof *count);
    for (int k = 0; k < n; k++)
        end[k] = k < inner->n ? inner->moment[k].part : 1;
    share_intervals(m->time.n_intervals, n, end, count);
    m->time.stretch = arena_alloc(r->mem, (size_t)n, sizeof *m->time.stretch);
    m->time.n_stretch = n;
    for (int k = 0, first = 0; k < n; first += count[k++]) {
        m->time.stretch[k].first = first;
        m->time.stretch[k].n_interval = count[k];
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
        is_on = is_on && !inner->moment[k].is_free && fabs(place - round(place)) <= SAME_MOMENT * n;
    }
    return is_on;
}

/* The boundary of control intervals that a moment has become. */
static int boundary_of(const struct model *m, const struct impulse_moment *one)
{
    if (!one->is_free && (one->part <= SAME_MOMENT || one->part >= 1 - SAME_MOMENT))
        return one->part <= SAME_MOMENT ? 0 : m->time.n_intervals;
    if (m->time.n_stretch == 0)
        return (int)lround(one->part * m->time.n_intervals);
    double part = 0, nearest = INFINITY;
    int at = 0;
    for (int k = 0; k + 1 < m->time.n_stretch; k++) {
        const struct model_stretch *stretch = &m->time.stretch[k];
        part += stretch->p >= 0 ? m->param[m->p_param[stretch->p]].value / m->time.horizon : stretch->length;
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
    for (int k = 0; k < r->model->impulses.n_impulse; k++) {
        const struct moments *list = &r->impulse_moments[k];
        for (int i = 0; i < list->n; i++) {
            if (!list->moment[i].is_free || of == k)
                continue;
            if (of >= 0)
                spec_error(r->diag, list->moment[i].node,
                           "times of %s are free, too, and may come before or after: act with "
                           "it, as impulsive: {with: %s}",
                           r->model->impulses.impulse[of].var.name, r->model->impulses.impulse[of].var.name);
            of = k;
        }
    }
    for (int k = 0; k < r->model->impulses.n_impulse && of >= 0; k++)
        for (int i = 0; i < r->impulse_moments[k].n; i++) {
            const struct impulse_moment *one = &r->impulse_moments[k].moment[i];
            if (k != of && !one->is_free && one->part > SAME_MOMENT && one->part < 1 - SAME_MOMENT) {
                spec_error(r->diag, one->node,
                           "times of %s are free and may come before or after: write this one among them",
                           r->model->impulses.impulse[of].var.name);
                return of;
            }
        }
    return of;
}

void impulses_lay_out(struct reader *r)
{
    struct model *m = r->model;
    struct moments inner = inner_moments(r);
    const int of = find_free(r);
    if (inner.n > 0)
        qsort(inner.moment, (size_t)inner.n, sizeof *inner.moment, by_time);
    if (!m->time.n_phase && m->time.n_intervals > 0 && !is_on_grid(&inner, m->time.n_intervals))
        cut_horizon(r, &inner, of);
    for (int k = 0; k < m->impulses.n_impulse; k++)
        for (int i = 0; i < r->impulse_moments[k].n; i++) {
            struct impulse_moment *one = &r->impulse_moments[k].moment[i];
            if (!m->time.n_phase)
                one->at = boundary_of(m, one);
        }
    free(inner.moment);
}
