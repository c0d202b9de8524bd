#include "core/base/arena.h"

#include "core/base/mem.h"

#include <math.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    struct arena_block *next;
    size_t used, size;                          /* bytes of data */
    alignas(max_align_t) unsigned char data[];
};

enum { BLOCK_SIZE = 1 << 16 };

static struct arena_block *add_block(struct arena *arena, size_t size)
{
    struct arena_block *block = mem_alloc(sizeof *block + size, 1);
    block->size = size;
    block->next = arena->last;
    arena->last = block;
    return block;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size && count > (SIZE_MAX - align) / size)
        mem_alloc(SIZE_MAX, 1);                 /* ends the program */
    const size_t bytes = (count * size + align - 1) / align * align;
#ifdef ARENA_PER_OBJECT
    return add_block(arena, count * size)->data;
#endif
    struct arena_block *block = arena->last;
    if (!block || block->size - block->used < bytes)
        block = add_block(arena, bytes > BLOCK_SIZE ? bytes : BLOCK_SIZE);
    void *ptr = block->data + block->used;
    block->used += bytes;
    return ptr;
}

double *arena_nan(struct arena *arena, int n)
{
    double *val = arena_alloc(arena, (size_t)n, sizeof *val);
    for (int k = 0; k < n; k++)
        val[k] = NAN;
    return val;
}

void *arena_copy(struct arena *arena, const void *src, size_t count, size_t size)
{
    void *dst = arena_alloc(arena, count, size);
    if (count && size)
        memcpy(dst, src, count * size);
    return dst;
}

char *arena_copy_text(struct arena *arena, const char *text)
{
    return text ? arena_copy(arena, text, strlen(text) + 1, 1) : NULL;
}

char *arena_printf(struct arena *arena, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *text = arena_alloc(arena, (size_t)len + 1, 1);
    vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(again);
    return text;
}

void arena_free(struct arena *arena)
{
    while (arena->last) {
        struct arena_block *block = arena->last;
        arena->last = block->next;
        free(block);
    }
}
