#include "core/impact/step.h"

#include "core/base/mem.h"
#include "core/contact/dense.h"
#include "core/base/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many combinations of modes are listed: three planar contacts have 343, two in 3D with four directions
 * of friction 361. */
static const double max_modes = 512;

/* Where contacts are degenerate, rounding can end a path in a ray or beside a solution, one in some ten thousand
 * of the disk stack: another covering vector takes another path. */
enum { MAX_ATTEMPTS = 8 };
static const double violation_tol = 1e-9;

struct impact_step *impact_step_create(const struct impact_system *system)
{
    struct impact_step *step = mem_alloc(1, sizeof *step);
    const int m = system->n_contact;
    step->system = system;
    step->cone = impact_system_cone(system, m, &step->mem);
    step->n_lcp = step->cone.n;
    step->W = arena_alloc(&step->mem, (size_t)step->n_lcp * (size_t)step->n_lcp, sizeof *step->W);
    if (impact_modes_count(system, true) <= max_modes)
        step->modes = impact_modes_create(system, true);
    cone_fill(&step->cone, system->n_row, system->G, step->W);
    for (int c = 0; c < m; c++) {                               /* beta of (75) */
        step->W[c + (m + c) * step->n_lcp] = -1;
        step->W[m + c + c * step->n_lcp] = 1;
    }
    return step;
}

void impact_step_free(struct impact_step *step)
{
    if (!step)
        return;
    impact_modes_free(step->modes);
    arena_free(&step->mem);
    free(step);
}

struct impact_step_work *impact_step_work_create(const struct impact_step *step)
{
    struct impact_step_work *work = mem_alloc(1, sizeof *work);
    const size_t n = (size_t)step->n_lcp;
    work->lcp = lcp_create(step->n_lcp);
    work->q = mem_alloc(4 * n, sizeof *work->q);
    work->z = work->q + n;
    work->w = work->z + n;
    work->cover = work->w + n;
    work->order = mem_alloc(n, sizeof *work->order);
    return work;
}

void impact_step_work_free(struct impact_step_work *work)
{
    if (!work)
        return;
    lcp_free(work->lcp);
    free(work->q);
    free(work->order);
    free(work);
}

/* --- Solving ------------------------------------------------------------------------------------------------- */

void impact_step_velocity(const struct impact_system *system, const double *u, const double *lambda,
                          double *u_plus)
{
    memcpy(u_plus, u, (size_t)system->n_row * sizeof *u);
    for (int j = 0; j < system->n_row; j++)
        for (int r = 0; r < system->n_row; r++)
            u_plus[r] += system->G[r + j * system->n_row] * lambda[j];
}

bool impact_step_lemke(const struct impact_step *step, struct impact_step_work *work, const double *u,
                       const double *lambda_max, const struct lcp_choice *choice, double *lambda, double *u_plus)
{
    const struct lcp_problem problem = { .n = step->n_lcp, .M = step->W, .ld = step->n_lcp, .q = work->q };
    struct lcp_info info;
    cone_set_q(&step->cone, u, work->q);
    memcpy(work->q, lambda_max, (size_t)step->system->n_contact * sizeof *lambda_max);
    if (lcp_solve(work->lcp, &problem, choice, work->z, work->w, &info) != LCP_SOLVED)
        return false;
    memset(lambda, 0, (size_t)step->system->n_row * sizeof *lambda);
    cone_add_impulse(&step->cone, work->z, lambda);
    impact_step_velocity(step->system, u, lambda, u_plus);
    return true;
}

/* A random covering vector and order of ties. */
static struct lcp_choice draw_choice(struct impact_step_work *work, int n, uint64_t seed, uint64_t sample,
                                     uint64_t place)
{
    for (int k = 0; k < n; k++) {
        const uint64_t bits = draw_bits(seed, sample, (place << 10) + (uint64_t)k);
        const int other = (int)((bits & 0xffffffffu) % (uint64_t)(k + 1));
        work->cover[k] = 0.01 + (double)(bits >> 32) * 0x1p-32;
        work->order[k] = work->order[other];
        work->order[other] = k;
    }
    return (struct lcp_choice){ .cover = work->cover, .order = work->order };
}

bool impact_step_draw(const struct impact_step *step, struct impact_step_work *work, const double *u,
                      const double *lambda_max, uint64_t seed, uint64_t sample, uint64_t place, double *lambda,
                      double *u_plus)
{
    for (uint64_t attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const struct lcp_choice choice = draw_choice(work, step->n_lcp, seed, sample, place + (attempt << 48));
        if (impact_step_lemke(step, work, u, lambda_max, &choice, lambda, u_plus)
            && impact_step_violation(step->system, u, lambda_max, lambda, u_plus) <= violation_tol)
            return true;
    }
    return false;
}

/* None where there are too many modes to list. */
static struct impact_solutions *list_solutions(const struct impact_step *step, struct impact_step_work *work,
                                               const double *u, const double *lambda_max)
{
    work->found.n = 0;
    if (step->modes)
        impact_modes_solve(step->modes, u, lambda_max, &work->found);
    return &work->found;
}

