#include "transcription/program/pointfun.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"

#include <stdlib.h>
#include <string.h>

static void build_jacobian(struct pointfun *fun, struct expr_graph *g)
{
    struct expr_sparse jac = expr_jacobian(g, fun->n_out, fun->out, fun->n_in, fun->in);
    fun->jac = tape_create(g, fun->n_in, fun->in, jac.nnz, jac.val);
    fun->n_jac = jac.nnz;
    fun->jac_out = arena_copy(&fun->mem, jac.row, (size_t)jac.nnz, sizeof(int));
    fun->jac_in = arena_copy(&fun->mem, jac.col, (size_t)jac.nnz, sizeof(int));
    expr_sparse_free(&jac);
}

/* The Hessian of sum_o m_o F_o by the inputs; the multipliers m are inputs of its tape. */
static void build_hessian(struct pointfun *fun, struct expr_graph *g)
{
    expr *arg = mem_alloc((size_t)(fun->n_in + fun->n_out), sizeof *arg);
    expr sum = expr_const(g, 0);
    memcpy(arg, fun->in, (size_t)fun->n_in * sizeof *arg);
    for (int o = 0; o < fun->n_out; o++) {
        arg[fun->n_in + o] = expr_sym(g, "multiplier");
        sum = expr_add(g, sum, expr_mul(g, arg[fun->n_in + o], fun->out[o]));
    }
    struct expr_sparse hess = expr_hessian(g, sum, fun->n_in, fun->in);
    fun->hess = tape_create(g, fun->n_in + fun->n_out, arg, hess.nnz, hess.val);
    fun->n_hess = hess.nnz;
    fun->hess_row = arena_copy(&fun->mem, hess.row, (size_t)hess.nnz, sizeof(int));
    fun->hess_col = arena_copy(&fun->mem, hess.col, (size_t)hess.nnz, sizeof(int));
    expr_sparse_free(&hess);
    free(arg);
}

struct pointfun *pointfun_create(struct expr_graph *g, int n_in, const expr *in, int n_out, const expr *out)
{
    struct pointfun *fun = mem_alloc(1, sizeof *fun);
    fun->graph = g;
    fun->n_in = n_in;
    fun->n_out = n_out;
    fun->in = arena_copy(&fun->mem, in, (size_t)n_in, sizeof *in);
    fun->out = arena_copy(&fun->mem, out, (size_t)n_out, sizeof *out);
    fun->value = tape_create(g, n_in, fun->in, n_out, fun->out);
    build_jacobian(fun, g);
    build_hessian(fun, g);
    return fun;
}

void pointfun_free(struct pointfun *fun)
{
    if (!fun)
        return;
    tape_free(fun->value);
    tape_free(fun->jac);
    tape_free(fun->hess);
    arena_free(&fun->mem);
    free(fun);
}
