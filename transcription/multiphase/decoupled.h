/* transcription/multiphase/decoupled.h - sparse least squares, each group of unknowns that share rows by itself
 *
 * min |A x - b|, of all such x the shortest: by a complete orthogonal factorization (LAPACK's dgelsy) of
 * each group. Where masses know nothing of each other a group is a mass, and the work grows with their
 * number, not with its cube.
 *
 * Shapes  A [m * n] by its entries: row, column [n_entry], value [n_entry]; b [m]; x [n].
 */
#ifndef COCP_TRANSCRIPTION_MULTIPHASE_DECOUPLED_H
#define COCP_TRANSCRIPTION_MULTIPHASE_DECOUPLED_H

#include <stdbool.h>

struct decoupled;

/* For matrices of at most so many columns, rows and entries. */
struct decoupled *decoupled_create(int n_max, int m_max, int n_entry_max);
void decoupled_free(struct decoupled *de);

/* The pattern of a matrix; an entry may occur once. */
void decoupled_set(struct decoupled *de, int n, int m, int n_entry, const int *row, const int *column);
int decoupled_n_groups(const struct decoupled *de);

/* false: LAPACK refused (a NaN); x is then of no use. */
bool decoupled_solve(struct decoupled *de, const double *value, const double *b, double *x);

#endif
