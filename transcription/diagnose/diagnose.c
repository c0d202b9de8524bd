#include "transcription/diagnose/diagnose.h"

#include "core/base/clock.h"
#include "transcription/diagnose/elastic.h"
#include "transcription/diagnose/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct diagnosing {
    struct solve_task task;
    struct finish_settings settings;
    double start, spent;            /* when it began; s that the solve took */
    struct arena *mem;
    int n;
    const struct condition *condition;          /* [n] */
};

/* What a solve of the relaxed problem came to. */
struct slack {
    double *below, *above;          /* [n] 0 where there is none */
    double *shadow;                 /* [n] what the condition pushes with, of its price: 0 no part in it, 1 it gives way */
};

static bool must_stop(const struct diagnosing *at)
{
    return solve_must_stop(&at->task, at->start);
}

static double relative(const struct diagnosing *at, const struct slack *slack, int k)
{
    return fmax(slack->below[k], slack->above[k]) / at->condition[k].size;
}

static struct slack slack_create(const struct diagnosing *at)
{
    const size_t n = (size_t)at->n;
    return (struct slack){ arena_alloc(at->mem, n, sizeof(double)), arena_alloc(at->mem, n, sizeof(double)),
                           arena_alloc(at->mem, n, sizeof(double)) };
}

/* w and multipliers of lower bounds z of optimized parameters. At an optimum price =
 * multipliers of the rows + z. */
static void read_slack(const struct diagnosing *at, const struct elastic *elastic, const double *w, const double *z,
                       struct slack *out)
{
    for (int k = 0; k < at->n; k++) {
        const int below = elastic->below[k], above = elastic->above[k];
        out->below[k] = below >= 0 ? fmax(w[below], 0) : 0;
        out->above[k] = above >= 0 ? fmax(w[above], 0) : 0;
        const double least = fmin(below >= 0 ? z[below] : INFINITY, above >= 0 ? z[above] : INFINITY);
        out->shadow[k] = isfinite(least) ? 1 - least / elastic->price[k] : 0;
    }
}

/* The whole solve of the relaxed problem. */
static bool solve_relaxed(struct diagnosing *at, const double *weight, struct slack *out)
{
    struct elastic elastic = elastic_create(at->task.model, at->n, at->condition, weight);
    struct diag *quiet = diag_create();
    struct solve_task task = at->task;
    struct finished found;
    task.model = elastic.model;
    task.max_seconds = solve_seconds_left(&at->task, at->start);
    (void)solve_finished(&task, &at->settings, &found, quiet);
    const struct finish *best = &found.solution.best;
    const struct transcription *tr = found.record.discovery.tr;
    const struct homotopy_result *method = &found.record.discovery.homotopy;
    const bool by_method = tr && (method->status == STATUS_OK || method->status == STATUS_ACCEPTABLE);
    const bool solved = best->ph && best->solved;
    if (solved)
        read_slack(at, &elastic, best->w + best->ph->at.p, best->z_lower + best->ph->at.p, out);
    else if (by_method)
        read_slack(at, &elastic, method->w + tr->p, method->z_lower + tr->p, out);
    finished_free(&found);
    diag_free(quiet);
    elastic_free(&elastic);
    return solved || by_method;
}

static bool is_fixed_horizon(const struct diagnosing *at, int k)
{
    return at->condition[k].kind == CONDITION_HORIZON && !at->task.model->time.horizon_free;
}

/* Condition k gives way, the others at a price; the horizon of a fixed length stays. Is that enough? */
static bool solve_alone(struct diagnosing *at, int k, double price_of_others, struct slack *out)
{
    double *weight = arena_alloc(at->mem, (size_t)at->n, sizeof *weight);
    for (int i = 0; i < at->n; i++)
        weight[i] = is_fixed_horizon(at, i) ? INFINITY : price_of_others;
    weight[k] = 1;
    if (must_stop(at) || !solve_relaxed(at, weight, out) || relative(at, out, k) <= SLACK_IS_ZERO)
        return false;
    for (int i = 0; i < at->n; i++)
        if (i != k && relative(at, out, i) > SLACK_IS_ZERO)
            return false;
    return true;
}

