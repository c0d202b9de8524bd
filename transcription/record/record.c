#include "transcription/record/record.h"

#include "core/base/mem.h"
#include "transcription/record/record_parts.h"
#include "transcription/system/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_LENGTH 1e-12             /* of numerical time: nothing happens in such an element, nor is anything determined */

struct record *record_create(const struct model *model, const expr *u_expr)
{
    struct record *record = mem_alloc(1, sizeof *record);
    record->model = model;
    record->u_expr = u_expr;
    record->jumped = arena_alloc(&record->mem, (size_t)model->contacts.n_contact, sizeof *record->jumped);
    return record;
}

bool record_control_varies(const struct record *record, int k)
{
    return record->u_expr && record->u_expr[k] != EXPR_NONE;
}

void record_free(struct record *record)
{
    if (!record)
        return;
    free(record->points.point);
    free(record->points.column);
    free(record->element);
    free(record->element_data);
    free(record->impulse);
    free(record->event);
    free(record->event_x);
    free(record->interval);
    free(record->interval_u);
    free(record->speed);
    tape_free(record->tape.of);
    arena_free(&record->mem);
    free(record);
}

/* --- What a point shows: contact quantities and outputs as functions of the slots ---------------------------- */

/* The step of the switch that projection k is. */
static expr step_of(const struct dcs *dcs, int k)
{
    int l = 0;
    while (dcs->sw[l].wall != &dcs->model->switching.projection[k]) l++;
    return dcs->sel[dcs->sw[l].sel].sym;
}

/* Relay k is the step of a switch, if anything depends on it; no method takes machines. */
static expr signal_of(const struct dcs *dcs, int k)
{
    for (int l = 0; l < dcs->n_switch; l++)
        if (k < dcs->model->switching.n_hysteresis && dcs->sw[l].relay == &dcs->model->switching.hysteresis[k])
            return dcs->sel[dcs->sw[l].sel].sym;
    return expr_const(dcs->g, NAN);
}

/* The rate of time, what columns show of the model, aux [model_n_force] of contacts and projections, signals. */
static void build_tape(struct record *record, struct transcription *tr)
{
    const struct model *model = tr->model;
    const struct dcs *dcs = tr->dcs;
    const struct tr_slots slots = tr_slots(tr, dcs->clock < 0, &model->t_sym);
    const int n_aux = model_n_force(model), n_of_contacts = CONTACT_ROWS * model->contacts.n_contact;
    expr *out = mem_alloc((size_t)(1 + columns_n_shown(model) + n_aux + columns_n_signal(model)), sizeof *out);
    out[0] = dcs->rate;
    const int n_shown = columns_expressions(model, record->u_expr, out + 1);
    dcs_place_pairs(dcs, n_shown, out + 1);
    for (int c = 0; c < model->contacts.n_contact; c++)
        for (int q = 0; q < CONTACT_ROWS; q++)
            out[1 + n_shown + CONTACT_ROWS * c + q] = !dcs->contact
                                                      || q > model->contacts.contact[c].n_t ? expr_const(dcs->g, 0)
                                           : q == 0 ? dcs->contact[c].aux_n : dcs->contact[c].aux_t[q - 1];
    for (int k = 0; k < model->switching.n_projection; k++)
        out[1 + n_shown + n_of_contacts + k] = expr_sub(dcs->g, expr_const(dcs->g, 1), step_of(dcs, k));
    const int n_signal = columns_n_signal(model), n = 1 + n_shown + n_aux + n_signal;
    for (int k = 0; k < n_signal; k++)
        out[1 + n_shown + n_aux + k] = signal_of(dcs, k);
    record->tape.of = tape_create(dcs->g, slots.n, slots.sym, n, out);
    record->tape.in = arena_alloc(&record->mem, (size_t)slots.n, sizeof(double));
    record->rate = arena_alloc(&record->mem, (size_t)n, sizeof(double));
    record->shown = record->rate + 1;
    record->aux = record->shown + n_shown;
    record->signal = record->aux + n_aux;
    record->force = arena_alloc(&record->mem, (size_t)n_aux, sizeof(double));
    record->tape.work = arena_alloc(&record->mem, tape_work_size(record->tape.of), sizeof(double));
    free(out);
}

