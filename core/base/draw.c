#include "core/base/draw.h"

#include "core/base/random.h"

/* Degree, inner coefficients of the primitive polynomial and initial numbers of dimensions 2 to 21: Joe and Kuo
 * (2008), as published with the paper. Dimension 1 is the van der Corput sequence. */
static const struct { int degree; uint32_t inner; uint32_t m[7]; } joe_kuo[DRAW_SOBOL_DIM - 1] = {
    { 1, 0, { 1 } },
    { 2, 1, { 1, 3 } },
    { 3, 1, { 1, 3, 1 } },
    { 3, 2, { 1, 1, 1 } },
    { 4, 1, { 1, 1, 3, 3 } },
    { 4, 4, { 1, 3, 5, 13 } },
    { 5, 2, { 1, 1, 5, 5, 17 } },
    { 5, 4, { 1, 1, 5, 5, 5 } },
    { 5, 7, { 1, 1, 7, 11, 19 } },
    { 5, 11, { 1, 1, 5, 1, 1 } },
    { 5, 13, { 1, 1, 1, 3, 11 } },
    { 5, 14, { 1, 3, 5, 5, 31 } },
    { 6, 1, { 1, 3, 3, 9, 7, 49 } },
    { 6, 13, { 1, 1, 1, 15, 21, 21 } },
    { 6, 16, { 1, 3, 1, 13, 27, 49 } },
    { 6, 19, { 1, 1, 1, 15, 7, 5 } },
    { 6, 22, { 1, 3, 1, 15, 13, 25 } },
    { 6, 25, { 1, 1, 5, 5, 19, 61 } },
    { 7, 1, { 1, 3, 7, 11, 23, 15, 103 } },
    { 7, 4, { 1, 3, 7, 13, 13, 15, 69 } },
};

uint64_t draw_bits(uint64_t seed, uint64_t sample, uint64_t place)
{
    return random_mix(random_mix(random_mix(seed) ^ sample) ^ place);
}

double draw_random(uint64_t seed, uint64_t sample, uint64_t place)
{
    return ((double)(draw_bits(seed, sample, place) >> 11) + 0.5) * 0x1p-53;
}

/* Bratley and Fox, Algorithm 659: v_b = m_b / 2^b, m_b from the recurrence of the polynomial. */
static void fill_directions(uint32_t *direction, int degree, uint32_t inner, const uint32_t *m)
{
    for (int b = 0; b < degree; b++)
        direction[b] = m[b] << (DRAW_SOBOL_BITS - 1 - b);
    for (int b = degree; b < DRAW_SOBOL_BITS; b++) {
        direction[b] = direction[b - degree] ^ (direction[b - degree] >> degree);
        for (int k = 1; k < degree; k++)
            if (inner >> (degree - 1 - k) & 1)
                direction[b] ^= direction[b - k];
    }
}

void draw_sobol_init(struct draw_sobol *sobol, uint64_t seed)
{
    for (int b = 0; b < DRAW_SOBOL_BITS; b++)
        sobol->direction[0][b] = 1u << (DRAW_SOBOL_BITS - 1 - b);
    for (int d = 1; d < DRAW_SOBOL_DIM; d++)
        fill_directions(sobol->direction[d], joe_kuo[d - 1].degree, joe_kuo[d - 1].inner, joe_kuo[d - 1].m);
    for (uint64_t d = 0; d < DRAW_SOBOL_DIM; d++)
        sobol->shift[d] = (uint32_t)(draw_bits(~seed, d, 0) >> 32);
    sobol->seed = seed;
}

double draw_sobol(const struct draw_sobol *sobol, uint64_t sample, uint64_t place)
{
    if (place >= DRAW_SOBOL_DIM)
        return draw_random(sobol->seed, sample, place);
    uint32_t bits = sobol->shift[place];
    for (int b = 0; b < DRAW_SOBOL_BITS && sample >> b; b++)
        if (sample >> b & 1)
            bits ^= sobol->direction[place][b];
    return ((double)bits + 0.5) * 0x1p-32;
}
