#include "transcription/program/block_use.h"

#include "core/base/mem.h"
#include "core/expression/trace.h"
#include "transcription/program/block_parts.h"

#include <math.h>
#include <stdlib.h>

/* Slots as affine functions of w, then F of all points in one go. */
void block_eval_values(struct program_block *block, const double *w)
{
    const int n_in = block->fun->n_in, n = block->n_point;
    for (int p = 0; p < n; p++)
        for (int j = 0; j < n_in; j++) {
            const int k = p * n_in + j;
            double sum = block->offset[k];
            for (int i = block->term_start[k]; i < block->term_start[k + 1]; i++)
                sum += block->term[i].coef * w[block->term[i].var];
            block->in[j * n + p] = sum;
        }
    if (n)
        tape_eval(block->fun->value, n, block->in, (size_t)n, block->value, (size_t)n, block->work);
}

void block_eval_jac(struct program_block *block)
{
    const int n = block->n_point;
    if (n)
        tape_eval(block->fun->jac, n, block->in, (size_t)n, block->jac, (size_t)n, block->work);
}

/* S = coef w_a w_b */
static double scale_of(const struct out_place *out, const double *w)
{
    return out->coef * (out->a >= 0 ? w[out->a] : 1) * (out->b >= 0 ? w[out->b] : 1);
}

double block_weight(const struct program_weights *weights, int row)
{
    switch (row) {
    case PROGRAM_COST:    return weights->cost;
    case PROGRAM_PENALTY: return weights->penalty;
    case PROGRAM_GUIDE:   return weights->guide;
    case PROGRAM_NO_ROW:  return 0;
    default:              return 1;
    }
}

double block_sum_cost(const struct program_block *block, const double *w, int row)
{
    const int n_out = block->fun->n_out, n = block->n_point;
    double sum = 0;
    for (int p = 0; p < n; p++)
        for (int o = 0; o < n_out; o++) {
            const struct out_place *out = &block->out[p * n_out + o];
            if (out->row == row)
                sum += scale_of(out, w) * block->value[o * n + p];
        }
    return sum;
}

void block_add_rows(const struct program_block *block, const double *w, double *g)
{
    const int n_out = block->fun->n_out, n = block->n_point;
    for (int p = 0; p < n; p++)
        for (int o = 0; o < n_out; o++) {
            const struct out_place *out = &block->out[p * n_out + o];
            if (out->row >= 0)
                g[out->row] += scale_of(out, w) * block->value[o * n + p];
        }
}

void block_add_first(const struct program_block *block, const double *w, const struct program_weights *cost,
                     double *val)
{
    const struct pointfun *fun = block->fun;
    const int n = block->n_point;
    const int *place = block->jac_place.at;
    for (int p = 0; p < n; p++) {
        for (int k = 0; k < fun->n_jac; k++) {
            const int slot = p * fun->n_in + fun->jac_in[k];
            const int first = block->term_start[slot], end = block->term_start[slot + 1];
            const struct out_place *out = &block->out[p * fun->n_out + fun->jac_out[k]];
            if (out->row != PROGRAM_NO_ROW && (out->row < 0) == (cost != NULL)) {
                const double d = scale_of(out, w) * block_weight(cost, out->row) * block->jac[k * n + p];
                for (int i = first; i < end; i++)
                    val[place[i - first]] += d * block->term[i].coef;
            }
            place += end - first;
        }
        for (int o = 0; o < fun->n_out; o++) {
            const int k = p * fun->n_out + o;
            const struct out_place *out = &block->out[k];
            if (out->a < 0 || out->row == PROGRAM_NO_ROW || (out->row < 0) != (cost != NULL))
                continue;
            const double F = out->coef * block_weight(cost, out->row) * block->value[o * n + p];
            val[block->scale_place.at[2 * k]] += F * (out->b >= 0 ? w[out->b] : 1);
            if (out->b >= 0)
                val[block->scale_place.at[2 * k + 1]] += F * w[out->a];
        }
    }
}

static double multiplier_of(const struct out_place *out, const struct block_multipliers *mult)
{
    return out->row >= 0 ? mult->lambda[out->row] : block_weight(&mult->cost, out->row);
}

