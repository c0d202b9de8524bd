/* core/base/mem.h - heap memory that is there or ends the program
 *
 * Errors  running out of memory prints one line on stderr and exits with 1; no caller checks for NULL.
 */
#ifndef COCP_CORE_BASE_MEM_H
#define COCP_CORE_BASE_MEM_H

#include <stddef.h>

/* count * size bytes, zeroed; count * size may be 0 (a pointer for free all the same). */
void *mem_alloc(size_t count, size_t size);

/* As realloc, with the product checked; bytes that are new are not zeroed. */
void *mem_resize(void *ptr, size_t count, size_t size);

/* A copy of text; NULL stays NULL. */
char *mem_copy_text(const char *text);

#endif
