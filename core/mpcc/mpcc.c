#include "core/mpcc/mpcc.h"

#include "core/base/mem.h"
#include "core/mpcc/recipe.h"

#include <math.h>
#include <stdlib.h>

struct mpcc_side mpcc_side(const struct mpcc_pair *pair, bool is_G)
{
    return is_G ? (struct mpcc_side){ pair->n_G, pair->G, pair->G0 }
                : (struct mpcc_side){ pair->n_H, pair->H, pair->H0 };
}

double mpcc_least_bound(const struct nlp *nlp, const struct mpcc_term *term)
{
    return (term->coef > 0.0 ? nlp->lbw : nlp->ubw)[term->var];
}

double mpcc_fixed_value(const struct nlp *nlp, const struct mpcc_term *term)
{
    const double bound = mpcc_least_bound(nlp, term);
    return isfinite(bound) ? bound : 0.0;
}

double mpcc_side_least(const struct nlp *nlp, const struct mpcc_side *side)
{
    double sum = side->constant;
    for (int k = 0; k < side->n; k++)
        sum += side->term[k].coef * mpcc_least_bound(nlp, &side->term[k]);
    return sum;
}

static bool is_fixed_at_zero(const struct nlp *nlp, struct mpcc_side side)
{
    for (int k = 0; k < side.n; k++)
        if (nlp->lbw[side.term[k].var] != nlp->ubw[side.term[k].var])
            return false;
    return fabs(mpcc_side_least(nlp, &side)) <= SIDE_IS_ZERO;
}

bool mpcc_pair_holds(const struct nlp *nlp, const struct mpcc_pair *pair)
{
    return is_fixed_at_zero(nlp, mpcc_side(pair, true)) || is_fixed_at_zero(nlp, mpcc_side(pair, false));
}

static double side_value(struct mpcc_side side, const double *w)
{
    double sum = side.constant;
    for (int k = 0; k < side.n; k++)
        sum += side.term[k].coef * w[side.term[k].var];
    return sum;
}

double mpcc_pair_G(const struct mpcc_pair *pair, const double *w)
{
    return side_value(mpcc_side(pair, true), w);
}

double mpcc_pair_H(const struct mpcc_pair *pair, const double *w)
{
    return side_value(mpcc_side(pair, false), w);
}

double mpcc_pair_product(const struct mpcc_pair *pair, const double *w)
{
    const double G = mpcc_pair_G(pair, w), H = mpcc_pair_H(pair, w);
    return fmax(G, 0.0) * (pair->two_sided ? fabs(H) : fmax(H, 0.0));
}

double mpcc_side_size(const struct nlp *nlp, const struct mpcc_side *side)
{
    double size = fabs(side->constant);
    for (int k = 0; k < side->n; k++)
        size = fmax(size, nlp->sizes ? fabs(side->term[k].coef) * nlp->sizes->w[side->term[k].var] : 0);
    return nlp->sizes && size > 0 ? size : 1;
}

double mpcc_pair_size(const struct mpcc *mpcc, const struct mpcc_pair *pair)
{
    const struct mpcc_side G = mpcc_side(pair, true), H = mpcc_side(pair, false);
    return mpcc_side_size(&mpcc->nlp, &G) * mpcc_side_size(&mpcc->nlp, &H);
}

double mpcc_complementarity(const struct mpcc *mpcc, const double *w)
{
    double largest = 0.0;
    for (int m = 0; m < mpcc->n_pair; m++) {
        const double product = mpcc_pair_product(&mpcc->pair[m], w) / mpcc_pair_size(mpcc, &mpcc->pair[m]);
        largest = isnan(product) ? INFINITY : fmax(largest, product);
    }
    return largest;
}

static double outside(double lower, double x, double upper)
{
    const double v = fmax(0.0, fmax(lower - x, x - upper));
    return isnan(x) ? INFINITY : v;
}

/* Violations of the rows, then of the variable bounds, then of G, H >= 0; [n_g + n_w + n_pair], to be freed. */
static double *violations(const struct mpcc *mpcc, const double *w)
{
    const struct nlp *nlp = &mpcc->nlp;
    double *all = mem_alloc((size_t)(nlp->n_g + nlp->n_w + mpcc->n_pair), sizeof *all);
    const bool ok = nlp->eval_g(nlp->user, w, true, all);
    for (int i = 0; i < nlp->n_g; i++)
        all[i] = ok ? outside(nlp->lbg[i], all[i], nlp->ubg[i]) : INFINITY;
    double *bounds = all + nlp->n_g;
    for (int i = 0; i < nlp->n_w; i++)
        bounds[i] = outside(nlp->lbw[i], w[i], nlp->ubw[i]);
    double *pairs = bounds + nlp->n_w;
    for (int i = 0; i < nlp->n_g && nlp->sizes; i++)
        all[i] /= nlp->sizes->g[i];
    for (int i = 0; i < nlp->n_w && nlp->sizes; i++)
        bounds[i] /= nlp->sizes->w[i];
    for (int m = 0; m < mpcc->n_pair; m++)
        pairs[m] =
            fmax(outside(0.0, mpcc_pair_G(&mpcc->pair[m], w), INFINITY),
                 outside(mpcc->pair[m].two_sided ? -INFINITY : 0.0, mpcc_pair_H(&mpcc->pair[m], w), INFINITY));
    return all;
}

double mpcc_violation(const struct mpcc *mpcc, const double *w)
{
    const int n = mpcc->nlp.n_g + mpcc->nlp.n_w + mpcc->n_pair;
    double *all = violations(mpcc, w), largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, all[i]);
    free(all);
    return largest;
}

double mpcc_objective(const struct mpcc *mpcc, const double *w)
{
    if (mpcc->objective)
        return mpcc->objective(mpcc->nlp.user, w);
    double f = NAN;
    return mpcc->nlp.eval_f(mpcc->nlp.user, w, true, &f) ? f : NAN;
}

int mpcc_worst_rows(const struct mpcc *mpcc, const double *w, int n_max, int *index, double *violation)
{
    const int n = mpcc->nlp.n_g + mpcc->nlp.n_w + mpcc->n_pair;
    double *all = violations(mpcc, w);
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (!(all[i] > 0.0) || (found == n_max && !(n_max > 0 && all[i] > violation[found - 1])))
            continue;
        int at = found < n_max ? found++ : n_max - 1;
        for (; at > 0 && all[i] > violation[at - 1]; at--) {
            violation[at] = violation[at - 1];
            index[at] = index[at - 1];
        }
        violation[at] = all[i];
        index[at] = i;
    }
    free(all);
    return found;
}
