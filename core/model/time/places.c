/* Where a constraint holds, or a sampled cost is charged: along the path, at its ends, at given
 * times
 *
 * A given time may be anywhere in the horizon. Where the discretization has no point there, polynomials tell the
 * state.
 */
#include "core/model/time/read.h"

#include "core/base/mem.h"
#include "core/base/vec.h"
#include "core/model/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TIMES = 100000 };               /* of one `every` */
static const double SAME_TIME = 1e-9;       /* of the horizon */

/* Inside control intervals the polynomials of the finished program say where the states are; raw solutions have
 * points at the ends of intervals alone. */
static enum status refuse_time(struct reader *r, const struct spec_node *node, double fraction)
{
    const struct model *m = r->model;
    const bool has_length = !m->time.horizon_free && !isnan(m->time.horizon);
    const double unit = has_length ? m->time.horizon : 1,
                 before = floor(fraction * m->time.n_intervals) / m->time.n_intervals;
    return spec_error(r->diag, node, "with finish: off nothing is known inside control intervals, and none ends at %.6g %s: the "
                      "nearest ends are %.6g and %.6g", unit * fraction,
                      has_length ? m->time.unit : "of the horizon",
                      unit * before, unit * (before + 1.0 / m->time.n_intervals));
}

/* In a phase times are parts of it, or times from its start, where a control interval ends; here they
 * become parts of all intervals. */
static enum status place_in_phase(struct reader *r, const struct spec_node *node, double *fraction)
{
    const struct model_phase *phase = r->phase;
    const int n = phase->n_interval;
    const double place = *fraction * n, before = floor(place) / n;
    if (fabs(place - round(place)) > SAME_TIME * n)
        return spec_error(r->diag, node, "no control interval of %s ends at %.6g of it: the nearest ends are %.6g and "
                          "%.6g", phase->name, *fraction, before, before + 1.0 / n);
    *fraction = (phase->first + round(place)) / r->model->time.n_intervals;
    return STATUS_OK;
}

enum status reader_check_time(struct reader *r, const struct spec_node *node, double fraction)
{
    const int n = r->model->time.n_intervals;
    const struct spec_node *finish = spec_get(r->root, "finish");
    if (strcmp(reader_word(r, spec_get(r->root, "discretization"), "control_grid"), "free") == 0)
        return spec_error(r->diag, node, "with discretization.control_grid: free no interval ends at a given time");
    if (r->model->time.n_phase)
        return spec_error(r->diag, node, "with phases a time is part of one of them: write it there, as "
                          "phases.%s.constraints", r->model->time.phase[0].name);
    if (r->model->time.n_stretch)
        return spec_error(r->diag, node, "what jumps cuts the horizon where no interval of an equal grid ends, and nothing is "
                          "known of given times between: give %s times where one of time.intervals ends",
                          r->model->impulses.n_impulse ? r->model->impulses.impulse[0].var.name
                                                       : r->model->u[r->model->time.steps[0].u].name);
    for (int k = 0; k < r->model->n_u; k++)
        if (r->model->u[k].n_value)
            return spec_error(r->diag, node, "no control interval ends at a given time: they end where %s switches",
                              r->model->u[k].name);
    if (n > 0 && fabs(fraction - round(fraction * n) / n) > SAME_TIME && finish && finish->kind == SPEC_SCALAR
        && strcmp(finish->text, "off") == 0)
        return refuse_time(r, node, fraction);
    return STATUS_OK;
}

static enum status add_time(struct reader *r, const struct spec_node *node, double fraction,
                            struct model_places *places)
{
    if (fraction <= SAME_TIME) {
        places->at |= AT_INITIAL;
    } else if (fraction >= 1 - SAME_TIME) {
        places->at |= AT_FINAL;
    } else {
        if ((r->phase ? place_in_phase(r, node, &fraction) : reader_check_time(r, node, fraction)) != STATUS_OK)
            return STATUS_SPEC;
        places->at |= AT_TIMES;
        places->time = mem_grow(places->time, places->n_time, 1, sizeof *places->time);
        places->time[places->n_time++] = fraction;
    }
    return STATUS_OK;
}

/* --- Words, times, and times at equal distances -------------------------------------------------------------- */

/* {every:, from:, to:} */
static void add_every(struct reader *r, const struct spec_node *node, struct model_places *places)
{
    const struct spec_node *every = spec_get(node, "every"), *from = spec_get(node, "from"),
                           *to = spec_get(node, "to");
    double step = NAN, first = 0, last = 1;
    shape_check_keys(r->diag, node, &model_every_shape);
    if (!every) {
        spec_error(r->diag, node, "\"every\" is missing: the time from one to the next, as {every: 0.1 %s}",
                   r->model->time.unit);
        return;
    }
    if (reader_fraction(r, every, &step) != STATUS_OK || (from && reader_fraction(r, from, &first) != STATUS_OK)
        || (to && reader_fraction(r, to, &last) != STATUS_OK))
        return;
    const double n = step > 0 ? floor((last - first + SAME_TIME) / step) : 0;
    if (!(step > 0))
        spec_error(r->diag, every, "must be above 0");
    else if (first > last)
        spec_error(r->diag, from ? from : to, "\"from\" is later than \"to\"");
    else if (n >= MOST_TIMES)
        spec_error(r->diag, every, "these are %.0f times, at most %d are possible", n + 1, MOST_TIMES);
    for (int k = 0; k <= n && step > 0 && n < MOST_TIMES && first <= last; k++)
        if (add_time(r, every, first + k * step, places) != STATUS_OK)
            return;
}

