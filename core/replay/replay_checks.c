#include "core/replay/replay_parts.h"

#include "core/base/mem.h"
#include "core/expression/nonsmooth.h"
#include "core/model/inputs.h"
#include "core/model/kinematics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NODES = 12, N_BETWEEN = 40 };    /* points of one polynomial; places looked at between two of them */

#define VISIBLE_JUMP 30             /* times the tolerance of states: an impact that no solution may leave out */

/* --- Events ----------------------------------------------------------------------------------------------- */

/* The nearest event of that kind and name that is not taken yet; -1 if there is none. */
static int nearest_event(const struct sim *sim, const struct replay_event *event, const bool *taken)
{
    int nearest = -1;
    for (int k = 0; k < sim_n_events(sim); k++) {
        const struct sim_event *other = sim_event_at(sim, k);
        if (taken[k] || !replay_is(event, other->kind)
            || strcmp(sim_subject_name(sim, other->subject), event->name) != 0)
            continue;
        if (nearest < 0 || fabs(other->t - event->t) < fabs(sim_event_at(sim, nearest)->t - event->t))
            nearest = k;
    }
    return nearest;
}

void replay_match_events(const struct replay_solution *solution, struct replay_report *report)
{
    const int n = sim_n_events(report->sim);
    bool *taken = mem_alloc((size_t)n, sizeof *taken);
    for (int k = 0; k < solution->n_event; k++) {
        const struct replay_event *event = &solution->event[k];
        const int match = nearest_event(report->sim, event, taken);
        if (match < 0) {
            report->n_missing++;
            continue;
        }
        taken[match] = true;
        report->n_matched++;
        const double error = fabs(sim_event_at(report->sim, match)->t - event->t);
        if (error >= report->event_error) {
            report->event_error = error;
            report->event_farthest = k;
        }
    }
    report->n_extra = n - report->n_matched;
    free(taken);
}

/* An impact of the simulation that the solution has none for, and the states tell. */
static const struct sim_event *unknown_impact(const struct replay *r)
{
    const struct sim *sim = r->report->sim;
    const double window = replay_window(r->solution);
    for (int k = 0; k < sim_n_events(sim); k++) {
        const struct sim_event *event = sim_event_at(sim, k);
        bool known =
            event->kind != SIM_IMPACT || event->t <= sim_t_start(sim) + window
            || event->t >= sim_t_end(sim) - window
            || replay_difference(r, event->x_minus, event->x_plus).size <= VISIBLE_JUMP * r->settings->tol_others;
        for (int j = 0; j < r->solution->n_event && !known; j++)
            known = replay_is(&r->solution->event[j], SIM_IMPACT)
                    && fabs(r->solution->event[j].t - event->t) <= window;
        if (!known)
            return event;
    }
    return NULL;
}

void replay_judge_unknown_impacts(struct replay *r)
{
    struct findings *to = &r->report->findings;
    const struct sim_event *event = unknown_impact(r);
    const char *name = event ? sim_subject_name(r->report->sim, event->subject) : "";
    if (r->model->contacts.n_contact)
        findings_add(
            to,
            &(struct finding){
                "impacts not stored", event ? 1 : 0, 0,
                event ? arena_printf(&to->mem, "%s at t = %.6g %s", name, event->t, r->model->time.unit) : NULL,
                event ? arena_printf(&to->mem, "%s is hit at t = %.6g, which is no event of the solution", name,
                                     event->t)
                      : NULL });
}

/* --- Places -------------------------------------------------------------------------------------------------- */

/* x at t_num of the polynomial through n points, by Lagrange's formula. */
static void interpolate(int n_x, int n, const struct replay_point *point, double t_num, double *x, double *t)
{
    memset(x, 0, (size_t)n_x * sizeof *x);
    *t = 0;
    for (int k = 0; k < n; k++) {
        double weight = 1;
        for (int j = 0; j < n; j++)
            if (j != k)
                weight *= (t_num - point[j].t_num) / (point[k].t_num - point[j].t_num);
        *t += weight * point[k].t;
        for (int i = 0; i < n_x; i++)
            x[i] += weight * point[k].x[i];
    }
}

