/* core/replay/replay_worst.h - the worst of several places as a finding of a replay
 *
 *   final values  0.3  at the end:
 *       "x is 0.7 at the end, it must be 1 (mine.yaml:9): off by 0.3, the tolerance is 0.001"
 *
 * Private to replay*.c. Texts live as long as the report.
 * Units   of the spec; a figure is relative to what its place is compared with.
 * Errors  none.
 */
#ifndef COCP_CORE_REPLAY_REPLAY_WORST_H
#define COCP_CORE_REPLAY_REPLAY_WORST_H

#include "core/replay/replay_parts.h"

/* How far it is off, the value there, when, and of which state or control; figure 0: nothing is off. */
struct worst { double figure, value, t; int i; };

/* It becomes this place if that is worse. */
void worst_raise(struct worst *worst, double figure, double value, double t, int i);

/* "1", "at least 1", "at most 1", "in [0, 1]". */
const char *worst_range_text(struct replay *r, double lb, double ub);
/* " at t = 0.3 s" */
const char *worst_time_text(struct replay *r, double t);

/* The finding `name`: what ("x") is off when (" at the end"), and the demand ("1") of line pos. */
void worst_add(struct replay *r, const char *name, double tol, const struct worst *worst, const char *what,
               const char *when, const char *demand, struct srcpos pos);
/* The same of a value that must lie in [lb, ub]. */
void worst_add_range(struct replay *r, const char *name, double tol, const struct worst *worst, const char *what,
                     const char *when, double lb, double ub, struct srcpos pos);

#endif
