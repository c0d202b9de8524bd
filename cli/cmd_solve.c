#include "cli/commands.h"
#include "cli/outcome.h"
#include "cli/problem.h"

#include <stdlib.h>

/* The transcription of the whole problem and its homotopy are called here. */
static enum status solve(const struct cli_args *args, struct problem *problem, const char *out_path,
                         struct diag *diag)
{
    (void)problem;
    return diag_fail(diag, STATUS_INTERNAL, "%s: solve is not connected yet (%s)", args->input[0], out_path);
}

enum status cmd_solve(const struct cli_args *args, struct diag *diag)
{
    struct problem problem;
    char *out_path = args_out_path(args, ".h5");
    if (args->skip_existing && outcome_is_there(out_path)) {
        diag_add(diag, DIAG_NOTE, STATUS_OK, (struct srcpos){.file = NULL}, NULL, "%s is solved, nothing to do", out_path);
        free(out_path);
        return STATUS_OK;
    }
    enum status st = problem_read(args, MODEL_FOR_SOLVE, &problem, diag);
    if (st == STATUS_OK)
        st = solve(args, &problem, out_path, diag);
    problem_free(&problem);
    free(out_path);
    return st;
}
