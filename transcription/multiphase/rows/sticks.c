/* Rest that others imply: of two feet of one body that stick, in the plane the second has no condition of its
 * own, in space one, and a third none. Conditions that repeat others would leave the program without regular
 * multipliers; the forces that go with them are not determined, and whatever the cones allow. */
#include "transcription/multiphase/rows/rows.h"

#include "core/base/mem.h"
#include "transcription/sequence/rank.h"

#include <math.h>
#include <stdlib.h>

#define FREE_FORCE 1e-8             /* of the cost, where friction that nothing determines is as large as its load */

static struct slip_rows *allocate(struct phases *ph, int n)
{
    return arena_alloc(&ph->mem, (size_t)(n * ph->sys->n_contact) + 1, sizeof(struct slip_rows));
}

static bool rests_in(const struct phase_system *sys, const unsigned char *state, int c)
{
    return sys->contact[c].n_t > 0 && state[c] == PHASE_STICK;
}

/* In each mode. */
static void find_in_mode(struct phases *ph, int j, bool *asks)
{
    const unsigned char *state = sequence_mode(ph->seq, j);
    for (int c = 0; c < ph->sys->n_contact; c++)
        asks[c] = rests_in(ph->sys, state, c);
    rank_slip_rows(ph->sys, state, NULL, asks, phases_mode_guess(ph, j),
                   ph->implied.stick + j * ph->sys->n_contact);
}

/* What comes to rest at event j, to stay so or to turn back, beside what rests before it. */
static void find_at_stop(struct phases *ph, int j, bool *rests, bool *asks)
{
    const unsigned char *before = sequence_mode(ph->seq, j), *after = sequence_mode(ph->seq, j + 1);
    for (int c = 0; c < ph->sys->n_contact; c++) {
        rests[c] = rests_in(ph->sys, before, c);
        asks[c] = !rests[c] && phase_slips(before[c])
                  && (rests_in(ph->sys, after, c) || (phase_slips(after[c]) && after[c] != before[c]));
    }
    rank_slip_rows(ph->sys, before, rests, asks, phases_mode_guess(ph, j + 1),
                   ph->implied.stop + j * ph->sys->n_contact);
}

/* What an impact stops: who takes part, and sticks in it or after it. */
static void find_at_impact(struct phases *ph, int j, bool *asks)
{
    const unsigned char *hit = sequence_hit(ph->seq, j), *after = sequence_mode(ph->seq, j + 1);
    for (int c = 0; c < ph->sys->n_contact; c++)
        asks[c] = rests_in(ph->sys, hit, c) || (hit[c] != PHASE_OPEN && rests_in(ph->sys, after, c));
    rank_slip_rows(ph->sys, hit, NULL, asks, phases_mode_guess(ph, j + 1),
                   ph->implied.hit + j * ph->sys->n_contact);
}

void phases_find_sticks(struct phases *ph)
{
    const int n_event = ph->seq->n_event;
    bool *rests = mem_alloc(2 * (size_t)ph->sys->n_contact + 1, sizeof *rests), *asks = rests + ph->sys->n_contact;
    ph->implied.stick = allocate(ph, n_event + 1);
    ph->implied.stop = allocate(ph, n_event);
    ph->implied.hit = allocate(ph, n_event);
    for (int j = 0; j <= n_event; j++)
        find_in_mode(ph, j, asks);
    for (int j = 0; j < n_event; j++) {
        find_at_stop(ph, j, rests, asks);
        if (sequence_has_impact(ph->seq, j))
            find_at_impact(ph, j, asks);
    }
    free(rests);
}

void phases_rest_rows(struct phases *ph, struct program_block *block, int out, const struct slip_rows *rows,
                      int subject, const char *what, const struct phase_point *point)
{
    for (int r = 0; r < rows->n; r++) {
        const int row = phases_subject_row(ph, block, -1, 0, 0, subject, what, point);
        for (int k = 0; k < ph->sys->contact[subject].n_t; k++)
            if (rows->of[r][k] != 0)
                block_out(block, out + k, row, rows->of[r][k], PROGRAM_ONE, PROGRAM_ONE);
    }
}

/* --- Forces that nothing determines -------------------------------------------------------------------------- */

/* Of two feet that stick on one body the friction of one is free: a direction of no curvature, in which IPOPT
 * shifts its matrix at each iteration, and the solution is no strict minimum. Its square is a penalty of a small
 * part of the cost. */
void phases_note_free_force(struct phases *ph, const struct phase_point *point, int c,
                            const struct slip_rows *rests)
{
    if (ph->sys->contact[c].n_t != 1 || rests->n > 0)
        return;
    if (ph->n_free_force == ph->cap_free_force) {
        ph->cap_free_force = 2 * ph->cap_free_force + 64;
        ph->free_force = mem_resize(ph->free_force, (size_t)ph->cap_free_force, sizeof *ph->free_force);
    }
    const int force = point->first + point->layout->lambda_t[c], load = point->first + point->layout->lambda_n[c];
    ph->free_force[ph->n_free_force++] = (struct phase_free_force){ force, load };
    program_bilinear(ph->prog, PROGRAM_PENALTY, force, force, 1.0 / (ph->n_element * ph->n_point));
}

void phases_weigh_free_forces(struct phases *ph, const double *w)
{
    const double cost = fabs(program_cost(ph->prog, w));
    double square = 0;
    for (int k = 0; k < ph->n_free_force; k++) {
        const double load = w[ph->free_force[k].load];
        square += load * load / ph->n_free_force;
    }
    const double penalty = square > 0 ? FREE_FORCE * (cost > 0 ? cost : 1) / square : 0;
    program_set_weights(ph->prog, (struct program_weights){ 1, penalty, 0 });
}
