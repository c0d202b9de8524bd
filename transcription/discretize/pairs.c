/* Complementarity by the user on the grid: 0 <= G _|_ H >= 0.
 *
 * Sides become variables, g = G(x, u, p, t) at a point, where they are no control: of controls and parameters
 * alone one in each control interval, others at every point. As switches of FESD do, sides change between
 * elements: in each the sum of one side over all points, the left boundary included, is complementary to the
 * other at each of them. So what is constant in an interval is 0, or the other side is in all of it. What is no
 * polynomial of time a constant control can hold at 0 at the ends of the interval, but not quite between them:
 * there it may be off by PAIR_BAND, H >= -band, g >= H - band. A side of any sign is the difference of two
 * variables, both complementary to G.
 */
#include "transcription/discretize/parts.h"

#include "core/base/mem.h"
#include "core/expression/diff.h"
#include "transcription/discretize/initial.h"
#include "transcription/discretize/recipe.h"

#include <math.h>
#include <stdlib.h>

/* How far a side is constant. */
enum side_kind {
    SIDE_CONSTANT,                  /* in a control interval: of controls and parameters */
    SIDE_CONTINUOUS,                /* of states: at the left boundary as at the end before it */
    SIDE_JUMPS                      /* of states and controls, or of velocities that jump: known at stages and ends */
};

struct lifted_side {
    enum side_kind kind;
    const struct model_pair *pair;
    enum pair_side side;
    bool has_band;                  /* it is no polynomial of time */
    bool any_sign;
    int u;                          /* the control that it is, if that is never negative, or -1 */
    struct point_block points;      /* its function, unless it is a control */
    int *var;                       /* [n_interval] of a constant one, else [(n_element + 1) * n_point], j = -1 first; of any
                                     * sign its positive part, the variable after it the negative one */
};

static enum side_kind kind_of(const struct transcription *tr, expr e)
{
    const struct dcs *dcs = tr->dcs;
    bool states = false, jumps = expr_depends(dcs->g, e, tr->model->n_u, tr->model->u_sym);
    for (int i = 0; i < dcs->n_y; i++)
        if (expr_depends(dcs->g, e, 1, &dcs->y[i].sym)) {
            states = true;
            jumps = jumps || dcs->y[i].jumps;
        }
    return !states ? SIDE_CONSTANT : jumps ? SIDE_JUMPS : SIDE_CONTINUOUS;
}

/* Is e, with constant controls, a polynomial of time whatever the state is? */
static bool is_polynomial(const struct transcription *tr, expr e)
{
    enum { HIGHEST = 4 };
    struct dcs *dcs = tr->dcs;
    bool found = false;
    expr *y = mem_alloc((size_t)dcs->n_y, sizeof *y), *rate = mem_alloc((size_t)dcs->n_y, sizeof *rate);
    for (int i = 0; i < dcs->n_y; i++) {
        y[i] = dcs->y[i].sym;
        rate[i] = dcs->F[i].e;
    }
    for (int k = 0; k < HIGHEST && !found; k++) {
        bool massive = false;                   /* y_i' is not F_i */
        for (int i = 0; i < dcs->n_y; i++)
            massive = massive || (dcs->massive[i] && expr_depends(dcs->g, e, 1, &y[i]));
        if (massive)
            break;
        e = expr_directional(dcs->g, e, dcs->n_y, y, rate);
        found = !expr_depends(dcs->g, e, dcs->n_y, y);
    }
    for (int i = 0; i < dcs->n_sel && found; i++)
        found = !expr_depends(dcs->g, e, 1, &dcs->sel[i].sym);
    free(y);
    free(rate);
    return found;
}

static void remember(struct transcription *tr, int var, int row, bool any_sign)
{
    tr->lift = mem_grow(tr->lift, tr->n_lift, 1, sizeof *tr->lift);
    tr->lift[tr->n_lift++] = (struct tr_lift){ var, row, any_sign };
}

/* A variable g and the row g - G = 0 at point k of element j; j = -1: the start. */
static int lift(struct transcription *tr, const struct lifted_side *at, int j, int k, int interval)
{
    const struct model_pair *pair = at->pair;
    const bool constant = at->kind == SIDE_CONSTANT, start = j < 0;
    const struct mpcc_label label = tr_label(tr, pair->side_name[at->side], pair->path, pair->pos, interval,
                                             constant ? -1 : start ? 0 : j, constant ? -1 : start ? 0 : k);
    const bool between = at->has_band && !constant && !start && !(k == tr_right(tr) && tr_last_of_interval(tr, j));
    const int var = program_var(tr->prog, 0, INFINITY, 0, label);
    const double above = !between ? 0 : at->any_sign ? PAIR_BAND : INFINITY;
    const int row = program_row(tr->prog, between ? -PAIR_BAND : 0, above, label);
    tr_fill(tr, &at->points, j, k, interval);
    program_linear(tr->prog, row, var, 1);
    if (at->any_sign)
        program_linear(tr->prog, row, program_var(tr->prog, 0, INFINITY, 0, label), -1);
    block_out(at->points.block, 0, row, -1, PROGRAM_ONE, PROGRAM_ONE);
    if (between && !at->any_sign)
        tr_add_row(tr, &at->points, 0, -PAIR_BAND, INFINITY, label);
    remember(tr, var, row, at->any_sign);
    return var;
}

