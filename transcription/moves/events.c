/* Events in time: at the edge of their control interval, on a grid point; and modes without length between them. */
#include "transcription/moves/moves.h"

#include "transcription/sequence/recipe.h"

#include <math.h>

#define PUSHES 1e-6                 /* multiplier, of an objective above 1 relative: an inequality that is active */

/* How much surer than the priority of its move a sign is: */
#define BEFORE_IT 0.1               /* what is late, than what is early */
#define AFTER_IMPACT 1.5            /* a mode after an impact that opens at once */
#define ON_THE_POINT 1.0            /* two events on the grid point, than inside the interval beside it */

/* --- Signs --------------------------------------------------------------------------------------------------- */

/* Piece k begins with an event inside its interval: is that the first one there? Is it the last one? */
static bool is_first_inside(const struct phases *ph, int k)
{
    return k < 2 || ph->piece[k - 2].interval != ph->piece[k].interval;
}

static bool is_last_inside(const struct phases *ph, int k)
{
    return k + 1 == ph->n_piece || ph->piece[k + 1].interval != ph->piece[k].interval;
}

static bool has_no_length(const struct finder *at, int k)
{
    return at->start[k + 1] - at->start[k] < at->near;
}

/* Does piece k begin with an event inside its interval? */
static bool begins_inside(const struct finder *at, int k)
{
    return at->ph->piece[k].before >= 0 && !sequence_is_on_grid(at->seq, at->ph->piece[k].before);
}

/* Is there no time from the start of its interval to the event? */
static bool is_at_start(const struct finder *at, int k)
{
    return begins_inside(at, k) && has_no_length(at, k - 1) && is_first_inside(at->ph, k);
}

bool neighbours_is_at_left_edge(const struct finder *at, int k)
{
    return is_at_start(at, k) && !sequence_is_instant(at->seq, at->ph->piece[k].before);
}

bool neighbours_is_at_right_edge(const struct finder *at, int k)
{
    return begins_inside(at, k) && has_no_length(at, k) && is_last_inside(at->ph, k);
}

/* Is there no time from event j inside an interval, with which piece k begins, to the next event in it? */
static bool is_next_at_once(const struct finder *at, int k)
{
    return begins_inside(at, k) && has_no_length(at, k) && !is_last_inside(at->ph, k);
}

int neighbours_first_at_once(const struct sequence *seq, int j)
{
    while (j > 0 && sequence_is_instant(seq, j)) j--;
    return j;
}

/* --- Moves in time ------------------------------------------------------------------------------------------- */

static void move_to(struct finder *at, double surer, int j, int place, const char *what)
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
    neighbours_add(at, surer, seq, t, what, j);
}

void move_event_to_point(struct finder *at, const struct spot *spot)
{
    const int i = at->ph->piece[spot->piece].interval, first = neighbours_first_at_once(at->seq, spot->event);
    if (neighbours_is_at_left_edge(at, spot->piece) && i > 0 && neighbours_is_soft(at->seq, spot->event))
        move_to(at, 0, spot->event, 2 * i, "moved to the grid point before it");
    if (neighbours_is_at_right_edge(at, spot->piece) && i + 1 < at->ph->n_interval
        && neighbours_is_soft(at->seq, first))
        move_to(at, 0, first, 2 * i + 2, "moved to the grid point after it");
}

void move_event_to_interval(struct finder *at, const struct spot *spot)
{
    const int i = at->ph->piece[spot->piece].interval;
    if (neighbours_is_at_left_edge(at, spot->piece) && i > 0)
        move_to(at, 0, spot->event, 2 * i - 1, "moved into the interval before it");
    if (neighbours_is_at_right_edge(at, spot->piece) && i + 1 < at->ph->n_interval)
        move_to(at, 0, neighbours_first_at_once(at->seq, spot->event), 2 * i + 3,
                "moved into the interval after it");
}

