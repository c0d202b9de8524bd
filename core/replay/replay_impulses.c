/* Impulses of a solution's impacts: their balance of momentum, and what costs and constraints of impacts are
 * evaluated with. */
#include "core/replay/replay_parts.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLOSED 1e-6                 /* m: gap of a contact that passes an impact on */

static int contact_of(const struct model *model, const char *name)
{
    int c = 0;
    while (c < model->contacts.n_contact && strcmp(model->contacts.contact[c].name, name) != 0) c++;
    return c;
}

int replay_next_impact(const struct replay *r, int j)
{
    const struct replay_solution *solution = r->solution;
    const double t = solution->event[j].t, near = SAME_TIME * replay_last(solution)->t;
    while (j < solution->n_event && solution->event[j].t - t <= near) j++;
    return j;
}

/* --- The balance of momentum --------------------------------------------------------------------------------- */

/* The points on both sides of a jump at t; false: there is none. */
static bool find_jump(const struct replay_solution *solution, double t, const struct replay_point **before,
                      const struct replay_point **after)
{
    const double tol = 1e-9 * fmax(1, replay_last(solution)->t);
    *before = *after = NULL;
    for (int k = 0; k < solution->n_point; k++) {
        const struct replay_point *point = &solution->point[k];
        if (fabs(point->t - t) > tol)
            continue;
        if (point->side < 0 && !*before)
            *before = point;
        if (point->side > 0)
            *after = point;
    }
    return *before && *after;
}

/* Of all impacts at the time of event k: J'Lambda in sum, sizes its terms. */
static void sum_impulses(struct replay *r, int k, double *sum, double *sizes)
{
    const struct replay_solution *solution = r->solution;
    const double tol = 1e-9 * fmax(1, replay_last(solution)->t);
    memset(r->change, 0, CONTACT_ROWS * (size_t)r->model->contacts.n_contact * sizeof *r->change);
    for (int j = 0; j < solution->n_event; j++)
        for (int c = 0; c < r->model->contacts.n_contact
             && fabs(solution->event[j].t - solution->event[k].t) <= tol; c++)
            if (strcmp(solution->event[j].name, r->model->contacts.contact[c].name) == 0)
                for (int q = 0; q < CONTACT_ROWS; q++)
                    r->change[CONTACT_ROWS * c + q] += solution->event[j].impulse[q];
    memset(sum, 0, (size_t)r->model->mechanics.n_q * sizeof *sum);
    memset(sizes, 0, (size_t)r->model->mechanics.n_q * sizeof *sizes);
    replay_add_force(r, r->change, false, sum);
    replay_add_force(r, r->change, true, sizes);
}

/* Is an impact of the contact stored at the time of event k? */
static bool is_hit(const struct replay *r, int k, int c)
{
    const struct replay_solution *solution = r->solution;
    const double tol = 1e-9 * fmax(1, replay_last(solution)->t);
    for (int j = 0; j < solution->n_event; j++)
        if (fabs(solution->event[j].t - solution->event[k].t) <= tol && replay_is(&solution->event[j], SIM_IMPACT)
            && strcmp(solution->event[j].name, r->model->contacts.contact[c].name) == 0)
            return true;
    return false;
}

/* Takes out of v what lies along a, orthogonal to the n directions of Q, which a joins. */
static int take_out(int n_q, const double *a, int n, double *Q, double *v)
{
    double *q = Q + n * n_q, length = 0, part = 0;
    const double before = sqrt(vec_dot(n_q, a, a));
    memcpy(q, a, (size_t)n_q * sizeof *q);
    for (int k = 0; k < n; k++) {
        const double along = vec_dot(n_q, Q + k * n_q, q);
        for (int i = 0; i < n_q; i++)
            q[i] -= along * Q[k * n_q + i];
    }
    length = sqrt(vec_dot(n_q, q, q));
    if (!(length > 1e-9 * before))
        return n;
    for (int i = 0; i < n_q; i++)
        q[i] /= length;
    part = vec_dot(n_q, q, v);
    for (int i = 0; i < n_q; i++)
        v[i] -= part * q[i];
    return n + 1;
}

/* A closed contact passes the impact of event k on, which is no event of its own. */
static bool passes_on(const struct replay *r, int k, int c)
{
    return contact_functions_at(&r->contacts, c).gap <= CLOSED && !is_hit(r, k, c)
           && replay_has_contact(r, c, r->solution->event[k].t, 1);
}

