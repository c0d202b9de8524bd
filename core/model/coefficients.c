/* core/model/coefficients.c - of friction, restitution and drilling: one number, or one for each component of slip */
#include "core/model/read.h"

#include <math.h>

/* A coefficient: an expression of parameters with its value at the guess in [0, max]; 0 if absent. */
void reader_coefficient(struct reader *r, const struct spec_node *node, double max, expr *e, double *value)
{
    *e = expr_const(r->g, 0);
    *value = 0;
    if (!node || node->kind == SPEC_NULL || reader_parameter_expr(r, node, e) != STATUS_OK)
        return;
    *value = check_eval(r->model, *e, AT_GUESS);
    if (!(*value >= 0 && *value <= max) || !isfinite(*value))
        spec_error(r->diag, node, isfinite(max) ? "must lie in [0, 1], got %.15g"
                                                : "must be at least 0 and finite, got %.15g", *value);
}

/* Component k of slip counts weight times. */
static void weigh(struct reader *r, struct model_contact *contact, int k, double weight)
{
    const int n_q = r->model->n_q;
    contact->weight[k] = weight;
    if (weight == 1 || !r->model->coordinates_known || reader_is_broken(r, contact->v_t[k]))
        return;
    for (int i = 0; i < n_q; i++)
        contact->J_t[i + k * n_q] = expr_scale(r->g, weight, contact->J_t[i + k * n_q]);
    contact->v_t[k] = expr_scale(r->g, weight, contact->v_t[k]);
    contact->drift[1 + k] = expr_scale(r->g, weight, contact->drift[1 + k]);
}

/* One of several coefficients; NAN after a mistake. */
static double read_one_of_many(struct reader *r, const struct spec_node *node)
{
    expr e;
    if (reader_parameter_expr(r, node, &e) != STATUS_OK)
        return NAN;
    const double value = check_eval(r->model, e, AT_GUESS);
    if (!expr_is_const(r->g, e, NULL))
        spec_error(r->diag, node, "one of several coefficients cannot be optimized: multiply slips by them in place of that, as "
                                  "slip: [v_x, c*v_y] with one coefficient");
    else if (!(value > 0) || !isfinite(value))
        spec_error(r->diag, node, "one of several coefficients must be above 0 and finite, got %.15g", value);
    else
        return value;
    return NAN;
}

/* A coefficient of friction, or one for each of n_t components of slip: friction is then normal to an ellipse (an ellipsoid)
 * whose semi-axes are the coefficients times the normal force, the same as isotropic friction of weighted slip. */
void reader_friction(struct reader *r, const struct spec_node *node, struct model_contact *contact)
{
    if (!node || node->kind != SPEC_SEQUENCE) {
        reader_coefficient(r, node, INFINITY, &contact->friction, &contact->mu);
        return;
    }
    contact->friction = expr_const(r->g, 0);
    contact->mu = 0;
    if (node->n != contact->n_t && contact->n_t > 0)
        spec_error(r->diag, node, "one coefficient, or one for each of the %d components of slip; there are %d", contact->n_t,
                   node->n);
    for (int k = 0; k < node->n && k < SLIP_MAX; k++) {
        const double value = read_one_of_many(r, node->child[k]);
        if (isnan(value))
            continue;
        if (k == 0) {
            contact->friction = expr_const(r->g, value);
            contact->mu = value;
        } else if (contact->mu > 0 && k < contact->n_t) {
            weigh(r, contact, k, value / contact->mu);
        }
    }
}

/* The turn about the normal is the third component of slip: its coefficient is a length, the arm of the moment. */
void reader_drilling(struct reader *r, const struct spec_node *node, struct model_contact *contact)
{
    if (!node || node->kind == SPEC_NULL)
        return;
    const double arm = read_one_of_many(r, node);
    if (!(contact->mu > 0) || !expr_is_const(r->g, contact->friction, NULL))
        spec_error(r->diag, node, "\"drilling\" goes with a coefficient of friction that is a number above 0: the two share the "
                                  "normal force, as an ellipsoid");
    else if (!isnan(arm))
        weigh(r, contact, 2, arm / contact->mu);
}
