/* Times inside control intervals at which costs are charged or constraints hold (phases.md "Interior times").
 *
 * The state at such a time t is the polynomial of the element that t lies in, at c = (t - t_e) / h: a number
 * where lengths are known. Where events are inside the interval, c and the state are variables with the rows
 *
 *   c h + t_e = t,   y = sum_k l_k(c) y_k                                                               (1)
 *
 * so that the polynomial is followed beyond its element, at most one length to the left and to the right,
 * as h = 0 and t elsewhere has no solution. What is outside in the solution is put where it belongs, and
 * the program solved again; from the fifth on nothing may leave its element, for a minimum may be where
 * an event is just at t.
 *
 * Where what is measured jumps at an event (a dose, a reset), a polynomial says nothing of the other side of it:
 * there a time stays in its piece, between the events that it lies between.
 */
#include "transcription/multiphase/layout/phases.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>

#define INTERIOR_ON_GRID 1e-9       /* of the horizon: an interval ends there */
#define INTERIOR_INSIDE 1e-6        /* of an element: farther out is outside */
#define TAU_LEAST (-1.0)            /* how far polynomials are followed beyond their element: a time is there, and h = 0 */
#define TAU_MOST 2.0                /* is no solution */
#define TAU_APART 1e-5              /* of an element, behind an event at which what is measured jumps: at that time it is before it */

/* --- Where they are ------------------------------------------------------------------------------------------ */

/* Where piece k begins, in parts of the horizon, as far as the events' times are known; else pieces are equally
 * long. */
static double begin_of(const struct phases *ph, int k)
{
    const struct phase_piece *piece = &ph->piece[k];
    int first = k, n = 0;
    while (first > 0 && ph->piece[first - 1].interval == piece->interval) first--;
    if (k == first)
        return (double)piece->interval / ph->n_interval;
    if (ph->grid.event_part)
        return ph->grid.event_part[piece->before];
    while (first + n < ph->n_piece && ph->piece[first + n].interval == piece->interval) n++;
    return (piece->interval + (double)(k - first) / n) / ph->n_interval;
}

static bool is_alone(const struct phases *ph, int k)
{
    const int i = ph->piece[k].interval;
    return (k == 0 || ph->piece[k - 1].interval != i) && (k + 1 == ph->n_piece || ph->piece[k + 1].interval != i);
}

/* Puts one into its piece and element, at part c of it; one at the time of an event is before it. */
static void place(const struct phases *ph, struct phase_interior_time *at)
{
    int k = 0;
    while (ph->piece[k].interval != at->interval) k++;
    while (k + 1 < ph->n_piece && ph->piece[k + 1].interval == at->interval
           && begin_of(ph, k + 1) < at->fraction - INTERIOR_ON_GRID)
        k++;
    const struct phase_piece *piece = &ph->piece[k];
    const bool last = k + 1 == ph->n_piece || ph->piece[k + 1].interval != at->interval;
    const double begin = begin_of(ph, k), end = last ? (at->interval + 1.0) / ph->n_interval : begin_of(ph, k + 1);
    const double part = end > begin ? fmin(fmax((at->fraction - begin) / (end - begin), 0), 1) : 0;
    int e = piece->first;
    while (e + 1 < piece->first + piece->n_element && part >= ph->from[e + 1]) e++;
    at->piece = k;
    at->element = e;
    at->c = (part - ph->from[e]) / ph->part[e];
}

void phases_lay_out_interior_times(struct phases *ph)
{
    const struct model *model = ph->sys->model;
    ph->interior_time = arena_alloc(&ph->mem, (size_t)model->time.n_interior_time, sizeof *ph->interior_time);
    for (int k = 0; k < model->time.n_interior_time && !ph->grid.free_intervals; k++) {
        const double x = model->time.interior_time[k] * ph->n_interval;
        if (fabs(x - round(x)) <= INTERIOR_ON_GRID * ph->n_interval)
            continue;
        struct phase_interior_time *at = &ph->interior_time[ph->n_interior_time++];
        *at = (struct phase_interior_time){ .fraction = model->time.interior_time[k], .interval = (int)floor(x), .tau = -1,
                                     .y = NULL };
        at->row = arena_alloc(&ph->mem, (size_t)model->constraints.n_constraint, sizeof *at->row);
        place(ph, at);
    }
}

