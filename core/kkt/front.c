#include "core/kkt/front.h"

#include <stddef.h>

#if defined(__x86_64__)

const struct kkt_kernel *kkt_kernel_get(int i)
{
    const struct kkt_kernel *usable[3];
    int n = 0;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        usable[n++] = &kkt_kernel_avx512;
    if (__builtin_cpu_supports("avx2"))
        usable[n++] = &kkt_kernel_avx2;
    usable[n++] = &kkt_kernel_base;
    return i >= 0 && i < n ? usable[i] : NULL;
}

#else

const struct kkt_kernel *kkt_kernel_get(int i)
{
    return i == 0 ? &kkt_kernel_base : NULL;
}

#endif