/* Places between points k and k + 1 of a polynomial through n points. x [(N_BETWEEN - 1) * n_x]. */
static int list_between(int n_x, int n, const struct replay_point *point, int k, int first, double *x,
                        struct replay_place *place)
{
    for (int part = 1; part < N_BETWEEN; part++) {
        struct replay_place *to = &place[part - 1];
        *to = (struct replay_place){ .point = first + k, .x = x + (part - 1) * n_x };
        interpolate(n_x, n, point, point[k].t_num + (point[k + 1].t_num - point[k].t_num) * part / N_BETWEEN,
                    x + (part - 1) * n_x, &to->t);
    }
    return N_BETWEEN - 1;
}

static void look_ahead(struct function *f, int n, const struct replay_place *place)
{
    const size_t n_in = (size_t)f->inputs.n;
    double *point = mem_alloc((size_t)n * n_in, sizeof *point);
    for (int k = 0; k < n; k++) {
        inputs_set(&f->inputs, place[k].t, place[k].x, NULL);
        memcpy(point + (size_t)k * n_in, f->inputs.value, n_in * sizeof *point);
    }
    function_ahead(f, n, point);
    free(point);
}

void replay_walk(const struct replay *r, struct function *asked, replay_visit *visit, void *user)
{
    const struct replay_solution *solution = r->solution;
    double *x = mem_alloc((N_BETWEEN - 1) * (size_t)r->model->n_x, sizeof *x);
    struct replay_place between[N_BETWEEN - 1];
    for (int first = 0; first < solution->n_point;) {
        const struct replay_point *point = &solution->point[first];
        int n = 1;                          /* the point before an element and those of it */
        while (first + n < solution->n_point && n < MAX_NODES && point[n].is_polynomial
               && point[n].element == point[1].element && point[n].t_num > point[n - 1].t_num)
            n++;
        for (int k = 0; k + 1 < n || k == 0; k++) {
            visit(user, &(struct replay_place){ point[k].t, first + k, point[k].side, true, point[k].x });
            const int m = k + 1 < n ? list_between(r->model->n_x, n, point, k, first, x, between) : 0;
            if (asked && m > 0)
                look_ahead(asked, m, between);
            for (int i = 0; i < m; i++)
                visit(user, &between[i]);
        }
        first += n > 1 ? n - 1 : 1;
    }
    free(x);
}

/* --- Gaps ---------------------------------------------------------------------------------------------------- */

struct gaps { struct replay *r; double worst; int contact; double t; };

/* What the scales of the positions make of a gap, at least. */
static double gap_scale(const struct replay *r, const struct contact_at *at)
{
    double scale = r->settings->floor;
    for (int i = 0; i < r->model->mechanics.n_position; i++)
        scale = fmax(scale, fabs(at->slope[i]) * r->scale[r->model->mechanics.q_index[i]]);
    return scale;
}

static void look_at_gaps(void *user, const struct replay_place *place)
{
    struct gaps *gaps = user;
    struct replay *r = gaps->r;
    struct replay_report *report = r->report;
    inputs_set(&r->contacts.f.inputs, place->t, place->x, NULL);
    contact_functions_eval(&r->contacts);
    for (int c = 0; c < r->contacts.n; c++) {
        const struct contact_at at = contact_functions_at(&r->contacts, c);
        if (!replay_has_contact(r, c, place->t, place->side))
            continue;
        if (-at.gap > report->penetration) {
            report->penetration = -at.gap;
            report->t_penetration = place->t;
            report->contact_penetration = c;
        }
        if (at.gap < 0 && -at.gap / gap_scale(r, &at) > gaps->worst) {
            gaps->worst = -at.gap / gap_scale(r, &at);
            gaps->contact = c;
            gaps->t = place->t;
        }
    }
}