/* A control that is a side is not negative. */
static int take_control(struct transcription *tr, int u, int interval)
{
    const int var = tr->u[interval] + u;
    program_set_bounds(tr->prog, var, fmax(0, program_lb(tr->prog, var)), program_ub(tr->prog, var));
    return var;
}

static int *var_at(const struct transcription *tr, const struct lifted_side *at, int j, int k)
{
    if (at->kind == SIDE_CONSTANT)
        return &at->var[tr->interval_of[j]];
    return &at->var[(j + 1) * tr->n_point + k - 1];
}

static struct lifted_side lift_side(struct transcription *tr, const struct model_pair *pair, enum pair_side side,
                                    struct arena *mem)
{
    const expr e = pair->side[side];
    struct lifted_side at = { .kind = kind_of(tr, e), .pair = pair, .side = side,
                              .has_band = kind_of(tr, e) != SIDE_CONSTANT && !is_polynomial(tr, e),
                              .any_sign = side == SIDE_H && pair->any_sign, .u = -1 };
    for (int i = 0; i < tr->model->n_u && !at.any_sign; i++)
        at.u = e == tr->model->u_sym[i] ? i : at.u;
    if (at.u < 0)
        at.points = tr_point_block(tr, 0, NULL, 1, &e);
    const int n = at.kind == SIDE_CONSTANT ? tr->n_interval : (tr->n_element + 1) * tr->n_point;
    at.var = arena_alloc(mem, (size_t)n, sizeof *at.var);
    for (int i = 0; i < tr->n_interval && at.kind == SIDE_CONSTANT; i++)
        at.var[i] = at.u >= 0 ? take_control(tr, at.u, i) : lift(tr, &at, tr->first[i], 1, i);
    if (at.kind == SIDE_CONTINUOUS)
        *var_at(tr, &at, -1, tr_right(tr)) = lift(tr, &at, -1, tr_right(tr), 0);
    for (int j = 0; j < tr->n_element && at.kind != SIDE_CONSTANT; j++)
        for (int k = 1; k <= tr->n_point; k++)
            *var_at(tr, &at, j, k) = lift(tr, &at, j, k, tr->interval_of[j]);
    return at;
}

/* About how large e becomes: what the bounds of states and controls make of it to first order, at the guess. */
static double size_of(const struct transcription *tr, expr e)
{
    const struct model *model = tr->model;
    const struct dcs *dcs = tr->dcs;
    const double *w0 = program_guess(tr->prog);
    const int n_y = dcs->n_y, n = n_y + model->n_u + model->n_p + model->time.horizon_free;
    expr *sym = mem_alloc((size_t)n, sizeof *sym), *grad = mem_alloc((size_t)n, sizeof *grad);
    double *val = mem_alloc((size_t)n, sizeof *val), size = 0;
    for (int i = 0; i < n_y; i++) {
        sym[i] = dcs->y[i].sym;
        val[i] = w0[tr_y(tr, 0, 1, i)];
    }
    for (int i = 0; i < model->n_u; i++) {
        sym[n_y + i] = model->u_sym[i];
        val[n_y + i] = w0[tr->u[0] + i];
    }
    for (int i = 0; i < model->n_p; i++) {
        sym[n_y + model->n_u + i] = model->p_sym[i];
        val[n_y + model->n_u + i] = w0[tr->p + i];
    }
    if (model->time.horizon_free) {
        sym[n - 1] = model->T_sym;
        val[n - 1] = w0[tr->T];
    }
    expr_gradient(dcs->g, e, n, sym, grad);
    for (int i = 0; i < n_y + model->n_u; i++) {
        const double lb = i < n_y ? dcs->y[i].lb : model->u[i - n_y].lb, ub = i < n_y ? dcs->y[i].ub : model->u[i - n_y].ub;
        const double range = fmax(isfinite(lb) ? fabs(lb) : 0, isfinite(ub) ? fabs(ub) : 0);
        const double slope = expr_eval(dcs->g, grad[i], n, sym, val);
        size = fmax(size, fabs(slope) * range);
    }
    free(sym);
    free(grad);
    free(val);
    return isfinite(size) ? size : 1;
}