/* Evaluates the tape at point k of element e, with sel of which `sel` is the first; t is physical time. */
static void eval_with(struct record *record, const struct transcription *tr, const double *w, int e, int k, int sel,
                      double t)
{
    const struct dcs *dcs = tr->dcs;
    const struct model *model = tr->model;
    double *in = record->tape.in;
    const int at = e < 0 ? 0 : e, stage = tr_is_stage(tr, k) ? k : k == 0 ? 1 : tr->rk->s;      /* nearest one */
    for (int i = 0; i < dcs->n_y; i++)
        *in++ = w[tr_y(tr, e, k, i)];
    for (int i = 0; i < dcs->n_lam; i++)
        *in++ = w[tr_lam(tr, e, k, i)];
    for (int i = 0; i < dcs->n_sel; i++)
        *in++ = w[sel + i];
    for (int i = 0; i < dcs->n_z; i++)
        *in++ = w[tr_z(tr, at, stage) + i];
    for (int i = 0; i < model->n_u; i++)
        *in++ = w[tr->u[tr->interval_of[at]] + i];
    for (int i = 0; i < model->n_p; i++)
        *in++ = w[tr->p + i];
    if (model->time.horizon_free)
        *in++ = w[tr->T];
    if (dcs->clock < 0)
        *in = t;
    tape_eval(record->tape.of, 1, record->tape.in, 1, record->rate, 1, record->tape.work);
}

/* With the forces of the point, or of the stage next to it. */
static void eval_point(struct record *record, const struct transcription *tr, const double *w, int e, int k,
                       double t)
{
    const int stage = e < 0 || k == 0 ? 1 : tr_is_stage(tr, k) ? k : tr->rk->s;
    eval_with(record, tr, w, e, k, tr_sel(tr, e < 0 ? 0 : e, stage), t);
}

/* --- Points -------------------------------------------------------------------------------------------------- */

/* 1 in simulations, whose steps are of any length. */
static double speed_of_time(const struct transcription *tr, const double *w, int i)
{
    return tr->s[i] >= 0 ? w[tr->s[i]] : 1;
}

/* Its rate is filled in. */
static void add_point(struct record *record, const struct transcription *tr, const double *w, int e, int k,
                      struct layout_point point)
{
    const struct model *model = tr->model;
    eval_point(record, tr, w, e, k, point.t);
    point.rate = speed_of_time(tr, w, tr->interval_of[e < 0 ? 0 : e]) * *record->rate;
    double *row = layout_add_point(model, &record->points, point);
    const bool runs = point.is_physical && *record->rate > RECORD_FROZEN;
    for (int q = 0; q < model_n_force(model); q++)              /* forces where time runs; reactions are factors in rates */
        record->force[q] = !runs ? 0 : q < CONTACT_ROWS * model->contacts.n_contact ? record->aux[q] / *record->rate
                                                                                    : record->aux[q];
    tr_get_y(tr, w, e, k, model->n_x, row);
    columns_fill(model, record->shown, record->force, record->signal, row);
}

/* The right limit at the start of element e, if controls jump there, or states do. */
static void add_right_limit(struct record *record, const struct transcription *tr, const double *w, int e, double t,
                            double t_num)
{
    const int last = record->points.n - 1, n_x = record->model->n_x;
    bool jumps = tr->reset[e] >= 0;
    add_point(record, tr, w, e, 0, (struct layout_point){ t, t_num, record->n_element, -1, 1, 1, 0 });
    const double *before = record_columns(record, last) + n_x, *after = record_columns(record, last + 1) + n_x;
    for (int k = 0; k < record->model->n_u; k++)
        jumps = jumps || fabs(after[k] - before[k]) > 1e-9 * fmax(1, fabs(before[k]));
    if (jumps && record->points.point[last].is_physical)
        record->points.point[last].side = -1;
    else if (!jumps)
        record->points.n--;
}

/* --- Elements ------------------------------------------------------------------------------------------------ */

/* Room for the newest element, all zero; its states are returned. */
static double *new_element(struct record *record, int n_data)
{
    const int n = record->n_element, n_impulse = CONTACT_ROWS * record->model->contacts.n_contact;
    record->n_data = n_data;
    record->element = mem_grow(record->element, n, 1, sizeof *record->element);
    record->element_data = mem_grow(record->element_data, n * n_data, n_data, sizeof(double));
    record->impulse = mem_grow(record->impulse, n * n_impulse, n_impulse, sizeof(double));
    double *data = &record->element_data[(size_t)n * (size_t)n_data];
    memset(data, 0, (size_t)n_data * sizeof *data);
    memset(record->impulse + (size_t)n * (size_t)n_impulse, 0, (size_t)n_impulse * sizeof(double));
    return data;
}

