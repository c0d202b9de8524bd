/* core/base/diag.h - what went wrong, where in which file; and which files were read
 *
 * A list of messages. Readers add to it and carry on, so that one run reports every mistake of a file;
 * the command line prints the list, each line `file:line:column: error: path: message` with control
 * characters escaped (visible.h).
 */
#ifndef COCP_CORE_BASE_DIAG_H
#define COCP_CORE_BASE_DIAG_H

#include "core/base/read_files.h"
#include "core/base/status.h"

#include <stdarg.h>
#include <stdio.h>

struct srcpos { const char *file; int line, col; };     /* 1-based; line 0: no position. file is borrowed. */

enum diag_level { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

struct diag;

struct diag *diag_create(void);
void diag_free(struct diag *diag);

/* Adds a message; path (as "contacts.foot") may be NULL. Returns `st`, so that `return diag_add(...)` works. */
enum status diag_add(struct diag *diag, enum diag_level level, enum status st, struct srcpos pos,
                     const char *path, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
enum status diag_vadd(struct diag *diag, enum diag_level level, enum status st, struct srcpos pos,
                      const char *path, const char *fmt, va_list args) __attribute__((format(printf, 6, 0)));

/* Short forms: an error of the spec (STATUS_SPEC); an error without a position. */
enum status diag_error(struct diag *diag, struct srcpos pos, const char *path, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
enum status diag_fail(struct diag *diag, enum status st, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The files that were read so far: what is written must spare them (save.h). */
struct read_files *diag_read_files(struct diag *diag);

/* From now on messages at places of that file quote nothing of it but keys (withhold.h). */
void diag_withhold(struct diag *diag, const char *file);

int diag_n_errors(const struct diag *diag);

/* Message i as one line without a newline, in the order of file and line; NULL past the end. Borrowed. */
const char *diag_line(struct diag *diag, int i);

/* What message i says after the word for its level; "" past the end. Borrowed. */
const char *diag_text(struct diag *diag, int i);

/* How bad message i is, and where; i must be one. */
enum diag_level diag_level_of(struct diag *diag, int i);
struct srcpos diag_pos(struct diag *diag, int i);

/* All messages, errors first within a position, sorted by position, equal lines once. */
void diag_print(struct diag *diag, FILE *out);

#endif
