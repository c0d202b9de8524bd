#include "transcription/stationarity/contained.h"

#include "core/base/mem.h"
#include "transcription/multiphase/point_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MADE_FOR 5 /* iterations of its program: what it takes to make it */

/* A piece of the other sequence: elements of the motion, n 0: none, at the time where element `first` begins. */
struct place {
    int interval, mode, before, after, first, n;
};

struct fitting {
    const struct finish *finish;
    const struct phases *from;
    const struct contained_in *in;
    struct arena mem;
    int n_piece;
    struct place *piece;
    int n_element; /* of the other program */
    int *source;   /* [n_element] element of the motion, -1: none */
};

/* s: what is shorter has no length. */
static double shortest(const struct finish *finish)
{
    return CONTAINED_SHORT * phases_horizon(finish->ph, finish->w) / finish->ph->n_interval;
}

bool contained_is_empty(const struct finish *finish, int piece)
{
    return phases_length(finish->ph, finish->w, piece) <= shortest(finish);
}

bool contained_is_asked(const struct finish *finish)
{
    const struct phases *ph = finish->ph;
    bool resets = false;
    for (int k = 0; k <= ph->n_piece; k++)
        resets = resets || ph->at.reset[k] >= 0;
    return !resets && ph->n_interior_time == 0 && !ph->grid.free_intervals && !finish->others;
}

/* --- Which elements are whose ------------------------------------------------------------------------------ */

static bool is_same_mode(const struct sequence *a, int j, const struct sequence *b, int k)
{
    const size_t n = (size_t)(sequence_n_subject(a) + a->n_contact);
    return memcmp(sequence_mode(a, j), sequence_mode(b, k), n) == 0;
}

/* Pieces of the other sequence, as layout.c has them. */
static void list_pieces(struct fitting *at)
{
    const struct sequence *seq = at->in->seq;
    at->piece = arena_alloc(&at->mem, (size_t)(at->from->n_interval + seq->n_event), sizeof *at->piece);
    for (int i = 0, j = 0; i < at->from->n_interval; i++) {
        int before = -1;
        if (j < seq->n_event && seq->place[j] == 2 * i)
            before = j++;
        at->piece[at->n_piece++] = (struct place){ .interval = i, .mode = j, .before = before, .after = -1 };
        for (; j < seq->n_event && seq->place[j] == 2 * i + 1; j++) {
            at->piece[at->n_piece - 1].after = j;
            at->piece[at->n_piece++] = (struct place){ .interval = i, .mode = j + 1, .before = j, .after = -1 };
        }
    }
}

/* One after the other takes what it can of the next piece with length. False: something is left, or a piece has
 * nothing where it cannot be empty. */
static bool match(struct fitting *at)
{
    const struct phases *from = at->from;
    int k = 0, e = 0;
    for (int p = 0; p < at->n_piece; p++) {
        struct place *piece = &at->piece[p];
        while (k < from->n_piece && contained_is_empty(at->finish, k) && from->piece[k].interval <= piece->interval)
            e = from->piece[k].first + from->piece[k].n_element, k++;
        piece->first = e;
        if (k == from->n_piece || from->piece[k].interval != piece->interval
            || !is_same_mode(from->seq, from->piece[k].mode, at->in->seq, piece->mode))
            continue;
        const int end = from->piece[k].first + from->piece[k].n_element;
        const bool is_cut = piece->after >= 0 && piece->after == at->in->event && at->in->element < end;
        const int last = is_cut ? at->in->element + 1 : end;
        piece->n = last > e ? last - e : 0;
        e += piece->n;
        k += e == end;
    }
    while (k < from->n_piece && contained_is_empty(at->finish, k))
        k++;
    return k == from->n_piece;
}

/* --- The program ------------------------------------------------------------------------------------------- */

/* Part of the piece of the motion at the start of element e, and where pieces of the other one end: grid.end. */
static double *list_ends(struct fitting *at, int *n)
{
    const struct phases *from = at->from;
    double *end = arena_alloc(&at->mem, (size_t)(from->n_element + at->n_piece), sizeof *end);
    at->source = arena_alloc(&at->mem, (size_t)(from->n_element + at->n_piece), sizeof *at->source);
    *n = 0;
    for (int p = 0; p < at->n_piece; p++) {
        const struct place *piece = &at->piece[p];
        double whole = 0, sum = 0;
        for (int i = 0; i < piece->n; i++)
            whole += from->part[piece->first + i];
        for (int i = 0; i < piece->n; i++) {
            sum += from->part[piece->first + i];
            at->source[*n] = piece->first + i;
            end[(*n)++] = i + 1 < piece->n ? sum / whole : 1;
        }
        if (piece->n == 0) {
            at->source[*n] = -1;
            end[(*n)++] = 1;
        }
    }
    at->n_element = *n;
    return end;
}

