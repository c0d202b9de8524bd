#include "cli/commands.h"
#include "cli/verification.h"

enum status cmd_verify(const struct cli_args *args, struct diag *diag)
{
    const char *path = args->input[0];
    return verification_run(args, path, args->out_path ? args->out_path : path, args->tol, diag);
}
