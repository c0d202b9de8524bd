#include "core/impact/step.h"

#include "core/base/mem.h"
#include "core/impact/draw.h"

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

/* --- The matrix of (75) -------------------------------------------------------------------------------------- */

/* Fills step->at and returns the size of z. */
static int set_places(struct impact_step *step)
{
    const struct impact_system *system = step->system;
    const int m = system->n_contact;
    int n_lambda = 0, n_gamma = 0;
    for (int c = 0; c < m; c++) {
        step->at[c] = (struct impact_places){ c, m + c, 2 * m + n_lambda, n_gamma };
        n_lambda += system->contact[c].n_dir;
        n_gamma += system->contact[c].n_dir > 0;
    }
    for (int c = 0; c < m; c++)
        step->at[c].gamma += 2 * m + n_lambda;
    return 2 * m + n_lambda + n_gamma;
}

/* Column of Jb that belongs to lambda_n (k = -1) or lambda_D,k of a contact, as weights of its rows. */
static void weights_of(const struct impact_contact *contact, int k, double *weight)
{
    weight[0] = k < 0 ? 1 : 0;
    weight[1] = weight[2] = 0;
    if (k >= 0)
        memcpy(weight + 1, contact->d[k], sizeof contact->d[k]);
}

/* Entry of Jb'M^-1 Jb for impulse k of one contact and l of another. */
static double coupling(const struct impact_system *system, int c, int k, int d, int l)
{
    const struct impact_contact *one = &system->contact[c], *other = &system->contact[d];
    double a[3] = { 0 }, b[3] = { 0 }, sum = 0;
    weights_of(one, k, a);
    weights_of(other, l, b);
    for (int i = 0; i <= one->n_t; i++)
        for (int j = 0; j <= other->n_t; j++)
            sum += a[i] * b[j] * system->G[one->row + i + (other->row + j) * system->n_row];
    return sum;
}

static void fill_W(struct impact_step *step)
{
    const struct impact_system *system = step->system;
    const int n = step->n_lcp;
    for (int c = 0; c < system->n_contact; c++) {
        const struct impact_contact *contact = &system->contact[c];
        const struct impact_places at = step->at[c];
        step->W[at.beta + at.lambda_n * n] = -1;
        step->W[at.lambda_n + at.beta * n] = 1;
        for (int k = 0; k < contact->n_dir; k++) {
            step->W[at.lambda_D + k + at.gamma * n] = 1;
            step->W[at.gamma + (at.lambda_D + k) * n] = -1;
        }
        if (contact->n_dir > 0)
            step->W[at.gamma + at.lambda_n * n] = contact->mu;
        for (int d = 0; d < system->n_contact; d++) {
            const struct impact_places to = step->at[d];
            for (int k = -1; k < contact->n_dir; k++)
                for (int l = -1; l < system->contact[d].n_dir; l++)
                    step->W[(k < 0 ? at.lambda_n : at.lambda_D + k) + (l < 0 ? to.lambda_n : to.lambda_D + l) * n]
                        = coupling(system, c, k, d, l);
        }
    }
}

struct impact_step *impact_step_create(const struct impact_system *system)
{
    struct impact_step *step = mem_alloc(1, sizeof *step);
    step->system = system;
    step->at = mem_alloc((size_t)system->n_contact, sizeof *step->at);
    step->n_lcp = set_places(step);
    step->W = mem_alloc((size_t)(step->n_lcp * step->n_lcp), sizeof *step->W);
    if (impact_modes_count(system, true) <= max_modes)
        step->modes = impact_modes_create(system, true);
    fill_W(step);
    return step;
}