static struct phase_check *list_checks(struct fitting *at, int *n)
{
    const struct phase_grid *grid = &at->from->grid;
    struct phase_check *check = arena_alloc(&at->mem, (size_t)grid->n_check, sizeof *check);
    *n = 0;
    for (int k = 0; k < grid->n_check; k++)
        for (int e = 0; e < at->n_element; e++)
            if (at->source[e] == grid->check[k].element) {
                check[*n] = grid->check[k];
                check[(*n)++].element = e;
            }
    return check;
}

/* The state of the motion where element e begins. */
static void state_at(const struct fitting *at, int e, double *y)
{
    for (int i = 0; i < at->from->sys->n_y; i++)
        y[i] = at->finish->w[phases_left(at->from, e)[i]];
}

/* About the states in the modes, and when events are. */
static void list_guesses(struct fitting *at, struct phase_grid *grid)
{
    const int n_y = at->from->sys->n_y, n = at->in->seq->n_event;
    double *mode_y = arena_alloc(&at->mem, (size_t)((n + 1) * n_y), sizeof *mode_y);
    double *part = arena_alloc(&at->mem, (size_t)n, sizeof *part), t = 0;
    double *longest = arena_alloc(&at->mem, (size_t)n + 1, sizeof *longest);
    const double T = phases_horizon(at->from, at->finish->w);
    for (int p = 0; p < at->n_piece; p++) {
        const struct place *piece = &at->piece[p];
        double length = 0;
        for (int i = 0; i < piece->n; i++)
            length += phases_element_length(at->from, at->finish->w, piece->first + i);
        if (piece->before >= 0)
            part[piece->before] = t / T;
        if (p == 0 || at->piece[p - 1].mode != piece->mode || length > longest[piece->mode]) {
            longest[piece->mode] = length;
            state_at(at, piece->first + piece->n / 2, mode_y + piece->mode * n_y);
        }
        t += length;
    }
    grid->mode_y = mode_y;
    grid->event_part = part;
}

static bool build(struct fitting *at, struct finish *out)
{
    struct phase_grid grid = at->from->grid;
    grid.end = list_ends(at, &grid.n_end);
    grid.check = list_checks(at, &grid.n_check);
    list_guesses(at, &grid);
    struct diag *quiet = diag_create();
    const enum status st = phases_create(at->from->sys, at->in->seq, &grid, at->from->guess.end, &out->ph, quiet);
    diag_free(quiet);
    if (st != STATUS_OK || out->ph->n_element != at->n_element)
        return false;
    finish_make_room(out);
    return true;
}

/* --- The point --------------------------------------------------------------------------------------------- */

static void copy(const struct fitting *at, int first, struct finish *out, int to, int n)
{
    memcpy(out->w + to, at->finish->w + first, (size_t)n * sizeof(double));
}

static void set_globals(const struct fitting *at, struct finish *out)
{
    const struct phases *from = at->from, *to = out->ph;
    copy(at, from->at.p, out, to->at.p, from->sys->model->n_p);
    if (to->at.T >= 0)
        out->w[to->at.T] = at->finish->w[from->at.T];
    copy(at, from->at.y0, out, to->at.y0, from->sys->n_y);
    for (int i = 0; i < to->n_interval; i++)
        copy(at, from->at.u[i], out, to->at.u[i], from->sys->model->n_u);
}

/* The lengths of the motion; what its pieces without length had goes to the last one of the interval that has
 * some. */
static void set_lengths(const struct fitting *at, struct finish *out)
{
    const struct phases *to = out->ph;
    const double *w = at->finish->w;
    for (int i = 0, p = 0; i < to->n_interval; i++) {
        double left = 0, most = -1;
        int longest = p;
        for (int k = 0; k < at->from->n_piece; k++)
            left += at->from->piece[k].interval == i ? phases_length(at->from, w, k) : 0;
        for (; p < at->n_piece && at->piece[p].interval == i; p++) {
            double length = 0;
            for (int e = 0; e < at->piece[p].n; e++)
                length += phases_element_length(at->from, w, at->piece[p].first + e);
            if (to->piece[p].length >= 0 && to->piece[p].length != phases_interval(to, i).var)
                out->w[to->piece[p].length] = length;
            left -= length;
            longest = length > most ? p : longest;
            most = fmax(length, most);
        }
        if (to->piece[longest].length >= 0 && to->piece[longest].length != phases_interval(to, i).var)
            out->w[to->piece[longest].length] += left;
    }
}

static struct point_inputs inputs_of(const struct phases *ph, const double *w, int interval)
{
    return (struct point_inputs){ &w[ph->at.u[interval]], &w[ph->at.p], phases_horizon(ph, w), ph->grid.width };
}

