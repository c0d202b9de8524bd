#include "cli/spec_command.h"

#include "cli/output_file.h"

#include <string.h>

static bool is_solved(const char *path)
{
    struct diag *diag = diag_create();      /* a file that is not there is no mistake */
    struct result *result = NULL;
    const char *status = NULL;
    if (result_read(path, &result, diag) == STATUS_OK)
        status = result_get_text(result_find(result, "/"), "status");
    const bool solved = status && strcmp(status, status_text(STATUS_OK)) == 0;
    result_free(result);
    diag_free(diag);
    return solved;
}

bool spec_command_is_done(const struct cli_args *args, const char *word, struct diag *diag)
{
    const bool is_done = args->skip_existing && is_solved(args->out_path);
    if (is_done)
        diag_add(diag, DIAG_NOTE, STATUS_OK, (struct srcpos){ .file = NULL }, NULL, "%s is %s, nothing to do",
                 args->out_path, word);
    return is_done;
}

enum status spec_command_unless_done(const struct cli_args *args, enum model_need need, const char *word,
                                     spec_command *command, struct diag *diag)
{
    struct problem problem;
    if (spec_command_is_done(args, word, diag))
        return STATUS_OK;
    enum status st = problem_read(args, need, &problem, diag);
    if (st == STATUS_OK)
        st = output_file_check(args, diag);
    if (st == STATUS_OK)
        st = command(args, &problem, diag);
    problem_free(&problem);
    return st;
}
