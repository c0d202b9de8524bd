#define _POSIX_C_SOURCE 200809L

#include "core/base/pool.h"

#include "core/base/clock.h"
#include "core/base/stop.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORKER = 256, POLL_MS = 100 };

struct message { int piece; _Alignas(max_align_t) char answer[POOL_MAX_ANSWER]; };

struct pool { int n, fd; pid_t pid[MAX_WORKER]; };

static size_t message_size(const struct pool_task *task)
{
    return offsetof(struct message, answer) + task->size;
}

/* Sends one message per piece of this worker; ends the process. */
static void work(const struct pool_task *task, int worker, int n_worker, int fd)
{
    for (int k = worker; k < task->n && *task->interrupt == 0; k += n_worker) {
        struct message message = { .piece = k };
        task->work(task->user, k, message.answer);
        if (write(fd, &message, message_size(task)) != (ssize_t)message_size(task))
            break;
    }
    _exit(0);
}

static int n_wanted(const struct pool_task *task)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int most = task->n < MAX_WORKER ? task->n : MAX_WORKER;
    return cores < 1 ? 1 : cores < most ? (int)cores : most;
}

static enum status start(const struct pool_task *task, struct pool *pool, struct diag *diag)
{
    const int wanted = n_wanted(task);
    int fd[2];
    if (pipe(fd) != 0)
        return diag_fail(diag, STATUS_IO, "cannot make a pipe: %s", strerror(errno));
    fflush(NULL);                       /* what is buffered must not come out of every process */
    for (int w = 0; w < wanted; w++) {
        const pid_t pid = fork();
        if (pid == 0) {
            close(fd[0]);
            work(task, w, wanted, fd[1]);
        }
        if (pid > 0)
            pool->pid[pool->n++] = pid;
    }
    close(fd[1]);
    pool->fd = fd[0];
    if (pool->n == wanted)
        return STATUS_OK;
    return diag_fail(diag, STATUS_IO, "cannot start %d processes: %s", wanted, strerror(errno));
}

static void stop(const struct pool *pool)
{
    if (pool->fd >= 0)
        close(pool->fd);
    for (int w = 0; w < pool->n; w++)
        kill(pool->pid[w], SIGKILL);
    for (int w = 0; w < pool->n; w++)
        while (waitpid(pool->pid[w], NULL, 0) < 0 && errno == EINTR) continue;
}

/* Is there anything to take, or an end to see? Signals end the wait, whatever their handlers say of reads. */
static bool wait_for(int fd)
{
    struct pollfd wait = { .fd = fd, .events = POLLIN };
    return poll(&wait, 1, POLL_MS) > 0;
}

/* Takes what the workers send until they are done, time is up or a signal comes. */
static enum status collect(const struct pool_task *task, const struct pool *pool, struct diag *diag)
{
    const double end = clock_seconds() + task->max_seconds;
    for (int n_taken = 0;;) {
        struct message message;
        const bool ready = wait_for(pool->fd);
        stop_look_at_cpu(pool->n, pool->pid);
        const ssize_t n = ready ? read(pool->fd, &message, message_size(task)) : -1;
        if (*task->interrupt != 0)
            return stop_status();
        if (clock_seconds() > end)
            return STATUS_LIMIT;
        if (!ready || (n < 0 && errno == EINTR))
            continue;
        if (n != (ssize_t)message_size(task))
            return n == 0 && n_taken == task->n
                       ? STATUS_OK
                       : diag_fail(diag, STATUS_INTERNAL, "a worker process ended early");
        const enum status st = task->take(task->user, message.piece, message.answer, diag);
        if (st != STATUS_OK)
            return st;
        n_taken++;
    }
}

enum status pool_run(const struct pool_task *task, struct diag *diag)
{
    struct pool pool = { .fd = -1 };
    assert(task->size <= POOL_MAX_ANSWER);
    if (task->n == 0)
        return STATUS_OK;
    enum status st = start(task, &pool, diag);
    if (st == STATUS_OK)
        st = collect(task, &pool, diag);
    stop(&pool);
    return st;
}
