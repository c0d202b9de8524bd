/* The run of a time-stepping scheme: its grid of time, controls, and what is kept of each step. */
#include "core/stepping/stepping.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/stepping/stepper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PENETRATION_TOL 1e-8        /* README.md "The spec" */

/* --- Controls and the grid of time ------------------------------------------------------------------------ */

/* The row that holds from t on; times that differ by rounding are the same. */
static void set_controls(struct stepper *s, double t)
{
    const struct sim_controls *controls = &s->task->controls;
    const double tol = 1e-12 * fmax(1, fabs(t));
    int row = 0;
    while (row + 1 < controls->n && controls->t[row + 1] <= t + tol)
        row++;
    for (int k = 0; k < s->model->n_u; k++) {
        const double guess = isnan(s->model->u[k].guess) ? 0 : s->model->u[k].guess;
        const double u = controls->n ? controls->u[row * s->model->n_u + k] : NAN;
        s->u[k] = isnan(u) ? guess : u;
    }
}

/* Ends of the steps: the equal ones, and where controls jump. [*n + 1], malloc'ed. */
static double *make_grid(const struct stepping_task *task, int *n)
{
    const double length = task->t_end - task->t_start, tol = 1e-9 * length / task->n_steps;
    double *t = mem_alloc((size_t)(task->n_steps + task->controls.n) + 1, sizeof *t);
    int row = 0;
    *n = 0;
    t[0] = task->t_start;
    for (int k = 1; k <= task->n_steps; k++) {
        const double next = k == task->n_steps ? task->t_end : task->t_start + length * k / task->n_steps;
        for (; row < task->controls.n && task->controls.t[row] < next - tol; row++)
            if (task->controls.t[row] > t[*n] + tol)
                t[++*n] = task->controls.t[row];
        t[++*n] = next;
    }
    return t;
}

/* --- The run ---------------------------------------------------------------------------------------------- */

static void keep_impulses(struct stepper *s)
{
    const size_t n = CONTACT_ROWS * (size_t)s->model->contacts.n_contact, start = (size_t)s->out->n * n;
    for (size_t i = 0; i < n; i++) {
        s->out->impulse[start + i] = 0;
        s->out->v[start + i] = INFINITY;
    }
    for (int k = 0; k < s->n_active; k++) {
        const size_t at = start + CONTACT_ROWS * (size_t)s->active[k];
        memcpy(s->out->impulse + at, s->impulse + CONTACT_ROWS * k, CONTACT_ROWS * sizeof(double));
        memcpy(s->out->v + at, s->v_c_plus + CONTACT_ROWS * k, CONTACT_ROWS * sizeof(double));
    }
}

static void keep_point(struct stepper *s, int k, double t)
{
    struct stepping *out = s->out;
    set_controls(s, t);
    out->t[k] = t;
    memcpy(out->x + (size_t)k * (size_t)out->n_x, s->x, (size_t)out->n_x * sizeof *s->x);
    memcpy(out->u + (size_t)k * (size_t)s->model->n_u, s->u, (size_t)s->model->n_u * sizeof *s->u);
}

static enum status run_steps(struct stepper *s, const double *t, int n)
{
    struct stepping *out = s->out;
    const struct stepping_task *task = s->task;
    const double start = clock_seconds();
    keep_point(s, 0, t[0]);
    for (int k = 0; k < n; k++) {
        if (task->interrupt && *task->interrupt)
            return stepper_fail(s, stop_status(), "stopped at t = %g", t[k]);
        if (clock_seconds() - start > task->max_seconds)
            return stepper_fail(s, STATUS_LIMIT, "the time is used up at t = %g", t[k]);
        s->t = t[k];
        s->h = t[k + 1] - t[k];
        const enum status st = task->scheme == STEPPING_MOREAU ? stepper_moreau(s) : stepper_stewart_trinkle(s);
        if (st != STATUS_OK)
            return st;
        keep_impulses(s);
        memcpy(s->x, s->x_plus, (size_t)out->n_x * sizeof *s->x);
        out->n = k + 1;
        keep_point(s, k + 1, t[k + 1]);
        out->seconds = clock_seconds() - start;
    }
    return STATUS_OK;
}

static enum status check_model(const struct model *model, struct diag *diag)
{
    if (model->dynamics.type != MODEL_MECHANICAL)
        return diag_error(diag, model->time.horizon_pos, "dynamics.type",
                          "moreau and stewart-trinkle are schemes for "
                          "mechanical systems; event and fesd take this one");
    for (int i = 0; i < model->mechanics.n_q; i++)
        if (expr_find_nonsmooth(model->graph, model->mechanics.f_v[i]) != EXPR_NONE)
            return diag_error(diag, model->mechanics.f_v_pos[i], "dynamics.force",
                              "moreau and stewart-trinkle take no "
                              "switches in forces; event does");
    return STATUS_OK;
}

static enum status check_start(struct stepper *s, struct diag *diag)
{
    enum status st = STATUS_OK;
    stepper_eval_contacts(s, s->t, s->x);
    for (int c = 0; c < s->model->contacts.n_contact; c++)
        if (!(system_contact(s->at, c).gap >= -PENETRATION_TOL))
            st = diag_error(diag, s->model->contacts.contact[c].pos, s->model->contacts.contact[c].path,
                            "the gap at the initial state is %g: a simulation cannot start in penetration",
                            system_contact(s->at, c).gap);
    return st;
}

enum status stepping_run(const struct stepping_task *task, struct stepping **out, struct diag *diag)
{
    const struct model *model = task->model;
    *out = NULL;
    enum status st = check_model(model, diag);
    if (st != STATUS_OK)
        return st;
    int n;
    double *t = make_grid(task, &n);
    struct stepping *run = mem_alloc(1, sizeof *run);
    const size_t n_points = (size_t)n + 1;
    run->n_x = model->n_x;
    run->n_contact = model->contacts.n_contact;
    run->t = arena_alloc(&run->mem, n_points, sizeof *run->t);
    run->x = arena_alloc(&run->mem, n_points * (size_t)model->n_x, sizeof *run->x);
    run->u = arena_alloc(&run->mem, n_points * (size_t)model->n_u, sizeof *run->u);
    run->impulse = arena_alloc(&run->mem, n_points * CONTACT_ROWS * (size_t)model->contacts.n_contact,
                               sizeof *run->impulse);
    run->v = arena_alloc(&run->mem, n_points * CONTACT_ROWS * (size_t)model->contacts.n_contact, sizeof *run->v);
    struct stepper s;
    st = stepper_create(task, run, &s, diag);
    if (st == STATUS_OK)
        st = check_start(&s, diag);
    if (st == STATUS_OK)
        st = run_steps(&s, t, n);
    stepper_free(&s);
    free(t);
    if (st == STATUS_SPEC)
        stepping_free(run);
    else
        *out = run;
    return st;
}

void stepping_free(struct stepping *run)
{
    if (!run)
        return;
    arena_free(&run->mem);
    free(run);
}
