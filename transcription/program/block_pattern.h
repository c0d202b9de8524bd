/* transcription/program/block_pattern.h - which entries of the Jacobian and the Hessian a block touches
 *
 * With S = coef w_a w_b the scale of an output, v a variable in slot j with coefficient c, phi = F_o:
 *   Jacobian   (row, v): S c dF/dj        (row, a): coef w_b F        (row, b): coef w_a F
 *   Hessian    (v, v'): S c c' d2phi      (a, v): coef w_b c dphi     (a, b): coef phi          derivatives.md 1, 8
 */
#ifndef COCP_TRANSCRIPTION_PROGRAM_BLOCK_PATTERN_H
#define COCP_TRANSCRIPTION_PROGRAM_BLOCK_PATTERN_H

#include "core/base/sparse.h"
#include "transcription/program/block.h"

struct triplets { int n; int *row, *col; };

/* Of a symmetric matrix either order may be given to a lower-triangle list: see triplets_add_lower. */
void triplets_add(struct triplets *list, int row, int col);
void triplets_add_lower(struct triplets *list, int a, int b);
void triplets_free(struct triplets *list);

void block_list(const struct program_block *block, struct triplets *jac, struct triplets *hess);
void block_place(struct program_block *block, const struct sparse *jac, const struct sparse *hess);

#endif
