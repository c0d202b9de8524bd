#include "transcription/program/check.h"

#include "core/base/random.h"
#include "core/base/stop.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Differences of fourth order, (8 (F(h) - F(-h)) - (F(2 h) - F(-2 h))) / 12 h, along a d of the size of
 * max(1, |w|): with w of order 1 and h = 1e-4 the round-off is 1e-12, and the truncation stays below 1e-7
 * where fifth derivatives are below 1e10, as in products of many sums. Smaller steps are for what bends;
 * at 1e-7 round-off is 1e-9. */
enum { N_SIDES = 4, N_STEPS = 4, N_OF = 3 };
static const double step_size[N_STEPS] = { 1e-4, 1e-5, 1e-6, 1e-7 };
static const double side[N_SIDES] = { 1, -1, 2, -2 };                                       /* steps */
static const double side_weight[N_SIDES] = { 8.0 / 12, -8.0 / 12, -1.0 / 12, 1.0 / 12 };    /* over the step */

#define ENOUGH 1e-8                 /* a row this right is not looked at with smaller steps */
#define ENTRY_STEP 1e-6
#define ROUNDING 10                 /* units in the last place of a row's terms, by which its values are off */
#define KINK 1e-6                   /* least difference of the slopes on both sides of a kink, relative as errors are */

/* What is differentiated: the cost, the rows, the gradient of the Lagrangian. */
struct rows {
    int n;
    double *diff, *exact, *size;    /* [n] */
    double *least, *first;          /* [n] error of the best step, and of the largest one */
    double *bend;                   /* [n] difference of the slopes on both sides */
    double *terms;                  /* [n] magnitudes of what values are sums of, whose rounding differences show */
};

struct derivative_checker {
    const struct nlp *nlp;
    uint64_t random;
    double *w, *d, *w_side, *lambda;
    double f, *g, *grad, *jac;                  /* of the last evaluation */
    double *value;                              /* [max(n_w, n_g)] scratch */
    double *jac_mid, *hess, *grad_mid;
    double *at_mid[N_OF], *slope[2][N_OF];      /* values at w; slopes on both sides */
    struct rows rows[N_OF];
};

/* --- Points -------------------------------------------------------------------------------------------------- */

static void random_point(struct derivative_checker *check, const double *w0)
{
    const struct nlp *nlp = check->nlp;
    for (int k = 0; k < nlp->n_w; k++) {
        const double width = fmin(nlp->ubw[k] - nlp->lbw[k], 1);
        const double w = w0[k] + 0.3 * width * random_signed(random_next(&check->random));
        check->w[k] = fmin(fmax(w, nlp->lbw[k]), nlp->ubw[k]);
        check->d[k] = random_signed(random_next(&check->random)) * fmax(1, fabs(check->w[k]));
    }
    for (int k = 0; k < nlp->n_g; k++)
        check->lambda[k] = random_signed(random_next(&check->random));
}

/* Values at w_side; false if one is not finite. */
static bool eval_values(struct derivative_checker *check)
{
    const struct nlp *nlp = check->nlp;
    return nlp->eval_f(nlp->user, check->w_side, true, &check->f)
           && nlp->eval_g(nlp->user, check->w_side, false, check->g)
           && nlp->eval_grad(nlp->user, check->w_side, false, check->grad)
           && nlp->eval_jac(nlp->user, check->w_side, false, check->jac);
}

/* One of the three of the last evaluation: [rows[of].n]; borrowed until the next call. */
static const double *value_of(struct derivative_checker *check, enum derivative_of of)
{
    const struct nlp *nlp = check->nlp;
    if (of != DERIVATIVE_OF_LAGRANGIAN)
        return of == DERIVATIVE_OF_COST ? &check->f : check->g;
    for (int col = 0; col < nlp->n_w; col++) {
        check->value[col] = check->grad[col];
        for (int k = nlp->jac.colptr[col]; k < nlp->jac.colptr[col + 1]; k++)
            check->value[col] += check->lambda[nlp->jac.rowind[k]] * check->jac[k];
    }
    return check->value;
}

static bool eval_at(struct derivative_checker *check, double h)
{
    for (int k = 0; k < check->nlp->n_w; k++)
        check->w_side[k] = check->w[k] + h * check->d[k];
    return eval_values(check);
}

