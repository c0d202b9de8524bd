#include "transcription/finish/smoothed_friction.h"

#include "core/base/mem.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SMOOTHED_FIRST 1.0          /* m/s: width of the first program, */
#define SMOOTHED_FACTOR 0.3         /* of each next one, of the width before it; down to */
#define SMOOTHED_LAST 3e-4          /* of the fastest slip, the last one: with 1e-3 table_pose has no solution at once */
#define SMOOTHED_ENOUGH 3e-2        /* of it: with a wider last one nothing is told */
#define SMOOTHED_LEAST 1e-4         /* m/s: none is smaller */
#define SMOOTHED_STICKS 0.9         /* of its cone: friction that is smaller in the end sticks */
enum {
    SMOOTHED_MAX_ITER = 150,        /* of the first program */
    SMOOTHED_NEXT_ITER = 80         /* of the others: 9 to 20 */
};

/* --- What is not decided ----------------------------------------------------------------------------------------- */

static bool has_friction_in_space(const struct phase_system *sys, int c)
{
    return sys->contact[c].n_t > 1;
}

static bool leave_open(const struct phase_system *sys, unsigned char *state, int c)
{
    const bool is = has_friction_in_space(sys, c) && state[c] != PHASE_OPEN;
    if (is)
        state[c] = PHASE_SLIP;
    return is;
}

/* Is anything hit that has none? How hard, and where to it goes on, is not for friction in space to say. */
static bool is_hit_otherwise(const struct phase_system *sys, const struct sequence *seq)
{
    for (int j = 0; j < seq->n_event; j++)
        for (int c = 0; c < sys->n_contact; c++)
            if (sequence_hit(seq, j)[c] != PHASE_OPEN && !has_friction_in_space(sys, c))
                return true;
    return false;
}

bool smoothed_friction_undecided(const struct phase_system *sys, const struct extract *from, struct extract *out)
{
    bool any = false;
    *out = (struct extract){ NULL, NULL, 0 };
    if (is_hit_otherwise(sys, from->seq))
        return false;
    struct sequence *seq = sequence_copy(from->seq);
    for (int j = 0; j <= seq->n_event; j++)
        for (int c = 0; c < sys->n_contact; c++) {
            any = leave_open(sys, sequence_mode(seq, j), c) || any;
            if (j < seq->n_event)
                any = leave_open(sys, sequence_hit(seq, j), c) || any;
        }
    if (!any) {
        sequence_free(seq);
        return false;
    }
    double *t = mem_alloc((size_t)seq->n_event, sizeof *t);
    if (seq->n_event)
        memcpy(t, from->samples->t_event, (size_t)seq->n_event * sizeof *t);
    sequence_simplify(seq, t);
    *out = (struct extract){ seq, samples_remap(from->samples, seq->n_event, t, seq->n_event == from->seq->n_event), 0 };
    free(t);
    return true;
}

static bool is_undecided(const struct phase_system *sys, const unsigned char *mode, int c)
{
    return has_friction_in_space(sys, c) && mode[c] == PHASE_SLIP;
}

/* --- Smaller and smaller widths ---------------------------------------------------------------------------------- */

static double speed_at(const struct phase_point *point, const double *w, int c)
{
    return w[point->first + point->layout->speed[c]];
}

/* The fastest slip of a solution; speed^2 is |v_t|^2 + width^2. */
static double fastest(const struct finish *one)
{
    const struct phases *ph = one->ph;
    double most = 0;
    for (int e = 0; e < ph->n_element; e++)
        for (int k = 0; k < ph->n_point; k++) {
            const struct phase_point point = phases_stage_point(ph, e, k);
            for (int c = 0; c < ph->sys->n_contact; c++)
                if (is_undecided(ph->sys, point.contact, c))
                    most = fmax(most, speed_at(&point, one->w, c));
        }
    return sqrt(fmax(most * most - ph->grid.width * ph->grid.width, 0));
}

/* Narrow enough to tell what sticks? */
static bool is_sharp(const struct finish *one)
{
    return one->ph->grid.width <= fmax(SMOOTHED_LEAST / SMOOTHED_FACTOR, SMOOTHED_ENOUGH * fastest(one));
}

