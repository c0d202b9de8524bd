#include "transcription/program/program_block.h"

#include "core/base/mem.h"
#include "core/expression/trace.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct slot_term { int var; double coef; };

struct out_place { int row; double coef; int a, b; };      /* row PROGRAM_NO_ROW: unused */

struct program_block {
    struct pointfun *fun;
    int n_point, cap_point;
    double *offset;                 /* [n_point * n_in] constant part of a slot */
    int *n_terms;                   /* [n_point * n_in] */
    struct slot_term **terms;       /* [n_point * n_in] while building; then slices of `term` */
    struct slot_term *term;         /* all terms after block_place, point by point, slot by slot */
    int *term_start;                /* [n_point * n_in + 1] */
    struct out_place *out;          /* [n_point * n_out] */

    /* places of every contribution, in the order of the loops below */
    int *jac_place;                 /* point, Jacobian entry, term: place in jac, or variable of a cost row */
    int *scale_place;               /* [2 * n_point * n_out]: (row, a), (row, b) */
    int *hess_place;                /* point, Hessian entry, terms of row slot, terms of col slot; -1: not stored */
    int *cross_place;               /* point, Jacobian entry with a scaled output, term: (a, v), (b, v) */
    int *ab_place;                  /* [n_point * n_out]: (a, b) */

    double *in;                     /* [(n_in + n_out) * n_point] slots, then multipliers */
    double *value, *jac, *hess;     /* [n_out | n_jac | n_hess][n_point] */
    double *work;
};

/* --- Triplets ------------------------------------------------------------------------------------------------ */

void triplets_add(struct triplets *list, int row, int col)
{
    if (list->n == list->cap) {
        list->cap = list->cap ? 2 * list->cap : 1024;
        list->row = mem_resize(list->row, (size_t)list->cap, sizeof *list->row);
        list->col = mem_resize(list->col, (size_t)list->cap, sizeof *list->col);
    }
    list->row[list->n] = row;
    list->col[list->n++] = col;
}

void triplets_add_lower(struct triplets *list, int a, int b)
{
    triplets_add(list, a > b ? a : b, a > b ? b : a);
}

void triplets_free(struct triplets *list)
{
    free(list->row);
    free(list->col);
}

/* --- Building ------------------------------------------------------------------------------------------------ */

struct program_block *block_create(struct pointfun *fun)
{
    struct program_block *block = mem_alloc(1, sizeof *block);
    block->fun = fun;
    return block;
}

void block_free(struct program_block *block)
{
    if (!block)
        return;
    if (block->terms)
        for (int k = 0; k < block->n_point * block->fun->n_in; k++)
            free(block->terms[k]);
    free(block->terms);
    free(block->offset);
    free(block->n_terms);
    free(block->term);
    free(block->term_start);
    free(block->out);
    free(block->jac_place);
    free(block->scale_place);
    free(block->hess_place);
    free(block->cross_place);
    free(block->ab_place);
    free(block->in);
    free(block->value);
    free(block->jac);
    free(block->hess);
    free(block->work);
    pointfun_free(block->fun);
    free(block);
}

int block_point(struct program_block *block)
{
    const size_t n_in = (size_t)block->fun->n_in, n_out = (size_t)block->fun->n_out;
    if (block->n_point == block->cap_point) {
        block->cap_point = block->cap_point ? 2 * block->cap_point : 32;
        const size_t cap = (size_t)block->cap_point;
        block->offset = mem_resize(block->offset, cap * n_in, sizeof *block->offset);
        block->n_terms = mem_resize(block->n_terms, cap * n_in, sizeof *block->n_terms);
        block->terms = mem_resize(block->terms, cap * n_in, sizeof *block->terms);
        block->out = mem_resize(block->out, cap * n_out, sizeof *block->out);
    }
    const size_t p = (size_t)block->n_point++;
    for (size_t j = p * n_in; j < (p + 1) * n_in; j++) {
        block->offset[j] = 0;
        block->n_terms[j] = 0;
        block->terms[j] = NULL;
    }
    for (size_t o = p * n_out; o < (p + 1) * n_out; o++)
        block->out[o] = (struct out_place){ PROGRAM_NO_ROW, 0, PROGRAM_ONE, PROGRAM_ONE };
    return (int)p;
}

