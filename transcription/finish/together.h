/* transcription/finish/together.h - programs of several sequences as one, with controls or parameters in common
 *
 * Each program has its own system, sequence and states. Of all of them one variable each are: controls by interval,
 * optimized parameters, a free horizon (joined.h); or the parameters alone, of programs with grids of their own.
 * Phases that end by a condition have lengths of their own in each, and so has the horizon then. Every sequence
 * keeps its own clock, so that events of one never wait for those of another, as they would in one model with
 * copies of all states. Multipliers of common variables are shared out evenly, so that those of all programs add up
 * to that of the whole; each program's own have the weight of its cost in them.
 *
 * Shapes  w, z_lower, z_upper [n_w], lambda [n_g] of the program of each member.
 * Errors  none: whether the whole has a solution is the solver's to say.
 */
#ifndef COCP_TRANSCRIPTION_FINISH_TOGETHER_H
#define COCP_TRANSCRIPTION_FINISH_TOGETHER_H

#include "transcription/multiphase/multiphase.h"

/* A program at a point; all is borrowed. */
struct member { struct phases *ph; double *w, *lambda, *z_lower, *z_upper; };

/* Programs that are solved together, one of which changes while the others stay what they are. */
struct company {
    int n, self;                    /* of them, and the place of the one that changes */
    const struct member *member;    /* [n] where the others start from; [self] is not looked at */
    const double *weight;           /* [n] of their costs */
    bool worst;                     /* the largest cost counts instead of the weighted sum */
    bool only_parameters;           /* are in common; controls and horizons are each one's own */
};

struct together;

/* The whole: `one` with its company, at the points that they have. */
struct together *together_create(const struct company *company, const struct member *one);
void together_free(struct together *at);

const struct nlp *together_nlp(const struct together *at);
struct nlp_point together_point(struct together *at);
/* [n] where each program's variables are in the whole; borrowed. */
const int *const *together_variables(const struct together *at);

/* Shares the point out: to the one, and to the others as one array, for company_take; free it. */
double *together_share(const struct together *at);

/* The cost of all, and their largest violation. */
double together_cost(const struct together *at);
double together_violation(const struct together *at);

/* The points of the others become what together_share has given. */
void company_take(const struct company *company, const double *others);

#endif
