/* core/base/draw.h - numbers in (0, 1) for samples: random or low-discrepancy, by their place alone
 *
 * A number depends on the seed, the sample and its place in the sample, on nothing drawn before: samples can be
 * computed in any order, on any number of threads. Random ones are the seed, sample and place put through
 * random_mix one after the other.
 * Sobol' points have the primitive polynomials and initial numbers of S. Joe and F. Y. Kuo, SIAM J. Sci. Comput.
 * 30, 2635-2654 (2008), and a random digital shift by the seed. Places beyond DRAW_SOBOL_DIM are random: of an
 * impact these are late steps, which few samples come to.
 */
#ifndef COCP_CORE_BASE_DRAW_H
#define COCP_CORE_BASE_DRAW_H

#include <stdint.h>

enum { DRAW_SOBOL_DIM = 21, DRAW_SOBOL_BITS = 32 };

struct draw_sobol {
    uint32_t direction[DRAW_SOBOL_DIM][DRAW_SOBOL_BITS];    /* of bit b of the sample's number */
    uint32_t shift[DRAW_SOBOL_DIM];
    uint64_t seed;
};

/* 64 random bits of that place. */
uint64_t draw_bits(uint64_t seed, uint64_t sample, uint64_t place);

/* Uniform in (0, 1). */
double draw_random(uint64_t seed, uint64_t sample, uint64_t place);

void draw_sobol_init(struct draw_sobol *sobol, uint64_t seed);

/* Coordinate `place` of Sobol' point `sample`, in (0, 1). */
double draw_sobol(const struct draw_sobol *sobol, uint64_t sample, uint64_t place);

#endif
