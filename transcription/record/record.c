#include "transcription/record/record.h"

#include "core/base/mem.h"
#include "transcription/record/record_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct record *record_create(const struct model *model)
{
    struct record *record = mem_alloc(1, sizeof *record);
    record->model = model;
    int n = model->n_x + model->n_u;
    record->contact_column = mem_alloc((size_t)model->n_contact + 1, sizeof(int));
    for (int c = 0; c < model->n_contact; c++) {
        record->contact_column[c] = n;
        n += 3 + 2 * model->contact[c].n_t;     /* gap, v_n, v_t.., lambda_n, lambda_t.. */
    }
    record->jumped = mem_alloc((size_t)model->n_contact, sizeof *record->jumped);
    record->output_column = n;
    record->n_column = n + model->n_output;
    return record;
}

void record_set_controls(struct record *record, const expr *u_expr)
{
    record->u_expr = u_expr;
}

bool record_control_varies(const struct record *record, int k)
{
    return record->u_expr && record->u_expr[k] != EXPR_NONE;
}

void record_free(struct record *record)
{
    if (!record)
        return;
    free(record->contact_column);
    free(record->point);
    free(record->column);
    free(record->element);
    free(record->element_data);
    free(record->impulse);
    free(record->event);
    free(record->event_x);
    free(record->interval);
    free(record->interval_u);
    for (int k = 0; k < record->n_name; k++)
        free(record->name[k]);
    free(record->name);
    free(record->mode);
    free(record->jump_impulse);
    free(record->jumped);
    tape_free(record->tape);
    free(record->tape_in);
    free(record->tape_out);
    free(record->tape_work);
    free(record);
}

/* --- What a point shows: contact quantities and outputs as functions of the slots ---------------------------- */

enum { RATE = 0 };                  /* first output; then controls; per contact gap, v_n, v_t, aux_n, aux_t; outputs */

static void build_tape(struct record *record, struct transcription *tr)
{
    const struct model *model = tr->model;
    const struct dcs *dcs = tr->dcs;
    const struct tr_slots slots = tr_slots(tr, dcs->clock < 0, &model->t_sym);
    expr *out = mem_alloc((size_t)(1 + record->n_column + 16), sizeof *out);
    int n = 0;
    out[n++] = dcs->rate;
    for (int k = 0; k < model->n_u; k++)
        out[n++] = record_control_varies(record, k) ? record->u_expr[k] : model->u_sym[k];
    for (int c = 0; c < model->n_contact; c++) {
        const struct model_contact *contact = &model->contact[c];
        out[n++] = contact->gap;
        out[n++] = contact->v_n;
        for (int k = 0; k < contact->n_t; k++)
            out[n++] = contact->v_t[k];
        out[n++] = dcs->contact ? dcs->contact[c].aux_n : expr_const(dcs->g, 0);
        for (int k = 0; k < contact->n_t; k++)
            out[n++] = dcs->contact ? dcs->contact[c].aux_t[k] : expr_const(dcs->g, 0);
    }
    for (int k = 0; k < model->n_output; k++)
        out[n++] = model->output[k].e;
    record->tape = tape_create(dcs->g, slots.n, slots.sym, n, out);
    record->tape_in = mem_alloc((size_t)slots.n, sizeof(double));
    record->tape_out = mem_alloc((size_t)n, sizeof(double));
    record->tape_work = mem_alloc(tape_work_size(record->tape), sizeof(double));
    free(out);
}

/* Evaluates the tape at point k of element e, with sel of which `sel` is the first; t is physical time. */
static void eval_with(struct record *record, const struct transcription *tr, const double *w, int e, int k, int sel,
                      double t)
{
    const struct dcs *dcs = tr->dcs;
    const struct model *model = tr->model;
    double *in = record->tape_in;
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
    if (model->horizon_free)
        *in++ = w[tr->T];
    if (dcs->clock < 0)
        *in = t;
    tape_eval(record->tape, 1, record->tape_in, 1, record->tape_out, 1, record->tape_work);
}

/* With the forces of the point, or of the stage next to it. */
static void eval_point(struct record *record, const struct transcription *tr, const double *w, int e, int k, double t)
{
    const int stage = e < 0 || k == 0 ? 1 : tr_is_stage(tr, k) ? k : tr->rk->s;
    eval_with(record, tr, w, e, k, tr_sel(tr, e < 0 ? 0 : e, stage), t);
}

/* --- Points -------------------------------------------------------------------------------------------------- */

static double *new_point(struct record *record, struct layout_point point)
{
    if (record->n_point == record->cap_point) {
        record->cap_point = record->cap_point ? 2 * record->cap_point : 256;
        const size_t cap = (size_t)record->cap_point;
        record->point = mem_resize(record->point, cap, sizeof *record->point);
        record->column = mem_resize(record->column, cap * (size_t)record->n_column, sizeof(double));
    }
    record->point[record->n_point] = point;
    return &record->column[(size_t)record->n_point++ * (size_t)record->n_column];
}

