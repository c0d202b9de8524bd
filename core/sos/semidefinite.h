/* core/sos/semidefinite.h - semidefinite programs, solved by CSDP
 *
 *   min b'y   subject to   sum_k y_k A_k,block + A_block  positive semidefinite, for each block
 *                          sum_k y_k a_k,row + rhs_row >= 0, for each row
 *
 * and, by its multipliers, the program that is dual to it,
 *
 *   max -sum_block tr(A_block X_block) - rhs'x   subject to   sum_block tr(A_k,block X_block) + a_k'x = b_k,
 *                                                             X_block positive semidefinite, x >= 0.
 *
 * Every y_k must occur somewhere. The library prints nothing and reads no file. It is not thread-safe: run
 * programs side by side in processes.
 * It ends after a step where the program is asked to stop (core/base/stop.h).
 * Errors  a code other than 0 (solved) or 3 (solved to less than full accuracy).
 */
#ifndef COCP_CORE_SOS_SEMIDEFINITE_H
#define COCP_CORE_SOS_SEMIDEFINITE_H

#define LMI_SOLVER "CSDP 6.2.0"         /* as results name it */

/* One coefficient: of y_k, in entry (i, j), i <= j, 0-based, of a block; row entries have block = -1, i =
 * j = row. k = -1 is the constant of a block, that of a row is its rhs. Entries of one k and block may
 * come in any order, none twice. */
struct lmi_entry { int k, block, i, j; double val; };

struct lmi_program {
    int n_y, n_block, n_row, n_entry;
    const double *b;                /* [n_y] */
    const int *size;                /* [n_block] */
    const double *rhs;              /* [n_row], n_row may be 0 */
    const struct lmi_entry *entry;  /* [n_entry] */
};

/* y [n_y]. X, unless NULL: the multipliers of the blocks, one after the other, each [size * size] by
 * columns. Returns the code of CSDP: 0 solved, 1 the dual and 2 the program itself has no solution, 3
 * solved to less than full accuracy. */
int lmi_solve(const struct lmi_program *program, double *y, double *X);

#endif