void block_slot_add(struct program_block *block, int slot, int var, double coef)
{
    const int k = (block->n_point - 1) * block->fun->n_in + slot;
    for (int i = 0; i < block->n_terms[k]; i++)
        if (block->terms[k][i].var == var) {
            block->terms[k][i].coef += coef;
            return;
        }
    block->terms[k] = mem_resize(block->terms[k], (size_t)block->n_terms[k] + 1, sizeof **block->terms);
    block->terms[k][block->n_terms[k]++] = (struct slot_term){ var, coef };
}

void block_slot(struct program_block *block, int slot, int var)
{
    block_slot_add(block, slot, var, 1);
}

void block_slot_const(struct program_block *block, int slot, double value)
{
    block->offset[(block->n_point - 1) * block->fun->n_in + slot] = value;
}

void block_out(struct program_block *block, int out, int row, double coef, int a, int b)
{
    if (a == PROGRAM_ONE) {                     /* a single factor is always a */
        a = b;
        b = PROGRAM_ONE;
    }
    block->out[(block->n_point - 1) * block->fun->n_out + out] = (struct out_place){ row, coef, a, b };
}

/* --- Sparsity: the loops below name and place contributions in one and the same order ----------------------- */

typedef void jac_visitor(void *user, const struct out_place *out, int var);
typedef void pair_visitor(void *user, int var, int other);

static const struct slot_term *terms_of(const struct program_block *block, int p, int slot, int *n)
{
    const int k = p * block->fun->n_in + slot;
    if (block->term) {
        *n = block->term_start[k + 1] - block->term_start[k];
        return block->term + block->term_start[k];
    }
    assert(block->terms);                       /* while the block is being built */
    *n = block->n_terms[k];
    return block->terms[k];
}

/* Every (output, variable) that the Jacobian entries touch. */
static void visit_jac(const struct program_block *block, jac_visitor *visit, void *user)
{
    const struct pointfun *fun = block->fun;
    for (int p = 0; p < block->n_point; p++)
        for (int k = 0; k < fun->n_jac; k++) {
            int n;
            const struct slot_term *term = terms_of(block, p, fun->jac_in[k], &n);
            const struct out_place *out = &block->out[p * fun->n_out + fun->jac_out[k]];
            for (int i = 0; i < n; i++)
                visit(user, out, term[i].var);
        }
}

/* Every (scale variable, variable) of a scaled output: a and b for each term; -1 where there is none. */
static void visit_cross(const struct program_block *block, pair_visitor *visit, void *user)
{
    const struct pointfun *fun = block->fun;
    for (int p = 0; p < block->n_point; p++)
        for (int k = 0; k < fun->n_jac; k++) {
            int n;
            const struct slot_term *term = terms_of(block, p, fun->jac_in[k], &n);
            const struct out_place *out = &block->out[p * fun->n_out + fun->jac_out[k]];
            if (out->row == PROGRAM_NO_ROW || out->a == PROGRAM_ONE)
                continue;
            for (int i = 0; i < n; i++) {
                visit(user, out->a, term[i].var);
                visit(user, out->b, term[i].var);
            }
        }
}

/* Every (variable, variable) of the Hessian entries: within one slot only the lower half of the square. */
static void visit_hess(const struct program_block *block, pair_visitor *visit, void *user)
{
    const struct pointfun *fun = block->fun;
    for (int p = 0; p < block->n_point; p++)
        for (int k = 0; k < fun->n_hess; k++) {
            int n_r, n_c;
            const struct slot_term *r = terms_of(block, p, fun->hess_row[k], &n_r);
            const struct slot_term *c = terms_of(block, p, fun->hess_col[k], &n_c);
            const bool same = fun->hess_row[k] == fun->hess_col[k];
            for (int i = 0; i < n_r; i++)
                for (int j = 0; j < (same ? i + 1 : n_c); j++)
                    visit(user, r[i].var, c[j].var);
        }
}

