#include "transcription/reading/extract.h"

#include "core/base/mem.h"
#include "transcription/sequence/patches.h"
#include "transcription/sequence/recipe.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATCH_ZERO 1e-9             /* m: off a patch by less is on it */
enum { PATCH_MOST = 400 };          /* events: with more it rattles, and is no start */

struct places {
    const struct phase_system *sys;
    struct extract *extract;
    double *grid;                   /* [n_interval + 1] */
};

static double corner_at(const struct places *at, const struct phase_contact *contact, int k, const double *y)
{
    return phase_system_value(at->sys, contact->model->corner[k], y, at->extract->samples->p);
}

/* How far inside of patch f a place is: the least of its signed corner functions; negative outside. */
static double depth(const struct places *at, const struct phase_contact *contact, int f, const double *y)
{
    double least = INFINITY;
    for (int k = 0; k < contact->model->n_corner; k++)
        if (patches_sign(contact, f, k) != 0)
            least = fmin(least, patches_sign(contact, f, k) * corner_at(at, contact, k, y));
    return least;
}

static int patch_at(const struct places *at, const struct phase_contact *contact, const double *y)
{
    int best = 1;
    double most = -INFINITY;
    for (int f = 1; f <= contact->model->n_patch; f++) {
        const double d = depth(at, contact, f, y);
        if (d > most) {
            most = d;
            best = f;
        }
    }
    return best;
}

/* The patch beside f on the way to g. */
static int towards(const struct phase_contact *contact, int f, int g)
{
    const int n = contact->model->n_patch, up = f < n ? f + 1 : 1, down = f > 1 ? f - 1 : n;
    const bool closes = patches_corner_between(contact, 1, n) >= 0 && n > 2;
    const int far_up = (g - f + n) % n, far_down = (f - g + n) % n;
    if (closes)
        return far_up <= far_down ? up : down;
    return g > f ? up : down;
}

/* Mode j ends at time t, and contact c is on a patch from then on up to where the mode ended. */
static void split(const struct places *at, int j, double t, int c, int patch)
{
    struct sequence *seq = at->extract->seq;
    struct samples *samples = at->extract->samples;
    const int next = j < seq->n_event ? seq->place[j] : INT_MAX, before = j > 0 ? seq->place[j - 1] : 1;
    int place = extract_inside(at->sys, at->grid, t);
    place = place > next ? (next - 1) | 1 : place;
    sequence_insert(seq, j, place < before ? before | 1 : place);
    sequence_patch(seq, j + 1)[c] = (unsigned char)patch;
    samples->t_event = mem_resize(samples->t_event, (size_t)seq->n_event, sizeof *samples->t_event);
    memmove(samples->t_event + j + 1, samples->t_event + j,
            (size_t)(seq->n_event - 1 - j) * sizeof *samples->t_event);
    samples->t_event[j] = t;
    samples->n_event = seq->n_event;
    for (int k = 0; k < samples->n; k++)
        samples->mode[k] += samples->mode[k] > j || (samples->mode[k] == j && samples->t[k] >= t);
}

/* Between the samples a and b: where corner function k is 0 by linear interpolation. */
static double crossing(const struct places *at, const struct phase_contact *contact, int k, int a, int b)
{
    const struct samples *samples = at->extract->samples;
    const double *y = samples->y;
    const double c_a = corner_at(at, contact, k, y + a * samples->n_y),
                 c_b = corner_at(at, contact, k, y + b * samples->n_y);
    const double part = c_a * c_b < 0 ? c_a / (c_a - c_b) : 1;
    return samples->t[a] + part * (samples->t[b] - samples->t[a]);
}

/* The first sample of mode j that is off patch f, by more than rounding; the one before it in *before. -1: none. */
static int first_off(const struct places *at, const struct phase_contact *contact, int j, int f, int *before)
{
    const struct samples *samples = at->extract->samples;
    *before = -1;
    for (int k = 0; k < samples->n; k++) {
        if (samples->mode[k] != j)
            continue;
        if (depth(at, contact, f, samples->y + k * samples->n_y) < -PATCH_ZERO)
            return k;
        *before = k;
    }
    return -1;
}

