/* Moments at which impulses act, as they are written: times, places, phases, or free between bounds. */
#include "core/model/variables/read.h"

#include "core/base/mem.h"
#include "core/model/shapes.h"
#include "core/model/time/read.h"
#include "core/model/variables/impulses.h"

#include <string.h>

struct impulse_moment *impulse_add_moment(struct moments *list, struct impulse_moment moment)
{
    list->moment = mem_grow(list->moment, list->n, 1, sizeof *list->moment);
    list->moment[list->n] = moment;
    return &list->moment[list->n++];
}

/* About which part of the horizon it is. */
static double part_of(const struct model *m, struct bound b)
{
    return b.has_unit ? b.value / m->time.horizon : b.value;
}

static enum status read_bound(struct reader *r, const struct spec_node *node, struct bound *out)
{
    struct moment moment;
    const struct model *m = r->model;
    if (reader_moment(r, node, &moment) != STATUS_OK)
        return STATUS_SPEC;
    *out = (struct bound){ moment.value, moment.has_unit };
    if (!(out->value >= 0 && (out->has_unit || out->value <= 1)))
        return spec_error(r->diag, node,
                          "times here are parts of the horizon, from 0 to 1; others have a unit, as \"0.5 %s\"",
                          m->time.unit);
    if (!m->time.horizon_free && out->has_unit && !(out->value <= m->time.horizon * (1 + SAME_MOMENT)))
        return spec_error(r->diag, node, "%.15g %s lies outside the horizon, [0, %.15g] %s", out->value,
                          m->time.unit, m->time.horizon, m->time.unit);
    return STATUS_OK;
}

/* {min:, max:, guess:, number:} */
static void read_free(struct reader *r, const struct spec_node *node, struct moments *list)
{
    const struct spec_node *min = spec_get(node, "min"), *max = spec_get(node, "max"),
                           *guess = spec_get(node, "guess");
    const struct spec_node *number = spec_get(node, "number");
    struct bound lo = { 0, false }, hi = { 1, false }, at;
    int n = 1;
    if (r->model->time.n_phase) {
        spec_error(r->diag, node,
                   "with phases an impulse is where one begins: its name, whose lengths may be free, initial "
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
    else if (guess
             && !(part_of(r->model, at) >= first - SAME_MOMENT && part_of(r->model, at) <= last + SAME_MOMENT))
        spec_error(r->diag, guess, "lies outside of \"min\" and \"max\"");
    for (int k = 0; k < n; k++)
        impulse_add_moment(list, (struct impulse_moment){ .node = node, .is_free = true, .lo = lo, .hi = hi,
                         .part = guess && n == 1 ? part_of(r->model, at) : first + (last - first) * (k + 1) / (n + 1) });
}

static void add_fixed(struct moments *list, const struct spec_node *node, double part)
{
    const struct bound at = { part, false };
    impulse_add_moment(list, (struct impulse_moment){ .node = node, .part = part, .lo = at, .hi = at });
}

/* initial, final, or the name of a phase. */
static void read_phase(struct reader *r, const struct spec_node *node, struct moments *list)
{
    const struct model *m = r->model;
    const char *name = node->kind == SPEC_SCALAR ? node->text : "";
    int at = strcmp(name, "initial") == 0 ? 0 : strcmp(name, "final") == 0 ? m->time.n_intervals : -1;
    for (int k = 0; k < m->time.n_phase; k++)
        if (strcmp(m->time.phase[k].name, name) == 0)
            at = m->time.phase[k].first;
    if (at < 0) {
        spec_error(r->diag, node, "with phases an impulse is where one begins: its name, initial or final");
        return;
    }
    add_fixed(list, node, (double)at / m->time.n_intervals);
    list->moment[list->n - 1].at = at;
}

static void read_fixed(struct reader *r, const struct spec_node *node, struct moments *list)
{
    const int n = r->model->time.n_intervals;
    const char *const unit = r->model->time.unit;
    const struct model_places places = reader_places(r, node);
    if (places.at & ~(AT_INITIAL | AT_FINAL | AT_TIMES | AT_INTERVALS)) {
        spec_error(r->diag, node,
                   "an impulse is at times, as 0.5 %s, {every: 1 %s} or {min: 1 %s, max: 2 %s}, initial and "
                   "final among them, or at intervals, where those of the controls begin",
                   unit, unit, unit, unit);
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
    else if (r->model->time.n_phase)
        read_phase(r, node, list);
    else
        read_fixed(r, node, list);
}

/* They are numbered in the order of time, which is the one they are written in. */
static void check_order(struct reader *r, const struct moments *list)
{
    for (int k = 1; k < list->n; k++) {
        const struct impulse_moment *before = &list->moment[k - 1], *now = &list->moment[k];
        if (now->part > before->part + SAME_MOMENT)
            continue;
        spec_error(r->diag, now->node, before->is_free || now->is_free
                   ? "is not guessed to be later than the one before: impulses stand in the order of time"
                   : "is not later than the one before: impulses stand in the order of time");
        return;
    }
}

void impulse_read_moments(struct reader *r, int k, const struct spec_node *at)
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
