#include "transcription/finish/together.h"

#include "core/base/mem.h"
#include "core/nlp/joined.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct together {
    struct arena mem;
    int n, n_w;
    const struct company *company;
    struct member *member;          /* [n] with the one that changes among them */
    int **var;                      /* [n] places of their variables */
    int *n_owner;                   /* [n_w] how many have the variable */
    struct joined *joined;
    struct nlp_point point;
};

static const struct nlp *program_of(const struct member *member)
{
    return &member->ph->mpcc.nlp;
}

/* --- Variables ----------------------------------------------------------------------------------------------- */

/* The length of a phase that its condition ends follows from the motion: it is each one's own. */
static bool is_own_length(const struct model *model, int p)
{
    for (int k = 0; k < model->time.n_phase; k++)
        if (model->time.phase[k].p == p && model->time.phase[k].until != EXPR_NONE)
            return true;
    return false;
}

/* The common variables of a program, in the same order for all of them; returns how many. */
static int list_common(const struct company *company, const struct phases *ph, int *to)
{
    const struct model *model = ph->sys->model;
    const bool all = !company->only_parameters;
    int n = 0;
    for (int i = 0; i < ph->n_interval && all; i++)
        for (int k = 0; k < model->n_u; k++)
            to[n++] = ph->at.u[i] + k;
    for (int k = 0; k < model->n_p; k++)
        if (!is_own_length(model, k))
            to[n++] = ph->at.p + k;
    if (ph->at.T >= 0 && all && !model_has_until(model))
        to[n++] = ph->at.T;
    return n;
}

/* Common variables are the first program's; the others count on from there. */
static void place_variables(struct together *at)
{
    const struct phases *first = at->member[0].ph;
    const size_t most = (size_t)first->mpcc.nlp.n_w;
    int *common = arena_alloc(&at->mem, most, sizeof *common), *mine = arena_alloc(&at->mem, most, sizeof *mine);
    const int n_common = list_common(at->company, first, common);
    for (int k = 0; k < at->n; k++) {
        const int n_w = program_of(&at->member[k])->n_w;
        at->var[k] = arena_alloc(&at->mem, (size_t)n_w, sizeof(int));
        for (int i = 0; i < n_w; i++)
            at->var[k][i] = -1;
        const int n = k ? list_common(at->company, at->member[k].ph, mine) : 0;
        assert(n == 0 || n == n_common);
        for (int i = 0; i < n; i++)
            at->var[k][mine[i]] = common[i];
        for (int i = 0; i < n_w; i++)
            if (at->var[k][i] < 0)
                at->var[k][i] = at->n_w++;
    }
    at->n_owner = arena_alloc(&at->mem, (size_t)at->n_w, sizeof *at->n_owner);
    for (int k = 0; k < at->n; k++)
        for (int i = 0; i < program_of(&at->member[k])->n_w; i++)
            at->n_owner[at->var[k][i]]++;
}

/* --- Points -------------------------------------------------------------------------------------------------- */

/* What is in common starts from the mean of what they have; multipliers add up. */
static void gather(struct together *at)
{
    const struct nlp *whole = joined_nlp(at->joined);
    int row = 0;
    for (int k = 0; k < at->n; k++) {
        const struct member *member = &at->member[k];
        for (int i = 0; i < program_of(member)->n_w; i++) {
            const int v = at->var[k][i];
            at->point.w[v] += member->w[i] / at->n_owner[v];
            at->point.z_lower[v] += member->z_lower[i];
            at->point.z_upper[v] += member->z_upper[i];
        }
        for (int i = 0; i < program_of(member)->n_g; i++)
            at->point.lambda[row++] = member->lambda[i];
    }
    for (int v = 0; v < at->n_w; v++)
        at->point.w[v] = fmin(fmax(at->point.w[v], whole->lbw[v]), whole->ubw[v]);
}

static double cost_of(const struct together *at, int k)
{
    return program_cost(at->member[k].ph->prog, at->member[k].w);
}

/* The worst case starts with multipliers that are the weights. */
static void begin_worst(struct together *at)
{
    const int first_row = joined_nlp(at->joined)->n_g - at->n;
    double most = -INFINITY;
    for (int k = 0; k < at->n; k++) {
        most = fmax(most, cost_of(at, k));
        at->point.lambda[first_row + k] = at->company->weight[k];
    }
    at->point.w[at->n_w] = isfinite(most) ? most : 0;
}

static void share_one(const struct together *at, int k, int row, const struct member *to)
{
    const struct nlp *nlp = program_of(&at->member[k]);
    for (int i = 0; i < nlp->n_w; i++) {
        const int v = at->var[k][i];
        to->w[i] = at->point.w[v];
        to->z_lower[i] = at->point.z_lower[v] / at->n_owner[v];
        to->z_upper[i] = at->point.z_upper[v] / at->n_owner[v];
    }
    memcpy(to->lambda, at->point.lambda + row, (size_t)nlp->n_g * sizeof *to->lambda);
}

