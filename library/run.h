/* library/run.h - what the two halves of cocp.h share: results, and the lock of all that is not for several threads */
#ifndef COCP_LIBRARY_RUN_H
#define COCP_LIBRARY_RUN_H

#include "core/results/results.h"
#include "library/cocp.h"

struct cocp_result { struct result *tree; };

/* Takes the tree; NULL stays NULL. */
struct cocp_result *library_result(struct result *tree);

/* Between the two the caller is alone, and numbers are read and written with a point. False: this thread already is, one
 * of its callbacks asks; then without library_leave. */
bool library_enter(void);
void library_leave(void);

#endif
