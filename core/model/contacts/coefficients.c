/* Of friction, restitution and drilling: one number, or one for each component of slip */
#include "core/model/contacts/read.h"

#include <math.h>

/* A coefficient: an expression of parameters with its value at the guess in [0, max]; 0 if absent. */
void reader_coefficient(struct reader *r, const struct spec_node *node, double max, expr *e, double *value)
{
    *e = expr_const(r->g, 0);
    *value = 0;
    if (!node || node->kind == SPEC_NULL || reader_parameter_expr(r, node, e) != STATUS_OK)
        return;
    *value = model_value_at(r->model, *e, AT_GUESS);
    if (!(*value >= 0 && *value <= max) || !isfinite(*value))
        spec_error(r->diag, node, isfinite(max) ? "must lie in [0, 1], got %.15g"
                                                : "must be at least 0 and finite, got %.15g", *value);
}

/* Component k of slip has a coefficient of its own: it counts as many times as that is the first one. */
static void weigh(struct reader *r, struct model_contact *contact, int k, expr coefficient)
{
    const int n_q = r->model->mechanics.n_q;
    const expr weight = expr_div(r->g, coefficient, contact->friction);
    double value;
    contact->coefficient[k] = coefficient;
    contact->weight[k] = weight;
    if ((expr_is_const(r->g, weight, &value) && value == 1) || !r->model->mechanics.coordinates_known
        || reader_is_broken(r, contact->v_t[k]))
        return;
    for (int i = 0; i < n_q; i++)
        contact->J_t[i + k * n_q] = expr_mul(r->g, weight, contact->J_t[i + k * n_q]);
    contact->v_t[k] = expr_mul(r->g, weight, contact->v_t[k]);
    contact->drift[1 + k] = expr_mul(r->g, weight, contact->drift[1 + k]);
}

/* The optimized parameter that an expression is, and nothing else; NULL: it is none. */
static const struct model_param *parameter_of(const struct reader *r, expr e)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->n_p; k++)
        if (m->p_sym[k] == e)
            return &m->param[m->p_param[k]];
    return NULL;
}

/* One of several coefficients, never 0: slips are divided by the first one, and what does not count has no
 * direction. False after a mistake. */
static bool read_one_of_many(struct reader *r, const struct spec_node *node, expr *e, double *value)
{
    if (reader_parameter_expr(r, node, e) != STATUS_OK)
        return false;
    const struct model_param *param = parameter_of(r, *e);
    *value = model_value_at(r->model, *e, AT_GUESS);
    if (!(*value > 0) || !isfinite(*value))
        spec_error(r->diag, node, "one of several coefficients must be above 0 and finite, got %.15g", *value);
    else if (param && !(param->lb > 0))
        spec_error(r->diag, node, "one of several coefficients must stay above 0: the lower bound of %s is %.15g",
                   param->name, param->lb);
    else
        return true;
    return false;
}

/* A coefficient of friction, or one for each of n_t components of slip: friction is then normal to an
 * ellipse (an ellipsoid) whose semi-axes are the coefficients times the normal force, the same as isotropic
 * friction of weighted slip. */
void reader_friction(struct reader *r, const struct spec_node *node, struct model_contact *contact)
{
    if (!node || node->kind != SPEC_SEQUENCE) {
        reader_coefficient(r, node, INFINITY, &contact->friction, &contact->mu);
        return;
    }
    contact->friction = expr_const(r->g, 0);
    contact->mu = 0;
    if (node->n != contact->n_t && contact->n_t > 0)
        spec_error(r->diag, node, "one coefficient, or one for each of the %d components of slip; there are %d",
                   contact->n_t, node->n);
    for (int k = 0; k < node->n && k < SLIP_MAX; k++) {
        expr e;
        double value;
        if (!read_one_of_many(r, node->child[k], &e, &value))
            continue;
        if (k == 0) {
            contact->friction = e;
            contact->mu = value;
        } else if (contact->mu > 0 && k < contact->n_t) {
            weigh(r, contact, k, e);
        }
    }
}

/* May slips be divided by it? */
static bool stays_positive(const struct reader *r, const struct model_contact *contact)
{
    const struct model_param *param = parameter_of(r, contact->friction);
    return contact->mu > 0 && (!param || param->lb > 0);
}

/* The turn about the normal is the third component of slip: its coefficient is a length, the arm of the moment. */
void reader_drilling(struct reader *r, const struct spec_node *node, struct model_contact *contact)
{
    expr arm;
    double value;
    if (!node || node->kind == SPEC_NULL)
        return;
    const bool is_arm = read_one_of_many(r, node, &arm, &value);
    if (!stays_positive(r, contact))
        spec_error(r->diag, node, "\"drilling\" goes with a coefficient of friction above 0, that of an optimized one by its lower "
                                  "bound: the two share the normal force, as an ellipsoid");
    else if (is_arm)
        weigh(r, contact, 2, arm);
}