/* (v, v') entries from the Hessian tape. */
static void add_second(const struct program_block *block, double *val)
{
    const struct pointfun *fun = block->fun;
    const int n = block->n_point;
    const int *place = block->hess_place.at;
    for (int p = 0; p < n; p++)
        for (int k = 0; k < fun->n_hess; k++) {
            const int r = p * fun->n_in + fun->hess_row[k], c = p * fun->n_in + fun->hess_col[k];
            const int r0 = block->term_start[r], r1 = block->term_start[r + 1];
            const int c0 = block->term_start[c], c1 = block->term_start[c + 1];
            const double d = block->hess[k * n + p];
            for (int i = r0; i < r1; i++)
                for (int j = c0; j < (r == c ? i + 1 : c1); j++) {
                    const struct slot_term *a = &block->term[i], *b = &block->term[j];
                    const double twice = r != c && a->var == b->var ? 2 : 1;
                    val[*place++] += twice * d * a->coef * b->coef;
                }
        }
}

/* (a, v), (b, v) and (a, b) entries of scaled outputs. */
static void add_scale_second(const struct program_block *block, const double *w,
                             const struct block_multipliers *mult, double *val)
{
    const struct pointfun *fun = block->fun;
    const int n = block->n_point;
    const int *place = block->cross_place.at;
    for (int p = 0; p < n; p++) {
        for (int k = 0; k < fun->n_jac; k++) {
            const struct out_place *out = &block->out[p * fun->n_out + fun->jac_out[k]];
            if (out->row == PROGRAM_NO_ROW || out->a == PROGRAM_ONE)
                continue;
            const int slot = p * fun->n_in + fun->jac_in[k];
            const double d = multiplier_of(out, mult) * out->coef * block->jac[k * n + p];
            const double da = d * (out->b >= 0 ? w[out->b] : 1);
            for (int i = block->term_start[slot]; i < block->term_start[slot + 1]; i++, place += 2) {
                const struct slot_term *v = &block->term[i];
                val[place[0]] += da * v->coef * (v->var == out->a ? 2 : 1);
                if (out->b >= 0)
                    val[place[1]] += d * w[out->a] * v->coef * (v->var == out->b ? 2 : 1);
            }
        }
        for (int o = 0; o < fun->n_out; o++) {
            const int k = p * fun->n_out + o;
            const struct out_place *out = &block->out[k];
            if (block->ab_place.at[k] >= 0)
                val[block->ab_place.at[k]] += multiplier_of(out, mult) * out->coef * block->value[o * n + p]
                                           * (out->a == out->b ? 2 : 1);
        }
    }
}

/* Multipliers m_o = lambda_row S of all points, then the tape of (m'F)'', then what the scales add. */
void block_add_hess(struct program_block *block, const double *w, const struct block_multipliers *mult,
                    double *val)
{
    const struct pointfun *fun = block->fun;
    const int n = block->n_point;
    if (!n)
        return;
    double *m = block->in + (size_t)fun->n_in * (size_t)n;
    for (int p = 0; p < n; p++)
        for (int o = 0; o < fun->n_out; o++) {
            const struct out_place *out = &block->out[p * fun->n_out + o];
            m[o * n + p] = out->row == PROGRAM_NO_ROW ? 0 : multiplier_of(out, mult) * scale_of(out, w);
        }
    tape_eval(fun->hess, n, block->in, (size_t)n, block->hess, (size_t)n, block->work);
    add_second(block, val);
    add_scale_second(block, w, mult, val);
}

int block_trace(struct program_block *block, struct srcpos *pos, char *text, size_t size)
{
    const struct pointfun *fun = block->fun;
    const int n = block->n_point;
    double *at = mem_alloc((size_t)fun->n_in, sizeof *at);
    int row = PROGRAM_NO_ROW;
    for (int p = 0; p < n && row == PROGRAM_NO_ROW; p++)
        for (int o = 0; o < fun->n_out && row == PROGRAM_NO_ROW; o++) {
            if (isfinite(block->value[o * n + p]) || block->out[p * fun->n_out + o].row == PROGRAM_NO_ROW)
                continue;
            for (int j = 0; j < fun->n_in; j++)
                at[j] = block->in[j * n + p];
            row = block->out[p * fun->n_out + o].row;
            *pos = expr_trace(fun->graph, fun->out[o], fun->n_in, fun->in, at, text, size);
        }
    free(at);
    return row;
}
