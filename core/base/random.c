#include "core/base/random.h"

static const uint64_t stride = 0x9e3779b97f4a7c15u; /* 2^64 over the golden ratio */

uint64_t random_mix(uint64_t z)
{
    z += stride;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t random_next(uint64_t *counter)
{
    const uint64_t bits = random_mix(*counter);
    *counter += stride;
    return bits;
}

double random_signed(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-52 - 1;
}
