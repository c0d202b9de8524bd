#define _POSIX_C_SOURCE 200809L

#include "cli/sweep.h"

#include "cli/interrupt.h"
#include "cli/problem.h"
#include "cli/sweep_result.h"
#include "cli/table.h"
#include "core/base/arena.h"
#include "core/base/mem.h"
#include "core/nlp/nlp.h"
#include "core/stability/certify.h"
#include "core/stability/falsify.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double SAVE_SECONDS = 5;

/* --- One point ----------------------------------------------------------------------------------------------- */

/* What a worker sends: less than PIPE_BUF, so that it arrives in one piece. */
struct message { struct sweep_point point; int index; char error[256]; };

/* args with the values of point k added as overrides; free() the override afterwards. */
static struct cli_args args_of_point(const struct cli_args *args, const struct sweep *sweep, int k,
                                     char text[2][40])
{
    struct cli_args at = *args;
    at.override = mem_alloc((size_t)(args->n_override + sweep->n_axis), sizeof *at.override);
    for (int i = 0; i < args->n_override; i++)
        at.override[i] = args->override[i];
    for (int axis = 0; axis < sweep->n_axis; axis++) {
        (void)snprintf(text[axis], 40, "%.17g", sweep_value(sweep, axis, k));
        at.override[at.n_override++] = (struct spec_override){ sweep->axis[axis].path, text[axis] };
    }
    return at;
}

static void judge(const struct cli_args *args, struct problem *problem, struct message *message, struct diag *diag)
{
    struct certify_result found;
    struct sweep_point *point = &message->point;
    if (certify_model(problem->model, &problem->certify, true, &found, diag) != STATUS_OK)
        return;
    point->outcome = (int)found.verdict.outcome;
    point->level = found.level;
    point->margin = found.verdict.margin;
    memcpy(point->level_margin, found.level_margin, sizeof point->level_margin);
    (void)snprintf(point->reason, sizeof point->reason, "%s", found.verdict.reason);
    if (args->falsify && found.name[0] && !found.level) {
        struct arena mem = { NULL };
        struct falsify_result motion;
        const struct falsify_settings settings = falsify_defaults((uint64_t)problem->homotopy.seed);
        falsify(&found.body, &settings, &mem, &motion);
        point->growth = motion.factor;
        arena_free(&mem);
    }
}

static void compute(const struct cli_args *args, const struct sweep *sweep, int k, struct message *message)
{
    char text[2][40];
    struct problem problem;
    struct diag *diag = diag_create();
    struct cli_args at = args_of_point(args, sweep, k, text);
    *message = (struct message){ .point = sweep_point_missing(), .index = k };
    if (problem_read(&at, MODEL_FOR_CERTIFY, &problem, diag) == STATUS_OK)
        judge(args, &problem, message, diag);
    if (diag_n_errors(diag) > 0)
        (void)snprintf(message->error, sizeof message->error, "%s", diag_line(diag, 0));
    problem_free(&problem);
    free(at.override);
    diag_free(diag);
}

/* --- Workers ------------------------------------------------------------------------------------------------- */

/* Sends one message per point that is missing and this worker's turn; ends the process. */
static void work(const struct cli_args *args, const struct sweep *sweep, int worker, int n_worker, int fd)
{
    int turn = 0;
    for (int k = 0; k < sweep->n && *interrupt_flag() == 0; k++) {
        struct message message;
        if (sweep->point[k].outcome >= 0 || turn++ % n_worker != worker)
            continue;
        compute(args, sweep, k, &message);
        if (write(fd, &message, sizeof message) != (ssize_t)sizeof message || message.error[0])
            break;
    }
    _exit(0);
}

static int n_missing(const struct sweep *sweep)
{
    int n = 0;
    for (int k = 0; k < sweep->n; k++)
        n += sweep->point[k].outcome < 0;
    return n;
}

enum { MAX_WORKER = 256 };

struct crew { int n, fd; pid_t pid[MAX_WORKER]; };

static enum status hire(const struct cli_args *args, const struct sweep *sweep, struct crew *crew,
                        struct diag *diag)
{
    int fd[2];
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int wanted = (int)fmin(fmin((double)(cores < 1 ? 1 : cores), n_missing(sweep)), MAX_WORKER);