/* FESD-J: impulses at the left of element e, [CONTACT_ROWS * n_contact] normal, tangential; the point after the
 * jump is one of the trajectory where anything jumps. */
static void add_junction(struct record *record, const struct transcription *tr, const double *w, int e, double t,
                         double t_num, double *impulse)
{
    const double visible = 1e-9;                /* of velocities */
    const struct model *model = tr->model;
    double jump = 0;
    eval_with(record, tr, w, e, 0, tr_impulse(tr, e), t);
    memcpy(impulse, record->aux, CONTACT_ROWS * (size_t)model->contacts.n_contact * sizeof *impulse);
    for (int i = 0; i < model->mechanics.n_q; i++) {
        const int v = model->mechanics.v_index[i];
        jump = fmax(jump, fabs(w[tr_y(tr, e, 0, v)] - w[tr_y(tr, e - 1, tr_right(tr), v)]));
    }
    if (jump <= visible)
        return;
    record->points.point[record->points.n - 1].side = -1;
    add_point(record, tr, w, e, 0, (struct layout_point){ t, t_num, record->n_element, -1, 1, 1, 0 });
}

/* FESD-J with a junction at the end: the state after it is the last point. */
static void add_end(struct record *record, struct transcription *tr, const double *w, double t, double sigma)
{
    struct arena mem = { 0 };
    const size_t n_x = (size_t)tr->model->n_x;
    double *impulse = arena_alloc(&mem, CONTACT_ROWS * (size_t)tr->model->contacts.n_contact, sizeof(double));
    double *x_minus = arena_alloc(&mem, n_x, sizeof(double)), *x_plus = arena_alloc(&mem, n_x, sizeof(double));
    tr_get_y(tr, w, tr->n_element - 1, tr_right(tr), tr->model->n_x, x_minus);
    tr_get_y(tr, w, tr->n_element, 0, tr->model->n_x, x_plus);
    add_junction(record, tr, w, tr->n_element, t, record->t_num, impulse);
    record_find_impacts(record, tr, impulse, x_minus, x_plus, sigma, record->jumped);
    arena_free(&mem);
}

/* Integrals of aux over the element: impulse of each contact, [CONTACT_ROWS * n_contact] normal, tangential. */
static void add_impulses(struct record *record, const struct transcription *tr, const double *w, int e, double t,
                         double *impulse)
{
    const double speed = speed_of_time(tr, w, tr->interval_of[e]);
    for (int k = 1; k <= tr->rk->s; k++) {
        eval_point(record, tr, w, e, k, t);
        const double weight = w[tr->h[e]] * speed * tr->rk->b[k - 1];
        for (int q = 0; q < CONTACT_ROWS * tr->model->contacts.n_contact; q++)
            impulse[q] += weight * record->aux[q];
    }
}

static void add_element(struct record *record, struct transcription *tr, const double *w, int e, double sigma,
                        double *t_num, double *t)
{
    const struct model *model = tr->model;
    const struct dcs *dcs = tr->dcs;
    const int n_x = model->n_x, right = tr_right(tr), i = tr->interval_of[e];
    const double h = w[tr->h[e]];
    const double t_end = dcs->clock >= 0 ? w[tr_y(tr, e, right, dcs->clock)] : *t + h;
    const double length = h * speed_of_time(tr, w, i);
    const bool is_nothing = dcs->freezes && length < NO_LENGTH * fmax(1, fabs(*t));
    const bool frozen = dcs->freezes && !is_nothing && t_end - *t < RECORD_FROZEN * length;
    double *data = new_element(record, n_x * (tr->rk->s + 3));
    double *impulse = record->impulse
                      + CONTACT_ROWS * (size_t)record->n_element * (size_t)model->contacts.n_contact;
    record->element[record->n_element] = (struct record_element){ { h, *t, t_end, *t_num, *t_num + h }, frozen };
    tr_get_y(tr, w, e - 1, right, n_x, data);
    for (int k = 0; k <= tr->rk->s; k++)
        tr_get_y(tr, w, e, k, n_x, data + (k + 1) * n_x);
    tr_get_y(tr, w, e, right, n_x, data + (tr->rk->s + 2) * n_x);
    if (frozen)
        add_impulses(record, tr, w, e, *t, impulse);
    memset(record->jumped, 0, (size_t)model->contacts.n_contact * sizeof *record->jumped);
    record_find_jumps(record, tr, w, e, *t, *t_num);
    if (tr->junctions) {
        add_junction(record, tr, w, e, *t, *t_num, impulse);
        record_find_impacts(record, tr, impulse, data, data + n_x, sigma, record->jumped);
    }
    if (!frozen && !is_nothing
        && ((record->n_element > 0 && record->points.point[record->points.n - 1].side <= 0) || tr->reset[e] >= 0))
        add_right_limit(record, tr, w, e, *t, *t_num);
    for (int k = 1; k <= tr->n_point && !is_nothing; k++) {
        const double c = tr_is_stage(tr, k) ? tr->rk->c[k - 1] : 1;
        const double t_k = dcs->clock >= 0 ? w[tr_y(tr, e, k, dcs->clock)] : *t + c * h;
        add_point(record, tr, w, e, k, (struct layout_point){
            t_k, *t_num + c * h, record->n_element, tr_is_stage(tr, k) ? k - 1 : tr->rk->s, 0, !frozen, 0 });
    }
    record_find_modes(record, tr, w, e, sigma, record->jumped);
    record->n_element++;
    *t_num += h;
    *t = t_end;
}

