#include "core/expression/tape.h"

#include "core/base/arena.h"
#include "core/base/mem.h"
#include "core/expression/tape_kernel.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT_ALIGNMENT = 64, MAX_INT_POWER = 16 };

struct tape {
    struct arena mem;                       /* owns the tables and their arrays */
    const struct tape_kernel *kernel;       /* borrowed */
    struct tape_instruction *code;          /* [n] */
    int n;
    int n_in, n_out, n_slots;
};

/* --- Lowering: one node becomes one instruction, whose dst and arg are still nodes -------------------- */

struct compiler {
    const struct expr_graph *g;
    struct tape *tape;
    struct arena mem;                       /* owns the arrays below */
    int *input_of;                          /* [n_nodes] place of a symbol among the inputs, -1: none */
    bool *done;                             /* [n_nodes] has been emitted */
    expr *path;                             /* [n_nodes] from an output down to the node being emitted */
};

static struct tape_instruction instruction(enum tape_op op, int n_args, expr dst, expr a, expr b, expr c)
{
    return (struct tape_instruction){ .op = op, .n_args = n_args, .dst = dst, .arg = { a, b, c } };
}

static struct tape_instruction with_value(enum tape_op op, expr dst, expr a, double value)
{
    struct tape_instruction ins = instruction(op, op == TAPE_CONST ? 0 : 1, dst, a, 0, 0);
    ins.with.value = value;
    return ins;
}

/* A function of libm, lane by lane. */
static struct tape_instruction lower_call(expr e, enum expr_op op, expr a, expr b)
{
    const bool one = op_info[op].call1;
    struct tape_instruction ins = instruction(one ? TAPE_CALL1 : TAPE_CALL2, one ? 1 : 2, e, a, b, 0);
    if (one)
        ins.with.call1 = op_info[op].call1;
    else
        ins.with.call2 = op_info[op].call2;
    return ins;
}

/* A sum; where one term is a negation the difference, so that a - b is one instruction. */
static struct tape_instruction lower_add(const struct expr_graph *g, expr e, expr a, expr b)
{
    double value;
    if (expr_is_const(g, a, &value))
        return with_value(TAPE_ADD_CONST, e, b, value);
    if (expr_is_const(g, b, &value))
        return with_value(TAPE_ADD_CONST, e, a, value);
    if (expr_op_of(g, b) == EXPR_NEG)
        return instruction(TAPE_SUB, 2, e, a, expr_arg(g, b, 0), 0);
    if (expr_op_of(g, a) == EXPR_NEG)
        return instruction(TAPE_SUB, 2, e, b, expr_arg(g, a, 0), 0);
    return instruction(TAPE_ADD, 2, e, a, b, 0);
}

static struct tape_instruction lower_mul(const struct expr_graph *g, expr e, expr a, expr b)
{
    double value;
    if (expr_is_const(g, a, &value))
        return with_value(TAPE_MUL_CONST, e, b, value);
    if (expr_is_const(g, b, &value))
        return with_value(TAPE_MUL_CONST, e, a, value);
    return instruction(TAPE_MUL, 2, e, a, b, 0);
}

static struct tape_instruction lower_pow(const struct expr_graph *g, expr e, expr a, expr b)
{
    double value;
    if (!expr_is_const(g, b, &value) || !(fabs(value) <= MAX_INT_POWER) || value != trunc(value))
        return lower_call(e, EXPR_POW, a, b);
    struct tape_instruction ins = instruction(TAPE_POW_INT, 1, e, a, 0, 0);
    ins.with.exponent = (int)value;
    return ins;
}

/* Operations that are an instruction each; of a table emit_node adds the data. */
static const enum tape_op alike[EXPR_PICK + 1] = {
    [EXPR_DIV] = TAPE_DIV, [EXPR_NEG] = TAPE_NEG, [EXPR_SQUARE] = TAPE_SQUARE, [EXPR_SQRT] = TAPE_SQRT,
    [EXPR_SIN] = TAPE_SIN, [EXPR_COS] = TAPE_COS, [EXPR_ABS] = TAPE_ABS, [EXPR_SIGN] = TAPE_SIGN,
    [EXPR_STEP] = TAPE_STEP, [EXPR_MIN] = TAPE_MIN, [EXPR_MAX] = TAPE_MAX, [EXPR_LT] = TAPE_LT, [EXPR_LE] = TAPE_LE,
    [EXPR_EQ] = TAPE_EQ, [EXPR_AND] = TAPE_AND, [EXPR_OR] = TAPE_OR, [EXPR_NOT] = TAPE_NOT, [EXPR_IF] = TAPE_IF,
    [EXPR_TABLE] = TAPE_TABLE, [EXPR_GRID] = TAPE_GRID, [EXPR_SIDE] = TAPE_SIDE, [EXPR_PICK] = TAPE_IF,
};