/* What closed contacts may have done is not judged. */
static void take_out_closed(struct replay *r, int k, double *sum)
{
    const int n_q = r->model->mechanics.n_q;
    int n = 0;
    for (int c = 0; c < r->model->contacts.n_contact; c++) {
        const struct contact_at at = contact_functions_at(&r->contacts, c);
        if (!passes_on(r, k, c))
            continue;
        for (int q = 0; q <= r->model->contacts.contact[c].n_t && n < n_q; q++)
            n = take_out(n_q, q ? at.J_t[q - 1] : at.J_n, n, r->basis, sum);
    }
}

struct momentum { struct function mass; double *sum, *size, *scale; double worst, t; int i; };

/* What hits: the state before, or what the jump of a phase by the user at the same time has made of it. */
static const double *state_before(const struct replay *r, double t, const struct replay_point *before)
{
    const double tol = 1e-9 * fmax(1, replay_last(r->solution)->t);
    for (int j = 0; j < r->solution->n_event; j++) {
        const struct replay_event *event = &r->solution->event[j];
        if (fabs(event->t - t) <= tol && replay_is(event, SIM_PHASE) && event->x_plus)
            return event->x_plus;
    }
    return before->x;
}

/* Balance of momentum at impact k; scale: largest sizes so far. pass 0 raises the scale, pass 1 finds the worst. */
static void balance_impact(struct replay *r, int k, int pass, struct momentum *at)
{
    const struct model *model = r->model;
    const struct replay_point *before, *after;
    const double t = r->solution->event[k].t;
    if (!find_jump(r->solution, t, &before, &after)) {
        at->worst = pass ? INFINITY : 0;
        at->t = t;
        return;
    }
    const double *x = state_before(r, t, before), *M = function_eval(&at->mass, t, x, NULL);
    replay_eval_contacts(r, t, x);
    sum_impulses(r, k, at->sum, at->size);
    for (int i = 0; i < model->mechanics.n_q; i++)
        for (int j = 0; j < model->mechanics.n_q; j++) {
            const double term = M[i + j * model->mechanics.n_q]
                                * (after->x[model->mechanics.v_index[j]] - x[model->mechanics.v_index[j]]);
            at->sum[i] -= term;
            at->size[i] += fabs(term);
        }
    take_out_closed(r, k, at->sum);
    for (int i = 0; i < model->mechanics.n_q; i++)
        if (pass == 0)
            at->scale[i] = fmax(at->scale[i], at->size[i]);
        else if (!(fabs(at->sum[i]) / at->scale[i] <= at->worst)) {
            at->worst = isnan(at->sum[i]) ? INFINITY : fabs(at->sum[i]) / at->scale[i];
            at->t = t;
            at->i = i;
        }
}

void replay_judge_impulses(struct replay *r)
{
    const int n_q = r->model->mechanics.n_q;
    const double tol = FORCE_SLACK * r->settings->tol_others;
    struct findings *to = &r->report->findings;
    if (r->model->contacts.n_contact == 0)
        return;
    struct momentum at = { .mass = function_create(r->fork, r->solution->p, n_q * n_q, r->fork->mechanics.M) };
    at.sum = arena_alloc(&r->mem, 3 * (size_t)n_q, sizeof(double));
    at.size = at.sum + n_q;
    at.scale = at.sum + 2 * n_q;
    for (int i = 0; i < n_q; i++)
        at.scale[i] = r->settings->floor;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < r->solution->n_event; k++)
            if (replay_is(&r->solution->event[k], SIM_IMPACT))
                balance_impact(r, k, pass, &at);
    function_free(&at.mass);
    const char *name = r->model->x[r->model->mechanics.v_index[at.i]].name;
    findings_add(
        to, &(struct finding){
                "impulses", at.worst, tol,
                at.worst > 0 ? arena_printf(&to->mem, "%s at t = %.6g %s", name, at.t, r->model->time.unit) : NULL,
                isinf(at.worst)
                    ? arena_printf(&to->mem, "velocities do not jump at the impact at t = %.6g", at.t)
                    : arena_printf(&to->mem,
                                   "impulses and the jump of %s at t = %.6g differ by %.2g, the tolerance is %g",
                                   name, at.t, at.worst, tol) });
}

/* --- An impact as one ------------------------------------------------------------------------------------------ */

