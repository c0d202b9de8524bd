/* core/mpcc/iterate.h - a point of a homotopy, and what the hard problem says of it */
#ifndef COCP_CORE_MPCC_ITERATE_H
#define COCP_CORE_MPCC_ITERATE_H

#include "core/base/arena.h"
#include "core/mpcc/mpcc.h"

/* Ranks are worth more than any objective. */
enum rank { RANK_NONE, RANK_TRIED, RANK_SOLVED_NLP, RANK_FEASIBLE, RANK_STRICT };

struct iterate {
    int n_w, n_g, n_pair;
    double *w;                      /* [n_relaxed_w]: with the elastic variables */
    double *lambda;                 /* [n_g] of the relaxed NLP: the rows of the MPCC first */
    double *lambda_pair;            /* [n_pair] */
    double *z_lower, *z_upper;      /* [n_relaxed_w] */
    double sigma, complementarity, violation, objective;
    enum nlp_outcome outcome;
    enum rank rank;
    bool polished;
};

/* The arrays live in mem; copies go between iterates of the same size. */
struct iterate iterate_create(struct arena *mem, const struct nlp *relaxed, const struct mpcc *mpcc);
void iterate_copy(const struct iterate *from, struct iterate *to);

/* Sets what the hard problem says of point->w, and the rank; point->outcome is that of its NLP. */
void iterate_judge(const struct mpcc *mpcc, double comp_tol, struct iterate *point);

/* By rank, then strict points by their objective, feasible ones by complementarity, the rest by how far off they
 * are. */
bool iterate_is_better(const struct iterate *a, const struct iterate *b);

bool iterate_nlp_is_solved(enum nlp_outcome outcome);

#endif