/* Of a product of newtons and metres: the first sigma is to leave about as much room. */
static double scale_of(const struct transcription *tr, const struct model_pair *pair)
{
    return fmin(fmax(size_of(tr, pair->side[SIDE_G]) * size_of(tr, pair->side[SIDE_H]), 1), PAIR_SCALE_MOST);
}

static void add_term(const struct lifted_side *at, int var, struct mpcc_term *term, int *n)
{
    term[(*n)++] = (struct mpcc_term){ var, 1 };
    if (at->any_sign)
        term[(*n)++] = (struct mpcc_term){ var + 1, 1 };
}

/* The variables of a side in element j, point by point, [2 (n_point + 1)] at most: the left boundary
 * first where it is known there. */
static int vars_of(const struct transcription *tr, const struct lifted_side *at, int j, struct mpcc_term *term)
{
    int n = 0;
    if (at->kind == SIDE_CONSTANT) {
        add_term(at, *var_at(tr, at, j, 1), term, &n);
        return n;
    }
    if (at->kind == SIDE_CONTINUOUS && tr->reset[j] < 0)
        add_term(at, *var_at(tr, at, j - 1, tr_right(tr)), term, &n);
    for (int k = 1; k <= tr->n_point; k++)
        add_term(at, *var_at(tr, at, j, k), term, &n);
    return n;
}

/* In element j: the sum of G against each H. A constant side takes the part of G, unless it has any sign. */
static void add_element(struct transcription *tr, const struct lifted_side *side, int j, int group,
                        struct mpcc_term *sum, struct mpcc_term *each)
{
    const bool swap = side[SIDE_H].kind == SIDE_CONSTANT && !side[SIDE_H].any_sign;
    const struct lifted_side *G = swap ? &side[SIDE_H] : &side[SIDE_G], *H = swap ? &side[SIDE_G] : &side[SIDE_H];
    const int n_sum = vars_of(tr, G, j, sum), n_each = vars_of(tr, H, j, each), parts = H->any_sign ? 2 : 1;
    const int left = n_each > tr->n_point * parts;
    for (int k = 0; k < n_each; k++) {
        const int stage = H->kind == SIDE_CONSTANT ? -1 : k / parts + 1 - left;
        program_pair(tr->prog, &(struct mpcc_pair){
            .n_G = n_sum, .n_H = 1, .G = sum, .H = &each[k], .scale = 1, .group = group,
            .label = tr_label(tr, G->pair->name, G->pair->path, G->pair->pos, -1, j, stage) });
    }
}

static void add_pair(struct transcription *tr, const struct model_pair *pair)
{
    struct arena mem = { NULL };
    const struct lifted_side side[2] = { lift_side(tr, pair, SIDE_G, &mem), lift_side(tr, pair, SIDE_H, &mem) };
    struct mpcc_term *sum = arena_alloc(&mem, 2 * (size_t)tr->n_point + 2, sizeof *sum);
    struct mpcc_term *each = arena_alloc(&mem, 2 * (size_t)tr->n_point + 2, sizeof *each);
    const bool both_constant = side[SIDE_G].kind == SIDE_CONSTANT && side[SIDE_H].kind == SIDE_CONSTANT;
    const bool by_interval = side[SIDE_G].kind == SIDE_CONSTANT || side[SIDE_H].kind == SIDE_CONSTANT;
    int group = -1;
    for (int j = 0; j < tr->n_element; j++) {
        const bool begins = j == tr->first[tr->interval_of[j]];
        if (begins || !by_interval)
            group = program_new_group(tr->prog);
        if (begins || !both_constant)
            add_element(tr, side, j, group, sum, each);
    }
    arena_free(&mem);
}

void tr_add_user_pairs(struct transcription *tr)
{
    for (int k = 0; k < tr->model->constraints.n_pair; k++)
        add_pair(tr, &tr->model->constraints.pair[k]);
}

double tr_first_sigma(const struct transcription *tr)
{
    double most = 1;
    for (int k = 0; k < tr->model->constraints.n_pair; k++)
        most = fmax(most, scale_of(tr, &tr->model->constraints.pair[k]));
    return most;
}

void tr_guess_user_pairs(struct transcription *tr)
{
    const struct nlp *nlp = &tr->mpcc.nlp;
    double *w0 = program_guess(tr->prog);
    if (tr->n_lift == 0)
        return;
    double *g = mem_alloc((size_t)nlp->n_g, sizeof *g);
    const bool known = nlp->eval_g(nlp->user, w0, true, g);
    for (int i = 0; i < tr->n_lift && known; i++) {
        const struct tr_lift *lift = &tr->lift[i];
        const double value = w0[lift->var] - (lift->any_sign ? w0[lift->var + 1] : 0) - g[lift->row];
        w0[lift->var] = fmax(0, value);
        if (lift->any_sign)
            w0[lift->var + 1] = fmax(0, -value);
    }
    free(g);
}
