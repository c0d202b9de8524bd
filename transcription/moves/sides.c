/* Moves of the user's complementarity whose sides depend on controls, by intervals: where the side changes, an
 * interval more or less; all pairs that change together, together; and where both sides are 0 the other one. */
#include "transcription/moves/moves.h"

#include "core/base/mem.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_BOTH 1e-5              /* of its largest magnitude: where both are smaller the other may be 0, too */
/* How much surer than the priority of its move a sign is: */
#define ALL_TOGETHER 0.1            /* all pairs that change, than one of them */
#define BOTH_ZERO 0.6               /* both sides are 0 */

struct sides {
    struct finder *at;
    int first;                      /* subject of the first pair */
    int n_interval, n_pair;
    unsigned char *state;           /* [n_interval * n_pair] where the interval begins */
    bool *both;                     /* [n_interval * n_pair] both sides are 0 in it */
};

/* --- Changing a sequence ------------------------------------------------------------------------------------- */

struct variant { struct sequence *seq; double *t; };

/* The mode that begins on grid point i, cut there if it does not. */
static int mode_from(const struct sides *sides, struct variant *change, int i)
{
    struct sequence *seq = change->seq;
    int j = 0;
    while (j < seq->n_event && seq->place[j] < 2 * i) j++;
    if (i == 0 || i == sides->n_interval)
        return i == 0 ? 0 : seq->n_event + 1;
    if (j == seq->n_event || seq->place[j] != 2 * i) {
        memmove(change->t + j + 1, change->t + j, (size_t)(seq->n_event - j) * sizeof *change->t);
        change->t[j] = neighbours_time(sides->at, i);
        sequence_insert(seq, j, 2 * i);
    }
    return j + 1;
}

/* Pair k in intervals first .. end - 1. */
static void set_side(const struct sides *sides, struct variant *change, int k, int first, int end, int state)
{
    const int from = mode_from(sides, change, first), to = mode_from(sides, change, end);
    for (int j = from; j < to; j++)
        sequence_mode(change->seq, j)[sides->first + k] = (unsigned char)state;
}

static struct variant begin(const struct sides *sides)
{
    return (struct variant){ sequence_copy(sides->at->seq), neighbours_times(sides->at, 2 * sides->n_pair) };
}

static void add(const struct sides *sides, struct variant *change, double surer, int i, const char *what)
{
    int j = 0;
    sequence_simplify(change->seq, change->t);
    while (j < change->seq->n_event && change->seq->place[j] < 2 * i) j++;
    neighbours_add(sides->at, surer, change->seq, change->t, what, j);
}

/* --- Reading the solution ------------------------------------------------------------------------------------ */

static void read_states(struct sides *sides)
{
    const struct phases *ph = sides->at->ph;
    for (int p = ph->n_piece - 1; p >= 0; p--)
        memcpy(sides->state + ph->piece[p].interval * sides->n_pair,
               sequence_mode(ph->seq, ph->piece[p].mode) + sides->first, (size_t)sides->n_pair);
}

/* By their largest magnitudes of all. */
static void read_sizes(struct sides *sides)
{
    const struct phases *ph = sides->at->ph;
    const int n = 2 * sides->n_pair, n_point = ph->n_element * ph->n_point;
    double *value = phases_side_values(ph, sides->at->finish->w), *most = mem_alloc((size_t)n, sizeof *most);
    for (int k = 0; k < n; k++)
        most[k] = SIDE_LEAST;
    for (int i = 0; i < n_point * n; i++)
        most[i % n] = fmax(most[i % n], fabs(value[i]));
    for (int i = 0; i < sides->n_interval * sides->n_pair; i++)
        sides->both[i] = true;
    for (int i = 0; i < n_point * n; i++) {
        const int interval = ph->piece[ph->piece_of[i / n / ph->n_point]].interval;
        bool *both = &sides->both[interval * sides->n_pair + i % n / 2];
        *both = *both && fabs(value[i]) <= SIDE_BOTH * most[i % n];
    }
    free(value);
    free(most);
}

static bool changes_by_interval(const struct sides *sides, int k)
{
    const struct phase_pair_side *side = sides->at->ph->sys->pair[k].side;
    return side[SIDE_G].kind != PAIR_SIDE_CONTINUOUS || side[SIDE_H].kind != PAIR_SIDE_CONTINUOUS;
}

static int state_of(const struct sides *sides, int i, int k)
{
    return sides->state[i * sides->n_pair + k];
}

/* --- Moves --------------------------------------------------------------------------------------------------- */

/* Interval `to` takes the side of interval `from` beside it, of pair k, or of all that differ (-1). */
static void spread(const struct sides *sides, int k, int from, int to)
{
    struct variant change = begin(sides);
    bool both = true;
    for (int l = 0; l < sides->n_pair; l++) {
        if ((k >= 0 && l != k) || !changes_by_interval(sides, l)
            || state_of(sides, from, l) == state_of(sides, to, l))
            continue;
        both = both && sides->both[to * sides->n_pair + l];
        set_side(sides, &change, l, to, to + 1, state_of(sides, from, l));
    }
    add(sides, &change,
        both    ? BOTH_ZERO
        : k < 0 ? ALL_TOGETHER
                : 0,
        to, from < to ? "an interval later" : "an interval earlier");
}

/* At the end of interval i: each pair that changes there, and all of them. */
static void moves_at(const struct sides *sides, int i)
{
    int n = 0;
    for (int k = 0; k < sides->n_pair; k++) {
        if (!changes_by_interval(sides, k) || state_of(sides, i, k) == state_of(sides, i + 1, k))
            continue;
        n++;
        spread(sides, k, i, i + 1);
        spread(sides, k, i + 1, i);
    }
    if (n > 1) {
        spread(sides, -1, i, i + 1);
        spread(sides, -1, i + 1, i);
    }
}

static struct sides sides_create(struct finder *at)
{
    const struct phase_system *sys = at->ph->sys;
    const int n = at->ph->n_interval * sys->n_pair;
    struct sides sides = { .at = at, .first = sys->n_contact + sys->n_switch - sys->n_pair,
                           .n_interval = at->ph->n_interval, .n_pair = sys->n_pair,
                           .state = mem_alloc((size_t)n, 1), .both = mem_alloc((size_t)n, sizeof(bool)) };
    if (sys->n_pair > 0) {
        read_states(&sides);
        read_sizes(&sides);
    }
    return sides;
}

static void sides_free(struct sides *sides)
{
    free(sides->state);
    free(sides->both);
}

void move_side(struct finder *at, const struct spot *spot)
{
    (void)spot;
    struct sides sides = sides_create(at);
    for (int i = 0; i + 1 < sides.n_interval; i++)
        moves_at(&sides, i);
    sides_free(&sides);
}