void impact_step_free(struct impact_step *step)
{
    if (!step)
        return;
    impact_modes_free(step->modes);
    free(step->W);
    free(step->at);
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

static void fill_q(const struct impact_step *step, const double *u, const double *lambda_max, double *q)
{
    const struct impact_system *system = step->system;
    for (int c = 0; c < system->n_contact; c++) {
        const struct impact_contact *contact = &system->contact[c];
        const struct impact_places at = step->at[c];
        q[at.beta] = lambda_max[c];
        q[at.lambda_n] = u[contact->row];
        for (int k = 0; k < contact->n_dir; k++) {
            q[at.lambda_D + k] = 0;
            for (int i = 0; i < contact->n_t; i++)
                q[at.lambda_D + k] += contact->d[k][i] * u[contact->row + 1 + i];
        }
        if (contact->n_dir > 0)
            q[at.gamma] = 0;
    }
}

/* Impulses in the contacts' frames. */
static void read_z(const struct impact_step *step, const double *z, double *lambda)
{
    const struct impact_system *system = step->system;
    for (int c = 0; c < system->n_contact; c++) {
        const struct impact_contact *contact = &system->contact[c];
        const struct impact_places at = step->at[c];
        lambda[contact->row] = z[at.lambda_n];
        for (int i = 1; i <= contact->n_t; i++)
            lambda[contact->row + i] = 0;
        for (int k = 0; k < contact->n_dir; k++)
            for (int i = 0; i < contact->n_t; i++)
                lambda[contact->row + 1 + i] += contact->d[k][i] * z[at.lambda_D + k];
    }
}

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
    fill_q(step, u, lambda_max, work->q);
    if (lcp_solve(work->lcp, &problem, choice, work->z, work->w, &info) != LCP_SOLVED)
        return false;
    read_z(step, work->z, lambda);
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

bool impact_step_solve(const struct impact_step *step, struct impact_step_work *work, const double *u,
                       const double *lambda_max, uint64_t seed, uint64_t sample, uint64_t place, double *lambda,
                       double *u_plus)
{
    const size_t size = (size_t)step->system->n_row * sizeof *lambda;
    struct impact_solutions *found = &work->found;
    found->n = 0;
    if (step->modes)
        impact_modes_solve(step->modes, u, lambda_max, found);
    if (found->n == 0)
        return impact_step_draw(step, work, u, lambda_max, seed, sample, place, lambda, u_plus);
    const int pick = found->n == 1 ? 0 : (int)(draw_bits(seed, sample, place) % (uint64_t)found->n);
    memcpy(lambda, found->lambda[pick], size);
    memcpy(u_plus, found->u_plus[pick], size);
    return true;
}

/* --- The check ----------------------------------------------------------------------------------------------- */

/* How far lambda_t is outside of mu lambda_n conv{d}, and how much more friction could dissipate. */
static double friction_violation(const struct impact_contact *contact, double mu_lambda_n, const double *lambda_t,
                                 const double *v_t, double size_lambda, double size_u)
{
    double outside = 0, support = -INFINITY, power = 0;
    for (int k = 0; k < contact->n_dir; k++) {
        const double *d = contact->d[k], *next = contact->d[(k + 1) % contact->n_dir];
        double slip = 0, facet = 0, reach = 0;
        for (int i = 0; i < contact->n_t; i++) {
            const double normal = contact->n_t == 1 ? d[i] : d[i] + next[i];
            slip -= d[i] * v_t[i];
            facet += normal * lambda_t[i];
            reach += normal * d[i];
        }
        support = fmax(support, slip);
        outside = fmax(outside, (facet - mu_lambda_n * reach) / size_lambda);
    }
    for (int i = 0; i < contact->n_t; i++)
        power += lambda_t[i] * v_t[i];
    return fmax(outside, fabs(power + mu_lambda_n * support) / (size_lambda * size_u));
}

double impact_step_violation(const struct impact_system *system, const double *u, const double *lambda_max,
                             const double *lambda, const double *u_plus)
{
    double size_u = 0, size_lambda = 0, worst = 0;
    for (int r = 0; r < system->n_row; r++)
        size_u = fmax(size_u, fmax(fabs(u[r]), fabs(u_plus[r])));
    if (size_u == 0)
        size_u = 1;
    for (int r = 0; r < system->n_row; r++) {       /* an impulse that stops size_u counts as large, too */
        const double stopping = system->G[r * (system->n_row + 1)];
        size_lambda = fmax(size_lambda, fmax(fabs(lambda[r]), stopping > 0 ? size_u / stopping : 0));
    }
    if (size_lambda == 0)
        size_lambda = 1;
    for (int c = 0; c < system->n_contact; c++) {
        const struct impact_contact *contact = &system->contact[c];
        const double lambda_n = lambda[contact->row], v_n = u_plus[contact->row];
        const double room = lambda_max ? lambda_max[c] - lambda_n : INFINITY, scale = size_lambda * size_u;
        worst = fmax(worst, -lambda_n / size_lambda);
        worst = fmax(worst, lambda_n * fmax(v_n, 0) / scale);
        worst = fmax(worst, -room / size_lambda);
        worst = fmax(worst, v_n < 0 ? fmin(room * -v_n / scale, -v_n / size_u) : 0);
        if (contact->n_dir > 0)
            worst = fmax(worst, friction_violation(contact, contact->mu * lambda_n, lambda + contact->row + 1,
                                                   u_plus + contact->row + 1, size_lambda, size_u));
    }
    return worst;
}
