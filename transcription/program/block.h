/* transcription/program/block.h - one kind of point of a program: its function, its points, and where they go
 *
 * The life of a block: points are added, each with its slots and outputs; block_list names every entry of
 * the Jacobian and the Hessian that they touch, block_place remembers where those are, then it is
 * evaluated (block_use.h).
 */
#ifndef COCP_TRANSCRIPTION_PROGRAM_BLOCK_H
#define COCP_TRANSCRIPTION_PROGRAM_BLOCK_H

#include "transcription/program/pointfun.h"

enum { PROGRAM_COST = -1, PROGRAM_PENALTY = -2, PROGRAM_GUIDE = -3, PROGRAM_NO_ROW = -4 };

struct program_weights { double cost, penalty, guide; };       /* of the three kinds of costs; 1, 1, 0 at first */
enum { PROGRAM_ONE = -1 };          /* in place of a variable index in a product: the factor 1 */

struct program_block;               /* one pointfun and the points it is evaluated at */

/* A block takes over fun. */
struct program_block *block_create(struct pointfun *fun);
void block_free(struct program_block *block);

/* A new point of the block: all slots are constant 0 and all outputs go nowhere until set. */
int block_point(struct program_block *block);
void block_slot(struct program_block *block, int slot, int var);                /* of the newest point */
void block_slot_const(struct program_block *block, int slot, double value);
void block_slot_add(struct program_block *block, int slot, int var, double coef);   /* one more term */
/* Output o adds coef * w_a * w_b * F_o to the row; a, b variables or PROGRAM_ONE. */
void block_out(struct program_block *block, int out, int row, double coef, int a, int b);

#endif
