/* core/output/certificate.h - /certificate of a result file; results.md
 *
 *   attrs       outcome, level, margin, reason, explanation; residual, checked, scope
 *   foot        name, l, phi, friction, restitution of the feet, in the units of the body (also: h, load)
 *   function    name, when, formula
 *   parameter   name, value                   what the functions are made of, to the last bit
 *   condition   name, size, scale, margin, multipliers (condition, multiplier)
 * What the solver found for each level is in /certificate/levels: t, margin, code, variables; no part of the
 * proof. What sums of squares came to (certify.method: sos, sos-original) is in /certificate/polynomial: attrs
 * method, degree, coefficients, conditions, equations, code, found, slack, worst; over term: monomial,
 * coefficient; no part of the proof. What --falsify found is in /certificate/growth: attrs grows, factor; over
 * event: t, X, gaps, velocities, size. On flat ground the same for the mirror image is in /certificate/mirror.
 */
#ifndef COCP_CORE_OUTPUT_CERTIFICATE_H
#define COCP_CORE_OUTPUT_CERTIFICATE_H

#include "core/results/results.h"
#include "core/stability/certify.h"
#include "core/stability/falsify.h"

void certificate_write(const struct certify_result *found, struct result *result);

/* Are outcome and formulas of the result those of the certificate that was read from it? */
bool certificate_says_so(const struct result *result, const struct certificate *certificate);

/* /certificate/growth: the motion that --falsify found, event by event; or that it found none. */
void growth_write(const struct certify_result *found, const struct falsify_result *motion, struct result *result);

/* Reads a proof back, to the last bit. STATUS_IO with a message if the file has none. */
enum status certificate_read(const struct result *result, struct certificate *out, struct diag *diag);

#endif
