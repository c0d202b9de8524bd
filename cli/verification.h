/* cli/verification.h - verifies a solution file: replays it, writes /verification, reports
 *
 *   verified hopper error=2.1e-07 worst=3.4e-06 interval=1.2e-07 events=7/7 dt=1.1e-09 pen=2.0e-09 cone=1.0e-12
 *       energy=3.0e-13 objective=12.3456 dobj=1.2e-06 tol=0.001 time=0.53 out=hopper.h5         (one line)
 */
#ifndef COCP_CLI_VERIFICATION_H
#define COCP_CLI_VERIFICATION_H

#include "cli/args.h"

/* Verifies the solution in `path` and writes it, with /verification, to args->out_path (may be the
 * same), by args->tol; NAN: that of the file's spec. STATUS_OK or STATUS_UNVERIFIED once it is
 * written; the finding is on stdout. */
enum status verification_run(const struct cli_args *args, const char *path, struct diag *diag);

#endif
