/* core/output/scene.h - what pictures and films show besides the variables: /reference and /draw of the result,
 * docs/results.md
 *
 * Both are evaluated at the times of /uniform, from the states, controls and forces that are there; where there
 * is no /uniform, or nothing to show, nothing is written.
 */
#ifndef COCP_CORE_OUTPUT_SCENE_H
#define COCP_CORE_OUTPUT_SCENE_H

#include "core/model/model.h"
#include "core/results/results.h"

/* p [n_p]: optimized parameters, NULL: their guesses. */
void scene_write(const struct model *model, const double *p, struct result *result);

#endif
