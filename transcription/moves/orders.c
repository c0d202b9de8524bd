/* Other orders of transitions than that of a program that was solved, or was not: where a condition is all but met
 * that transition, and the way back; what leads back left out, or the end; commands at other times. */
#include "transcription/moves/moves.h"

#include "core/base/mem.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHANCE_NEAR 1e-2            /* of the largest value of a condition: so near, a transition is all but made */
#define CHANCE_PART 0.3             /* of what is left of a stay: how long new states last at first */
#define COMMAND_PART 0.25           /* of a stay: what is before the first command in it and after the last one */
#define NO_RETURN 0.1               /* less sure than leaving out what leads back: leaving out all to the end */

/* Machine m is in one state from event `first` (-1: the start) to event `end` (n_event: the end of the horizon). */
struct stay { int machine, state, first, end; double t_start, t_end; };

static int machine_of(const struct finder *at, int j)
{
    const int k = at->seq->step[j].transition;
    return k >= 0 ? at->ph->sys->transition[k].machine : -1;
}

static int subject_of(const struct finder *at, int machine)
{
    return at->seq->n_contact + at->seq->n_switch + machine;
}

/* The stay of machine m that begins with event `first`. */
static struct stay stay_from(const struct finder *at, int m, int first)
{
    const int n = at->seq->n_event;
    int end = first + 1;
    while (end < n && machine_of(at, end) != m) end++;
    return (struct stay){ m, sequence_mode(at->seq, first + 1)[subject_of(at, m)], first, end,
                          first >= 0 ? at->t[first] : 0, end < n ? at->t[end] : at->start[at->ph->n_piece] };
}

/* --- Where a transition could be made ------------------------------------------------------------------------ */

/* From when to when, about: where its condition comes nearest to being met. Infinitely far from it: never. */
struct chance { double distance, from, to; };

/* Times of the points of the stay, and how far below 0 the condition is there; both [n_element * n_point]. Returns
 * how many. */
static int follow(const struct finder *at, const struct stay *stay, expr when, double *t, double *below)
{
    const struct phases *ph = at->ph;
    const double *w = at->finish->w;
    double *y = mem_alloc((size_t)ph->sys->n_y, sizeof *y);
    int n = 0;
    for (int e = 0; e < ph->n_element; e++) {
        const int k = ph->piece_of[e], mode = ph->piece[k].mode;
        for (int r = 0; r < ph->n_point && mode > stay->first && mode <= stay->end; r++, n++) {
            for (int i = 0; i < ph->sys->n_y; i++)
                y[i] = w[phases_stage_point(ph, e, r).y[i]];
            t[n] = at->start[k] + phases_length(ph, w, k) * (ph->from[e] + ph->c[r] * ph->part[e]);
            below[n] = -phase_system_value(ph->sys, when, y, &w[ph->at.p]);
        }
    }
    free(y);
    return n;
}

/* From the first to the last point of the stay at which the condition is as good as nearest to being met. */
static struct chance look_at_condition(const struct finder *at, const struct stay *stay, expr when)
{
    const size_t most_points = (size_t)(at->ph->n_element * at->ph->n_point);
    double *t = mem_alloc(2 * most_points, sizeof *t), *below = t + most_points, most = NEAR_ZERO;
    const int n = follow(at, stay, when, t, below);
    struct chance chance = { INFINITY, NAN, NAN };
    for (int i = 0; i < n; i++) {
        chance.distance = fmin(chance.distance, below[i]);
        most = fmax(most, fabs(below[i]));
    }
    for (int i = 0; i < n; i++)
        if (below[i] <= chance.distance + CHANCE_NEAR * most) {
            chance.from = isnan(chance.from) ? t[i] : chance.from;
            chance.to = t[i];
        }
    chance.distance = fmax(0, chance.distance) / most;
    free(t);
    return chance;
}

