/* The dense work of a front for every processor of the family: SSE2, NEON. */
#define FRONT_VECTOR_BYTES 16
#include "core/kkt/front_body.h"

const struct kkt_kernel kkt_kernel_base = { "base", eliminate, update, forward, backward };
