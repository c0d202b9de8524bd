/* transcription/program/program.h - a nonlinear program put together from few kinds of terms
 *
 *   rows and cost = sum of  coef * w_a * w_b * F_o(slots of a point)        point terms (pointfun.h)
 *                         + coef * w_a * w_b  +  coef * w_a                 bilinear and linear terms
 *
 * where each slot is an affine function of w. Everything that a discretization needs has this shape: h s f(x, u)
 * with its Runge-Kutta sums, costs, constraints, clock and grid rows. The sparsity is computed once by
 * program_finish; after that, evaluating allocates nothing. Derivatives are exact: derivatives.md.
 *
 * A row of the program is a row of g; three names stand for costs: PROGRAM_COST, what the user asked for,
 * PROGRAM_PENALTY, what the method adds (step equilibration, dead band), and PROGRAM_GUIDE, what leads the first
 * steps to a goal that is hard to reach. Each has a weight that may change between solves; the reported objective
 * is the first one alone, at weight 1.
 */
#ifndef COCP_TRANSCRIPTION_PROGRAM_PROGRAM_H
#define COCP_TRANSCRIPTION_PROGRAM_PROGRAM_H

#include "core/mpcc/mpcc.h"
#include "transcription/program/block.h"

struct program;

struct program *program_create(void);
void program_free(struct program *prog);

/* --- Building ------------------------------------------------------------------------------------------------ */
int program_var(struct program *prog, double lb, double ub, double guess, struct mpcc_label label);
int program_row(struct program *prog, double lb, double ub, struct mpcc_label label);
void program_linear(struct program *prog, int row, int var, double coef);
void program_bilinear(struct program *prog, int row, int a, int b, double coef);

/* The cost of what is known already. */
void program_add_cost(struct program *prog, double cost);

/* A block of points (block.h) that takes over fun; the program owns it. */
struct program_block *program_block(struct program *prog, struct pointfun *fun);
/* A complementarity pair; the terms are copied. */
void program_pair(struct program *prog, const struct mpcc_pair *pair);
int program_new_group(struct program *prog);

/* Computes the sparsity. After this, nothing is added. */
void program_finish(struct program *prog);

/* --- Using --------------------------------------------------------------------------------------------------- */
/* The finished program as an MPCC; arrays are borrowed from prog. set_sigma and objective are left to the caller
 * (objective is set to program_cost's value). */
struct mpcc program_mpcc(struct program *prog);

int program_n_var(const struct program *prog);
int program_n_row(const struct program *prog);
/* Bounds and guesses may change between solves. */
void program_set_bounds(struct program *prog, int var, double lb, double ub);
void program_set_row_bounds(struct program *prog, int row, double lb, double ub);
double *program_guess(struct program *prog);                /* [n_var] */
/* Sets one entry of the guess, moved into the bounds; NAN leaves it. */
void program_set_guess(struct program *prog, int var, double value);
double program_lb(const struct program *prog, int var);
double program_ub(const struct program *prog, int var);
struct program_weights program_weights(const struct program *prog);
void program_set_weights(struct program *prog, struct program_weights weights);
/* The user's cost alone. */
double program_cost(struct program *prog, const double *w);

/* Where the first value that is not finite comes from: its row's label and what expr_trace says; false if all is
 * finite at w. text gets at most size bytes. */
bool program_trace(struct program *prog, const double *w, struct mpcc_label *label, struct srcpos *pos,
                   char *text, size_t size);

#endif