static size_t size_of(const struct member *member)
{
    return 3 * (size_t)program_of(member)->n_w + (size_t)program_of(member)->n_g;
}

/* The same program, its point in such an array. */
static struct member placed(const struct member *member, double *at)
{
    const int n_w = program_of(member)->n_w;
    return (struct member){ member->ph, at, at + 3 * n_w, at + n_w, at + 2 * n_w };
}

double *together_share(const struct together *at)
{
    const int self = at->company->self;
    size_t size = 0;
    int row = 0;
    for (int k = 0; k < at->n; k++)
        size += k == self ? 0 : size_of(&at->member[k]);
    double *others = mem_alloc(size, sizeof *others), *next = others;
    for (int k = 0; k < at->n; k++) {
        const struct member to = k == self ? at->member[k] : placed(&at->member[k], next);
        share_one(at, k, row, &to);
        row += program_of(&at->member[k])->n_g;
        next += k == self ? 0 : size_of(&at->member[k]);
    }
    return others;
}

void company_take(const struct company *company, const double *others)
{
    for (int k = 0; k < company->n; k++) {
        const struct member *to = &company->member[k];
        if (k == company->self)
            continue;
        const size_t n_w = (size_t)program_of(to)->n_w, n_g = (size_t)program_of(to)->n_g;
        memcpy(to->w, others, n_w * sizeof *others);
        memcpy(to->z_lower, others + n_w, n_w * sizeof *others);
        memcpy(to->z_upper, others + 2 * n_w, n_w * sizeof *others);
        memcpy(to->lambda, others + 3 * n_w, n_g * sizeof *others);
        others += size_of(to);
    }
}

/* --- What it has come to ------------------------------------------------------------------------------------- */

/* One after the other at the point of the whole: [n_w] of the largest is room for each. */
static void each(const struct together *at,
                 void (*visit)(const struct together *at, int k, const double *w, double *sum), double *sum)
{
    for (int k = 0; k < at->n; k++) {
        const int n_w = program_of(&at->member[k])->n_w;
        double *w = mem_alloc((size_t)n_w, sizeof *w);
        for (int i = 0; i < n_w; i++)
            w[i] = at->point.w[at->var[k][i]];
        visit(at, k, w, sum);
        free(w);
    }
}

static void add_cost(const struct together *at, int k, const double *w, double *sum)
{
    const double cost = program_cost(at->member[k].ph->prog, w);
    if (at->company->worst)
        *sum = isnan(cost) || cost > *sum ? cost : *sum;
    else
        *sum += at->company->weight[k] * cost;
}

static void add_violation(const struct together *at, int k, const double *w, double *sum)
{
    *sum = fmax(*sum, phases_violation(at->member[k].ph, w));
}

double together_cost(const struct together *at)
{
    double sum = at->company->worst ? -INFINITY : 0;
    each(at, add_cost, &sum);
    return sum;
}

double together_violation(const struct together *at)
{
    double sum = 0;
    each(at, add_violation, &sum);
    return sum;
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static struct joined *join(struct together *at)
{
    struct joined_part *part = mem_alloc((size_t)at->n, sizeof *part);
    for (int k = 0; k < at->n; k++)
        part[k] = (struct joined_part){ program_of(&at->member[k]), at->var[k], at->company->weight[k] };
    struct joined *joined = joined_create(at->n, part, at->n_w, at->company->worst);
    free(part);
    return joined;
}

struct together *together_create(const struct company *company, const struct member *one)
{
    struct together *at = mem_alloc(1, sizeof *at);
    at->company = company;
    at->n = company->n;
    at->member = arena_alloc(&at->mem, (size_t)at->n, sizeof *at->member);
    at->var = arena_alloc(&at->mem, (size_t)at->n, sizeof *at->var);
    for (int k = 0; k < at->n; k++)
        at->member[k] = k == company->self ? *one : company->member[k];
    place_variables(at);
    at->joined = join(at);
    const struct nlp *whole = joined_nlp(at->joined);
    const size_t n_w = (size_t)whole->n_w;
    at->point = (struct nlp_point){ arena_alloc(&at->mem, n_w, sizeof(double)),
                                    arena_alloc(&at->mem, (size_t)whole->n_g, sizeof(double)),
                                    arena_alloc(&at->mem, n_w, sizeof(double)),
                                    arena_alloc(&at->mem, n_w, sizeof(double)) };
    gather(at);
    if (company->worst)
        begin_worst(at);
    return at;
}

void together_free(struct together *at)
{
    if (!at)
        return;
    joined_free(at->joined);
    arena_free(&at->mem);
    free(at);
}

const struct nlp *together_nlp(const struct together *at)
{
    return joined_nlp(at->joined);
}

struct nlp_point together_point(struct together *at)
{
    return at->point;
}

const int *const *together_variables(const struct together *at)
{
    return (const int *const *)at->var;
}
