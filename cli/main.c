#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/ticker.h"
#include "core/base/mem.h"
#include "core/nlp/mumps.h"
#include "core/nlp/nlp.h"
#include "core/output/head.h"
#include "core/results/results.h"
#include "core/spec/spec.h"

#include <assert.h>
#include <lapacke.h>

static enum status (*const commands[CLI_NONE])(const struct cli_args *args, struct diag *diag) = {
    [CLI_SOLVE] = cmd_solve, [CLI_SIMULATE] = cmd_simulate, [CLI_VERIFY] = cmd_verify, [CLI_IMPACT] = cmd_impact,
    [CLI_CERTIFY] = cmd_certify, [CLI_BOUND] = cmd_bound, [CLI_SWEEP] = cmd_sweep, [CLI_CHECK] = cmd_check, [CLI_SHOW] = cmd_show,
    [CLI_SUMMARY] = cmd_summary, [CLI_EXPORT] = cmd_export, [CLI_INIT] = cmd_init, [CLI_IMPORT] = cmd_import, [CLI_EXPLAIN] = cmd_explain,
    [CLI_SCHEMA] = cmd_schema, [CLI_REPORT] = cmd_report, [CLI_TRACK] = cmd_track
};

/* stdout may be a full disk or a closed pipe: output that got lost is not a success. */
static enum status flush_stdout(enum status st, struct diag *diag)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return st;
    return st == STATUS_OK ? diag_fail(diag, STATUS_IO, "cannot write to standard output") : st;
}

/* Commands that leave nothing behind end as signals end any program. */
static bool leaves_a_file(const struct cli_args *args)
{
    return args->out_path && args->command != CLI_EXPORT && args->command != CLI_IMPORT;
}

/* Of the program, and of the libraries that its numbers and files depend on. */
static void print_version(void)
{
    unsigned hdf5[3] = { 0 };
    lapack_int major = 0, minor = 0, patch = 0;
    result_hdf5_version(hdf5);
    LAPACKE_ilaver(&major, &minor, &patch);
    printf("cocp %s (%s)\n", COCP_VERSION, nlp_solver_version());
    printf("MUMPS %s, LAPACK %d.%d.%d, HDF5 %u.%u.%u, libyaml %s\n", mumps_version(), major, minor, patch, hdf5[0],
           hdf5[1], hdf5[2], spec_yaml_version());
}

int main(int argc, char **argv)
{
    mem_keep_freed();
    struct diag *diag = diag_create();
    struct cli_args args;
    enum status st = args_parse(argc, argv, &args, diag);
    if (st == STATUS_OK && args.help) {
        args_print_help(args.command, stdout);
    } else if (st == STATUS_OK && args.version) {
        print_version();
    } else if (st == STATUS_OK) {
        assert(args.command != CLI_NONE);
        if (leaves_a_file(&args) || args.command == CLI_CHECK) {
            interrupt_install(args.max_time, args.max_cpu, args.command == CLI_CHECK ? INTERRUPT_ENDS : INTERRUPT_SAVES);
            args.ticker = ticker_create(stderr, args.verbosity, args.history, args.max_time);
        }
        st = commands[args.command](&args, diag);
        ticker_free(args.ticker);
    }
    st = flush_stdout(st, diag);
    if (args.verbosity >= 0 || diag_n_errors(diag) > 0)
        diag_print(diag, stderr);
    args_free(&args);
    diag_free(diag);
    return status_exit_code(st);
}
