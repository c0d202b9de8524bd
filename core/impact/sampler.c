#include "core/impact/sampler.h"

#include <lapacke.h>
#include <math.h>

/* Largest singular value of M^-1 [J_n'; J_D']'. */
static double largest_singular_value(const struct impact_system *system)
{
    struct arena mem = { NULL };
    const struct cone cone = impact_system_cone(system, 0, &mem);
    const size_t n_v = (size_t)system->n_v, n = (size_t)cone.n_ray;
    double *columns = arena_alloc(&mem, n_v * n, sizeof *columns),
           *values = arena_alloc(&mem, 2 * n, sizeof *values);
    for (size_t k = 0; k < n; k++) {
        const struct cone_ray *ray = &cone.ray[k];
        for (int i = 0; i < ray->size; i++)
            for (size_t j = 0; j < n_v; j++)
                columns[j + k * n_v] += ray->force[i] * system->MinvJ[j + (size_t)(ray->row + i) * n_v];
    }
    const bool found = LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', system->n_v, cone.n_ray, columns, system->n_v,
                                      values, NULL, 1, NULL, 1, values + n)
                       == 0;
    const double largest = found ? values[0] : 0;
    arena_free(&mem);
    return largest;
}

/* psi of impact.md 5: the closing step is eps / (3 psi). */
static double psi(const struct impact_system *system)
{
    double mu = 0;
    for (int c = 0; c < system->n_contact; c++)
        mu = fmax(mu, system->contact[c].mu);
    return largest_singular_value(system) * system->n_contact * (1 + mu) + 1;
}

static bool is_pressed(const struct impact_sampler *sampler)
{
    if (impact_is_colliding(sampler->system, sampler->u_minus))
        return false;
    struct impact_step_work *work = impact_step_work_create(sampler->step);
    const bool presses = impact_step_presses(sampler->step, work, sampler->u_minus);
    impact_step_work_free(work);
    return presses;
}

void impact_sampler_init(struct impact_sampler *sampler, const struct impact_step *step, const double *v_minus,
                         const struct impact_settings *settings)
{
    *sampler = (struct impact_sampler){
        .system = step->system, .step = step, .v_minus = v_minus, .h = settings->h,
        .max_steps = settings->max_steps, .sampling = (enum impact_sampling)settings->sampling,
        .seed = (uint64_t)settings->seed
    };
    for (int i = 0; i < step->system->n_contact && settings->restitution == RESTITUTION_POISSON; i++)
        sampler->has_restitution |= step->system->contact[i].e > 0;
    sampler->closing = settings->eps / (3 * psi(step->system));
    impact_contact_velocity(step->system, v_minus, sampler->u_minus);
    sampler->energy_minus = impact_energy(step->system, v_minus);
    sampler->is_pressed = is_pressed(sampler);
    draw_sobol_init(&sampler->sobol, sampler->seed);
}
