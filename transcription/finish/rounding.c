#include "transcription/finish/rounding.h"

#include "core/base/mem.h"
#include "transcription/finish/admissible.h"
#include "transcription/multiphase/rows/choices.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>


/* --- Runs ---------------------------------------------------------------------------------------------------- */

static bool same_values(int n, const double *a, const double *b)
{
    for (int k = 0; k < n; k++)
        if (!(a[k] == b[k]) && !(isnan(a[k]) && isnan(b[k])))
            return false;
    return true;
}

/* One more, or more of the last one. */
static void add_run(struct runs *runs, double length, const double *value)
{
    const size_t n_u = (size_t)runs->n_u;
    if (runs->n && same_values(runs->n_u, runs->value + (size_t)(runs->n - 1) * n_u, value)) {
        runs->length[runs->n - 1] += length;
        return;
    }
    runs->length = mem_grow(runs->length, runs->n, 1, sizeof *runs->length);
    runs->value = mem_grow(runs->value, runs->n, 1, n_u * sizeof *runs->value);
    runs->length[runs->n] = length;
    memcpy(runs->value + (size_t)runs->n++ * n_u, value, n_u * sizeof *value);
}

void runs_free(struct runs *runs)
{
    free(runs->length);
    free(runs->value);
    *runs = (struct runs){ 0 };
}

/* Starts of the intervals and the end: [n_interval + 1], to be freed. */
static double *interval_starts(const struct phases *ph, const double *w)
{
    double *start = mem_alloc((size_t)ph->n_piece + 1, sizeof *start),
           *t = mem_alloc((size_t)ph->n_interval + 1, sizeof *t);
    double *event = mem_alloc((size_t)ph->seq->n_event, sizeof *event);
    phases_times(ph, w, start, event);
    for (int k = ph->n_piece - 1; k >= 0; k--)
        t[ph->piece[k].interval] = start[k];
    t[ph->n_interval] = start[ph->n_piece];
    free(start);
    free(event);
    return t;
}

/* --- Relaxed controls ---------------------------------------------------------------------------------------- */

/* In an interval: first one value, then another, from a part of it on. */
struct cut { double first, then, part; };

/* The value below u, as an index with one above it. */
static int value_below(const struct model_var *var, double u)
{
    int j = 0;
    while (j + 2 < var->n_value && var->value[j + 1] <= u)
        j++;
    return j;
}

double rounding_value(const struct model_var *var, double u, bool other)
{
    const int j = value_below(var, u);
    return var->value[j + ((u - var->value[j] > var->value[j + 1] - u) != other)];
}

static struct cut cut_of(const struct model_var *var, double before, double u, double next)
{
    const int j = value_below(var, u);
    const double low = var->value[j], high = var->value[j + 1], part = fmin(fmax((u - low) / (high - low), 0), 1);
    if (part < ROUND_EQUAL || part > 1 - ROUND_EQUAL)
        return (struct cut){ part > 0.5 ? high : low, part > 0.5 ? high : low, 1 };
    const bool high_first = before == high || (before != low && next < u);
    return high_first ? (struct cut){ high, low, part } : (struct cut){ low, high, 1 - part };
}

/* The value nearest to u and what earlier intervals owe. */
static double rounded(const struct model_var *var, double u, double *owed)
{
    double best = var->value[0];
    for (int j = 1; j < var->n_value; j++)
        if (fabs(var->value[j] - u - *owed) < fabs(best - u - *owed))
            best = var->value[j];
    *owed += u - best;
    return best;
}

/* The mean of control k over a group of intervals from i on; start [n_interval + 1]. */
static double mean_control(const struct phases *ph, const double *w, int i, int group, int k, const double *start)
{
    const int end = i + group < ph->n_interval ? i + group : ph->n_interval;
    double sum = 0;
    for (int j = i; j < end; j++)
        sum += w[ph->at.u[j] + k] * (start[j + 1] - start[j]);
    return start[end] > start[i] ? sum / (start[end] - start[i]) : w[ph->at.u[i] + k];
}

/* How the relaxed controls are cut: intervals in groups, or one value for each. */
struct cutting { int group; bool whole; };

/* The cuts of the intervals from i on in every control; cut [n_u], those of the ones before. */
static void cut_intervals(const struct phases *ph, const double *w, int i, const struct cutting *how,
                          const double *start, double *owed, struct cut *cut)
{
    const struct model *model = ph->sys->model;
    const int after = i + how->group;
    for (int k = 0; k < model->n_u; k++) {
        const struct model_var *var = &model->u[k];
        const double u = mean_control(ph, w, i, how->group, k, start);
        const double next = after < ph->n_interval ? mean_control(ph, w, after, how->group, k, start) : u;
        if (!var->n_value)
            cut[k] = (struct cut){ NAN, NAN, 1 };
        else if (how->whole)
            cut[k].first = cut[k].then = rounded(var, u, &owed[k]);
        else
            cut[k] = cut_of(var, i ? cut[k].then : NAN, u, next);
    }
}

