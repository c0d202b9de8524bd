/* core/nlp/options.h - the options of IPOPT that a spec may set, checked before IPOPT sees them
 *
 * IPOPT prints on stdout when it refuses an option, and ends the process for some linear solvers; so names,
 * types, ranges and words are checked here. The list holds what 3.11 and 3.14 share, without what would break
 * the agreement of nlp.h (constant-Hessian flags, user scaling) or print by itself.
 */
#ifndef COCP_CORE_NLP_OPTIONS_H
#define COCP_CORE_NLP_OPTIONS_H

#include "core/nlp/nlp.h"

enum option_type { OPTION_INT, OPTION_NUMBER, OPTION_WORD };

struct option_value {
    enum option_type type;
    int i;
    double x;
    const char *word;               /* borrowed from the option */
};

/* Reads option->value as the type that its name has. STATUS_USAGE with a message at pos (line 0: none) if the
 * name is unknown or the value does not fit. */
enum status option_read(const struct nlp_option *option, struct srcpos pos, const char *path,
                        struct option_value *out, struct diag *diag);

#endif
