#define _POSIX_C_SOURCE 200809L

#include "core/sweep/claim.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_SIZE = 400 };

/* --- Who ----------------------------------------------------------------------------------------------------- */

/* When a process started, in ticks since the machine did: with it a number that is used again is told apart. 0:
 * there is no such process, or it is dead and nobody has asked how it died (state Z). Fields 3 and 22 of proc(5);
 * the name in field 2 may hold anything but ends with the last bracket. */
static unsigned long long start_of(long pid)
{
    char path[40], text[1024];
    unsigned long long start = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    const size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    char *at = strrchr(text, ')');
    if (at && at[1] && strchr("ZXx", at[2]))
        return 0;
    for (int field = 2; at && field < 22; field++) {
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
    }
    if (at)
        start = strtoull(at, NULL, 10);
    return start;
}

static void print_owner(char *text)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    (void)snprintf(text, TEXT_SIZE, "%s %ld %llu\n", host, (long)getpid(), start_of(getpid()));
}

/* --- Is it void? --------------------------------------------------------------------------------------------- */

static bool read_text(const char *path, char *text, struct stat *info)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    const ssize_t n = fstat(fd, info) == 0 ? read(fd, text, TEXT_SIZE - 1) : -1;
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n >= 0;
}

/* The time of the file system that holds path, whose clock need not be ours: that of a file made now. */
static time_t file_system_time(const char *path)
{
    char name[4200];
    struct stat info;
    (void)snprintf(name, sizeof name, "%s.%ld.now", path, (long)getpid());
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const bool is_known = fd >= 0 && fstat(fd, &info) == 0;
    if (fd >= 0) {
        close(fd);
        unlink(name);
    }
    return is_known ? info.st_mtime : time(NULL);
}

static bool is_void(const char *path, const char *text, const struct stat *info)
{
    char host[256] = "", *end;
    gethostname(host, sizeof host - 1);
    const size_t n = strlen(host);
    if (n > 0 && strncmp(text, host, n) == 0 && text[n] == ' ') {
        const long pid = strtol(text + n, &end, 10);
        const unsigned long long start = strtoull(end, &end, 10);
        if (*end == '\n')                       /* else half written: as one of another host */
            return start_of(pid) != start;
    }
    return difftime(file_system_time(path), info->st_mtime) > CLAIM_SECONDS;
}

bool claim_is_held(const char *path)
{
    char text[TEXT_SIZE];
    struct stat info;
    return read_text(path, text, &info) && !is_void(path, text, &info);
}

/* --- Taking -------------------------------------------------------------------------------------------------- */

static bool create(const char *path)
{
    char text[TEXT_SIZE];
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    print_owner(text);
    const bool is_written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    return close(fd) == 0 && is_written;
}

bool claim_take(const char *path)
{
    char text[TEXT_SIZE];
    struct stat info;
    if (create(path))
        return true;
    if (!read_text(path, text, &info) || !is_void(path, text, &info))
        return false;
    unlink(path);
    return create(path);
}

void claim_renew(const char *path)
{
    utimensat(AT_FDCWD, path, NULL, 0);
}

void claim_drop(const char *path)
{
    unlink(path);
}
