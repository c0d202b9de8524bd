/* core/stability/rest.h - the model at rest at its initial positions: load and closed contacts
 *
 * From a spec to the body of body.h (stability.md 1): the coordinates must be those of one planar
 * body, position of the centre of mass and angle, M = diag(m, m, I) in some order. Lengths are divided by the
 * radius of gyration, accelerations by the length of that of the load, the axes turned along the line through the
 * feet.
 *
 * Units   q, f, J as in the spec; what is in `body` has none.
 * Errors  rest_read: STATUS_SPEC for a position that has no value, an expression that is not finite there. What is
 *         well defined but none of the cases that can be judged is a verdict.
 */
#ifndef COCP_CORE_STABILITY_REST_H
#define COCP_CORE_STABILITY_REST_H

#include "core/model/inputs.h"
#include "core/stability/precheck.h"

struct rest_contact {
    int index;                      /* in model->contact */
    double n[3], t[3];              /* gradients by the coordinates, translations first, angle last; lengths 1 */
};

/* A model at rest, its values at hand. Borrowed: model. */
struct rest {
    struct model *model;
    struct arena mem;               /* owns the arrays */
    struct inputs at;               /* every symbol and its value */
    int place[3];                   /* coordinates: two translations, then the angle; set by rest_read */
    double mass, inertia, load[3];  /* kg, kg m^2; force by place */
    int n_contact;
    struct rest_contact *contact;   /* [n_contact] closed ones */
};

/* False: *verdict says why this is not a planar body at rest on contacts. */
enum status rest_read(struct model *model, double gap_tol, struct rest *rest, bool *is_body,
                      struct verdict *verdict, struct diag *diag);
void rest_free(struct rest *rest);

/* Of an expression, there. */
double rest_value(const struct rest *rest, expr e);

/* Of three or more contacts the outer two, if all feet are on a line and their normals parallel; else false. */
bool rest_keep_outer(struct rest *rest);

/* Two contacts: name [2] are those of body's feet. False: a verdict. */
bool rest_body(const struct rest *rest, struct body *body, const char *name[2], struct verdict *verdict);

/* One contact is decided here: rolling is the only motion left, and it is judged by the exact model
 * (stability.md 10). */
void rest_one_contact(const struct rest *rest, struct verdict *verdict);

#endif
