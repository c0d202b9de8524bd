/* transcription/sensitivity/sensitivity.h - how a finished solution moves with a number of its problem
 *
 *   H dw + J_A' dlambda = - d/dtheta (gradient of f + lambda' g)         of free variables
 *   J_A dw              = d/dtheta (bound - g)                            of active rows
 *   dw                  = d/dtheta bound                                  of variables at a bound
 *
 * with the active set A of the solution and the Hessian H of its Lagrangian; one factorization (core/kkt) serves all
 * numbers. A small delta on the diagonal lets active constraints repeat each other, as a bound along an arc does, and is
 * taken out again by refinement. The derivatives on the right are central differences of the program itself, without a
 * solve: theta may stand anywhere in the spec (an initial value, a parameter in a formula, a bound, the horizon). The
 * objective's is that of the Lagrangian (envelope theorem). Where a multiplier and its slack are both near 0 the derivative
 * is one-sided; n_weak counts those.
 *
 * Shapes  dw [n_w] of the program.
 * Units   of the variable per unit of theta.
 */
#ifndef COCP_TRANSCRIPTION_SENSITIVITY_SENSITIVITY_H
#define COCP_TRANSCRIPTION_SENSITIVITY_SENSITIVITY_H

#include "transcription/finish/finish.h"

struct sensitivity;

/* finish is borrowed; it is solved. */
struct sensitivity *sensitivity_create(const struct finish *finish);
/* The same for any program at its solution; both borrowed. */
struct sensitivity *sensitivity_of(const struct nlp *nlp, const struct nlp_point *solution);
/* Of the rest of the program, from where control interval `from` begins: its first state is given, about x [n_x];
 * what comes before it, the horizon and optimized parameters stand still. */
struct sensitivity *sensitivity_create_rest(const struct finish *finish, int from, const double *x);
void sensitivity_free(struct sensitivity *sens);

/* Has the matrix the inertia of a local minimum, where directions that cost nothing count as rising? */
bool sensitivity_is_minimum(const struct sensitivity *sens);
/* And of a strict one, where they count as falling? If not, more than one solution may be as good. The last
 * question: its factors take the place of the others, which large programs cannot hold twice, and there is nothing
 * to solve with any more. */
bool sensitivity_is_strict(struct sensitivity *sens);
/* Was the factorization cut short, as somebody asked the program to stop? Then nothing is known. */
bool sensitivity_is_stopped(const struct sensitivity *sens);
int sensitivity_n_weak(const struct sensitivity *sens);

/* Is the variable fixed, or held by a bound? */
bool sensitivity_is_held(const struct sensitivity *sens, int var);
/* x = K^-1 (b; 0) of free variables, 0 of others; b, x [n_w]. False if there is no such x: of what the cost says
 * nothing. */
bool sensitivity_inverse(const struct sensitivity *sens, const double *b, double *x);

/* The same program at two values of theta, `step` apart: dw, and of the objective *df. False if these are no
 * programs of the same size, or the system has no solution. */
bool sensitivity_solve(const struct sensitivity *sens, const struct phases *less, const struct phases *more, double step,
                       double *dw, double *df);

/* Of a rest: dw where its first state is x [n_x]. By the principle of optimality the solution of the problem from
 * there on moves likewise, where the horizon is not free. False if the system has no solution. */
bool sensitivity_solve_state(const struct sensitivity *sens, const double *x, double *dw);

#endif
