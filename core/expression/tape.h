/* core/expression/tape.h - expressions compiled to a tape, evaluated at many points at once
 *
 * Data is a structure of arrays: value of input j at point p is in[j * stride_in + p], of output i it is
 * out[i * stride_out + p]. Blocks of 32 points (8 for the rest) go through each instruction together; GCC vector
 * types make that SSE2, AVX2 or AVX-512 code, picked once by the processor. sin and cos are our own (0.87 ulp),
 * the same bits on every processor.
 *
 * Errors  none: a NaN passes through; trace.h finds where it came from.
 */
#ifndef COCP_CORE_EXPRESSION_TAPE_H
#define COCP_CORE_EXPRESSION_TAPE_H

#include "core/expression/expr.h"

#include <stddef.h>

struct tape;

/* Compiles out[0..n_out) as functions of the symbols in[0..n_in). Every symbol that occurs must be an input. */
struct tape *tape_create(const struct expr_graph *g, int n_in, const expr *in, int n_out, const expr *out);
void tape_free(struct tape *tape);

int tape_n_out(const struct tape *tape);
int tape_n_instructions(const struct tape *tape);

/* Doubles of scratch that tape_eval needs (64-byte aligned storage is the caller's kindness, not a need). */
size_t tape_work_size(const struct tape *tape);

/* Evaluates at n_points points; strides >= n_points. Allocates nothing. in and out do not overlap. */
void tape_eval(const struct tape *tape, int n_points, const double *in, size_t stride_in, double *out,
               size_t stride_out, double *work);

#endif
