/* transcription/program/program_block.h - one kind of point of a program: its function, points, and how they scatter
 *
 * Private to program.c. The life of a block: points are added, block_list names every entry of the Jacobian and
 * the Hessian that they touch, block_place remembers where those are, then it is evaluated.
 *
 * With S = coef w_a w_b the scale of an output, v a variable in slot j with coefficient c, phi = F_o:
 *   Jacobian   (row, v): S c dF/dj        (row, a): coef w_b F        (row, b): coef w_a F
 *   Hessian    (v, v'): S c c' d2phi      (a, v): coef w_b c dphi     (a, b): coef phi          math.md H.1, H.8
 */
#ifndef COCP_TRANSCRIPTION_PROGRAM_PROGRAM_BLOCK_H
#define COCP_TRANSCRIPTION_PROGRAM_PROGRAM_BLOCK_H

#include "transcription/program/program.h"

struct triplets { int n, cap; int *row, *col; };

/* Of a symmetric matrix either order may be given to a lower-triangle list: see triplets_add_lower. */
void triplets_add(struct triplets *list, int row, int col);
void triplets_add_lower(struct triplets *list, int a, int b);
void triplets_free(struct triplets *list);

struct block_multipliers { const double *lambda; struct program_weights cost; };

/* Weight of a kind of cost; 1 for a row. */
double block_weight(const struct program_weights *weights, int row);

struct program_block *block_create(struct pointfun *fun);
void block_free(struct program_block *block);
void block_list(const struct program_block *block, struct triplets *jac, struct triplets *hess);
void block_place(struct program_block *block, const struct sparse *jac, const struct sparse *hess);

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
