#include "transcription/phases/neighbours_parts.h"

#include "core/base/mem.h"
#include "transcription/phases/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Through the surface ------------------------------------------------------------------------------------- */

/* Mode j + 1 slides on switch k and comes back to where it came from: on the other side of the surface instead. */
static void pass_through(struct finder *at, int j, int k)
{
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    sequence_mode(seq, j + 1)[k] = phase_opposite(sequence_mode(seq, j)[k]);
    if (sequence_is_on_grid(seq, j + 1)) {      /* nothing crosses by a jump of the controls */
        seq->place[j + 1]--;
        t[j + 1] -= EVENT_INSET * at->H;
    }
    neighbours_add(at, 1.8, seq, t, "passes to the other side", j);
}

void neighbours_passages(struct finder *at)
{
    const struct sequence *seq = at->seq;
    for (int j = 0; j + 1 < seq->n_event; j++)
        for (int k = seq->n_contact; k < seq->n_contact + seq->n_switch; k++)
            if (sequence_mode(seq, j + 1)[k] == PHASE_SLIDING && sequence_mode(seq, j)[k] == sequence_mode(seq, j + 2)[k]
                && sequence_mode(seq, j)[k] != PHASE_SLIDING && !at->ph->sys->sw[k - seq->n_contact].wall)
                pass_through(at, j, k);
}

/* --- Slip in space that comes to rest ------------------------------------------------------------------------ */

/* Contact c, which slips in mode m, sticks in between: from one place to another; -1: from its start, or to its end. */
static void rest_between(struct finder *at, int m, int c, int from, int to)
{
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 2);
    const int n = at->seq->n_event, first = from < 0 ? m : m + 1;
    int j = m;
    for (int k = 0; k < 2; k++) {
        const int place = k ? to : from, interval = place / 2;
        if (place < 0)
            continue;
        sequence_insert(seq, j, place);
        memmove(t + j + 1, t + j, (size_t)(n + (j - m) - j) * sizeof *t);
        t[j] = neighbours_time(at, place % 2 == 0 ? interval : k ? interval + EVENT_INSET : interval + 1 - EVENT_INSET);
        j++;
    }
    sequence_mode(seq, first)[c] = PHASE_STICK;
    sequence_simplify(seq, t);
    neighbours_add(at, 1.9, seq, t, "comes to rest for a while", m);
}

/* At a point of mode m: the speed of slip, and its direction. */
static double slip_at(const struct finder *at, const struct phase_point *point, int c, double *dir)
{
    for (int q = 0; q < SLIP_MAX; q++)
        dir[q] = q < at->ph->sys->contact[c].n_t ? at->finish->w[point->first + point->layout->dir[c] + q] : 0;
    return at->finish->w[point->first + point->layout->speed[c]];
}

/* Does it turn in an element as far as it may from one point to the next? */
static bool turns_in(const struct finder *at, int e, int c)
{
    const struct phases *ph = at->ph;
    const bool goes_on = e > 0 && ph->piece[ph->piece_of[e - 1]].mode == ph->piece[ph->piece_of[e]].mode;
    struct phase_point point = goes_on ? phases_stage_point(ph, e - 1, ph->n_point - 1) : phases_stage_point(ph, e, 0);
    double before[SLIP_MAX], now[SLIP_MAX], least = 1;
    slip_at(at, &point, c, before);
    for (int k = 0; k < ph->n_point; k++) {
        point = phases_stage_point(ph, e, k);
        slip_at(at, &point, c, now);
        double along = 0;
        for (int q = 0; q < SLIP_MAX; q++) {
            along += before[q] * now[q];
            before[q] = now[q];
        }
        least = fmin(least, along);
    }
    return least < SLIP_TURN + SLIP_TURN_NEAR;
}

