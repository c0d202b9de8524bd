/* cli/certify_chart.h - `certify --sweep PATH=A:B:N`: a table of verdicts over a grid, on all cores
 *
 * The file is written every few seconds and, interrupted, taken up again by the same command.
 */
#ifndef COCP_CLI_CERTIFY_CHART_H
#define COCP_CLI_CERTIFY_CHART_H

#include "cli/args.h"
#include "core/output/chart.h"

/* Reads args->sweep into axis [2], their paths in mem. STATUS_USAGE with a message. */
enum status certify_chart_read(const struct cli_args *args, struct arena *mem, struct chart_axis *axis, struct diag *diag);

/* Runs the sweep into args->out_path; one summary line on stdout. */
enum status certify_chart_run(const struct cli_args *args, struct diag *diag);

#endif
