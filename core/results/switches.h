/* core/results/switches.h - when controls that take a few values switch, from /grid of a result
 *
 * Such controls are those that /grid says have `few_values`; each is constant in a control interval. Intervals
 * without length do not count.
 */
#ifndef COCP_CORE_RESULTS_SWITCHES_H
#define COCP_CORE_RESULTS_SWITCHES_H

#include "core/results/results.h"

struct control_switch {
    double t;                       /* in the unit of t_interval */
    const char *control;            /* its name, borrowed from the result */
    double from, to;                /* from NAN: at the start, what it begins with */
};

/* How many there are, with the starts; *out [n] in mem, ascending in time. */
int control_switches(const struct result *result, struct arena *mem, struct control_switch **out);

/* How each such control goes, in words, a line for each, with that unit of time: "u: 1, -1 from 0.5 s on".
 * How many; *out [n] in mem. */
int control_stories(const struct result *result, const char *unit, struct arena *mem, const char ***out);

#endif