/* Does it stand in all of an element? */
static bool stands_in(const struct finder *at, int e, int c, double most)
{
    double dir[SLIP_MAX], speed = 0;
    for (int k = 0; k < at->ph->n_point; k++) {
        const struct phase_point point = phases_stage_point(at->ph, e, k);
        speed = fmax(speed, slip_at(at, &point, c, dir));
    }
    return speed < SLIP_STANDS * most;
}

static double fastest_slip(const struct finder *at, int c)
{
    double dir[SLIP_MAX], most = 0;
    for (int e = 0; e < at->ph->n_element; e++)
        for (int k = 0; k < at->ph->n_point; k++) {
            const struct phase_point point = phases_stage_point(at->ph, e, k);
            if (point.contact[c] == PHASE_SLIP)
                most = fmax(most, slip_at(at, &point, c, dir));
        }
    return most;
}

/* Where it turns round it stops shortly before the grid point beside, or inside, and starts with a jump of the
 * controls. */
static void rest_at_turn(struct finder *at, int m, int c, int i)
{
    const int N = at->ph->n_interval;
    const int from[] = { 2 * i - 1, 2 * i + 1, 2 * i - 1 }, to[] = { 2 * i, 2 * i + 2, 2 * i + 2 };
    for (int k = 0; k < 3; k++)
        if (from[k] > 0 && to[k] < 2 * N)
            rest_between(at, m, c, from[k], to[k]);
}

/* Contact c in pieces first to last, a mode, in whole intervals of which it stands: it sticks there; up to the end,
 * or up to the last grid point. */
static void rest_where_it_stands(struct finder *at, int c, int first, int last)
{
    const struct phase_piece *a = &at->ph->piece[first], *b = &at->ph->piece[last];
    const bool begins = first == 0 || a[-1].mode != a->mode, ends = last + 1 == at->ph->n_piece || b[1].mode != b->mode;
    if (begins && ends)
        return;
    rest_between(at, a->mode, c, begins ? -1 : 2 * a->interval, ends ? -1 : 2 * b->interval + 2);
    if (ends && b->interval > a->interval)
        rest_between(at, a->mode, c, 2 * a->interval, 2 * b->interval);
}

/* Contact c steps over where it slips in mode m: it leaves on a grid point, lands inside an interval, and sticks
 * before and after where it slips from the start, or to the end. Time steps find such patterns in the plane. */
static void step_over(struct finder *at, int m, int c)
{
    const int N = at->ph->n_interval, n = at->seq->n_event;
    const int from = m > 0 ? at->seq->place[m - 1] : 0, to = m < n ? at->seq->place[m] : 2 * N, third = (to - from) / 3;
    const bool starts = m == 0, ends = m == n;
    const int leaves = starts ? (from + third) / 2 * 2 : (from + 1) / 2 * 2, lands = ends ? (to - third) | 1 : (to - 1) | 1;
    if ((!starts && (sequence_mode(at->seq, m - 1)[c] == PHASE_OPEN || sequence_is_instant(at->seq, m))) || leaves < 2
        || lands <= leaves || (!ends && sequence_has_impact(at->seq, m)))
        return;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 2);
    int j = m;                                  /* the mode in the air */
    if (starts) {
        sequence_insert(seq, 0, leaves);
        memmove(t + 1, t, (size_t)n * sizeof *t);
        sequence_mode(seq, 0)[c] = PHASE_STICK;
        j++;
    } else {
        seq->place[m - 1] = leaves;
    }
    if (ends) {
        sequence_insert(seq, seq->n_event, lands);
        sequence_mode(seq, seq->n_event)[c] = PHASE_STICK;
    } else {
        seq->place[j] = lands;
    }
    sequence_mode(seq, j)[c] = PHASE_OPEN;
    sequence_hit(seq, j)[c] = sequence_mode(seq, j + 1)[c];
    const int before = leaves / 2, after = lands / 2;
    t[j - 1] = neighbours_time(at, before);
    t[j] = neighbours_time(at, after + 0.5);
    neighbours_add(at, 2.4, seq, t, "followed by an opening where it slips", m);
}

