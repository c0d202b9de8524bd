#include "transcription/phases/neighbours.h"

#include "core/base/mem.h"
#include "transcription/phases/neighbours_parts.h"
#include "transcription/phases/patches.h"
#include "transcription/phases/recipe.h"
#include "transcription/phases/seats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The list ------------------------------------------------------------------------------------------------ */

/* Events in order, and none beside another on one grid point. */
static bool is_ordered(const struct sequence *seq)
{
    for (int j = 1; j < seq->n_event; j++)
        if (seq->place[j] < seq->place[j - 1] || (seq->place[j] == seq->place[j - 1] && seq->place[j] % 2 == 0))
            return false;
    return true;
}

/* Takes over seq and t; drops what is no sequence. */
void neighbours_add(struct finder *at, double priority, struct sequence *seq, double *t, const char *what, int j)
{
    struct neighbours *out = at->out;
    const int end = 2 * at->ph->n_interval;
    const bool seats_change = seats_settle(at->ph->sys, seq), patches_change = patches_settle(at->ph->sys, seq);
    if (seats_change || patches_change)
        sequence_simplify(seq, t);
    const bool inside = seq->n_event == 0 || (seq->place[0] > 0 && seq->place[seq->n_event - 1] < end);
    const bool fits = inside && is_ordered(seq) && phases_allow(at->ph->sys->model, seq)
                      && !phases_slide_on_controls(at->ph->sys, seq) && !phases_slide_by_chance(at->ph->sys, seq)
                      && phases_switch_on_grid(at->ph->sys, seq)
                      && phases_allow_machines(at->ph->sys, seq) && phases_allow_first(at->ph->sys, seq)
                      && seats_stay(at->ph->sys, seq) && patches_allow(at->ph->sys, seq);
    if (!fits) {
        sequence_free(seq);
        free(t);
        return;
    }
    if (out->n == out->cap) {
        out->cap = out->cap ? 2 * out->cap : 32;
        out->list = mem_resize(out->list, (size_t)out->cap, sizeof *out->list);
    }
    int k = out->n++;
    for (; k > 0 && out->list[k - 1].priority < priority; k--)
        out->list[k] = out->list[k - 1];
    out->list[k] = (struct neighbour){ .priority = priority, .seq = seq, .t = t };
    (void)snprintf(out->list[k].what, sizeof out->list[k].what, "event %d %s", j, what);
}

/* Room for extra more events. */
double *neighbours_times(const struct finder *at, int extra)
{
    const size_t n = (size_t)at->seq->n_event;
    double *t = mem_alloc(n + (size_t)extra, sizeof *t);
    memcpy(t, at->t, n * sizeof *t);
    return t;
}

double neighbours_time(const struct finder *at, double place)
{
    const int n = at->ph->n_interval, i = place >= n ? n - 1 : (int)place;
    return at->grid[i] + (place - i) * (at->grid[i + 1] - at->grid[i]);
}

/* --- Moves --------------------------------------------------------------------------------------------------- */

static void move(struct finder *at, double priority, int j, int place, const char *what)
{
    const int i = place / 2;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    const bool later = place > at->seq->place[j];
    seq->place[j] = place;
    t[j] = neighbours_time(at, place % 2 == 0 ? i : later ? i + EVENT_INSET : i + 1 - EVENT_INSET);
    for (int next = j + 1; sequence_is_instant(at->seq, next); next++) {
        seq->place[next] = place;
        t[next] = t[j];
    }
    neighbours_add(at, priority, seq, t, what, j);
}

static void drop(struct finder *at, double priority, int j, int mode, const char *what)
{
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    sequence_remove(seq, j, mode, t);
    sequence_simplify(seq, t);
    neighbours_add(at, priority, seq, t, what, j);
}