static void add_point(struct record *record, const struct transcription *tr, const double *w, int e, int k,
                      struct layout_point point)
{
    const struct model *model = tr->model;
    eval_point(record, tr, w, e, k, point.t);
    double *col = new_point(record, point);
    const double *out = record->tape_out, rate = out[RATE];
    for (int i = 0; i < model->n_x; i++)
        *col++ = w[tr_y(tr, e, k, i)];
    out++;
    for (int i = 0; i < model->n_u; i++)
        *col++ = *out++;
    for (int c = 0; c < model->n_contact; c++) {
        const int n_t = model->contact[c].n_t;
        for (int q = 0; q < 2 + n_t; q++)
            *col++ = *out++;
        for (int q = 0; q < 1 + n_t; q++)                       /* forces where time runs */
            *col++ = point.is_physical && rate > RECORD_FROZEN ? out[q] / rate : 0;
        out += 1 + n_t;
    }
    for (int q = 0; q < model->n_output; q++)
        *col++ = *out++;
}

/* --- Elements ------------------------------------------------------------------------------------------------ */

/* Room for the newest element, all zero; its states are returned. */
static double *new_element(struct record *record, int n_data)
{
    const size_t n_impulse = 3 * (size_t)record->model->n_contact;
    record->n_data = n_data;
    if (record->n_element == record->cap_element) {
        record->cap_element = record->cap_element ? 2 * record->cap_element : 64;
        const size_t cap = (size_t)record->cap_element;
        record->element = mem_resize(record->element, cap, sizeof *record->element);
        record->element_data = mem_resize(record->element_data, cap * (size_t)n_data, sizeof(double));
        record->impulse = mem_resize(record->impulse, cap * n_impulse, sizeof(double));
    }
    double *data = &record->element_data[(size_t)record->n_element * (size_t)n_data];
    memset(data, 0, (size_t)n_data * sizeof *data);
    memset(record->impulse + (size_t)record->n_element * n_impulse, 0, n_impulse * sizeof(double));
    return data;
}

/* FESD-J: impulses at the left of element e, [3 * n_contact] normal, tangential; the point after the jump is one of
 * the trajectory where anything jumps. */
static void add_junction(struct record *record, const struct transcription *tr, const double *w, int e, double t,
                         double t_num, double *impulse)
{
    const double visible = 1e-9;                /* of velocities */
    const struct model *model = tr->model;
    double jump = 0;
    eval_with(record, tr, w, e, 0, tr_impulse(tr, e), t);
    const double *out = record->tape_out + 1 + model->n_u;
    for (int c = 0; c < model->n_contact; c++) {
        const int n_t = model->contact[c].n_t;
        memcpy(&impulse[3 * c], out + 2 + n_t, (size_t)(1 + n_t) * sizeof *impulse);
        out += 3 + 2 * n_t;
    }
    for (int i = 0; i < model->n_q; i++) {
        const int v = model->v_index[i];
        jump = fmax(jump, fabs(w[tr_y(tr, e, 0, v)] - w[tr_y(tr, e - 1, tr_right(tr), v)]));
    }
    if (jump <= visible)
        return;
    record->point[record->n_point - 1].side = -1;
    add_point(record, tr, w, e, 0, (struct layout_point){ t, t_num, record->n_element, -1, 1, 1 });
}

/* FESD-J with a junction at the end: the state after it is the last point. */
static void add_end(struct record *record, struct transcription *tr, const double *w, double t, double sigma)
{
    struct arena mem = { 0 };
    const size_t n_x = (size_t)tr->model->n_x;
    double *impulse = arena_alloc(&mem, 3 * (size_t)tr->model->n_contact, sizeof(double));
    double *x_minus = arena_alloc(&mem, n_x, sizeof(double)), *x_plus = arena_alloc(&mem, n_x, sizeof(double));
    tr_get_y(tr, w, tr->n_element - 1, tr_right(tr), tr->model->n_x, x_minus);
    tr_get_y(tr, w, tr->n_element, 0, tr->model->n_x, x_plus);
    add_junction(record, tr, w, tr->n_element, t, record->t_num, impulse);
    record_find_impacts(record, tr, impulse, x_minus, x_plus, sigma, record->jumped);
    arena_free(&mem);
}

