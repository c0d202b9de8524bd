/* core/bound/maker.h - how the conditions of a subsolution (conditions.h) are put together
 *
 * subsolution.c has what is unknown in V, start and end; flows.c and jumps.c the rest. Each is a draft: an
 * expression in the unknowns that is not negative in a region, which becomes an identity of sums of squares
 * (drafts.c).
 */
#ifndef COCP_CORE_BOUND_MAKER_H
#define COCP_CORE_BOUND_MAKER_H

#include "core/bound/conditions.h"

struct maker {
    struct arena *mem;
    const struct bound_problem *problem;
    struct bound_conditions *out;
    struct interval_poly **value;       /* [n_place] of [n_unknown]: what an unknown multiplies where its subset is
                                         * positive */
    double margin;
};

/* A condition while it is put together: p >= 0 in a region, p = constant + sum of y_unknown part. */
struct draft {
    enum bound_role role;
    bool once;
    char name[160];
    double weight_least;
    struct interval_poly constant;
    int n_part;
    int *unknown;               /* [n_part] */
    struct interval_poly *part; /* [n_part] */
    unsigned variables;         /* that are left */
    unsigned narrowed;          /* those that some inequality bounds within their boxes */
    struct bound_region region;
};

/* --- Polynomials of a problem -------------------------------------------------------------------------------- */

/* Would a polynomial of these variables and this degree have too many terms? Then the conditions are too large. */
bool maker_is_too_large(struct maker *mk, unsigned variables, int degree);

/* Of the middle of a. */
int maker_degree_of(struct interval_poly a);

/* Variables of V that a frame leaves. */
unsigned maker_arguments(const struct bound_problem *problem, const struct bound_frame *frame);

/* On the circle a square of a cosine says nothing new. */
bool maker_has_square(const struct bound_problem *problem, uint64_t monomial);

/* Monomials up to a degree, of controls together up to a lesser one; all of them, or those that differ on the
 * circle. */
struct sos_basis maker_basis(struct maker *mk, struct interval_poly times, unsigned variables, int degree,
                             int of_controls, bool all_of_them);

/* --- Drafts -------------------------------------------------------------------------------------------------- */

void draft_add(struct draft *draft, int unknown, struct interval_poly part);

/* Regions: what holds along the way and in `region`; the signs of a pattern, of the switches whose bit is in `of`;
 * boxes of the variables, after all others. False: there is no such state. */
bool draft_require_here(struct maker *mk, struct draft *draft, const struct bound_frame *frame,
                        const struct bound_region *region);
bool draft_require_signs(struct maker *mk, struct draft *draft, const struct bound_frame *frame,
                         const struct bound_place *place, unsigned pattern, unsigned of);
bool draft_require_box(struct maker *mk, struct draft *draft, const struct bound_frame *frame);

/* The draft becomes an identity. */
void draft_finish(struct maker *mk, struct draft *draft);

/* Frees what it has. */
void draft_drop(struct draft *draft);

/* --- Flows and jumps ----------------------------------------------------------------------------------------- */

/* Motion at place q: in the region of each pattern, and on every set of surfaces and walls. */
void make_motion(struct maker *mk, int q);

/* Each pattern of a guard. */
void make_jumps(struct maker *mk, const struct bound_guard *guard);

#endif
