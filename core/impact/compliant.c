#include "core/impact/compliant.h"

#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/contact/dense.h"
#include "core/model/contact_functions.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

enum { N_CONTACT = 2, N_STAGE = 3, MAX_NEWTON = 40, MAX_STEPS = 1000000 };

static const double zeta = 5;               /* damping ratio, SVI 5.4.1 */
static const double slip_eps = 1e-8;        /* m/s, eps of SVI (90), which has 1e-10: no visible difference */
static const double horizon = 0.1;          /* s, impact.md 11 */
static const double error_tol = 1e-7;       /* per step, of the velocity, relative to the approach */
static const double newton_tol = 1e-12;     /* of the last correction, relative to the approach */
static const double least_step = 1e-15;     /* s: here a contact begins */

enum touch { OPEN, STICKS, SLIDES_FORWARD, SLIDES_BACKWARD };

struct impact_compliant {
    struct arena mem;
    const struct impact_state *state;       /* borrowed */
    int n;                                  /* positions */
    struct model *model;                    /* owned fork */
    struct contact_functions contacts;
    double *q_start, *force;                /* [n] */
    double mass, approach;
    double k[N_CONTACT], d[N_CONTACT];
    double *jacobian, *residual;            /* [n * n], [n] */
    lapack_int *pivot;                      /* [n] */
    double *q, *v, *acc;                    /* [N_STAGE * n] of the stages */
    double *q_base, *v_base;                /* [n] */
    double *q_now;                          /* [n] of a collision */
};

/* --- Geometry ------------------------------------------------------------------------------------------------ */

static struct contact_at contact_of(const struct impact_compliant *it, int c)
{
    return contact_functions_at(&it->contacts, c);
}

static void look(struct impact_compliant *it, const double *q)
{
    for (int j = 0; j < it->n; j++)
        it->contacts.f.inputs.value[it->model->mechanics.q_index[j]] = q[j];
    contact_functions_eval(&it->contacts);
}

/* f at rest at the start, controls at their guesses: all that is not contact. */
static void read_force(const struct model *model, const double *x, const double *p, double *force)
{
    struct function f = function_create(model, p, model->mechanics.n_q, model->mechanics.f_v);
    double *u = mem_alloc((size_t)model->n_u, sizeof *u);
    for (int k = 0; k < model->n_u; k++)
        u[k] = isnan(model->u[k].guess) ? 0 : model->u[k].guess;
    inputs_set(&f.inputs, 0, x, u);
    for (int j = 0; j < model->mechanics.n_q; j++)
        f.inputs.value[model->mechanics.v_index[j]] = 0;
    memcpy(force, function_values(&f), (size_t)model->mechanics.n_q * sizeof *force);
    function_free(&f);
    free(u);
}

static const char *what_does_not_suit(const struct model *model, const struct impact_state *state)
{
    if (model->mechanics.n_rotation > 0)
        return "it compares planar impacts";
    if (model->mechanics.loops.n > 0)
        return "it compares impacts without closed loops";
    if (state->system.n_contact != N_CONTACT)
        return "it compares impacts of two contacts";
    for (int c = 0; c < N_CONTACT; c++)
        if (state->system.contact[c].n_t > 1)
            return "it compares planar impacts";
    return NULL;
}

struct impact_compliant *impact_compliant_create(const struct model *model, const struct impact_state *state,
                                                 const double *x, const double *p, const char **why)
{
    const size_t n = (size_t)model->mechanics.n_q;
    double u[IMPACT_MAX_ROWS];
    if ((*why = what_does_not_suit(model, state)))
        return NULL;
    struct impact_compliant *it = mem_alloc(1, sizeof *it);
    it->state = state;
    it->n = model->mechanics.n_q;
    it->model = model_fork(model);
    const struct inputs inputs = inputs_create(it->model, p, 0, NULL, &it->mem);
    it->contacts = contact_functions_create(&inputs, N_CONTACT, state->contact);
    inputs_set(&inputs, 0, x, NULL);
    it->q_start = arena_alloc(&it->mem, n, sizeof *it->q_start);
    it->force = arena_alloc(&it->mem, n, sizeof *it->force);
    it->jacobian = arena_alloc(&it->mem, n * n, sizeof *it->jacobian);
    it->residual = arena_alloc(&it->mem, n, sizeof *it->residual);
    it->pivot = arena_alloc(&it->mem, n, sizeof *it->pivot);
    it->q = arena_alloc(&it->mem, N_STAGE * n, sizeof *it->q);
    it->v = arena_alloc(&it->mem, N_STAGE * n, sizeof *it->v);
    it->acc = arena_alloc(&it->mem, N_STAGE * n, sizeof *it->acc);
    it->q_base = arena_alloc(&it->mem, n, sizeof *it->q_base);
    it->v_base = arena_alloc(&it->mem, n, sizeof *it->v_base);
    it->q_now = arena_alloc(&it->mem, n, sizeof *it->q_now);
    for (int j = 0; j < it->n; j++)
        it->q_start[j] = x[model->mechanics.q_index[j]];
    read_force(model, x, p, it->force);
    impact_contact_velocity(&state->system, state->v_minus, u);
    for (int c = 0; c < N_CONTACT; c++)
        it->approach = fmax(it->approach, -u[state->system.contact[c].row]);
    it->mass = 2 * impact_energy(&state->system, state->v_minus) / (it->approach * it->approach);
    return it;
}

