#include "core/simulation/replay_parts.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "core/model/inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NODES = 12, N_BETWEEN = 10 };    /* points of one polynomial; places looked at between two of them */

/* --- Events ----------------------------------------------------------------------------------------------- */

/* The nearest event of that kind and name that is not taken yet; -1 if there is none. */
static int nearest_event(const struct sim *sim, const struct replay_event *event, const bool *taken)
{
    int nearest = -1;
    for (int k = 0; k < sim_n_events(sim); k++) {
        const struct sim_event *other = sim_event_at(sim, k);
        if (taken[k] || strcmp(sim_kind_text(other->kind), event->kind) != 0
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
        report->event_error = fmax(report->event_error, fabs(sim_event_at(report->sim, match)->t - event->t));
    }
    report->n_extra = n - report->n_matched;
    free(taken);
}

/* --- Penetration ------------------------------------------------------------------------------------------ */

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

static void look_at_gaps(struct contact_functions *contacts, double t, const double *x,
                         struct replay_report *report)
{
    inputs_set(&contacts->f.inputs, t, x, NULL);
    contact_functions_eval(contacts);
    for (int c = 0; c < contacts->n; c++)
        if (-contact_functions_at(contacts, c).gap > report->penetration) {
            report->penetration = -contact_functions_at(contacts, c).gap;
            report->t_penetration = t;
            report->contact_penetration = c;
        }
}

void replay_find_penetration(struct contact_functions *contacts, const struct replay_solution *solution,
                             struct replay_report *report)
{
    const struct model *model = contacts->f.inputs.model;
    double *x = mem_alloc((size_t)model->n_x, sizeof *x);
    for (int first = 0; first < solution->n_point && model->n_contact > 0;) {
        const struct replay_point *point = &solution->point[first];
        int n = 1;                          /* the point before an element and those of it */
        look_at_gaps(contacts, point->t, point->x, report);
        while (first + n < solution->n_point && n < MAX_NODES && point[n].is_polynomial
               && point[n].element == point[1].element && point[n].t_num > point[n - 1].t_num)
            n++;
        for (int k = 0; k + 1 < n; k++)
            for (int part = 1; part < N_BETWEEN; part++) {
                double t;
                interpolate(model->n_x, n, point, point[k].t_num + (point[k + 1].t_num - point[k].t_num) * part
                            / N_BETWEEN, x, &t);
                look_at_gaps(contacts, t, x, report);
            }
        first += n > 1 ? n - 1 : 1;
    }
    free(x);
}

/* --- The friction cone ------------------------------------------------------------------------------------ */

static void look_at_cone(double mu, const double *force, double scale, double t, int c,
                         struct replay_report *report)
{
    const double over = (hypot(force[1], force[2]) - mu * force[0]) / scale;
    if (over > report->cone) {
        report->cone = over;
        report->t_cone = t;
        report->contact_cone = c;
    }
}

void replay_check_cone(struct contact_functions *contacts, const struct replay_solution *solution,
                       struct replay_report *report)
{
    const struct model *model = contacts->f.inputs.model;
    inputs_set(&contacts->f.inputs, 0, solution->point[0].x, NULL);
    contact_functions_eval(contacts);
    for (int c = 0; c < model->n_contact; c++) {
        const double mu = contact_functions_at(contacts, c).mu;
        double scale = 1, impulse_scale = 1;
        for (int k = 0; k < solution->n_point; k++)
            scale = fmax(scale, solution->point[k].force[3 * c]);
        for (int k = 0; k < solution->n_event; k++)
            impulse_scale = fmax(impulse_scale, solution->event[k].impulse[0]);
        for (int k = 0; k < solution->n_point; k++)
            look_at_cone(mu, solution->point[k].force + 3 * c, scale, solution->point[k].t, c, report);
        for (int k = 0; k < solution->n_event; k++)
            if (strcmp(solution->event[k].name, model->contact[c].name) == 0)
                look_at_cone(mu, solution->event[k].impulse, impulse_scale, solution->event[k].t, c, report);
    }
}

/* --- Integrals over the simulation ------------------------------------------------------------------------ */

/* Nodes and weights of Gauss' rule with five points on [0, 1], exact for degree 9 (Abramowitz and
 * Stegun 25.4.30). */
static const double gauss_c[5] = { 0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155,
                                   0.95308992296933200 };
static const double gauss_b[5] = { 0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                   0.23931433524968324, 0.11846344252809454 };

/* The integral of the first function; the pieces are steps of the integrator, over which it is smooth. */
static double integrate(struct function *f, const struct sim *sim)
{
    const struct model *model = f->inputs.model;
    double *x = mem_alloc((size_t)model->n_x, sizeof *x), *u = mem_alloc((size_t)model->n_u, sizeof *u), sum = 0;
    for (int k = 0; k < sim_n_pieces(sim); k++) {
        const struct sim_piece piece = sim_piece_at(sim, k);
        const double h = piece.t_end - piece.t_start;
        for (int j = 0; j < 5; j++) {
            const double t = piece.t_start + h * gauss_c[j];
            sim_eval_x(sim, k, t, x);
            sim_eval_u(sim, k, t, u);
            sum += h * gauss_b[j] * function_eval(f, t, x, u)[0];
        }
    }
    free(x);
    free(u);
    return sum;
}

/* v'(f_v + M' v/2), M' = sum_k dM/dq_k v_k: what changes the kinetic energy besides contacts. */
static expr power_of_forces(const struct model *model)
{
    struct expr_graph *g = model->graph;
    const int n = model->n_q;
    expr *q = mem_alloc((size_t)n, sizeof *q), *v = mem_alloc((size_t)n, sizeof *v), sum = expr_const(g, 0);
    for (int i = 0; i < n; i++) {
        q[i] = model->x_sym[model->q_index[i]];
        v[i] = model->x_sym[model->v_index[i]];
    }
    for (int i = 0; i < n; i++) {
        sum = expr_add(g, sum, expr_mul(g, v[i], model->f_v[i]));
        for (int j = 0; j < n; j++) {
            const expr rate = expr_directional(g, model->M[i + j * n], n, q, v);
            sum = expr_add(g, sum, expr_scale(g, 0.5, expr_mul(g, rate, expr_mul(g, v[i], v[j]))));
        }
    }
    free(q);
    free(v);
    return sum;
}

void replay_balance_energy(struct model *model, const struct replay_solution *solution,
                           struct replay_report *report)
{
    const struct sim *sim = report->sim;
    const int last = sim_n_pieces(sim) - 1;
    if (model->type != MODEL_MECHANICAL || last < 0)
        return;
    const expr power = power_of_forces(model);
    struct function f = function_create(model, solution->p, 1, &power);
    double largest = 1, losses = sim_friction_loss(sim, last);
    for (int k = 0; k <= last; k++)
        largest = fmax(largest, sim_kinetic(sim, k, sim_piece_at(sim, k).t_start));
    for (int k = 0; k < sim_n_events(sim); k++)
        losses += sim_event_at(sim, k)->loss;
    const double change = sim_kinetic(sim, last, sim_t_end(sim)) - sim_kinetic(sim, 0, sim_t_start(sim));
    report->energy = fabs(change - integrate(&f, sim) + losses) / largest;
    function_free(&f);
}

void replay_integrate_cost(struct model *model, const struct replay_solution *solution,
                           struct replay_report *report)
{
    struct expr_graph *g = model->graph;
    const struct sim *sim = report->sim;
    expr sum[2] = { expr_const(g, 0), expr_const(g, 0) };
    double *x = mem_alloc((size_t)model->n_x, sizeof *x);
    if (model->n_running + model->n_terminal == 0 || sim_n_pieces(sim) == 0) {
        free(x);
        return;
    }
    for (int k = 0; k < model->n_running; k++)
        sum[0] = expr_add(g, sum[0], model->running[k].e);
    for (int k = 0; k < model->n_terminal; k++)
        sum[1] = expr_add(g, sum[1], model->terminal[k].e);
    struct function f = function_create(model, solution->p, 2, sum);
    sim_eval(sim, sim_t_end(sim), 1, x);
    report->objective = integrate(&f, sim) + function_eval(&f, sim_t_end(sim), x, NULL)[1];
    report->objective_error = fabs(report->objective - solution->objective) / fmax(1, fabs(solution->objective));
    function_free(&f);
    free(x);
}
