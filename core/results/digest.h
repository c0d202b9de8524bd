/* core/results/digest.h - has a result changed since it was written?
 *
 * /digest holds a SHA-256 for each group of the result. It is one of what the reader (results.h) makes of the
 * group, not of bytes of a file: attributes and variables in the order of their names, each with its type, axes,
 * units, words, bounds and values. So copies, h5repack and other programs that rewrite the file keep it; whatever
 * a reader of ours can see changes it. An attribute `sha256` of /digest is one of the table itself.
 *
 * It is no signature: who changes a result on purpose makes the digest anew. It shows what was edited
 * carelessly or damaged.
 *
 * Left out  /verification, of scenarios too, which `verify` replaces; attributes of the root that only describe
 *           the file (title, history, date_created, source, comment, references, institution, Conventions);
 *           attributes without text; `coordinates`, which netCDF programs move about.
 */
#ifndef COCP_CORE_RESULTS_DIGEST_H
#define COCP_CORE_RESULTS_DIGEST_H

#include "core/results/results.h"

#define DIGEST_GROUP "/digest"

/* Makes /digest of what is there. */
void digest_write(struct result *result);
/* Of one group, for a command that has changed it; the others keep theirs. Where there is
 * no /digest nothing happens. */
void digest_renew(struct result *result, const char *path);

struct digest_finding {
    bool is_there;                  /* /digest */
    bool is_whole;                  /* it is the table that was written */
    int n_changed;                  /* groups that have changed, are gone, or are new although a command writes their like */
    const char *changed;            /* paths of those, "/fit, /events"; "" */
    const char *added;              /* paths of groups that no command writes, likewise */
};

/* Texts are made in `mem`. */
struct digest_finding digest_check(const struct result *result, struct arena *mem);

#endif
