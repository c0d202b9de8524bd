#include "core/model/contacts.h"

#include "core/model/values.h"

#include <string.h>

bool model_contact_is(const struct model_contact *contact, const char *name)
{
    return strcmp(contact->name, name) == 0 || strcmp(contact->family, name) == 0;
}

void model_weights(const struct model *model, const double *p, double *weight)
{
    for (int c = 0; c < model->contacts.n_contact; c++)
        for (int k = 0; k < SLIP_MAX; k++) {
            const expr e = model->contacts.contact[c].weight[k];
            weight[SLIP_MAX * c + k] = p ? expr_eval(model->graph, e, model->n_p, model->p_sym, p)
                                         : model_value_at(model, e, AT_GUESS);
        }
}

bool model_asks_of_forces(const struct model *m)
{
    bool found = m->costs.n_impact > 0 || m->constraints.n_impact > 0;
    for (int k = 0; k < m->constraints.n_constraint; k++)
        found = found || m->constraints.constraint[k].of_forces;
    for (int k = 0; k < model_n_force(m) && m->contacts.has_forces; k++) {
        const int own = k - CONTACT_ROWS * m->contacts.n_contact;
        for (int i = 0; i < m->costs.n_running && (own < 0 || !m->switching.projection[own].is_pair); i++)
            found = found || expr_depends(m->graph, m->costs.running[i].e, 1, &m->contacts.force_sym[k]);
    }
    return found;
}

bool model_is_seat(const struct model *model, int i)
{
    return model->contacts.n_load > 0 && i >= model->contacts.load[0].x;
}
