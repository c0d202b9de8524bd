/* core/mpcc/polish.h - crossover: fix the active set that an iterate suggests and solve once; mpcc.md 6
 *
 * The pairs of a group are one decision. With S_G, S_H the largest G, H over its pairs, the side with the
 * smaller one is fixed at zero, each variable at the bound that its coefficient names; complementarity is then
 * exact. Where min(S_G, S_H) > ambiguity * max nothing is fixed and the product rows stay, with a small sigma.
 *
 * Works on a copy: the iterate it starts from survives. Whether the result is accepted is the caller's decision,
 * by the hard problem; IPOPT's word is no guide, since redundant rows leave its multipliers unbounded.
 */
#ifndef COCP_CORE_MPCC_POLISH_H
#define COCP_CORE_MPCC_POLISH_H

#include "core/mpcc/iterate.h"
#include "core/mpcc/recipe.h"

enum polish_decision { POLISH_KEEP, POLISH_FIX_G, POLISH_FIX_H };

/* decision [n_group] from w; returns how many groups are left ambiguous. A side that no bounds can make zero,
 * or that would contradict another group (alpha and 1 - alpha), is not fixed. */
int polish_decide(const struct mpcc *mpcc, const double *w, double ambiguity, enum polish_decision *decision);

/* What the NLP of a crossover minimizes. */
enum polish_goal {
    POLISH_COST,
    POLISH_FEASIBILITY              /* nothing: the nearest feasible point, for an iterate that stopped just short */
};

/* Solves with the decisions, starting from point->w; the arrays of the point are then the last iterate. `settings`
 * brings the time left, the print level and the user's options; the rest is set here. */
enum status polish_solve(const struct mpcc *mpcc, const enum polish_decision *decision, enum polish_goal goal,
                         const struct nlp_settings *settings, struct iterate *point, nlp_monitor *monitor,
                         void *monitor_user, struct nlp_info *info, struct diag *diag);

#endif