const struct phase_interior_time *phases_interior_time(const struct phases *ph, double fraction)
{
    for (int k = 0; k < ph->n_interior_time; k++)
        if (model_same_time(ph->interior_time[k].fraction, fraction))
            return &ph->interior_time[k];
    return NULL;
}

/* --- Where lengths of pieces are variables ------------------------------------------------------------------- */

static struct mpcc_label label_of(const struct phase_interior_time *at, const char *name)
{
    const struct srcpos nowhere = { NULL, 0, 0 };
    return (struct mpcc_label){ name, nowhere, NULL, at->interval, at->element, 0 };
}

/* tau h + what lies before the element = the time since the interval began. */
static void add_time(struct phases *ph, const struct phase_interior_time *at)
{
    const double part = at->fraction - (double)at->interval / ph->n_interval,
                 sum = ph->at.T >= 0 ? 0 : part * ph->guess.horizon;
    const int row = program_row(ph->prog, sum, sum, label_of(at, "time inside an interval"));
    const struct phase_piece *piece = &ph->piece[at->piece];
    for (int k = at->piece - 1; k >= 0 && ph->piece[k].interval == at->interval; k--)
        program_linear(ph->prog, row, ph->piece[k].length, 1);
    program_linear(ph->prog, row, piece->length, ph->from[at->element]);
    program_bilinear(ph->prog, row, at->tau, piece->length, ph->part[at->element]);
    if (ph->at.T >= 0)
        program_linear(ph->prog, row, ph->at.T, -part);
}

/* sum over k of l_k(tau) y_k, with Lagrange's polynomials of the nodes 0, c_1, .., c_s: slots tau, y_0, .., y_s. */
static struct program_block *create_polynomial(struct phases *ph)
{
    struct expr_graph *g = ph->sys->g;
    const int n = ph->rk->s + 2;
    expr in[16], sum = expr_const(g, 0);        /* rk.h: at most 9 stages */
    for (int k = 0; k < n; k++)
        in[k] = expr_sym(g, "polynomial");
    for (int k = 0; k + 1 < n; k++) {
        expr l = in[k + 1];
        for (int r = 0; r + 1 < n; r++) {
            const double c_r = r ? ph->rk->c[r - 1] : 0, c_k = k ? ph->rk->c[k - 1] : 0;
            if (r != k)
                l = expr_mul(g, l, expr_scale(g, 1 / (c_k - c_r), expr_sub(g, in[0], expr_const(g, c_r))));
        }
        sum = expr_add(g, sum, l);
    }
    return program_block(ph->prog, pointfun_create(g, n, in, 1, &sum));
}

/* The state there, as variables: y = the polynomial at tau. */
static void add_state(struct phases *ph, struct program_block *polynomial, const struct phase_interior_time *at)
{
    for (int i = 0; i < ph->sys->n_y; i++) {
        const int row = program_row(ph->prog, 0, 0, label_of(at, "state inside an interval"));
        program_linear(ph->prog, row, at->y[i], 1);
        block_point(polynomial);
        block_slot(polynomial, 0, at->tau);
        block_slot(polynomial, 1, phases_left(ph, at->element)[i]);
        for (int k = 0; k < ph->rk->s; k++)
            block_slot(polynomial, 2 + k, phases_stage_point(ph, at->element, k).y[i]);
        block_out(polynomial, 0, row, -1, PROGRAM_ONE, PROGRAM_ONE);
    }
}

