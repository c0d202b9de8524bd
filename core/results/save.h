/* core/results/save.h - a file is replaced whole or not at all
 *
 * The bytes go to a temporary file in the same folder, which is fsync'ed and renamed over the old one; then the
 * folder is fsync'ed. Whenever the program is killed, the path holds the old content or the new one. A failure
 * removes the temporary file; signals wait for it; a kill can leave one behind, named `.cocp.<process
 * id>.<n>.tmp` and locked while its writer lives, which the next save_check in that folder removes.
 * Symbolic links are followed, dangling ones too. /dev/null takes everything; other things that are no
 * regular files are refused, and so is every file that was read for what is written
 * (core/base/read_files.h), under whatever name.
 * Errors  STATUS_IO with a message that names the path and says what the system said.
 */
#ifndef COCP_CORE_RESULTS_SAVE_H
#define COCP_CORE_RESULTS_SAVE_H

#include "core/base/diag.h"

#include <stddef.h>

enum status save_bytes(const char *path, const void *bytes, size_t n, struct diag *diag);

/* STATUS_IO if that is a file that was read. For what is written by other means than save_bytes. */
enum status save_spare(const char *path, struct diag *diag);

/* Could the path be written now? For those who want to know before hours of work: tries a temporary file, and
 * removes what killed runs have left. */
enum status save_check(const char *path, struct diag *diag);

#endif
