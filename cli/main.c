#include "cli/commands.h"
#include "cli/interrupt.h"
#include "core/nlp/nlp.h"
#include "core/output/head.h"

#include <assert.h>

static enum status run(const struct cli_args *args, struct diag *diag)
{
    switch (args->command) {
    case CLI_SOLVE:    return cmd_solve(args, diag);
    case CLI_SIMULATE: return cmd_simulate(args, diag);
    case CLI_VERIFY:   return cmd_verify(args, diag);
    case CLI_IMPACT:   return cmd_impact(args, diag);
    case CLI_CERTIFY:  return cmd_certify(args, diag);
    case CLI_CHECK:    return cmd_check(args, diag);
    case CLI_SHOW:     return cmd_show(args, diag);
    case CLI_SUMMARY:  return cmd_summary(args, diag);
    case CLI_EXPORT:   return cmd_export(args, diag);
    case CLI_INIT:     return cmd_init(args, diag);
    case CLI_NONE:     break;
    }
    assert(!"args_parse lets no command line without a command through");
    return STATUS_INTERNAL;
}

/* stdout may be a full disk or a closed pipe: output that got lost is not a success. */
static enum status flush_stdout(enum status st, struct diag *diag)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return st;
    return st == STATUS_OK ? diag_fail(diag, STATUS_IO, "cannot write to standard output") : st;
}

static int exit_code(enum status st)
{
    return st == STATUS_INTERRUPTED && *interrupt_flag() == SIGTERM ? 128 + SIGTERM : status_exit_code(st);
}

int main(int argc, char **argv)
{
    struct diag *diag = diag_create();
    struct cli_args args;
    enum status st = args_parse(argc, argv, &args, diag);
    if (st == STATUS_OK && args.help) {
        args_print_help(args.command, stdout);
    } else if (st == STATUS_OK && args.version) {
        printf("cocp %s (%s)\n", COCP_VERSION, nlp_solver_version());
    } else if (st == STATUS_OK) {
        interrupt_install();
        st = run(&args, diag);
    }
    st = flush_stdout(st, diag);
    if (args.verbosity >= 0 || diag_n_errors(diag) > 0)
        diag_print(diag, stderr);
    args_free(&args);
    diag_free(diag);
    return exit_code(st);
}
