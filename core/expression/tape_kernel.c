#include "core/expression/tape_kernel.h"

#if defined(__x86_64__)

const struct tape_kernel *tape_kernel_get(int i)
{
    const struct tape_kernel *usable[3];
    int n = 0;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        usable[n++] = &tape_kernel_avx512;
    if (__builtin_cpu_supports("avx2"))
        usable[n++] = &tape_kernel_avx2;
    usable[n++] = &tape_kernel_base;
    return i >= 0 && i < n ? usable[i] : NULL;
}

#else

const struct tape_kernel *tape_kernel_get(int i)
{
    return i == 0 ? &tape_kernel_base : NULL;
}

#endif
