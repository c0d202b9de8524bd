/* core/output/trajectory.h - the points of a simulated trajectory
 *
 * A simulation adds its points: time, state, controls and contact forces. Gaps, contact velocities and defined
 * outputs follow from the model. For /trajectory, for /uniform, and for the samples of /bundle.
 */
#ifndef COCP_CORE_OUTPUT_TRAJECTORY_H
#define COCP_CORE_OUTPUT_TRAJECTORY_H

#include "core/output/layout.h"

struct trajectory;

/* p [n_p]: optimized parameters, NULL: their guesses; u_expr [n_u] (borrowed): what took a control's place, or
 * NULL. */
struct trajectory *trajectory_create(const struct model *model, const double *p, const expr *u_expr);
void trajectory_free(struct trajectory *trajectory);
void trajectory_clear(struct trajectory *trajectory);           /* no points */

/* force [3 * n_contact]: normal, tangential. side: -1, 0, 1; element: -1 where there is none. */
void trajectory_add(struct trajectory *trajectory, double t, int element, int side, const double *x,
                    const double *u, const double *force);

int trajectory_n(const struct trajectory *trajectory);
/* The columns (columns.h) of all points: [n * columns_count]. */
const double *trajectory_columns(const struct trajectory *trajectory);

/* /trajectory; the points over the axis t, whose times must ascend, as the group `path` ("/uniform"). */
void trajectory_write(const struct trajectory *trajectory, const struct layout *to);
void trajectory_write_uniform(const struct trajectory *trajectory, const struct layout *to, const char *path);

#endif
