#include "core/model/contact_functions.h"

#include "core/base/mem.h"
#include "core/model/kinematics.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of a contact before its columns: gap, mu, e; v, bias and drift of each row. */
enum { GAP, MU, E, V, BIAS = V + CONTACT_ROWS, DRIFT = BIAS + CONTACT_ROWS, N_NUMBERS = DRIFT + CONTACT_ROWS };

/* The slope follows the columns where it is none of them: where there are rotations. */
static int width(const struct model *model)
{
    return N_NUMBERS + CONTACT_ROWS * model->mechanics.n_q
           + (model->mechanics.n_rotation ? model->mechanics.n_position : 0);
}

static void put_contact(const struct model *model, const struct model_contact *contact, expr *out)
{
    const int n_q = model->mechanics.n_q;
    const expr zero = expr_const(model->graph, 0);
    out[GAP] = contact->gap;
    out[MU] = contact->friction;
    out[E] = contact->restitution;
    for (int k = 0; k < CONTACT_ROWS; k++) {
        out[V + k] = k == 0 ? contact->v_n : k <= contact->n_t ? contact->v_t[k - 1] : zero;
        out[BIAS + k] = kinematics_rate(model, out[V + k]);
        out[DRIFT + k] = contact->drift[k];
    }
    memcpy(out + N_NUMBERS, contact->J_n, (size_t)n_q * sizeof *out);
    for (int i = 0; i < SLIP_MAX * n_q; i++)
        out[N_NUMBERS + n_q + i] = i < contact->n_t * n_q ? contact->J_t[i] : zero;
    if (model->mechanics.n_rotation)
        kinematics_slope(model, contact->gap, out + N_NUMBERS + CONTACT_ROWS * n_q);
}

struct contact_functions contact_functions_create(const struct inputs *inputs, int n, const int *contact)
{
    const struct model *model = inputs->model;
    const int size = width(model);
    expr *out = mem_alloc((size_t)n * (size_t)size, sizeof *out);
    for (int k = 0; k < n; k++)
        put_contact(model, &model->contacts.contact[contact ? contact[k] : k], out + k * size);
    const struct contact_functions functions = {function_of(inputs, n * size, out), n, model->mechanics.n_q, size};
    free(out);
    return functions;
}

struct contact_functions contact_functions_of_model(const struct model *model, const double *p)
{
    struct arena mem = {NULL};
    const struct inputs inputs = inputs_create(model, p, 0, NULL, &mem);
    struct contact_functions functions = contact_functions_create(&inputs, model->contacts.n_contact, NULL);
    functions.f.inputs_mem = mem;
    return functions;
}

void contact_functions_free(struct contact_functions *functions)
{
    function_free(&functions->f);
}

void contact_functions_eval(struct contact_functions *functions)
{
    (void)function_values(&functions->f);
}

const double *contact_functions_J(const struct contact_functions *functions, int k)
{
    return functions->f.out + k * functions->size + N_NUMBERS;
}

struct contact_at contact_functions_at(const struct contact_functions *functions, int k)
{
    const int n_q = functions->n_q;
    const double *from = functions->f.out + k * functions->size, *J = from + N_NUMBERS;
    const bool has_slope = functions->size > N_NUMBERS + CONTACT_ROWS * n_q;
    struct contact_at at = {.gap = from[GAP], .v_n = from[V], .bias_n = from[BIAS], .mu = from[MU], .e = from[E], .J_n = J,
                            .slope = has_slope ? J + CONTACT_ROWS * n_q : J};
    memcpy(at.drift, from + DRIFT, sizeof at.drift);
    memcpy(at.v_t, from + V + 1, sizeof at.v_t);
    memcpy(at.bias_t, from + BIAS + 1, sizeof at.bias_t);
    for (int i = 0; i < SLIP_MAX; i++) at.J_t[i] = J + (1 + i) * n_q;
    return at;
}
