/* core/nlp/ma27.h - IPOPT takes other routines for those of MA27
 *
 * HSL's MA27 is four Fortran routines, which a program may hand to IPOPT. IPOPT 3.11 has a function of C for it
 * (HSLLoader.h); 3.14 has a static function of its class Ma27TSolverInterface, which is called here by its name
 * in the library. Where a version has neither, ma27_replaceable is false.
 *
 * Sizes and indices are IPOPT's, int; a matrix is a list of n_entry entries, row and col from 1.
 */
#ifndef COCP_CORE_NLP_MA27_H
#define COCP_CORE_NLP_MA27_H

#include <stdbool.h>

typedef void ma27_analyse(int *n, int *n_entry, const int *row, const int *col, int *iw, int *n_iw, int *keep,
                          int *iw1, int *n_steps, int *flag, int *icntl, double *cntl, int *info, double *ops);
typedef void ma27_factorize(int *n, int *n_entry, const int *row, const int *col, double *val, int *n_val, int *iw,
                            int *n_iw, int *keep, int *n_steps, int *max_front, int *iw1, int *icntl, double *cntl,
                            int *info);
typedef void ma27_solve(int *n, double *val, int *n_val, int *iw, int *n_iw, double *w, int *max_front, double *x,
                        int *iw1, int *n_steps, int *icntl, double *cntl);
typedef void ma27_defaults(int *icntl, double *cntl);

bool ma27_replaceable(void);
/* Each run of IPOPT that begins afterwards calls these, in every thread; only where they are replaceable. */
void ma27_replace(ma27_analyse *analyse, ma27_factorize *factorize, ma27_solve *solve, ma27_defaults *defaults);

#endif
