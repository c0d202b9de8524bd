/* cli/output_file.h - where a result may go: nowhere onto what is read, nowhere over something better
 *
 * Files are told apart by device and inode, so that links and other spellings of a path make no difference.
 */
#ifndef COCP_CLI_OUTPUT_FILE_H
#define COCP_CLI_OUTPUT_FILE_H

#include "cli/args.h"
#include "core/results/results.h"

/* STATUS_USAGE if args->out_path is the file `path`, which `what` names in words; path may be NULL. */
enum status output_file_spare(const struct cli_args *args, const char *path, const char *what, struct diag *diag);

/* Spares the inputs that the command line names, and sees that the output can be written: before any work is done. */
enum status output_file_check(const struct cli_args *args, struct diag *diag);

/* Writes and frees the result; that of a call is left to it. In files a solved result is kept from a worse one, an
 * acceptable one from what is neither: without --force the new one goes beside it, to NAME-STATUS.h5, args->out_path
 * says so from then on, and so does a warning. */
enum status output_file_write(const struct cli_args *args, struct result *result, struct diag *diag);

#endif