void replay_check_gaps(struct replay *r)
{
    struct gaps gaps = { .r = r };
    struct findings *to = &r->report->findings;
    if (r->model->contacts.n_contact == 0)
        return;
    replay_walk(r, &r->contacts.f, look_at_gaps, &gaps);
    const char *name = r->model->contacts.contact[gaps.contact].name;
    findings_add(to, &(struct finding){
        "penetration", gaps.worst, r->settings->tol_others,
        gaps.worst > 0 ? arena_printf(&to->mem, "%s at t = %.6g %s", name, gaps.t, r->model->time.unit) : NULL,
        arena_printf(&to->mem, "%s penetrates by %.2g at t = %.6g: %.2g of its scale, the tolerance is %g", name,
                     r->report->penetration, gaps.t, gaps.worst, r->settings->tol_others) });
}

/* --- The friction cone ------------------------------------------------------------------------------------ */

/* A contact pushes, within its cone. */
static void look_at_cone(double mu, const double *force, double scale, double t, int c,
                         struct replay_report *report)
{
    const double over = fmax(slip_size(force + 1) - mu * force[0], -force[0]) / scale;
    if (!(over <= report->cone)) {
        report->cone = isnan(over) ? INFINITY : over;
        report->t_cone = t;
        report->contact_cone = c;
    }
}

static void look_at_cones(struct replay *r, int c)
{
    const struct replay_solution *solution = r->solution;
    const double mu = contact_functions_at(&r->contacts, c).mu;
    double scale = r->settings->floor, impulse_scale = scale;
    for (int k = 0; k < solution->n_point; k++)
        scale = fmax(scale, solution->point[k].force[CONTACT_ROWS * c]);
    for (int k = 0; k < solution->n_event; k++)
        impulse_scale = fmax(impulse_scale, solution->event[k].impulse[0]);
    for (int k = 0; k < solution->n_point; k++)
        look_at_cone(mu, solution->point[k].force + CONTACT_ROWS * c, scale, solution->point[k].t, c, r->report);
    for (int k = 0; k < solution->n_event; k++)
        if (strcmp(solution->event[k].name, r->model->contacts.contact[c].name) == 0)
            look_at_cone(mu, solution->event[k].impulse, impulse_scale, solution->event[k].t, c, r->report);
}

void replay_check_cone(struct replay *r)
{
    struct replay_report *report = r->report;
    struct findings *to = &report->findings;
    if (r->model->contacts.n_contact == 0)
        return;
    inputs_set(&r->contacts.f.inputs, 0, r->solution->point[0].x, NULL);
    contact_functions_eval(&r->contacts);
    for (int c = 0; c < r->model->contacts.n_contact; c++)
        look_at_cones(r, c);
    const char *name = r->model->contacts.contact[report->contact_cone].name;
    findings_add(to, &(struct finding){
        "outside friction cone", report->cone, r->settings->tol_others,
        report->cone > 0 ? arena_printf(&to->mem, "%s at t = %.6g %s", name, report->t_cone, r->model->time.unit)
                         : NULL,
        arena_printf(&to->mem, "the force of %s at t = %.6g pulls, or is outside of its friction cone, by %.2g; the "
                     "tolerance is %g", name, report->t_cone, report->cone, r->settings->tol_others) });
}

/* --- Integrals over the simulation ------------------------------------------------------------------------ */

/* Nodes and weights of Gauss' rule with five points on [0, 1], exact for degree 9 (Abramowitz and
 * Stegun 25.4.30). */
static const double gauss_c[5] = { 0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155,
                                   0.95308992296933200 };
static const double gauss_b[5] = { 0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                   0.23931433524968324, 0.11846344252809454 };

void replay_set_forces(const struct inputs *inputs, const struct sim *sim, int k, double t)
{
    const struct model *model = inputs->model;
    if (!model->contacts.has_forces)
        return;
    double *force = mem_alloc((size_t)model_n_force(model), sizeof *force);
    sim_eval_forces(sim, k, t, force);
    inputs_set_forces(inputs, force, NULL);
    free(force);
}

