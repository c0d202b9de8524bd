#include "core/stepping/stepper.h"

#include "core/contact/dense.h"
#include "core/expression/diff.h"
#include "core/model/kinematics.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define CLOSED_TOL 1e-12            /* m; rounding of a gap of a resting contact */
#define NEWTON_TOL 1e-13            /* relative to 1 + |v|; rounding stops the iteration a little below */
enum { MAX_NEWTON = 50 };

/* --- Set-up ----------------------------------------------------------------------------------------------- */

/* df_v/dx, for the midpoint rule. */
static void compile_slopes(struct stepper *s)
{
    const struct model *model = s->model;
    struct expr_sparse jac = expr_jacobian(model->graph, model->mechanics.n_q, model->mechanics.f_v, model->n_x,
                                           model->x_sym);
    s->slopes = function_of(&s->at->inputs, jac.nnz, jac.val);
    s->slope = arena_alloc(&s->mem, (size_t)model->mechanics.n_q * (size_t)model->n_x, sizeof(double));
    s->slope_place = arena_alloc(&s->mem, (size_t)jac.nnz, sizeof(int));
    for (int k = 0; k < jac.nnz; k++)
        s->slope_place[k] = jac.row[k] + jac.col[k] * model->mechanics.n_q;
    expr_sparse_free(&jac);
}

static void allocate(struct stepper *s)
{
    const size_t n_x = (size_t)s->model->n_x, n_q = (size_t)s->model->mechanics.n_q,
                 n_c = (size_t)s->model->contacts.n_contact;
    struct arena *mem = &s->mem;
    double **const arrays[] = { &s->x, &s->x_plus, &s->x_m, &s->x_before, &s->u, &s->A, &s->dv, &s->v_plus, &s->J,
                                &s->W, &s->G, &s->v_c, &s->v_c_plus, &s->mu, &s->v_least, &s->impulse, &s->gap,
                                &s->v_n };
    const size_t sizes[] = { n_x, n_x, n_x, n_x, (size_t)s->model->n_u, n_q * n_q, n_q, n_q, n_q * CONTACT_ROWS * n_c,
                             n_q * CONTACT_ROWS * n_c, CONTACT_ROWS * n_c * CONTACT_ROWS * n_c, CONTACT_ROWS * n_c,
                             CONTACT_ROWS * n_c, n_c, n_c, CONTACT_ROWS * n_c, n_c, n_c };
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = arena_alloc(mem, sizes[k], sizeof(double));
    s->pivot = arena_alloc(mem, n_q, sizeof *s->pivot);
    s->active = arena_alloc(mem, n_c, sizeof(int));
    s->n_t = arena_alloc(mem, n_c, sizeof(int));
    s->is_active = arena_alloc(mem, n_c, sizeof(bool));
    s->is_extra = arena_alloc(mem, n_x, sizeof(bool));
}

enum status stepper_create(const struct stepping_task *task, struct stepping *out, struct stepper *s,
                                  struct diag *diag)
{
    *s = (struct stepper){ .task = task, .out = out };
    const enum status st = system_create(task->model, task->p, NULL, &s->at, diag);
    if (st != STATUS_OK)
        return st;
    s->model = s->at->model;
    s->friction = s->model->contacts.n_contact ? friction_create(s->model->contacts.n_contact) : NULL;
    allocate(s);
    compile_slopes(s);
    memset(s->is_extra, true, (size_t)s->model->n_x);
    for (int i = 0; i < s->model->mechanics.n_position; i++)
        s->is_extra[s->model->mechanics.q_index[i]] = false;
    for (int i = 0; i < s->model->mechanics.n_q; i++)
        s->is_extra[s->model->mechanics.v_index[i]] = false;
    s->rates = function_of(&s->at->inputs, s->model->mechanics.n_position, s->model->mechanics.q_rate);
    memcpy(s->x, task->x_initial, (size_t)s->model->n_x * sizeof *s->x);
    return STATUS_OK;
}

void stepper_free(struct stepper *s)
{
    function_free(&s->slopes);
    function_free(&s->rates);
    system_free(s->at);
    friction_free(s->friction);
    arena_free(&s->mem);
}

enum status stepper_fail(struct stepper *s, enum status st, const char *fmt, ...)
{
    char text[600];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    s->out->message = arena_copy_text(&s->out->mem, text);
    return s->out->status = st;
}

/* --- The linear algebra of a step ------------------------------------------------------------------------- */

static bool factor(struct stepper *s)
{
    const lapack_int n = s->model->mechanics.n_q;
    return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, s->A, n, s->pivot) == 0;
}

