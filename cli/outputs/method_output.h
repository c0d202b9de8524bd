/* cli/outputs/method_output.h - what the method of a spec came to, where it is what is saved: told,
 * judged, written, its line printed */
#ifndef COCP_CLI_OUTPUTS_METHOD_OUTPUT_H
#define COCP_CLI_OUTPUTS_METHOD_OUTPUT_H

#include "cli/bounds/lower_bound.h"
#include "cli/problem.h"

#include "transcription/solve/task.h"

/* found->tr is there; st is what the solve came to, as is what is returned, if nobody has asked it to stop, it
 * holds between the points of its grid and it could be written. bound: as in finished_output.h. */
enum status method_output(const struct cli_args *args, struct problem *problem, struct solve_result *found,
                          enum status st, struct lower_bound *bound, struct diag *diag);

/* What is known of the optimum that a method alone has found, one line: a homotopy ends in a stationary point of
 * the discretized problem, whichever is next to its guess, and nothing compares that with others, as the finish
 * does. Where contacts never act it may be a saddle at which nothing moves, though much would be gained by it.
 * NULL for simulations and finished solutions, and where nothing switches. */
const char *method_optimality_text(const struct result *result);

#endif
