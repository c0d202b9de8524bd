/* core/simulation/events/zeno.h - impacts that accumulate
 *
 * The intervals between impacts of a contact shrink by a ratio r that becomes constant, e for a bouncing ball,
 * 0.49 for a corner of the rocking block (impact.md 10). Once the geometric tail interval r / (1 - r) is short it
 * is summed, and the contact rests from its end on. Corners of a face that bounce in turn have no constant ratio:
 * such a sequence is followed until its flights are lost in rounding.
 */
#ifndef COCP_CORE_SIMULATION_EVENTS_ZENO_H
#define COCP_CORE_SIMULATION_EVENTS_ZENO_H

#include <stdbool.h>

struct zeno {                       /* impacts of one contact, to see whether they accumulate */
    double t_last, interval, ratio; /* NAN: not known yet */
    double limit, drift;            /* the ratio where it changed least, and by how much */
    int n_regular, n_impact;        /* intervals in a row with nearly the same ratio < 1; impacts of the sequence */
    double speed;                   /* m/s at which the contact opened last */
};

void zeno_init(struct zeno *zeno);

/* Takes note of an impact at time t, after which the contact opens at v_n. */
void zeno_impact(struct zeno *zeno, double t, double v_n);

/* Which of n contacts have impacts that accumulate so soon after t that they can be taken as at rest: rests
 * [n]; true if there are any. Contacts that bounce in turn come to rest together: each that had an impact
 * within the tail must accumulate. */
bool zeno_find(int n, const struct zeno *zeno, double t, bool *rests);

/* Is a contact that leaves at v_n back before a step can follow it? */
bool zeno_is_slow(double v_n);

/* Has the sequence a ratio? */
bool zeno_is_regular(const struct zeno *zeno);

/* When a sequence that accumulates ends. */
double zeno_end(const struct zeno *zeno);

#endif