static void steps_over(struct finder *at, int c)
{
    for (int m = 0; m <= at->seq->n_event; m++)
        if (sequence_mode(at->seq, m)[c] == PHASE_SLIP)
            step_over(at, m, c);
}

void neighbours_stops(struct finder *at)
{
    const struct phases *ph = at->ph;
    for (int c = 0; c < at->seq->n_contact; c++) {
        if (ph->sys->contact[c].n_t < 2)
            continue;
        steps_over(at, c);
        const double most = fastest_slip(at, c);
        int first = -1;
        for (int k = 0; k < ph->n_piece; k++) {
            const struct phase_piece *piece = &ph->piece[k];
            const bool slips = sequence_mode(at->seq, piece->mode)[c] == PHASE_SLIP;
            bool stands = slips;
            int turns = -1;
            for (int e = piece->first; e < piece->first + piece->n_element && slips; e++) {
                stands = stands && stands_in(at, e, c, most);
                turns = turns_in(at, e, c) ? e : turns;
            }
            if (turns >= 0 && !stands)
                rest_at_turn(at, piece->mode, c, piece->interval);
            if (first >= 0 && (!stands || ph->piece[first].mode != piece->mode)) {
                rest_where_it_stands(at, c, first, k - 1);
                first = -1;
            }
            first = first < 0 && stands ? k : first;
        }
        if (first >= 0)
            rest_where_it_stands(at, c, first, ph->n_piece - 1);
    }
}

/* --- Rest at the ends ---------------------------------------------------------------------------------------- */

/* Contact c, which slips in the first or the last mode, sticks up to the first grid point, or in the last interval. */
static void rest_at(struct finder *at, int c, bool end)
{
    const int N = at->ph->n_interval, m = at->seq->n_event;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 1);
    const int j = end ? m : 0;
    sequence_insert(seq, j, end ? 2 * N - 1 : 2);
    memmove(t + j + 1, t + j, (size_t)(m - j) * sizeof *t);
    t[j] = neighbours_time(at, end ? N - EVENT_INSET : 1);
    sequence_mode(seq, end ? m + 1 : 0)[c] = PHASE_STICK;
    neighbours_add(at, 0.9, seq, t, end ? "sticks at the end" : "sticks at the start", j);
}

/* At the state it starts from. */
static double value_at_start(const struct finder *at, expr e)
{
    const struct phase_system *sys = at->ph->sys;
    const double *w = at->finish->w;
    double *y = mem_alloc((size_t)sys->n_y, sizeof *y);
    for (int i = 0; i < sys->n_y; i++)
        y[i] = w[phases_left(at->ph, 0)[i]];
    const double value = phase_system_value(sys, e, y, &w[at->ph->p]);
    free(y);
    return value;
}

/* Is the slip of contact c at the start one of fixed values? Then no state of it changes that. */
static bool slips_for_sure(const struct finder *at, int c)
{
    const struct phase_system *sys = at->ph->sys;
    const struct nlp *nlp = &at->ph->mpcc.nlp;
    double slip = 0;
    for (int k = 0; k < sys->contact[c].n_t; k++)
        slip = fmax(slip, fabs(value_at_start(at, sys->contact[c].model->v_t[k])));
    for (int i = 0; i < sys->n_y; i++) {
        const int var = phases_left(at->ph, 0)[i];
        const bool is_free = nlp->lbw[var] < nlp->ubw[var];
        if (is_free && expr_depends(sys->g, sys->contact[c].model->v_t[0], 1, &sys->dcs->y[i].sym))
            return false;
    }
    return slip > START_SLIP;
}

/* A switch that is at zero at the start slides first, for a moment in the first interval. */
static void slides_first(struct finder *at, int l)
{
    const int subject = at->seq->n_contact + l;
    if (at->ph->sys->sw[l].pair >= 0 || sequence_mode(at->seq, 0)[subject] == PHASE_SLIDING
        || !(fabs(value_at_start(at, at->ph->sys->sw[l].sw->c)) <= START_ZERO))
        return;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 1);
    sequence_insert(seq, 0, 1);
    memmove(t + 1, t, (size_t)at->seq->n_event * sizeof *t);
    t[0] = neighbours_time(at, EVENT_INSET);
    sequence_mode(seq, 0)[subject] = PHASE_SLIDING;
    neighbours_add(at, 0.9, seq, t, "slides at the start", 0);
}

