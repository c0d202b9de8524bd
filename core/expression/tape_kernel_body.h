/* core/expression/tape_kernel_body.h - the interpreter, for vectors of TAPE_VECTOR_BYTES
 *
 * Included by one source per vector width. Every loop reads element v of its arguments before it writes element
 * v of the result, so that dst may be one of the arguments' slots. The run_* functions fix the number of vectors
 * per slot, so that the compiler sees loops of constant length.
 */
#ifndef COCP_CORE_EXPRESSION_TAPE_KERNEL_BODY_H
#define COCP_CORE_EXPRESSION_TAPE_KERNEL_BODY_H

#include "core/expression/tape_kernel.h"
#include "core/expression/tape_vector.h"

#include <math.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Lanes past the block's points repeat the last one: no garbage, no work of their own for libm. */
ALWAYS_INLINE void fill_lanes(int n_lanes, int n, double *slot)
{
    for (int k = n; k < n_lanes; k++)
        slot[k] = slot[n - 1];
}

/* One point, as simulations ask for, is moved as such: a call of memcpy for it takes
 * longer than most instructions. */
ALWAYS_INLINE void load(int n_lanes, int n, const double *src, double *dst)
{
    if (n == n_lanes) {
        memcpy(dst, src, (size_t)n_lanes * sizeof *dst);
    } else if (n == 1) {
        dst[0] = src[0];
        fill_lanes(n_lanes, 1, dst);
    } else {
        memcpy(dst, src, (size_t)n * sizeof *dst);
        fill_lanes(n_lanes, n, dst);
    }
}

ALWAYS_INLINE void store(int n_lanes, int n, const double *src, double *dst)
{
    if (n == n_lanes)
        memcpy(dst, src, (size_t)n_lanes * sizeof *dst);
    else if (n == 1)
        dst[0] = src[0];
    else
        memcpy(dst, src, (size_t)n * sizeof *dst);
}

/* GCC has no vector square root; on lanes it is one instruction each. */
ALWAYS_INLINE void square_root(int n_vec, vec *d, const vec *a)
{
    for (int v = 0; v < n_vec; v++) {
        const vec x = a[v];
        vec y = { 0 };
        for (int k = 0; k < VEC_LANES; k++)
            y[k] = sqrt(x[k]);
        d[v] = y;
    }
}

/* Lanes beyond the range of vec_sin_turned (infinities too) ask libm, the others do not notice. */
ALWAYS_INLINE void sine_with_libm(int n_vec, vec *d, const vec *a, int quarter_turns)
{
    for (int v = 0; v < n_vec; v++) {
        const vec x = a[v];
        vec y = vec_sin_turned(x, quarter_turns);
        for (int k = 0; k < VEC_LANES; k++)
            if (fabs(x[k]) > VEC_SIN_MAX)
                y[k] = quarter_turns ? cos(x[k]) : sin(x[k]);
        d[v] = y;
    }
}

ALWAYS_INLINE void sine(int n_vec, vec *d, const vec *a, int quarter_turns)
{
    ivec far = { 0 };
    for (int v = 0; v < n_vec; v++)
        far |= (ivec)(vec_abs(a[v]) > VEC_SIN_MAX);
    if (vec_any(far)) {
        sine_with_libm(n_vec, d, a, quarter_turns);
        return;
    }
    for (int v = 0; v < n_vec; v++)
        d[v] = vec_sin_turned(a[v], quarter_turns);
}

/* Instructions that go lane by lane. */
ALWAYS_INLINE void run_lanes(const struct tape_instruction *ins, int n_lanes, int n, double *d, const double *a,
                             const double *b)
{
    switch (ins->op) {
    case TAPE_CALL1:
        for (int k = 0; k < n; k++)
            d[k] = ins->with.call1(a[k]);
        break;
    case TAPE_CALL2:
        for (int k = 0; k < n; k++)
            d[k] = ins->with.call2(a[k], b[k]);
        break;
    case TAPE_GRID:
        for (int k = 0; k < n; k++)
            d[k] = graph_grid_value(ins->with.grid, a[k], b[k]);
        break;
    default:
        for (int k = 0; k < n; k++)
            d[k] = graph_table_value(ins->with.table, a[k]);
    }
    fill_lanes(n_lanes, n, d);
}

/* One loop over the vectors of a slot, unrolled: a third faster, measured by tests/bench/bench_tape.c. */
#if defined(__clang__)
#define EACH _Pragma("unroll") for (int v = 0; v < n_vec; v++)
#else
#define EACH _Pragma("GCC unroll 16") for (int v = 0; v < n_vec; v++)
#endif