/* Is a state measured that transitions reset, or a velocity, which impacts change? */
static bool data_jump(const struct model *model)
{
    bool jump = false;
    for (int s = 0; s < model->data.n_series; s++) {
        const expr e = model->data.series[s].e;
        for (int i = 0; i < model->mechanics.n_q && model->contacts.n_contact; i++)
            jump = jump || expr_depends(model->graph, e, 1, &model->x_sym[model->mechanics.v_index[i]]);
        for (int m = 0; m < model->switching.n_machine; m++)
            for (int k = 0; k < model->switching.machine[m].n_transition; k++) {
                const struct model_transition *one = &model->switching.machine[m].transition[k];
                for (int r = 0; r < one->n_reset; r++)
                    jump = jump || expr_depends(model->graph, e, 1, &model->x_sym[one->reset_x[r]]);
            }
    }
    return jump;
}

/* How far it may go in parts of its element. */
static double least_part(const struct phases *ph, const struct phase_interior_time *at, bool keeps)
{
    const double begin = -ph->from[at->element] / ph->part[at->element] + TAU_APART;
    return ph->grid.interior_times_stay ? fmax(0, keeps ? begin : 0) : keeps ? fmax(begin, TAU_LEAST) : TAU_LEAST;
}

static double most_part(const struct phases *ph, const struct phase_interior_time *at, bool keeps)
{
    const double end = (1 - ph->from[at->element]) / ph->part[at->element];
    return ph->grid.interior_times_stay ? fmin(1, keeps ? end : 1) : keeps ? fmin(end, TAU_MOST) : TAU_MOST;
}

void phases_add_interior_times(struct phases *ph)
{
    struct program_block *polynomial = NULL;
    const bool keeps = data_jump(ph->sys->model);
    for (int k = 0; k < ph->n_interior_time; k++) {
        struct phase_interior_time *at = &ph->interior_time[k];
        if (is_alone(ph, at->piece))
            continue;
        at->tau = program_var(ph->prog, least_part(ph, at, keeps), most_part(ph, at, keeps), at->c,
                              label_of(at, "part of an element"));
        at->y = arena_alloc(&ph->mem, (size_t)ph->sys->n_y, sizeof *at->y);
        for (int i = 0; i < ph->sys->n_y; i++)
            at->y[i] = program_var(ph->prog, -INFINITY, INFINITY, 0, label_of(at, ph->sys->dcs->y[i].name));
        if (!polynomial)
            polynomial = create_polynomial(ph);
        add_time(ph, at);
        add_state(ph, polynomial, at);
    }
}

void phases_fill_interior_time(struct phases *ph, struct program_block *block, const struct phase_interior_time *at)
{
    struct phase_point point = phases_interior_time_point(ph, at);
    if (at->tau < 0)
        phases_fill_between(ph, block, &point, at->c);
    else
        phases_fill(ph, block, &point);
}

struct phase_point phases_interior_time_point(const struct phases *ph, const struct phase_interior_time *at)
{
    struct phase_point point = phases_stage_point(ph, at->element, 0);
    point.stage = 0;
    if (at->tau >= 0) {
        point.y = at->y;
        point.first = -1;
    }
    return point;
}

/* --- Values -------------------------------------------------------------------------------------------------- */

void phases_interior_time_state(const struct phases *ph, const struct phase_interior_time *at, double c,
                                const double *w, double *y)
{
    double weight[16], unknown[16];             /* rk.h: at most 9 stages */
    rk_weights(ph->rk, c, weight, unknown);
    for (int i = 0; i < ph->sys->n_y; i++) {
        y[i] = weight[0] * w[phases_left(ph, at->element)[i]];
        for (int k = 0; k < ph->rk->s; k++)
            y[i] += weight[k + 1] * w[phases_stage_point(ph, at->element, k).y[i]];
    }
}

