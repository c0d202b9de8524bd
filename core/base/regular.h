/* core/base/regular.h - input comes from files: what is a pipe, a device or a folder is refused before it is waited
 * for */
#ifndef COCP_CORE_BASE_REGULAR_H
#define COCP_CORE_BASE_REGULAR_H

#include <stdio.h>

/* The file, open for reading; fclose it. NULL: *why says why not, in words. */
FILE *regular_open(const char *path, const char **why);

#endif
