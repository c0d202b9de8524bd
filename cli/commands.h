/* cli/commands.h - the commands, one file each
 *
 * A command prints its results on stdout, puts what went wrong into `diag` and returns a status; main.c prints
 * the messages and turns the status into the exit code. A status that is not STATUS_OK without a message is a
 * result ("infeasible"), which the command has reported itself.
 */
#ifndef COCP_CLI_COMMANDS_H
#define COCP_CLI_COMMANDS_H

#include "cli/args.h"

enum status cmd_solve(const struct cli_args *args, struct diag *diag);
enum status cmd_simulate(const struct cli_args *args, struct diag *diag);
enum status cmd_track(const struct cli_args *args, struct diag *diag);
enum status cmd_verify(const struct cli_args *args, struct diag *diag);
enum status cmd_impact(const struct cli_args *args, struct diag *diag);
enum status cmd_certify(const struct cli_args *args, struct diag *diag);
enum status cmd_bound(const struct cli_args *args, struct diag *diag);
enum status cmd_sweep(const struct cli_args *args, struct diag *diag);
enum status cmd_check(const struct cli_args *args, struct diag *diag);
enum status cmd_show(const struct cli_args *args, struct diag *diag);
enum status cmd_summary(const struct cli_args *args, struct diag *diag);
enum status cmd_export(const struct cli_args *args, struct diag *diag);
enum status cmd_init(const struct cli_args *args, struct diag *diag);
enum status cmd_import(const struct cli_args *args, struct diag *diag);
enum status cmd_explain(const struct cli_args *args, struct diag *diag);
enum status cmd_schema(const struct cli_args *args, struct diag *diag);
enum status cmd_report(const struct cli_args *args, struct diag *diag);

#endif