/* Over one piece; set, if any, sets further inputs of a point. x [n_x], u [n_u] are scratch. */
static double integrate_piece(struct function *f, int n, const struct sim *sim, int k,
                              void (*set)(struct function *f, const struct sim *sim, int k, double t), double *x,
                              double *u, double *size)
{
    const struct sim_piece piece = sim_piece_at(sim, k);
    const double h = piece.t_end - piece.t_start;
    double sum = 0, t[5];
    for (int j = 0; j < 5; j++)
        t[j] = piece.t_start + h * gauss_c[j];
    sim_look_ahead(sim, k, 5, t);
    for (int j = 0; j < 5; j++) {
        sim_eval_x(sim, k, t[j], x);
        sim_eval_u(sim, k, t[j], u);
        replay_set_forces(&f->inputs, sim, k, t[j]);
        if (set)
            set(f, sim, k, t[j]);
        const double *value = function_eval(f, t[j], x, u);
        for (int i = 0; i < n; i++) {
            sum += h * gauss_b[j] * value[i];
            *size += h * gauss_b[j] * fabs(value[i]);
        }
    }
    return sum;
}

double replay_integrate(struct function *f, int n, const struct sim *sim, double t_end, double *size)
{
    const struct model *model = f->inputs.model;
    double *x = mem_alloc((size_t)model->n_x, sizeof *x), *u = mem_alloc((size_t)model->n_u, sizeof *u), sum = 0;
    for (int k = 0; k < sim_n_pieces(sim) && sim_piece_at(sim, k).t_start < t_end; k++)
        sum += integrate_piece(f, n, sim, k, NULL, x, u, size);
    free(x);
    free(u);
    return sum;
}

/* Does a switch slide in the piece? Then forces are what keeps it there, which no formula says; but of a
 * projection the reaction is known. */
static bool slides(const struct sim *sim, const struct model *model, int k)
{
    bool found = false;
    for (int l = 0; l < sim_n_switch(sim); l++)
        found = found
                || (sim_piece_at(sim, k).mode[model->contacts.n_contact + l] == SIM_SLIDES
                    && !sim_is_projection(sim, l));
    return found;
}

/* Relays and signals of machines are the last inputs of f, and what they are in a piece; steps of projections are
 * before them, and what they are at a point. */
static void set_signals(struct function *f, const struct sim *sim, int k)
{
    const int n = f->inputs.model->switching.n_hysteresis + f->inputs.model->switching.n_signal;
    if (n)
        sim_eval_signals(sim, k, f->inputs.value + f->inputs.n - n);
}

static void set_reactions(struct function *f, const struct sim *sim, int k, double t)
{
    const struct model *model = f->inputs.model;
    const int n_signal = model->switching.n_hysteresis + model->switching.n_signal,
              n = model->switching.n_projection;
    double *force = mem_alloc((size_t)model_n_force(model), sizeof *force);
    sim_eval_forces(sim, k, t, force);
    for (int i = 0; i < n; i++)
        f->inputs.value[f->inputs.n - n_signal - n + i] = 1 - force[CONTACT_ROWS * model->contacts.n_contact + i];
    free(force);
}

/* Work of f over the pieces where it says what acts; where it does not, what the energy there has become. */
static double work_done(struct function *f, const struct sim *sim, double *size)
{
    const struct model *model = f->inputs.model;
    double *x = mem_alloc((size_t)model->n_x, sizeof *x), *u = mem_alloc((size_t)model->n_u, sizeof *u), sum = 0;
    for (int k = 0; k < sim_n_pieces(sim); k++) {
        const struct sim_piece piece = sim_piece_at(sim, k);
        set_signals(f, sim, k);
        if (!slides(sim, model, k))
            sum += integrate_piece(f, 1, sim, k, set_reactions, x, u, size);
        else
            sum += sim_kinetic(sim, k, piece.t_end) - sim_kinetic(sim, k, piece.t_start) + sim_friction_loss(sim, k)
                   - (k ? sim_friction_loss(sim, k - 1) : 0);
    }
    free(x);
    free(u);
    return sum;
}

