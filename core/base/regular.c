#define _POSIX_C_SOURCE 200809L

#include "core/base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *regular_open(const char *path, const char *what, struct diag *diag, const char **why)
{
    struct stat info;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);       /* a pipe without a writer is no trap */
    FILE *file = NULL;
    if (fd < 0 || fstat(fd, &info) != 0)
        *why = strerror(errno);
    else if (S_ISDIR(info.st_mode))
        *why = strerror(EISDIR);
    else if (!S_ISREG(info.st_mode))
        *why = "not a regular file";
    else if (!(file = fdopen(fd, "rb")))
        *why = strerror(errno);
    if (fd >= 0 && !file)
        close(fd);
    if (file)
        read_files_add(diag_read_files(diag), path, what);
    return file;
}
