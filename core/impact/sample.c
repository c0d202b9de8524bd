#include "core/impact/sample.h"

#include "core/base/mem.h"
#include "core/impact/increment.h"

#include <math.h>
#include <string.h>

/* Place of the random numbers that choose among solutions, far behind those of increment.h. */
static const uint64_t choice_place = (uint64_t)1 << 40;

/* Growth of energy that rounding makes, relative to the energy before. */
static const double gain_tol = 1e-14;

/* --- A sample ------------------------------------------------------------------------------------------------ */

struct state { double u[IMPACT_MAX_ROWS], impulse[IMPACT_MAX_ROWS], gain; };    /* gain of energy since the start */

struct run {                        /* a sample on its way */
    const struct impact_sampler *sampler;
    struct impact_step_work *work;
    bool is_corner;
    uint64_t index;
    struct state now;
    struct impact_sample sample;
    const struct impact_way *way;   /* or NULL */
};

static double gain_of(const struct impact_system *system, const double *u, const double *lambda,
                      const double *u_plus)
{
    double gain = 0;
    for (int r = 0; r < system->n_row; r++)
        gain += lambda[r] * (u[r] + u_plus[r]) / 2;         /* v_plus'M v_plus - v'M v = lambda'(u + u_plus) */
    return gain;
}

static void move_on(struct run *run, const double *lambda, const double *u_plus)
{
    const struct impact_system *system = run->sampler->system;
    run->now.gain += gain_of(system, run->now.u, lambda, u_plus);
    for (int r = 0; r < system->n_row; r++) {
        run->now.impulse[r] += lambda[r];
        run->now.u[r] = u_plus[r];
    }
}

static void keep_point(const struct run *run)
{
    const struct impact_system *system = run->sampler->system;
    const int k = run->sample.n_steps;
    if (!run->way || k >= run->way->n)
        return;
    memcpy(run->way->u + k * system->n_row, run->now.u, (size_t)system->n_row * sizeof(double));
    run->way->s[k] = 0;
    for (int c = 0; c < system->n_contact; c++)
        run->way->s[k] += run->now.impulse[system->contact[c].row];
}

static void count_step(struct run *run)
{
    run->sample.n_steps++;
    keep_point(run);
}

static bool is_first_press(const struct run *run)
{
    return run->sampler->is_pressed && run->sample.n_steps == 0;
}

/* With the bounds that were drawn, and where these leave the contact that presses nothing with h for all. */
static bool press(const struct run *run, double *lambda_max, double *lambda, double *u_plus)
{
    const struct impact_sampler *sampler = run->sampler;
    for (int attempt = 0; attempt < 2; attempt++) {
        if (impact_step_press(sampler->step, run->work, run->now.u, lambda_max, sampler->seed, run->index,
                              choice_place, lambda, u_plus))
            return true;
        for (int c = 0; c < sampler->system->n_contact; c++)
            lambda_max[c] = sampler->h;
    }
    return false;
}

static bool take_step(struct run *run, double *lambda_max)
{
    const struct impact_sampler *sampler = run->sampler;
    double lambda[IMPACT_MAX_ROWS], u_plus[IMPACT_MAX_ROWS];
    if (!(is_first_press(run)
              ? press(run, lambda_max, lambda, u_plus)
              : impact_step_solve(sampler->step, run->work, run->now.u, lambda_max, sampler->seed, run->index,
                                  choice_place + (uint64_t)run->sample.n_steps, lambda, u_plus)))
        return false;
    run->sample.n_multiple += run->work->found.n > 1;
    run->sample.violation = fmax(run->sample.violation, impact_step_violation(sampler->system, run->now.u, lambda_max,
                                                                              lambda, u_plus));
    run->sample.growth = fmax(run->sample.growth, gain_of(sampler->system, run->now.u, lambda, u_plus)
                                                      / sampler->energy_minus);
    move_on(run, lambda, u_plus);
    return true;
}

/* Inelastic steps until nothing approaches, at most N, and the closing one. False where one has no solution. */
static bool compress(struct run *run)
{
    const struct impact_sampler *sampler = run->sampler;
    const struct impact_system *system = sampler->system;
    const bool in_turns = increment_is_sequence(sampler, run->is_corner, run->index);
    const int least = in_turns ? IMPACT_MAX_TURNS : 0;
    const int end = run->sample.n_steps + (sampler->max_steps > least ? sampler->max_steps : least);
    int turn = in_turns ? (int)run->index - 1 : 0;
    double lambda_max[IMPACT_MAX_CONTACTS];
    while (run->sample.n_steps < end && (impact_is_colliding(system, run->now.u) || is_first_press(run))) {
        increment_draw(sampler, run->is_corner, run->index, run->sample.n_steps, run->now.u, &turn, lambda_max);
        if (!take_step(run, lambda_max))
            return false;
        count_step(run);
    }
    for (int c = 0; c < system->n_contact; c++)
        lambda_max[c] = sampler->closing;
    return !impact_is_colliding(system, run->now.u) || take_step(run, lambda_max);
}

