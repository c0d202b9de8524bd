#define _XOPEN_SOURCE 700               /* realpath, readlink */
#define _DEFAULT_SOURCE                 /* flock */

#include "core/results/save.h"

#include "core/base/arena.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MAX_LINKS = 40 };                /* as the system follows */
static const double ABANDONED_SECONDS = 3600;   /* whoever has the process' number by now, it is not the writer */

static enum status fail(struct diag *diag, const char *path, int error)
{
    return diag_fail(diag, STATUS_IO, "cannot write %s: %s", path, strerror(error));
}

/* --- Names --------------------------------------------------------------------------------------------------- */

static const char *folder_of(struct arena *mem, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return ".";
    return arena_printf(mem, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* Where a link leads, one step; NULL for what is no link. */
static const char *link_target(struct arena *mem, const char *path)
{
    char to[PATH_MAX];
    const ssize_t n = readlink(path, to, sizeof to - 1);
    if (n <= 0)
        return NULL;
    to[n] = '\0';
    return to[0] == '/' ? arena_copy_text(mem, to) : arena_printf(mem, "%s/%s", folder_of(mem, path), to);
}

/* The name of the file itself, links followed, also those to files that are not there yet; NULL: a circle. */
static const char *target_of(struct arena *mem, const char *path)
{
    for (int k = 0; k < MAX_LINKS; k++) {
        const char *next = link_target(mem, path);
        if (!next)
            return path;
        path = next;
    }
    return NULL;
}

/* --- Temporary files ----------------------------------------------------------------------------------------- */

#define BEFORE_PID ".cocp."
#define AFTER_PID ".tmp"

/* The process that a temporary file is named after; 0 for other names. */
static long writer_of(const char *name)
{
    const size_t n = strlen(name), before = sizeof BEFORE_PID - 1, after = sizeof AFTER_PID - 1;
    if (n <= before + after || strncmp(name, BEFORE_PID, before) != 0 || strcmp(name + n - after, AFTER_PID) != 0)
        return 0;
    const long pid = strtol(name + before, NULL, 10);
    return pid > 0 && pid <= INT_MAX ? pid : 0;
}

/* Has its writer gone? A writer holds the lock for as long as it lives, on whichever machine's or container's count
 * of processes it is. */
static bool is_abandoned(int fd, long pid)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || flock(fd, LOCK_EX | LOCK_NB) != 0)
        return false;
    return (kill((pid_t)pid, 0) != 0 && errno == ESRCH) || difftime(time(NULL), info.st_mtime) > ABANDONED_SECONDS;
}

