#include "core/model/contact_functions.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"

#include <stdlib.h>
#include <string.h>

enum { N_NUMBERS = 9 }; /* of a contact, before its columns */

static int width(int n_q)
{
    return N_NUMBERS + 3 * n_q;
}

/* q, v [n_q]: the model's positions and velocities. */
static void put_contact(const struct model *model, const struct model_contact *contact, const expr *q,
                        const expr *v, expr *out)
{
    const int n_q = model->n_q;
    const expr zero = expr_const(model->graph, 0);
    const expr v_t[2] = {contact->n_t > 0 ? contact->v_t[0] : zero, contact->n_t > 1 ? contact->v_t[1] : zero};
    const expr numbers[N_NUMBERS] = {contact->gap,
                                     contact->v_n,
                                     v_t[0],
                                     v_t[1],
                                     expr_directional(model->graph, contact->v_n, n_q, q, v),
                                     expr_directional(model->graph, v_t[0], n_q, q, v),
                                     expr_directional(model->graph, v_t[1], n_q, q, v),
                                     contact->friction,
                                     contact->restitution};
    memcpy(out, numbers, sizeof numbers);
    memcpy(out + N_NUMBERS, contact->J_n, (size_t)n_q * sizeof *out);
    for (int i = 0; i < 2 * n_q; i++) out[N_NUMBERS + n_q + i] = i < contact->n_t * n_q ? contact->J_t[i] : zero;
}

struct contact_functions contact_functions_create(const struct inputs *inputs, int n, const int *contact)
{
    const struct model *model = inputs->model;
    const int n_q = model->n_q;
    expr *out = mem_alloc((size_t)n * (size_t)width(n_q) + 2 * (size_t)n_q, sizeof *out);
    expr *q = out + n * width(n_q), *v = q + n_q;
    for (int i = 0; i < n_q; i++) {
        q[i] = model->x_sym[model->q_index[i]];
        v[i] = model->x_sym[model->v_index[i]];
    }
    for (int k = 0; k < n; k++)
        put_contact(model, &model->contact[contact ? contact[k] : k], q, v, out + k * width(n_q));
    const struct contact_functions functions = {function_of(inputs, n * width(n_q), out), n, n_q};
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
    const double *at = functions->f.out + k * width(functions->n_q), *J = at + N_NUMBERS;
    return (struct contact_at){at[0],
                               at[1],
                               {at[2], at[3]},
                               at[4],
                               {at[5], at[6]},
                               at[7],
                               at[8],
                               J,
                               {J + functions->n_q, J + 2 * functions->n_q}};
}
