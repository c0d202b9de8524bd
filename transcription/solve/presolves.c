#define _POSIX_C_SOURCE 200809L

#include "transcription/solve/presolves.h"

#include "core/base/mem.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POLL_MS = 100 };             /* how late a stop is seen while waiting */

/* What a child sends: this, its steps, then w, of a solution or of what came nearest to one. */
struct answer {
    bool found, lingers;
    int n_step, n_w, iterations;
    double eval_seconds, objective, complementarity, violation, sigma;
    struct nlp_linear_work linear;
};

/* --- In the child -------------------------------------------------------------------------------------------- */

static bool send_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        const ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* A child whose parent is gone has nobody to work for. */
static bool has_parent(void *user, int iteration, double f, double violation, double dual_inf, double mu)
{
    const pid_t *parent = user;
    (void)iteration, (void)f, (void)violation, (void)dual_inf, (void)mu;
    if (getppid() != *parent)
        _exit(0);
    return true;
}

static void work(const struct solver *from, const struct attempt *attempt, pid_t parent, int fd)
{
    struct solve_result out = { 0 };
    struct solve_task task = *from->task;
    struct solver solver = { .task = &task, .out = &out, .diag = diag_create(), .start = from->start,
                             .guess = from->guess, .banded = from->banded };
    task.hooks = (struct solve_hooks){ .iteration = has_parent, .user = &parent };
    struct answer answer = { .found = attempt_presolve(&solver, attempt) };
    const struct homotopy_result *result = answer.found ? &solver.coarse_result : &solver.nearest_result;
    const struct transcription *of = answer.found ? solver.coarse : solver.nearest;
    answer.n_w = of ? of->mpcc.nlp.n_w : 0;
    answer.lingers = solver.lingers;
    answer.n_step = out.n_step;
    answer.iterations = out.iterations;
    answer.eval_seconds = out.eval_seconds;
    answer.linear = out.linear;
    answer.objective = result->objective;
    answer.complementarity = result->complementarity;
    answer.violation = result->violation;
    answer.sigma = result->sigma;
    if (send_all(fd, &answer, sizeof answer) && send_all(fd, out.step, (size_t)out.n_step * sizeof *out.step))
        send_all(fd, result->w, (size_t)answer.n_w * sizeof *result->w);
    _exit(0);
}

/* --- At home ------------------------------------------------------------------------------------------------- */

static int n_jobs(const struct solve_task *task)
{
    const long cores = task->jobs > 0 ? task->jobs : sysconf(_SC_NPROCESSORS_ONLN);
    return task->print_level > 0 || cores < 1 ? 1 : cores < MOST_PRESOLVES ? (int)cores : MOST_PRESOLVES;
}

/* Without a pipe or a process the presolve runs when it is taken. */
static void start(const struct solver *solver, struct presolves *presolves, int k)
{
    int fd[2];
    if (pipe(fd) != 0)
        return;
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        close(fd[0]);
        work(solver, &presolves->attempt[k], parent, fd[1]);
    }
    close(fd[1]);
    if (pid < 0) {
        close(fd[0]);
        return;
    }
    presolves->child[k].pid = pid;
    presolves->child[k].fd = fd[0];
}

void presolves_start(const struct solver *solver, int n, const struct attempt *attempt, struct presolves *out)
{
    *out = (struct presolves){ .n = n };
    memcpy(out->attempt, attempt, (size_t)n * sizeof *attempt);
    const int jobs = n_jobs(solver->task);
    fflush(NULL);                               /* what is buffered must not come out of every process */
    for (int k = 1; k < n && k < jobs; k++)
        start(solver, out, k);
}

static void end(struct presolves *presolves, int k)
{
    const pid_t pid = (pid_t)presolves->child[k].pid;
    if (pid == 0)
        return;
    close(presolves->child[k].fd);
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
    presolves->child[k].pid = 0;
}

void presolves_end(struct presolves *presolves)
{
    for (int k = 0; k < presolves->n; k++)
        end(presolves, k);
}

/* False at the end of the pipe, or when it is time to stop. */
static bool receive(const struct solver *solver, int fd, void *data, size_t size)
{
    char *at = data;
    while (size > 0) {
        struct pollfd ready = { .fd = fd, .events = POLLIN };
        if (attempt_must_stop(solver))
            return false;
        if (poll(&ready, 1, POLL_MS) <= 0)
            continue;
        const ssize_t n = read(fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* Books what the child did, as if it had been done here. */
static void book(struct solver *solver, const struct answer *answer, const struct solve_step *step)
{
    struct solve_result *out = solver->out;
    const struct solve_hooks *hooks = &solver->task->hooks;
    out->step = mem_grow(out->step, out->n_step, answer->n_step, sizeof *out->step);
    for (int k = 0; k < answer->n_step; k++) {
        out->step[out->n_step++] = step[k];
        if (k == 0)
            solve_note(solver->task, step[k].what);
        if (hooks->step)
            hooks->step(hooks->user, &step[k].step, k);
    }
    out->iterations += answer->iterations;
    out->eval_seconds += answer->eval_seconds;
    nlp_add_linear_work(&out->linear, &answer->linear);
}

/* The child's answer; false if it sent none. *found: as attempt_presolve. */
static bool take(struct solver *solver, const struct attempt *attempt, int fd, bool *found)
{
    struct answer answer;
    if (!receive(solver, fd, &answer, sizeof answer))
        return false;
    solver->lingers = answer.lingers;
    struct solve_step *step = mem_alloc((size_t)answer.n_step, sizeof *step);
    struct homotopy_result result = { .status = STATUS_OK, .completed = answer.found, .objective = answer.objective,
                                      .complementarity = answer.complementarity, .violation = answer.violation,
                                      .sigma = answer.sigma };
    result.w = answer.n_w ? arena_alloc(&result.mem, (size_t)answer.n_w, sizeof *result.w) : NULL;
    const bool complete = receive(solver, fd, step, (size_t)answer.n_step * sizeof *step)
                          && receive(solver, fd, result.w, (size_t)answer.n_w * sizeof *result.w);
    if (complete)
        book(solver, &answer, step);
    *found = complete && attempt_adopt_presolve(solver, attempt, &result);
    homotopy_result_free(&result);
    free(step);
    return complete;
}

bool presolves_take(struct presolves *presolves, int k, struct solver *solver)
{
    bool found = false, answered = false;
    if (presolves->child[k].pid) {
        answered = take(solver, &presolves->attempt[k], presolves->child[k].fd, &found);
        end(presolves, k);
    }
    return answered ? found : !attempt_must_stop(solver) && attempt_presolve(solver, &presolves->attempt[k]);
}