/* x = A^-1 x for k columns. */
static void solve(const struct stepper *s, int k, double *x)
{
    const lapack_int n = s->model->mechanics.n_q;
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, k, s->A, n, s->pivot, x, n);
}

static void gather_velocities(const struct stepper *s, const double *x, double *v)
{
    for (int i = 0; i < s->model->mechanics.n_q; i++)
        v[i] = x[s->model->mechanics.v_index[i]];
}

/* v_n of contact c at v_plus. */
static double approach(const struct stepper *s, int c)
{
    const struct contact_at at = system_contact(s->at, c);
    return vec_dot(s->model->mechanics.n_q, at.J_n, s->v_plus) + at.drift[0];
}

/* The columns of the active contacts, and what the factors make of them: J, W = A^-1 J, G = J' W. */
static void couple_contacts(struct stepper *s)
{
    const int n_q = s->model->mechanics.n_q, n = CONTACT_ROWS * s->n_active;
    for (int k = 0; k < s->n_active; k++)
        memcpy(s->J + (size_t)(CONTACT_ROWS * k * n_q), system_contact(s->at, s->active[k]).J_n,
               CONTACT_ROWS * (size_t)n_q * sizeof *s->J);
    memcpy(s->W, s->J, (size_t)(n * n_q) * sizeof *s->W);
    solve(s, n, s->W);
    dense_product(n_q, n, s->J, s->W, s->G);
}

static void activate(struct stepper *s, int c, double v_least)
{
    s->v_least[s->n_active] = v_least;
    s->is_active[c] = true;
    s->active[s->n_active] = c;
    s->n_t[s->n_active] = s->model->contacts.contact[c].n_t;
    s->mu[s->n_active++] = s->at->mu[c];
}

/* Impulses of the active contacts for the velocity v_plus without them; adds what they do to it. */
static enum status apply_impulses(struct stepper *s)
{
    struct friction_info info;
    const int n_q = s->model->mechanics.n_q, n = CONTACT_ROWS * s->n_active;
    if (!s->n_active)
        return STATUS_OK;
    for (int i = 0; i < n; i++)
        s->v_c[i] = vec_dot(n_q, s->J + (size_t)(i * n_q), s->v_plus)
                    + system_contact(s->at, s->active[i / CONTACT_ROWS]).drift[i % CONTACT_ROWS];
    const struct friction_problem problem = { .n = s->n_active, .n_t = s->n_t, .G = s->G, .v = s->v_c,
                                              .mu = s->mu, .v_least = s->v_least };
    const enum lcp_outcome outcome = friction_solve(s->friction, &problem, s->impulse, s->v_c_plus, &info);
    s->out->n_lcp += info.n_lcp;
    s->out->n_pivots += info.n_pivots;
    if (outcome != LCP_SOLVED)
        return stepper_fail(s, STATUS_NUMERIC, "contact %s, one of %d closed at t = %g: no impulses were found (Lemke's "
                    "method %s)", s->model->contacts.contact[s->active[0]].name, s->n_active, s->t,
                    lcp_outcome_text(outcome));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n_q; i++)
            s->v_plus[i] += s->W[i + j * n_q] * s->impulse[j];
    return STATUS_OK;
}

/* Positions of out: q + h N v, with the positions of one state in N and the velocities of another. */
static void move(struct stepper *s, const double *x_at, const double *x_v, double h, double *out)
{
    const struct model *model = s->model;
    double *value = s->at->inputs.value;
    for (int i = 0; i < model->mechanics.n_position; i++)
        value[model->mechanics.q_index[i]] = x_at[model->mechanics.q_index[i]];
    for (int i = 0; i < model->mechanics.n_q; i++)
        value[model->mechanics.v_index[i]] = x_v[model->mechanics.v_index[i]];
    const double *rate = function_values(&s->rates);
    for (int i = 0; i < model->mechanics.n_position; i++)
        out[model->mechanics.q_index[i]] = s->x[model->mechanics.q_index[i]] + h * rate[i];
}

static void scatter_velocities(const struct stepper *s, const double *v, double *x)
{
    for (int i = 0; i < s->model->mechanics.n_q; i++)
        x[s->model->mechanics.v_index[i]] = v[i];
}

