/* Starting values of a program of phases from samples: lengths from the times of events, forces, accelerations and
 * alpha by solving the conditions of each point's mode, impulses from the jump of velocities. */
#include "transcription/phases/samples.h"

#include "core/base/mem.h"
#include "transcription/phases/recipe.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>


/* --- A small system of outputs for some slots, by Gauss-Newton, least squares where it is singular ------------- */

struct solver {
    const struct phase_system *sys;
    double *slot;                   /* [n_slot] values */
    int n_unknown, *unknown;        /* slots */
    int n_row, *row;                /* outputs that are to be 0 */
    double *value, *jac, *work, *A, *b;
    int *pivot, *place;             /* place [n_slot] of an unknown, or -1 */
};

static struct solver solver_create(const struct phase_system *sys)
{
    const struct pointfun *motion = sys->motion_fun, *impact = sys->impact_fun;
    struct solver at = { .sys = sys };
    const size_t n_slot = (size_t)sys->n_slot;
    const size_t n_out = (size_t)(motion->n_out > impact->n_out ? motion->n_out : impact->n_out);
    const size_t n_jac = (size_t)(motion->n_jac > impact->n_jac ? motion->n_jac : impact->n_jac);
    const struct tape *const tape[] = { motion->value, motion->jac, impact->value, impact->jac };
    size_t work = 0;
    for (size_t k = 0; k < 4; k++)
        work = tape_work_size(tape[k]) > work ? tape_work_size(tape[k]) : work;
    const size_t n = n_slot > n_out ? n_slot : n_out;
    at.slot = mem_alloc(n_slot, sizeof(double));
    at.unknown = mem_alloc(n_slot, sizeof(int));
    at.row = mem_alloc(n_out, sizeof(int));
    at.value = mem_alloc(n_out, sizeof(double));
    at.jac = mem_alloc(n_jac, sizeof(double));
    at.work = mem_alloc(work, sizeof(double));
    at.A = mem_alloc(n * n, sizeof(double));
    at.b = mem_alloc(n, sizeof(double));
    at.pivot = mem_alloc(n, sizeof(int));
    at.place = mem_alloc(n_slot, sizeof(int));
    return at;
}

static void solver_free(struct solver *at)
{
    double *const number[] = { at->slot, at->value, at->jac, at->work, at->A, at->b };
    int *const index[] = { at->unknown, at->row, at->pivot, at->place };
    for (size_t k = 0; k < sizeof number / sizeof *number; k++)
        free(number[k]);
    for (size_t k = 0; k < sizeof index / sizeof *index; k++)
        free(index[k]);
}

static void add_unknown(struct solver *at, int slot)
{
    at->unknown[at->n_unknown++] = slot;
}

static void solve_step(struct solver *at, const struct pointfun *fun)
{
    const int n = at->n_unknown, m = at->n_row, ld = m > n ? m : n;
    tape_eval(fun->value, 1, at->slot, 1, at->value, 1, at->work);
    tape_eval(fun->jac, 1, at->slot, 1, at->jac, 1, at->work);
    memset(at->A, 0, (size_t)(ld * n) * sizeof(double));
    memset(at->pivot, 0, (size_t)n * sizeof(int));
    for (int i = 0; i < ld; i++)
        at->b[i] = i < m ? -at->value[at->row[i]] : 0;
    for (int k = 0; k < fun->n_jac; k++)
        for (int i = 0; i < m; i++)
            if (at->row[i] == fun->jac_out[k] && at->place[fun->jac_in[k]] >= 0)
                at->A[i + at->place[fun->jac_in[k]] * ld] = at->jac[k];
    int rank = 0;
    if (LAPACKE_dgelsy(LAPACK_COL_MAJOR, m, n, 1, at->A, ld, at->b, ld, at->pivot, SINGULAR, &rank) != 0)
        return;
    for (int i = 0; i < n; i++)
        if (isfinite(at->b[i]))
            at->slot[at->unknown[i]] += at->b[i];
}

static void solve(struct solver *at, const struct pointfun *fun)
{
    enum { STEPS = 3 };                         /* linear but for products of alpha with forces */
    for (int k = 0; k < at->sys->n_slot; k++)
        at->place[k] = -1;
    for (int k = 0; k < at->n_unknown; k++)
        at->place[at->unknown[k]] = k;
    for (int k = 0; k < STEPS && at->n_unknown && at->n_row; k++)
        solve_step(at, fun);
}

/* --- Points -------------------------------------------------------------------------------------------------- */

static void clear(struct solver *at, const struct phases *ph, const struct samples *samples, int interval, const double *y)
{
    const struct phase_system *sys = ph->sys;
    memset(at->slot, 0, (size_t)sys->n_slot * sizeof(double));
    memcpy(at->slot + sys->y, y, (size_t)sys->n_y * sizeof(double));
    if (samples->n_u)
        memcpy(at->slot + sys->u, samples->u + interval * samples->n_u, (size_t)samples->n_u * sizeof(double));
    if (samples->n_p)
        memcpy(at->slot + sys->p, samples->p, (size_t)samples->n_p * sizeof(double));
    if (sys->T >= 0)
        at->slot[sys->T] = samples->horizon;
    at->n_unknown = at->n_row = 0;
}