/* --- Exact derivatives along d ------------------------------------------------------------------------------- */

static void add_exact(struct rows *rows, int row, double part)
{
    rows->exact[row] += part;
    rows->size[row] += fabs(part);
}

/* Of a cost of 1e6 m v^2 the slopes are sums of such terms, though they be small themselves. */
static void add_terms(struct derivative_checker *check)
{
    const struct nlp *nlp = check->nlp;
    for (int of = 0; of < N_OF; of++)
        for (int row = 0; row < check->rows[of].n; row++)       /* numbers among the terms have no slope */
            check->rows[of].terms[row] = of == DERIVATIVE_OF_LAGRANGIAN ? 0 : fabs(check->at_mid[of][row]);
    for (int col = 0; col < nlp->n_w; col++) {
        check->rows[DERIVATIVE_OF_COST].terms[0] += fabs(check->grad_mid[col] * check->w[col]);
        check->rows[DERIVATIVE_OF_LAGRANGIAN].terms[col] += fabs(check->grad_mid[col]);
        for (int k = nlp->jac.colptr[col]; k < nlp->jac.colptr[col + 1]; k++) {
            const int row = nlp->jac.rowind[k];
            check->rows[DERIVATIVE_OF_ROW].terms[row] += fabs(check->jac_mid[k] * check->w[col]);
            check->rows[DERIVATIVE_OF_LAGRANGIAN].terms[col] += fabs(check->lambda[row] * check->jac_mid[k]);
        }
    }
}

static bool eval_exact(struct derivative_checker *check)
{
    const struct nlp *nlp = check->nlp;
    for (int of = 0; of < N_OF; of++) {
        memset(check->rows[of].exact, 0, (size_t)check->rows[of].n * sizeof(double));
        memset(check->rows[of].size, 0, (size_t)check->rows[of].n * sizeof(double));
    }
    if (!eval_at(check, 0))
        return false;
    for (int of = 0; of < N_OF; of++)
        memcpy(check->at_mid[of], value_of(check, of), (size_t)check->rows[of].n * sizeof(double));
    memcpy(check->jac_mid, check->jac, (size_t)nlp->jac.nnz * sizeof(double));
    memcpy(check->grad_mid, check->grad, (size_t)nlp->n_w * sizeof(double));
    add_terms(check);
    if (!nlp->eval_hess(nlp->user, check->w, true, 1, check->lambda, check->hess))
        return false;
    for (int col = 0; col < nlp->n_w; col++) {
        add_exact(&check->rows[DERIVATIVE_OF_COST], 0, check->grad_mid[col] * check->d[col]);
        for (int k = nlp->jac.colptr[col]; k < nlp->jac.colptr[col + 1]; k++)
            add_exact(&check->rows[DERIVATIVE_OF_ROW], nlp->jac.rowind[k], check->jac_mid[k] * check->d[col]);
        for (int k = nlp->hess.colptr[col]; k < nlp->hess.colptr[col + 1]; k++) {
            const int row = nlp->hess.rowind[k];
            add_exact(&check->rows[DERIVATIVE_OF_LAGRANGIAN], row, check->hess[k] * check->d[col]);
            if (row != col)
                add_exact(&check->rows[DERIVATIVE_OF_LAGRANGIAN], col, check->hess[k] * check->d[row]);
        }
    }
    return true;
}

/* --- Differences --------------------------------------------------------------------------------------------- */

static void add_side(struct derivative_checker *check, int s, double h)
{
    for (int of = 0; of < N_OF; of++) {
        const double *value = value_of(check, of);
        for (int row = 0; row < check->rows[of].n; row++) {
            check->rows[of].diff[row] += side_weight[s] / h * value[row];
            if (s < 2)
                check->slope[s][of][row] = (value[row] - check->at_mid[of][row]) / (side[s] * h);
        }
    }
}

/* Does the slope change at the point itself? Then by as much with the last step as with this one, and the
 * derivative is one of the two or between them. */
