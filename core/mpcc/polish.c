#include "core/mpcc/polish.h"

#include "core/base/mem.h"
#include "core/mpcc/relax.h"

#include <math.h>
#include <stdlib.h>

/* What the pairs of a group say together. */
struct group_sides { double S_G, S_H; bool fixable_G, fixable_H; };

static bool can_be_zero(const struct nlp *nlp, const struct mpcc_pair *pair, bool is_G)
{
    const struct mpcc_side side = mpcc_side(pair, is_G);
    if (!pair->two_sided || is_G)
        return fabs(mpcc_side_least(nlp, &side)) <= SIDE_IS_ZERO;
    double sum = side.constant;                 /* of any sign */
    for (int k = 0; k < side.n; k++)
        sum += side.term[k].coef * mpcc_fixed_value(nlp, &side.term[k]);
    return fabs(sum) <= SIDE_IS_ZERO;
}

/* S_G, S_H: largest side of the pairs of each group; which side could be fixed at zero by bounds. */
static void ask_pairs(const struct mpcc *mpcc, const double *w, struct group_sides *group)
{
    for (int c = 0; c < mpcc->n_group; c++)
        group[c] = (struct group_sides){ .fixable_G = true, .fixable_H = true };
    for (int m = 0; m < mpcc->n_pair; m++) {
        const struct mpcc_pair *pair = &mpcc->pair[m];
        if (mpcc_pair_holds(&mpcc->nlp, pair))
            continue;                           /* says nothing about its group */
        struct group_sides *g = &group[pair->group];
        g->S_G = fmax(g->S_G, mpcc_pair_G(pair, w));
        g->S_H = fmax(g->S_H, pair->two_sided ? fabs(mpcc_pair_H(pair, w)) : mpcc_pair_H(pair, w));
        g->fixable_G &= can_be_zero(&mpcc->nlp, pair, true);
        g->fixable_H &= can_be_zero(&mpcc->nlp, pair, false);
    }
}

/* The smaller side is zero, if it is clearly smaller (mpcc.md 6). */
static enum polish_decision decide_group(const struct group_sides *g, double ambiguity)
{
    if (fmin(g->S_G, g->S_H) > ambiguity * fmax(g->S_G, g->S_H))
        return POLISH_KEEP;
    if (g->S_G < g->S_H)
        return g->fixable_G ? POLISH_FIX_G : POLISH_KEEP;
    return g->fixable_H ? POLISH_FIX_H : POLISH_KEEP;
}

/* The side of a pair that its group's decision fixes; without terms if none. */
static struct mpcc_side fixed_side(const struct mpcc *mpcc, int m, const enum polish_decision *decision)
{
    const struct mpcc_pair *pair = &mpcc->pair[m];
    const enum polish_decision what = decision[pair->group];
    struct mpcc_side side = mpcc_side(pair, what == POLISH_FIX_G);
    if (what == POLISH_KEEP || mpcc_pair_holds(&mpcc->nlp, pair))
        side.n = 0;
    return side;
}

/* Takes back decisions that fix a variable at its other bound; false if there were none left. `value` is
 * scratch [n_w]. */
static bool drop_conflicts(const struct mpcc *mpcc, enum polish_decision *decision, double *value)
{
    bool dropped = false;
    for (int i = 0; i < mpcc->nlp.n_w; i++)
        value[i] = NAN;
    for (int m = 0; m < mpcc->n_pair; m++) {
        const struct mpcc_side side = fixed_side(mpcc, m, decision);
        bool conflict = false;
        for (int k = 0; k < side.n; k++) {
            const double bound = mpcc_fixed_value(&mpcc->nlp, &side.term[k]);
            double *fixed_at = &value[side.term[k].var];
            conflict |= *fixed_at != bound && !isnan(*fixed_at);
            *fixed_at = bound;
        }
        if (conflict)
            decision[mpcc->pair[m].group] = POLISH_KEEP;
        dropped |= conflict;
    }
    return dropped;
}

int polish_decide(const struct mpcc *mpcc, const double *w, double ambiguity, enum polish_decision *decision)
{
    struct group_sides *group = mem_alloc((size_t)mpcc->n_group, sizeof *group);
    double *value = mem_alloc((size_t)mpcc->nlp.n_w, sizeof *value);
    ask_pairs(mpcc, w, group);
    for (int c = 0; c < mpcc->n_group; c++)
        decision[c] = decide_group(&group[c], ambiguity);
    while (drop_conflicts(mpcc, decision, value))
        ;
    int n_kept = 0;
    for (int c = 0; c < mpcc->n_group; c++)
        n_kept += decision[c] == POLISH_KEEP;
    free(group);
    free(value);
    return n_kept;
}

