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

/* Room for `more` elements behind the n that an array has; element by element this costs no more than a factor of
 * two. The room follows from n alone (the next power of two, 8 at least), so that nothing has to remember it: the
 * array starts as NULL and grows by this function only. Arrays side by side grow by the same n.
 *
 *   list->event = mem_grow(list->event, list->n, 1, sizeof *list->event);
 *   list->event[list->n++] = event;
 */
void *mem_grow(void *array, int n, int more, size_t size);

/* A copy of text; NULL stays NULL. */
char *mem_copy_text(const char *text);

/* For programs of ours, at their start: what is freed stays with the process. Solves make and drop
 * the same arrays again and again, and pages that go back to the system each time come back
 * cleared: a tenth of a short solve. */
void mem_keep_freed(void);

#endif
