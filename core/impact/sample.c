#include "core/impact/sample.h"

#include "core/base/mem.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Places of random numbers in a sample: bounds of step i at i n_contact + c, the rest far behind them. */
static const uint64_t choice_place = (uint64_t)1 << 40, corner_place = (uint64_t)1 << 41;

/* Largest singular value of M^-1 [J_n'; J_D']'. */
static double largest_singular_value(const struct impact_system *system)
{
    struct arena mem = { NULL };
    const struct cone cone = impact_system_cone(system, 0, &mem);
    const size_t n_v = (size_t)system->n_v, n = (size_t)cone.n_ray;
    double *columns = arena_alloc(&mem, n_v * n, sizeof *columns), *values = arena_alloc(&mem, 2 * n, sizeof *values);
    for (size_t k = 0; k < n; k++) {
        const struct cone_ray *ray = &cone.ray[k];
        for (int i = 0; i < ray->size; i++)
            for (size_t j = 0; j < n_v; j++)
                columns[j + k * n_v] += ray->force[i] * system->MinvJ[j + (size_t)(ray->row + i) * n_v];
    }
    const bool found = LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', system->n_v, cone.n_ray, columns, system->n_v, values,
                                      NULL, 1, NULL, 1, values + n) == 0;
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

void impact_sampler_init(struct impact_sampler *sampler, const struct impact_step *step, const double *v_minus,
                         const struct impact_settings *settings)
{
    *sampler = (struct impact_sampler){
        .system = step->system, .step = step, .v_minus = v_minus, .h = settings->h,
        .max_steps = settings->max_steps, .sampling = (enum impact_sampling)settings->sampling,
        .seed = (uint64_t)settings->seed
    };
    sampler->closing = settings->eps / (3 * psi(step->system));
    impact_contact_velocity(step->system, v_minus, sampler->u_minus);
    sampler->energy_minus = impact_energy(step->system, v_minus);
    draw_sobol_init(&sampler->sobol, sampler->seed);
}

/* --- Bounds of a step ---------------------------------------------------------------------------------------- */

static void draw_uniform(const struct impact_sampler *sampler, uint64_t index, int step, double *lambda_max)
{
    const int m = sampler->system->n_contact;
    for (int c = 0; c < m; c++) {
        const uint64_t place = (uint64_t)step * (uint64_t)m + (uint64_t)c;
        lambda_max[c] = sampler->h * (sampler->sampling == SAMPLE_SOBOL
                                          ? draw_sobol(&sampler->sobol, index, place)
                                          : draw_random(sampler->seed, index, place));
    }
}

/* Of a sequence: all to the contact whose turn it is, which ends when it no longer approaches. */
static void give_turn(const struct impact_sampler *sampler, const double *u, int *turn, double *lambda_max)
{
    const struct impact_system *system = sampler->system;
    for (int tried = 0; tried < system->n_contact; tried++) {
        if (u[system->contact[*turn].row] < -IMPACT_TOL)
            break;
        *turn = (*turn + 1) % system->n_contact;
    }
    for (int c = 0; c < system->n_contact; c++)
        lambda_max[c] = c == *turn ? sampler->h : 0;
}

static void draw_corner(const struct impact_sampler *sampler, uint64_t index, int step, double *lambda_max)
{
    const int m = sampler->system->n_contact;
    const uint64_t patterns = ((uint64_t)1 << m) - 1;       /* all but the one that does nothing */
    const uint64_t bits = draw_bits(sampler->seed, index, corner_place + (uint64_t)step);
    const uint64_t pattern = index == 0 ? patterns : 1 + bits % patterns;
    for (int c = 0; c < m; c++)
        lambda_max[c] = pattern >> c & 1 ? sampler->h : 0;
}

static bool is_sequence(const struct impact_sampler *sampler, bool is_corner, uint64_t index)
{
    return is_corner && index >= 1 && index <= (uint64_t)sampler->system->n_contact;
}

static void draw_bounds(const struct impact_sampler *sampler, bool is_corner, uint64_t index, int step,
                        const double *u, int *turn, double *lambda_max)
{
    if (!is_corner)
        draw_uniform(sampler, index, step, lambda_max);
    else if (is_sequence(sampler, is_corner, index))
        give_turn(sampler, u, turn, lambda_max);
    else
        draw_corner(sampler, index, step, lambda_max);
}

/* --- A sample ------------------------------------------------------------------------------------------------ */

struct state { double u[IMPACT_MAX_ROWS], impulse[IMPACT_MAX_ROWS]; };

static bool take_step(const struct impact_sampler *sampler, struct impact_step_work *work,
                      const double *lambda_max, uint64_t index, int step, struct state *now,
                      struct impact_sample *sample)
{
    const int n_row = sampler->system->n_row;
    double lambda[IMPACT_MAX_ROWS], u_plus[IMPACT_MAX_ROWS], gain = 0;
    if (!impact_step_solve(sampler->step, work, now->u, lambda_max, sampler->seed, index,
                           choice_place + (uint64_t)step, lambda, u_plus))
        return false;
    sample->n_multiple += work->found.n > 1;
    sample->violation = fmax(sample->violation,
                             impact_step_violation(sampler->system, now->u, lambda_max, lambda, u_plus));
    for (int r = 0; r < n_row; r++) {
        gain += lambda[r] * (now->u[r] + u_plus[r]) / 2;    /* v_plus'M v_plus - v'M v = lambda'(u + u_plus) */
        now->impulse[r] += lambda[r];
        now->u[r] = u_plus[r];
    }
    sample->growth = fmax(sample->growth, gain / sampler->energy_minus);
    return true;
}

struct impact_sample impact_sample_run(const struct impact_sampler *sampler, struct impact_step_work *work,
                                       bool is_corner, uint64_t index, double *v, double *impulse, int n_path,
                                       double *path)
{
    const struct impact_system *system = sampler->system;
    const size_t row_size = (size_t)system->n_row * sizeof(double);
    struct impact_sample sample = { .solved = true };
    struct state now = { { 0 }, { 0 } };
    double lambda_max[IMPACT_MAX_CONTACTS];
    const bool in_turns = is_sequence(sampler, is_corner, index);
    const int least = in_turns ? IMPACT_MAX_TURNS : 0;
    const int max_steps = sampler->max_steps > least ? sampler->max_steps : least;
    int turn = in_turns ? (int)index - 1 : 0;
    memcpy(now.u, sampler->u_minus, row_size);
    if (path && n_path > 0)
        memcpy(path, now.u, row_size);
    while (sample.solved && sample.n_steps < max_steps && impact_is_colliding(system, now.u)) {
        draw_bounds(sampler, is_corner, index, sample.n_steps, now.u, &turn, lambda_max);
        sample.solved = take_step(sampler, work, lambda_max, index, sample.n_steps, &now, &sample);
        sample.n_steps++;
        if (path && sample.n_steps < n_path)
            memcpy(path + sample.n_steps * system->n_row, now.u, row_size);
    }
    if (sample.solved && impact_is_colliding(system, now.u)) {
        for (int c = 0; c < system->n_contact; c++)
            lambda_max[c] = sampler->closing;
        sample.solved = take_step(sampler, work, lambda_max, index, sample.n_steps, &now, &sample);
    }
    sample.terminated = sample.solved && !impact_is_colliding(system, now.u);
    memcpy(v, sampler->v_minus, (size_t)system->n_v * sizeof *v);
    impact_apply(system, now.impulse, v);
    if (impulse)
        memcpy(impulse, now.impulse, row_size);
    sample.energy = impact_energy(system, v);
    return sample;
}