/* Can a jump of the controls trigger event j: lift-off, the end of sticking or sliding? */
static bool is_soft(const struct finder *at, int j)
{
    const struct sequence *seq = at->seq;
    const unsigned char *a = sequence_mode(seq, j), *b = sequence_mode(seq, j + 1);
    if (sequence_has_impact(seq, j) || sequence_fires(seq, j) || sequence_turns(seq, j))
        return false;
    for (int k = 0; k < seq->n_contact; k++)
        if (a[k] != b[k] && b[k] != PHASE_OPEN && !(a[k] == PHASE_STICK && phase_slips(b[k])))
            return false;
    for (int k = seq->n_contact; k < seq->n_contact + seq->n_switch; k++)
        if (a[k] != b[k] && a[k] != PHASE_SLIDING)
            return false;
    return true;
}

static void at_left_edge(struct finder *at, int j, int i)
{
    if (i == 0) {
        if (j == 0 && !sequence_has_impact(at->seq, j))
            drop(at, 2.5, j, j, "removed, at the start");
        return;
    }
    if (is_soft(at, j))
        move(at, 3, j, 2 * i, "moved to the grid point before it");
    move(at, 2, j, 2 * i - 1, "moved into the interval before it");
}

static void at_right_edge(struct finder *at, int j, int i)
{
    if (i + 1 < at->ph->n_interval) {
        if (is_soft(at, j))
            move(at, 3, j, 2 * i + 2, "moved to the grid point after it");
        move(at, 2, j, 2 * i + 3, "moved into the interval after it");
    } else if (j == at->seq->n_event - 1) {
        drop(at, 2.5, j, j + 1, "removed, at the end");
    }
}

/* Mode j + 1 lasts no time: it goes, with the event at its end; after an impact that closes and opens at once the
 * impact stays. */
static void without_phase(struct finder *at, int j)
{
    struct sequence *seq = sequence_copy(at->seq);
    if (j + 1 >= seq->n_event || sequence_has_impact(seq, j + 1) || sequence_fires(seq, j) || sequence_fires(seq, j + 1)) {
        sequence_free(seq);
        return;
    }
    const bool impact = sequence_has_impact(seq, j);
    double *t = neighbours_times(at, 0);
    sequence_remove(seq, j + 1, j + 1, t);
    sequence_simplify(seq, t);
    neighbours_add(at, impact ? 3.5 : 2, seq, t, "merged with the next one", j);
}

/* Who is hit at event j and stays closed slides or sticks in the impact as afterwards. */
static void hit_as_after(struct sequence *seq, int j)
{
    for (int c = 0; c < seq->n_contact; c++)
        if (sequence_hit(seq, j)[c] != PHASE_OPEN && phase_is_closed(sequence_mode(seq, j + 1)[c]))
            sequence_hit(seq, j)[c] = sequence_mode(seq, j + 1)[c];
}

/* Contacts that open at event j and are closed again at the next, all but at once: they stay closed, as they are
 * afterwards. */
static void stay_closed(struct finder *at, int j)
{
    const int n_c = at->seq->n_contact;
    if (j + 1 >= at->seq->n_event || at->t[j + 1] - at->t[j] >= at->near)
        return;
    struct sequence *seq = sequence_copy(at->seq);
    const unsigned char *before = sequence_mode(seq, j), *after = sequence_mode(seq, j + 2);
    bool any = false;
    for (int c = 0; c < n_c; c++) {
        const bool is_gone = phase_is_closed(before[c]) && sequence_mode(seq, j + 1)[c] == PHASE_OPEN && phase_is_closed(after[c]);
        if (!is_gone)
            continue;
        any = true;
        sequence_mode(seq, j + 1)[c] = after[c];
        sequence_patch(seq, j + 1)[c] = sequence_patch(seq, j + 2)[c];
        sequence_hit(seq, j + 1)[c] = PHASE_OPEN;
    }
    if (!any) {
        sequence_free(seq);
        return;
    }
    double *t = neighbours_times(at, 0);
    sequence_simplify(seq, t);
    neighbours_add(at, 3.2, seq, t, "does not open", j);
}

/* Events j and j + 1, one on a grid point, the other as near to it as its interval allows, become one at `place`: the
 * mode between them, whose force and friction nothing holds without length, goes. */