/* M, f_v, right-hand sides of extra states and, if asked for, slopes. */
static enum status eval_flow(struct stepper *s, const double *x, double t, bool with_slopes)
{
    char text[400] = "";
    const int n_q = s->model->mechanics.n_q, n = n_q * n_q + n_q + s->model->n_x;
    inputs_set(&s->at->inputs, t, x, s->u);
    system_eval_dynamics(s->at);
    for (int k = 0; k < n; k++)
        if (!isfinite(s->at->at.M[k])) {
            const bool is_traced = system_trace(s->at, text, sizeof text);
            return stepper_fail(s, STATUS_NUMERIC, "t = %g: %s", t, is_traced ? text : "a force is not finite");
        }
    if (with_slopes) {
        const double *slope = function_values(&s->slopes);
        for (int k = 0; k < s->slopes.n_out; k++)
            s->slope[s->slope_place[k]] = slope[k];
    }
    return STATUS_OK;
}

void stepper_eval_contacts(struct stepper *s, double t, const double *x)
{
    inputs_set(&s->at->inputs, t, x, NULL);
    system_eval_contacts(s->at);
}

/* --- Moreau-Jean ------------------------------------------------------------------------------------------ */

/* Contacts whose gap is closed half a step ahead; v_n+ >= -e v_n. */
static void activate_predicted(struct stepper *s)
{
    const struct model *model = s->model;
    memcpy(s->x_m, s->x, (size_t)model->n_x * sizeof *s->x);
    move(s, s->x, s->x, 0.5 * s->h, s->x_m);
    stepper_eval_contacts(s, s->t + 0.5 * s->h, s->x_m);
    gather_velocities(s, s->x, s->v_plus);
    s->n_active = 0;
    for (int c = 0; c < model->contacts.n_contact; c++)
        if (system_contact(s->at, c).gap <= CLOSED_TOL)
            activate(s, c, -s->at->e[c] * approach(s, c));
}

/* A = M - h/2 df/dv - h^2/4 df/dq: how the equation of motion at the midpoint depends on v+; of orientations what
 * df/dq adds is left to the iteration. */
static bool factor_midpoint(struct stepper *s)
{
    const struct model *model = s->model;
    const int n_q = model->mechanics.n_q, n_pairs = n_q - 3 * model->mechanics.n_rotation;
    for (int j = 0; j < n_q; j++)
        for (int i = 0; i < n_q; i++) {
            const double by_q = j < n_pairs ? s->slope[i + model->mechanics.q_index[j] * n_q] : 0;
            s->A[i + j * n_q] = s->at->at.M[i + j * n_q]
                                - 0.5 * s->h * s->slope[i + model->mechanics.v_index[j] * n_q]
                                - 0.25 * s->h * s->h * by_q;
        }
    return factor(s);
}

/* Takes v_plus, and positions by their rate in the middle: N there keeps the length of quaternions. Returns by
 * how much orientations have changed; other positions change as velocities do. */
static double take_midpoint(struct stepper *s)
{
    const struct model *model = s->model;
    double change = 0;
    scatter_velocities(s, s->v_plus, s->x_plus);
    for (int i = 0; i < model->mechanics.n_q; i++)
        s->x_m[model->mechanics.v_index[i]] = 0.5 * (s->x[model->mechanics.v_index[i]] + s->v_plus[i]);
    memcpy(s->x_before, s->x_plus, (size_t)model->n_x * sizeof *s->x_before);
    move(s, s->x_m, s->x_m, s->h, s->x_plus);
    for (int i = model->mechanics.n_q - 3 * model->mechanics.n_rotation; i < model->mechanics.n_position; i++)
        change = fmax(change,
                      fabs(s->x_plus[model->mechanics.q_index[i]] - s->x_before[model->mechanics.q_index[i]]));
    return change;
}

/* One iteration of Newton's method with the impulses as unknowns; *change relative to 1 + |v|. */
static enum status iterate_midpoint(struct stepper *s, int k, double *change)
{
    const struct model *model = s->model;
    const int n_q = model->mechanics.n_q;
    for (int i = 0; i < model->n_x; i++)
        s->x_m[i] = 0.5 * (s->x[i] + s->x_plus[i]);
    enum status st = eval_flow(s, s->x_m, s->t + 0.5 * s->h, k == 0);
    if (st != STATUS_OK)
        return st;
    if (k == 0 && !factor_midpoint(s))
        return stepper_fail(s, STATUS_NUMERIC, "the mass matrix is singular at t = %g", s->t);
    if (k == 0)
        couple_contacts(s);
    for (int i = 0; i < n_q; i++) {
        double r = s->h * s->at->at.f_v[i];
        for (int j = 0; j < n_q; j++)
            r -= s->at->at.M[i + j * n_q]
                 * (s->x_plus[model->mechanics.v_index[j]] - s->x[model->mechanics.v_index[j]]);
        s->dv[i] = r;
    }
    solve(s, 1, s->dv);
    for (int i = 0; i < n_q; i++)
        s->v_plus[i] = s->x_plus[model->mechanics.v_index[i]] + s->dv[i];
    if ((st = apply_impulses(s)) != STATUS_OK)
        return st;
    *change = 0;
    for (int i = 0; i < n_q; i++)
        *change = fmax(*change,
                       fabs(s->v_plus[i] - s->x_plus[model->mechanics.v_index[i]]) / (1 + fabs(s->v_plus[i])));
    *change = fmax(*change, take_midpoint(s));
    for (int i = 0; i < model->n_x; i++)
        if (s->is_extra[i]) {
            const double x = s->x[i] + s->h * s->at->at.rhs[i];
            *change = fmax(*change, fabs(x - s->x_plus[i]) / (1 + fabs(x)));
            s->x_plus[i] = x;
        }
    s->out->n_newton++;
    return STATUS_OK;
}