static struct tape_instruction lower(const struct compiler *compiler, expr e)
{
    const struct expr_graph *g = compiler->g;
    const enum expr_op op = expr_op_of(g, e);
    expr arg[3] = { 0, 0, 0 };
    for (int i = 0; i < expr_n_args(g, e); i++)
        arg[i] = expr_arg(g, e, i);
    const expr a = arg[0], b = arg[1], c = arg[2];
    double value = 0;
    switch (op) {
    case EXPR_CONST:    expr_is_const(g, e, &value);
                        return with_value(TAPE_CONST, e, 0, value);
    case EXPR_SYM:      assert(compiler->input_of[e] >= 0);
                        return instruction(TAPE_LOAD, 0, e, compiler->input_of[e], 0, 0);
    case EXPR_ADD:      return lower_add(g, e, a, b);
    case EXPR_MUL:      return lower_mul(g, e, a, b);
    case EXPR_POW:      return lower_pow(g, e, a, b);
    case EXPR_RELAY:    return instruction(TAPE_STEP, 1, e, a, 0, 0);           /* without its memory */
    default:            return alike[op] ? instruction(alike[op], op_info[op].n_args, e, a, b, c)
                                         : lower_call(e, op, a, b);
    }
}

/* --- Order: arguments before their node, each node where the first output needs it -------------------- */

static void emit(struct tape *tape, struct tape_instruction ins)
{
    tape->code = mem_grow(tape->code, tape->n, 1, sizeof *tape->code);
    tape->code[tape->n++] = ins;
}

/* A loop over an own stack: expressions may be deeper than the machine's. */
static void emit_node(struct compiler *compiler, expr root)
{
    int depth = 0;
    compiler->path[depth++] = root;
    while (depth > 0) {
        const expr e = compiler->path[depth - 1];
        struct tape_instruction ins = lower(compiler, e);
        int i = 0;
        while (i < ins.n_args && compiler->done[ins.arg[i]])
            i++;
        if (i < ins.n_args) {
            compiler->path[depth++] = ins.arg[i];
            continue;
        }
        if (ins.op == TAPE_TABLE)
            ins.with.table = graph_copy_table(&compiler->tape->mem, expr_table_data(compiler->g, e));
        if (ins.op == TAPE_GRID)
            ins.with.grid = graph_copy_grid(&compiler->tape->mem, expr_grid_data(compiler->g, e));
        if (!compiler->done[e])                         /* an output may have been met before */
            emit(compiler->tape, ins);
        compiler->done[e] = true;
        depth--;
    }
}

static void emit_outputs(struct compiler *compiler, int n_out, const expr *out)
{
    for (int i = 0; i < n_out; i++) {
        emit_node(compiler, out[i]);
        emit(compiler->tape, instruction(TAPE_STORE, 1, i, out[i], 0, 0));
    }
}

/* --- Fusion: a product used once, by a sum, is computed there ----------------------------------------- */

struct definition { int at, n_uses; };      /* the instruction that computes a node; how many read it */

static struct definition *find_definitions(struct arena *mem, const struct tape *tape, int n_nodes)
{
    struct definition *def = arena_alloc(mem, (size_t)n_nodes, sizeof *def);
    for (int k = 0; k < tape->n; k++) {
        const struct tape_instruction *ins = &tape->code[k];
        for (int i = 0; i < ins->n_args; i++)
            def[ins->arg[i]].n_uses++;
        if (ins->op != TAPE_STORE)
            def[ins->dst].at = k;
    }
    return def;
}

/* Turns *sum into `fused` if its argument i is a product that nobody else reads; says which instruction is
 * superfluous now, or -1. */
static int fuse_product(struct tape_instruction *sum, int i, enum tape_op fused,
                        const struct tape_instruction *code, const struct definition *def)
{
    const struct definition product = def[sum->arg[i]];
    if (code[product.at].op != TAPE_MUL || product.n_uses != 1)
        return -1;
    const struct tape_instruction *mul = &code[product.at];
    *sum = instruction(fused, 3, sum->dst, mul->arg[0], mul->arg[1], sum->arg[1 - i]);
    return product.at;
}

/* a b + c, a b - c and c - a b. */
static int fuse_sum(struct tape_instruction *sum, const struct tape_instruction *code,
                    const struct definition *def)
{
    if (sum->op != TAPE_ADD && sum->op != TAPE_SUB)
        return -1;
    const bool add = sum->op == TAPE_ADD;
    const int fused = fuse_product(sum, 0, add ? TAPE_MUL_ADD : TAPE_MUL_SUB, code, def);
    return fused >= 0 ? fused : fuse_product(sum, 1, add ? TAPE_MUL_ADD : TAPE_SUB_MUL, code, def);
}