/* The runs of an interval, from cut to cut. */
static void add_cut_runs(struct runs *runs, const struct cut *cut, double length, double *value)
{
    for (double from = 0, to; from < 1; from = to) {
        to = 1;
        for (int k = 0; k < runs->n_u; k++)
            if (cut[k].part > from && cut[k].part < to)
                to = cut[k].part;
        for (int k = 0; k < runs->n_u; k++)
            value[k] = cut[k].part > from ? cut[k].first : cut[k].then;
        add_run(runs, length * (to - from), value);
    }
}

static struct runs cut_runs(const struct phases *ph, const double *w, const struct cutting *how)
{
    const int n_u = ph->sys->model->n_u;
    struct runs runs = { .n_u = n_u };
    double *start = interval_starts(ph, w), *owed = mem_alloc(2 * (size_t)n_u, sizeof *owed);
    struct cut *cut = mem_alloc((size_t)n_u, sizeof *cut);
    for (int k = 0; k < n_u; k++)
        cut[k].part = 1;
    for (int i = 0; i < ph->n_interval; i += how->group) {
        const int end = i + how->group < ph->n_interval ? i + how->group : ph->n_interval;
        cut_intervals(ph, w, i, how, start, owed, cut);
        add_cut_runs(&runs, cut, start[end] - start[i], owed + n_u);
    }
    free(cut);
    free(owed);
    free(start);
    return runs;
}

/* The choices that make up interval i, as parts of it: the last one of the interval before comes first. Returns the
 * last. */
static int add_choices(struct runs *runs, const struct choices *choices, const double *part, double length,
                       int before)
{
    int last = before;
    for (int k = -1; k < choices->n; k++) {
        const int j = k < 0 ? before : k;
        if (j < 0 || (k >= 0 && j == before) || part[j] <= ROUND_EQUAL)
            continue;
        add_run(runs, part[j] * length, choices->value + (size_t)j * (size_t)choices->n_u);
        last = j;
    }
    return last;
}

/* Where constraints couple the values. whole: one choice in each interval, that nearest to the control there and
 * what earlier intervals owe. */
static struct runs choose_runs(const struct phases *ph, const double *w, const struct choices *choices, bool whole)
{
    const struct model *model = ph->sys->model;
    const int n_u = model->n_u;
    struct runs runs = { .n_u = n_u };
    double *start = interval_starts(ph, w), *u = mem_alloc(2 * (size_t)n_u, sizeof *u), *owed = u + n_u;
    double *part = mem_alloc((size_t)choices->n, sizeof *part);
    for (int i = 0, before = -1; i < ph->n_interval; i++) {
        for (int k = 0; k < n_u; k++)
            u[k] = w[ph->at.u[i] + k] + owed[k];
        if (whole) {
            memset(part, 0, (size_t)choices->n * sizeof *part);
            part[choices_nearest(choices, model, u)] = 1;
        } else {
            choices_split(choices, model, u, part);
        }
        before = add_choices(&runs, choices, part, start[i + 1] - start[i], before);
        for (int k = 0; k < n_u && whole; k++)
            owed[k] = model->u[k].n_value ? u[k] - runs.value[(size_t)(runs.n - 1) * (size_t)n_u + (size_t)k] : 0;
    }
    free(part);
    free(u);
    free(start);
    return runs;
}

struct runs runs_of_relaxed(const struct phases *ph, const double *w)
{
    struct choices choices = choices_of(ph->sys->model);
    struct runs runs =
        choices.n ? choose_runs(ph, w, &choices, false) : cut_runs(ph, w, &(struct cutting){ 1, false });
    if (runs.n > ph->n_interval) {
        runs_free(&runs);
        runs = choices.n ? choose_runs(ph, w, &choices, true) : cut_runs(ph, w, &(struct cutting){ 1, true });
    }
    choices_free(&choices);
    return runs;
}

struct runs runs_of_groups(const struct phases *ph, const double *w)
{
    struct choices choices = choices_of(ph->sys->model);
    struct runs runs = { .n = 0 };
    if (choices.n == 0)
        runs = cut_runs(ph, w, &(struct cutting){ 1, false });
    const bool fit = runs.n <= ph->n_interval;
    for (int group = 2; runs.n > ph->n_interval; group++) {
        runs_free(&runs);
        runs = cut_runs(ph, w, &(struct cutting){ group, false });
    }
    if (fit)
        runs_free(&runs);
    choices_free(&choices);
    return runs;
}