/* Goes on from *at with friction of this width; replaces it where that has a solution. */
static enum status sharpen(const struct finish_task *task, double width, struct finish *at, bool *goes_on,
                           struct diag *diag)
{
    struct finish_task sharper = *task;
    struct finish next;
    sharper.grid.width = width;
    struct samples *samples = samples_of(at->ph, at->w);
    const enum status st =
        finish_solve(&sharper, at->ph->seq, samples, FINISH_WARM, SMOOTHED_NEXT_ITER, &next, diag);
    samples_free(samples);
    *goes_on = st == STATUS_OK && next.solved;
    if (*goes_on) {
        finish_free(at);
        *at = next;
    } else {
        finish_free(&next);
    }
    return st;
}

static enum status sharpen_all(const struct finish_task *task, struct finish *at, struct diag *diag)
{
    enum status st = STATUS_OK;
    bool goes_on = at->solved;
    for (double width = SMOOTHED_FACTOR * SMOOTHED_FIRST;
         goes_on && st == STATUS_OK && width > fmax(SMOOTHED_LEAST, SMOOTHED_LAST * fastest(at));
         width *= SMOOTHED_FACTOR)
        st = sharpen(task, width, at, &goes_on, diag);
    return st;
}

/* --- What the last one shows ------------------------------------------------------------------------------------- */

/* Friction that is well below its cone sticks: of (1) it has the part |v_t| / speed. */
static int state_at(const struct phases *ph, const struct phase_point *point, const double *w, int c)
{
    const double width = ph->grid.width, part = width / speed_at(point, w, c);
    return part * part > 1 - SMOOTHED_STICKS * SMOOTHED_STICKS ? PHASE_STICK : PHASE_SLIP;
}

struct reader {
    const struct phases *ph;
    const double *w;
    struct samples *samples;
    double *start;                  /* [n_piece + 1] */
    int *now;                       /* [n_contact] state at the point before, -1: it was open */
    double before;                  /* time of that point */
    struct changes changes;
};

static double time_of(const struct reader *at, int e, int k)
{
    const struct phases *ph = at->ph;
    const int piece = ph->piece_of[e];
    return at->start[piece] + phases_length(ph, at->w, piece) * (ph->from[e] + ph->c[k] * ph->part[e]);
}

/* Does slip end or begin between the point before and this one? What begins where an interval does begins
 * with a jump of its controls. */
static void read_contact(struct reader *at, const struct phase_point *point, int e, int k, int c)
{
    const struct phases *ph = at->ph;
    const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
    const bool is_end = e == ph->n_element - 1 && k == ph->n_point - 1;        /* rest that is asked for there lasts no time */
    const int state = is_end && at->now[c] >= 0 ? at->now[c] : state_at(ph, point, at->w, c);
    const bool first = k == 0 && e == piece->first;
    const bool begins =
        first && piece->interval > 0 && (piece == ph->piece || piece[-1].interval != piece->interval);
    const double t = time_of(at, e, k);
    if (at->now[c] >= 0 && state != at->now[c]) {
        const bool on_grid = begins && state == PHASE_SLIP;
        changes_add(&at->changes, (struct change){ on_grid ? at->before : 0.5 * (at->before + t),
                                                   2 * piece->interval + !on_grid, c, state, PHASE_OPEN, NULL });
    }
    at->now[c] = state;
}

