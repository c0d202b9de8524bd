/* core/base/random.h - one generator of random numbers: the same on every machine, and nothing hidden between
 * calls
 *
 * SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a counter that goes up by a fixed odd number, each value of it put
 * through a finalizer. A sequence is random_next on a counter; a number that belongs to a place (seed, sample,
 * coordinate) is the places put through random_mix one after the other, so that samples can be drawn in any order.
 */
#ifndef COCP_CORE_BASE_RANDOM_H
#define COCP_CORE_BASE_RANDOM_H

#include <stdint.h>

/* 64 random bits for a number: what random_next returns at this value of the counter. */
uint64_t random_mix(uint64_t z);

/* The next 64 bits of a sequence; the counter, any number at first, goes on. */
uint64_t random_next(uint64_t *counter);

/* The upper 53 bits as a number in [-1, 1). */
double random_signed(uint64_t bits);

#endif
