/* core/expression/tape_kernel.h - the instructions of a tape and the interpreters that run them
 *
 * For tape.c, its tests and its benchmark. A value is a slot of lanes, lane p belonging to point p of the block;
 * an instruction works on all lanes before the next one starts. The same source (tape_kernel_body.h) is built
 * once for each vector width. Results are the same bits whatever the width and whatever the other points of
 * the block.
 */
#ifndef COCP_CORE_EXPRESSION_TAPE_KERNEL_H
#define COCP_CORE_EXPRESSION_TAPE_KERNEL_H

#include "core/expression/graph.h"

#include <stddef.h>

enum { TAPE_WIDE = 32, TAPE_NARROW = 8 };       /* lanes of the two kernels of a build */

enum tape_op {
    TAPE_LOAD,                      /* dst = input arg[0] */
    TAPE_STORE,                     /* output dst = arg[0] */
    TAPE_CONST,
    TAPE_ADD, TAPE_SUB, TAPE_MUL, TAPE_DIV, TAPE_ADD_CONST, TAPE_MUL_CONST,
    TAPE_MUL_ADD, TAPE_MUL_SUB, TAPE_SUB_MUL,       /* a b + c, a b - c, c - a b in one pass; rounded twice */
    TAPE_NEG, TAPE_SQUARE, TAPE_SQRT, TAPE_SIN, TAPE_COS, TAPE_POW_INT,
    TAPE_ABS, TAPE_SIGN, TAPE_STEP, TAPE_SIDE, TAPE_MIN, TAPE_MAX,
    TAPE_LT, TAPE_LE, TAPE_EQ, TAPE_AND, TAPE_OR, TAPE_NOT, TAPE_IF,
    TAPE_CALL1, TAPE_CALL2,         /* a function of libm, lane by lane */
    TAPE_TABLE, TAPE_GRID
};

struct tape_instruction {
    enum tape_op op;
    int n_args;
    int dst, arg[3];                /* slots */
    union {
        double value;               /* CONST, ADD_CONST, MUL_CONST */
        int exponent;               /* POW_INT */
        double (*call1)(double);
        double (*call2)(double, double);
        const struct table_data *table;
        const struct grid_data *grid;
    } with;
};

/* Points first .. first + n - 1 of the arrays that tape_eval was given; n is 1 .. TAPE_WIDE or TAPE_NARROW. */
struct tape_block {
    int first, n;
    const double *in;
    size_t stride_in;
    double *out;
    size_t stride_out;
    double *slots;                  /* aligned to 64 bytes */
};

typedef void tape_run(int n_instructions, const struct tape_instruction *code, const struct tape_block *block);

struct tape_kernel {
    const char *name;
    tape_run *wide, *narrow;
};

/* Kernel i of those that this processor can run, the fastest first; NULL past the end. */
const struct tape_kernel *tape_kernel_get(int i);

extern const struct tape_kernel tape_kernel_base;       /* what every processor of the family has: SSE2, NEON */
#if defined(__x86_64__)
extern const struct tape_kernel tape_kernel_avx2, tape_kernel_avx512;
#endif

/* From here on `tape` runs on this kernel instead of the fastest one. */
struct tape;
void tape_set_kernel(struct tape *tape, const struct tape_kernel *kernel);

#endif
