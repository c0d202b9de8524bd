/* core/results/save.h - a file is replaced whole or not at all
 *
 * The bytes go to a temporary file in the same folder, which is fsync'ed and renamed over the old one; then the
 * folder is fsync'ed. Whenever the program is killed, the path holds the old content or the new one. A failure
 * removes the temporary file; a kill can leave one behind, named `.<file>.<process id>.<n>.tmp`.
 * A symbolic link is followed. /dev/null takes everything; other things that are no regular files are refused.
 * Errors  STATUS_IO with a message that names the path and says what the system said.
 */
#ifndef COCP_CORE_RESULTS_SAVE_H
#define COCP_CORE_RESULTS_SAVE_H

#include "core/base/diag.h"

#include <stddef.h>

enum status save_bytes(const char *path, const void *bytes, size_t n, struct diag *diag);

#endif
