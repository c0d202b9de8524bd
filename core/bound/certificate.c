#include "core/bound/certificate.h"

#include "core/base/mem.h"
#include "core/bound/read.h"
#include "core/bound/reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SAME = 1e-9; /* relative: what is proved again, as eigenvalues of other libraries differ */
enum { MOST_DEGREE = 20 };

const char *bound_box_text(enum bound_box box)
{
    switch (box) {
    case BOX_SPEC: return "spec";
    case BOX_RATES: return "rates";
    case BOX_COST: return "cost";
    case BOX_MOTION: return "motion";
    }
    return "";
}

/* --- Numbers in a row ---------------------------------------------------------------------------------------- */

/* How many numbers the Gram matrices and the free polynomials of all conditions are. */
static void count_numbers(const struct bound_conditions *conditions, int *n_gram, int *n_free)
{
    *n_gram = *n_free = 0;
    for (int k = 0; k < conditions->n; k++) {
        for (int j = 0; j < conditions->identity[k].n_gram; j++)
            *n_gram += conditions->identity[k].gram[j].n * (conditions->identity[k].gram[j].n + 1) / 2;
        for (int l = 0; l < conditions->identity[k].n_free; l++)
            *n_free += conditions->identity[k].free[l].n;
    }
}

static void pack(const struct bound_proof *proof, double *gram, double *free_part)
{
    const struct bound_conditions *conditions = &proof->conditions;
    for (int k = 0; k < conditions->n; k++) {
        for (int j = 0; j < conditions->identity[k].n_gram; j++)
            for (int col = 0, n = conditions->identity[k].gram[j].n; col < n; col++)
                for (int row = 0; row <= col; row++)
                    *gram++ = proof->weights[k].gram[j][row + n * col];
        for (int l = 0; l < conditions->identity[k].n_free; l++)
            for (int a = 0; a < conditions->identity[k].free[l].n; a++)
                *free_part++ = proof->weights[k].free[l][a];
    }
}

static struct sos_weights unpack_one(struct arena *mem, const struct sos_identity *identity, const double **gram,
                                     const double **free_part)
{
    struct sos_weights out = { arena_alloc(mem, (size_t)identity->n_gram, sizeof *out.gram),
                               arena_alloc(mem, (size_t)identity->n_free, sizeof *out.free) };
    for (int j = 0; j < identity->n_gram; j++) {
        const int n = identity->gram[j].n;
        out.gram[j] = arena_alloc(mem, (size_t)n * (size_t)n, sizeof **out.gram);
        for (int col = 0; col < n; col++)
            for (int row = 0; row <= col; row++)
                out.gram[j][row + n * col] = out.gram[j][col + n * row] = *(*gram)++;
    }
    for (int l = 0; l < identity->n_free; l++) {
        out.free[l] = arena_copy(mem, *free_part, (size_t)identity->free[l].n, sizeof **free_part);
        *free_part += identity->free[l].n;
    }
    return out;
}

void bound_certificate_of(struct arena *mem, const struct bound_problem *problem, const struct bound_proof *proof,
                          struct bound_certificate *out)
{
    *out = (struct bound_certificate){ .bound = proof->bound,
                                       .cost_scale = problem->cost_scale,
                                       .below = problem->below,
                                       .margin = proof->margin, .capped = proof->capped,
                                       .horizon_max = problem->horizon_max,
                                       .cut = problem->cut,
                                       .degree = proof->conditions.degree,
                                       .n_var = problem->n_var,
                                       .n_y = proof->conditions.n_y,
                                       .y = proof->y };
    for (int k = 0; k < problem->n_var; k++) {
        out->name[k] = problem->var[k].name;
        out->box[k] = problem->var[k].box;
        out->lo[k] = problem->var[k].lo;
        out->hi[k] = problem->var[k].hi;
    }
    count_numbers(&proof->conditions, &out->n_gram, &out->n_free);
    double *gram = arena_alloc(mem, (size_t)out->n_gram, sizeof *gram);
    double *free_part = arena_alloc(mem, (size_t)out->n_free, sizeof *free_part);
    pack(proof, gram, free_part);
    out->gram = gram;
    out->free = free_part;
}

/* --- The proof again ----------------------------------------------------------------------------------------- */

static bool refuse(char *why, size_t size, const char *what)
{
    (void)snprintf(why, size, "%s", what);
    return false;
}

static bool is_power_of_two(double scale)
{
    int exponent;
    return isfinite(scale) && scale > 0 && fabs(frexp(scale, &exponent) - 0.5) <= 0;
}

static bool differs(double a, double b)
{
    return !(fabs(a - b) <= 0) && !(isnan(a) && isnan(b));
}

/* Boxes that follow from a motion are taken from the certificate; those of the spec and of rates are made again.
 * Its variables are the states, then the controls. */