/* What the undecided sequence says at event j; what closes there has the state that it shows first. */
static void read_event(struct reader *at, int j, const struct phase_point *after)
{
    const struct phases *ph = at->ph;
    const unsigned char *from = sequence_mode(ph->seq, j), *to = sequence_mode(ph->seq, j + 1);
    const double t = at->samples->t_event[j];
    for (int s = 0; s < sequence_n_subject(ph->seq); s++) {
        const bool contact = s < ph->sys->n_contact;
        const int hit = contact ? sequence_hit(ph->seq, j)[s] : PHASE_OPEN;
        const bool undecided = contact && is_undecided(ph->sys, to, s);
        if (undecided && from[s] != PHASE_OPEN && hit == PHASE_OPEN)
            continue;
        if (from[s] == to[s] && hit == PHASE_OPEN)
            continue;
        const struct phase_point impact = hit != PHASE_OPEN ? phases_impact_point(ph, j) : *after;
        const int state = undecided ? state_at(ph, after, at->w, s) : to[s];
        const int impulse = hit != PHASE_OPEN && is_undecided(ph->sys, sequence_hit(ph->seq, j), s)
                                ? state_at(ph, &impact, at->w, s) : hit;
        changes_add(&at->changes, (struct change){ t, ph->seq->place[j], s, state, impulse, NULL });
        if (contact)
            at->now[s] = undecided ? state : -1;
    }
}

static void y_at(void *user, double t, double *y)
{
    const struct reader *at = user;
    int mode = 0;
    while (mode < at->samples->n_event && at->samples->t_event[mode] < t) mode++;
    samples_at(at->samples, t, mode, y);
}

static void read_all(struct reader *at)
{
    const struct phases *ph = at->ph;
    for (int e = 0; e < ph->n_element; e++)
        for (int k = 0; k < ph->n_point; k++) {
            const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
            const struct phase_point point = phases_stage_point(ph, e, k);
            if (k == 0 && e == piece->first && piece->before >= 0)
                read_event(at, piece->before, &point);
            for (int c = 0; c < ph->sys->n_contact; c++)
                if (is_undecided(ph->sys, point.contact, c))
                    read_contact(at, &point, e, k, c);
            at->before = time_of(at, e, k);
        }
}

static struct extract read_sequence(const struct finish *one)
{
    const struct phases *ph = one->ph;
    const struct phase_system *sys = ph->sys;
    const struct phase_point first = phases_stage_point(ph, 0, 0);
    struct reader at = { .ph = ph, .w = one->w, .samples = samples_of(ph, one->w) };
    double *event = mem_alloc((size_t)ph->seq->n_event, sizeof *event);
    unsigned char *start = mem_alloc((size_t)sequence_n_subject(ph->seq), 1);
    at.start = mem_alloc((size_t)ph->n_piece + 1, sizeof *at.start);
    at.now = mem_alloc((size_t)sys->n_contact, sizeof *at.now);
    phases_times(ph, one->w, at.start, event);
    memcpy(start, sequence_mode(ph->seq, 0), (size_t)sequence_n_subject(ph->seq));
    for (int c = 0; c < sys->n_contact; c++) {
        if (is_undecided(sys, first.contact, c))
            start[c] = (unsigned char)state_at(ph, &first, one->w, c);
        at.now[c] = is_undecided(sys, first.contact, c) ? start[c] : -1;
    }
    read_all(&at);
    struct extract out = changes_to_sequence(sys, start, &at.changes, y_at, &at);
    struct samples *samples = samples_remap(at.samples, out.seq->n_event, out.samples->t_event, false);
    samples_free(out.samples);
    out.samples = samples;
    samples_free(at.samples);
    free(at.changes.change);
    free(at.start);
    free(at.now);
    free(event);
    free(start);
    return out;
}

/* --- The whole --------------------------------------------------------------------------------------------------- */

enum status smoothed_friction_decide(const struct finish_task *task, const struct extract *undecided,
                                     struct extract *out, bool *found, struct diag *diag)
{
    struct finish_task smooth = *task;
    struct finish one;
    smooth.grid.width = SMOOTHED_FIRST;
    smooth.grid.elements = task->grid.elements > SMOOTHED_ELEMENTS ? task->grid.elements : SMOOTHED_ELEMENTS;



    enum status st = finish_solve(&smooth, undecided->seq, undecided->samples, FINISH_COLD, SMOOTHED_MAX_ITER, &one,
                                  diag);
    if (st == STATUS_OK)
        st = sharpen_all(&smooth, &one, diag);
    *found = st == STATUS_OK && one.solved && is_sharp(&one);
    if (*found)
        *out = read_sequence(&one);
    finish_free(&one);
    return st;
}