    if (pipe(fd) != 0)
        return diag_fail(diag, STATUS_IO, "cannot make a pipe: %s", strerror(errno));
    fflush(NULL);                       /* what is buffered must not come out of every process */
    for (int w = 0; w < wanted; w++) {
        const pid_t pid = fork();
        if (pid == 0) {
            close(fd[0]);
            work(args, sweep, w, wanted, fd[1]);
        }
        if (pid > 0)
            crew->pid[crew->n++] = pid;
    }
    close(fd[1]);
    crew->fd = fd[0];
    if (crew->n == wanted)
        return STATUS_OK;
    return diag_fail(diag, STATUS_IO, "cannot start %d processes: %s", wanted, strerror(errno));
}

static void dismiss(struct crew *crew)
{
    if (crew->fd >= 0)
        close(crew->fd);
    for (int w = 0; w < crew->n; w++)
        kill(crew->pid[w], SIGKILL);
    for (int w = 0; w < crew->n; w++)
        while (waitpid(crew->pid[w], NULL, 0) < 0 && errno == EINTR) continue;
}

/* Takes what the workers send until they are done, time is up or a signal comes. */
static enum status collect(const struct cli_args *args, struct sweep *sweep, struct crew *crew,
                           const char *out_path, struct diag *diag)
{
    const double start = nlp_wall_time();
    double saved = start;
    for (;;) {
        struct message message;
        const ssize_t n = read(crew->fd, &message, sizeof message);
        const double now = nlp_wall_time();
        if (*interrupt_flag() != 0)
            return STATUS_INTERRUPTED;
        if (now - start > args->max_time)
            return STATUS_LIMIT;
        if (n < 0 && errno == EINTR)
            continue;
        if (n != (ssize_t)sizeof message)
            return n == 0 && n_missing(sweep) == 0 ? STATUS_OK
                   : diag_fail(diag, STATUS_INTERNAL, "a process of the sweep ended early");
        if (message.error[0])
            return diag_fail(diag, STATUS_SPEC, "%s", message.error);
        sweep->point[message.index] = message.point;
        if (now - saved < SAVE_SECONDS)
            continue;
        if (args->verbosity >= 0)
            fprintf(stderr, "%d of %d points\n", sweep->n - n_missing(sweep), sweep->n);
        const enum status st = sweep_write(args, sweep, STATUS_LIMIT, out_path, diag);
        if (st != STATUS_OK)
            return st;
        saved = nlp_wall_time();
    }
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static void print_summary(const struct cli_args *args, const struct sweep *sweep, enum status st, int n_kept,
                          double seconds, const char *out_path)
{
    int count[4];
    sweep_count(sweep, count);
    if (args->json) {
        printf("{\"status\": \"%s\", \"exit_code\": %d, \"name\": ", status_text(st), status_exit_code(st));
        table_print_json_text(sweep->name, stdout);
    } else {
        printf("%s %s", status_text(st), sweep->name);
    }
    printf(args->json ? ", \"points\": %d, \"kept\": %d" : " points=%d kept=%d", sweep->n, n_kept);
    for (int k = 0; k < 4; k++)
        printf(args->json ? ", \"%s\": %d" : " %s=%d", certify_outcome_text((enum certify_outcome)k), count[k]);
    printf(args->json ? ", \"time\": %.2f, \"out\": " : " time=%.2f out=", seconds);
    if (args->json)
        table_print_json_text(out_path, stdout);
    else
        fputs(out_path, stdout);
    fputs(args->json ? "}\n" : "\n", stdout);
}

static enum status run(const struct cli_args *args, struct sweep *sweep, const char *out_path, struct diag *diag)
{
    struct crew crew = { .fd = -1 };
    if (n_missing(sweep) == 0)
        return STATUS_OK;
    enum status st = hire(args, sweep, &crew, diag);
    if (st == STATUS_OK)
        st = collect(args, sweep, &crew, out_path, diag);
    dismiss(&crew);
    return st;
}

enum status sweep_run(const struct cli_args *args, const char *out_path, struct diag *diag)
{
    struct sweep sweep;
    const double start = nlp_wall_time();
    enum status st = sweep_init(args, &sweep, diag);
    if (st == STATUS_OK) {
        const int n_kept = sweep_resume(&sweep, out_path);
        if (n_kept > 0 && args->verbosity >= 0)
            fprintf(stderr, "%s: %d of %d points are there\n", out_path, n_kept, sweep.n);
        st = run(args, &sweep, out_path, diag);
        const enum status written = sweep_write(args, &sweep, st, out_path, diag);
        if (written != STATUS_OK)
            st = written;
        else if (st == STATUS_OK || st == STATUS_LIMIT || st == STATUS_INTERRUPTED)
            print_summary(args, &sweep, st, n_kept, nlp_wall_time() - start, out_path);
    }
    sweep_free(&sweep);
    return st;
}