/* Direction and speed of slip in space, from the velocity. */
static void set_direction(struct solver *at, const struct phase_contact *contact, int v_t_out, const struct pointfun *fun)
{
    tape_eval(fun->value, 1, at->slot, 1, at->value, 1, at->work);
    const double *v = at->value + v_t_out, speed = hypot(v[0], v[1]);
    at->slot[contact->dir] = speed > 1e-9 ? v[0] / speed : 1;
    at->slot[contact->dir + 1] = speed > 1e-9 ? v[1] / speed : 0;
    at->slot[contact->speed] = speed;
}

static void add_forces(struct solver *at, const struct phase_point *point, int c)
{
    const struct phase_contact *contact = &at->sys->contact[c];
    if (point->layout->lambda_n[c] >= 0)
        add_unknown(at, contact->lambda_n);
    for (int k = 0; k < contact->n_t && point->layout->lambda_t[c] >= 0; k++)
        add_unknown(at, contact->lambda_t + k);
    if (point->contact[c] == PHASE_FORWARD || point->contact[c] == PHASE_BACKWARD)
        at->slot[contact->dir] = point->contact[c] == PHASE_FORWARD ? 1 : -1;
}

static void write_unknowns(struct phases *ph, const struct solver *at, const struct phase_point *point)
{
    const struct phase_system *sys = ph->sys;
    const struct phase_layout *layout = point->layout;
    for (int i = 0; i < sys->n_a; i++)
        program_set_guess(ph->prog, point->first + i, at->slot[sys->a + i]);
    for (int c = 0; c < sys->n_contact; c++) {
        const struct phase_contact *contact = &sys->contact[c];
        if (layout->lambda_n[c] >= 0)
            program_set_guess(ph->prog, point->first + layout->lambda_n[c], fmax(at->slot[contact->lambda_n], LEAST_FORCE));
        for (int k = 0; k < contact->n_t && layout->lambda_t[c] >= 0; k++)
            program_set_guess(ph->prog, point->first + layout->lambda_t[c] + k, at->slot[contact->lambda_t + k]);
        for (int k = 0; k < 2 && layout->dir[c] >= 0; k++)
            program_set_guess(ph->prog, point->first + layout->dir[c] + k, at->slot[contact->dir + k]);
        if (layout->speed[c] >= 0)
            program_set_guess(ph->prog, point->first + layout->speed[c], at->slot[contact->speed]);
    }
    for (int l = 0; l < sys->n_switch; l++)
        if (layout->alpha[l] >= 0)
            program_set_guess(ph->prog, point->first + layout->alpha[l], at->slot[sys->sw[l].alpha]);
}

/* Unknowns of a stage, or right after an event, in state y. */
static void guess_mode(struct phases *ph, struct solver *at, const struct samples *samples,
                       const struct phase_point *point, const double *y)
{
    const struct phase_system *sys = ph->sys;
    const struct phase_outputs *out = &sys->out;
    clear(at, ph, samples, point->interval, y);
    for (int i = 0; i < sys->n_a; i++) {
        add_unknown(at, sys->a + i);
        at->row[at->n_row++] = out->balance + i;
    }
    for (int c = 0; c < sys->n_contact; c++) {
        if (point->contact[c] == PHASE_OPEN)
            continue;
        add_forces(at, point, c);
        at->row[at->n_row++] = out->gap_rate2 + c;
        for (int k = 0; k < sys->contact[c].n_t && point->contact[c] == PHASE_STICK; k++)
            at->row[at->n_row++] = out->v_t_rate + 2 * c + k;
        if (point->contact[c] == PHASE_SLIP) {                  /* v_t as after an impact that changes nothing */
            for (int i = 0; i < sys->n_a; i++)
                at->slot[sys->a + i] = y[sys->model->v_index[i]];
            set_direction(at, &sys->contact[c], out->v_t_plus + 2 * c, sys->impact_fun);
        }
    }
    for (int l = 0; l < sys->n_switch; l++) {
        at->slot[sys->sw[l].alpha] = point->sw[l] == PHASE_POSITIVE ? 1 : point->sw[l] == PHASE_SLIDING ? 0.5 : 0;
        if (point->layout->alpha[l] < 0)
            continue;
        add_unknown(at, sys->sw[l].alpha);
        at->row[at->n_row++] = out->c_rate + l;
    }
    solve(at, sys->motion_fun);
    write_unknowns(ph, at, point);
}