/* One of the solutions, by random bits. */
static void take_solution(const struct impact_system *system, const struct impact_solutions *found, uint64_t bits,
                          double *lambda, double *u_plus)
{
    const int pick = (int)(bits % (uint64_t)found->n);
    memcpy(lambda, found->lambda[pick], (size_t)system->n_row * sizeof *lambda);
    memcpy(u_plus, found->u_plus[pick], (size_t)system->n_row * sizeof *u_plus);
}

bool impact_step_solve(const struct impact_step *step, struct impact_step_work *work, const double *u,
                       const double *lambda_max, uint64_t seed, uint64_t sample, uint64_t place, double *lambda,
                       double *u_plus)
{
    struct impact_solutions *found = list_solutions(step, work, u, lambda_max);
    if (found->n == 0)
        return impact_step_draw(step, work, u, lambda_max, seed, sample, place, lambda, u_plus);
    take_solution(step->system, found, found->n == 1 ? 0 : draw_bits(seed, sample, place), lambda, u_plus);
    return true;
}

/* --- Impacts without collision ------------------------------------------------------------------------------- */

/* Solutions that change u by more than this, relative to it, are told from the one without impulse. */
static const double still_tol = 1e-12;
/* An impulse that is small: relative to that which changes the normal velocity of its
 * contact by the largest one. */
static const double small_impulse = 1e-6;
/* It presses if it makes a contact approach by this, relative to the largest velocity. */
static const double press_tol = 1e-9;

/* Leaves those of the solutions that move on. */
static void drop_still(const struct impact_system *system, const double *u, struct impact_solutions *found)
{
    const size_t size = (size_t)system->n_row * sizeof *u;
    const double tol = still_tol * dense_largest(system->n_row, u);
    int n = 0;
    for (int k = 0; k < found->n; k++)
        if (dense_distance(system->n_row, found->u_plus[k], u) > tol) {
            memmove(found->lambda[n], found->lambda[k], size);
            memmove(found->u_plus[n++], found->u_plus[k], size);
        }
    found->n = n;
}

bool impact_step_press(const struct impact_step *step, struct impact_step_work *work, const double *u,
                       const double *lambda_max, uint64_t seed, uint64_t sample, uint64_t place, double *lambda,
                       double *u_plus)
{
    struct impact_solutions *found = list_solutions(step, work, u, lambda_max);
    drop_still(step->system, u, found);
    if (found->n == 0)
        return false;
    take_solution(step->system, found, draw_bits(seed, sample, place), lambda, u_plus);
    return true;
}

bool impact_step_presses(const struct impact_step *step, struct impact_step_work *work, const double *u)
{
    const struct impact_system *system = step->system;
    const double size = dense_largest(system->n_row, u);
    double lambda_max[IMPACT_MAX_CONTACTS];
    if (!step->modes || size == 0)
        return false;
    for (int c = 0; c < system->n_contact; c++) {
        const double G = system->G[system->contact[c].row * (system->n_row + 1)];
        lambda_max[c] = G > 0 ? small_impulse * size / G : 0;
    }
    const struct impact_solutions *found = list_solutions(step, work, u, lambda_max);
    for (int k = 0; k < found->n; k++)
        for (int c = 0; c < system->n_contact; c++) {
            const int row = system->contact[c].row;
            if (found->u_plus[k][row] < fmin(0, u[row]) - press_tol * size)
                return true;
        }
    return false;
}

/* --- Given impulses ------------------------------------------------------------------------------------------ */

/* The rows and columns of lambda_D and gamma in (75) are a problem of their own where lambda_n is given. */
bool impact_step_push(const struct impact_step *step, struct impact_step_work *work, const double *u,
                      const double *lambda_n, double *lambda, double *u_plus)
{
    const struct impact_system *system = step->system;
    const int m = system->n_contact, first = 2 * m, n = step->n_lcp;
    const struct lcp_problem friction = { .n = n - first, .M = step->W + first + first * n, .ld = n, .q = work->q + first };
    struct lcp_info info;
    memset(lambda, 0, (size_t)system->n_row * sizeof *lambda);
    for (int c = 0; c < m; c++)
        lambda[system->contact[c].row] = lambda_n[c];
    impact_step_velocity(system, u, lambda, u_plus);
    if (n == first)
        return true;
    cone_set_q(&step->cone, u_plus, work->q);
    for (int c = 0; c < m; c++)
        if (step->cone.slip[c] >= 0)
            work->q[step->cone.slip[c]] = system->contact[c].mu * lambda_n[c];
    if (lcp_solve(work->lcp, &friction, NULL, work->z + first, work->w, &info) != LCP_SOLVED)
        return false;
    memset(work->z, 0, (size_t)first * sizeof *work->z);
    cone_add_impulse(&step->cone, work->z, lambda);
    impact_step_velocity(system, u, lambda, u_plus);
    return true;
}
