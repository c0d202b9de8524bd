/* core/results/npz.h - arrays of numbers and texts as NumPy's npz: a zip archive of npy files, not compressed
 *
 * npy as NEP 1 describes it, version 1.0, little-endian; zip as PKWARE's APPNOTE 6.3. The same arrays give the
 * same bytes: no times are in it. numpy.load reads it without pickle.
 */
#ifndef COCP_CORE_RESULTS_NPZ_H
#define COCP_CORE_RESULTS_NPZ_H

#include "core/base/diag.h"

struct npz_array {
    const char *name;
    int rows, columns;       /* columns -1: a vector of `rows` */
    const double *d;         /* [rows * columns], by rows; or NULL: */
    const char *const *text; /* [rows], ASCII; a vector */
};

/* Whole or not at all, as core/results/save.h. STATUS_IO: as there, or more than 4 GiB. */
enum status npz_write(const char *path, int n, const struct npz_array *array, struct diag *diag);

#endif