/* The patch on which contact c is where mode j begins: of a place that is not between two, as one is where a box
 * begins to hang over an edge; 0: nothing is known. */
static int first_patch(const struct places *at, int j, int c)
{
    const struct phase_contact *contact = &at->sys->contact[c];
    const struct samples *samples = at->extract->samples;
    int patch = 0;
    for (int k = 0; k < samples->n; k++) {
        const double *y = samples->y + k * samples->n_y;
        if (samples->mode[k] != j)
            continue;
        const int now = patch_at(at, contact, y);
        if (depth(at, contact, now, y) > PATCH_END)
            return now;
        patch = patch ? patch : now;
    }
    return patch;
}

/* Mode j, in which contact c is closed, on the patch where it begins; what follows is split off. */
static void read_mode(const struct places *at, int j, int c)
{
    const struct phase_contact *contact = &at->sys->contact[c];
    struct sequence *seq = at->extract->seq;
    const struct samples *samples = at->extract->samples;
    const bool goes_on = j > 0 && phase_is_closed(sequence_mode(seq, j - 1)[c]);
    unsigned char *patch = &sequence_patch(seq, j)[c];
    if (!*patch)
        *patch = goes_on ? sequence_patch(seq, j - 1)[c] : (unsigned char)first_patch(at, j, c);
    int before;
    const int off = *patch ? first_off(at, contact, j, *patch, &before) : -1;
    if (off < 0)
        return;
    const int to = towards(contact, *patch, patch_at(at, contact, samples->y + off * samples->n_y));
    const int k = patches_corner_between(contact, *patch, to);
    const double t = before >= 0 && k >= 0 ? crossing(at, contact, k, before, off) : samples->t[off];
    split(at, j, t, c, to);
}

/* Where contact c opens at the end of its patch. */
static void read_opening(const struct places *at, int j, int c, double near)
{
    const struct phase_contact *contact = &at->sys->contact[c];
    const struct samples *samples = at->extract->samples;
    struct sequence *seq = at->extract->seq;
    const int f = sequence_patch(seq, j)[c];
    if (!f || (sequence_has_impact(seq, j) && contact->model->turns) || sequence_is_on_grid(seq, j)
        || sequence_fires(seq, j))
        return;
    double *y = mem_alloc((size_t)at->sys->n_y, sizeof *y);
    samples_at(samples, samples->t_event[j], j, y);
    for (int g = 1; g <= contact->model->n_patch; g++) {
        const int k = patches_corner_between(contact, f, g);
        if (k >= 0 && fabs(corner_at(at, contact, k, y)) <= near)
            sequence_patch(seq, j + 1)[c] = (unsigned char)g;
    }
    free(y);
}

void extract_patches(const struct phase_system *sys, struct extract *extract, double near)
{
    struct places at = { .sys = sys, .extract = extract };
    const struct samples *samples = extract->samples;
    if (sys->n_corner == 0)
        return;
    at.grid = mem_alloc((size_t)sys->model->time.n_intervals + 1, sizeof *at.grid);
    model_grid(sys->model, samples->horizon, samples->p, at.grid);
    for (int c = 0; c < sys->n_contact; c++) {
        if (sys->contact[c].model->n_corner == 0)
            continue;
        for (int j = 0; j <= extract->seq->n_event && extract->seq->n_event < PATCH_MOST; j++)
            if (phase_is_closed(sequence_mode(extract->seq, j)[c]))
                read_mode(&at, j, c);
        for (int j = 0; j < extract->seq->n_event; j++)
            if (phase_is_closed(sequence_mode(extract->seq, j)[c])
                && sequence_mode(extract->seq, j + 1)[c] == PHASE_OPEN)
                read_opening(&at, j, c, near);
    }
    (void)patches_settle(sys, extract->seq);
    free(at.grid);
}
