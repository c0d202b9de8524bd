/* core/stability/rolling.c - one contact: stable if rolling on it is */
#include "core/stability/rest.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "core/stability/vec3.h"

#include <math.h>
#include <stdlib.h>

/* w' (d e/dq) w' of rows e[place]: sum_ab w_a (d e_a/d q_b) w_b, at rest. */
static double second_form(const struct rest *rest, const expr *e, const double *w)
{
    struct model *model = rest->model;
    expr q[3], grad[3];
    double sum = 0;
    for (int b = 0; b < 3; b++)
        q[b] = model->x_sym[model->mechanics.q_index[rest->place[b]]];
    for (int a = 0; a < 3; a++) {
        expr_gradient(model->graph, e[rest->place[a]], 3, q, grad);
        for (int b = 0; b < 3; b++)
            sum += w[a] * w[b] * rest_value(rest, grad[b]);
    }
    return sum;
}

/* Forces of unit normal and tangent that balance the load, and what they leave of it. */
static double balance(const double *n, const double *t, const double *load, double lambda[2])
{
    const double NN = dot3(n, n), NT = dot3(n, t), TT = dot3(t, t), det = NN * TT - NT * NT;
    const double a = -dot3(n, load), b = -dot3(t, load);
    double rest[3];
    lambda[0] = (TT * a - NT * b) / det;
    lambda[1] = (NN * b - NT * a) / det;
    combine3(lambda[0], n, lambda[1], t, rest);
    combine3(1, load, 1, rest, rest);
    return sqrt(dot3(rest, rest));
}

/* k = w'(-df/dq - lambda_n dJ_n'/dq - lambda_t dJ_t'/dq) w, w the rolling with unit angle. The model's J may have
 * another length than n and t: with forces per unit of its gap. */
static double stiffness(const struct rest *rest, const double lambda[2])
{
    const struct rest_contact *contact = &rest->contact[0];
    const struct model_contact *model = &rest->model->contacts.contact[contact->index];
    double w[3], J_n[3], J_t[3];
    cross3(contact->n, contact->t, w);
    combine3(1 / w[2], w, 0, w, w);
    for (int k = 0; k < 3; k++) {
        J_n[k] = rest_value(rest, model->J_n[rest->place[k]]);
        J_t[k] = rest_value(rest, model->J_t[rest->place[k]]);
    }
    const double per_n = dot3(contact->n, J_n) / dot3(J_n, J_n), per_t = dot3(contact->t, J_t) / dot3(J_t, J_t);
    return -second_form(rest, rest->model->mechanics.f_v, w) - lambda[0] * per_n * second_form(rest, model->J_n, w)
           - lambda[1] * per_t * second_form(rest, model->J_t, w);
}

void rest_one_contact(const struct rest *rest, struct verdict *verdict)
{
    const struct rest_contact *contact = &rest->contact[0];
    const struct model_contact *model = &rest->model->contacts.contact[contact->index];
    const double size = sqrt(dot3(rest->load, rest->load));
    double lambda[2];
    const double left = balance(contact->n, contact->t, rest->load, lambda) / size;
    const double normal = lambda[0] / size, inside = (model->mu * lambda[0] - fabs(lambda[1])) / size;
    const double k = stiffness(rest, lambda), margin = fmin(normal, inside);
    if (!(size > 0))
        verdict_set(verdict, CERTIFY_INCONCLUSIVE, "load", 0, "there is no load at the equilibrium");
    else if (!(left <= PRECHECK_MARGINAL))
        verdict_set(verdict, CERTIFY_NO_EQUILIBRIUM, "forces", -left,
                    "the force of contact %s leaves %.3g of the load "
                    "unbalanced",
                    model->name, left);
    else if (margin < -PRECHECK_MARGINAL)
        verdict_set(verdict, CERTIFY_NO_EQUILIBRIUM, "forces", margin,
                    "the force that contact %s needs is outside its "
                    "friction cone by %.3g of the load",
                    model->name, -margin);
    else if (!(margin > PRECHECK_MARGINAL))
        verdict_set(verdict, CERTIFY_INCONCLUSIVE, "marginal", margin,
                    "the force of contact %s is at the edge of its "
                    "friction cone (margin %.1e)",
                    model->name, margin);
    else if (k < -PRECHECK_MARGINAL)
        verdict_set(verdict, CERTIFY_UNSTABLE, "rolling", k,
                    "rolling about contact %s loses potential energy: k = "
                    "%.6g N m/rad",
                    model->name, k);
    else if (!(k > PRECHECK_MARGINAL))
        verdict_set(verdict, CERTIFY_INCONCLUSIVE, "rolling", k,
                    "rolling about contact %s is neutral: k = %.1e N m/rad", model->name, k);
    else if (!(1 - model->e > PRECHECK_MARGINAL))
        verdict_set(verdict, CERTIFY_INCONCLUSIVE, "restitution", 1 - model->e,
                    "bounces never end: the restitution of "
                    "%s is %g",
                    model->name, model->e);
    else
        verdict_set(verdict, CERTIFY_CERTIFIED, "", k,
                    "one contact: rolling about %s gains potential energy, k = %.6g "
                    "N m/rad, and bounces end",
                    model->name, k);
}
