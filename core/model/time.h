/* core/model/time.h - the horizon, its control intervals and phases */
#ifndef COCP_CORE_MODEL_TIME_H
#define COCP_CORE_MODEL_TIME_H

#include "core/model/parts/model.h"

/* Seconds of one unit of time, NAN for one that is not known. */
double model_unit_seconds(const struct model *model);

/* Are two parts of the horizon the same time? Is this one of the n times? */
bool model_same_time(double a, double b);
bool model_asks_at(int n, const double *time, double fraction);

/* --- Intervals and phases ------------------------------------------------------------------------------------ */

/* Length of control interval i: part times the horizon (p LENGTH_OF_HORIZON), times optimized parameter p, or
 * part itself (LENGTH_FIXED). */
struct model_interval { int p; double part; };
struct model_interval model_interval(const struct model *model, int i);
/* Starts of the control intervals and the end: t [n_intervals + 1]. T: the horizon; p [n_p], NULL: the guesses. */
void model_grid(const struct model *model, double T, const double *p, double *t);
/* The interval that time is in: of n, t [n + 1]; and the grid point, 1 .. n - 1, that it
 * is, within near; -1: none. */
int model_grid_inside(int n, const double *t, double time);
int model_grid_point(int n, const double *t, double time, double near);
/* Does a phase end by a condition, so that its length follows from a simulation? The sum of the lengths of all
 * phases, the optimized ones those of p [n_p]; and makes them these. */
bool model_has_until(const struct model *model);
double model_length(const struct model *model, const double *p);
void model_set_lengths(struct model *model, const double *p);
/* The phase of interval i; NULL: there are none. The one that begins with it, if another
 * comes before it, else NULL. */
const struct model_phase *model_phase_of(const struct model *model, int i);
const struct model_phase *model_phase_begins(const struct model *model, int i);
/* The phase that a row of controls [n_u] belongs to. */
const struct model_phase *model_phase_of_row(const struct model *model, const double *u);
enum contact_role model_contact_in(const struct model *model, int c, int i);
bool model_has_contact(const struct model *model, int c, int i);
/* Bounds of control k in interval i. */
void model_control_bounds(const struct model *model, int k, int i, double *lb, double *ub);
/* Is it the name of a phase? Does the spec give it, as that or as steps? */
bool model_is_phase(const struct model *model, int k);
bool model_is_given(const struct model *model, int k);
/* Are lengths of intervals parameters? Then T, the sum of all, is a row of its own. */
bool model_lengths_add_up(const struct model *model);
/* When interval i begins, n_intervals: the end; of optimized lengths and the horizon. */
expr model_boundary_time(const struct model *model, struct expr_graph *g, int i);

#endif
