#include "transcription/multiphase/mesh.h"

#include "transcription/multiphase/point_solver.h"
#include "transcription/sequence/recipe.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define SAME_PLACE 1e-12            /* of an element: points this close are one */

double *mesh_split(const struct phases *ph, const int *parts, struct arena *mem)
{
    int n = 0;
    for (int e = 0; e < ph->n_element; e++)
        n += parts[e];
    double *end = arena_alloc(mem, (size_t)n, sizeof *end);
    for (int e = 0, k = 0; e < ph->n_element; e++) {
        const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
        for (int i = 1; i <= parts[e]; i++)
            end[k++] = ph->from[e] + ph->part[e] * i / parts[e];
        if (e == piece->first + piece->n_element - 1)
            end[k - 1] = 1;                     /* without rounding: it says that the piece ends */
    }
    return end;
}

void mesh_move_checks(const int *parts, int n, struct phase_check *check)
{
    for (int k = 0; k < n; k++) {
        const int e = check[k].element, part = (int)fmin(floor(check[k].c * parts[e]), parts[e] - 1);
        check[k].c = check[k].c * parts[e] - part;
        check[k].element = part;
        for (int before = 0; before < e; before++)
            check[k].element += parts[before];
    }
}

/* --- The same for another sequence ---------------------------------------------------------------------------- */

struct ends {
    int n_time;
    double *time;                   /* [n_time] when elements of the old mesh end */
    double apart;                   /* s: ends of one piece are that far apart */
    int least;                      /* elements of a piece */
    double *end;
    int n;
};

/* Ends of a piece from a to b. */
static void add_piece(struct ends *to, double a, double b)
{
    const int first = to->n;
    double last = a;
    for (int k = 0; k < to->n_time; k++)
        if (to->time[k] > last + to->apart && to->time[k] < b - to->apart) {
            last = to->time[k];
            to->end[to->n++] = (last - a) / (b - a);
        }
    if (to->n - first + 1 < to->least) {        /* equal ones */
        to->n = first;
        for (int i = 1; i < to->least; i++)
            to->end[to->n++] = (double)i / to->least;
    }
    to->end[to->n++] = 1;
}

/* When elements end; the shortest of them that have a length. */
static void list_times(const struct phases *ph, const double *w, struct ends *to)
{
    double t = 0;
    to->apart = phases_horizon(ph, w);
    for (int e = 0; e < ph->n_element; e++) {
        const double h = phases_element_length(ph, w, e);
        t += h;
        to->time[to->n_time++] = t;
        if (h > NEIGHBOUR_ZERO * phases_horizon(ph, w) / ph->n_interval)
            to->apart = fmin(to->apart, 0.5 * h);
    }
}

double *mesh_remap(const struct phases *ph, const double *w, const struct sequence *seq, const double *t_event,
                   struct arena *mem, int *n)
{
    const size_t most = (size_t)(ph->n_element + ph->grid.elements * (ph->n_interval + seq->n_event));
    struct ends to = { .time = arena_alloc(mem, (size_t)ph->n_element, sizeof(double)), .least = ph->grid.elements,
                       .end = arena_alloc(mem, most, sizeof(double)) };
    list_times(ph, w, &to);
    *n = 0;
    if (ph->grid.free_intervals)
        return NULL;
    double start = 0, t = 0;
    for (int i = 0, j = 0, k = 0; i < ph->n_interval; i++) {
        for (; k < ph->n_piece && ph->piece[k].interval == i; k++)
            t += phases_length(ph, w, k);
        while (j < seq->n_event && seq->place[j] <= 2 * i) j++;
        for (; j < seq->n_event && seq->place[j] == 2 * i + 1; j++) {
            const double end = fmin(fmax(t_event[j], start), t);
            add_piece(&to, start, end);
            start = end;
        }
        add_piece(&to, start, t);
        start = t;
    }
    *n = to.n;
    return to.end;
}

/* --- From one mesh to another -------------------------------------------------------------------------------- */

