/* core/simulation/finding.h - what a check of a solution came to: its figure, its tolerance, and the reason if it
 * fails
 *
 * A check passes if figure <= tol; NaN fails. tol NAN: the figure is told, not judged.
 */
#ifndef COCP_CORE_SIMULATION_FINDING_H
#define COCP_CORE_SIMULATION_FINDING_H

#include "core/base/arena.h"

#include <stdbool.h>

struct finding {
    const char *name;               /* "final values", "constraints.hole": the same in words and in files */
    double figure, tol;
    const char *where;              /* "x at t = 0.5 s"; "" where there is no place */
    const char *reason;             /* why it fails; "" if it does not */
};

struct findings {
    struct arena mem;               /* owns texts and rows */
    int n, room;
    struct finding *row;
};

/* Adds a copy of everything; the reason is kept only if the check fails. where, reason may be NULL. */
void findings_add(struct findings *to, const struct finding *finding);

bool finding_fails(const struct finding *finding);
/* The first that fails; NULL: none does. */
const struct finding *findings_first_failure(const struct findings *findings);

void findings_free(struct findings *findings);

#endif
