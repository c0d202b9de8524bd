/* The tape's interpreter for processors with AVX-512; the pragmas are the two compilers' words for -m. */
#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq")
#endif

#define TAPE_VECTOR_BYTES 64
#include "core/expression/tape_kernel_body.h"

const struct tape_kernel tape_kernel_avx512 = { "avx512", run_wide, run_narrow };

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

#include "core/expression/tape_kernel.h"

#endif