/* --- Restitution --------------------------------------------------------------------------------------------- */

/* Gives part of lambda_n back; the gain of energy since the start then, NAN where the step has no solution. */
static double push(struct run *run, double part, const double *lambda_n, double *lambda, double *u_plus)
{
    const struct impact_sampler *sampler = run->sampler;
    double given[IMPACT_MAX_CONTACTS];
    for (int c = 0; c < sampler->system->n_contact; c++)
        given[c] = part * lambda_n[c];
    if (!impact_step_push(sampler->step, run->work, run->now.u, given, lambda, u_plus))
        return NAN;
    return run->now.gain + gain_of(sampler->system, run->now.u, lambda, u_plus);
}

/* The largest part of the step that leaves the energy at that of the start at most, by bisection. */
static bool push_part(struct run *run, const double *lambda_n, double *lambda, double *u_plus)
{
    double low = 0, high = 1, gain = 0;
    for (int k = 0; k < 50 && !isnan(gain); k++) {
        const double part = (low + high) / 2;
        gain = push(run, part, lambda_n, lambda, u_plus);
        *(gain <= 0 ? &low : &high) = part;
    }
    return !isnan(push(run, low, lambda_n, lambda, u_plus));
}

/* One step of giving back; with more energy than at the start it is the last one. */
static bool give_back(struct run *run, const double *lambda_n)
{
    double lambda[IMPACT_MAX_ROWS], u_plus[IMPACT_MAX_ROWS];
    const double gain = push(run, 1, lambda_n, lambda, u_plus);
    run->sample.is_cut = gain > gain_tol * run->sampler->energy_minus;
    if (isnan(gain) || (run->sample.is_cut && !push_part(run, lambda_n, lambda, u_plus)))
        return false;
    run->sample.violation = fmax(run->sample.violation, impact_step_friction_violation(run->sampler->system, run->now.u,
                                                                                       lambda, u_plus));
    move_on(run, lambda, u_plus);
    return true;
}

/* Poisson's law: each contact gives e times the normal impulse back that it has taken. */
static bool expand(struct run *run)
{
    const struct impact_sampler *sampler = run->sampler;
    const struct impact_system *system = sampler->system;
    double left[IMPACT_MAX_CONTACTS], lambda_n[IMPACT_MAX_CONTACTS], most = 0;
    for (int c = 0; c < system->n_contact; c++) {
        left[c] = system->contact[c].e * run->now.impulse[system->contact[c].row];
        most = fmax(most, left[c]);
    }
    for (int k = 0; most > 0 && !run->sample.is_cut; k++) {
        increment_draw_return(sampler, run->is_corner, run->index, run->sample.n_steps, left, lambda_n);
        most = 0;
        for (int c = 0; c < system->n_contact; c++) {
            lambda_n[c] = k < sampler->max_steps ? lambda_n[c] : left[c];
            left[c] -= lambda_n[c];
            most = fmax(most, left[c]);
        }
        if (!give_back(run, lambda_n))
            return false;
        count_step(run);
    }
    return true;
}

/* --- All of it ----------------------------------------------------------------------------------------------- */

struct impact_sample impact_sample_run(const struct impact_sampler *sampler, struct impact_step_work *work,
                                       bool is_corner, uint64_t index, double *v, double *impulse,
                                       const struct impact_way *way)
{
    const struct impact_system *system = sampler->system;
    const size_t row_size = (size_t)system->n_row * sizeof(double);
    struct run run = { .sampler = sampler, .work = work, .is_corner = is_corner, .index = index, .way = way };
    memcpy(run.now.u, sampler->u_minus, row_size);
    keep_point(&run);
    run.sample.solved = compress(&run);
    if (run.sample.solved && sampler->has_restitution && !impact_is_colliding(system, run.now.u))
        run.sample.solved = expand(&run) && compress(&run);
    run.sample.terminated = run.sample.solved && !impact_is_colliding(system, run.now.u);
    memcpy(v, sampler->v_minus, (size_t)system->n_v * sizeof *v);
    impact_apply(system, run.now.impulse, v);
    if (impulse)
        memcpy(impulse, run.now.impulse, row_size);
    run.sample.energy = impact_energy(system, v);
    run.sample.growth = fmax(run.sample.growth, run.now.gain / sampler->energy_minus);
    return run.sample;
}
