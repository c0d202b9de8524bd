/* core/stability/semidefinite.h - semidefinite programs, solved by CSDP
 *
 *   min b'y   subject to   sum_k y_k A_k,block  positive semidefinite, for each block
 *                          sum_k y_k a_k,row + rhs_row >= 0, for each row
 *
 * Every y_k must occur somewhere. The library prints nothing and reads no file. It is not thread-safe: run
 * programs side by side in processes.
 * Errors  a code other than 0 (solved) or 3 (solved to less than full accuracy).
 */
#ifndef COCP_CORE_STABILITY_SEMIDEFINITE_H
#define COCP_CORE_STABILITY_SEMIDEFINITE_H

/* One coefficient: of y_k, in entry (i, j), i <= j, 0-based, of a block; row entries have block = -1, i = j = row.
 * Entries of one k and block may come in any order, none twice. */
struct lmi_entry { int k, block, i, j; double val; };

struct lmi_program {
    int n_y, n_block, n_row, n_entry;
    const double *b;                /* [n_y] */
    const int *size;                /* [n_block] */
    const double *rhs;              /* [n_row] */
    const struct lmi_entry *entry;  /* [n_entry] */
};

/* y [n_y]. Returns the code of CSDP. */
int lmi_solve(const struct lmi_program *program, double *y);

#endif