/* M (v+ - v-) - J'impulse at event k: [n_q]; false: nothing jumps there. */
static bool find_rest(struct replay *r, int k, const double *impulse, double *rest)
{
    const struct model *model = r->fork;
    const struct replay_point *before, *after;
    const double t = r->solution->event[k].t;
    if (!find_jump(r->solution, t, &before, &after))
        return false;
    struct function mass = function_create(model, r->solution->p, model->mechanics.n_q * model->mechanics.n_q,
                                           model->mechanics.M);
    const double *x = state_before(r, t, before), *M = function_eval(&mass, t, x, NULL);
    memset(rest, 0, (size_t)model->mechanics.n_q * sizeof *rest);
    replay_add_force(r, impulse, false, rest);
    for (int i = 0; i < model->mechanics.n_q; i++) {
        rest[i] = -rest[i];
        for (int j = 0; j < model->mechanics.n_q; j++)
            rest[i] += M[i + j * model->mechanics.n_q]
                       * (after->x[model->mechanics.v_index[j]] - x[model->mechanics.v_index[j]]);
    }
    function_free(&mass);
    return true;
}

/* z of least squares, sum of column_i z_i = rest; the least one where columns depend on each other. */
static void solve_columns(int n_q, int n, const double *const *column, const double *rest, double *z,
                          struct arena *mem)
{
    double *gram = arena_alloc(mem, (size_t)(n * n), sizeof *gram), *b = arena_alloc(mem, (size_t)n, sizeof *b);
    struct dense dense;
    bool is_redundant;
    for (int i = 0; i < n; i++) {
        b[i] = vec_dot(n_q, column[i], rest);
        for (int j = 0; j < n; j++)
            gram[i + j * n] = vec_dot(n_q, column[i], column[j]);
    }
    dense_init(&dense, mem, n);
    (void)dense_solve(&dense, n, gram, b, NULL, z, &is_redundant);
}

/* Impulses of the closed contacts that pass on the impact of event k, at state x: what hits leaves of the jump of
 * momentum. */
static void add_passed_on(struct replay *r, int k, const double *x, double *impulse)
{
    const int n_q = r->model->mechanics.n_q, n_most = CONTACT_ROWS * r->model->contacts.n_contact;
    struct arena mem = { NULL };
    double *rest = arena_alloc(&mem, (size_t)n_q, sizeof *rest), *z = arena_alloc(&mem, (size_t)n_most, sizeof *z);
    const double **column = arena_alloc(&mem, (size_t)n_most, sizeof *column);
    int *of = arena_alloc(&mem, (size_t)n_most, sizeof *of), n = 0;
    replay_eval_contacts(r, r->solution->event[k].t, x);
    for (int c = 0; c < r->model->contacts.n_contact; c++) {
        const struct contact_at at = contact_functions_at(&r->contacts, c);
        for (int q = 0; q <= r->model->contacts.contact[c].n_t && passes_on(r, k, c); q++) {
            of[n] = CONTACT_ROWS * c + q;
            column[n++] = q ? at.J_t[q - 1] : at.J_n;
        }
    }
    if (n > 0 && find_rest(r, k, impulse, rest)) {
        solve_columns(n_q, n, column, rest, z, &mem);
        for (int i = 0; i < n; i++)
            impulse[of[i]] = z[i];
    }
    arena_free(&mem);
}

bool replay_set_impact(struct replay *r, const struct inputs *inputs, int j)
{
    const struct model *model = r->model;
    const struct replay_solution *solution = r->solution;
    double *impulse = mem_alloc(CONTACT_ROWS * (size_t)model->contacts.n_contact, sizeof *impulse);
    const double *x = NULL;
    for (int k = j, end = replay_next_impact(r, j); k < end; k++) {
        const struct replay_event *event = &solution->event[k];
        const int c = contact_of(model, event->name);
        if (!replay_is(event, SIM_IMPACT) || c == model->contacts.n_contact || !event->x_minus)
            continue;
        memcpy(impulse + CONTACT_ROWS * c, event->impulse, sizeof event->impulse);
        x = event->x_minus;
    }
    if (x) {
        add_passed_on(r, j, x, impulse);
        inputs_set(inputs, solution->event[j].t, x, NULL);
        inputs_set_forces(inputs, NULL, impulse);
    }
    free(impulse);
    return x != NULL;
}
