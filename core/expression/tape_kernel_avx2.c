/* The tape's interpreter for processors with AVX2; the pragmas are the two compilers' words for -m. */
#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#define TAPE_VECTOR_BYTES 32
#include "core/expression/tape_kernel_body.h"

const struct tape_kernel tape_kernel_avx2 = { "avx2", run_wide, run_narrow };

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

#include "core/expression/tape_kernel.h"

#endif
