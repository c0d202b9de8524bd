/* cli/output_file.h - where a result may go: nowhere onto what is read (core/base/read_files.h), nowhere
 * over what is worth more
 */
#ifndef COCP_CLI_OUTPUT_FILE_H
#define COCP_CLI_OUTPUT_FILE_H

#include "cli/args.h"
#include "core/results/results.h"

/* Notes the file, or that of FILE@T, as one that is read; `what` in words. path may be NULL. */
void output_file_note(const char *path, const char *what, struct diag *diag);

/* Notes what the command line says is read (core/base/read_files.h). */
void output_file_note_words(const struct cli_args *args, struct diag *diag);

/* Does so, and sees that the output can be written and is none of what is read: before any work is done. */
enum status output_file_check(const struct cli_args *args, struct diag *diag);

/* Writes and frees the result; that of a call is left to it. In files a solved result is kept from a worse one,
 * an acceptable one from what is neither; outcomes of an impact, certificates and motions are kept from each
 * other. Without --force the new one then goes beside it, to NAME-STATUS.h5, as it does from a file that is read;
 * args->out_path says so from then on, and so does a warning. */
enum status output_file_write(const struct cli_args *args, struct result *result, struct diag *diag);

#endif
