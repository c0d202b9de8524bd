/* transcription/candidates/budget.h - what a mechanism of the search may take, as a share of what came before it
 *
 * Work is counted in nonzeros of Jacobian and Hessian times iterations (nlp.h), which is about what programs cost,
 * large ones and small ones, and the same on every machine: budgets do not make answers depend on the clock. What
 * is over in a moment is never cut short, nor what the user asks for beside the default.
 */
#ifndef COCP_TRANSCRIPTION_CANDIDATES_BUDGET_H
#define COCP_TRANSCRIPTION_CANDIDATES_BUDGET_H

#include "transcription/candidates/discovery.h"

#define BUDGET_MOMENT 3e5           /* work that is always allowed: some tenths of a second */

/* Of the whole solve so far. */
double budget_spent(const struct discovery *at);

/* Work that a mechanism which begins now may take: a share of all before, a moment at least; INFINITY where more is
 * asked for than the default. */
double budget_share(const struct discovery *at, double share);

#endif