void impact_compliant_free(struct impact_compliant *compliant)
{
    if (!compliant)
        return;
    contact_functions_free(&compliant->contacts);
    model_free(compliant->model);
    arena_free(&compliant->mem);
    free(compliant);
}

/* --- A stage ------------------------------------------------------------------------------------------------- */

/* What each contact does, and its normal force. */
struct touches { enum touch touch[N_CONTACT]; double lambda_n[N_CONTACT]; };

/* The state that follows from the velocities in this one; sliding turns around through sticking only, so that
 * Newton's method does not jump between the two branches. */
static enum touch next_touch(const struct impact_compliant *it, int c, enum touch now, double v_n, double v_t)
{
    const double gap = contact_of(it, c).gap, push = -it->k[c] * gap - it->d[c] * v_n;
    if (gap > 0 || push <= 0)
        return OPEN;
    if (now == OPEN || now == STICKS)
        return fabs(v_t) <= slip_eps ? STICKS : v_t > 0 ? SLIDES_FORWARD : SLIDES_BACKWARD;
    return (now == SLIDES_FORWARD ? v_t : -v_t) >= slip_eps ? now : STICKS;
}

/* Adds contact c to residual and Jacobian of M (v - v_base) - a (f + J lambda); a the factor of the stage. Returns
 * whether its state changed. */
static bool add_contact(struct impact_compliant *it, int c, double a, const double *v, struct touches *touches)
{
    const int n = it->n;
    const struct contact_at at = contact_of(it, c);
    const double *J_n = at.J_n, *J_t = at.J_t[0];
    const double v_n = vec_dot(n, J_n, v), v_t = vec_dot(n, J_t, v), mu = it->state->system.contact[c].mu;
    const enum touch before = touches->touch[c], touch = touches->touch[c] = next_touch(it, c, before, v_n, v_t);
    const double lambda_n = touch == OPEN ? 0 : -it->k[c] * at.gap - it->d[c] * v_n;
    const double slope_n = -(it->k[c] * a + it->d[c]);      /* d lambda_n / d v_n, as gap moves with a v */
    const double along = touch == STICKS ? v_t / slip_eps : touch == SLIDES_FORWARD ? 1 : -1;
    const double slope_t = touch == STICKS ? -mu * lambda_n / slip_eps : 0;
    touches->lambda_n[c] = lambda_n;
    if (touch == OPEN)
        return before != touch;
    for (int i = 0; i < n; i++) {
        const double push = J_n[i] - mu * along * J_t[i];   /* of a unit of lambda_n */
        it->residual[i] -= a * push * lambda_n;
        for (int j = 0; j < n; j++)
            it->jacobian[i + j * n] -= a * (push * slope_n * J_n[j] + J_t[i] * slope_t * J_t[j]);
    }
    return before != touch;
}

/* Residual and Jacobian at v; returns whether a contact changed its state. */
static bool linearize(struct impact_compliant *it, double a, const double *v, struct touches *touches)
{
    const int n = it->n;
    const double *M = it->state->system.M;
    bool has_changed = false;
    memcpy(it->jacobian, M, (size_t)(n * n) * sizeof *M);
    for (int i = 0; i < n; i++) {
        it->residual[i] = -a * it->force[i];
        for (int j = 0; j < n; j++)
            it->residual[i] += M[i + j * n] * (v[j] - it->v_base[j]);
    }
    for (int c = 0; c < N_CONTACT; c++)
        has_changed = add_contact(it, c, a, v, touches) || has_changed;
    return has_changed;
}

/* v = v_base + a acc(q_base + a v, v); v holds a guess. False if Newton's method does not end. */
static bool solve_stage(struct impact_compliant *it, double a, double *q, double *v, struct touches *touches)
{
    const int n = it->n;
    for (int iteration = 0; iteration < MAX_NEWTON; iteration++) {
        double correction = 0;
        for (int i = 0; i < n; i++)
            q[i] = it->q_base[i] + a * v[i];
        look(it, q);
        const bool has_changed = linearize(it, a, v, touches);
        if (LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, it->jacobian, n, it->pivot, it->residual, n) != 0)
            return false;
        for (int i = 0; i < n; i++) {
            v[i] -= it->residual[i];
            correction = fmax(correction, fabs(it->residual[i]));
        }
        if (!has_changed && correction <= newton_tol * it->approach)
            return true;
    }
    return false;
}

