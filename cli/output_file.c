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

void output_file_note(const char *path, const char *what, struct diag *diag)
{
    struct arena mem = { NULL };
    const char *at = path ? strrchr(path, '@') : NULL;
    if (path)
        read_files_add(diag_read_files(diag), path, what);
    if (at)
        read_files_add(diag_read_files(diag), arena_printf(&mem, "%.*s", (int)(at - path), path), what);
    arena_free(&mem);
}

static const char *operand_words(enum cli_command command)
{
    return command == CLI_EXPORT ? "what is exported" : command == CLI_REPORT ? "what is reported" : "the spec";
}

void output_file_note_words(const struct cli_args *args, struct diag *diag)
{
    for (int k = 0; k < args->n_input && args->command != CLI_VERIFY; k++)
        output_file_note(args->input[k], k > 0 && args->command == CLI_BOUND ? "the result that is compared with"
                                                                             : operand_words(args->command), diag);
    output_file_note(args->guess_path, "the result of --guess", diag);
    output_file_note(args->controls_path, "the file of --controls", diag);
    output_file_note(args->from, args->command == CLI_SWEEP ? "the table of --from" : "the result of --from", diag);
}

enum status output_file_check(const struct cli_args *args, struct diag *diag)
{
    output_file_note_words(args, diag);
    return args->call ? STATUS_OK : save_check(args->out_path, diag);
}

/* --- Over something better ----------------------------------------------------------------------------------- */

enum { BEST_RANK = 2 };

static int rank_of(const char *status)
{
    return strcmp(status, status_text(STATUS_OK)) == 0 ? BEST_RANK
                                                       : strcmp(status, status_text(STATUS_ACCEPTABLE)) == 0;
}

static const char *status_of(const struct result *result)
{
    const char *status = result_get_text(result_find(result, "/"), "status");
    return status ? status : "";
}

static bool is_hdf5(const char *path, struct diag *diag)
{
    static const char signature[] = "\211HDF\r\n\032\n";
    char start[sizeof signature - 1] = "";
    const char *why;
    FILE *file = regular_open(path, "the old result", diag, &why);
    const bool is = file && fread(start, sizeof start, 1, file) == 1 && memcmp(start, signature, sizeof start) == 0;
    if (file)
        fclose(file);
    return is;
}

/* Outcomes of an impact and certificates answer other questions than a motion does. */
static int question_of(const struct result *result)
{
    static const char *const methods[] = { "impact", "certify", "bound" };
    const char *method = result_get_text(result_find(result, "/"), "method");
    for (int k = 0; k < 3 && method; k++)
        if (strcmp(method, methods[k]) == 0)
            return k + 1;
    return 0;
}

/* Why the result at that path is to be kept from this one, in words; NULL: it is not, or there is none. One that
 * cannot be read, for want of memory perhaps, is kept from what is worth nothing. */
static const char *worth_of_file(const char *path, const struct result *result)
{
    struct result *old = NULL;
    struct diag *silent = diag_create();
    const char *worth = NULL;
    const int rank = rank_of(status_of(result));
    if (is_hdf5(path, silent)) {
        const bool is_read = result_read(path, &old, silent) == STATUS_OK;
        if ((is_read ? rank_of(status_of(old)) : 1) > rank)
            worth = "a better result";
        else if (is_read && question_of(old) != question_of(result))
            worth = "the result of another command";
    }
    result_free(old);
    diag_free(silent);
    return worth;
}

/* "hopper.h5" becomes "hopper-interrupted.h5"; its room is ARGS_OUT_ROOM. The end of a
 * name that is too long goes. */
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

/* Leaves the result of another command alone, and a better one. The place beside may hold
 * anything but what is read. */
static void evade_worthy(const struct cli_args *args, const struct result *result, struct diag *diag)
{
    struct arena mem = { NULL };
    const char *wanted = arena_copy_text(&mem, args->out_path);
    const char *worth = args->force ? NULL : worth_of_file(args->out_path, result);
    if (worth) {
        move_beside(args->out_path, status_of(result));
        diag_add(diag, DIAG_WARNING, STATUS_OK, (struct srcpos){ .file = NULL }, NULL,
                 "%s holds %s and keeps it; this one, %s, is in %s (--force replaces)", wanted, worth, status_of(result),
                 args->out_path);
    }
    arena_free(&mem);
}

/* What is read has been spared before the work (output_file_check); this is for what has come under that name
 * since, and for the place beside. */
static void evade_what_is_read(const struct cli_args *args, const struct result *result, struct diag *diag)
{
    struct arena mem = { NULL };
    const char *wanted = arena_copy_text(&mem, args->out_path),
               *what = read_files_find(diag_read_files(diag), wanted);
    for (int k = 1; k < 100 && read_files_find(diag_read_files(diag), args->out_path); k++) {
        memcpy(args->out_path, wanted, strlen(wanted) + 1);
        move_beside(args->out_path, k == 1 ? status_of(result) : arena_printf(&mem, "%s-%d", status_of(result), k));
    }
    if (what)
        diag_add(diag, DIAG_WARNING, STATUS_OK, (struct srcpos){ .file = NULL }, NULL,
                 "%s is %s and stays; the result, %s, is in %s", wanted, what, status_of(result), args->out_path);
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
    evade_worthy(args, result, diag);
    evade_what_is_read(args, result, diag);
    stop_keep();                        /* from here on the program ends with what the file will say */
    const enum status st = result_write(result, args->out_path, diag);
    result_free(result);
    return st;
}
