/* The dense work of a front for processors with AVX512; the pragmas are the two compilers' words for -m. */
#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq")
#endif

#define FRONT_VECTOR_BYTES 64
#include "core/kkt/front_body.h"

const struct kkt_kernel kkt_kernel_avx512 = { "avx512", eliminate, update, forward, backward };

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

#include "core/kkt/front.h"

#endif
