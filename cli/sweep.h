/* cli/sweep.h - `certify --sweep`: a grid of points over one or two values of the spec, on all cores
 *
 * Points are shared out to processes, as CSDP is not thread-safe; what they find goes to the result file every few
 * seconds. A file that holds part of the same grid (same spec, overrides and levels) is taken up again: only what
 * is missing is computed.
 * Errors  STATUS_USAGE for a grid that is none; STATUS_SPEC with messages for a point whose spec has mistakes;
 *         STATUS_INTERRUPTED, STATUS_LIMIT (--max-time) with what is there saved.
 */
#ifndef COCP_CLI_SWEEP_H
#define COCP_CLI_SWEEP_H

#include "cli/args.h"

enum status sweep_run(const struct cli_args *args, const char *out_path, struct diag *diag);

#endif
