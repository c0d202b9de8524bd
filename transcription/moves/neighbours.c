#include "transcription/moves/neighbours.h"

#include "core/base/mem.h"
#include "transcription/sequence/legal.h"
#include "transcription/sequence/patches.h"
#include "transcription/sequence/seats.h"

#include <stdlib.h>
#include <string.h>

/* --- The list ------------------------------------------------------------------------------------------------ */

static void put(struct neighbours *out, const struct neighbour *one)
{
    out->list = mem_grow(out->list, out->n, 1, sizeof *out->list);
    int k = out->n++;
    for (; k > 0 && out->list[k - 1].priority < one->priority; k--)
        out->list[k] = out->list[k - 1];
    out->list[k] = *one;
}

/* Seats and patches follow what else a sequence says. */
static void settle(const struct phase_system *sys, struct sequence *seq, double *t)
{
    const bool seats_change = seats_settle(sys, seq), patches_change = patches_settle(sys, seq);
    if (seats_change || patches_change)
        sequence_simplify(seq, t);
}

/* Where events are at free times places say nothing. */
void neighbours_add(struct finder *at, double surer, struct sequence *seq, double *t, const char *what, int j)
{
    const struct phase_system *sys = at->ph->sys;
    const bool has_places = !(at->move->use & FOR_BOUNCE);
    if (has_places)
        settle(sys, seq, t);
    if (has_places && !sequence_is_legal(sys, seq)) {
        sequence_free(seq);
        free(t);
        return;
    }
    struct neighbour one = { .move = at->move, .priority = at->move->priority + surer, .seq = seq, .t = t };
    (void)snprintf(one.what, sizeof one.what, "event %d %s", j, what);
    put(at->out, &one);
}

struct samples *neighbour_start(const struct neighbour *one, const struct finish *of, const struct samples *from)
{
    const int n = one->seq->n_event;
    struct samples *start = samples_remap(from, n, one->t, from->n_event == n);
    if (one->move->stretches) {
        double *grid = mem_alloc((size_t)of->ph->n_interval + 1, sizeof *grid);
        model_grid(of->ph->sys->model, from->horizon, from->p, grid);
        samples_stretch(start, from->t_event, grid);
        free(grid);
    }
    return start;
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

/* --- What moves share ---------------------------------------------------------------------------------------- */

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

struct between *neighbours_between(struct finder *at)
{
    if (!at->between) {
        at->between = mem_alloc(1, sizeof *at->between);
        *at->between = between_create(at->ph, at->finish->w);
    }
    return at->between;
}

void neighbours_drop(struct finder *at, int j, int mode, const char *what)
{
    struct sequence *seq = sequence_copy(at->seq);
    double *t = neighbours_times(at, 0);
    sequence_remove(seq, j, mode, t);
    sequence_simplify(seq, t);
    neighbours_add(at, 0, seq, t, what, j);
}

double neighbours_value_at_start(const struct finder *at, expr e)
{
    const struct phase_system *sys = at->ph->sys;
    const double *w = at->finish->w;
    double *y = mem_alloc((size_t)sys->n_y, sizeof *y);
    for (int i = 0; i < sys->n_y; i++)
        y[i] = w[phases_left(at->ph, 0)[i]];
    const double value = phase_system_value(sys, e, y, &w[at->ph->at.p]);
    free(y);
    return value;
}

bool neighbours_is_soft(const struct sequence *seq, int j)
{
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

/* --- Where moves look ---------------------------------------------------------------------------------------- */

static struct finder finder_create(const struct finish *finish, double near, struct neighbours *out)
{
    const struct phases *ph = finish->ph;
    struct finder at = { .finish = finish, .ph = ph, .seq = ph->seq, .out = out };
    at.H = phases_horizon(ph, finish->w) / ph->n_interval;
    at.near = near * at.H;
    at.start = mem_alloc((size_t)ph->n_piece + 1, sizeof(double));
    at.t = mem_alloc((size_t)ph->seq->n_event, sizeof(double));
    at.grid = mem_alloc((size_t)ph->n_interval + 1, sizeof(double));
    phases_times(ph, finish->w, at.start, at.t);
    model_grid(ph->sys->model, phases_horizon(ph, finish->w), &finish->w[ph->at.p], at.grid);
    return at;
}

static void finder_free(struct finder *at)
{
    if (at->between)
        between_free(at->between);
    free(at->between);
    free(at->start);
    free(at->grid);
    free(at->t);
}

static int n_spots(const struct finder *at, enum move_over over)
{
    const struct sequence *seq = at->seq;
    switch (over) {
    case OVER_EVENTS:   return seq->n_event;
    case OVER_PIECES:   return at->ph->n_piece;
    case OVER_CONTACTS: return seq->n_contact;
    case OVER_SWITCHES: return seq->n_switch;
    case OVER_STAYS:    return seq->n_machine * (seq->n_event + 1);
    case OVER_ALL: case N_MOVE_OVER: break;
    }
    return 1;
}

static struct spot spot_of(const struct finder *at, enum move_over over, int k)
{
    const int n = at->seq->n_event;
    switch (over) {
    case OVER_EVENTS:   return (struct spot){ k, phases_piece_after(at->ph, k), -1 };
    case OVER_PIECES:   return (struct spot){ at->ph->piece[k].before, k, -1 };
    case OVER_CONTACTS: case OVER_SWITCHES: return (struct spot){ -1, -1, k };
    case OVER_STAYS:    return (struct spot){ k % (n + 1) - 1, -1, k / (n + 1) };
    case OVER_ALL: case N_MOVE_OVER: break;
    }
    return (struct spot){ -1, -1, -1 };
}

/* All moves of the kind at one spot. */
static void look_at(struct finder *at, unsigned use, const struct counts *counts, enum move_over over,
                    const struct spot *spot)
{
    const struct phase_grid *grid = &at->ph->grid;
    const unsigned has = (at->finish->solved ? NEEDS_SOLUTION : 0u) | (grid->free_intervals ? 0u : NEEDS_GRID);
    for (int k = 0; k < N_MOVES; k++) {
        const struct move *move = &move_table[k];
        const bool fits = move->over == over && (move->use & use) && !(move->needs & ~has);
        if (!fits || !counts_uses(counts, move->is))
            continue;
        at->move = move;
        move->make(at, spot);
    }
}

struct neighbours neighbours_of(const struct finish *finish, unsigned use, double near,
                                const struct counts *counts)
{
    struct neighbours out = { 0 };
    struct finder at = finder_create(finish, near, &out);
    for (enum move_over over = 0; over < N_MOVE_OVER; over++)
        for (int k = 0; k < n_spots(&at, over); k++) {
            const struct spot spot = spot_of(&at, over, k);
            look_at(&at, use, counts, over, &spot);
        }
    finder_free(&at);
    return out;
}
