/* core/stability/settings.h - the block `certify` of the spec; README.md "The spec" */
#ifndef COCP_CORE_STABILITY_SETTINGS_H
#define COCP_CORE_STABILITY_SETTINGS_H

#include "core/spec/settings.h"

#include <stdbool.h>

/* Bits of `levels`: which forms of Lyapunov functions are tried, the simplest first (stability.md 3). */
enum { LEVEL_P = 1, LEVEL_E = 2, LEVEL_M = 4, LEVEL_MAX_P = 24 };

/* How many parameters the functions of a level have (conditions.h), at most LEVEL_MAX_P. */
int level_n_p(int level);

/* How Lyapunov functions are looked for: of our levels, or as a polynomial by sums of squares
 * (polynomial_conditions.h). */
enum certify_method { CERTIFY_CONES, CERTIFY_SOS, CERTIFY_SOS_ORIGINAL };

/* "cones", "sos", "sos-original" */
const char *certify_method_text(int method);

struct certify_settings {
    int method;                     /* enum certify_method */
    int degree;                     /* of the polynomial, 2 to 4 */
    uint64_t levels;                /* LEVEL_ bits, at least one */
    double gap_tol;                 /* contacts whose gap is at most this are closed, m */
    bool each_level;                /* go on after the first that certifies */
    bool outer_feet;                /* of three and more feet on a line, take the outer two */
};

extern const struct setting_table certify_table;

/* Reads the block (NULL: defaults). */
enum status certify_settings_read(const struct spec_node *block, const struct setting_eval *eval,
                                  struct certify_settings *out, struct diag *diag);

#endif
