/* core/results/handover.h - a result as bytes, from the process that read it to the one that wants it
 *
 *   magic, groups { path, attributes { name type d i text }, axes { name units long_name n [values] },
 *                   datasets { name units long_name role type axes values bounds } }, magic
 *
 * Counts and integers are 32-bit, texts a count and as many bytes, all in the machine's own order: both
 * processes are one program. The reader believes nothing all the same: its bytes come from a process that
 * damaged files may have hurt.
 */
#ifndef COCP_CORE_RESULTS_HANDOVER_H
#define COCP_CORE_RESULTS_HANDOVER_H

#include "core/results/results.h"

#include <stdio.h>

/* Failures are left for ferror and fclose. */
void handover_write(const struct result *result, FILE *out);

/* NULL if the bytes are no whole result. */
struct result *handover_read(const void *bytes, size_t n);

#endif
