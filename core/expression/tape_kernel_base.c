/* The tape's interpreter for any processor. */
#define TAPE_VECTOR_BYTES 16
#include "core/expression/tape_kernel_body.h"

const struct tape_kernel tape_kernel_base = { "base", run_wide, run_narrow };