enum status stepper_moreau(struct stepper *s)
{
    double change = INFINITY, before = INFINITY;
    activate_predicted(s);
    memcpy(s->x_plus, s->x, (size_t)s->model->n_x * sizeof *s->x);
    for (int k = 0; k < MAX_NEWTON; k++) {
        const enum status st = iterate_midpoint(s, k, &change);
        if (st != STATUS_OK)
            return st;
        if (change <= NEWTON_TOL || (change < 1e3 * NEWTON_TOL && change >= before))    /* no better by rounding */
            return STATUS_OK;
        before = change;
    }
    return stepper_fail(s, STATUS_NUMERIC, "the step of %g %s at t = %g does not converge (change %.1e); take more steps "
                "(simulate.steps)", s->h, s->model->time.unit, s->t, change);
}

/* --- Stewart-Trinkle -------------------------------------------------------------------------------------- */

/* Adds contacts that v_plus would close; false if there are none. */
static bool activate_closing(struct stepper *s)
{
    const int before = s->n_active;
    for (int c = 0; c < s->model->contacts.n_contact; c++) {
        const double v_n = approach(s, c);
        if (!s->is_active[c] && s->gap[c] + s->h * v_n < CLOSED_TOL)
            activate(s, c, -s->gap[c] / s->h);
    }
    return s->n_active > before;
}

/* Contacts that were met in this step leave with at least -e v_n; false if there are none. */
static bool add_restitution(struct stepper *s)
{
    bool any = false;
    for (int k = 0; k < s->n_active; k++) {
        const int c = s->active[k];
        const double rebound = -s->at->e[c] * s->v_n[c];
        if (s->impulse[CONTACT_ROWS * k] > 0 && rebound > 0 && rebound > s->v_least[k]) {
            s->v_least[k] = rebound;
            any = true;
        }
    }
    return any;
}

enum status stepper_stewart_trinkle(struct stepper *s)
{
    const struct model *model = s->model;
    const int n_q = model->mechanics.n_q;
    enum status st = eval_flow(s, s->x, s->t, false);
    if (st != STATUS_OK)
        return st;
    memcpy(s->A, s->at->at.M, (size_t)(n_q * n_q) * sizeof *s->A);
    if (!factor(s))
        return stepper_fail(s, STATUS_NUMERIC, "the mass matrix is singular at t = %g", s->t);
    memcpy(s->dv, s->at->at.f_v, (size_t)n_q * sizeof *s->dv);
    solve(s, 1, s->dv);
    stepper_eval_contacts(s, s->t, s->x);
    gather_velocities(s, s->x, s->v_plus);
    s->n_active = 0;
    for (int c = 0; c < model->contacts.n_contact; c++) {
        s->is_active[c] = false;
        s->gap[c] = system_contact(s->at, c).gap;
        s->v_n[c] = approach(s, c);
    }
    for (int i = 0; i < n_q; i++)
        s->dv[i] = s->v_plus[i] + s->h * s->dv[i];
    memcpy(s->v_plus, s->dv, (size_t)n_q * sizeof *s->dv);
    /* Each round has a contact more, or the rebound of one more: at most twice as many rounds as contacts. */
    while (activate_closing(s) || add_restitution(s)) {
        couple_contacts(s);
        memcpy(s->v_plus, s->dv, (size_t)n_q * sizeof *s->dv);
        if ((st = apply_impulses(s)) != STATUS_OK)
            return st;
    }
    scatter_velocities(s, s->v_plus, s->x_plus);
    move(s, s->x, s->x_plus, s->h, s->x_plus);
    kinematics_normalize(model, s->x_plus);
    for (int i = 0; i < model->n_x; i++)
        if (s->is_extra[i])
            s->x_plus[i] = s->x[i] + s->h * s->at->at.rhs[i];
    return STATUS_OK;
}