static bool bends_at_point(const struct derivative_checker *check, enum derivative_of of, int row, double bend)
{
    const struct rows *rows = &check->rows[of];
    const double right = check->slope[0][of][row], left = check->slope[1][of][row], unit = 1 + rows->size[row];
    const double slack = 0.1 * fabs(bend), exact = rows->exact[row];
    return fabs(bend) > KINK * unit && fabs(bend) > 0.5 * fabs(rows->bend[row])
           && exact > fmin(left, right) - slack && exact < fmax(left, right) + slack;
}

/* Errors of a step. On the last one kinks at the point itself are told from mistakes. Returns whether all rows are
 * right enough. */
static bool take_errors(struct derivative_checker *check, double h, bool is_first, bool is_last)
{
    bool enough = true;
    for (int of = 0; of < N_OF; of++) {
        struct rows *rows = &check->rows[of];
        for (int row = 0; row < rows->n; row++) {
            const double off = fabs(rows->diff[row] - rows->exact[row]), relative = off / (1 + rows->size[row]);
            const bool is_rounding = is_first && off <= ROUNDING * DBL_EPSILON * rows->terms[row] / h;
            const double error = isnan(off) ? INFINITY : is_rounding ? fmin(relative, ENOUGH) : relative;
            const double bend = check->slope[0][of][row] - check->slope[1][of][row];
            rows->first[row] = is_first ? error : rows->first[row];
            rows->least[row] = is_first ? error : fmin(rows->least[row], error);
            if (is_last && rows->least[row] > DERIVATIVE_TOL && bends_at_point(check, of, row, bend))
                rows->least[row] = 0;
            rows->bend[row] = bend;
            enough = enough && rows->least[row] <= ENOUGH;
        }
    }
    return enough;
}

/* With smaller and smaller steps. False: none had finite values only. */
static bool compare(struct derivative_checker *check)
{
    bool any = false;
    for (int k = 0; k < N_STEPS; k++) {
        bool finite = true;
        for (int of = 0; of < N_OF; of++)
            memset(check->rows[of].diff, 0, (size_t)check->rows[of].n * sizeof(double));
        for (int s = 0; s < N_SIDES && finite; s++) {
            finite = eval_at(check, side[s] * step_size[k]);
            if (finite)
                add_side(check, s, step_size[k]);
        }
        if (!finite)
            continue;
        if (take_errors(check, step_size[k], !any, k == N_STEPS - 1))
            return true;
        any = true;
    }
    return any;
}

/* --- Which entry --------------------------------------------------------------------------------------------- */

/* d of one row by one variable, as stored; 0, and false in *is_stored, where the pattern has none. */
static double stored_entry(const struct derivative_checker *check, enum derivative_of of, int row, int var,
                           bool *is_stored)
{
    *is_stored = true;
    const struct nlp *nlp = check->nlp;
    if (of == DERIVATIVE_OF_COST)
        return check->grad_mid[var];
    const bool is_row = of == DERIVATIVE_OF_ROW;
    const struct sparse *pattern = is_row ? &nlp->jac : &nlp->hess;
    const int col = is_row || var < row ? var : row, at = is_row || var < row ? row : var;
    for (int k = pattern->colptr[col]; k < pattern->colptr[col + 1]; k++)
        if (pattern->rowind[k] == at)
            return is_row ? check->jac_mid[k] : check->hess[k];
    *is_stored = false;
    return 0;
}

/* The variable by which the row's derivative is off most, differences being taken with step h: of those that the
 * pattern has, or of the others. */
static struct derivative_entry find_among(struct derivative_checker *check, enum derivative_of of, int row,
                                          double h, bool stored)
{
    struct derivative_entry found = { of, row, -1, NAN, NAN, NAN };
    double most = 0;
    for (int var = 0; var < check->nlp->n_w && !stop_asked(); var++) {
        const double step = h * fmax(1, fabs(check->w[var]));
        double value[2];
        bool is_stored;
        const double exact = stored_entry(check, of, row, var, &is_stored);
        if (is_stored != stored)
            continue;
        memcpy(check->w_side, check->w, (size_t)check->nlp->n_w * sizeof(double));
        for (int s = 0; s < 2; s++) {
            check->w_side[var] = check->w[var] + side[s] * step;
            value[s] = eval_values(check) ? value_of(check, of)[row] : NAN;
        }
        const double difference = (value[0] - value[1]) / (2 * step);
        if (fabs(difference - exact) > most) {
            most = fabs(difference - exact);
            found = (struct derivative_entry){ of, row, var, check->w[var], exact, difference };
        }
    }
    return found;
}

