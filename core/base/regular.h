/* core/base/regular.h - input comes from files: what is a pipe, a device or a folder is refused before it is waited
 * for; and no file that was read is written over (read_files.h) */
#ifndef COCP_CORE_BASE_REGULAR_H
#define COCP_CORE_BASE_REGULAR_H

#include "core/base/diag.h"

#include <stdio.h>

/* The file, open for reading; fclose it. It is noted in diag as one that was read, `what` in words. NULL:
 * *why says why not, in words. */
FILE *regular_open(const char *path, const char *what, struct diag *diag, const char **why);

#endif
