/* cli/spec_command.h - the commands that make a result of a spec: is it there, what
 * does the spec say, on with it */
#ifndef COCP_CLI_SPEC_COMMAND_H
#define COCP_CLI_SPEC_COMMAND_H

#include "cli/problem.h"

typedef enum status spec_command(const struct cli_args *args, struct problem *problem, struct diag *diag);

/* With --skip-existing, is there a result that is solved? If so a note calls it `word`. */
bool spec_command_is_done(const struct cli_args *args, const char *word, struct diag *diag);

/* Unless it is done, reads the problem, sees that its result may be written
 * (output_file.h) and runs the command. */
enum status spec_command_unless_done(const struct cli_args *args, enum model_need need, const char *word,
                                     spec_command *command, struct diag *diag);

#endif
