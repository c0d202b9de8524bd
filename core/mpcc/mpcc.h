/* core/mpcc/mpcc.h - a mathematical program with complementarity constraints
 *
 *   min f(w)   s.t.   lbw <= w <= ubw,  lbg <= g(w) <= ubg,  0 <= G_m(w) _|_ H_m(w) >= 0
 *
 * G_m and H_m are affine with few entries, G = g0 + sum_k a_k w_k, and built so that every term is nonnegative
 * on the variable bounds (a variable with lower bound 0, or 1 - alpha with alpha in [0, 1]): a sum is zero iff
 * each of its terms is, i.e. iff each of its variables is at the bound that its coefficient's sign names.
 * Pairs of one `group` describe one decision (contact c in element j: open or closed?), G the continuous side
 * (gaps, multipliers that vary continuously), H the discontinuous one; polish.h decides group by group.
 *
 * Rows and variables have names and places, so that reports can say "foot gap, element 3 of interval 7".
 * The nonlinear part (f, g) is an `nlp` of its own; it knows nothing of pairs and sigma.
 *
 * Shapes  w [n_w], g [n_g], pairs [n_pair].
 */
#ifndef COCP_CORE_MPCC_MPCC_H
#define COCP_CORE_MPCC_MPCC_H

#include "core/nlp/nlp.h"

struct mpcc_label {
    const char *name;               /* "dynamics v_x", "clock", "hole_1"; borrowed */
    struct srcpos pos;              /* line of the spec; line 0: none */
    const char *path;               /* spec path, "constraints.hole_1"; or NULL */
    int interval, element, stage;   /* -1: none */
};

struct mpcc_term { int var; double coef; };

struct mpcc_pair {
    int n_G, n_H;
    const struct mpcc_term *G, *H;
    double G0, H0;
    double scale;                   /* the relaxation is G H <= scale * sigma; 1, or h0 for impulses */
    bool two_sided;                 /* H has any sign: G H = 0, relaxed to |G H| <= scale * sigma whatever the kind */
    int group;                      /* >= 0 */
    struct mpcc_label label;
};

struct mpcc {
    struct nlp nlp;                 /* f, g and their derivatives; bounds of the hard problem */
    double *w0;                     /* [n_w] initial guess */
    const struct mpcc_label *var;   /* [n_w] */
    const struct mpcc_label *row;   /* [n_g] */
    int n_pair, n_group;
    const struct mpcc_pair *pair;   /* [n_pair] */
    double first_sigma;             /* recipes begin at a sigma that many times theirs; 0: at theirs */
    /* Called before the NLP of each sigma (may be NULL): problems whose penalties or regularizations shrink
     * with sigma adjust themselves here; `last` marks the final one. */
    void (*set_sigma)(void *user, double sigma, bool last);
    /* The user's own cost at w, without penalties; NULL: f. */
    double (*objective)(void *user, const double *w);
};

/* --- What is true of a point, judged by the hard problem, never by the solver's word ------------------------ */

/* One side of a pair: term [n] and a constant. */
struct mpcc_side { int n; const struct mpcc_term *term; double constant; };
struct mpcc_side mpcc_side(const struct mpcc_pair *pair, bool is_G);

/* The bound at which a term is least, -INFINITY or INFINITY where its variable has none, and the value of a side
 * there: 0 where fixing its variables makes it zero. */
double mpcc_least_bound(const struct nlp *nlp, const struct mpcc_term *term);
/* What a variable is fixed at to make its side zero: that bound, 0 where it has none, as H of a two-sided pair. */
double mpcc_fixed_value(const struct nlp *nlp, const struct mpcc_term *term);
double mpcc_side_least(const struct nlp *nlp, const struct mpcc_side *side);

/* Is one of its sides fixed at zero by the bounds? */
bool mpcc_pair_holds(const struct nlp *nlp, const struct mpcc_pair *pair);

double mpcc_pair_G(const struct mpcc_pair *pair, const double *w);
double mpcc_pair_H(const struct mpcc_pair *pair, const double *w);

/* G H, with both clipped at 0; G |H| of a two-sided pair. */
double mpcc_pair_product(const struct mpcc_pair *pair, const double *w);

/* The size of a side and of the product of a pair, where the program has sizes; else 1. */
double mpcc_side_size(const struct nlp *nlp, const struct mpcc_side *side);
double mpcc_pair_size(const struct mpcc *mpcc, const struct mpcc_pair *pair);

/* max_m G_m H_m, as mpcc_pair_product, over their sizes. */
double mpcc_complementarity(const struct mpcc *mpcc, const double *w);

/* Largest violation of rows and variable bounds (negative G or H included), absolute, in the units of the row;
 * over its size, where the program has sizes. NAN-safe: a NaN row is an infinite violation. */
double mpcc_violation(const struct mpcc *mpcc, const double *w);

double mpcc_objective(const struct mpcc *mpcc, const double *w);

/* Row residuals, largest first: at most n_max entries of (index, violation), where index is a row, or
 * n_g + a variable, or n_g + n_w + a pair (negative G or H). Returns how many. */
int mpcc_worst_rows(const struct mpcc *mpcc, const double *w, int n_max, int *index, double *violation);

#endif