/* v'(f_v + M' v/2), M' = sum_k dM/dq_k q'_k: what changes the kinetic energy besides contacts. */
static expr power_of_forces(const struct model *model)
{
    struct expr_graph *g = model->graph;
    const int n = model->mechanics.n_q;
    expr *v = mem_alloc((size_t)n, sizeof *v), sum = expr_const(g, 0);
    for (int i = 0; i < n; i++)
        v[i] = model->x_sym[model->mechanics.v_index[i]];
    for (int i = 0; i < n; i++) {
        sum = expr_add(g, sum, expr_mul(g, v[i], model->mechanics.f_v[i]));
        for (int j = 0; j < n; j++) {
            const expr rate = kinematics_rate(model, model->mechanics.M[i + j * n]);
            sum = expr_add(g, sum, expr_scale(g, 0.5, expr_mul(g, rate, expr_mul(g, v[i], v[j]))));
        }
    }
    free(v);
    return sum;
}

/* A function of the point, and of steps of projections, relays and signals behind it. */
static struct function function_with_signals(const struct model *model, const double *p, expr e)
{
    const int n_p = model->switching.n_projection,
              n = n_p + model->switching.n_hysteresis + model->switching.n_signal;
    struct function f;
    struct arena mem = { NULL };
    expr *signal = mem_alloc((size_t)n, sizeof *signal);
    for (int k = 0; k < n_p; k++)
        signal[k] = model->switching.projection[k].state;
    for (int k = 0; k < n - n_p; k++)
        signal[n_p + k] = k < model->switching.n_hysteresis
                              ? model->switching.hysteresis[k].state
                              : model->switching.signal[k - model->switching.n_hysteresis];
    const struct inputs inputs = inputs_create(model, p, n, signal, &mem);
    e = nonsmooth_recall(model->graph, e);
    f = function_of(&inputs, 1, &e);
    f.inputs_mem = mem;
    free(signal);
    return f;
}

/* What transitions reset, and phases that begin, take from the kinetic energy. */
static double taken_by_resets(const struct sim *sim, const struct model *model)
{
    double sum = 0;
    for (int k = 1; k < sim_n_pieces(sim) && (model->switching.n_machine || model->time.n_phase); k++) {
        const double t = sim_piece_at(sim, k).t_start;
        double jump = sim_kinetic(sim, k - 1, t) - sim_kinetic(sim, k, t);
        bool resets = false;
        for (int j = 0; j < sim_n_events(sim); j++) {
            const struct sim_event *event = sim_event_at(sim, j);
            if (event->t != t)
                continue;
            jump -= event->loss;
            resets = resets || event->kind == SIM_TRANSITION || event->kind == SIM_PHASE;
        }
        sum += resets ? jump : 0;
    }
    return sum;
}

void replay_balance_energy(struct model *model, const struct replay_solution *solution,
                           struct replay_report *report)
{
    const struct sim *sim = report->sim;
    const int last = sim_n_pieces(sim) - 1;
    if (model->dynamics.type != MODEL_MECHANICAL || last < 0)
        return;
    const expr power = power_of_forces(model);
    struct function f = function_with_signals(model, solution->p, power);
    double largest = 1, losses = sim_friction_loss(sim, last) + taken_by_resets(sim, model), size = 0;
    for (int k = 0; k <= last; k++)
        largest = fmax(largest, sim_kinetic(sim, k, sim_piece_at(sim, k).t_start));
    for (int k = 0; k < sim_n_events(sim); k++) {
        const struct sim_event *event = sim_event_at(sim, k);
        const bool follows = event->kind == SIM_IMPULSE && event->t >= sim_t_end(sim);
        if (event->t > sim_t_start(sim) && !follows)         /* pieces begin after a jump at the start, end before one */
            losses += event->loss;
    }
    const double change = sim_kinetic(sim, last, sim_t_end(sim)) - sim_kinetic(sim, 0, sim_t_start(sim));
    report->energy = fabs(change - work_done(&f, sim, &size) + losses) / largest;
    function_free(&f);
}