void neighbours_rests(struct finder *at)
{
    for (int c = 0; c < at->seq->n_contact; c++) {
        if (phase_slips(sequence_mode(at->seq, 0)[c]) && !slips_for_sure(at, c))
            rest_at(at, c, false);
        if (phase_slips(sequence_mode(at->seq, at->seq->n_event)[c]))
            rest_at(at, c, true);
    }
    for (int l = 0; l < at->seq->n_switch; l++)
        slides_first(at, l);
}

/* --- After an impact ----------------------------------------------------------------------------------------- */

/* Contact c takes the impulse in another state, and stays in it for as long as it was in the one before. */
static void hit_as(struct finder *at, int j, int c, int state)
{
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    sequence_hit(seq, j)[c] = (unsigned char)state;
    if (sequence_mode(seq, j + 1)[c] != PHASE_OPEN)
        sequence_mode(seq, j + 1)[c] = (unsigned char)state;
    sequence_simplify(seq, t);
    neighbours_add(at, 0.8, seq, t, state == PHASE_STICK ? "sticks after the impact" : "slips after the impact", j);
}

void neighbours_impacts(struct finder *at, int j)
{
    static const int planar[] = { PHASE_STICK, PHASE_FORWARD, PHASE_BACKWARD }, spatial[] = { PHASE_STICK, PHASE_SLIP };
    for (int c = 0; c < at->seq->n_contact; c++) {
        const int n_t = at->ph->sys->contact[c].n_t, was = sequence_hit(at->seq, j)[c];
        if (was == PHASE_OPEN || was == PHASE_CLOSED)
            continue;
        for (int k = 0; k < (n_t > 1 ? 2 : 3); k++)
            if ((n_t > 1 ? spatial : planar)[k] != was)
                hit_as(at, j, c, (n_t > 1 ? spatial : planar)[k]);
    }
}

/* --- Letting go ---------------------------------------------------------------------------------------------- */

/* Normal force of contact c in piece k, on the average of its stages. */
static double mean_force(const struct finder *at, int k, int c)
{
    const struct phases *ph = at->ph;
    const int n = ph->piece[k].n_element * ph->n_point;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const struct phase_point point = phases_stage_point(ph, ph->piece[k].first + i / ph->n_point, i % ph->n_point);
        sum += at->finish->w[point.first + point.layout->lambda_n[c]];
    }
    return sum / n;
}

/* The piece of the last phase, not its first, in which contact c presses least; -1: there is but one. */
static int least_pressed(const struct finder *at, int c)
{
    int least = -1;
    double force = INFINITY;
    for (int k = at->ph->n_piece - 1; k > 0 && at->ph->piece[k - 1].mode == at->seq->n_event; k--)
        if (mean_force(at, k, c) < force) {
            force = mean_force(at, k, c);
            least = k;
        }
    return least;
}

/* Is contact c closed at the end, and was it open before? */
static bool has_closed(const struct sequence *seq, int c)
{
    bool was_open = false;
    for (int m = 0; m < seq->n_event; m++)
        was_open = was_open || sequence_mode(seq, m)[c] == PHASE_OPEN;
    return was_open && phase_is_closed(sequence_mode(seq, seq->n_event)[c]);
}

