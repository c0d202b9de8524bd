/* core/model/mechanics/loops.h - closed loops, between the files that read them */
#ifndef COCP_CORE_MODEL_MECHANICS_LOOPS_H
#define COCP_CORE_MODEL_MECHANICS_LOOPS_H

#include "core/model/mechanics/read.h"

/* loop_ends.c: moves initial and final values onto the loops, finds what conditions follow from others, and frees
 * final values that follow from loops and other final values. */
void loop_close_ends(struct reader *r);

#endif
