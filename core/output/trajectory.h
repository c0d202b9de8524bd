/* core/output/trajectory.h - the points of a simulated trajectory
 *
 * A simulation adds its points: time, state, controls and contact forces. Gaps, contact velocities and defined
 * outputs follow from the model. For /trajectory, for /uniform, and for the samples of /bundle.
 */
#ifndef COCP_CORE_OUTPUT_TRAJECTORY_H
#define COCP_CORE_OUTPUT_TRAJECTORY_H

#include "core/model/inputs.h"
#include "core/output/layout.h"

struct trajectory {
    const struct model *model;      /* borrowed */
    struct layout_points points;
    struct function shown;          /* columns_expressions */
};

/* No points yet. p [n_p]: optimized parameters, NULL: their guesses; u_expr [n_u] (borrowed): what took a control's
 * place, or NULL. trajectory_free it. */
struct trajectory trajectory_create(const struct model *model, const double *p, const expr *u_expr);
void trajectory_free(struct trajectory *trajectory);

/* Where a point is. side: -1, 0, 1; element: -1 where there is none. */
struct trajectory_place { double t; int element, side; };

/* force [CONTACT_ROWS * n_contact]: normal, tangential; signal [columns_n_signal]. */
void trajectory_add(struct trajectory *trajectory, struct trajectory_place place, const double *x, const double *u,
                    const double *force, const double *signal);

#endif
