/* transcription/finish/rounding.h - controls that take one of a few values: runs of them, and intervals for the
 * runs
 *
 *   relaxed     a solution in which such a control is anything between its values; an interval in which
 *               it lies between two of them is cut in two with the same integral, the values in the order
 *               that makes fewer runs
 *   runs        stretches of the horizon in which no such control changes
 *   grid        control intervals of free length, each with the values of its run; a run has one or more of equal
 *               length
 *
 * Where cutting makes more runs than there are intervals, each interval takes one value, by sum-up rounding: the
 * one that keeps the integral nearest to that of the relaxed control; or a few intervals together are cut. Where
 * constraints couple the values (choices.h), combinations that they admit take the place of values.
 * Shapes  value [n * n_u], NAN for controls without values.
 */
#ifndef COCP_TRANSCRIPTION_FINISH_ROUNDING_H
#define COCP_TRANSCRIPTION_FINISH_ROUNDING_H

#include "transcription/multiphase/multiphase.h"
#include "transcription/reading/extract.h"

struct runs { int n, cap, n_u; double *length, *value; };       /* [n], [n * n_u] */

/* Of a relaxed solution w; of one on intervals with values, without runs that last no longer than `gone` mean
 * intervals. runs_free afterwards. */
struct runs runs_of_relaxed(const struct phases *ph, const double *w);
/* The same with groups of intervals cut in two, as few of them as there are intervals for: none (n = 0) where they
 * fit one by one. Small controls that are rounded to nothing one by one come to pulses so. */
struct runs runs_of_groups(const struct phases *ph, const double *w);
/* Of a relaxed solution where starts cost or last: one value for each interval, in an order that these admit
 * (admissible.h); none (n = 0) where there is none. */
struct runs runs_of_admissible(const struct phases *ph, const double *w);
struct runs runs_of(const struct phases *ph, const double *w, double gone);

/* How many there are on its intervals, those of no length among them. */
int runs_laid_out(const struct phases *ph);

void runs_free(struct runs *runs);

/* The value that u is nearest to, or the one on its other side. */
double rounding_value(const struct model_var *var, double u, bool other);

/* The runs on the intervals of the model, [n_intervals * n_u] in *value, and the trajectory w on them:
 * events take the places that their times have. False where there are more runs than intervals.
 * extract_free, free(*value) afterwards. */
bool runs_on_grid(const struct runs *runs, const struct phases *ph, const double *w, struct extract *out,
                  double **value);

#endif