/* Nonsmooth functions and conditions. */
ALWAYS_INLINE void run_nonsmooth(enum tape_op op, int n_vec, vec *d, const vec *a, const vec *b, const vec *c)
{
    switch (op) {
    case TAPE_ABS:  EACH d[v] = vec_abs(a[v]);                                      break;
    case TAPE_SIGN: EACH d[v] = vec_sign(a[v]);                                     break;
    case TAPE_STEP: EACH d[v] = 0.5 + 0.5 * vec_sign(a[v]);                         break;
    case TAPE_SIDE: EACH d[v] = vec_truth((ivec)(a[v] >= 0));                       break;
    case TAPE_MIN:  EACH d[v] = vec_min(a[v], b[v]);                                break;
    case TAPE_MAX:  EACH d[v] = vec_max(a[v], b[v]);                                break;
    case TAPE_LT:   EACH d[v] = vec_truth((ivec)(a[v] < b[v]));                     break;
    case TAPE_LE:   EACH d[v] = vec_truth((ivec)(a[v] <= b[v]));                    break;
    case TAPE_EQ:   EACH d[v] = vec_truth((ivec)(a[v] == b[v]));                    break;
    case TAPE_AND:  EACH d[v] = vec_truth((ivec)(a[v] != 0) & (ivec)(b[v] != 0));   break;
    case TAPE_OR:   EACH d[v] = vec_truth((ivec)(a[v] != 0) | (ivec)(b[v] != 0));   break;
    case TAPE_NOT:  EACH d[v] = vec_truth((ivec)(a[v] == 0));                       break;
    default:        EACH d[v] = vec_select((ivec)(a[v] != 0), b[v], c[v]);          break;
    }
}

/* Instructions between slots. */
ALWAYS_INLINE void run_slots(const struct tape_instruction *ins, const struct tape_block *block, const int n_vec)
{
    const int n_lanes = n_vec * VEC_LANES;
    double *slot = block->slots;
    vec *d = (vec *)(slot + ins->dst * n_lanes);
    const vec *a = (const vec *)(slot + ins->arg[0] * n_lanes);
    const vec *b = (const vec *)(slot + ins->arg[1] * n_lanes);
    const vec *c = (const vec *)(slot + ins->arg[2] * n_lanes);
    switch (ins->op) {
    case TAPE_CONST:        EACH d[v] = vec_splat(ins->with.value);                 break;
    case TAPE_ADD:          EACH d[v] = a[v] + b[v];                                break;
    case TAPE_SUB:          EACH d[v] = a[v] - b[v];                                break;
    case TAPE_MUL:          EACH d[v] = a[v] * b[v];                                break;
    case TAPE_DIV:          EACH d[v] = a[v] / b[v];                                break;
    case TAPE_ADD_CONST:    EACH d[v] = a[v] + ins->with.value;                     break;
    case TAPE_MUL_CONST:    EACH d[v] = a[v] * ins->with.value;                     break;
    case TAPE_MUL_ADD:      EACH d[v] = a[v] * b[v] + c[v];                         break;
    case TAPE_MUL_SUB:      EACH d[v] = a[v] * b[v] - c[v];                         break;
    case TAPE_SUB_MUL:      EACH d[v] = c[v] - a[v] * b[v];                         break;
    case TAPE_NEG:          EACH d[v] = -a[v];                                      break;
    case TAPE_SQUARE:       EACH d[v] = a[v] * a[v];                                break;
    case TAPE_SQRT:         square_root(n_vec, d, a);                               break;
    case TAPE_SIN:          sine(n_vec, d, a, 0);                                   break;
    case TAPE_COS:          sine(n_vec, d, a, 1);                                   break;
    case TAPE_POW_INT:      EACH d[v] = vec_pow_int(a[v], ins->with.exponent);      break;
    case TAPE_CALL1: case TAPE_CALL2: case TAPE_TABLE: case TAPE_GRID:
        run_lanes(ins, n_lanes, block->n, (double *)d, (const double *)a, (const double *)b);
        break;
    default:
        run_nonsmooth(ins->op, n_vec, d, a, b, c);
    }
}

ALWAYS_INLINE void run_instruction(const struct tape_instruction *ins, const struct tape_block *block,
                                   const int n_vec)
{
    const int n_lanes = n_vec * VEC_LANES;
    if (ins->op == TAPE_LOAD)
        load(n_lanes, block->n, block->in + (size_t)ins->arg[0] * block->stride_in + block->first,
             block->slots + ins->dst * n_lanes);
    else if (ins->op == TAPE_STORE)
        store(n_lanes, block->n, block->slots + ins->arg[0] * n_lanes,
              block->out + (size_t)ins->dst * block->stride_out + block->first);
    else
        run_slots(ins, block, n_vec);
}

static inline void run_wide(int n_instructions, const struct tape_instruction *code,
                            const struct tape_block *block)
{
    for (int i = 0; i < n_instructions; i++)
        run_instruction(&code[i], block, TAPE_WIDE / VEC_LANES);
}

static inline void run_narrow(int n_instructions, const struct tape_instruction *code,
                              const struct tape_block *block)
{
    for (int i = 0; i < n_instructions; i++)
        run_instruction(&code[i], block, TAPE_NARROW / VEC_LANES);
}

#undef EACH
#undef ALWAYS_INLINE

#endif
