/* cli/finished_result.h - what a finished solution leaves in a result file: README.md "The result"; and /phases
 *
 * /phases  mode and event axes: states of contacts and switches in each mode, times and places of events, who is hit;
 *          attributes: how many starts and neighbours were tried, and whether no neighbouring sequence is better.
 */
#ifndef COCP_CLI_FINISHED_RESULT_H
#define COCP_CLI_FINISHED_RESULT_H

#include "cli/problem.h"
#include "transcription/solve/finishing.h"

enum status finished_result_write(const struct cli_args *args, const struct problem *problem,
                                  const struct finished *found, const char *out_path, struct diag *diag);

#endif