static void copy(const double *w, int first, double *to_w, int to_first, int n)
{
    memcpy(to_w + to_first, w + first, (size_t)n * sizeof *w);
}

/* The element of `from` in which part `at` of its piece lies. */
static int source_of(const struct phases *from, const struct phase_piece *piece, double at)
{
    int e = piece->first;
    while (e + 1 < piece->first + piece->n_element && at > from->from[e + 1] + SAME_PLACE) e++;
    return e;
}

/* The state at part c of element e. */
static void interpolate(const struct phases *ph, const double *w, int e, double c, double *y)
{
    double weight[16], none[16];                /* rk.h: at most 9 stages */
    rk_weights(ph->rk, c, weight, none);
    for (int i = 0; i < ph->sys->n_y; i++)
        y[i] = weight[0] * w[phases_left(ph, e)[i]];
    for (int r = 1; r <= ph->rk->s; r++)
        for (int i = 0; i < ph->sys->n_y; i++)
            y[i] += weight[r] * w[phases_stage(ph, e, r - 1) + i];
}

/* Point k of element e of `to`: a point of `from`, or the state of its polynomial with the unknowns of its mode. */
static void transfer_point(const struct phases *from, const double *w, const struct phases *to, int e, int k,
                           struct point_solver *solver, double *to_w)
{
    const struct phase_piece *piece = &from->piece[to->piece_of[e]];
    const struct phase_point point = phases_stage_point(to, e, k);
    const double at = to->from[e] + to->c[k] * to->part[e];
    const int n_y = from->sys->n_y, first = phases_stage(to, e, k), source = source_of(from, piece, at);
    const double c = (at - from->from[source]) / from->part[source];
    for (int r = 0; r < from->n_point; r++)
        if (fabs(c - from->c[r]) < SAME_PLACE) {
            copy(w, phases_stage(from, source, r), to_w, first, n_y + point.layout->n);
            return;
        }
    const struct point_inputs in = { &w[from->at.u[piece->interval]], &w[from->at.p], phases_horizon(from, w), to->grid.width };
    interpolate(from, w, source, c, to_w + first);
    point_solver_mode(solver, &point, &in, to_w + first);
    point_solver_unknowns(solver, point.layout, to_w + point.first);
}

void mesh_transfer(const struct phases *from, const double *w, const struct phases *to, double *to_w)
{
    const struct model *model = from->sys->model;
    assert(sequence_equal(from->seq, to->seq) && from->n_piece == to->n_piece);
    copy(w, from->at.p, to_w, to->at.p, model->n_p);
    if (to->at.T >= 0)
        to_w[to->at.T] = w[from->at.T];
    copy(w, from->at.y0, to_w, to->at.y0, from->sys->n_y);
    for (int i = 0; i < to->n_interval; i++)
        copy(w, from->at.u[i], to_w, to->at.u[i], model->n_u);
    for (int k = 0; k < to->n_piece; k++)
        if (to->piece[k].length >= 0)
            to_w[to->piece[k].length] = w[from->piece[k].length];
    for (int j = 0; j < to->seq->n_event; j++)
        if (to->at.impact[j] >= 0)
            copy(w, from->at.impact[j], to_w, to->at.impact[j], to->hit[j].n);
    for (int k = 0; k < to->n_instant; k++) {
        const struct phase_piece *piece = &to->piece[to->piece_of[to->instant[k].element]];
        copy(w, from->instant[k].first, to_w, to->instant[k].first, to->layout[piece->mode].n);
    }
    for (int k = 0; k <= to->n_piece; k++)
        if (to->at.reset[k] >= 0)
            copy(w, from->at.reset[k], to_w, to->at.reset[k], from->sys->n_y);
    struct point_solver *solver = point_solver_create(to->sys);
    for (int e = 0; e < to->n_element; e++)
        for (int k = 0; k < to->n_point; k++)
            transfer_point(from, w, to, e, k, solver, to_w);
    point_solver_free(solver);
    phases_set_interior_times(to, to_w);
}