/* --- A step -------------------------------------------------------------------------------------------------- */

/* R. Alexander, SIAM J. Numer. Anal. 14, 1006-1021 (1977): order 3, L-stable; the weights are the last row. */
#define GAMMA 0.43586652150845899942
static const double alexander[N_STAGE][N_STAGE] = {
    { GAMMA, 0, 0 },
    { (1 - GAMMA) / 2, GAMMA, 0 },
    { (-6 * GAMMA * GAMMA + 16 * GAMMA - 1) / 4, (6 * GAMMA * GAMMA - 20 * GAMMA + 5) / 4, GAMMA },
};
/* Weights of order 2 on the first two stages: sum 1, sum of weight times abscissa 1/2. */
static const double second_order[N_STAGE] = { GAMMA / (GAMMA - 1), 1 / (1 - GAMMA), 0 };

struct motion {                     /* where a collision has come to */
    double *q, *v;                  /* [n] */
    double t, h;
    double impulse[N_CONTACT];
    double before_other;            /* of the first contact, when the other began */
    int first;                      /* contact that began; -1: none yet */
    struct touches touches;
    int n_steps;
};

/* All stages of a step from the motion; lambda [stage][contact]. */
static bool solve_stages(struct impact_compliant *it, const struct motion *now, struct touches *touches,
                         double lambda[N_STAGE][N_CONTACT])
{
    const int n = it->n;
    const double a = GAMMA * now->h;
    for (int s = 0; s < N_STAGE; s++) {
        double *q = it->q + s * n, *v = it->v + s * n;
        for (int i = 0; i < n; i++) {
            it->q_base[i] = now->q[i];
            it->v_base[i] = now->v[i];
            for (int r = 0; r < s; r++) {
                it->q_base[i] += now->h * alexander[s][r] * it->v[r * n + i];
                it->v_base[i] += now->h * alexander[s][r] * it->acc[r * n + i];
            }
            v[i] = it->v_base[i] + (s > 0 ? a * it->acc[(s - 1) * n + i] : 0);
        }
        if (!solve_stage(it, a, q, v, touches))
            return false;
        memcpy(lambda[s], touches->lambda_n, sizeof lambda[s]);
        for (int i = 0; i < n; i++)
            it->acc[s * n + i] = (v[i] - it->v_base[i]) / a;
    }
    return true;
}

/* Size of the step's error in the velocity, relative to what is allowed; positions count as what springs make of
 * them. */
static double error_of(const struct impact_compliant *it, double h)
{
    const double rate = fmax(it->k[0] / it->d[0], it->k[1] / it->d[1]);
    double most = 0;
    for (int i = 0; i < it->n; i++) {
        double error_v = 0, error_q = 0;
        for (int s = 0; s < N_STAGE; s++) {
            const double weight = alexander[N_STAGE - 1][s] - second_order[s];
            error_v += h * weight * it->acc[s * it->n + i];
            error_q += h * weight * it->v[s * it->n + i];
        }
        most = fmax(most, fmax(fabs(error_v), rate * fabs(error_q)));
    }
    return most / (error_tol * it->approach);
}

/* The stages are the step: Alexander's method is stiffly accurate. */
static void accept(const struct impact_compliant *it, const struct touches *touches,
                   double lambda[N_STAGE][N_CONTACT], struct motion *now)
{
    const size_t size = (size_t)it->n * sizeof(double);
    for (int c = 0; c < N_CONTACT; c++) {
        double sum = 0;
        for (int s = 0; s < N_STAGE; s++)
            sum += now->h * alexander[N_STAGE - 1][s] * lambda[s][c];
        if (sum > 0 && now->impulse[c] == 0 && now->first >= 0 && now->first != c)
            now->before_other = now->impulse[now->first];
        if (sum > 0 && now->first < 0)
            now->first = c;
        now->impulse[c] += sum;
    }
    memcpy(now->q, it->q + (N_STAGE - 1) * it->n, size);
    memcpy(now->v, it->v + (N_STAGE - 1) * it->n, size);
    now->touches = *touches;
    now->t += now->h;
    now->n_steps++;
}

/* Tries a step and chooses the next length. A step too short to be halved is where a contact begins: taken as it
 * is. */
