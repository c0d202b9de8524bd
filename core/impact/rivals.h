/* core/impact/rivals.h - outcomes of other laws, beside the set: rigid ones, and sweeps over springs and dampers */
#ifndef COCP_CORE_IMPACT_RIVALS_H
#define COCP_CORE_IMPACT_RIVALS_H

#include "core/impact/settings.h"
#include "core/impact/state.h"

struct impact_rival {               /* an outcome of another law; texts and arrays are borrowed */
    const char *law, *order;
    double parameter;               /* of a sweep; else NAN */
    double first_share;             /* of a sweep: of the impulse of the contact that began, what came before the
                                     * other one's; else NAN */
    const double *v;                /* [n_v] */
    double energy;
    bool is_complete;
    int n_points;                   /* of its way; 0: not known */
    const double *path;             /* [n_points * n_row] contact velocities */
};

struct impact_rivals { struct arena mem; int n; struct impact_rival *rival; };

/* The laws of `compare` (COMPARE_ bits of settings.h) at state x [n_x] and parameters p [n_p]; `mem` takes what
 * they hold. What cannot be compared is a warning; whoever asks to stop gets what there is. */
void impact_rivals_find(struct model *model, uint64_t compare, const struct impact_state *state, const double *x,
                        const double *p, struct impact_rivals *rivals, struct diag *diag);
void impact_rivals_free(struct impact_rivals *rivals);

#endif