/* Each variable takes evaluations of the whole program: those that the pattern lacks come second, where none that
 * it has is off. */
static struct derivative_entry find_entry(struct derivative_checker *check, enum derivative_of of, int row,
                                          double h)
{
    const struct derivative_entry has = find_among(check, of, row, h, true);
    if (has.var >= 0 && fabs(has.difference - has.exact) > DERIVATIVE_TOL * fmax(1, fabs(has.exact)))
        return has;
    const struct derivative_entry lacks = find_among(check, of, row, h, false);
    const bool is_lacking = has.var < 0 || fabs(lacks.difference - lacks.exact) > fabs(has.difference - has.exact);
    return is_lacking ? lacks : has;
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

/* Adds what a point showed. */
static void take_over(struct derivative_checker *check, struct derivative_check *out)
{
    double *const error[N_OF] = { &out->grad, &out->jac, &out->hess };
    int none = -1, *const where[N_OF] = { &none, &out->jac_row, &out->hess_var };
    for (int of = 0; of < N_OF; of++) {
        const struct rows *rows = &check->rows[of];
        int worst = -1;
        for (int row = 0; row < rows->n; row++) {
            if (rows->least[row] > *error[of]) {
                *error[of] = rows->least[row];
                *where[of] = worst = row;
            }
            if (rows->first[row] > DERIVATIVE_TOL && rows->least[row] <= DERIVATIVE_TOL && out->n_kink++ == 0)
                out->kink = find_entry(check, of, row, step_size[0]);
        }
        if (worst >= 0 && *error[of] > DERIVATIVE_TOL)
            out->worst = find_entry(check, of, worst, ENTRY_STEP);
    }
}

static void set_up(struct derivative_checker *check, struct arena *mem)
{
    const struct nlp *nlp = check->nlp;
    const size_t n_w = (size_t)nlp->n_w, n_g = (size_t)nlp->n_g, n_jac = (size_t)nlp->jac.nnz;
    double **const of_w[] = { &check->w, &check->d, &check->w_side, &check->grad, &check->grad_mid, &check->value };
    for (size_t k = 0; k < sizeof of_w / sizeof *of_w; k++)
        *of_w[k] = arena_alloc(mem, n_w, sizeof(double));
    check->g = arena_alloc(mem, n_g, sizeof(double));
    check->lambda = arena_alloc(mem, n_g, sizeof(double));
    check->jac = arena_alloc(mem, n_jac, sizeof(double));
    check->jac_mid = arena_alloc(mem, n_jac, sizeof(double));
    check->hess = arena_alloc(mem, (size_t)nlp->hess.nnz, sizeof(double));
    for (int of = 0; of < N_OF; of++) {
        struct rows *rows = &check->rows[of];
        rows->n = of == DERIVATIVE_OF_COST ? 1 : of == DERIVATIVE_OF_ROW ? nlp->n_g : nlp->n_w;
        double **const of_row[] = { &rows->diff, &rows->exact, &rows->size, &rows->least, &rows->first, &rows->bend,
                                    &rows->terms, &check->at_mid[of], &check->slope[0][of], &check->slope[1][of] };
        for (size_t k = 0; k < sizeof of_row / sizeof *of_row; k++)
            *of_row[k] = arena_alloc(mem, (size_t)rows->n, sizeof(double));
    }
}

struct derivative_check derivative_check(const struct nlp *nlp, const double *w0, int n_points, unsigned seed)
{
    struct arena mem = { 0 };
    struct derivative_checker check = { .nlp = nlp, .random = seed };
    struct derivative_check out = { .jac_row = -1, .hess_var = -1, .finite = true };
    set_up(&check, &mem);
    for (int k = 0; k < n_points && !stop_asked(); k++) {
        random_point(&check, w0);
        if (eval_exact(&check) && compare(&check))
            take_over(&check, &out);
        else
            out.finite = false;
    }
    arena_free(&mem);
    return out;
}
