#include "core/simulation/events/hidden.h"

#include <float.h>
#include <math.h>

enum { PARTS_MAX = 300, POINTS = 3 };       /* halvings of a step; points of a part */

struct look {
    struct resolution *res;
    struct flow *flow;
    const struct mode *mode;
    const struct hidden_step *step;
    double *x, *slope, *tol;        /* [n_x] */
    int n_halved;
    double until;                   /* of the step, what may be tried again */
};

/* Is the polynomial's slope off at tau? */
static bool is_off(const struct look *l, double tau)
{
    const struct hidden_step *step = l->step;
    const int n_x = l->flow->sys->n_x;
    step_poly_at(n_x, step->coef, tau, l->x);
    step_poly_slope(n_x, step->coef, tau, l->slope);
    if (flow_eval(l->flow, l->mode, step->t + tau * step->h, l->x) != FLOW_OK)
        return true;
    for (int i = 0; i < n_x; i++) {
        const double moves = fabs(l->slope[i]), size = fabs(l->x[i]);
        l->tol[i] = fmax(step->atol + step->rtol * size, 4 * DBL_EPSILON * (size + moves));
        l->slope[i] = step->h * l->flow->dx[i] - l->slope[i];
    }
    if (step->stiff)
        stiff_damp(step->stiff, l->slope);
    for (int i = 0; i < n_x; i++)
        if (!(fabs(l->slope[i]) <= HIDDEN_DEFECT * l->tol[i]))
            return true;
    return false;
}

/* Looks for a part of [a, b] where the right sides do something else than the polynomial. */
static bool find(struct look *l, double a, double b)
{
    resolution_look_at(l->res, l->mode, l->step->coef, l->step->t, l->step->h, a, b);
    const bool is_simple = resolution_field(l->res, l->mode);
    if (is_simple && b - a == 1)
        return false;                                           /* its stages tell */
    l->until = a > 0 ? a : 0.5 * b;
    if (!is_simple && resolution_may_halve(l->res, l->step->t + a * l->step->h, (b - a) * l->step->h)) {
        const double middle = 0.5 * (a + b);
        return l->n_halved++ >= PARTS_MAX || find(l, a, middle) || find(l, middle, b);
    }
    for (int k = 0; k < POINTS; k++)
        if (is_off(l, a + (b - a) * (k + 0.5) / POINTS))
            return true;
    return false;
}

bool hidden_find(struct resolution *res, struct flow *flow, const struct mode *mode, const struct hidden_step *step,
                 double *x, double *h_next)
{
    struct look look = { .res = res, .flow = flow, .mode = mode, .step = step, .x = x,
                         .slope = x + flow->sys->n_x, .tol = x + 2 * flow->sys->n_x };
    if (resolution_is_simple(res, mode) || !find(&look, 0, 1))
        return false;
    *h_next = look.until * step->h;
    return true;
}
