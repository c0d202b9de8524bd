/* transcription/program/block_eval.h - values and derivatives of a block, added to those of the program
 *
 * Formulas as in block_pattern.h. Order: values at a point, then what is asked of them there.
 */
#ifndef COCP_TRANSCRIPTION_PROGRAM_BLOCK_EVAL_H
#define COCP_TRANSCRIPTION_PROGRAM_BLOCK_EVAL_H

#include "transcription/program/block.h"

struct block_multipliers { const double *lambda; struct program_weights cost; };

/* Weight of a kind of cost; 1 for a row. */
double block_weight(const struct program_weights *weights, int row);

void block_eval_values(struct program_block *block, const double *w);
void block_eval_jac(struct program_block *block);           /* at the point of the last block_eval_values */
double block_sum_cost(const struct program_block *block, const double *w, int row);
void block_add_rows(const struct program_block *block, const double *w, double *g);
void block_add_grad(const struct program_block *block, const double *w, const struct program_weights *weights,
                    double *grad);
void block_add_jac(const struct program_block *block, const double *w, double *val);
void block_add_hess(struct program_block *block, const double *w, const struct block_multipliers *mult,
                    double *val);

/* The row of the first output that is not finite, traced; PROGRAM_NO_ROW if all are finite. */
int block_trace(struct program_block *block, struct srcpos *pos, char *text, size_t size);

#endif
