/* transcription/phases/tied.h - the programs of several experiments as one, with the same parameters
 *
 *   min sum_k f_k(w_k)   s.t. the rows of every program,  p_k - p_0 = 0 for k > 0
 *
 * Variables and rows are those of the programs, one after the other; the rows that tie parameters come last. Every program
 * keeps its own sequence, horizon and initial values.
 * Shapes  n_w, n_g are sums; the Jacobian and the Hessian are block diagonal but for the ties.
 */
#ifndef COCP_TRANSCRIPTION_PHASES_TIED_H
#define COCP_TRANSCRIPTION_PHASES_TIED_H

#include "transcription/phases/finish.h"

struct tied {
    struct arena mem;               /* owns the arrays */
    int n_part, n_p;
    struct finish *part;            /* [n_part] borrowed */
    int *w0, *g0;                   /* [n_part + 1] first variable and row of each */
    int *jac0, *hess0;              /* [n_part + 1] first entries among those of all programs */
    int *jac_at;                    /* [jac0[n_part]] where an entry is in the joint Jacobian */
    double *scratch;                /* [jac0[n_part]] */
    struct nlp nlp;
    struct nlp_point point;
};

/* Of solutions of the programs, or points near them; the models have the same optimized parameters. */
struct tied *tied_create(int n_part, struct finish *part);
void tied_free(struct tied *tied);

/* Solves it from the parts' points and gives each its own; task [n_part], each of its part's grid. Moments (phases.h) are
 * put into their elements, as in finish_run. Returns the sum of the objectives, INFINITY where there is no solution. */
double tied_solve(const struct finish_task *task, int n_part, struct finish *part, struct diag *diag);

#endif
