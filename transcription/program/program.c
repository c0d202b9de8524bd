#include "transcription/program/program.h"

#include "core/base/mem.h"
#include "transcription/program/block_use.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct term { int row, a, b; double coef; };        /* coef w_a w_b, or coef w_a where b is PROGRAM_ONE */
struct place { int jac_a, jac_b, hess; };           /* of a term, -1: none; of a cost the Jacobian has no place */

struct program {
    struct arena mem;               /* labels' copies, pairs, patterns */
    int n_var, n_row;
    double *lbw, *ubw, *w0;         /* [n_var] */
    struct mpcc_label *var;
    double *lbg, *ubg;              /* [n_row] */
    struct mpcc_label *row;
    double known_cost;
    int n_term, n_bilinear;
    struct term *term, *bilinear;   /* linear and bilinear ones; once finished both are in term, the linear ones first */
    struct place *place;            /* [n_term] */
    int n_block;
    struct program_block **block;
    int n_pair, n_group;
    struct mpcc_pair *pair;

    struct program_weights weights;
    struct sparse jac, hess;
    bool values_known, jac_known;   /* at the point of the last callback */
};

struct program *program_create(void)
{
    struct program *prog = mem_alloc(1, sizeof *prog);
    prog->weights = (struct program_weights){ 1, 1, 0 };
    return prog;
}

void program_free(struct program *prog)
{
    if (!prog)
        return;
    for (int b = 0; b < prog->n_block; b++)
        block_free(prog->block[b]);
    free(prog->block);
    free(prog->lbw);
    free(prog->ubw);
    free(prog->w0);
    free(prog->var);
    free(prog->lbg);
    free(prog->ubg);
    free(prog->row);
    free(prog->term);
    free(prog->bilinear);
    free(prog->pair);
    arena_free(&prog->mem);
    free(prog);
}

/* --- Building ------------------------------------------------------------------------------------------------ */

int program_var(struct program *prog, double lb, double ub, double guess, struct mpcc_label label)
{
    const int k = prog->n_var++;
    prog->lbw = mem_grow(prog->lbw, k, 1, sizeof *prog->lbw);
    prog->ubw = mem_grow(prog->ubw, k, 1, sizeof *prog->ubw);
    prog->w0 = mem_grow(prog->w0, k, 1, sizeof *prog->w0);
    prog->var = mem_grow(prog->var, k, 1, sizeof *prog->var);
    prog->lbw[k] = lb;
    prog->ubw[k] = ub;
    prog->w0[k] = fmin(fmax(guess, lb), ub);
    prog->var[k] = label;
    return k;
}

int program_row(struct program *prog, double lb, double ub, struct mpcc_label label)
{
    const int k = prog->n_row++;
    prog->lbg = mem_grow(prog->lbg, k, 1, sizeof *prog->lbg);
    prog->ubg = mem_grow(prog->ubg, k, 1, sizeof *prog->ubg);
    prog->row = mem_grow(prog->row, k, 1, sizeof *prog->row);
    prog->lbg[k] = lb;
    prog->ubg[k] = ub;
    prog->row[k] = label;
    return k;
}

void program_linear(struct program *prog, int row, int var, double coef)
{
    prog->term = mem_grow(prog->term, prog->n_term, 1, sizeof *prog->term);
    prog->term[prog->n_term++] = (struct term){ row, var, PROGRAM_ONE, coef };
}

void program_add_cost(struct program *prog, double cost)
{
    prog->known_cost += cost;
}

void program_bilinear(struct program *prog, int row, int a, int b, double coef)
{
    prog->bilinear = mem_grow(prog->bilinear, prog->n_bilinear, 1, sizeof *prog->bilinear);
    prog->bilinear[prog->n_bilinear++] = (struct term){ row, a, b, coef };
}

struct program_block *program_block(struct program *prog, struct pointfun *fun)
{
    prog->block = mem_grow(prog->block, prog->n_block, 1, sizeof *prog->block);
    return prog->block[prog->n_block++] = block_create(fun);
}

void program_pair(struct program *prog, const struct mpcc_pair *pair)
{
    prog->pair = mem_grow(prog->pair, prog->n_pair, 1, sizeof *prog->pair);
    struct mpcc_pair *own = &prog->pair[prog->n_pair++];
    *own = *pair;
    own->G = arena_copy(&prog->mem, pair->G, (size_t)pair->n_G, sizeof *pair->G);
    own->H = arena_copy(&prog->mem, pair->H, (size_t)pair->n_H, sizeof *pair->H);
}

int program_new_group(struct program *prog)
{
    return prog->n_group++;
}

/* --- Sparsity ------------------------------------------------------------------------------------------------ */

