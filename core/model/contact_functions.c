#include "core/model/contact_functions.h"

#include "core/base/mem.h"
#include "core/model/kinematics.h"

#include <stdlib.h>
#include <string.h>

enum { N_NUMBERS = 12 }; /* of a contact, before its columns */

/* The slope follows the columns where it is none of them: where there are rotations. */
static int width(const struct model *model)
{
    return N_NUMBERS + 3 * model->n_q + (model->n_rotation ? model->n_position : 0);
}

static void put_contact(const struct model *model, const struct model_contact *contact, expr *out)
{
    const int n_q = model->n_q;
    const expr zero = expr_const(model->graph, 0);
    const expr v_t[2] = {contact->n_t > 0 ? contact->v_t[0] : zero, contact->n_t > 1 ? contact->v_t[1] : zero};
    const expr numbers[N_NUMBERS] = {contact->gap,
                                     contact->v_n,
                                     v_t[0],
                                     v_t[1],
                                     kinematics_rate(model, contact->v_n),
                                     kinematics_rate(model, v_t[0]),
                                     kinematics_rate(model, v_t[1]),
                                     contact->friction,
                                     contact->restitution,
                                     contact->drift[0],
                                     contact->drift[1],
                                     contact->drift[2]};
    memcpy(out, numbers, sizeof numbers);
    memcpy(out + N_NUMBERS, contact->J_n, (size_t)n_q * sizeof *out);
    for (int i = 0; i < 2 * n_q; i++) out[N_NUMBERS + n_q + i] = i < contact->n_t * n_q ? contact->J_t[i] : zero;
    if (model->n_rotation)
        kinematics_slope(model, contact->gap, out + N_NUMBERS + 3 * n_q);
}

struct contact_functions contact_functions_create(const struct inputs *inputs, int n, const int *contact)
{
    const struct model *model = inputs->model;
    const int size = width(model);
    expr *out = mem_alloc((size_t)n * (size_t)size, sizeof *out);
    for (int k = 0; k < n; k++)
        put_contact(model, &model->contact[contact ? contact[k] : k], out + k * size);
    const struct contact_functions functions = {function_of(inputs, n * size, out), n, model->n_q, size};
    free(out);
    return functions;
}

struct contact_functions contact_functions_of_model(const struct model *model, const double *p)
{
    struct arena mem = {NULL};
    const struct inputs inputs = inputs_create(model, p, 0, NULL, &mem);
    struct contact_functions functions = contact_functions_create(&inputs, model->n_contact, NULL);
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

struct contact_at contact_functions_at(const struct contact_functions *functions, int k)
{
    const double *at = functions->f.out + k * functions->size, *J = at + N_NUMBERS;
    const bool has_slope = functions->size > N_NUMBERS + 3 * functions->n_q;
    return (struct contact_at){at[0],
                               at[1],
                               {at[2], at[3]},
                               at[4],
                               {at[5], at[6]},
                               at[7],
                               at[8],
                               {at[9], at[10], at[11]},
                               J,
                               {J + functions->n_q, J + 2 * functions->n_q},
                               has_slope ? J + 3 * functions->n_q : J};
}
