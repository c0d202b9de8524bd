#define _POSIX_C_SOURCE 200809L

#include "cli/output_file.h"

#include "cli/ticker.h"

#include "core/base/regular.h"
#include "core/base/stop.h"
#include "core/results/digest.h"
#include "core/results/save.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* --- Onto what is read --------------------------------------------------------------------------------------- */

enum status output_file_spare(const struct cli_args *args, const char *path, const char *what, struct diag *diag)
{
    struct stat out, in;
    if (!path || !args->out_path || stat(args->out_path, &out) != 0 || stat(path, &in) != 0)
        return STATUS_OK;
    if (!S_ISREG(out.st_mode) || out.st_dev != in.st_dev || out.st_ino != in.st_ino)
        return STATUS_OK;
    return diag_fail(diag, STATUS_USAGE, "%s would be written over: it is %s; give the result another name with -o",
                     args->out_path, what);
}

/* FILE.h5@T */
static enum status spare_event(const struct cli_args *args, struct diag *diag)
{
    const char *at = args->from ? strrchr(args->from, '@') : NULL;
    struct arena mem = { NULL };
    const char *path = at ? arena_printf(&mem, "%.*s", (int)(at - args->from), args->from) : args->from;
    const enum status st = output_file_spare(args, path, "the result of --from", diag);
    arena_free(&mem);
    return st;
}

enum status output_file_check(const struct cli_args *args, struct diag *diag)
{
    enum status st = STATUS_OK;
    for (int k = 0; k < args->n_input && st == STATUS_OK && args->command != CLI_VERIFY; k++)
        st = output_file_spare(args, args->input[k], args->command == CLI_EXPORT ? "what is exported" : "the spec", diag);
    if (st == STATUS_OK)
        st = output_file_spare(args, args->guess_path, "the result of --guess", diag);
    if (st == STATUS_OK)
        st = output_file_spare(args, args->controls_path, "the file of --controls", diag);
    if (st == STATUS_OK)
        st = spare_event(args, diag);
    return st == STATUS_OK && !args->call ? save_check(args->out_path, diag) : st;
}

/* --- Over something better ----------------------------------------------------------------------------------- */

enum { BEST_RANK = 2 };

static int rank_of(const char *status)
{
    return strcmp(status, status_text(STATUS_OK)) == 0 ? BEST_RANK : strcmp(status, status_text(STATUS_ACCEPTABLE)) == 0;
}

static const char *status_of(const struct result *result)
{
    const char *status = result_get_text(result_find(result, "/"), "status");
    return status ? status : "";
}

static bool is_hdf5(const char *path)
{
    static const char signature[] = "\211HDF\r\n\032\n";
    char start[sizeof signature - 1] = "";
    const char *why;
    FILE *file = regular_open(path, &why);
    const bool is = file && fread(start, sizeof start, 1, file) == 1 && memcmp(start, signature, sizeof start) == 0;
    if (file)
        fclose(file);
    return is;
}

/* 0 of what is no result. One that cannot be read, for want of memory perhaps, is spared by what is worth nothing. */
static int rank_of_file(const char *path)
{
    struct result *result = NULL;
    if (!is_hdf5(path))
        return 0;
    struct diag *silent = diag_create();
    const int rank = result_read(path, &result, silent) == STATUS_OK ? rank_of(status_of(result)) : 1;
    result_free(result);
    diag_free(silent);
    return rank;
}

/* "hopper.h5" becomes "hopper-interrupted.h5"; its room is ARGS_OUT_ROOM. The end of a name that is too long goes. */
static void move_beside(char *path, const char *status)
{
    enum { LONGEST = 255 };
    char suffix[ARGS_OUT_ROOM];
    char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    size_t stem = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    (void)snprintf(suffix, sizeof suffix, "-%.40s%.10s", status, dot && dot != base ? dot : "");
    for (char *c = suffix; *c; c++)
        if (*c == ' ')
            *c = '-';
    if (stem + strlen(suffix) > LONGEST)
        stem = LONGEST - strlen(suffix);
    memcpy(base + stem, suffix, strlen(suffix) + 1);
}

/* Leaves a better result alone. The place beside may hold anything but one. What nothing can better is not compared:
 * reading the file there may take longer than a short solve. */
static void evade_better(const struct cli_args *args, const struct result *result, struct diag *diag)
{
    struct arena mem = { NULL };
    const char *wanted = arena_copy_text(&mem, args->out_path);
    const int rank = rank_of(status_of(result));
    if (!args->force && rank < BEST_RANK && rank_of_file(args->out_path) > rank) {
        move_beside(args->out_path, status_of(result));
        diag_add(diag, DIAG_WARNING, STATUS_OK, (struct srcpos){ .file = NULL }, NULL,
                 "%s holds a better result and keeps it; this one, %s, is in %s (--force replaces)", wanted,
                 status_of(result), args->out_path);
    }
    arena_free(&mem);
}

enum status output_file_write(const struct cli_args *args, struct result *result, struct diag *diag)
{
    ticker_end(args->ticker);
    digest_write(result);
    if (args->call) {
        args->call->found = result;
        return STATUS_OK;
    }
    evade_better(args, result, diag);
    stop_keep();                        /* from here on the program ends with what the file will say */
    const enum status st = result_write(result, args->out_path, diag);
    result_free(result);
    return st;
}
