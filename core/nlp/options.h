/* core/nlp/options.h - the options of IPOPT that a spec may set, checked before IPOPT sees them
 *
 * IPOPT prints on stdout when it refuses an option, and ends the process for some linear solvers; so names,
 * types, ranges and words are checked here, against what the installed library says of itself (library.h),
 * without what would break the agreement of nlp.h or print by itself. An installed solver (HSL, Pardiso) can be
 * chosen, one that is not is refused with the names of those that are.
 */
#ifndef COCP_CORE_NLP_OPTIONS_H
#define COCP_CORE_NLP_OPTIONS_H

#include "core/nlp/library.h"
#include "core/nlp/nlp.h"

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

/* Does it say how linear systems are solved: by whom, in which order, with which scaling? */
bool option_is_linear(const char *name);

#endif
