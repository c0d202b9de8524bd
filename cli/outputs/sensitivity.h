/* cli/outputs/sensitivity.h - /sensitivity of a finished solution: to fixed initial values and to the
 * parameters of the spec
 *
 * The spec is read again with each number a little less and a little more. Parameters that are optimized, or
 * given by an expression of others, are none of these numbers.
 */
#ifndef COCP_CLI_OUTPUTS_SENSITIVITY_H
#define COCP_CLI_OUTPUTS_SENSITIVITY_H

#include "cli/problem.h"
#include "transcription/finish/finish.h"

/* Adds the group to the result of the solution. */
void sensitivity_add(const struct cli_args *args, const struct problem *problem, const struct finish *finish,
                     struct result *result);

#endif
