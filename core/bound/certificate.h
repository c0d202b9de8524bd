/* core/bound/certificate.h - all that a bound is proved by, besides the spec; and the proof made again
 *
 * The conditions follow from the model, the box, the degree and the margin; what has been found is numbers: y, the
 * Gram matrices (of each the columns down to the diagonal) and the free polynomials, one condition after the
 * other.
 *
 * Errors  a certificate that proves less than it states is refused, with the reason.
 */
#ifndef COCP_CORE_BOUND_CERTIFICATE_H
#define COCP_CORE_BOUND_CERTIFICATE_H

#include "core/bound/prove.h"
#include "core/model/model.h"

struct bound_certificate {
    double bound, cost_scale, below, margin, horizon_max;
    int capped;
    struct bound_cut cut;
    int degree, n_var, n_y, n_gram, n_free;
    const char *name[POLY_MAX_VAR]; /* of variables: [n_var] */
    enum bound_box box[POLY_MAX_VAR];
    double lo[POLY_MAX_VAR], hi[POLY_MAX_VAR];
    const double *y, *gram, *free; /* [n_y], [n_gram], [n_free] */
};

/* "spec", "rates", "cost", "motion" */
const char *bound_box_text(enum bound_box box);

/* In mem. */
void bound_certificate_of(struct arena *mem, const struct bound_problem *problem, const struct bound_proof *proof,
                          struct bound_certificate *out);

/* Proves it again for the model. False: it is refused, and `why` [size] says why; a model that bounds refuse is
 * one reason, and its messages are in diag. */
bool bound_certificate_check(const struct model *model, const struct bound_certificate *certificate, char *why,
                             size_t size, struct diag *diag);

#endif
