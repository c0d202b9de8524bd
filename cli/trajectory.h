/* cli/trajectory.h - the table of a simulated trajectory, and its groups in a result file; README.md "The result"
 *
 * A simulation adds its points: time, state, controls and contact forces. Gaps, contact velocities and defined
 * outputs follow from the model. For /trajectory, for /uniform, and for the samples of /bundle.
 */
#ifndef COCP_CLI_TRAJECTORY_H
#define COCP_CLI_TRAJECTORY_H

#include "core/model/model.h"
#include "core/results/results.h"
#include "core/simulation/simulation.h"

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
int trajectory_n_columns(const struct trajectory *trajectory);
/* Value of a column (columns.h) at a point. */
double trajectory_at(const struct trajectory *trajectory, int point, int column);

/* /trajectory; the points over the axis t, whose times must ascend, as the group `path` ("/uniform"). */
void trajectory_write(const struct trajectory *trajectory, struct result *result);
void trajectory_write_uniform(const struct trajectory *trajectory, struct result *result, const char *path);

/* /events. subject_name: of contacts, then switches. */
void trajectory_write_events(const struct model *model, int n, const struct sim_event *event,
                             const char *const *subject_name, struct result *result);

#endif
