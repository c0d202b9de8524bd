/* core/spec/include.h - `include: file.yaml`, or a list of them; for the sources of this folder alone
 *
 * A file is a mapping of blocks; what the spec says itself counts, mappings are put together key by key. Paths
 * are seen from the folder of the file that has them. Mistakes have the included file's lines.
 */
#ifndef COCP_CORE_SPEC_INCLUDE_H
#define COCP_CORE_SPEC_INCLUDE_H

#include "core/spec/tree.h"

enum status include_files(struct spec *spec, const char *file, struct diag *diag);

#endif
