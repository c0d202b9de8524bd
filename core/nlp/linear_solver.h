/* core/nlp/linear_solver.h - core/kkt as the linear solver of IPOPT, with MUMPS for what it cannot do
 *
 * IPOPT takes it for the four routines of MA27 (ma27.h): analyse, factorize, solve, defaults. Behind them stands a
 * linear_solver, which IPOPT knows by a number in MA27's work arrays. One is in use at a time in each thread: from
 * begin to end. Where IPOPT takes none (3.12 and 3.13) linear_solver_available is false, and MUMPS does the work.
 *
 * A factorization is MUMPS's when core/kkt breaks down on finite numbers, or when a residual stays large; after
 * many of these, all are.
 */
#ifndef COCP_CORE_NLP_LINEAR_SOLVER_H
#define COCP_CORE_NLP_LINEAR_SOLVER_H

#include "core/nlp/nlp.h"

struct linear_solver;

bool linear_solver_available(void);

/* Serves one run of IPOPT after the other; remembers the last structures it has analysed. */
struct linear_solver *linear_solver_create(void);
void linear_solver_free(struct linear_solver *solver);

/* n: rows of IPOPT's linear system, n_negative: how many of its eigenvalues must be negative. A factorization of
 * that size stops when it has more: IPOPT then asks for another, with a larger regularization. -1: not known. */
void linear_solver_begin(struct linear_solver *solver, int n, int n_negative);
/* Has the run of this thread come to where a factorization costs fifty times its cheapest one, again and again?
 * Regularized ever more, without an end in sight: of 92 s 60 went into 84 factorizations (a motor whose horizon is
 * free). */
bool linear_solver_is_swamped(void);
/* What was done since begin. */
struct nlp_linear_work linear_solver_end(struct linear_solver *solver);

#endif