/* With the mode of no length outside of it. */
void move_event_out(struct finder *at, const struct spot *spot)
{
    const int j = spot->event, i = at->ph->piece[spot->piece].interval,
              first = neighbours_first_at_once(at->seq, j);
    if (neighbours_is_at_left_edge(at, spot->piece) && i == 0 && j == 0 && !sequence_has_impact(at->seq, j))
        neighbours_drop(at, j, j, "removed, at the start");
    if (neighbours_is_at_right_edge(at, spot->piece) && i + 1 == at->ph->n_interval
        && first == at->seq->n_event - 1)
        neighbours_drop(at, first, first + 1, "removed, at the end");
}

/* --- On the grid --------------------------------------------------------------------------------------------- */

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

/* What a jump of the controls triggers leaves its point only where it pushes to. */
void move_event_off_grid(struct finder *at, const struct spot *spot)
{
    const int j = spot->event, k = spot->piece, place = at->seq->place[j];
    if (!sequence_is_on_grid(at->seq, j))
        return;
    const bool soft = neighbours_is_soft(at->seq, j);
    if (!soft || is_late(at, k, j))
        move_to(at, BEFORE_IT, j, place - 1, "moved off its grid point, to before it");
    if (!soft || is_early(at, k))
        move_to(at, 0, j, place + 1, "moved off its grid point, to after it");
}

void move_event_to_next_point(struct finder *at, const struct spot *spot)
{
    const int j = spot->event, place = at->seq->place[j];
    if (!sequence_is_on_grid(at->seq, j) || !neighbours_is_soft(at->seq, j))
        return;
    move_to(at, 0, j, place - 2, "moved from its grid point to that before");
    move_to(at, 0, j, place + 2, "moved from its grid point to that after");
}

/* --- Modes without length ------------------------------------------------------------------------------------ */

/* Mode j + 1 lasts no time: it goes, with the event at its end; after an impact that closes and opens at once the
 * impact stays. */
void move_mode_out(struct finder *at, const struct spot *spot)
{
    const int j = spot->event;
    if (!is_next_at_once(at, spot->piece) || sequence_has_impact(at->seq, j + 1) || sequence_fires(at->seq, j)
        || sequence_fires(at->seq, j + 1))
        return;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    sequence_remove(seq, j + 1, j + 1, t);
    sequence_simplify(seq, t);
    neighbours_add(at, sequence_has_impact(at->seq, j) ? AFTER_IMPACT : 0, seq, t, "merged with the next one", j);
}

/* Who is hit at event j and stays closed slides or sticks in the impact as afterwards. */
static void hit_as_after(struct sequence *seq, int j)
{
    for (int c = 0; c < seq->n_contact; c++)
        if (sequence_hit(seq, j)[c] != PHASE_OPEN && phase_is_closed(sequence_mode(seq, j + 1)[c]))
            sequence_hit(seq, j)[c] = sequence_mode(seq, j + 1)[c];
}

/* Events j and j + 1, one on a grid point, the other as near to it as its interval allows, become one at `place`:
 * the mode between them, whose force and friction nothing holds without length, goes. */
static void join(struct finder *at, double surer, int j, int place, const char *what)
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
    t[j] = neighbours_time(at, place % 2 == 0 ? interval
                               : before       ? interval + 1 - EVENT_INSET
                                              : interval + EVENT_INSET);
    sequence_simplify(seq, t);
    neighbours_add(at, surer, seq, t, what, j);
}

/* Both ways, for a mode without length between a grid point and an event in the interval beside it. */
static void join_beside_point(struct finder *at, int j, int point, int inside)
{
    join(at, ON_THE_POINT, j, point, "merged with the next one, on the grid point");
    join(at, 0, j, inside, "merged with the next one, inside the interval");
}

void move_events_join(struct finder *at, const struct spot *spot)
{
    const int j = spot->event, k = spot->piece, i = at->ph->piece[k].interval;
    if (neighbours_is_at_right_edge(at, k) && j + 1 < at->seq->n_event && at->seq->place[j + 1] == 2 * i + 2)
        join_beside_point(at, j, 2 * i + 2, 2 * i + 1);
    if (is_at_start(at, k) && j > 0 && at->seq->place[j - 1] == 2 * i)
        join_beside_point(at, j - 1, 2 * i, 2 * i + 1);
}
