/* core/stability/certify.h - from a body on two contacts to a verdict and its proof; stability.md 2
 *
 * Levels are tried in the order P, E, M; each is a semidefinite program (program.h) whose solution counts only
 * when certificate.h has proved it. The other methods look for a polynomial by sums of squares
 * (polynomial_function.h); what is proved of it is a certificate of level P. One contact is decided by rolling
 * (rest.h), without a certificate.
 * Errors  what cannot be decided is inconclusive; STATUS_SPEC as rest_read.
 */
#ifndef COCP_CORE_STABILITY_CERTIFY_H
#define COCP_CORE_STABILITY_CERTIFY_H

#include "core/stability/certificate.h"
#include "core/stability/polynomial_function.h"
#include "core/stability/precheck.h"
#include "core/stability/rest.h"
#include "core/stability/settings.h"

struct certify_result {
    struct verdict verdict;         /* certified: margin is the certificate's */
    int n_contact;                  /* closed ones that were looked at */
    struct body body;               /* of two contacts, else zero; as given, its load may have either sign */
    const char *name[2];            /* of its feet; borrowed */
    int level;                      /* the LEVEL_ bit that certifies, 0: none */
    double level_margin[3];         /* of P, E, M; NAN: not tried or nothing found */
    double t[3];                    /* optimum of their programs; NAN: not solved */
    int solver_code[3], n_y[3];     /* of CSDP, and the variables of its program; -1: not solved */
    struct certificate certificate; /* if level != 0 */
    int method;                     /* enum certify_method */
    struct polynomial_result polynomial;        /* if degree != 0 */
};

/* levels: LEVEL_ bits; all_levels: go on after the first that certifies, for charts. body.g has length 1; name
 * [2]: the contacts. A body with gs < 0 is seen from behind first. */
void certify_body(const struct body *body, const char *const *name, uint64_t levels, bool all_levels,
                  struct certify_result *out);

/* The same by a polynomial of the degree: method is CERTIFY_SOS or CERTIFY_SOS_ORIGINAL. */
void certify_by_polynomial(const struct body *body, const char *const *name, enum certify_method method, int degree,
                           struct certify_result *out);

/* The model at its initial positions. */
enum status certify_model(struct model *model, const struct certify_settings *settings, struct certify_result *out,
                          struct diag *diag);

/* Is it a certificate of the model at its initial positions? Its bodies have to be those that follow
 * from the model, to rounding, its feet [2] the contacts in that order. If not, why [size] says what
 * differs. STATUS_SPEC as rest_read. */
enum status certify_is_of(struct model *model, const struct certify_settings *settings,
                          const struct certificate *certificate, const char *const foot[2], bool *is, char *why,
                          size_t size, struct diag *diag);

/* "p", "e", "m"; "" for 0. */
const char *certify_level_text(int level);

#endif