static struct chance chance_of(const struct finder *at, const struct stay *stay, int k)
{
    const struct model_transition *one = at->ph->sys->transition[k].model;
    if (at->ph->sys->transition[k].commanded)
        return (struct chance){ 0, stay->t_start + COMMAND_PART * (stay->t_end - stay->t_start),
                                stay->t_end - COMMAND_PART * (stay->t_end - stay->t_start) };
    if (one->when != EXPR_NONE)
        return look_at_condition(at, stay, one->when);
    const double since = stay->first < 0 ? at->ph->sys->model->switching.machine[stay->machine].since : 0;
    const double due = stay->t_start + one->after - since, late = fmax(0, due - stay->t_end);
    return (struct chance){ late / one->after, fmin(due, stay->t_end), stay->t_end };
}

/* --- More transitions ---------------------------------------------------------------------------------------- */

static int interval_at(const struct finder *at, double time)
{
    int k = 0;
    while (k + 1 < at->ph->n_piece && at->start[k + 1] <= time) k++;
    return at->ph->piece[k].interval;
}

/* Transition k at time t, from where it is made on to where the stay ends, which is event *end. */
static double *insert(const struct finder *at, struct sequence *seq, double *t, int m, int k, double time,
                      int after, int *end)
{
    const int place = 2 * interval_at(at, time) + 1;
    int j = after;
    while (j < *end && t[j] <= time) j++;
    const int least = j > 0 ? seq->place[j - 1] | 1 : 1;
    t = mem_resize(t, (size_t)seq->n_event + 1, sizeof *t);
    memmove(t + j + 1, t + j, (size_t)(seq->n_event - j) * sizeof *t);
    t[j] = time;
    sequence_insert(seq, j, place > least ? place : least);
    if (j + 1 < seq->n_event && seq->place[j] > seq->place[j + 1])
        seq->place[j] = seq->place[j + 1] - (seq->place[j + 1] % 2 == 0);
    seq->step[j] = (struct sequence_step){ k, at->ph->sys->transition[k].commanded };
    ++*end;
    for (int mode = j + 1; mode <= *end; mode++)
        sequence_mode(seq, mode)[subject_of(at, m)] = (unsigned char)at->ph->sys->transition[k].model->to;
    return t;
}

/* The fewest transitions from one state to another, at most `most`: how many, or -1. */
static int find_way(const struct phase_system *sys, int m, int from, int to, int most, int *way)
{
    int first, end;
    if (from == to || most == 0)
        return from == to ? 0 : -1;
    phase_system_transitions(sys, m, &first, &end);
    for (int length = 1; length <= most; length++)
        for (int k = first; k < end; k++) {
            if (sys->transition[k].model->from != from)
                continue;
            const int rest = find_way(sys, m, sys->transition[k].model->to, to, length - 1, way + 1);
            if (rest < 0)
                continue;
            way[0] = k;
            return rest + 1;
        }
    return -1;
}

/* Intervals of free lengths have none to tell where events are: those up to event j move one back or, if there is
 * no room, those after it one forth, so that controls may jump between j and j + 1. */
static void put_a_jump_between(const struct finder *at, struct sequence *seq, int j)
{
    const int last = 2 * at->ph->n_interval - 1;
    if (!at->ph->grid.free_intervals || seq->place[j + 1] > seq->place[j] + 1)
        return;
    const int limit = seq->place[j] | 1;
    if (limit < last)
        for (int i = j + 1; i < seq->n_event && seq->place[i] < limit + 2; i++)
            seq->place[i] = limit + 2;
    else
        for (int i = j; i >= 0 && seq->place[i] > limit - 2 && limit > 2; i--)
            seq->place[i] = limit - 2;
}