/* Puts all terms into one array, with the triplets of each as its places until the pattern is known. */
static void list_own_terms(struct program *prog, struct triplets *jac, struct triplets *hess)
{
    prog->term = mem_grow(prog->term, prog->n_term, prog->n_bilinear, sizeof *prog->term);
    for (int k = 0; k < prog->n_bilinear; k++)
        prog->term[prog->n_term++] = prog->bilinear[k];
    prog->place = arena_alloc(&prog->mem, (size_t)prog->n_term, sizeof *prog->place);
    for (int k = 0; k < prog->n_term; k++) {
        const struct term *term = &prog->term[k];
        const bool is_row = term->row >= 0, has_b = term->b != PROGRAM_ONE;
        prog->place[k].jac_a = is_row ? triplets_add(jac, term->row, term->a) : -1;
        prog->place[k].jac_b = is_row && has_b ? triplets_add(jac, term->row, term->b) : -1;
        prog->place[k].hess = has_b ? triplets_add_lower(hess, term->a, term->b) : -1;
    }
}

static void place_own_terms(struct program *prog, const int *jac_slot, const int *hess_slot)
{
    for (struct place *at = prog->place; at < prog->place + prog->n_term; at++) {
        at->jac_a = at->jac_a >= 0 ? jac_slot[at->jac_a] : -1;
        at->jac_b = at->jac_b >= 0 ? jac_slot[at->jac_b] : -1;
        at->hess = at->hess >= 0 ? hess_slot[at->hess] : -1;
    }
}

void program_finish(struct program *prog)
{
    struct triplets jac = { 0 }, hess = { 0 };
    list_own_terms(prog, &jac, &hess);
    for (int b = 0; b < prog->n_block; b++)
        block_list(prog->block[b], &jac, &hess);
    prog->jac = triplets_finish(&jac, &prog->mem, prog->n_row, prog->n_var);
    prog->hess = triplets_finish(&hess, &prog->mem, prog->n_var, prog->n_var);
    place_own_terms(prog, jac.slot, hess.slot);
    for (int b = 0; b < prog->n_block; b++)
        block_place(prog->block[b], jac.slot, hess.slot);
    triplets_free(&jac);
    triplets_free(&hess);
}

/* --- Evaluation ---------------------------------------------------------------------------------------------- */

static void refresh(struct program *prog, const double *w, bool new_w, bool with_jac)
{
    if (new_w)
        prog->values_known = prog->jac_known = false;
    for (int b = 0; b < prog->n_block; b++) {
        if (!prog->values_known)
            block_eval_values(prog->block[b], w);
        if (with_jac && !prog->jac_known)
            block_eval_jac(prog->block[b]);
    }
    prog->values_known = true;
    prog->jac_known = prog->jac_known || with_jac;
}

static bool all_finite(int n, const double *val)
{
    for (int k = 0; k < n; k++)
        if (!isfinite(val[k]))
            return false;
    return true;
}

static double factor(const double *w, int var)
{
    return var == PROGRAM_ONE ? 1 : w[var];
}

/* Cost terms of the kind `row`, unweighted, at the refreshed point. */
static double sum_cost(const struct program *prog, const double *w, int row)
{
    double sum = row == PROGRAM_COST ? prog->known_cost : 0;
    for (const struct term *term = prog->term; term < prog->term + prog->n_term; term++)
        if (term->row == row)
            sum += term->coef * w[term->a] * factor(w, term->b);
    for (int b = 0; b < prog->n_block; b++)
        sum += block_sum_cost(prog->block[b], w, row);
    return sum;
}

static bool eval_f(void *user, const double *w, bool new_w, double *f)
{
    struct program *prog = user;
    refresh(prog, w, new_w, false);
    *f = 0;
    for (int kind = PROGRAM_GUIDE; kind <= PROGRAM_COST; kind++)
        if (block_weight(&prog->weights, kind) != 0)
            *f += block_weight(&prog->weights, kind) * sum_cost(prog, w, kind);
    return isfinite(*f);
}

static bool eval_grad(void *user, const double *w, bool new_w, double *grad)
{
    struct program *prog = user;
    refresh(prog, w, new_w, true);
    memset(grad, 0, (size_t)prog->n_var * sizeof *grad);
    for (const struct term *term = prog->term; term < prog->term + prog->n_term; term++) {
        if (term->row >= 0)
            continue;
        const double coef = block_weight(&prog->weights, term->row) * term->coef;
        grad[term->a] += coef * factor(w, term->b);
        if (term->b != PROGRAM_ONE)
            grad[term->b] += coef * w[term->a];
    }
    for (int b = 0; b < prog->n_block; b++)
        block_add_first(prog->block[b], w, &prog->weights, grad);
    return all_finite(prog->n_var, grad);
}