/* Integrals of aux over the element: impulse of each contact, [3 * n_contact] normal, tangential. */
static void add_impulses(struct record *record, const struct transcription *tr, const double *w, int e, double t,
                         double *impulse)
{
    const struct model *model = tr->model;
    const int speed = tr->s[tr->interval_of[e]];
    for (int k = 1; k <= tr->rk->s; k++) {
        eval_point(record, tr, w, e, k, t);
        const double weight = w[tr->h[e]] * (speed >= 0 ? w[speed] : 1) * tr->rk->b[k - 1];
        const double *out = record->tape_out + 1 + model->n_u;
        for (int c = 0; c < model->n_contact; c++) {
            const int n_t = model->contact[c].n_t;
            out += 2 + n_t;
            for (int q = 0; q < 1 + n_t; q++)
                impulse[3 * c + q] += weight * out[q];
            out += 1 + n_t;
        }
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
    const bool frozen = dcs->freezes && t_end - *t < RECORD_FROZEN * h * (tr->s[i] >= 0 ? w[tr->s[i]] : 1);
    double *data = new_element(record, n_x * (tr->rk->s + 3));
    double *impulse = record->impulse + 3 * (size_t)record->n_element * (size_t)model->n_contact;
    record->element[record->n_element] = (struct record_element){ { h, *t, t_end, *t_num, *t_num + h }, frozen };
    tr_get_y(tr, w, e - 1, right, n_x, data);
    for (int k = 0; k <= tr->rk->s; k++)
        tr_get_y(tr, w, e, k, n_x, data + (k + 1) * n_x);
    tr_get_y(tr, w, e, right, n_x, data + (tr->rk->s + 2) * n_x);
    if (frozen)
        add_impulses(record, tr, w, e, *t, impulse);
    memset(record->jumped, 0, (size_t)model->n_contact * sizeof *record->jumped);
    if (tr->junctions) {
        add_junction(record, tr, w, e, *t, *t_num, impulse);
        record_find_impacts(record, tr, impulse, data, data + n_x, sigma, record->jumped);
    }
    for (int k = 1; k <= tr->n_point; k++) {
        const double c = tr_is_stage(tr, k) ? tr->rk->c[k - 1] : 1;
        const double t_k = dcs->clock >= 0 ? w[tr_y(tr, e, k, dcs->clock)] : *t + c * h;
        add_point(record, tr, w, e, k, (struct layout_point){
            t_k, *t_num + c * h, record->n_element, tr_is_stage(tr, k) ? k - 1 : tr->rk->s, 0, !frozen });
    }
    record_find_modes(record, tr, w, e, sigma, record->jumped);
    record->n_element++;
    *t_num += h;
    *t = t_end;
}

/* Controls at the start of each interval: what holds all through it, unless an expression varies there. */
static void add_intervals(struct record *record, const struct transcription *tr, const double *w)
{
    const int n_u = tr->model->n_u, n = record->n_interval + tr->n_interval;
    record->interval = mem_resize(record->interval, (size_t)n, sizeof *record->interval);
    record->interval_u = mem_resize(record->interval_u, (size_t)n * (size_t)n_u, sizeof(double));
    for (int i = 0; i < tr->n_interval; i++) {
        const int first = record->n_element - tr->n_element + tr->first[i];
        record->interval[record->n_interval] = record->element[first].at.t_start;
        eval_point(record, tr, w, tr->first[i], 0, record->interval[record->n_interval]);
        for (int k = 0; k < n_u; k++)
            record->interval_u[(size_t)record->n_interval * (size_t)n_u + (size_t)k] = record->tape_out[1 + k];
        record->n_interval++;
    }
}

/* Ends of runs of frozen elements are limits of a jump; what lies between is not physical. Each point is looked at
 * once: the right limit is physical from then on, and the frozen point before it would pass for the next one. */
static void mark_sides(struct record *record)
{
    for (int k = record->n_marked > 0 ? record->n_marked : 1; k < record->n_point; k++) {
        struct layout_point *p = &record->point[k], *before = &record->point[k - 1];
        const bool starts = !p->is_physical && before->is_physical;
        if (starts)
            before->side = -1;
        if (!before->is_physical && p->is_physical) {           /* the last frozen point is the right limit */
            before->side = 1;
            before->is_physical = 1;
            int j = k - 1;                                      /* both limits at the same time */
            while (j > 0 && record->point[j].side != -1)
                j--;
            before->t = record->point[j].t;
        }
    }
    record->n_marked = record->n_point;
}

void record_add(struct record *record, struct transcription *tr, const double *w, double sigma)
{
    if (!record->tape)
        build_tape(record, tr);
    double t = tr->dcs->clock >= 0 ? w[tr->y0 + tr->dcs->clock] : record->t;
    if (record->n_point == 0)
        add_point(record, tr, w, -1, tr_right(tr), (struct layout_point){ t, 0, 0, -1, 0, 1 });
    record->n_stage = tr->rk->s;
    for (int e = 0; e < tr->n_element; e++)
        add_element(record, tr, w, e, sigma, &record->t_num, &t);
    if (tr_has_junction(tr, tr->n_element))
        add_end(record, tr, w, t, sigma);
    record->t = t;
    add_intervals(record, tr, w);
    mark_sides(record);
}

int record_n_elements(const struct record *record)
{
    return record->n_element;
}
