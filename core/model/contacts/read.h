/* core/model/contacts/read.h - contacts and the grounds that they touch */
#ifndef COCP_CORE_MODEL_CONTACTS_READ_H
#define COCP_CORE_MODEL_CONTACTS_READ_H

#include "core/model/scope/reader.h"

/* grounds.c: the pieces of the grounds that a contact names or brings, or, where it says nothing, of z
 * = 0; false after a mistake. */
bool reader_ground_of(struct reader *r, const struct spec_node *contact, struct ground_pieces *pieces);
void model_read_grounds(struct reader *r);

/* contact_shapes.c: is it a shape in the plane? Its contacts with the pieces of its ground, each
 * like `contact` with its own name, gap and tangent, J_n, J_t and drift: their number, *out in the
 * model's arena; 0 after a mistake. */
bool reader_is_shape(const struct spec_node *block);
int reader_shape_contacts(struct reader *r, const struct spec_node *block, const struct model_contact *contact,
                          struct model_contact **out);

/* contact_points.c: what a contact of a body names, its point or its frame; gap and tangential velocity of that,
 * or of corner 0 .. 3 of the patch around it (-1: none), above its ground; slip of the resistance to rolling of
 * such a contact. */
const struct spec_node *reader_contact_place(const struct spec_node *block);
void reader_point_contact(struct reader *r, const struct spec_node *block, int corner,
                          struct model_contact *contact);
void reader_point_rolling(struct reader *r, const struct spec_node *block, struct model_contact *contact);

/* solid_contacts.c: gap, J_n, J_t for n_t components of slip, place and axes of a contact of two shapes in space; b
 * NULL: z = 0. */
void reader_solid_contact(struct reader *r, const struct model_solid *a, const struct model_solid *b,
                          const struct solid_gap *gap, struct model_contact *contact);

/* coefficients.c: an expression of parameters with its value at the guess in [0, max]; 0 if absent. */
void reader_coefficient(struct reader *r, const struct spec_node *node, double max, expr *e, double *value);
/* Of friction: one, or one for each of n_t components of slip, which then count by their weights
 * (model_contact.weight); v_t, J_t and drift are known. */
void reader_friction(struct reader *r, const struct spec_node *node, struct model_contact *contact);
/* The third component of slip gets its weight; after reader_friction. */
void reader_drilling(struct reader *r, const struct spec_node *node, struct model_contact *contact);

/* contacts.c: those of the spec, and of friction under loads. */
void model_read_contacts(struct reader *r);

#endif