static void join(struct finder *at, double priority, int j, int place, const char *what)
{
    const bool later = sequence_has_impact(at->seq, j + 1);
    if (later && sequence_has_impact(at->seq, j))
        return;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    sequence_remove(seq, later ? j : j + 1, j + 1, t);
    hit_as_after(seq, j);
    seq->place[j] = place;
    const bool before = place < at->seq->place[j + 1];
    const int interval = place / 2;
    t[j] = neighbours_time(at, place % 2 == 0 ? interval : before ? interval + 1 - EVENT_INSET : interval + EVENT_INSET);
    sequence_simplify(seq, t);
    neighbours_add(at, priority, seq, t, what, j);
}

/* Both ways, for a mode without length between a grid point and an event in the interval beside it. */
static void join_beside_point(struct finder *at, int j, int point, int inside)
{
    join(at, 3.5, j, point, "merged with the next one, on the grid point");
    join(at, 2.5, j, inside, "merged with the next one, inside the interval");
}

/* Event j, or the one from which on all up to it happen at once. */
static int first_at_once(const struct sequence *seq, int j)
{
    while (j > 0 && sequence_is_instant(seq, j)) j--;
    return j;
}

static void inside(struct finder *at, int k)
{
    const struct phase_piece *piece = &at->ph->piece[k], *before = piece - 1;
    const int j = piece->before, i = piece->interval;
    const double length_before = at->start[k] - at->start[k - 1], length = at->start[k + 1] - at->start[k];
    const bool first = k < 2 || at->ph->piece[k - 2].interval != i;
    const bool last = k + 1 == at->ph->n_piece || at->ph->piece[k + 1].interval != i;
    if (length_before < at->near && first && before->interval == i && !sequence_is_instant(at->seq, j)) {
        at->edge[j] = -1;
        at_left_edge(at, j, i);
    }
    if (length < at->near && last) {
        at->edge[j] = 1;
        at_right_edge(at, first_at_once(at->seq, j), i);
    }
    if (length < at->near && !last) {
        without_phase(at, j);
        neighbours_exchange(at, j);
    }
    if (length < at->near && last && j + 1 < at->seq->n_event && at->seq->place[j + 1] == 2 * i + 2)
        join_beside_point(at, j, 2 * i + 2, 2 * i + 1);
    if (length_before < at->near && first && j > 0 && at->seq->place[j - 1] == 2 * i)
        join_beside_point(at, j - 1, 2 * i, 2 * i + 1);
}

/* Between opposite slips that meet on grid point i a phase of sticking: from inside before to the point, or longer. */
static void stick_at_reversal(struct finder *at, int j, int c, int i)
{
    const int from[] = { 2 * i - 1, 2 * i - 1, 2 * i - 3 }, to[] = { 2 * i, 2 * i + 2, 2 * i };
    for (int k = 0; k < 3; k++) {
        struct sequence *seq = sequence_copy(at->seq);
        double *t = neighbours_times(at, 1);
        seq->place[j] = to[k];
        sequence_insert(seq, j, from[k]);
        sequence_copy_mode(seq, j + 1, at->seq, j + 1);
        sequence_mode(seq, j + 1)[c] = PHASE_STICK;
        memmove(t + j + 1, t + j, (size_t)(at->seq->n_event - j) * sizeof *t);
        const int before = from[k] / 2, point = to[k] / 2;
        t[j] = neighbours_time(at, before + 1 - EVENT_INSET);
        t[j + 1] = neighbours_time(at, point);
        neighbours_add(at, 1.9, seq, t, "sticks for a while", j);
    }
}

static void reversals(struct finder *at, int j)
{
    const struct sequence *seq = at->seq;
    const int i = model_grid_point(at->ph->n_interval, at->grid, at->t[j], at->near);
    if (i < 0 || sequence_has_impact(seq, j))
        return;
    for (int c = 0; c < seq->n_contact; c++) {
        const int a = sequence_mode(seq, j)[c], b = sequence_mode(seq, j + 1)[c];
        if ((a == PHASE_FORWARD && b == PHASE_BACKWARD) || (a == PHASE_BACKWARD && b == PHASE_FORWARD))
            stick_at_reversal(at, j, c, i);
    }
}