static bool eval_g(void *user, const double *w, bool new_w, double *g)
{
    struct program *prog = user;
    refresh(prog, w, new_w, false);
    memset(g, 0, (size_t)prog->n_row * sizeof *g);
    for (const struct term *term = prog->term; term < prog->term + prog->n_term; term++)
        if (term->row >= 0)
            g[term->row] += term->coef * w[term->a] * factor(w, term->b);
    for (int b = 0; b < prog->n_block; b++)
        block_add_rows(prog->block[b], w, g);
    return all_finite(prog->n_row, g);
}

static bool eval_jac(void *user, const double *w, bool new_w, double *val)
{
    struct program *prog = user;
    refresh(prog, w, new_w, true);
    memset(val, 0, (size_t)prog->jac.nnz * sizeof *val);
    for (int k = 0; k < prog->n_term; k++) {
        const struct term *term = &prog->term[k];
        const struct place *at = &prog->place[k];
        if (at->jac_a >= 0)
            val[at->jac_a] += term->coef * factor(w, term->b);
        if (at->jac_b >= 0)
            val[at->jac_b] += term->coef * w[term->a];
    }
    for (int b = 0; b < prog->n_block; b++)
        block_add_first(prog->block[b], w, NULL, val);
    return all_finite(prog->jac.nnz, val);
}

static bool eval_hess(void *user, const double *w, bool new_w, double obj_factor, const double *lambda,
                      double *val)
{
    struct program *prog = user;
    refresh(prog, w, new_w, true);
    memset(val, 0, (size_t)prog->hess.nnz * sizeof *val);
    for (int k = 0; k < prog->n_term; k++) {
        const struct term *term = &prog->term[k];
        if (prog->place[k].hess < 0)
            continue;
        const double mult =
            term->row >= 0 ? lambda[term->row] : obj_factor * block_weight(&prog->weights, term->row);
        val[prog->place[k].hess] += mult * term->coef * (term->a == term->b ? 2 : 1);
    }
    const struct block_multipliers mult = { lambda,
                                            { obj_factor * prog->weights.cost, obj_factor * prog->weights.penalty,
                                              obj_factor * prog->weights.guide } };
    for (int b = 0; b < prog->n_block; b++)
        block_add_hess(prog->block[b], w, &mult, val);
    return all_finite(prog->hess.nnz, val);
}

/* --- Using --------------------------------------------------------------------------------------------------- */

static double eval_objective(void *user, const double *w)
{
    return program_cost(user, w);
}

struct mpcc program_mpcc(struct program *prog)
{
    return (struct mpcc){
        .nlp = { .n_w = prog->n_var, .n_g = prog->n_row,
                 .lbw = prog->lbw, .ubw = prog->ubw, .lbg = prog->lbg, .ubg = prog->ubg,
                 .jac = prog->jac, .hess = prog->hess, .user = prog,
                 .eval_f = eval_f, .eval_grad = eval_grad, .eval_g = eval_g, .eval_jac = eval_jac,
                 .eval_hess = eval_hess },
        .w0 = prog->w0, .var = prog->var, .row = prog->row,
        .n_pair = prog->n_pair, .n_group = prog->n_group, .pair = prog->pair,
        .objective = eval_objective,
    };
}

int program_n_var(const struct program *prog)
{
    return prog->n_var;
}

int program_n_row(const struct program *prog)
{
    return prog->n_row;
}

void program_set_bounds(struct program *prog, int var, double lb, double ub)
{
    prog->lbw[var] = lb;
    prog->ubw[var] = ub;
}

void program_set_row_bounds(struct program *prog, int row, double lb, double ub)
{
    prog->lbg[row] = lb;
    prog->ubg[row] = ub;
}

double *program_guess(struct program *prog)
{
    return prog->w0;
}

void program_set_guess(struct program *prog, int var, double value)
{
    if (!isnan(value))
        prog->w0[var] = fmin(fmax(value, prog->lbw[var]), prog->ubw[var]);
}

double program_lb(const struct program *prog, int var)
{
    return prog->lbw[var];
}

double program_ub(const struct program *prog, int var)
{
    return prog->ubw[var];
}

struct program_weights program_weights(const struct program *prog)
{
    return prog->weights;
}

void program_set_weights(struct program *prog, struct program_weights weights)
{
    prog->weights = weights;
}

double program_cost(struct program *prog, const double *w)
{
    refresh(prog, w, true, false);
    return sum_cost(prog, w, PROGRAM_COST);
}

bool program_trace(struct program *prog, const double *w, struct mpcc_label *label, struct srcpos *pos,
                   char *text, size_t size)
{
    refresh(prog, w, true, false);
    for (int b = 0; b < prog->n_block; b++) {
        const int row = block_trace(prog->block[b], pos, text, size);
        if (row == PROGRAM_NO_ROW)
            continue;
        *label = row >= 0 ? prog->row[row] : (struct mpcc_label){ "cost", { NULL, 0, 0 }, "cost", -1, -1, -1 };
        return true;
    }
    return false;
}
