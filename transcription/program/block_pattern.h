/* transcription/program/block_pattern.h - which entries of the Jacobian and the Hessian a block touches
 *
 * With S = coef w_a w_b the scale of an output, v a variable in slot j with coefficient c, phi = F_o:
 *   Jacobian   (row, v): S c dF/dj        (row, a): coef w_b F        (row, b): coef w_a F
 *   Hessian    (v, v'): S c c' d2phi      (a, v): coef w_b c dphi     (a, b): coef phi          derivatives.md 1, 8
 */
#ifndef COCP_TRANSCRIPTION_PROGRAM_BLOCK_PATTERN_H
#define COCP_TRANSCRIPTION_PROGRAM_BLOCK_PATTERN_H

#include "core/base/triplets.h"
#include "transcription/program/block.h"

/* Adds a triplet for every entry that the block touches; nothing is added to the block afterwards. */
void block_list(struct program_block *block, struct triplets *jac, struct triplets *hess);

/* Once the patterns are known: where those triplets went. */
void block_place(struct program_block *block, const int *jac_slot, const int *hess_slot);

#endif
