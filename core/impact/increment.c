#include "core/impact/increment.h"

#include <math.h>

/* Places of random numbers in a sample: those of step i at i n_contact + c, of corner samples far behind them. */
static const uint64_t corner_place = (uint64_t)1 << 41;

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

bool increment_is_sequence(const struct impact_sampler *sampler, bool is_corner, uint64_t index)
{
    return is_corner && index >= 1 && index <= (uint64_t)sampler->system->n_contact;
}

void increment_draw(const struct impact_sampler *sampler, bool is_corner, uint64_t index, int step, const double *u,
                    int *turn, double *lambda_max)
{
    if (!is_corner)
        draw_uniform(sampler, index, step, lambda_max);
    else if (increment_is_sequence(sampler, is_corner, index))
        give_turn(sampler, u, turn, lambda_max);
    else
        draw_corner(sampler, index, step, lambda_max);
}

void increment_draw_return(const struct impact_sampler *sampler, bool is_corner, uint64_t index, int step,
                           const double *left, double *lambda_n)
{
    if (!is_corner)
        draw_uniform(sampler, index, step, lambda_n);
    else
        draw_corner(sampler, index, step, lambda_n);
    for (int c = 0; c < sampler->system->n_contact; c++)
        lambda_n[c] = increment_is_sequence(sampler, is_corner, index) || (is_corner && index == 0)
                          ? left[c]
                          : fmin(lambda_n[c], left[c]);
}