/* Redundant rows leave multipliers unbounded, and IPOPT wanders off from points that are feasible and as good as
 * they get: after a while such a point ends the crossover. */
struct polish_watch { nlp_monitor *monitor; void *user; bool good_enough; };

static bool watch_polish(void *user, int iteration, double f, double violation, double dual_inf, double mu)
{
    struct polish_watch *watch = user;
    watch->good_enough = iteration >= POLISH_PATIENCE && violation <= POLISH_GOOD_VIOLATION && mu <= POLISH_GOOD_MU
                         && dual_inf <= POLISH_GOOD_DUAL;
    if (watch->good_enough)
        return false;
    return !watch->monitor || watch->monitor(watch->user, iteration, f, violation, dual_inf, mu);
}

static struct relax *create_fixed(const struct mpcc *mpcc, const enum polish_decision *decision)
{
    bool *keep = mem_alloc((size_t)mpcc->n_pair, sizeof *keep);
    for (int m = 0; m < mpcc->n_pair; m++)
        keep[m] = decision[mpcc->pair[m].group] == POLISH_KEEP;
    struct relax *relax = relax_create(mpcc, RELAX_SCHOLTES, ELASTIC_NONE, keep);
    free(keep);
    relax_set_sigma(relax, POLISH_KEPT_SIGMA);
    for (int m = 0; m < mpcc->n_pair; m++) {
        const struct mpcc_side side = fixed_side(mpcc, m, decision);
        for (int k = 0; k < side.n; k++)
            relax_fix(relax, side.term[k].var, mpcc_fixed_value(&mpcc->nlp, &side.term[k]));
    }
    relax_free_fixed_rows(relax);
    return relax;
}

static struct nlp_settings polish_nlp_settings(const struct nlp_settings *from, enum polish_goal goal)
{
    const bool near = goal == POLISH_FEASIBILITY;
    return (struct nlp_settings){               /* mpcc.md 6 */
        .tol = POLISH_TOL, .dual_inf_tol = POLISH_DUAL_TOL, .constr_viol_tol = POLISH_TOL,
        .compl_inf_tol = NAN, .acceptable_tol = NAN,
        .max_iter = near ? POLISH_NEAR_ITER : POLISH_COST_ITER, .monotone = true,
        .mu_init = near ? POLISH_NEAR_MU : POLISH_COST_MU, .push = near ? POLISH_NEAR_PUSH : POLISH_COST_PUSH,
        .print_level = from->print_level, .max_seconds = from->max_seconds, .n_option = from->n_option,
        .option = from->option, .memory = from->memory
    };
}

enum status polish_solve(const struct mpcc *mpcc, const enum polish_decision *decision, enum polish_goal goal,
                         const struct nlp_settings *settings, struct iterate *point, nlp_monitor *monitor,
                         void *monitor_user, struct nlp_info *info, struct diag *diag)
{
    struct relax *relax = create_fixed(mpcc, decision);
    const struct nlp *nlp = relax_nlp(relax);
    const struct nlp_settings nlp_settings = polish_nlp_settings(settings, goal);
    double *lambda = mem_alloc((size_t)nlp->n_g, sizeof *lambda);
    struct nlp_point start = { point->w, lambda, point->z_lower, point->z_upper };
    struct polish_watch watch = { monitor, monitor_user, false };
    if (goal == POLISH_FEASIBILITY)
        relax_drop_cost(relax);
    const enum status st = nlp_solve(nlp, &nlp_settings, &start, watch_polish, &watch, info, diag);
    if (watch.good_enough)
        info->outcome = NLP_ACCEPTABLE;
    for (int k = 0; k < mpcc->nlp.n_g && goal == POLISH_COST; k++)      /* without a cost they mean nothing */
        point->lambda[k] = lambda[k];
    for (int m = 0; m < mpcc->n_pair && goal == POLISH_COST; m++)
        point->lambda_pair[m] = relax_pair_row(relax, m) >= 0 ? lambda[relax_pair_row(relax, m)] : 0.0;
    free(lambda);
    relax_free(relax);
    return st;
}
