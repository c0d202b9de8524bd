/* The dense work of a front for processors with AVX2; the pragmas are the two compilers' words for -m. */
#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#define FRONT_VECTOR_BYTES 32
#include "core/kkt/front_body.h"

const struct kkt_kernel kkt_kernel_avx2 = { "avx2", eliminate, update, forward, backward };

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

#include "core/kkt/front.h"

#endif
