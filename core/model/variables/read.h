/* core/model/variables/read.h - parameters, states and controls of a spec
 *
 * Names come first, values later, as they may refer to each other in any order.
 */
#ifndef COCP_CORE_MODEL_VARIABLES_READ_H
#define COCP_CORE_MODEL_VARIABLES_READ_H

#include "core/model/scope/reader.h"

/* parameters.c */
void model_collect_parameters(struct reader *r);        /* names; values later */
void model_read_parameters(struct reader *r);
/* One more parameter, of an impulsive control; optimized unless its bounds are one number. Returns its place among
 * all. */
int reader_add_parameter(struct reader *r, const struct model_var *of, const char *name, const char *units,
                         double lb, double ub, double value);

/* sizes.c: a `scale`; solver.scale. */
void reader_size(struct reader *r, const struct spec_node *node, double *out);
void model_read_scaling(struct reader *r);

/* variable.c: one more variable of that name, `node` says where; what states and controls
 * have in common; both ends. */
void variables_add(struct reader *r, const struct spec_node *node, const char *name, int *n, struct model_var *var,
                   expr *sym);
void variables_read_common(struct reader *r, const struct spec_node *node, struct model_var *var);
void variables_read_ends(struct reader *r, const struct spec_node *node, struct model_var *var);
void variables_read_but_guess(struct reader *r, const struct spec_node *node, struct model_var *var);

/* held.c: 0, or the order of the held control that a node of `controls` is; its states and its decision; their
 * values and their rates of change. */
int held_order(const struct spec_node *node);
void held_collect(struct reader *r, const struct spec_node *node, int order);
void held_read(struct reader *r, const struct spec_node *node, const struct model_held *held);
void held_add_rates(struct reader *r, bool *given);

/* starts.c: what starts of a control with values take, once the values are known; an error where it has none, or
 * what is there is of another kind. */
void starts_read(struct reader *r, const struct spec_node *node, struct model_var *var);
void starts_refuse(struct reader *r, const struct spec_node *node, const char *why);

/* steps.c: how many defines are steps that are controls; their names; their values, once the horizon is known. */
void steps_count(struct reader *r);
void steps_collect(struct reader *r);
void model_read_steps(struct reader *r);

/* noted.c: the states that keep the values of constraints at times that are optimized. */
void noted_count(struct reader *r);
void noted_collect(struct reader *r);

/* seats.c: the states of friction under a load. */
void load_collect(struct reader *r);
int load_count(struct reader *r);

/* joints.c: how many joints may declare states; the states, and the controls, that they declare; bounds and
 * units, before entries of the spec; and how those begin of which these do not say it. */
int joint_room(const struct reader *r);
void joint_collect(struct reader *r);
void joint_collect_controls(struct reader *r);
void joint_read_bounds(struct reader *r);
void joint_complete(struct reader *r);

/* variables.c: all of them. */
void model_collect_variables(struct reader *r);
void model_read_variables(struct reader *r);

/* impulses.c: is an entry of `controls` impulsive? Its name; moments, grid and parameters of all; any number that
 * an impulse may be, so that nothing that stands beside it is lost. */
bool impulse_is_meant(const struct spec_node *node);
void impulse_collect(struct reader *r, const struct spec_node *node);
void model_read_impulses(struct reader *r);
expr impulse_some_number(struct reader *r);

#endif
