/* transcription/proposals/grid_levels.h - the few values of all controls with which motions on a grid are made
 *
 * A control with values has these. One that commands machines has a value on either side of each threshold, next
 * to it and at its bound; where it does nothing else, one in between is enough. Others have both bounds and the
 * middle. With too many combinations those in the middle go first.
 */
#ifndef COCP_TRANSCRIPTION_PROPOSALS_GRID_LEVELS_H
#define COCP_TRANSCRIPTION_PROPOSALS_GRID_LEVELS_H

#include "transcription/sequence/system.h"

struct grid_levels { int n, n_u; double *u; };      /* [n * n_u] combinations; n 0: there are too many */

/* grid_levels_free afterwards. */
struct grid_levels grid_levels_of(const struct phase_system *sys);
void grid_levels_free(struct grid_levels *levels);

#endif
