/* core/base/read_files.h - the files that a command reads: none of its outputs takes the place of one
 *
 * Whoever opens a file to read it has it noted here (regular.h); whoever writes one asks (core/results/save.h).
 * The list travels with the messages of a command (diag_read_files in diag.h), which reach both. Links, hard ones
 * too, and other spellings of a path make no difference: a file is known by device, inode and time of its last
 * change, and what took its place under the same path meanwhile counts as well.
 */
#ifndef COCP_CORE_BASE_READ_FILES_H
#define COCP_CORE_BASE_READ_FILES_H

#include "core/base/arena.h"

struct read_file;
struct read_files { struct arena mem; int n; struct read_file *list; };     /* all 0: none */

/* Notes the file that the path leads to, as `what`, in words: "the spec"; NULL: the command has written it
 * itself, and may do so again after it has read it. Of a file that is noted already the first words stay; what is
 * no regular file, or not there, is not noted. */
void read_files_add(struct read_files *files, const char *path, const char *what);

/* What the file at that path is to the command, in words; NULL: it is none of them. */
const char *read_files_find(const struct read_files *files, const char *path);

/* For a command that is to change what it has read, as `verify` does. */
void read_files_forget(struct read_files *files, const char *path);

void read_files_copy(const struct read_files *from, struct read_files *to);
void read_files_free(struct read_files *files);

#endif
