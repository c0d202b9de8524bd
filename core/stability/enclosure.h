/* core/stability/enclosure.h - all bodies close to a given one: the vectors of body.h as intervals
 *
 *   u_n, u_t  in the span of n_i, t_i:  n_i u_n = t_i u_t = 1, n_i u_t = t_i u_n = 0
 *   impulse   f/(n_i f) of a slip: n_i impulse = 1
 *
 * Formulas are by cross products here and by elimination in body.c.
 * Errors  a degenerate body gives NaN bounds, which pass no test.
 */
#ifndef COCP_CORE_STABILITY_ENCLOSURE_H
#define COCP_CORE_STABILITY_ENCLOSURE_H

#include "core/stability/body.h"
#include "core/base/interval.h"

struct enclosure {
    struct interval mu[2], e[2], g[3], tau[3], n[2][3], t[2][3];
    struct interval gs, w[2], dir[3], td[2];            /* td: t_i dir */
    struct interval d[2][3], r[2][3], m[2][3], u_n[2][3], u_t[2][3];
    struct interval G[2], den[2][2], impulse[2][2][3];
    struct interval slope[2][2];    /* [contact][slip]: t v = slope p where a slip ends at rest */
    bool flight;                    /* a restitution above 0 */
};

/* Parameters within box * max(1, magnitude); what is 0 by choice (mu, e) stays 0. */
void enclosure_init(const struct body *body, double box, struct enclosure *out);

/* The acceleration of X while both feet slide, X growing (s = 0) or falling; infinite where it has no bound, near
 * bodies at which forces grow beyond all limits. False if that mode surely does not exist. */
bool enclosure_double(const struct enclosure *en, int s, struct interval *Xddot);

/* Do the preconditions of stability.md 2 hold? NULL, or what does not. flat: gs may have either sign. */
const char *enclosure_check(const struct enclosure *en, bool flat);

#endif