struct boxes {
    double lo[POLY_MAX_VAR], hi[POLY_MAX_VAR], u_lo[POLY_MAX_VAR], u_hi[POLY_MAX_VAR];
};

static bool wish_of(const struct model *model, const struct bound_certificate *certificate, struct boxes *boxes,
                    struct bound_wish *out)
{
    const int n_x = bound_n_states(model);
    if (n_x > POLY_MAX_VAR || model->n_u > POLY_MAX_VAR)
        return false;
    for (int k = 0; k < POLY_MAX_VAR; k++)
        boxes->lo[k] = boxes->hi[k] = boxes->u_lo[k] = boxes->u_hi[k] = NAN;
    for (int k = 0; k < certificate->n_var && k < n_x + model->n_u; k++) {
        double *const lo = k < n_x ? &boxes->lo[k] : &boxes->u_lo[k - n_x];
        double *const hi = k < n_x ? &boxes->hi[k] : &boxes->u_hi[k - n_x];
        *lo = certificate->box[k] == BOX_MOTION ? certificate->lo[k] : NAN;
        *hi = certificate->box[k] == BOX_MOTION ? certificate->hi[k] : NAN;
    }
    *out = (struct bound_wish){ boxes->lo, boxes->hi, boxes->u_lo, boxes->u_hi, certificate->below,
                                certificate->cost_scale, certificate->cut };
    return true;
}

/* Is the problem the one that the certificate is about? */
static bool has_its_boxes(const struct bound_problem *problem, const struct bound_certificate *certificate)
{
    bool has = problem->n_var == certificate->n_var && !differs(problem->below, certificate->below) &&
               !differs(problem->horizon_max, certificate->horizon_max) && problem->cut.n == certificate->cut.n;
    for (int k = 0; k < problem->n_var && has; k++)
        has = strcmp(problem->var[k].name, certificate->name[k]) == 0 &&
              problem->var[k].box == certificate->box[k] && !differs(problem->var[k].lo, certificate->lo[k]) &&
              !differs(problem->var[k].hi, certificate->hi[k]);
    return has;
}

static bool check_numbers(struct arena *mem, const struct bound_problem *problem,
                          const struct bound_certificate *certificate, char *why, size_t size)
{
    struct bound_proof proof = { .margin = certificate->margin };
    int n_gram, n_free;
    bound_conditions_build(mem, problem, certificate->degree, certificate->margin, certificate->capped != 0,
                           &proof.conditions);
    count_numbers(&proof.conditions, &n_gram, &n_free);
    if (proof.conditions.too_large)
        return refuse(why, size, "its degree is too large");
    if (proof.conditions.n_y != certificate->n_y || n_gram != certificate->n_gram || n_free != certificate->n_free)
        return refuse(why, size, "it has not as many numbers as its degree needs");
    const double *gram = certificate->gram, *free_part = certificate->free;
    proof.y = arena_copy(mem, certificate->y, (size_t)certificate->n_y, sizeof *proof.y);
    proof.weights = arena_alloc(mem, (size_t)proof.conditions.n, sizeof *proof.weights);
    for (int k = 0; k < proof.conditions.n; k++)
        proof.weights[k] = unpack_one(mem, &proof.conditions.identity[k], &gram, &free_part);
    bound_measure(problem, &proof);
    if (isnan(proof.bound))
        return refuse(why, size, "its numbers prove no bound");
    if (!(fabs(proof.bound - certificate->bound) <= SAME * fmax(fabs(proof.bound), certificate->cost_scale))) {
        (void)snprintf(why, size, "its numbers prove %.12g, and it states %.12g", proof.bound, certificate->bound);
        return false;
    }
    return true;
}

bool bound_certificate_check(const struct model *model, const struct bound_certificate *certificate, char *why,
                             size_t size, struct diag *diag)
{
    struct arena mem = { NULL };
    struct bound_problem *problem = arena_alloc(&mem, 1, sizeof *problem);
    struct bound_wish wish;
    struct boxes boxes;
    bool holds = false;
    if (!is_power_of_two(certificate->cost_scale) || !(certificate->margin >= 0) || certificate->degree < 1 ||
        certificate->degree > MOST_DEGREE || !isfinite(certificate->bound))
        (void)refuse(why, size, "its scale, margin, degree or bound makes no sense");
    else if (!wish_of(model, certificate, &boxes, &wish))
        (void)refuse(why, size, "bounds are not for its problem");
    else if (bound_read(&mem, model, &wish, problem, diag) != STATUS_OK)
        (void)refuse(why, size, "bounds are not for its problem");
    else if (!has_its_boxes(problem, certificate))
        (void)refuse(why, size, "its variables, boxes or horizon are not those of the spec");
    else
        holds = check_numbers(&mem, problem, certificate, why, size);
    arena_free(&mem);
    return holds;
}
