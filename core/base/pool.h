/* core/base/pool.h - independent pieces of work on all cores, in processes of their own
 *
 * A process for each core takes every n-th piece and sends its answers home; they arrive in any order. A worker
 * inherits all memory as it was at the start and shares none of what it changes, so that libraries that keep state
 * of their own need not be safe for threads.
 * Errors  STATUS_IO: no pipe, no process; STATUS_INTERNAL: a worker ended early. Whatever comes back, no worker is
 *         left.
 */
#ifndef COCP_CORE_BASE_POOL_H
#define COCP_CORE_BASE_POOL_H

#include "core/base/diag.h"

#include <signal.h>
#include <stddef.h>

enum { POOL_MAX_ANSWER = 448 };     /* bytes: with its number it goes through a pipe in one piece (POSIX: 512) */

struct pool_task {
    int n;                          /* pieces 0, ..., n - 1 */
    size_t size;                    /* of an answer, at most POOL_MAX_ANSWER */
    void (*work)(void *user, int piece, void *answer);              /* in a worker; fills answer [size] */
    enum status (*take)(void *user, int piece, const void *answer, struct diag *diag);     /* at home */
    void *user;
    double max_seconds;             /* of wall time; INFINITY: none */
    const volatile sig_atomic_t *interrupt;     /* nonzero: stop */
};

/* STATUS_OK when every answer was taken; STATUS_LIMIT, STATUS_INTERRUPTED, or the first other status of `take`. */
enum status pool_run(const struct pool_task *task, struct diag *diag);

#endif
