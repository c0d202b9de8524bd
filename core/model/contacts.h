/* core/model/contacts.h - contacts by name, in phases, and their forces */
#ifndef COCP_CORE_MODEL_CONTACTS_H
#define COCP_CORE_MODEL_CONTACTS_H

#include "core/model/parts/model.h"

/* Is it one of those that the spec calls so: it, or all contacts of its shape? */
bool model_contact_is(const struct model_contact *contact, const char *name);
/* Is state i there for a load alone? */
bool model_is_seat(const struct model *model, int i);
/* Weights of all contacts' tangents for these optimized parameters, NULL: their guesses: weight [SLIP_MAX *
 * n_contact]. */
void model_weights(const struct model *model, const double *p, double *weight);
/* Do costs or constraints speak of forces that no method knows: of all but those of pairs? */
bool model_asks_of_forces(const struct model *model);

#endif