/* Transition k and, if `back`, those that lead back to the state of the stay before it ends. */
static void more(struct finder *at, const struct stay *stay, int k, bool back)
{
    enum { WAY_MOST = 3 };
    const struct phase_system *sys = at->ph->sys;
    const struct chance chance = chance_of(at, stay, k);
    int way[WAY_MOST], end = stay->end;
    const int n = back ? find_way(sys, stay->machine, sys->transition[k].model->to, stay->state, WAY_MOST, way) : 0;
    if (n < 0 || isnan(chance.from) || (back && n == 0))
        return;
    const double length = stay->t_end - chance.from, to = fmax(chance.to, chance.from + CHANCE_PART * length);
    struct sequence *seq = sequence_copy(at->seq);
    double *t = insert(at, seq, neighbours_times(at, 0), stay->machine, k, chance.from, stay->first + 1, &end);
    for (int i = 0; i < n; i++)
        t = insert(at, seq, t, stay->machine, way[i], chance.from + (to - chance.from) * (i + 1) / n,
                   stay->first + 1, &end);
    for (int j = stay->first + 1; n > 0 && j + 1 < seq->n_event; j++)
        if (seq->step[j].transition == k && seq->step[j + 1].transition == way[0] && t[j] == chance.from)
            put_a_jump_between(at, seq, j);
    neighbours_add(at, -chance.distance, seq, t,
                   chance.distance < CHANCE_NEAR ? "preceded by a transition that is nearly due"
                                                 : "preceded by one more transition",
                   stay->end);
}

static void more_in_stay(struct finder *at, const struct stay *stay)
{
    const bool last = stay->end == at->seq->n_event;
    int first, end;
    phase_system_transitions(at->ph->sys, stay->machine, &first, &end);
    for (int k = first; k < end; k++) {
        const struct model_transition *one = at->ph->sys->transition[k].model;
        if (one->from != stay->state)
            continue;
        if (last)
            more(at, stay, k, false);
        if (one->to != stay->state)
            more(at, stay, k, true);
        else if (!last)
            more(at, stay, k, false);
    }
}

/* In the stay that begins with the event, which is one of that machine; -1: in the first one. */
void move_transition_in(struct finder *at, const struct spot *spot)
{
    const int m = spot->subject, j = spot->event;
    if (j >= 0 && machine_of(at, j) != m)
        return;
    const struct stay stay = stay_from(at, m, j);
    if (j < 0 || !sequence_is_instant(at->seq, stay.end))
        more_in_stay(at, &stay);
}

/* --- Fewer --------------------------------------------------------------------------------------------------- */

/* Without what machine m does from event `first` to event `last`: it stays in the state that it had before. */
static void fewer(struct finder *at, double surer, int m, int first, int last)
{
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    const int subject = subject_of(at, m);
    for (int j = first; j <= last; j++) {
        if (machine_of(at, j) == m)
            seq->step[j] = (struct sequence_step){ -1, false };
        sequence_mode(seq, j + 1)[subject] = sequence_mode(seq, first)[subject];
    }
    sequence_simplify(seq, t);
    neighbours_add(at, surer, seq, t, "removed, with all until its state returns", first);
}

/* From a transition up to where its machine is in the same state again; the last ones. */
void move_transitions_out(struct finder *at, const struct spot *spot)
{
    const int m = spot->subject, j = spot->event, subject = subject_of(at, m), n = at->seq->n_event;
    if (j < 0 || machine_of(at, j) != m)
        return;
    int next = j;
    while (next < n && sequence_mode(at->seq, next + 1)[subject] != sequence_mode(at->seq, j)[subject]) next++;
    if (next < n)
        fewer(at, 0, m, j, next);
    else
        fewer(at, -NO_RETURN, m, j, n - 1);
}

/* --- Commands at other times ---------------------------------------------------------------------------------- */

/* A command is given where an interval begins: at another one. Where intervals have free lengths it is where it
 * wants to be, unless it is given at once with another one. */
static void command_beside(struct finder *at, int j, int by)
{
    const int place = at->seq->place[j] + 2 * by, interval = (place - 1) / 2;
    const bool is_free =
        at->ph->grid.free_intervals && !sequence_is_instant(at->seq, j) && !sequence_is_instant(at->seq, j + 1);
    if (is_free || place < 0 || place > 2 * at->ph->n_interval)
        return;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    seq->place[j] = place;
    t[j] = neighbours_time(at, interval);
    neighbours_add(at, 0, seq, t, by > 0 ? "is commanded an interval later" : "is commanded an interval earlier",
                   j);
}

void move_command(struct finder *at, const struct spot *spot)
{
    const int j = spot->event;
    if (j < 0 || machine_of(at, j) != spot->subject
        || !at->ph->sys->transition[at->seq->step[j].transition].commanded)
        return;
    command_beside(at, j, -1);
    command_beside(at, j, 1);
}
