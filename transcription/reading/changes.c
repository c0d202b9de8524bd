/* A list of changes becomes a sequence. */
#include "transcription/reading/extract.h"

#include "core/base/mem.h"
#include "transcription/sequence/couple.h"
#include "transcription/sequence/rank.h"
#include "transcription/sequence/recipe.h"
#include "transcription/sequence/seats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>


int extract_inside(const struct phase_system *sys, const double *grid, double t)
{
    return 2 * model_grid_inside(sys->model->time.n_intervals, grid, t) + 1;
}

int extract_step_interval(const struct phase_system *sys, const double *grid, const double *t, int k)
{
    return extract_inside(sys, grid, 0.5 * (t[k - 1] + t[k])) / 2;
}

int extract_transition(const struct phase_system *sys, const double *grid, double t, int k)
{
    const int n = sys->model->time.n_intervals;
    const int point = sys->transition[k].commanded ? model_grid_point(n, grid, t, INFINITY) : -1;
    return point >= 0 && point < n ? 2 * point + 1 : extract_inside(sys, grid, t);
}

int extract_place(const struct phase_system *sys, const double *grid, double t, double near)
{
    const int i = extract_inside(sys, grid, t) / 2;
    const int point = model_grid_point(sys->model->time.n_intervals, grid, t, near * (grid[i + 1] - grid[i]));
    return point > 0 ? 2 * point : 2 * i + 1;
}

void changes_add(struct changes *changes, struct change change)
{
    changes->change = mem_grow(changes->change, changes->n, 1, sizeof *changes->change);
    changes->change[changes->n++] = change;
}

/* Stable: changes at one time stay in the order in which they were found. */
static void sort(struct changes *changes)
{
    for (int k = 1; k < changes->n; k++) {
        const struct change one = changes->change[k];
        int i = k;
        for (; i > 0 && changes->change[i - 1].t > one.t; i--)
            changes->change[i] = changes->change[i - 1];
        changes->change[i] = one;
    }
}

/* Transitions, and what is hit after one, are events of their own. */
static bool same_event(const struct sequence *seq, const double *t, const struct change *change)
{
    const int last = seq->n_event - 1;
    if (last < 0 || !t || change->step || (sequence_fires(seq, last) && change->hit != PHASE_OPEN))
        return false;
    return seq->place[last] == change->place && (change->place % 2 == 0 || fabs(change->t - t[last]) < SAME_TIME);
}

/* Appends a change: to the last event, or as a new one. */
static void append(struct sequence *seq, double **t, const struct change *change)
{
    const int now = sequence_mode(seq, seq->n_event)[change->subject];
    if (now == change->state && change->hit == PHASE_OPEN && !change->step)
        return;
    if (!same_event(seq, *t, change)) {
        const int j = seq->n_event, earliest = j ? seq->place[j - 1] : 1;
        const int place = change->place < earliest ? earliest | 1 : change->place;
        sequence_insert(seq, j, place);
        *t = mem_resize(*t, (size_t)seq->n_event, sizeof **t);
        (*t)[j] = j && change->t < (*t)[j - 1] ? (*t)[j - 1] : change->t;
    }
    sequence_mode(seq, seq->n_event)[change->subject] = (unsigned char)change->state;
    if (change->hit != PHASE_OPEN)
        sequence_hit(seq, seq->n_event - 1)[change->subject] = (unsigned char)change->hit;
    if (change->step)
        seq->step[seq->n_event - 1] = *change->step;
}

struct extract changes_to_sequence(const struct phase_system *sys, const unsigned char *start,
                                   struct changes *changes, void (*y_at)(void *user, double t, double *y),
                                   void *user)
{
    struct sequence *seq = sequence_create(sys->n_contact, sys->n_switch, sys->n_machine);
    double *t = NULL, *y = mem_alloc((size_t)sys->n_y, sizeof *y);
    memcpy(sequence_mode(seq, 0), start, (size_t)phase_system_n_subject(sys));
    sort(changes);
    for (int k = 0; k < changes->n; k++)
        append(seq, &t, &changes->change[k]);
    for (int j = 0; j <= seq->n_event; j++) {
        y_at(user, !t ? 0 : j < seq->n_event ? t[j] : t[j - 1], y);
        rank_drop_implied_sticks(sys, sequence_mode(seq, j), y);
    }
    for (int j = 0; j < seq->n_event && t; j++) {
        if (!sequence_has_impact(seq, j))
            continue;
        y_at(user, t[j], y);
        struct couple *couple = couple_create(sys, y);
        couple_add_closed(couple, sequence_mode(seq, j), sequence_mode(seq, j + 1), sequence_hit(seq, j));
        rank_drop_implied_sticks(sys, sequence_hit(seq, j), y);
        couple_free(couple);
    }
    (void)seats_settle(sys, seq);
    sequence_simplify(seq, t);
    struct extract out = { seq, samples_create(sys, seq->n_event), 0 };
    if (seq->n_event && t)
        memcpy(out.samples->t_event, t, (size_t)seq->n_event * sizeof *t);
    free(t);
    free(y);
    return out;
}

void extract_free(struct extract *extract)
{
    sequence_free(extract->seq);
    samples_free(extract->samples);
    *extract = (struct extract){ NULL, NULL, 0 };
}
