/* core/base/arena.h - memory that lives and dies together
 *
 * An arena hands out zeroed memory and frees all of it at once. Built with -DARENA_PER_OBJECT (the sanitizer
 * build) each object is its own block, so that an overrun is seen.
 * Errors  none: mem_alloc ends the program when memory runs out.
 */
#ifndef COCP_CORE_BASE_ARENA_H
#define COCP_CORE_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *last;       /* newest block first; NULL: empty. A zeroed struct is an empty arena. */
};

/* count * size bytes, zeroed and aligned for any type. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

/* n numbers, all NAN. */
double *arena_nan(struct arena *arena, int n);

/* A copy of count * size bytes. */
void *arena_copy(struct arena *arena, const void *src, size_t count, size_t size);

char *arena_copy_text(struct arena *arena, const char *text);

char *arena_printf(struct arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Frees everything; the arena is empty and can be used again. */
void arena_free(struct arena *arena);

#endif
