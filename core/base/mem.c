#include "core/base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void out_of_memory(void)
{
    fputs("cocp: out of memory\n", stderr);
    exit(1);
}

void *mem_alloc(size_t count, size_t size)
{
    void *ptr = calloc(count ? count : 1, size ? size : 1);
    if (!ptr)
        out_of_memory();
    return ptr;
}

void *mem_resize(void *ptr, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        out_of_memory();
    ptr = realloc(ptr, count && size ? count * size : 1);
    if (!ptr)
        out_of_memory();
    return ptr;
}

char *mem_copy_text(const char *text)
{
    if (!text)
        return NULL;
    const size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size, 1), text, size);
}