static void guess_impact(struct phases *ph, struct solver *at, const struct samples *samples, int j, const double *y_plus)
{
    const struct phase_system *sys = ph->sys;
    const struct phase_point point = phases_impact_point(ph, j);
    double *y = mem_alloc((size_t)sys->n_y, sizeof *y);
    samples_at(samples, samples->t_event[j], j, y);
    clear(at, ph, samples, point.interval, y);
    for (int i = 0; i < sys->n_a; i++) {
        at->slot[sys->a + i] = y_plus[sys->model->v_index[i]];
        at->row[at->n_row++] = sys->out.momentum + i;
    }
    for (int c = 0; c < sys->n_contact; c++) {
        if (point.contact[c] == PHASE_OPEN)
            continue;
        add_forces(at, &point, c);
        if (point.contact[c] == PHASE_SLIP)
            set_direction(at, &sys->contact[c], sys->out.v_t_plus + 2 * c, sys->impact_fun);
    }
    solve(at, sys->impact_fun);
    write_unknowns(ph, at, &point);
    free(y);
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static void set_state(struct phases *ph, const int *var, const double *y)
{
    for (int i = 0; i < ph->sys->n_y; i++)
        program_set_guess(ph->prog, var[i], y[i]);
}

/* Starts of pieces: of intervals, and times of events inside, in order and not too close. start [n_piece + 1]. */
static void time_pieces(const struct phases *ph, const struct samples *samples, double *start)
{
    const double H = samples->horizon / ph->n_interval;
    for (int k = 0; k < ph->n_piece; k++) {
        const struct phase_piece *piece = &ph->piece[k];
        const bool first = k == 0 || ph->piece[k - 1].interval != piece->interval;
        start[k] = first ? piece->interval * H : samples->t_event[piece->before];
    }
    start[ph->n_piece] = samples->horizon;
    for (int k = ph->n_piece - 1; k > 0; k--)
        start[k] = fmin(start[k], start[k + 1] - SHORTEST_START * H);
    for (int k = 1; k < ph->n_piece; k++)
        if (ph->piece[k].interval == ph->piece[k - 1].interval)
            start[k] = fmax(start[k], start[k - 1] + SHORTEST_START * H);
        else
            start[k] = ph->piece[k].interval * H;
}

static void guess_piece(struct phases *ph, struct solver *at, const struct samples *samples, int k, double start, double end)
{
    const struct phase_piece *piece = &ph->piece[k];
    const double h = (end - start) / piece->n_element;
    double *y = mem_alloc((size_t)ph->sys->n_y, sizeof *y);
    samples_at(samples, start, piece->mode, y);
    if (piece->before >= 0 && ph->impact[piece->before] >= 0)
        guess_impact(ph, at, samples, piece->before, y);
    for (int e = piece->first; e < piece->first + piece->n_element; e++)
        for (int r = 0; r < ph->n_point; r++) {
            const struct phase_point point = phases_stage_point(ph, e, r);
            samples_at(samples, start + h * (e - piece->first + ph->c[r]), piece->mode, y);
            set_state(ph, point.y, y);
            guess_mode(ph, at, samples, &point, y);
        }
    if (piece->length >= 0 && piece->length != ph->T)
        program_set_guess(ph->prog, piece->length, end - start);
    free(y);
}

static void guess_instants(struct phases *ph, struct solver *at, const struct samples *samples)
{
    double *y = mem_alloc((size_t)ph->sys->n_y, sizeof *y);
    for (int k = 0; k < ph->n_instant; k++) {
        const int e = ph->instant[k].element;
        struct phase_point point = phases_stage_point(ph, e, 0);
        point.first = ph->instant[k].first;
        for (int i = 0; i < ph->sys->n_y; i++)
            y[i] = ph->mpcc.w0[phases_left(ph, e)[i]];
        guess_mode(ph, at, samples, &point, y);
    }
    free(y);
}

void phases_apply_samples(struct phases *ph, const struct samples *samples)
{
    struct solver at = solver_create(ph->sys);
    double *start = mem_alloc((size_t)ph->n_piece + 1, sizeof *start), *y = mem_alloc((size_t)ph->sys->n_y, sizeof *y);
    for (int k = 0; k < samples->n_p; k++)
        program_set_guess(ph->prog, ph->p + k, samples->p[k]);
    if (ph->T >= 0)
        program_set_guess(ph->prog, ph->T, samples->horizon);
    for (int i = 0; i < ph->n_interval; i++)
        for (int k = 0; k < samples->n_u; k++)
            program_set_guess(ph->prog, ph->u[i] + k, samples->u[i * samples->n_u + k]);
    samples_at(samples, 0, 0, y);
    set_state(ph, phases_left(ph, 0), y);
    time_pieces(ph, samples, start);
    for (int k = 0; k < ph->n_piece; k++)
        guess_piece(ph, &at, samples, k, start[k], start[k + 1]);
    guess_instants(ph, &at, samples);
    free(start);
    free(y);
    solver_free(&at);
}