static void list_jac(void *user, const struct out_place *out, int var)
{
    if (out->row >= 0)
        triplets_add(user, out->row, var);
}

static void list_pair(void *user, int var, int other)
{
    if (var >= 0)
        triplets_add_lower(user, var, other);
}

void block_list(const struct program_block *block, struct triplets *jac, struct triplets *hess)
{
    visit_jac(block, list_jac, jac);
    visit_cross(block, list_pair, hess);
    visit_hess(block, list_pair, hess);
    for (int k = 0; k < block->n_point * block->fun->n_out; k++) {
        const struct out_place *out = &block->out[k];
        if (out->row == PROGRAM_NO_ROW || out->a == PROGRAM_ONE)
            continue;
        if (out->row >= 0) {
            triplets_add(jac, out->row, out->a);
            if (out->b != PROGRAM_ONE)
                triplets_add(jac, out->row, out->b);
        }
        if (out->b != PROGRAM_ONE)
            triplets_add_lower(hess, out->a, out->b);
    }
}

struct placing {
    const struct sparse *pattern;
    int *place, n;
};

static void place_jac(void *user, const struct out_place *out, int var)
{
    struct placing *to = user;
    to->place[to->n++] = out->row >= 0 ? sparse_find(to->pattern, out->row, var) : var;
}

static int find_lower(const struct sparse *pattern, int a, int b)
{
    return a > b ? sparse_find(pattern, a, b) : sparse_find(pattern, b, a);
}

static void place_pair(void *user, int var, int other)
{
    struct placing *to = user;
    to->place[to->n++] = var >= 0 ? find_lower(to->pattern, var, other) : -1;
}

static void count_jac(void *user, const struct out_place *out, int var)
{
    (void)out;
    (void)var;
    ++*(int *)user;
}

static void count_pair(void *user, int var, int other)
{
    (void)var;
    (void)other;
    ++*(int *)user;
}

static int *place_pairs(const struct program_block *block, const struct sparse *pattern,
                        void (*visit)(const struct program_block *, pair_visitor *, void *))
{
    int n = 0;
    visit(block, count_pair, &n);
    struct placing to = { pattern, mem_alloc((size_t)n, sizeof(int)), 0 };
    visit(block, place_pair, &to);
    return to.place;
}

static void place_scales(struct program_block *block, const struct sparse *jac, const struct sparse *hess)
{
    const int n = block->n_point * block->fun->n_out;
    block->scale_place = mem_alloc(2 * (size_t)n, sizeof(int));
    block->ab_place = mem_alloc((size_t)n, sizeof(int));
    for (int k = 0; k < n; k++) {
        const struct out_place *out = &block->out[k];
        int *place = &block->scale_place[2 * k];
        place[0] = place[1] = block->ab_place[k] = -1;
        if (out->row == PROGRAM_NO_ROW || out->a == PROGRAM_ONE)
            continue;
        place[0] = out->row >= 0 ? sparse_find(jac, out->row, out->a) : out->a;
        if (out->b == PROGRAM_ONE)
            continue;
        place[1] = out->row >= 0 ? sparse_find(jac, out->row, out->b) : out->b;
        block->ab_place[k] = find_lower(hess, out->a, out->b);
    }
}

/* Puts the terms of all slots into one array. */
static void pack_terms(struct program_block *block)
{
    const int n = block->n_point * block->fun->n_in;
    block->term_start = mem_alloc((size_t)n + 1, sizeof(int));
    for (int k = 0; k < n; k++)
        block->term_start[k + 1] = block->term_start[k] + block->n_terms[k];
    struct slot_term *all = mem_alloc((size_t)block->term_start[n], sizeof *all);
    for (int k = 0; k < n; k++) {
        if (block->n_terms[k])
            memcpy(all + block->term_start[k], block->terms[k], (size_t)block->n_terms[k] * sizeof *all);
        free(block->terms[k]);
    }
    free(block->terms);
    block->terms = NULL;
    block->term = all;
}