static void fuse_products(struct compiler *compiler, int n_nodes)
{
    struct tape *tape = compiler->tape;
    const struct definition *def = find_definitions(&compiler->mem, tape, n_nodes);
    bool *dead = arena_alloc(&compiler->mem, (size_t)tape->n, sizeof *dead);
    for (int k = 0; k < tape->n; k++) {
        const int fused = fuse_sum(&tape->code[k], tape->code, def);
        if (fused >= 0)
            dead[fused] = true;
    }
    int n = 0;
    for (int k = 0; k < tape->n; k++)
        if (!dead[k])
            tape->code[n++] = tape->code[k];
    tape->n = n;
}

/* --- Slots: a value gives its slot back after its last use, so that the working set stays in the cache  */

static void assign_slots(struct compiler *compiler, int n_nodes)
{
    struct tape *tape = compiler->tape;
    int *last_use = arena_alloc(&compiler->mem, (size_t)n_nodes, sizeof *last_use);
    int *slot_of = arena_alloc(&compiler->mem, (size_t)n_nodes, sizeof *slot_of);
    int *unused = arena_alloc(&compiler->mem, (size_t)n_nodes, sizeof *unused);      /* a stack: warm ones first */
    int n_unused = 0;
    for (int k = 0; k < tape->n; k++)
        for (int i = 0; i < tape->code[k].n_args; i++)
            last_use[tape->code[k].arg[i]] = k;
    for (int k = 0; k < tape->n; k++) {
        struct tape_instruction *ins = &tape->code[k];
        for (int i = 0; i < ins->n_args; i++) {
            const expr node = ins->arg[i];
            ins->arg[i] = slot_of[node];
            if (last_use[node] == k)
                unused[n_unused++] = slot_of[node];
            last_use[node] = last_use[node] == k ? -1 : last_use[node];     /* x * x frees x once */
        }
        if (ins->op == TAPE_STORE)
            continue;
        const int slot = n_unused > 0 ? unused[--n_unused] : tape->n_slots++;
        slot_of[ins->dst] = slot;
        ins->dst = slot;
    }
}

/* --- The whole ---------------------------------------------------------------------------------------- */

struct tape *tape_create(const struct expr_graph *g, int n_in, const expr *in, int n_out, const expr *out)
{
    struct tape *tape = mem_alloc(1, sizeof *tape);
    tape->kernel = tape_kernel_get(0);
    tape->n_in = n_in;
    tape->n_out = n_out;
    const int n_nodes = expr_n_nodes(g);
    struct compiler compiler = { .g = g, .tape = tape };
    compiler.input_of = arena_alloc(&compiler.mem, (size_t)n_nodes, sizeof *compiler.input_of);
    compiler.done = arena_alloc(&compiler.mem, (size_t)n_nodes, sizeof *compiler.done);
    compiler.path = arena_alloc(&compiler.mem, (size_t)n_nodes, sizeof *compiler.path);
    for (int e = 0; e < n_nodes; e++)
        compiler.input_of[e] = -1;
    for (int j = 0; j < n_in; j++)
        compiler.input_of[in[j]] = j;
    emit_outputs(&compiler, n_out, out);
    fuse_products(&compiler, n_nodes);
    assign_slots(&compiler, n_nodes);
    arena_free(&compiler.mem);
    return tape;
}

void tape_free(struct tape *tape)
{
    if (!tape)
        return;
    arena_free(&tape->mem);
    free(tape->code);
    free(tape);
}

int tape_n_out(const struct tape *tape)
{
    return tape->n_out;
}

int tape_n_instructions(const struct tape *tape)
{
    return tape->n;
}

void tape_set_kernel(struct tape *tape, const struct tape_kernel *kernel)
{
    tape->kernel = kernel;
}

size_t tape_work_size(const struct tape *tape)
{
    return (size_t)tape->n_slots * TAPE_WIDE + SLOT_ALIGNMENT / sizeof(double);
}

static double *align_slots(double *work)
{
    const uintptr_t past = (uintptr_t)work % SLOT_ALIGNMENT;
    return past == 0 ? work : work + (SLOT_ALIGNMENT - past) / sizeof *work;
}

/* The last points take the narrow kernel only if one pass does: a wide pass is cheaper than two narrow ones. */
void tape_eval(const struct tape *tape, int n_points, const double *in, size_t stride_in, double *out,
               size_t stride_out, double *work)
{
    struct tape_block block = { .in = in, .stride_in = stride_in, .out = out, .stride_out = stride_out,
                                .slots = align_slots(work) };
    while (block.first < n_points) {
        const int rest = n_points - block.first;
        const bool wide = rest > TAPE_NARROW;
        const int n_lanes = wide ? TAPE_WIDE : TAPE_NARROW;
        block.n = rest < n_lanes ? rest : n_lanes;
        (wide ? tape->kernel->wide : tape->kernel->narrow)(tape->n, tape->code, &block);
        block.first += block.n;
    }
}
