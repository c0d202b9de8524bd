/* core/mpcc/relax.h - the NLP that stands for an MPCC at one sigma; mpcc.md 1 to 3
 *
 *   min f(w) + sum s / sigma   s.t.  rows of the MPCC,  psi(G_m, H_m; scale_m sigma) - scale_m s <= 0,
 *                                    G_m >= 0, H_m >= 0 where the variable bounds do not say so
 *
 * s are the elastic variables behind w: none, one (linf) or one per relaxed pair (l1), in [0, 10]. With Scholtes
 * an elastic row is G H <= scale s (mpcc.md 2), otherwise s is added to psi at sigma.
 * A two-sided pair has the rows +-G H <= scale sigma (+ scale s) whatever the kind (fesd_j.md (5)).
 * Lin-Fukushima has a second row (G + t)(H + t) >= t^2 per pair; the bounds G, H >= 0 are kept all the same.
 *
 * The patterns are computed once; a new sigma, fixed variables and freed rows change numbers only.
 * A pair of which one side is fixed at zero has no row: it holds.
 */
#ifndef COCP_CORE_MPCC_RELAX_H
#define COCP_CORE_MPCC_RELAX_H

#include "core/mpcc/mpcc.h"
#include "core/mpcc/settings.h"

struct relax;

/* keep [n_pair] says which pairs get rows; NULL: all. `mpcc` is borrowed. */
struct relax *relax_create(const struct mpcc *mpcc, enum relax_kind kind, enum relax_elastic elastic,
                           const bool *keep);
void relax_free(struct relax *relax);

/* The NLP at the current sigma, sigma = 1 at first. Borrowed; its bounds may change with the functions below. */
const struct nlp *relax_nlp(const struct relax *relax);

void relax_set_sigma(struct relax *relax, double sigma);

/* w_relaxed [relax_nlp()->n_w] = w [n_w of the MPCC] and the elastic variables at their start. */
void relax_start(const struct relax *relax, const double *w, double *w_relaxed);

/* Fixes a variable of the MPCC. */
void relax_fix(struct relax *relax, int var, double value);

/* Leaves the cost out: what is minimized then is nothing, and IPOPT's regularization makes short steps to
 * feasibility. */
void relax_drop_cost(struct relax *relax);

/* Takes the bounds from rows whose variables are all fixed: they hold, or nothing can be done about them. */
void relax_free_fixed_rows(struct relax *relax);

/* Row of pair m in the relaxed NLP (the first of its rows), -1 if it has none. */
int relax_pair_row(const struct relax *relax, int m);

#endif