static void allocate_work(struct program_block *block)
{
    const struct pointfun *fun = block->fun;
    const size_t n = (size_t)block->n_point;
    block->in = mem_alloc((size_t)(fun->n_in + fun->n_out) * n, sizeof(double));
    block->value = mem_alloc((size_t)fun->n_out * n, sizeof(double));
    block->jac = mem_alloc((size_t)fun->n_jac * n, sizeof(double));
    block->hess = mem_alloc((size_t)fun->n_hess * n, sizeof(double));
    size_t work = tape_work_size(fun->value);
    if (work < tape_work_size(fun->jac))
        work = tape_work_size(fun->jac);
    if (work < tape_work_size(fun->hess))
        work = tape_work_size(fun->hess);
    block->work = mem_alloc(work, sizeof(double));
}

void block_place(struct program_block *block, const struct sparse *jac, const struct sparse *hess)
{
    pack_terms(block);
    int n = 0;
    visit_jac(block, count_jac, &n);
    struct placing to = { jac, mem_alloc((size_t)n, sizeof(int)), 0 };
    visit_jac(block, place_jac, &to);
    block->jac_place = to.place;
    block->cross_place = place_pairs(block, hess, visit_cross);
    block->hess_place = place_pairs(block, hess, visit_hess);
    place_scales(block, jac, hess);
    allocate_work(block);
}

/* --- Evaluation ---------------------------------------------------------------------------------------------- */

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

/* Adds weight * (first derivatives) of the outputs whose row is a cost (cost) or a row of g (!cost) to val. */
static void add_first(const struct program_block *block, const double *w, bool cost,
                      const struct program_weights *weights, double *val)
{
    const struct pointfun *fun = block->fun;
    const int n = block->n_point;
    const int *place = block->jac_place;
    for (int p = 0; p < n; p++) {
        for (int k = 0; k < fun->n_jac; k++) {
            const int slot = p * fun->n_in + fun->jac_in[k];
            const int first = block->term_start[slot], end = block->term_start[slot + 1];
            const struct out_place *out = &block->out[p * fun->n_out + fun->jac_out[k]];
            if (out->row != PROGRAM_NO_ROW && (out->row < 0) == cost) {
                const double d = scale_of(out, w) * block_weight(weights, out->row) * block->jac[k * n + p];
                for (int i = first; i < end; i++)
                    val[place[i - first]] += d * block->term[i].coef;
            }
            place += end - first;
        }
        for (int o = 0; o < fun->n_out; o++) {
            const int k = p * fun->n_out + o;
            const struct out_place *out = &block->out[k];
            if (out->a < 0 || out->row == PROGRAM_NO_ROW || (out->row < 0) != cost)
                continue;
            const double F = out->coef * block_weight(weights, out->row) * block->value[o * n + p];
            val[block->scale_place[2 * k]] += F * (out->b >= 0 ? w[out->b] : 1);
            if (out->b >= 0)
                val[block->scale_place[2 * k + 1]] += F * w[out->a];
        }
    }
}

void block_add_grad(const struct program_block *block, const double *w, const struct program_weights *weights,
                    double *grad)
{
    add_first(block, w, true, weights, grad);
}

void block_add_jac(const struct program_block *block, const double *w, double *val)
{
    const struct program_weights none = { 1, 1, 1 };
    add_first(block, w, false, &none, val);
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
    const int *place = block->hess_place;
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
    const int *place = block->cross_place;
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
            if (block->ab_place[k] >= 0)
                val[block->ab_place[k]] += multiplier_of(out, mult) * out->coef * block->value[o * n + p]
                                           * (out->a == out->b ? 2 : 1);
        }
    }
}

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
