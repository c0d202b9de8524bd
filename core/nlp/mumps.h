/* core/nlp/mumps.h - MUMPS on one symmetric matrix pattern, for what the solver of core/kkt cannot factorize
 *
 * The settings are those of IPOPT's own interface, with the order by AMD. SCOTCH's takes 0.5 to 0.75 of
 * the time, but SCOTCH 7 orders the same matrix in another way at each run, and with the order the
 * solution of a solve changes.
 * Errors  false where MUMPS reports an error, a singular matrix included.
 */
#ifndef COCP_CORE_NLP_MUMPS_H
#define COCP_CORE_NLP_MUMPS_H

#include <stdbool.h>

enum { MUMPS_AMD = 0, MUMPS_SCOTCH = 3 };   /* its ICNTL(7) */

struct mumps;

/* row, col [n_entry]: triplets of one triangle, 1-based; borrowed. */
struct mumps *mumps_create(int n, int n_entry, const int *row, const int *col, int order);
/* val [n_entry]; n_negative: eigenvalues below 0. */
bool mumps_factorize(struct mumps *mumps, const double *val, double threshold, int *n_negative);
/* A x = b in place. */
bool mumps_solve(struct mumps *mumps, double *b);
void mumps_free(struct mumps *mumps);

/* Of the library, as "5.5.1". */
const char *mumps_version(void);

#endif