/* The same impact of the motion, or -1: one of those where piece p begins. */
static int same_impact(const struct fitting *at, int p, int j)
{
    const struct sequence *from = at->from->seq, *to = at->in->seq;
    const size_t n_c = (size_t)to->n_contact;
    for (int b = 0; b < from->n_event; b++) {
        if (!sequence_has_impact(from, b) || memcmp(sequence_hit(from, b), sequence_hit(to, j), n_c) != 0)
            continue;
        int e = at->from->piece[phases_piece_after(at->from, b)].first, here = at->piece[p].first;
        double apart = 0;
        for (; e < here; e++)
            apart += phases_element_length(at->from, at->finish->w, e);
        for (; here < e; here++)
            apart += phases_element_length(at->from, at->finish->w, here);
        if (apart <= shortest(at->finish))
            return b;
    }
    return -1;
}

/* The impact that piece p begins with: that of the motion, or one of no size. */
static void set_impact(const struct fitting *at, int p, struct point_solver *solver, struct finish *out,
                       const double *y)
{
    const int j = at->piece[p].before, same = same_impact(at, p, j), first = out->ph->at.impact[j];
    if (same >= 0) {
        copy(at, at->from->at.impact[same], out, first, out->ph->hit[j].n);
        return;
    }
    const struct phase_point point = phases_impact_point(out->ph, j);
    const struct point_inputs in = inputs_of(out->ph, out->w, at->piece[p].interval);
    point_solver_impact(solver, &point, &in, y, y);
    point_solver_unknowns(solver, point.layout, out->w + first);
}

/* Element e, which has no length: all of it is the state at its left. */
static void set_empty(int e, struct point_solver *solver, struct finish *out, double *y)
{
    const int interval = out->ph->piece[out->ph->piece_of[e]].interval;
    for (int i = 0; i < out->ph->sys->n_y; i++)
        y[i] = out->w[phases_left(out->ph, e)[i]];
    for (int k = 0; k < out->ph->n_point; k++) {
        const struct phase_point point = phases_stage_point(out->ph, e, k);
        const struct point_inputs in = inputs_of(out->ph, out->w, interval);
        for (int i = 0; i < out->ph->sys->n_y; i++)
            out->w[point.y[i]] = y[i];
        point_solver_mode(solver, &point, &in, y);
        point_solver_unknowns(solver, point.layout, out->w + point.first);
    }
}

static void set_elements(const struct fitting *at, struct point_solver *solver, struct finish *out)
{
    const struct phases *to = out->ph;
    double *y = mem_alloc((size_t)to->sys->n_y, sizeof *y);
    for (int e = 0; e < to->n_element; e++) {
        const int p = to->piece_of[e], source = at->source[e];
        if (e == to->piece[p].first && at->piece[p].before >= 0 && to->at.impact[at->piece[p].before] >= 0) {
            for (int i = 0; i < to->sys->n_y; i++)
                y[i] = out->w[to->at.before[p * to->sys->n_y + i]];
            set_impact(at, p, solver, out, y);
        }
        for (int k = 0; k < to->n_point && source >= 0; k++)
            copy(at, phases_stage(at->from, source, k), out, phases_stage(to, e, k),
                 to->sys->n_y + to->layout[to->piece[p].mode].n);
        if (source < 0)
            set_empty(e, solver, out, y);
    }
    free(y);
}

/* Points right after events. */
static void set_instants(struct point_solver *solver, struct finish *out)
{
    const struct phases *to = out->ph;
    double *y = mem_alloc((size_t)to->sys->n_y, sizeof *y);
    for (int k = 0; k < to->n_instant; k++) {
        const int e = to->instant[k].element;
        struct phase_point point = phases_stage_point(to, e, 0);
        const struct point_inputs in = inputs_of(to, out->w, point.interval);
        point.first = to->instant[k].first;
        for (int i = 0; i < to->sys->n_y; i++)
            y[i] = out->w[phases_left(to, e)[i]];
        point_solver_mode(solver, &point, &in, y);
        point_solver_unknowns(solver, point.layout, out->w + point.first);
    }
    free(y);
}

bool contained_program(const struct finish *finish, const struct contained_in *in, struct finish *out,
                       double *work)
{
    struct fitting at = { .finish = finish, .from = finish->ph, .in = in };
    *out = (struct finish){ .objective = NAN, .violation = INFINITY };
    list_pieces(&at);
    bool is_contained = match(&at) && build(&at, out);
    if (is_contained) {
        const struct nlp *nlp = &out->ph->mpcc.nlp;
        *work += MADE_FOR * (nlp->jac.nnz + nlp->hess.nnz);
        struct point_solver *solver = point_solver_create(at.from->sys);
        set_globals(&at, out);
        set_lengths(&at, out);
        set_elements(&at, solver, out);
        set_instants(solver, out);
        point_solver_free(solver);
        phases_weigh_free_forces(out->ph, out->w);
        out->violation = phases_violation(out->ph, out->w);
        out->objective = program_cost(out->ph->prog, out->w);
        is_contained = out->violation <= CONTAINED_VIOLATION;
    }
    if (!is_contained)
        finish_free(out);
    arena_free(&at.mem);
    return is_contained;
}
