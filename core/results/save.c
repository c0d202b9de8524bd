#define _XOPEN_SOURCE 700               /* realpath */

#include "core/results/save.h"

#include "core/base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status fail(struct diag *diag, const char *path, int error)
{
    return diag_fail(diag, STATUS_IO, "cannot write %s: %s", path, strerror(error));
}

/* The name of the file itself, links followed; of a new file, the path as given. */
static const char *target_of(struct arena *mem, const char *path)
{
    char *real = realpath(path, NULL);
    const char *target = arena_copy_text(mem, real ? real : path);
    free(real);
    return target;
}

static const char *folder_of(struct arena *mem, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return ".";
    return arena_printf(mem, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* Opens a new file beside the target; O_EXCL, so that nobody else's file is ever touched. */
static int open_temporary(struct arena *mem, const char *folder, const char *target, const char **name)
{
    const char *slash = strrchr(target, '/');
    int fd = -1;
    for (int k = 0; k < 100 && fd < 0; k++) {
        *name = arena_printf(mem, "%s/.%s.%ld.%d.tmp", folder, slash ? slash + 1 : target, (long)getpid(), k);
        fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        const ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
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

/* Writes and renames; returns 0 or errno, the temporary file gone in the second case. */
static int replace(struct arena *mem, const char *target, const char *bytes, size_t n)
{
    const char *const folder = folder_of(mem, target), *name;
    const int fd = open_temporary(mem, folder, target, &name);
    if (fd < 0)
        return errno;
    int error = write_all(fd, bytes, n) && fsync(fd) == 0 ? 0 : errno;
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(name, target) != 0)
        error = errno;
    if (error != 0)
        unlink(name);
    else
        sync_folder(folder);
    return error;
}

enum status save_bytes(const char *path, const void *bytes, size_t n, struct diag *diag)
{
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        if (strcmp(path, "/dev/null") == 0)
            return STATUS_OK;
        return S_ISDIR(info.st_mode) ? fail(diag, path, EISDIR)
                                     : diag_fail(diag, STATUS_IO, "cannot write %s: not a regular file", path);
    }
    struct arena mem = { NULL };
    const int error = replace(&mem, target_of(&mem, path), bytes, n);
    arena_free(&mem);
    return error == 0 ? STATUS_OK : fail(diag, path, error);
}