/* The end of the last element of the interval before, or the start. */
static struct phase_mix state_on_grid(const struct phases *ph, double fraction)
{
    const int i = (int)lround(fraction * ph->n_interval);
    struct phase_mix mix = { 1, { ph->at.reset[0] >= 0 ? ph->at.start_y : phases_left(ph, 0) }, { 1 } };
    int e = -1;
    while (e + 1 < ph->n_element && ph->piece[ph->piece_of[e + 1]].interval < i) e++;
    if (e >= 0)
        mix.y[0] = phases_stage_point(ph, e, ph->n_point - 1).y;
    return mix;
}

struct phase_mix phases_state_at(const struct phases *ph, double fraction)
{
    const struct phase_interior_time *at = phases_interior_time(ph, fraction);
    struct phase_mix mix = { 1, { at ? at->y : NULL }, { 1 } };
    if (!at)
        return state_on_grid(ph, fraction);
    if (at->tau >= 0)
        return mix;
    double unknown[16];
    mix.n = ph->rk->s + 1;
    rk_weights(ph->rk, at->c, mix.weight, unknown);
    for (int k = 0; k < mix.n; k++)
        mix.y[k] = k ? phases_stage_point(ph, at->element, k - 1).y : phases_left(ph, at->element);
    return mix;
}

/* The part of its element at which it is with the lengths in w. */
static double part_at(const struct phases *ph, const double *w, const struct phase_interior_time *at)
{
    const double length = phases_length(ph, w, at->piece);
    double t = (at->fraction - (double)at->interval / ph->n_interval) * phases_horizon(ph, w);
    for (int k = at->piece - 1; k >= 0 && ph->piece[k].interval == at->interval; k--)
        t -= phases_length(ph, w, k);
    if (!(length > 0))
        return t > 0 ? INFINITY : -INFINITY;
    return (t / length - ph->from[at->element]) / ph->part[at->element];
}

void phases_set_interior_times(const struct phases *ph, double *w)
{
    for (int k = 0; k < ph->n_interior_time; k++) {
        const struct phase_interior_time *at = &ph->interior_time[k];
        if (at->tau < 0)
            continue;
        double *y = mem_alloc((size_t)ph->sys->n_y, sizeof *y);
        w[at->tau] = fmin(fmax(part_at(ph, w, at), program_lb(ph->prog, at->tau)), program_ub(ph->prog, at->tau));
        phases_interior_time_state(ph, at, w[at->tau], w, y);
        for (int i = 0; i < ph->sys->n_y; i++)
            w[at->y[i]] = y[i];
        free(y);
    }
}

bool phases_interior_times_moved(const struct phases *ph, const double *w)
{
    bool moved = false;
    for (int k = 0; k < ph->n_interior_time; k++) {
        const double tau = ph->interior_time[k].tau >= 0 ? w[ph->interior_time[k].tau] : 0;
        moved = moved || tau < -INTERIOR_INSIDE || tau > 1 + INTERIOR_INSIDE;
    }
    return moved;
}

double *phases_event_parts(const struct phases *ph, const double *w)
{
    double *start = mem_alloc((size_t)ph->n_piece + 1, sizeof *start);
    double *part = mem_alloc((size_t)ph->seq->n_event, sizeof *part);
    phases_times(ph, w, start, part);
    for (int j = 0; j < ph->seq->n_event; j++)
        part[j] /= phases_horizon(ph, w);
    free(start);
    return part;
}

bool phases_free_interior_times(const struct phases *ph, const double *w, const int *var, double *lb, double *ub)
{
    bool held = false;
    for (int k = 0; k < ph->n_interior_time; k++) {
        const int tau = ph->interior_time[k].tau, at = tau >= 0 && var ? var[tau] : tau;
        if (at < 0)
            continue;
        held = held || fmin(w[at] - lb[at], ub[at] - w[at]) < INTERIOR_INSIDE;
        lb[at] = -INFINITY;
        ub[at] = INFINITY;
    }
    return held;
}