static void add_item(struct diagnosis *out, const struct diagnosing *at, const struct slack *slack, int k)
{
    const struct diagnosis_item one = { &at->condition[k], slack->below[k], slack->above[k] };
    int i = out->n++;
    const double size = relative(at, slack, k);
    for (; i > 0 && fmax(out->item[i - 1].below, out->item[i - 1].above) / out->item[i - 1].condition->size > size;
         i--)
        out->item[i] = out->item[i - 1];
    out->item[i] = one;
}

/* Conditions in conflict, those that push most first; the horizon of a fixed length, which
 * nothing is known of, last. */
static int list_candidates(const struct diagnosing *at, const struct slack *slack, int *candidate)
{
    int n = 0;
    for (int k = 0; k < at->n; k++) {
        int i = n;
        for (; i > 0 && slack->shadow[candidate[i - 1]] < slack->shadow[k]; i--)
            if (i < MOST_CANDIDATES)
                candidate[i] = candidate[i - 1];
        if (i < MOST_CANDIDATES && slack->shadow[k] > SHADOW) {
            candidate[i] = k;
            n += n < MOST_CANDIDATES;
        }
    }
    for (int k = 0; k < at->n; k++)
        if (is_fixed_horizon(at, k))
            candidate[n++] = k;
    return n;
}

static bool is_listed(const struct diagnosis *d, const struct condition *c)
{
    for (int k = 0; k < d->n; k++)
        if (d->item[k].condition == c)
            return true;
    return false;
}

/* What is asked of the motion, and what it is driven with, before the limits of its states. */
static bool is_tried_first(const struct condition *c)
{
    return c->kind == CONDITION_FINAL || c->kind == CONDITION_CONSTRAINT || c->kind == CONDITION_CONTROL;
}

/* Condition k gives way alone while all else is held to, so that the solve looks for a way. Most of these have no
 * solution, so that none gets all of the time. */
static void try_hidden_reason(struct diagnosing *at, int k, struct slack *alone, struct diagnosis *out)
{
    const double end = at->task.max_seconds, left = end - (clock_seconds() - at->start);
    if (is_listed(out, &at->condition[k]) || must_stop(at))
        return;
    at->task.max_seconds = end - left * (1 - HIDDEN_SHARE);
    if (solve_alone(at, k, INFINITY, alone))
        add_item(out, at, alone, k);
    at->task.max_seconds = end;
}

/* Contacts, switches and obstacles hide what a condition would change: a load that rests on the floor
 * does not feel a weak motor. */
static void find_hidden_reasons(struct diagnosing *at, struct diagnosis *out)
{
    struct slack alone = slack_create(at);
    at->task.max_seconds = fmin(at->task.max_seconds, clock_seconds() - at->start + fmax(HIDDEN_LEAST, at->spent));
    for (int k = 0; k < at->n; k++)
        if (is_tried_first(&at->condition[k]))
            try_hidden_reason(at, k, &alone, out);
    for (int k = 0; k < at->n; k++)
        if (!is_tried_first(&at->condition[k]))
            try_hidden_reason(at, k, &alone, out);
}

static bool may_hide(const struct model *model, const struct diagnosis *out)
{
    const bool has_modes = model->contacts.n_contact + model->switching.n_projection + model->dynamics.n_group
                           + model->switching.n_hysteresis + model->switching.n_machine > 0;
    return has_modes || (model->constraints.n_constraint > 0 && out->n < 2);
}

