#include "transcription/program/pointfun.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"

#include <stdlib.h>
#include <string.h>

static int *take_ints(int n, const int *src)
{
    int *copy = mem_alloc((size_t)n, sizeof *copy);
    if (n)
        memcpy(copy, src, (size_t)n * sizeof *copy);
    return copy;
}

static void build_jacobian(struct pointfun *fun, struct expr_graph *g)
{
    struct expr_sparse jac = expr_jacobian(g, fun->n_out, fun->out, fun->n_in, fun->in);
    fun->jac = tape_create(g, fun->n_in, fun->in, jac.nnz, jac.val);
    fun->n_jac = jac.nnz;
    fun->jac_out = take_ints(jac.nnz, jac.row);
    fun->jac_in = take_ints(jac.nnz, jac.col);
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
    fun->hess_row = take_ints(hess.nnz, hess.row);
    fun->hess_col = take_ints(hess.nnz, hess.col);
    expr_sparse_free(&hess);
    free(arg);
}

struct pointfun *pointfun_create(struct expr_graph *g, int n_in, const expr *in, int n_out, const expr *out)
{
    struct pointfun *fun = mem_alloc(1, sizeof *fun);
    fun->graph = g;
    fun->n_in = n_in;
    fun->n_out = n_out;
    fun->in = take_ints(n_in, in);
    fun->out = take_ints(n_out, out);
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
    free(fun->jac_out);
    free(fun->jac_in);
    free(fun->hess_row);
    free(fun->hess_col);
    free(fun->in);
    free(fun->out);
    free(fun);
}
