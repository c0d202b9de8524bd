/* library/run.h - what the two halves of cocp.h share: results, and the lock of all that
 * is not for several threads */
#ifndef COCP_LIBRARY_RUN_H
#define COCP_LIBRARY_RUN_H

#include "core/base/read_files.h"
#include "core/results/results.h"
#include "library/cocp.h"

struct cocp_result {
    struct result *tree;
    struct read_files files;        /* what the run has read that made it; none of one that was read itself */
};

/* Takes the tree, and copies what was read for it, or NULL; a tree that is NULL stays so. */
struct cocp_result *library_result(struct result *tree, const struct read_files *files);

/* Between the two the caller is alone, and numbers are read and written with a point. False: this thread already
 * is, one of its callbacks asks; then without library_leave. */
bool library_enter(void);
void library_leave(void);

#endif