static double end_value(const struct finder *at, const struct phase_point *end, int offset)
{
    return at->finish->w[end->first + offset];
}

/* Is the force or alpha that event j, on the grid, sets free at its limit right before it? Then it would rather be
 * earlier. */
static bool is_late(const struct finder *at, int k, int j)
{
    const struct sequence *seq = at->seq;
    const unsigned char *a = sequence_mode(seq, j), *b = sequence_mode(seq, j + 1);
    const struct phases *ph = at->ph;
    const struct phase_point end = phases_stage_point(ph, ph->piece[k].first - 1, ph->grid.stages - 1);
    for (int c = 0; c < seq->n_contact; c++) {
        if (a[c] == b[c])
            continue;
        const double lambda_n = end_value(at, &end, end.layout->lambda_n[c]), tol = CONE_ACTIVE * fmax(1, lambda_n);
        double lambda_t = 0;
        for (int q = 0; q < ph->sys->contact[c].n_t && end.layout->lambda_t[c] >= 0; q++)
            lambda_t = hypot(lambda_t, end_value(at, &end, end.layout->lambda_t[c] + q));
        if (b[c] == PHASE_OPEN ? lambda_n < tol : ph->sys->contact[c].model->mu * lambda_n - lambda_t < tol)
            return true;
    }
    for (int l = 0; l < seq->n_switch; l++) {
        const int subject = seq->n_contact + l;
        const double alpha = a[subject] == b[subject] ? 0.5 : end_value(at, &end, end.layout->alpha[l]);
        if ((alpha < CONE_ACTIVE && !ph->sys->sw[l].wall) || 1 - alpha < CONE_ACTIVE)
            return true;
    }
    return false;
}

/* Is what has to follow at its limit: gap'', the rate of slip or of c is 0? Then event j would rather be later. */
static bool is_early(const struct finder *at, int k)
{
    const struct phases *ph = at->ph;
    for (int i = 0; i < ph->n_instant; i++) {
        const struct phase_instant *instant = &ph->instant[i];
        for (int row = instant->row; row < instant->end && instant->element == ph->piece[k].first; row++)
            if (fabs(at->finish->lambda[row]) > PUSHES * fmax(1, fabs(at->finish->objective)))
                return true;
    }
    return false;
}

/* Piece k begins with event j. What a jump of the controls triggers leaves its point only where it pushes to. */
static void on_grid(struct finder *at, int k, int j)
{
    const int place = at->seq->place[j];
    const bool soft = is_soft(at, j);
    if (!soft || is_late(at, k, j))
        move(at, 1.1, j, place - 1, "moved off its grid point, to before it");
    if (!soft || is_early(at, k))
        move(at, 1, j, place + 1, "moved off its grid point, to after it");
    if (!soft)
        return;
    move(at, 0.5, j, place - 2, "moved from its grid point to that before");
    move(at, 0.5, j, place + 2, "moved from its grid point to that after");
}

/* --- Together, where the horizon is free --------------------------------------------------------------------- */

/* On a grid point, or as near to one as its interval allows. */
static bool is_at_point(const struct finder *at, const struct sequence *seq, int j)
{
    return sequence_is_on_grid(seq, j) || at->edge[j] != 0;
}

/* A shorter horizon draws the grid together: what is timed from the start comes to lie after its grid point, what is
 * timed from the end before it. One event alone that stays on its point keeps the horizon. shorter: events before
 * `split` go after their points, the others before them; else the other way round. */
static void off_the_grid_together(struct finder *at, int split, bool shorter)
{
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    for (int j = 0; j < seq->n_event; j++) {
        const bool later = (j < split) == shorter;
        if (!is_at_point(at, seq, j) || at->edge[j] == (later ? -1 : 1))        /* it lies on that side of its point */
            continue;
        seq->place[j] += (later ? 1 : -1) * (sequence_is_on_grid(seq, j) ? 1 : 2);
        t[j] += (later ? EVENT_INSET : -EVENT_INSET) * at->H;
    }
    neighbours_add(at, 1.2, seq, t, shorter ? "and others moved off the grid (shorter horizon)"
                                            : "and others moved off the grid (longer horizon)", split);
}

