/* transcription/discretize/horizon.h - the horizon as the sum of the lengths of phases
 *
 *   T = sum of the lengths that are numbers + sum of the parameters that are lengths      phases.md "Phases by the user"
 *
 * Units   of the spec; lengths of phases that are not numbers are parameters p [n_p].
 */
#ifndef COCP_TRANSCRIPTION_DISCRETIZE_HORIZON_H
#define COCP_TRANSCRIPTION_DISCRETIZE_HORIZON_H

#include "core/model/model.h"
#include "transcription/program/program.h"

/* Adds the row; T: the variable of the horizon, p: the first one of optimized parameters. */
void horizon_add_row(struct program *prog, const struct model *model, int T, int p, struct mpcc_label label);

#endif
