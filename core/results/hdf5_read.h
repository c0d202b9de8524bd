/* core/results/hdf5_read.h - a result file read by libhdf5, in this process
 *
 * Only for a process that may die of it: libhdf5 1.10 and 1.14 crash on some damaged files. result_read
 * (results.h) has a child do this.
 */
#ifndef COCP_CORE_RESULTS_HDF5_READ_H
#define COCP_CORE_RESULTS_HDF5_READ_H

#include "core/results/results.h"

/* As result_read. bytes, if there are any, are the content of the file, which then need not be on a disk. */
enum status hdf5_read(const char *path, const void *bytes, size_t n, struct result **out, struct diag *diag);

#endif
