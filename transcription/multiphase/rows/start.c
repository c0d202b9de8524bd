/* The state that the first mode starts from (phases.md "Events"). */
#include "transcription/multiphase/rows/rows.h"

#include "core/base/mem.h"
#include "core/base/random.h"
#include "transcription/sequence/rank.h"

#include <math.h>
#include <stdlib.h>

static bool is_given(const struct phases *ph, int i)
{
    return !(program_lb(ph->prog, ph->at.y0 + i) < program_ub(ph->prog, ph->at.y0 + i));
}

/* What given initial values leave of an expression of the state at the start. */
static expr left_at_start(const struct phases *ph, expr e)
{
    const struct phase_system *sys = ph->sys;
    expr *sym = mem_alloc(2 * (size_t)sys->n_y, sizeof *sym), *by = sym + sys->n_y, left;
    int n = 0;
    for (int i = 0; i < sys->n_y; i++)
        if (is_given(ph, i)) {
            sym[n] = sys->dcs->y[i].sym;
            by[n++] = expr_const(sys->g, program_lb(ph->prog, ph->at.y0 + i));
        }
    expr_substitute(sys->g, 1, &e, n, sym, by, &left);
    free(sym);
    return left;
}

bool phases_is_free_at_start(const struct phases *ph, expr e)
{
    const struct phase_system *sys = ph->sys;
    const expr left = left_at_start(ph, e);
    for (int i = 0; i < sys->n_y; i++)
        if (!is_given(ph, i) && expr_depends(sys->g, left, 1, &sys->dcs->y[i].sym))
            return true;
    return expr_depends(sys->g, left, sys->model->n_p, sys->model->p_sym);
}

/* Equations at the start, to see which repeat others: their gradients by what is free at a place of no special
 * kind, where what is parallel by accident is not. */
struct start { struct phases *ph; const struct phase_point *point; struct rank *rank; double *y; };

/* Takes in an equation; true if others say it. */
static bool is_said(struct start *at, expr e)
{
    const struct phase_system *sys = at->ph->sys;
    const double *row = rank_gradient(at->rank, sys, left_at_start(at->ph, e), at->y);
    double size = 0;
    for (int i = 0; i < sys->n_y; i++)
        size += fabs(row[i]);
    return isfinite(size) && !rank_add(at->rank) && size > 0;
}

/* A user who lets a foot stand says so of its velocity, too: that comes first. */
static struct start start_of(struct phases *ph, const struct phase_point *point)
{
    const struct phase_system *sys = ph->sys;
    const struct model *model = sys->model;
    struct start at = { ph, point, rank_create(sys->n_y), mem_alloc((size_t)sys->n_y, sizeof *at.y) };
    uint64_t counter = random_mix(1);
    for (int i = 0; i < sys->n_y; i++)
        at.y[i] = is_given(ph, i) ? program_lb(ph->prog, ph->at.y0 + i)
                                  : ph->guess.end[i] + random_signed(random_next(&counter));
    for (int k = 0; k < model->constraints.n_constraint && ph->at.reset[0] < 0; k++) {
        const struct model_constraint *one = &model->constraints.constraint[k];
        if (one->at & AT_INITIAL && one->first == 0 && one->lb == one->ub && !one->of_forces && !model->is_measured)
            (void)is_said(&at, one->e);
    }
    return at;
}

static void start_at(struct start *at, int out, double ub, int subject)
{
    const expr e = at->ph->sys->state[out];
    if (phases_is_free_at_start(at->ph, e) && !(ub == 0 && is_said(at, e)))
        phases_subject_row(at->ph, at->ph->state, out, 0, ub, subject, "at the start", at->point);
}

/* What a closed contact, sticking and sliding rest on has to hold where they begin: gap
 * = gap' = 0, v_t = 0, c = 0. */
void phases_add_start(struct phases *ph)
{
    const struct phase_system *sys = ph->sys;
    const unsigned char *state = sequence_mode(ph->seq, 0);
    const struct phase_point point = { .y = phases_left(ph, 0),
                                       .first = -1,
                                       .contact = state,
                                       .machine = state + sys->n_contact + sys->n_switch,
                                       .patch = sequence_patch(ph->seq, 0) };
    struct start at = start_of(ph, &point);
    phases_fill(ph, ph->state, &point);
    for (int c = 0; c < sys->n_contact; c++) {
        const bool open = state[c] == PHASE_OPEN;
        if (!model_has_contact(sys->model, c, 0))
            continue;
        start_at(&at, sys->out.gap + c, open ? INFINITY : 0, c);
        if (!open)
            start_at(&at, sys->out.v_n + c, 0, c);
        for (int k = 0; k < sys->contact[c].n_t && state[c] == PHASE_STICK; k++)
            start_at(&at, sys->out.v_t + SLIP_MAX * c + k, 0, c);
    }
    for (int l = 0; l < sys->n_switch; l++)
        if (state[sys->n_contact + l] == PHASE_SLIDING && !sys->sw[l].own)
            start_at(&at, sys->out.c + l, 0, sys->n_contact + l);
    rank_free(at.rank);
    free(at.y);
}
