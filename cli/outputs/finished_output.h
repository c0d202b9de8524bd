/* cli/outputs/finished_output.h - a finished solution: told, written, and its line printed */
#ifndef COCP_CLI_OUTPUTS_FINISHED_OUTPUT_H
#define COCP_CLI_OUTPUTS_FINISHED_OUTPUT_H

#include "cli/bounds/lower_bound.h"
#include "cli/problem.h"
#include "transcription/discover/discover.h"
#include "transcription/sensitivity/fit.h"

/* Of n experiments with the same parameters. */
struct joint_fit { const struct fit *fit; int n; const struct fit_part *part; };

/* joint: NULL where the fit, if there are data, is the solution's own. bound: settled, told and written here;
 * NULL: none is asked for. Returns its status, or that of a failed
 * write. */
enum status finished_output(const struct cli_args *args, struct problem *problem, const struct finished *finished,
                            const struct joint_fit *joint, struct lower_bound *bound, struct diag *diag);

/* Lines of a result under a heading of ten letters; line may be NULL. */
void finished_tell_lines(const char *heading, const struct result_data *line, FILE *out);

#endif
