#include "core/base/mem.h"

#include <assert.h>
#include <malloc.h>
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

static size_t room_for(size_t n)
{
    size_t room = 8;
    while (room < n)
        room *= 2;
    return room;
}

void *mem_grow(void *array, int n, int more, size_t size)
{
    assert(n >= 0 && more >= 0 && (array || n == 0));
    if (more == 1 && (n & (n - 1)) != 0)        /* the room is a power of two */
        return array;
    const size_t room = room_for((size_t)n + (size_t)more);
    return array && room == room_for((size_t)n) ? array : mem_resize(array, room, size);
}

char *mem_copy_text(const char *text)
{
    if (!text)
        return NULL;
    const size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size, 1), text, size);
}

#ifdef __GLIBC__

enum { KEPT_AT_MOST = 1 << 28, MAPPED_FROM = 1 << 25 };         /* bytes; the second as large as glibc takes it */

void mem_keep_freed(void)
{
    mallopt(M_TRIM_THRESHOLD, KEPT_AT_MOST);
    mallopt(M_MMAP_THRESHOLD, MAPPED_FROM);
}

#else

void mem_keep_freed(void)
{
}

#endif