/* Removes what killed runs have left in the folder. */
static void clean_folder(const char *folder, const struct read_files *files)
{
    struct arena mem = { NULL };
    DIR *list = opendir(folder);
    if (!list)
        return;
    for (const struct dirent *entry; (entry = readdir(list));) {
        const long pid = writer_of(entry->d_name);
        const int fd =
            pid ? openat(dirfd(list), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
        if (fd < 0)
            continue;
        if (is_abandoned(fd, pid) && !read_files_find(files, arena_printf(&mem, "%s/%s", folder, entry->d_name)))
            unlinkat(dirfd(list), entry->d_name, 0);
        close(fd);
    }
    closedir(list);
    arena_free(&mem);
}

/* Opens a new, locked file in the folder; O_EXCL, so that nobody else's file is ever touched. Its name does not
 * depend on the target's, which may be as long as names can be. */
static int open_temporary(struct arena *mem, const char *folder, const char **name)
{
    int fd = -1;
    for (int k = 0; k < 100 && fd < 0; k++) {
        *name = arena_printf(mem, "%s/" BEFORE_PID "%ld.%d" AFTER_PID, folder, (long)getpid(), k);
        fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd >= 0)
        (void)flock(fd, LOCK_EX | LOCK_NB);     /* where there are no locks, it is never taken for abandoned */
    return fd;
}

/* --- Writing ------------------------------------------------------------------------------------------------- */

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        const ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = ENOSPC;
        if (done <= 0)
            return false;
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

/* A rename is on the disk once its folder is. Some file systems cannot sync folders: that is no failure. */
static void sync_folder(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

/* The new file may do what the old one might. */
static void keep_mode(int fd, const char *target)
{
    struct stat old;
    if (stat(target, &old) == 0)
        (void)fchmod(fd, old.st_mode & 0777);
}

/* Writes and renames; returns 0 or errno, the temporary file gone in the second case. */
static int replace(struct arena *mem, const char *target, const char *bytes, size_t n)
{
    const char *const folder = folder_of(mem, target), *name;
    const int fd = open_temporary(mem, folder, &name);
    if (fd < 0)
        return errno;
    keep_mode(fd, target);
    int error = write_all(fd, bytes, n) && fsync(fd) == 0 ? 0 : errno;
    if (error == 0 && rename(name, target) != 0)    /* before its lock goes: a cleaner must not find it */
        error = errno;
    if (close(fd) != 0 && error == 0)
        error = errno;                              /* fsync has had its say: the bytes are there all the same */
    if (error != 0)
        unlink(name);
    else
        sync_folder(folder);
    return error;
}

/* Signals wait while a temporary file is there: only a kill leaves one behind. */
static int replace_undisturbed(struct arena *mem, const char *target, const char *bytes, size_t n)
{
    sigset_t asked, before;
    sigemptyset(&asked);
    sigaddset(&asked, SIGINT);
    sigaddset(&asked, SIGTERM);
    sigaddset(&asked, SIGHUP);
    sigaddset(&asked, SIGALRM);
    sigaddset(&asked, SIGXCPU);
    sigprocmask(SIG_BLOCK, &asked, &before);
    const int error = replace(mem, target, bytes, n);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return error;
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

/* 0 or errno: a file could be made in the folder of the target. */
static int try_folder(struct arena *mem, const char *target)
{
    const char *const folder = folder_of(mem, target), *const slash = strrchr(target, '/'), *name;
    const long longest = pathconf(folder, _PC_NAME_MAX);
    if (longest > 0 && strlen(slash ? slash + 1 : target) > (size_t)longest)
        return ENAMETOOLONG;
    if (access(target, F_OK) == 0 && access(target, W_OK) != 0)
        return errno;
    const int fd = open_temporary(mem, folder, &name);
    if (fd < 0)
        return errno;
    close(fd);
    unlink(name);
    return 0;
}

enum status save_spare(const char *path, struct diag *diag)
{
    const char *what = read_files_find(diag_read_files(diag), path);
    return what ? diag_fail(diag, STATUS_IO,
                            "%s would be written over: it is %s; give the result another name with -o", path, what)
                : STATUS_OK;
}

/* Neither a folder nor a device is replaced, nor what was read. */
static enum status check_kind(const char *path, bool *is_void, struct diag *diag)
{
    struct stat info;
    if (save_spare(path, diag) != STATUS_OK)
        return STATUS_IO;
    *is_void = strcmp(path, "/dev/null") == 0;
    if (*is_void || stat(path, &info) != 0 || S_ISREG(info.st_mode))
        return STATUS_OK;
    return S_ISDIR(info.st_mode) ? fail(diag, path, EISDIR)
                                 : diag_fail(diag, STATUS_IO, "cannot write %s: not a regular file", path);
}

enum status save_check(const char *path, struct diag *diag)
{
    bool is_void;
    const enum status st = check_kind(path, &is_void, diag);
    if (st != STATUS_OK || is_void)
        return st;
    struct arena mem = { NULL };
    const char *target = target_of(&mem, path);
    if (target)
        clean_folder(folder_of(&mem, target), diag_read_files(diag));
    const int error = target ? try_folder(&mem, target) : ELOOP;
    arena_free(&mem);
    return error == 0 ? STATUS_OK : fail(diag, path, error);
}

enum status save_bytes(const char *path, const void *bytes, size_t n, struct diag *diag)
{
    bool is_void;
    const enum status st = check_kind(path, &is_void, diag);
    if (st != STATUS_OK || is_void)
        return st;
    struct arena mem = { NULL };
    const char *target = target_of(&mem, path);
    const int error = target ? replace_undisturbed(&mem, target, bytes, n) : ELOOP;
    arena_free(&mem);
    return error == 0 ? STATUS_OK : fail(diag, path, error);
}
