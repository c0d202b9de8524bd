/* core/contact/laws.h - single outcomes by other laws, beside the set; impact.md 6
 *
 *   Anitescu-Potra  one LCP for all contacts, (75) without bounds: all its solutions
 *   sequential      one contact at a time, each by its own LCP, in cyclic order from each contact that approaches
 *
 * Errors  none; is_complete is false for a sequence that has not ended after IMPACT_MAX_TURNS. With too
 *         many modes to list the solutions of Anitescu and Potra there is none.
 */
#ifndef COCP_CORE_CONTACT_LAWS_H
#define COCP_CORE_CONTACT_LAWS_H

#include "core/contact/system.h"

enum { IMPACT_LAW_POINTS = 50 };

struct impact_outcome {
    double *v, *impulse;            /* [n_v] after, [n_row] */
    int first;
    bool is_complete;
    int n_points;                   /* of the way there: the start and the end of each turn, the first ones */
    double *path;                   /* [n_points * n_row] contact velocities */
};

struct impact_outcomes { int n; struct impact_outcome *outcome; };

/* All solutions of Anitescu and Potra's LCP; first is -1. Arrays in mem. */
struct impact_outcomes impact_anitescu_potra(const struct impact_system *system, const double *v_minus,
                                             struct arena *mem);

/* One outcome for each contact that approaches, begun with it (first). Arrays in mem. */
struct impact_outcomes impact_sequential(const struct impact_system *system, const double *v_minus,
                                         struct arena *mem);

#endif