/* Which alone make it feasible; else all that give way together. */
static void find_reasons(struct diagnosing *at, const struct slack *all, struct diagnosis *out)
{
    int candidate[MOST_CANDIDATES + 1];
    const int n = list_candidates(at, all, candidate);
    struct slack alone = slack_create(at);
    for (int k = 0; k < n; k++)
        if (solve_alone(at, candidate[k], OTHERS_WEIGHT, &alone))
            add_item(out, at, &alone, candidate[k]);
    if (may_hide(at->task.model, out))
        find_hidden_reasons(at, out);
    out->verdict = DIAGNOSIS_EITHER;
    if (out->n > 0)
        return;
    out->verdict = DIAGNOSIS_TOGETHER;
    for (int k = 0; k < at->n; k++)
        if (relative(at, all, k) > SLACK_IS_ZERO)
            add_item(out, at, all, k);
}

static double most_slack(const struct diagnosing *at, const struct slack *slack)
{
    double most = 0;
    for (int k = 0; k < at->n; k++)
        most = fmax(most, relative(at, slack, k));
    return most;
}

void diagnose(const struct solve_task *task, const struct finish_settings *settings, double spent,
              struct diagnosis *out)
{
    *out = (struct diagnosis){ .verdict = DIAGNOSIS_OPEN };
    struct diagnosing at = { .task = *task, .settings = *settings, .start = clock_seconds(), .spent = spent,
                             .mem = &out->mem };
    out->condition = at.condition = conditions_list(task->model, &out->mem, &out->n_condition);
    at.n = out->n_condition;
    at.task.max_seconds = fmin(fmax(DIAGNOSE_LEAST, DIAGNOSE_SHARE * spent), task->max_seconds - spent - DIAGNOSE_MARGIN);
    at.task.guess = NULL;
    at.task.once = true;
    at.task.hooks = (struct solve_hooks){ 0 };
    at.settings.tries = at.settings.tries < MOST_TRIES ? at.settings.tries : MOST_TRIES;
    double *weight = arena_alloc(at.mem, (size_t)at.n, sizeof *weight);
    struct slack all = slack_create(&at);
    for (int k = 0; k < at.n; k++)
        weight[k] = is_fixed_horizon(&at, k) ? INFINITY : 1;
    out->item = arena_alloc(at.mem, (size_t)at.n, sizeof *out->item);
    if (at.n == 0 || must_stop(&at))
        return;
    solve_headline(task, "which conditions cannot be met: once more, with all of them giving way where they must");
    if (solve_relaxed(&at, weight, &all)) {
        if (most_slack(&at, &all) <= SLACK_IS_ZERO)
            out->verdict = DIAGNOSIS_MET;
        else
            find_reasons(&at, &all, out);
    }
    out->seconds = clock_seconds() - at.start;
}

/* --- Where nothing is known ---------------------------------------------------------------------------------- */

/* The condition that a row belongs to, by its place in the spec; that of the horizon has no row of its own. */
static const struct condition *condition_of(const struct diagnosis *d, const struct mpcc_label *label)
{
    for (int k = 0; k < d->n_condition; k++) {
        const struct condition *c = &d->condition[k];
        if (c->kind != CONDITION_HORIZON && label->pos.line > 0 && c->row.pos.line == label->pos.line
            && c->row.pos.col == label->pos.col)
            return c;
    }
    return NULL;
}

void diagnosis_look_at(struct diagnosis *d, const struct mpcc *mpcc, const double *w)
{
    enum { ROWS = 20, ITEMS = 3 };
    struct report_item row[2 * ROWS];
    const int n = d->verdict == DIAGNOSIS_OPEN ? report_worst(mpcc, w, HOMOTOPY_VIOLATION_OK, INFINITY, ROWS, row) : 0;
    for (int k = 0; k < n && d->n < ITEMS; k++) {
        const struct condition *c = condition_of(d, row[k].label);
        if (c && row[k].kind == REPORT_ROW && !is_listed(d, c))
            d->item[d->n++] = (struct diagnosis_item){ c, fmax(row[k].lower - row[k].value, 0),
                                                       fmax(row[k].value - row[k].upper, 0) };
    }
}

void diagnosis_free(struct diagnosis *diagnosis)
{
    arena_free(&diagnosis->mem);
}
