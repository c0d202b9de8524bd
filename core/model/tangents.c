/* Contacts by name, weights of their tangents, and whether anything is asked of their forces. */
#include "core/model/model.h"

#include <string.h>

bool model_contact_is(const struct model_contact *contact, const char *name)
{
    return strcmp(contact->name, name) == 0 || strcmp(contact->family, name) == 0;
}

void model_weights(const struct model *model, const double *p, double *weight)
{
    for (int c = 0; c < model->n_contact; c++)
        for (int k = 0; k < SLIP_MAX; k++) {
            const expr e = model->contact[c].weight[k];
            weight[SLIP_MAX * c + k] = p ? expr_eval(model->graph, e, model->n_p, model->p_sym, p) : model_value_at(model, e, AT_GUESS);
        }
}

bool model_asks_of_forces(const struct model *m)
{
    bool found = m->n_impact_cost > 0 || m->n_impact_limit > 0;
    for (int k = 0; k < m->n_constraint; k++)
        found = found || m->constraint[k].of_forces;
    for (int k = 0; k < model_n_force(m) && m->has_forces; k++) {
        const int own = k - CONTACT_ROWS * m->n_contact;
        for (int i = 0; i < m->n_running && (own < 0 || !m->projection[own].is_pair); i++)
            found = found || expr_depends(m->graph, m->running[i].e, 1, &m->force_sym[k]);
    }
    return found;
}
