/* Which side of the user's complementarity is 0: of a trajectory of any source, as stretches. */
#include "transcription/reading/extract.h"

#include "core/base/mem.h"
#include "transcription/sequence/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_ZERO 1e-6              /* of its largest magnitude of all: where both are smaller nothing is told */

struct reader {
    const struct phase_system *sys;
    const struct stretches *from;
    double *grid;                   /* [n_interval + 1] */
    double *size;                   /* [n * 2 n_pair] largest magnitude of each side in a stretch */
    double *most;                   /* [2 n_pair] of all */
};

/* --- Reading ------------------------------------------------------------------------------------------------- */

static void read_stretch(struct reader *at, int s, const struct tape *tape, double *slot, double *side,
                         double *work)
{
    const struct phase_system *sys = at->sys;
    const struct stretch *one = &at->from->stretch[s];
    const int n_u = sys->model->n_u, n = 2 * sys->n_pair;
    for (int k = 0; k < n_u; k++)
        slot[sys->u + k] = at->from->u[one->interval * n_u + k];
    for (int r = 0; r < one->n; r++) {
        memcpy(slot + sys->y, one->y + r * sys->n_y, (size_t)sys->n_y * sizeof *slot);
        tape_eval(tape, 1, slot, 1, side, 1, work);
        for (int i = 0; i < n; i++) {
            at->size[s * n + i] = fmax(at->size[s * n + i], fabs(side[i]));
            at->most[i] = fmax(at->most[i], fabs(side[i]));
        }
    }
}

static struct reader reader_create(const struct phase_system *sys, const struct stretches *from, struct arena *mem)
{
    const int n = 2 * sys->n_pair;
    struct reader at = { .sys = sys, .from = from,
                         .grid = arena_alloc(mem, (size_t)sys->model->time.n_intervals + 1, sizeof(double)),
                         .size = arena_alloc(mem, (size_t)(n * from->n), sizeof(double)),
                         .most = arena_alloc(mem, (size_t)n, sizeof(double)) };
    struct tape *tape = tape_create(sys->g, sys->n_slot, sys->slot, n, &sys->state[sys->out.side]);
    double *slot = arena_alloc(mem, (size_t)sys->n_slot, sizeof *slot);
    double *side = arena_alloc(mem, (size_t)n, sizeof *side),
           *work = arena_alloc(mem, tape_work_size(tape), sizeof *work);
    for (int k = 0; k < sys->model->n_p; k++)
        slot[sys->p + k] = from->p[k];
    if (sys->T >= 0)
        slot[sys->T] = from->horizon;
    for (int s = 0; s < from->n; s++)
        read_stretch(&at, s, tape, slot, side, work);
    model_grid(sys->model, from->horizon, from->p, at.grid);
    tape_free(tape);
    return at;
}

/* --- States -------------------------------------------------------------------------------------------------- */

/* Of stretches first .. end - 1; -1: both sides are 0, or there are none. */
static int state_of(const struct reader *at, int pair, int first, int end)
{
    const int n = 2 * at->sys->n_pair;
    double part[2] = { 0, 0 };
    for (int s = first; s < end; s++)
        for (int side = 0; side < 2; side++) {
            const double most = fmax(at->most[2 * pair + side], SIDE_LEAST);
            part[side] = fmax(part[side], at->size[s * n + 2 * pair + side] / most);
        }
    if (fmax(part[SIDE_G], part[SIDE_H]) <= SIDE_ZERO)
        return -1;
    return part[SIDE_G] < part[SIDE_H] ? PHASE_G_ZERO : PHASE_H_ZERO;
}

/* The stretch behind those that are in one state with stretch s. */
static int group_end(const struct reader *at, bool by_interval, int s)
{
    int end = s + 1;
    while (by_interval && end < at->from->n && at->from->stretch[end].interval == at->from->stretch[s].interval) end++;
    return end;
}

/* In an interval that is its own its start is the place. */
static struct change change_at(const struct reader *at, bool by_interval, int s, int subject, int state)
{
    const struct stretch *one = &at->from->stretch[s];
    if (by_interval)
        return (struct change){ .t = one->t_start, .place = 2 * one->interval, .subject = subject, .state = state };
    const int place = at->from->equidistant ? extract_place(at->sys, at->grid, one->t_start, ON_GRID) : 1;
    return (struct change){ .t = one->t_start, .place = place % 2 == 0 ? place : 2 * one->interval + 1, .subject = subject,
                            .state = state };
}

static void add_pair(const struct reader *at, int pair, struct changes *changes, unsigned char *start)
{
    const struct phase_system *sys = at->sys;
    const struct phase_pair_side *side = sys->pair[pair].side;
    const bool by_interval = side[SIDE_G].kind != PAIR_SIDE_CONTINUOUS || side[SIDE_H].kind != PAIR_SIDE_CONTINUOUS;
    const int subject = sys->n_contact + sys->n_switch - sys->n_pair + pair;
    int state = -1;
    for (int s = 0, end; s < at->from->n; s = end) {
        end = group_end(at, by_interval, s);
        const int now = state_of(at, pair, s, end);
        if (now < 0 || now == state)
            continue;
        if (state >= 0)
            changes_add(changes, change_at(at, by_interval, s, subject, now));
        else
            start[subject] = (unsigned char)now;
        state = now;
    }
    if (state < 0)
        start[subject] = PHASE_G_ZERO;
}

void changes_add_sides(const struct phase_system *sys, const struct stretches *from, struct changes *changes,
                       unsigned char *start)
{
    struct arena mem = { NULL };
    if (sys->n_pair == 0)
        return;
    const struct reader at = reader_create(sys, from, &mem);
    for (int k = 0; k < sys->n_pair; k++)
        add_pair(&at, k, changes, start);
    arena_free(&mem);
}
