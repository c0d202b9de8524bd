/* core/expression/nonsmooth.h - nonsmooth functions become switching functions
 *
 * sign(c) = 2 alpha - 1, step(c) = alpha, abs(c) = c (2 alpha - 1), max(a, b) = b + (a - b) alpha(a - b), min
 * likewise, if(c > 0, a, b) = b + (a - b) alpha(c); `and` is the product, `or` 1 - (1 - a)(1 - b), `not` 1 - a;
 * c < d is alpha(d - c). alpha(c) in [0, 1] is the set-valued step of c (fesd.md 3). A switching function and
 * its negative or positive multiple share one alpha: alpha(-c) = 1 - alpha(c).
 *
 * A relay (expr_relay) is the step alpha of c = on + (off - on) alpha, which depends on the step itself: while alpha is
 * 0 it is positive once `on` is, while alpha is 1 it is negative once `off` is. Where `on` is a number nothing switches
 * it: only its symbol is left, a signal that comes from elsewhere.
 */
#ifndef COCP_CORE_EXPRESSION_NONSMOOTH_H
#define COCP_CORE_EXPRESSION_NONSMOOTH_H

#include "core/expression/expr.h"

/* The switching functions met so far; grows as expressions are lowered. */
struct switch_set {
    int n;
    expr *c;                        /* [n] switching functions, smooth; may contain alphas of others (nested) */
    expr *alpha;                    /* [n] their step symbols */
    struct srcpos *pos;             /* [n] where the function was written */
};

/* e without nonsmooth nodes, new switching functions added to the set. Equality conditions are refused. */
enum status nonsmooth_lower(struct expr_graph *g, expr e, struct switch_set *set, expr *out, struct diag *diag);

/* e with the symbols of relays in place of relays: what they remember is given then. */
expr nonsmooth_recall(struct expr_graph *g, expr e);

void switch_set_free(struct switch_set *set);

#endif
