#define _POSIX_C_SOURCE 200809L

#include "core/sweep/folder.h"

#include "core/base/mem.h"
#include "core/results/save.h"
#include "core/spec/spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PER_FOLDER = 1000 };

const char *sweep_folder_path(const char *folder, int k, const char *suffix, char *path)
{
    (void)snprintf(path, SWEEP_PATH_SIZE, "%s/%03d/%06d%s", folder, k / PER_FOLDER, k, suffix);
    return path;
}

static enum status make(const char *path, struct diag *diag)
{
    struct stat info;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)))
        return STATUS_OK;
    return diag_fail(diag, STATUS_IO, "cannot make the folder %s: %s", path, strerror(errno));
}

/* Does the file hold exactly this text? */
static bool holds(FILE *file, const char *text)
{
    const size_t n = strlen(text);
    char *bytes = mem_alloc(n + 2, 1);
    const bool same = fread(bytes, 1, n + 1, file) == n && memcmp(bytes, text, n) == 0;
    free(bytes);
    return same;
}

enum status sweep_folder_open(const char *folder, const char *name, const char *what, bool is_forced,
                              struct diag *diag)
{
    char path[SWEEP_PATH_SIZE];
    const enum status st = make(folder, diag);
    if (st != STATUS_OK)
        return st;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path - 64)
        return diag_fail(diag, STATUS_USAGE, "%s: the name is too long", folder);
    FILE *file = fopen(path, "re");
    const bool is_there = file != NULL, is_same = file && holds(file, what);
    if (file)
        fclose(file);
    if (is_same)
        return STATUS_OK;
    if (is_there && !is_forced)
        return diag_fail(diag, STATUS_USAGE, "%s holds another sweep (another spec, other points or options, see %s): "
                         "choose another folder, or --force to replace what it says", folder, path);
    return save_bytes(path, what, strlen(what), diag);
}

int sweep_folder_read(const char *folder, char *command, size_t size)
{
    static const char *const commands[] = { "solve", "simulate", "impact", "certify", "verify" };
    char path[SWEEP_PATH_SIZE];
    struct stat info;
    time_t newest = 0;
    (void)snprintf(path, sizeof path, "%s/sweep.json", folder);
    struct diag *diag = diag_create();
    struct spec *what = NULL;
    const bool is_read = spec_read_file(path, 0, NULL, &what, diag) == STATUS_OK;
    const struct spec_node *points = is_read ? spec_get(spec_root(what), "points") : NULL;
    int n = points && points->text ? (int)strtol(points->text, NULL, 10) : -1;
    spec_free(what);
    diag_free(diag);
    command[0] = '\0';
    for (int i = 0; i < 5; i++) {
        (void)snprintf(path, sizeof path, "%s/%s.json", folder, commands[i]);
        if (stat(path, &info) != 0 || (command[0] && info.st_mtime < newest))
            continue;
        newest = info.st_mtime;
        (void)snprintf(command, size, "%s", commands[i]);
    }
    return command[0] ? n : -1;
}

enum status sweep_folder_make(const char *folder, int k, struct diag *diag)
{
    char path[SWEEP_PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/%03d", folder, k / PER_FOLDER);
    return make(path, diag);
}
