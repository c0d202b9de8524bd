/* core/output/bound.h - /bound of a result file: a lower bound of the cost, and its certificate
 *
 *   attrs          bound, gap, objective, degree, infeasible, words, about; cost_scale, margin, capped,
 *                  horizon_max, below, spec_resolved_sha256
 *   variable       variable_name, lower, upper, box: spec, rates (no motion leaves it) or motion (the bound is
 *                  one over motions in it)
 *   coefficient    y: of V, then the bound itself, then of what keeps motions on surfaces
 *   gram_entry     gram: Gram matrices, columns down to the diagonal
 *   free_entry     free: free polynomials, if there are any
 *
 * /bound/V: over term: place, positive, monomial, value: V in scaled variables, to be read; no part of the proof.
 * /bound/degrees: over attempt: degree, bound, seconds, code, equations: what each degree came to; no part of it.
 */
#ifndef COCP_CORE_OUTPUT_BOUND_H
#define COCP_CORE_OUTPUT_BOUND_H

#include "core/bound/certificate.h"
#include "core/bound/search.h"
#include "core/results/results.h"

struct bound_outcome { /* borrowed */
    const struct bound_problem *problem;
    const struct bound_proof *proof;
    double objective, gap;     /* NAN: there was none to compare with */
    const char *words, *about; /* what is proved; of which problem */
    int n_attempt;
    const struct bound_attempt *attempt;
};

/* resolved: the spec's text that the certificate is about. */
void bound_write(const struct bound_outcome *found, const char *resolved, struct result *result);

/* Reads a certificate back, to the last bit; it borrows from the result. STATUS_IO with a message if there is
 * none. */
enum status bound_read_certificate(const struct result *result, struct bound_certificate *out, struct diag *diag);

/* Is it about this text? */
bool bound_is_about(const struct result *result, const char *resolved);

#endif