struct runs runs_of_admissible(const struct phases *ph, const double *w)
{
    const struct model *model = ph->sys->model;
    const int n = ph->n_interval, n_u = model->n_u;
    struct runs runs = { .n_u = n_u };
    double *start = interval_starts(ph, w), *value = mem_alloc((size_t)(n * n_u), sizeof *value);
    double *u = mem_alloc(2 * (size_t)n, sizeof *u), *rounded = u + n;
    unsigned char *may = mem_alloc((size_t)n, 1);
    bool any = true;
    memset(may, MAY_BE_OFF | MAY_BE_ON, (size_t)n);
    for (int k = 0; k < n_u && any; k++) {
        for (int i = 0; i < n; i++)
            u[i] = w[ph->at.u[i] + k];
        any = !model->u[k].n_value || admissible_round(model, k, may, u, rounded);
        for (int i = 0; i < n && any; i++)
            value[i * n_u + k] = model->u[k].n_value ? rounded[i] : NAN;
    }
    for (int i = 0; i < n && any; i++)
        add_run(&runs, start[i + 1] - start[i], value + i * n_u);
    free(may);
    free(u);
    free(value);
    free(start);
    return runs;
}

struct runs runs_of(const struct phases *ph, const double *w, double gone)
{
    const int n_u = ph->sys->model->n_u;
    struct runs runs = { .n_u = n_u };
    double *start = interval_starts(ph, w);
    const double least = gone * start[ph->n_interval] / ph->n_interval;
    for (int i = 0; i < ph->n_interval; i++)
        if (start[i + 1] - start[i] > least)
            add_run(&runs, start[i + 1] - start[i], ph->grid.value + i * n_u);
    free(start);
    return runs;
}

int runs_laid_out(const struct phases *ph)
{
    const int n_u = ph->sys->model->n_u;
    int n = 1;
    for (int i = 1; i < ph->n_interval; i++)
        n += !same_values(n_u, ph->grid.value + (i - 1) * n_u, ph->grid.value + i * n_u);
    return n;
}

/* --- On the grid --------------------------------------------------------------------------------------------- */

/* How many intervals each run has: one more for the one whose are longest, until all are given. */
static int *share_intervals(const struct runs *runs, int n_interval)
{
    int *share = mem_alloc((size_t)runs->n, sizeof *share);
    for (int r = 0; r < runs->n; r++)
        share[r] = 1;
    for (int left = n_interval - runs->n; left > 0; left--) {
        int longest = 0;
        for (int r = 1; r < runs->n; r++)
            if (runs->length[r] / share[r] > runs->length[longest] / share[longest])
                longest = r;
        share[longest]++;
    }
    return share;
}

/* Events go where their times are; near the end of an interval, onto it. */
static void place_events(struct sequence *seq, const struct samples *samples)
{
    const int N = samples->n_interval;
    const double *t = samples->t_interval, near = ROUND_EQUAL * samples->horizon / N;
    for (int j = 0, i = 0; j < seq->n_event; j++) {
        while (i + 1 < N && t[i + 1] <= samples->t_event[j]) i++;
        const bool at_start = samples->t_event[j] - t[i] <= near && i > 0;
        const bool at_end = t[i + 1] - samples->t_event[j] <= near && i + 1 < N;
        const int place = at_start ? 2 * i : at_end ? 2 * i + 2 : 2 * i + 1, before = j ? seq->place[j - 1] : 1;
        seq->place[j] = place > before || (place == before && place % 2) ? place : before | 1;
    }
}

/* Controls without values as they were in the middle of each interval. */
static void copy_controls(struct samples *samples, const struct phases *ph, const double *w, const double *value)
{
    const int n_u = samples->n_u;
    double *start = interval_starts(ph, w);
    for (int i = 0, from = 0; i < samples->n_interval; i++) {
        const double middle = 0.5 * (samples->t_interval[i] + samples->t_interval[i + 1]);
        while (from + 1 < ph->n_interval && start[from + 1] <= middle) from++;
        for (int k = 0; k < n_u; k++)
            samples->u[i * n_u + k] = isnan(value[i * n_u + k]) ? w[ph->at.u[from] + k] : value[i * n_u + k];
    }
    free(start);
}

bool runs_on_grid(const struct runs *runs, const struct phases *ph, const double *w, struct extract *out,
                  double **value)
{
    const int n_u = runs->n_u;
    if (runs->n > ph->n_interval)
        return false;
    struct samples *samples = samples_of(ph, w);
    if (!samples->t_interval)
        samples->t_interval = mem_alloc((size_t)ph->n_interval + 1, sizeof *samples->t_interval);
    samples->t_interval[0] = 0;
    int *share = share_intervals(runs, ph->n_interval);
    double *set = mem_alloc((size_t)(ph->n_interval * n_u), sizeof *set);
    for (int r = 0, i = 0; r < runs->n; r++)
        for (int k = 0; k < share[r]; k++, i++) {
            memcpy(set + i * n_u, runs->value + r * n_u, (size_t)n_u * sizeof *set);
            samples->t_interval[i + 1] = samples->t_interval[i] + runs->length[r] / share[r];
        }
    free(share);
    samples->t_interval[ph->n_interval] = samples->horizon;
    copy_controls(samples, ph, w, set);
    *out = (struct extract){ sequence_copy(ph->seq), samples, 0 };
    place_events(out->seq, samples);
    *value = set;
    return true;
}