/* Is it meant to be one of the words? Numbers and parameters are times. */
static bool is_word(const struct reader *r, const struct spec_node *node)
{
    for (int k = 0; node->kind == SPEC_SCALAR && model_place_words[k]; k++)
        if (strcmp(node->text, model_place_words[k]) == 0)
            return true;
    for (int k = 0; node->kind == SPEC_SCALAR && k < r->model->n_param; k++)
        if (strcmp(node->text, r->model->param[k].name) == 0)
            return false;
    return node->kind != SPEC_SCALAR || spec_is_name(node->text);
}

static void add_place(struct reader *r, const struct spec_node *node, struct model_places *places)
{
    static const int flag[] = { AT_PATH, AT_STAGES, AT_ELEMENTS, AT_INTERVALS, AT_INITIAL, AT_FINAL, AT_BOUNDARY,
                                AT_IMPULSES };
    double fraction;
    if (node->kind == SPEC_MAPPING) {
        add_every(r, node, places);
    } else if (is_word(r, node)) {
        const int i = reader_choice(r, node, model_place_words);
        places->at |= i < 0 ? 0 : flag[i];
    } else if (reader_fraction(r, node, &fraction) == STATUS_OK) {
        add_time(r, node, fraction, places);
    }
}

bool reader_is_optimized_time(const struct spec_node *at)
{
    return at && at->kind == SPEC_MAPPING && spec_get(at, "time");
}

/* Ascending, each once; returns how many are left. */
static int sort_times(double *time, int n_time)
{
    int n = 0;
    if (n_time > 0)
        qsort(time, (size_t)n_time, sizeof *time, vec_ascending);
    for (int k = 0; k < n_time; k++)
        if (n == 0 || time[k] - time[n - 1] > SAME_TIME)
            time[n++] = time[k];
    return n;
}

/* In the model's arena. */
static void keep_times(struct reader *r, struct model_places *places)
{
    double *time = places->time;
    const int n = sort_times(time, places->n_time);
    *places = (struct model_places){ places->at, n, arena_copy(r->mem, time, (size_t)n, sizeof *time) };
    free(time);
}

struct model_places reader_places(struct reader *r, const struct spec_node *node)
{
    struct model_places places = { .at = 0 };
    if (!node || node->kind == SPEC_NULL)
        return (struct model_places){ .at = AT_PATH };
    if (node->kind != SPEC_SEQUENCE)
        add_place(r, node, &places);
    else if (node->n == 0)
        spec_error(r->diag, node, "the list of places is empty");
    for (int i = 0; i < node->n && node->kind == SPEC_SEQUENCE; i++)
        add_place(r, node->child[i], &places);
    if (places.at & AT_BOUNDARY && places.at != AT_BOUNDARY)
        spec_error(r->diag, node, "\"boundary\" ties both ends together and stands alone");
    if (places.at & AT_IMPULSES && places.at != AT_IMPULSES)
        spec_error(r->diag, node, "\"impulses\" are the impulsive controls, and it stands alone");
    keep_times(r, &places);
    return places;
}

static void add_interior_times(struct model *m, int n, const double *time)
{
    m->time.interior_time =
        mem_grow(m->time.interior_time, m->time.n_interior_time, n, sizeof *m->time.interior_time);
    for (int k = 0; k < n; k++)
        m->time.interior_time[m->time.n_interior_time++] = time[k];
}

void model_collect_interior_times(struct reader *r)
{
    struct model *m = r->model;
    for (int k = 0; k < m->costs.n_sampled; k++)
        add_interior_times(m, m->costs.sampled[k].n_time, m->costs.sampled[k].time);
    for (int k = 0; k < m->constraints.n_constraint; k++)
        add_interior_times(m, m->constraints.constraint[k].n_time, m->constraints.constraint[k].time);
    for (int k = 0; k < m->data.n_row; k++)
        if (m->data.part[k] > SAME_TIME && m->data.part[k] < 1 - SAME_TIME)
            add_interior_times(m, 1, &m->data.part[k]);
    double *time = m->time.interior_time;
    m->time.n_interior_time = sort_times(time, m->time.n_interior_time);
    m->time.interior_time = arena_copy(r->mem, time, (size_t)m->time.n_interior_time, sizeof *time);
    free(time);
}