/* Controls at the start of each interval: what holds all through it, unless an expression varies there. */
static void add_intervals(struct record *record, const struct transcription *tr, const double *w)
{
    const int n_u = tr->model->n_u, n = record->n_interval, more = tr->n_interval;
    record->interval = mem_grow(record->interval, n, more, sizeof *record->interval);
    record->speed = mem_grow(record->speed, n, more, sizeof *record->speed);
    record->interval_u = mem_grow(record->interval_u, n * n_u, more * n_u, sizeof(double));
    for (int i = 0; i < tr->n_interval; i++) {
        const int first = record->n_element - tr->n_element + tr->first[i];
        record->interval[record->n_interval] = record->element[first].at.t_start;
        record->speed[record->n_interval] = speed_of_time(tr, w, i);
        eval_point(record, tr, w, tr->first[i], 0, record->interval[record->n_interval]);
        double *u = &record->interval_u[(size_t)record->n_interval++ * (size_t)n_u];
        memcpy(u, record->shown, (size_t)n_u * sizeof *u);
    }
}

/* Ends of runs of frozen elements are limits of a jump; what lies between is not physical. Each point is looked at
 * once: the right limit is physical from then on, and the frozen point before it would pass for the next one. */
static void mark_sides(struct record *record)
{
    struct layout_point *point = record->points.point;
    for (int k = record->n_marked > 0 ? record->n_marked : 1; k < record->points.n; k++) {
        struct layout_point *p = &point[k], *before = &point[k - 1];
        const bool starts = !p->is_physical && before->is_physical;
        if (starts)
            before->side = -1;
        if (!before->is_physical && p->is_physical) {           /* the last frozen point is the right limit */
            before->side = 1;
            before->is_physical = 1;
            int j = k - 1;                                      /* both limits at the same time */
            while (j > 0 && point[j].side != -1)
                j--;
            before->t = point[j].t;
        }
    }
    record->n_marked = record->points.n;
}

void record_add(struct record *record, struct transcription *tr, const double *w, double sigma)
{
    if (!record->tape.of)
        build_tape(record, tr);
    if (!record->p)
        record->p = arena_copy(&record->mem, w + tr->p, (size_t)record->model->n_p, sizeof *record->p);
    double t = tr->dcs->clock >= 0 ? w[tr->y0 + tr->dcs->clock] : record->t;
    if (record->points.n == 0)
        add_point(record, tr, w, -1, tr_right(tr), (struct layout_point){ t, 0, 0, -1, 0, 1, 0 });
    record->n_stage = tr->rk->s;
    record->freezes = tr->dcs->freezes;
    if (!record->c && (tr->rk->family == RK_RADAU_IIA || tr->rk->family == RK_GAUSS_LEGENDRE))
        record->c = arena_copy(&record->mem, tr->rk->c, (size_t)tr->rk->s, sizeof *record->c);
    for (int e = 0; e < tr->n_element; e++)
        add_element(record, tr, w, e, sigma, &record->t_num, &t);
    record_find_jumps(record, tr, w, tr->n_element, t, record->t_num);
    if (tr->reset[tr->n_element] >= 0) {
        record->points.point[record->points.n - 1].side = -1;
        add_point(record, tr, w, tr->n_element, 0,
                  (struct layout_point){ t, record->t_num, record->n_element - 1, -1, 1, 1, 0 });
    }
    if (tr_has_junction(tr, tr->n_element))
        add_end(record, tr, w, t, sigma);
    record->t = t;
    add_intervals(record, tr, w);
    mark_sides(record);
}