static void together(struct finder *at)
{
    int n = 0;
    for (int j = 0; j < at->seq->n_event; j++)
        n += is_at_point(at, at->seq, j);
    for (int split = 0; split <= at->seq->n_event && n > 1; split++) {
        const bool counts = split == 0 || is_at_point(at, at->seq, split - 1);      /* else as the one before */
        if (counts) {
            off_the_grid_together(at, split, true);
            off_the_grid_together(at, split, false);
        }
    }
}

/* Mode j + 1 slides on a switch between two others: they meet instead. */
static int sliding_phase(const struct sequence *seq)
{
    for (int j = 0; j + 1 < seq->n_event; j++)
        for (int k = seq->n_contact; k < seq->n_contact + seq->n_switch; k++)
            if (sequence_mode(seq, j + 1)[k] == PHASE_SLIDING && sequence_mode(seq, j)[k] != sequence_mode(seq, j + 2)[k])
                return j;
    return -1;
}

/* Of the sequence, and of the same without phases of sliding. */
static void together_any(struct finder *at)
{
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    int *edge = mem_alloc((size_t)seq->n_event, sizeof *edge);
    memcpy(edge, at->edge, (size_t)seq->n_event * sizeof *edge);
    for (int j = sliding_phase(seq); j >= 0; j = sliding_phase(seq)) {
        sequence_remove(seq, j, j + 1, t);
        memmove(edge + j, edge + j + 1, (size_t)(seq->n_event - j) * sizeof *edge);
    }
    together(at);
    if (seq->n_event < at->seq->n_event) {
        struct finder plain = *at;
        plain.seq = seq;
        plain.t = t;
        plain.edge = edge;
        together(&plain);
    }
    free(edge);
    sequence_free(seq);
    free(t);
}

/* --- Earlier and later --------------------------------------------------------------------------------------- */

/* As far into its interval as event j is into its own, `by` intervals later. */
static double shifted_time(const struct finder *at, int j, int by)
{
    const int i = at->seq->place[j] / 2;
    const double length = at->grid[i + 1] - at->grid[i];
    return neighbours_time(at, i + by + fmin(fmax((at->t[j] - at->grid[i]) / length, 0), 1));
}

/* All events an interval later (1) or earlier (-1). What a motion costs goes up and down with where in its interval
 * an event is, as controls are constant there: none is at an edge, and the valley in the next one is deeper all the
 * same. What would come after the end is left out: what was to come to rest by then does so at the end. */