/* What comes together and stays so to the end lets go before: what is thrown, kicked or shoved. */
void neighbours_releases(struct finder *at)
{
    const int m = at->seq->n_event;
    for (int c = 0; c < at->seq->n_contact; c++) {
        const int k = has_closed(at->seq, c) ? least_pressed(at, c) : -1;
        if (k < 0)
            continue;
        struct sequence *seq = sequence_copy(at->seq);
        double *t = neighbours_times(at, 1);
        sequence_insert(seq, m, 2 * at->ph->piece[k].interval);
        sequence_mode(seq, m + 1)[c] = PHASE_OPEN;
        t[m] = at->start[k];
        neighbours_add(at, 0.4, seq, t, "followed by an opening", m);
    }
}

/* --- Sticking on the cone ------------------------------------------------------------------------------------ */

/* Is the cone of contact c on one side active at the first n stages of piece k? The state that slips that way, or
 * STICK. */
static int slips_in(const struct finder *at, int k, int n, int c)
{
    const struct phases *ph = at->ph;
    const double mu = ph->sys->contact[c].model->mu;
    bool upper = true, lower = true;
    for (int i = 0; i < n; i++) {
        const struct phase_point point = phases_stage_point(ph, ph->piece[k].first + i / ph->n_point, i % ph->n_point);
        const double lambda_n = at->finish->w[point.first + point.layout->lambda_n[c]];
        const double lambda_t = at->finish->w[point.first + point.layout->lambda_t[c]];
        upper = upper && mu * lambda_n - lambda_t < CONE_ACTIVE * fmax(1, lambda_n);
        lower = lower && mu * lambda_n + lambda_t < CONE_ACTIVE * fmax(1, lambda_n);
    }
    return upper == lower ? PHASE_STICK : upper ? PHASE_BACKWARD : PHASE_FORWARD;
}

/* From piece k on the contact slips to the end of its phase. */
static void slip_to_the_end(struct finder *at, int k, int c, int state)
{
    const struct phase_piece *piece = &at->ph->piece[k];
    const int m = piece->mode;
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 1);
    const bool whole = piece->before >= 0 || k == 0;
    if (!whole) {
        sequence_insert(seq, m, 2 * piece->interval);
        memmove(t + m + 1, t + m, (size_t)(at->seq->n_event - m) * sizeof *t);
        t[m] = at->start[k];
    }
    sequence_mode(seq, whole ? m : m + 1)[c] = (unsigned char)state;
    sequence_simplify(seq, t);
    neighbours_add(at, 1.5, seq, t, "slips before it", m);
}

/* From the start of its phase the contact slips, and comes to stick in the interval of piece k or in the next. */
static void slip_at_first(struct finder *at, int k, int c, int state)
{
    const struct phase_piece *piece = &at->ph->piece[k];
    const int m = piece->mode;
    for (int i = piece->interval; i <= piece->interval + 1 && i < at->ph->n_interval; i++) {
        struct sequence *seq = sequence_copy(at->seq);
        double *t = neighbours_times(at, 1);
        sequence_insert(seq, m, 2 * i + 1);
        sequence_mode(seq, m)[c] = (unsigned char)state;
        memmove(t + m + 1, t + m, (size_t)(at->seq->n_event - m) * sizeof *t);
        t[m] = neighbours_time(at, i == piece->interval ? i + 1 - EVENT_INSET : i + EVENT_INSET);
        neighbours_add(at, 2.1, seq, t, "slips first", m);
    }
}

void neighbours_cones(struct finder *at, int k)
{
    const struct phase_piece *piece = &at->ph->piece[k];
    const bool ends = piece->after >= 0 || k + 1 == at->ph->n_piece, begins = piece->before >= 0 || k == 0;
    for (int c = 0; c < at->seq->n_contact; c++) {
        if (at->ph->sys->contact[c].n_t != 1 || sequence_mode(at->seq, piece->mode)[c] != PHASE_STICK)
            continue;
        const int all = slips_in(at, k, piece->n_element * at->ph->n_point, c), first = slips_in(at, k, 1, c);
        if (ends && all != PHASE_STICK)
            slip_to_the_end(at, k, c, all);
        if (begins && first != PHASE_STICK && !(ends && all != PHASE_STICK))
            slip_at_first(at, k, c, first);
    }
}
