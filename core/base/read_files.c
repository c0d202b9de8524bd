#define _XOPEN_SOURCE 700               /* realpath, st_mtim */

#include "core/base/read_files.h"

#include "core/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct read_file {
    const char *path;               /* from the root, so that it leads there from any folder */
    const char *what;               /* NULL: an output */
    dev_t device;
    ino_t inode;
    struct timespec changed;
};

static bool find_file(const char *path, struct stat *info)
{
    return stat(path, info) == 0 && S_ISREG(info->st_mode);
}

/* Numbers of inodes are used again: one that was changed since may be another file. */
static bool is_as_noted(const struct read_file *file, const struct stat *info)
{
    return file->device == info->st_dev && file->inode == info->st_ino && file->changed.tv_sec == info->st_mtim.tv_sec
           && file->changed.tv_nsec == info->st_mtim.tv_nsec;
}

static bool is_at_its_path(const struct read_file *file, const struct stat *info)
{
    struct stat now;
    return find_file(file->path, &now) && now.st_dev == info->st_dev && now.st_ino == info->st_ino;
}

/* The place of the file at that path in the list; -1: none. */
static int place_of(const struct read_files *files, const char *path)
{
    struct stat info;
    if (files->n == 0 || !find_file(path, &info))
        return -1;
    for (int k = 0; k < files->n; k++)
        if (is_as_noted(&files->list[k], &info) || is_at_its_path(&files->list[k], &info))
            return k;
    return -1;
}

static void add(struct read_files *files, const struct read_file *file)
{
    files->list = mem_grow(files->list, files->n, 1, sizeof *files->list);
    files->list[files->n] = *file;
    files->list[files->n].path = arena_copy_text(&files->mem, file->path);
    files->list[files->n++].what = file->what ? arena_copy_text(&files->mem, file->what) : NULL;
}

void read_files_add(struct read_files *files, const char *path, const char *what)
{
    struct stat info;
    if (!find_file(path, &info))
        return;
    char *resolved = realpath(path, NULL);
    const char *whole = resolved ? resolved : path;
    bool is_new = true;
    for (int k = files->n - 1; k >= 0; k--)             /* of several names the first one has the words */
        if (is_as_noted(&files->list[k], &info)) {
            what = files->list[k].what;
            is_new = is_new && strcmp(files->list[k].path, whole) != 0;
        }
    if (is_new)
        add(files, &(struct read_file){ whole, what, info.st_dev, info.st_ino, info.st_mtim });
    free(resolved);
}

const char *read_files_find(const struct read_files *files, const char *path)
{
    const int k = place_of(files, path);
    return k >= 0 ? files->list[k].what : NULL;
}

void read_files_forget(struct read_files *files, const char *path)
{
    for (int k; (k = place_of(files, path)) >= 0;)
        files->list[k] = files->list[--files->n];
}

void read_files_copy(const struct read_files *from, struct read_files *to)
{
    *to = (struct read_files){ .n = 0 };
    for (int k = 0; k < from->n; k++)
        add(to, &from->list[k]);
}

void read_files_free(struct read_files *files)
{
    free(files->list);
    arena_free(&files->mem);
}