static void shift_together(struct finder *at, int by)
{
    const int n = at->seq->n_event, end = 2 * at->ph->n_interval;
    int kept = n;
    while (kept > 0 && at->seq->place[kept - 1] + 2 * by >= end) kept--;
    if (kept == 0 || n > SHIFT_EVENTS || at->seq->place[0] + 2 * by <= 0)
        return;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    while (seq->n_event > kept)
        sequence_remove(seq, seq->n_event - 1, seq->n_event, t);
    for (int j = 0; j < kept; j++) {
        seq->place[j] += 2 * by;
        t[j] = shifted_time(at, j, by);
    }
    neighbours_add(at, 0.3, seq, t, by > 0 ? "and all others moved an interval later" : "and all others moved an interval earlier", 0);
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static struct finder finder_create(const struct finish *finish, double near, struct neighbours *out)
{
    const struct phases *ph = finish->ph;
    struct finder at = { .finish = finish, .ph = ph, .seq = ph->seq, .H = phases_horizon(ph, finish->w) / ph->n_interval,
                         .out = out };
    at.near = near * at.H;
    at.start = mem_alloc((size_t)ph->n_piece + 1, sizeof(double));
    at.t = mem_alloc((size_t)ph->seq->n_event, sizeof(double));
    at.edge = mem_alloc((size_t)ph->seq->n_event, sizeof(int));
    at.grid = mem_alloc((size_t)ph->n_interval + 1, sizeof(double));
    phases_times(ph, finish->w, at.start, at.t);
    model_grid(ph->sys->model, phases_horizon(ph, finish->w), &finish->w[ph->p], at.grid);
    return at;
}

static void finder_free(struct finder *at)
{
    free(at->start);
    free(at->grid);
    free(at->t);
    free(at->edge);
}

struct neighbours neighbours_of(const struct finish *finish, double near, bool shifted)
{
    const struct phases *ph = finish->ph;
    struct neighbours out = { 0 };
    struct finder at = finder_create(finish, near, &out);
    for (int k = 0; k < ph->n_piece; k++) {
        const int j = ph->piece[k].before;
        if (!ph->grid.free_intervals)
            neighbours_cones(&at, k);
        if (j < 0)
            continue;
        if (sequence_is_on_grid(ph->seq, j))
            on_grid(&at, k, j);
        else
            inside(&at, k);
        stay_closed(&at, j);
        reversals(&at, j);
        neighbours_impacts(&at, j);
    }
    neighbours_stops(&at);
    neighbours_rests(&at);
    neighbours_passages(&at);
    if (ph->sys->n_pair)
        neighbours_sides(&at);
    if (ph->sys->model->horizon_free)
        together_any(&at);
    if (finish->solved)
        neighbours_crossings(&at);
    if (finish->solved && !ph->grid.free_intervals) {
        if (shifted) {
            shift_together(&at, 1);
            shift_together(&at, -1);
        }
        neighbours_releases(&at);
    }
    finder_free(&at);
    return out;
}

/* Does slip stop at event j, and nothing else happens? */
static bool only_stops(const struct sequence *seq, int j)
{
    const unsigned char *a = sequence_mode(seq, j), *b = sequence_mode(seq, j + 1);
    if (sequence_is_on_grid(seq, j) || sequence_has_impact(seq, j) || sequence_fires(seq, j) || sequence_turns(seq, j))
        return false;
    for (int k = 0; k < sequence_n_subject(seq); k++)
        if (a[k] != b[k] && !(k < seq->n_contact && phase_slips(a[k]) && b[k] == PHASE_STICK))
            return false;
    return true;
}

static void stop_on_point(struct finder *at, int j)
{
    const int i = sequence_interval(at->seq, j);
    if (!only_stops(at->seq, j))
        return;
    if (i > 0 && at->t[j] - at->grid[i] < NEIGHBOUR_ZERO * at->H)
        move(at, 3, j, 2 * i, "moved to the grid point before it");
    if (i + 1 < at->ph->n_interval && at->grid[i + 1] - at->t[j] < NEIGHBOUR_ZERO * at->H)
        move(at, 3, j, 2 * i + 2, "moved to the grid point after it");
}

/* An impact with which all begins, of a contact that then stays: where that brings nothing the contact is closed from the
 * start, as a gait's foot that stands at both ends. */
static void begin_closed(struct finder *at)
{
    if (at->seq->n_event > 0 && sequence_has_impact(at->seq, 0) && at->t[0] - at->grid[0] < at->near)
        drop(at, 3.2, 0, 0, "removed, at the start");
}

struct neighbours neighbours_tidier(const struct finish *finish)
{
    struct neighbours out = { 0 };
    struct finder at = finder_create(finish, NEIGHBOUR_SHORT, &out);
    begin_closed(&at);
    for (int j = 0; j < finish->ph->seq->n_event; j++) {
        stay_closed(&at, j);
        if (!finish->ph->grid.free_intervals)
            stop_on_point(&at, j);
    }
    finder_free(&at);
    return out;
}

struct neighbours neighbours_of_orders(const struct finish *finish)
{
    struct neighbours out = { 0 };
    struct finder at = finder_create(finish, NEIGHBOUR_ZERO, &out);
    neighbours_orders(&at);
    finder_free(&at);
    return out;
}

void neighbours_free(struct neighbours *neighbours)
{
    for (int k = 0; k < neighbours->n; k++) {
        sequence_free(neighbours->list[k].seq);
        free(neighbours->list[k].t);
    }
    free(neighbours->list);
    *neighbours = (struct neighbours){ 0 };
}
