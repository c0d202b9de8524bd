#define _GNU_SOURCE                     /* prctl is Linux' own */

#include "core/sweep/job.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/results/save.h"
#include "core/sweep/claim.h"
#include "core/sweep/folder.h"
#include "core/sweep/record.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const double KILL_AFTER = 1.2, GRACE = 10;       /* a point is killed at 1.2 times its limit and 10 s */
enum { MAX_SUMMARY = 1 << 16 };

const char *sweep_job_path(const struct sweep_run *run, int point, const char *suffix, char *path)
{
    char end[64];
    (void)snprintf(end, sizeof end, ".%s.%s", run->command->name, suffix);
    return sweep_folder_path(run->folder, point, end, path);
}

enum status sweep_job_spare(const struct sweep_run *run, int point, struct diag *diag)
{
    static const char *const of_command[] = { "json", "log", "line", "claim" }, *const of_point[] = { ".h5", ".try.h5" };
    char path[SWEEP_PATH_SIZE];
    enum status st = STATUS_OK;
    for (int i = 0; i < 4 && st == STATUS_OK; i++)
        st = save_spare(sweep_job_path(run, point, of_command[i], path), diag);
    for (int i = 0; i < 2 && st == STATUS_OK; i++)
        st = save_spare(sweep_folder_path(run->folder, point, of_point[i], path), diag);
    return st;
}

/* --- Its command line ---------------------------------------------------------------------------------------- */

struct words { const char **word; int n; struct arena mem; };

static void add(struct words *words, const char *word)
{
    words->word = mem_grow(words->word, words->n, 1, sizeof *words->word);
    words->word[words->n++] = word;
}

static void add_values(const struct sweep_points *points, int k, struct words *words)
{
    char text[SWEEP_VALUE_SIZE];
    for (int i = 0; i < points->n_path; i++) {
        add(words, "--set");
        add(words, arena_printf(&words->mem, "%s=%s", points->path[i], sweep_points_value(points, k, i, text)));
    }
}

static void add_limit(const char *option, double seconds, struct words *words)
{
    if (!isfinite(seconds))
        return;
    add(words, option);
    add(words, arena_printf(&words->mem, "%.17g", seconds));
}

/* A try from a neighbour writes beside the result, which stays until the try is better. */
static const char *result_path(const struct sweep_run *run, const struct sweep_job *job, char *path)
{
    return sweep_folder_path(run->folder, job->point, job->guess >= 0 ? ".try.h5" : ".h5", path);
}

static void command_line(const struct sweep_run *run, const struct sweep_job *job, struct words *words)
{
    const struct sweep_command *command = run->command;
    char path[SWEEP_PATH_SIZE];
    add(words, command->program);
    add(words, command->name);
    add(words, command->spec ? command->spec : arena_copy_text(&words->mem, result_path(run, job, path)));
    add(words, "--json");
    for (int i = 0; i < command->n_option; i++) add(words, command->option[i]);
    if (command->spec) {
        add_values(run->points, job->point, words);
        add(words, "-o");
        add(words, arena_copy_text(&words->mem, result_path(run, job, path)));
        add_limit("--max-time", run->point_seconds, words);
        add_limit("--max-cpu", run->point_cpu, words);
    }
    if (job->guess >= 0) {
        add(words, "--guess");
        add(words, arena_copy_text(&words->mem, sweep_folder_path(run->folder, job->guess, ".h5", path)));
    }
    add(words, NULL);
}

/* --- Its process --------------------------------------------------------------------------------------------- */

static bool redirect(const char *path, int flags, int to)
{
    const int fd = open(path, flags | O_CREAT, 0666);
    return fd >= 0 && dup2(fd, to) == to && close(fd) == 0;
}

/* In the new process; does not return. */
static void become(const struct sweep_run *run, const char *line_path, const char *log_path, bool is_first,
                   const char **word, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);   /* whoever kills the sweep ends its points */
    if (getppid() != parent)
        _exit(1);
    if (isfinite(run->point_bytes)) {
        const struct rlimit limit = { (rlim_t)run->point_bytes, (rlim_t)run->point_bytes };
        setrlimit(RLIMIT_AS, &limit);
    }
    if (isfinite(run->point_cpu)) {
        const rlim_t seconds = (rlim_t)(KILL_AFTER * run->point_cpu + GRACE);
        const struct rlimit limit = { seconds, seconds };
        setrlimit(RLIMIT_CPU, &limit);
    }
    if (!redirect("/dev/null", O_RDONLY, STDIN_FILENO) || !redirect(line_path, O_WRONLY | O_TRUNC, STDOUT_FILENO)
        || !redirect(log_path, O_WRONLY | (is_first ? O_TRUNC : O_APPEND), STDERR_FILENO))
        _exit(1);
    execv(word[0], (char *const *)word);
    _exit(1);
}

enum status sweep_job_start(const struct sweep_run *run, struct sweep_job *job, struct diag *diag)
{
    char line_path[SWEEP_PATH_SIZE], log_path[SWEEP_PATH_SIZE];
    struct words words = { .n = 0 };
    command_line(run, job, &words);
    sweep_job_path(run, job->point, "line", line_path);
    sweep_job_path(run, job->point, "log", log_path);
    const pid_t parent = getpid();
    fflush(NULL);
    job->pid = fork();
    if (job->pid == 0)
        become(run, line_path, log_path, job->attempts == 1, words.word, parent);
    job->start = job->renewed = clock_seconds();
    job->is_interrupted = job->is_late = false;
    free(words.word);
    arena_free(&words.mem);
    if (job->pid > 0)
        return STATUS_OK;
    job->pid = 0;
    return diag_fail(diag, STATUS_IO, "cannot start a process: %s", strerror(errno));
}

