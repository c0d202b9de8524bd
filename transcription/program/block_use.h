/* transcription/program/block_use.h - what a program does with its blocks: pattern, values and
 * derivatives; private to it
 *
 * With S = coef w_a w_b the scale of an output, v a variable in slot j with coefficient c, phi = F_o:
 *   Jacobian   (row, v): S c dF/dj        (row, a): coef w_b F        (row, b): coef w_a F
 *   Hessian    (v, v'): S c c' d2phi      (a, v): coef w_b c dphi     (a, b): coef phi          derivatives.md 1, 8
 */
#ifndef COCP_TRANSCRIPTION_PROGRAM_BLOCK_USE_H
#define COCP_TRANSCRIPTION_PROGRAM_BLOCK_USE_H

#include "core/base/triplets.h"
#include "transcription/program/block.h"

/* Adds a triplet for every entry that the block touches; nothing is added to the block afterwards. */
void block_list(struct program_block *block, struct triplets *jac, struct triplets *hess);

/* Once the patterns are known: where those triplets went. */
void block_place(struct program_block *block, const int *jac_slot, const int *hess_slot);

/* Weight of a kind of cost; 1 for a row. */
double block_weight(const struct program_weights *weights, int row);

/* Values and derivatives are added to those of the program. Order: values at a point, then what is asked of them
 * there. */
void block_eval_values(struct program_block *block, const double *w);
void block_eval_jac(struct program_block *block);           /* at the point of the last block_eval_values */
double block_sum_cost(const struct program_block *block, const double *w, int row);
void block_add_rows(const struct program_block *block, const double *w, double *g);
/* To the gradient (of the costs, weighted); to the entries of the Jacobian where cost is NULL. */
void block_add_first(const struct program_block *block, const double *w, const struct program_weights *cost,
                     double *val);
/* lambda [n_row] of the rows, and the weights of the costs. */
struct block_multipliers { const double *lambda; struct program_weights cost; };
void block_add_hess(struct program_block *block, const double *w, const struct block_multipliers *mult,
                    double *val);

/* The row of the first output that is not finite, traced; PROGRAM_NO_ROW if all are finite. */
int block_trace(struct program_block *block, struct srcpos *pos, char *text, size_t size);

#endif
