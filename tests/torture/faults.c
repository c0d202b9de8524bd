/* Preloaded into the program by tests/torture/run: makes one call of the system fail, as a full disk or a machine without
 * room for another process does.
 *
 *   COCP_FAULT=write:3:ENOSPC     the third write fails with that error, and all writes after it
 *
 * Only calls on files that are written count, not what goes to terminals and pipes; of malloc, calloc and realloc any.
 * Where the call was reached, the file COCP_FAULT_REACHED is made: one more is to be tried.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int count;

/* The plan for this kind of call: which one fails, and with what; 0: none. */
static int planned(const char *kind, int *error)
{
    static const struct { const char *name; int value; } errors[] = {
        { "ENOSPC", ENOSPC }, { "EIO", EIO }, { "EDQUOT", EDQUOT }, { "EMFILE", EMFILE }, { "EAGAIN", EAGAIN },
        { "ENOMEM", ENOMEM }, { "EINTR", EINTR }, { "EACCES", EACCES }
    };
    const char *plan = getenv("COCP_FAULT");
    const size_t n = strlen(kind);
    if (!plan || strncmp(plan, kind, n) != 0 || plan[n] != ':')
        return 0;
    char *rest;
    const int at = (int)strtol(plan + n + 1, &rest, 10);
    *error = EIO;
    for (size_t k = 0; *rest == ':' && k < sizeof errors / sizeof errors[0]; k++)
        if (strcmp(rest + 1, errors[k].name) == 0)
            *error = errors[k].value;
    return at;
}

static void note_reached(void)
{
    const char *path = getenv("COCP_FAULT_REACHED");
    const int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT, 0600) : -1;
    if (fd >= 0)
        syscall(SYS_close, fd);
}

static bool fails(const char *kind)
{
    int error = 0;
    const int at = planned(kind, &error);
    if (at == 0 || __sync_add_and_fetch(&count, 1) < at)
        return false;
    note_reached();
    errno = error;
    return true;
}

static bool is_file(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t n)
{
    if (is_file(fd) && fails("write"))
        return -1;
    if (is_file(fd) && n > 1 && fails("short"))
        n /= 2;
    return NEXT(write)(fd, bytes, n);
}

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    if ((flags & O_CREAT) && fails("create"))
        return -1;
    if (!(flags & O_CREAT) && fails("open"))
        return -1;
    return NEXT(open)(path, flags, mode);
}

int fsync(int fd)
{
    return fails("fsync") ? -1 : NEXT(fsync)(fd);
}

int close(int fd)
{
    if (is_file(fd) && fails("close")) {
        const int error = errno;
        NEXT(close)(fd);
        errno = error;
        return -1;
    }
    return NEXT(close)(fd);
}

int rename(const char *from, const char *to)
{
    return fails("rename") ? -1 : NEXT(rename)(from, to);
}

int unlink(const char *path)
{
    return fails("unlink") ? -1 : NEXT(unlink)(path);
}

int fchmod(int fd, mode_t mode)
{
    return fails("fchmod") ? -1 : NEXT(fchmod)(fd, mode);
}

pid_t fork(void)
{
    return fails("fork") ? -1 : NEXT(fork)();
}

int pipe(int fd[2])
{
    return fails("pipe") ? -1 : NEXT(pipe)(fd);
}