void sweep_job_stop(struct sweep_job *job, bool is_hard)
{
    kill(-job->pid, is_hard ? SIGKILL : SIGINT);
    kill(job->pid, is_hard ? SIGKILL : SIGINT);         /* it may not lead its group yet */
    job->is_interrupted = true;
}

void sweep_job_watch(const struct sweep_run *run, struct sweep_job *job)
{
    char path[SWEEP_PATH_SIZE];
    const double now = clock_seconds();
    if (now - job->renewed > CLAIM_RENEW_SECONDS) {
        claim_renew(sweep_job_path(run, job->point, "claim", path));
        job->renewed = now;
    }
    if (!job->is_late && now - job->start > KILL_AFTER * run->point_seconds + GRACE) {
        kill(-job->pid, SIGKILL);
        job->is_late = true;
    }
}

/* --- What came of it ----------------------------------------------------------------------------------------- */

/* The JSON objects that the command has printed, a line each: one as it is, several as a
 * list; NULL if there is none. */
static const char *read_summary(const char *path, struct arena *mem)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return NULL;
    char *text = arena_alloc(mem, MAX_SUMMARY, 1), *rest = NULL;
    const char *all = NULL;
    int n_line = 0;
    (void)fread(text, 1, MAX_SUMMARY - 1, file);
    fclose(file);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), n_line++) {
        if (line[0] != '{' || line[strlen(line) - 1] != '}')
            return NULL;
        all = all ? arena_printf(mem, "%s, %s", all, line) : line;
    }
    return n_line > 1 ? arena_printf(mem, "[%s]", all) : all;
}

/* The word of the first "status" with an exit code but 0, else of the first one, into status [size]. */
static void status_of(const char *summary, const char *otherwise, char *status, size_t size)
{
    static const char key[] = "\"status\": \"", code[] = "\"exit_code\": ";
    const char *at = summary ? strstr(summary, key) : NULL, *word = at ? at + strlen(key) : otherwise;
    for (; at; at = strstr(at + 1, key)) {
        const char *number = strstr(at, code);
        if (number && number[strlen(code)] != '0') {
            word = at + strlen(key);
            break;
        }
    }
    (void)snprintf(status, size, "%.*s", (int)strcspn(word, "\""), word);
}

static const char *word_of_end(const struct sweep_job *job, int wait_status)
{
    if (job->is_late)
        return status_text(STATUS_LIMIT);
    return WIFSIGNALED(wait_status) ? "killed" : "failed";
}

static enum status write_record(const struct sweep_run *run, const struct sweep_job *job, int wait_status,
                                const char *line_path, struct diag *diag)
{
    char path[SWEEP_PATH_SIZE], status[40];
    struct arena mem = { NULL };
    const char *summary = read_summary(line_path, &mem);
    status_of(summary, word_of_end(job, wait_status), status, sizeof status);
    const struct sweep_record record = {
        .point = job->point, .command = run->command->name, .status = status, .summary = summary,
        .exit_code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1,
        .signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0,
        .attempts = job->attempts, .guess = job->guess, .seconds = clock_seconds() - job->start
    };
    sweep_job_path(run, job->point, "json", path);
    const enum status st = job->guess >= 0 && record.exit_code != 0
                               ? sweep_record_count(path, job->attempts, diag)
                               : sweep_record_write(path, &record, run->points, diag);
    arena_free(&mem);
    return st;
}

/* A try from a neighbour: its result takes the place of the failed one, or goes. */
static enum status settle(const struct sweep_run *run, const struct sweep_job *job, bool is_solved,
                          struct diag *diag)
{
    char from[SWEEP_PATH_SIZE], to[SWEEP_PATH_SIZE];
    result_path(run, job, from);
    if (is_solved && rename(from, sweep_folder_path(run->folder, job->point, ".h5", to)) != 0)
        return diag_fail(diag, STATUS_IO, "cannot rename %s: %s", from, strerror(errno));
    if (!is_solved)
        unlink(from);
    return STATUS_OK;
}

static bool was_interrupted(const struct sweep_job *job, int wait_status)
{
    const int code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 0;
    return job->is_interrupted && (WIFSIGNALED(wait_status) || code == 128 + SIGINT);
}

enum status sweep_job_end(const struct sweep_run *run, struct sweep_job *job, int wait_status,
                          enum job_outcome *outcome, struct diag *diag)
{
    char line_path[SWEEP_PATH_SIZE], claim_path[SWEEP_PATH_SIZE];
    enum status st = STATUS_OK;
    const bool is_solved = WIFEXITED(wait_status) && sweep_is_done(run->command, WEXITSTATUS(wait_status));
    sweep_job_path(run, job->point, "line", line_path);
    *outcome = is_solved ? JOB_SOLVED : was_interrupted(job, wait_status) ? JOB_DROPPED : JOB_FAILED;
    if (job->guess >= 0)
        st = settle(run, job, is_solved, diag);
    if (st == STATUS_OK && *outcome != JOB_DROPPED)
        st = write_record(run, job, wait_status, line_path, diag);
    unlink(line_path);
    claim_drop(sweep_job_path(run, job->point, "claim", claim_path));
    job->pid = 0;
    return st;
}
