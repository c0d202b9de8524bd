#include "core/impact/step.h"

#include <math.h>

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

/* Of velocities and impulses; an impulse that stops the largest velocity counts as large, too. */
static void find_sizes(const struct impact_system *system, const double *u, const double *lambda,
                       const double *u_plus, double *size_u, double *size_lambda)
{
    *size_u = *size_lambda = 0;
    for (int r = 0; r < system->n_row; r++)
        *size_u = fmax(*size_u, fmax(fabs(u[r]), fabs(u_plus[r])));
    if (*size_u == 0)
        *size_u = 1;
    for (int r = 0; r < system->n_row; r++) {
        const double stopping = system->G[r * (system->n_row + 1)];
        *size_lambda = fmax(*size_lambda, fmax(fabs(lambda[r]), stopping > 0 ? *size_u / stopping : 0));
    }
    if (*size_lambda == 0)
        *size_lambda = 1;
}

double impact_step_friction_violation(const struct impact_system *system, const double *u, const double *lambda,
                                      const double *u_plus)
{
    double size_u, size_lambda, worst = 0;
    find_sizes(system, u, lambda, u_plus, &size_u, &size_lambda);
    for (int c = 0; c < system->n_contact; c++) {
        const struct impact_contact *contact = &system->contact[c];
        if (contact->n_dir > 0)
            worst = fmax(worst,
                         friction_violation(contact, contact->mu * lambda[contact->row], lambda + contact->row + 1,
                                            u_plus + contact->row + 1, size_lambda, size_u));
    }
    return worst;
}

double impact_step_violation(const struct impact_system *system, const double *u, const double *lambda_max,
                             const double *lambda, const double *u_plus)
{
    double size_u, size_lambda, worst = impact_step_friction_violation(system, u, lambda, u_plus);
    find_sizes(system, u, lambda, u_plus, &size_u, &size_lambda);
    for (int c = 0; c < system->n_contact; c++) {
        const int row = system->contact[c].row;
        const double lambda_n = lambda[row], v_n = u_plus[row];
        const double room = lambda_max ? lambda_max[c] - lambda_n : INFINITY, scale = size_lambda * size_u;
        worst = fmax(worst, -lambda_n / size_lambda);
        worst = fmax(worst, lambda_n * fmax(v_n, 0) / scale);
        worst = fmax(worst, -room / size_lambda);
        worst = fmax(worst, v_n < 0 ? fmin(room * -v_n / scale, -v_n / size_u) : 0);
    }
    return worst;
}
