/* core/stability/functions.h - the functions of a certificate as formulas
 *
 * In the coordinates of the motion that they are about: X = y + h theta along the foot line, the gaps and their
 * rates, with a dash for d/dt; lengths over the radius of gyration, times such that the load accelerates by 1.
 */
#ifndef COCP_CORE_STABILITY_FUNCTIONS_H
#define COCP_CORE_STABILITY_FUNCTIONS_H

#include "core/base/arena.h"
#include "core/stability/certificate.h"

struct formula { const char *name, *when, *text; };     /* "S1", "supported by foot1", "0.3*X + ..." */

enum { FORMULA_MAX = 5 };

/* name [2] are the feet of side->body. Texts live in mem. Returns their number. */
int certificate_formulas(int level, const struct certificate_side *side, const char *const name[2],
                         struct arena *mem, struct formula out[FORMULA_MAX]);

/* What parameter q is: "c", "Q_F1 yz", ...; in mem. */
const char *certificate_parameter_name(int level, int q, struct arena *mem);

#endif
