/* core/model/contact_functions.h - the contacts of a model, compiled: gaps, velocities, their gradients
 *
 *   v_n = J_n'v + drift,  d/dt v_n = J_n'v' + bias_n,  the same of tangents;  bias = d/dt (J'v) at v' = 0
 *
 * Shapes  J_n, J_t[k] [n_q], CONTACT_ROWS columns one after the other; 0 where there is no tangent. slope
 *         [n_position] is d gap / d q, J_n itself where there are no rotations.
 */
#ifndef COCP_CORE_MODEL_CONTACT_FUNCTIONS_H
#define COCP_CORE_MODEL_CONTACT_FUNCTIONS_H

#include "core/model/inputs.h"

struct contact_functions { struct function f; int n, n_q, size; };     /* size: values of one contact */

struct contact_at {
    double gap, v_n, v_t[SLIP_MAX], bias_n, bias_t[SLIP_MAX], mu, e;
    double drift[CONTACT_ROWS];              /* of v_n, v_t: what moving surfaces add to J'v */
    const double *J_n, *J_t[SLIP_MAX], *slope;
};

/* Of n contacts (NULL: the first n); the graph of the inputs' model grows by derivatives. */
struct contact_functions contact_functions_create(const struct inputs *inputs, int n, const int *contact);
/* Of all contacts, with inputs of their own; p [n_p] as there. */
struct contact_functions contact_functions_of_model(const struct model *model, const double *p);
void contact_functions_free(struct contact_functions *functions);

/* Evaluates at the inputs' values. */
void contact_functions_eval(struct contact_functions *functions);

/* Contact k as of the last evaluation. */
struct contact_at contact_functions_at(const struct contact_functions *functions, int k);
/* Its J alone, [CONTACT_ROWS * n_q]. */
const double *contact_functions_J(const struct contact_functions *functions, int k);

#endif
