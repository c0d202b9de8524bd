/* core/model/time/read.h - the horizon, phases as stretches of it, and times as they are written */
#ifndef COCP_CORE_MODEL_TIME_READ_H
#define COCP_CORE_MODEL_TIME_READ_H

#include "core/model/scope/reader.h"

/* horizon.c */
void model_read_time_unit(struct reader *r);            /* first: others are in it */
void model_read_time(struct reader *r);

/* lengths.c: how many phases, before parameters and controls; their lengths and
 * intervals, which make the horizon. */
void model_collect_phases(struct reader *r);
void model_read_lengths(struct reader *r);

/* --- moment.c, places.c: times and where constraints hold ---------------------------------------------------- */
/* The key of a node as a scalar. */
struct spec_node reader_key(const struct spec_node *node);
/* A time as it is written: "0.5 s", in units of time, or without a unit. Of another unit that is known, as
 * "30 min", it is converted. */
struct moment { double value; bool has_unit; };
enum status reader_moment(struct reader *r, const struct spec_node *node, struct moment *out);
bool moment_has_unit(const char *text);
/* A time as a number in [0, 1]: a fraction of the horizon, which must be fixed for times with a unit. */
enum status reader_fraction(struct reader *r, const struct spec_node *node, double *out);
/* --- points.c: what a define goes `through`, {time: value} or columns of a CSV; ascending, times with a unit or not  */
enum curve { CURVE_LINEAR, CURVE_SPLINE, CURVE_STEPS };         /* in the order of model_curve_words */
struct time_point { double s, y; };
struct time_points { int n; bool has_unit; struct time_point *point; };
enum status reader_points(struct reader *r, const struct spec_node *define, struct time_points *out);
/* Keeps those of a file with the model, so that a result needs none. */
void reader_keep_points(struct reader *r, const struct spec_node *define, const struct time_points *points);
/* Before times are read: are points written with units? Has a define steps? Are their jumps at known parts
 * of the horizon, where control intervals can begin, so that they are a control (variables/steps.c)? Else
 * they are switches of time. */
bool reader_points_have_unit(const struct spec_node *points);
bool reader_is_steps(const struct spec_node *define);
bool reader_steps_are_given(const struct reader *r, const struct spec_node *define);

/* Refuses an inner time at which the discretization cannot tell the state: where lengths of control intervals are
 * variables nothing is known of their ends, and raw solutions have points at these alone. */
enum status reader_check_time(struct reader *r, const struct spec_node *node, double fraction);
/* What `at` says, path without it; at is 0 after an error, AT_BOUNDARY in place of the 0 of model.h;
 * AT_IMPULSES: of each impulse. */
enum { AT_BOUNDARY = 1 << 30, AT_IMPULSES = 1 << 29 };
struct model_places { int at, n_time; double *time; };          /* [n_time] in the model's arena */
struct model_places reader_places(struct reader *r, const struct spec_node *node);
/* Is `at` a time that is optimized, {time: t_pick}? */
bool reader_is_optimized_time(const struct spec_node *at);
/* All times that costs and constraints name. */
void model_collect_interior_times(struct reader *r);

#endif
