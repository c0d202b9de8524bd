/* Result files: read by a child that may die of it
 *
 * libhdf5 crashes on some damaged files, runs in circles on others, and asks for any amount of memory on a third
 * kind. A child with limits on its time and memory reads the file and hands the result over (handover.h);
 * whatever becomes of it, this process only learns that the file is damaged. It costs a fork and a copy: a
 * millisecond for 1 MB.
 */
#define _DEFAULT_SOURCE                 /* fdopen, setrlimit */

#include "core/results/results.h"

#include "core/base/mem.h"
#include "core/base/regular.h"
#include "core/results/handover.h"
#include "core/results/hdf5_read.h"
#include "core/results/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CPU_SECONDS = 10,                   /* of the child, and one for each of BYTES_A_SECOND; 30 times what it takes */
    BYTES_A_SECOND = 1 << 20,
    SPARE_MEMORY = 1 << 28,             /* besides what is read, in bytes */
    ROOM = 1 << 16
};

/* --- The child ----------------------------------------------------------------------------------------------- */

static void limit(int what, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) == 0 && (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > most)) {
        now.rlim_cur = most;
        (void)setrlimit(what, &now);
    }
}

/* Bytes of memory that the process has by now, counted as RLIMIT_AS counts; 0: not known. */
static rlim_t memory_in_use(void)
{
    char text[80] = "";
    FILE *in = fopen("/proc/self/statm", "r");
    if (!in)
        return 0;
    const bool known = fgets(text, sizeof text, in) != NULL;
    fclose(in);
    return known ? (rlim_t)strtoul(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

/* The values are there twice for a moment: as they come, and in the result. */
static void set_limits(size_t file_bytes)
{
    const rlim_t in_use = memory_in_use(), most = (rlim_t)trust_limit(file_bytes);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, CPU_SECONDS + (rlim_t)(file_bytes / BYTES_A_SECOND));
    if (in_use > 0 && most < RLIM_INFINITY / 4)
        limit(RLIMIT_AS, in_use + SPARE_MEMORY + 2 * most);
}

/* It dies at once, whatever the parent does at such signals, and nobody but the parent hears of it. */
static void die_quietly(void)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++)
        signal(signals[k], SIG_DFL);
}

/* Sends `R` and the result, or `E` and a message; ends the process. */
static void read_and_send(const char *path, size_t file_bytes, int fd)
{
    struct result *result;
    struct diag *diag = diag_create();
    die_quietly();
    set_limits(file_bytes);
    const enum status st = hdf5_read(path, NULL, 0, &result, diag);
    FILE *out = fdopen(fd, "wb");
    if (!out)
        _exit(1);
    putc(st == STATUS_OK ? 'R' : 'E', out);
    if (st == STATUS_OK)
        handover_write(result, out);
    else
        fputs(diag_text(diag, 0), out);
    _exit(fclose(out) == 0 ? 0 : 1);
}

/* --- The parent ---------------------------------------------------------------------------------------------- */

struct message { char *bytes; size_t n, room; };

/* The bytes that have come; false at the end, and after a failure. */
static bool receive(int fd, struct message *message)
{
    if (message->room - message->n < ROOM) {
        message->room = 2 * message->room + ROOM;
        message->bytes = mem_resize(message->bytes, message->room, 1);
    }
    const ssize_t n = read(fd, message->bytes + message->n, message->room - message->n - 1);
    if (n > 0)
        message->n += (size_t)n;
    return n > 0 || (n < 0 && errno == EINTR);
}

static enum status damaged(const char *path, int how, struct diag *diag)
{
    const bool by_signal = WIFSIGNALED(how), slow = by_signal && WTERMSIG(how) == SIGXCPU;
    return diag_fail(diag, STATUS_IO, "cannot read %s: damaged (%s)", path,
                     slow ? "reading it takes too long" : by_signal ? "the HDF5 library cannot take it"
                                                                    : "reading it takes too much memory");
}

/* What the message says of the child that ended so. */
static enum status take_message(const char *path, const struct message *message, int how, struct result **out,
                                struct diag *diag)
{
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0 || message->n == 0)
        return damaged(path, how, diag);
    if (message->bytes[0] == 'E') {
        message->bytes[message->n] = '\0';
        return diag_fail(diag, STATUS_IO, "%s", message->bytes + 1);
    }
    *out = handover_read(message->bytes + 1, message->n - 1);
    return *out ? STATUS_OK : damaged(path, how, diag);
}

static enum status read_by_child(const char *path, size_t file_bytes, struct result **out, struct diag *diag)
{
    int fd[2], how = 0;
    struct message message = { .n = 0 };
    if (pipe(fd) != 0)
        return diag_fail(diag, STATUS_IO, "cannot read %s: %s", path, strerror(errno));
    fflush(NULL);                       /* what is buffered must not come out twice */
    const pid_t child = fork();
    if (child == 0) {
        close(fd[0]);
        read_and_send(path, file_bytes, fd[1]);
    }
    close(fd[1]);
    if (child > 0) {
        while (receive(fd[0], &message)) continue;
        while (waitpid(child, &how, 0) < 0 && errno == EINTR) continue;
    }
    close(fd[0]);
    const enum status st = child > 0
        ? take_message(path, &message, how, out, diag)
        : diag_fail(diag, STATUS_IO, "cannot read %s: no process to read it: %s", path, strerror(errno));
    free(message.bytes);
    return st;
}

/* A sweep's folder is told what to read in it. */
static const char *folder_hint(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode)
        ? "; of a sweep's folder read table.csv, or one of the results in its folders" : "";
}

enum status result_read(const char *path, struct result **out, struct diag *diag)
{
    struct stat info = { .st_size = 0 };
    const char *why = "";
    FILE *file = regular_open(path, "a result that is read", diag, &why);
    *out = NULL;
    if (!file || fstat(fileno(file), &info) != 0 || info.st_size == 0) {
        diag_fail(diag, STATUS_IO, "cannot read %s: %s%s", path, file ? "the file is empty" : why,
                  folder_hint(path));
        if (file)
            fclose(file);
        return STATUS_IO;
    }
    fclose(file);
    return read_by_child(path, (size_t)info.st_size, out, diag);
}