static void take_step(struct impact_compliant *it, struct motion *now)
{
    struct touches touches = now->touches;
    double lambda[N_STAGE][N_CONTACT] = { { 0 } };
    const bool is_solved = solve_stages(it, now, &touches, lambda);
    const double error = is_solved ? error_of(it, now->h) : 1e3;
    if (error <= 1 || now->h <= least_step)
        accept(it, &touches, lambda, now);
    const double factor = 0.9 * pow(fmax(error, 1e-10), -1.0 / 3);
    now->h = fmax(least_step, now->h * fmin(5, fmax(0.1, factor)));
}

/* --- A collision --------------------------------------------------------------------------------------------- */

static bool is_at_rest(struct impact_compliant *it, const struct motion *now)
{
    look(it, now->q);
    for (int c = 0; c < N_CONTACT; c++)
        if (vec_dot(it->n, contact_of(it, c).J_n, now->v) < -IMPACT_COMPLIANT_REST)
            return false;
    return true;
}

/* From q_now, v, which are changed. */
static struct impact_collision collide(struct impact_compliant *it, double *v)
{
    struct motion now = { .q = it->q_now, .v = v, .h = 1e-9, .first = -1 };
    struct impact_collision result = { .is_complete = false };
    while (!result.is_complete && now.t < horizon && now.n_steps < MAX_STEPS && !stop_asked()) {
        take_step(it, &now);
        result.is_complete = is_at_rest(it, &now);
    }
    const int other = 1 - now.first;
    result.seconds = now.t;
    memcpy(result.impulse, now.impulse, sizeof result.impulse);
    if (now.first >= 0)
        result.first_share = now.impulse[other] > 0 ? now.before_other / now.impulse[now.first] : 1;
    return result;
}

static void set_stiffness(struct impact_compliant *it, int c, double k)
{
    it->k[c] = k;
    it->d[c] = 2 * zeta * sqrt(k * it->mass);
}

struct impact_collision impact_compliant_stiffness(struct impact_compliant *compliant, double ratio, double *v)
{
    const size_t size = (size_t)compliant->n * sizeof *v;
    set_stiffness(compliant, 0, IMPACT_COMPLIANT_STIFFNESS * fmax(ratio, 1));
    set_stiffness(compliant, 1, IMPACT_COMPLIANT_STIFFNESS * fmax(1 / ratio, 1));
    memcpy(compliant->q_now, compliant->q_start, size);
    memcpy(v, compliant->state->v_minus, size);
    return collide(compliant, v);
}

/* Moves q along M^-1 J_n until the gaps are as wanted: Newton's method for two equations. */
static void set_gaps(struct impact_compliant *it, const double wanted[N_CONTACT], double *q)
{
    const struct impact_system *system = &it->state->system;
    const int n = it->n, rows[N_CONTACT] = { system->contact[0].row, system->contact[1].row };
    for (int iteration = 0; iteration < MAX_NEWTON; iteration++) {
        double miss[N_CONTACT], A[N_CONTACT][N_CONTACT];
        look(it, q);
        for (int c = 0; c < N_CONTACT; c++) {
            miss[c] = wanted[c] - contact_of(it, c).gap;
            for (int d = 0; d < N_CONTACT; d++)
                A[c][d] = vec_dot(n, contact_of(it, c).J_n, system->MinvJ + rows[d] * n);
        }
        const double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
        const double y[N_CONTACT] = { (A[1][1] * miss[0] - A[0][1] * miss[1]) / det,
                                      (A[0][0] * miss[1] - A[1][0] * miss[0]) / det };
        for (int j = 0; j < n; j++)
            q[j] += system->MinvJ[j + rows[0] * n] * y[0] + system->MinvJ[j + rows[1] * n] * y[1];
    }
}

struct impact_collision impact_compliant_gap(struct impact_compliant *compliant, double gap, double *v)
{
    const struct impact_system *system = &compliant->state->system;
    const int n = compliant->n;
    const double wanted[N_CONTACT] = { fmax(gap, 0), fmax(-gap, 0) };
    double *q = compliant->q_now, work = 0;
    for (int c = 0; c < N_CONTACT; c++)
        set_stiffness(compliant, c, IMPACT_COMPLIANT_STIFFNESS);
    memcpy(q, compliant->q_start, (size_t)n * sizeof *q);
    set_gaps(compliant, wanted, q);
    for (int j = 0; j < n; j++)
        work += compliant->force[j] * (q[j] - compliant->q_start[j]);
    const double energy = impact_energy(system, compliant->state->v_minus);
    const double factor = sqrt(fmax(0, 1 + work / energy));
    for (int j = 0; j < n; j++)
        v[j] = factor * compliant->state->v_minus[j];
    return collide(compliant, v);
}
