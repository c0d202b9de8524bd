#include "core/stability/polynomial_function.h"

#include "core/sos/proof.h"
#include "core/stability/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The least that is proved of all conditions: how far below 0 one may be. */
static void measure(struct arena *mem, const struct polynomial_conditions *conditions,
                    const struct sos_answer *answer, struct polynomial_result *out)
{
    out->slack = 0;
    for (int c = 0; c < conditions->n && !isnan(out->slack); c++) {
        struct sos_proof proof;
        sos_round(&conditions->identity[c], answer->y, &answer->weights[c]);
        sos_measure(mem, &conditions->identity[c], answer->y, &answer->weights[c], conditions->condition[c].box,
                    &proof);
        if (-proof.at_least <= out->slack)
            continue;
        out->slack = -proof.at_least;
        memcpy(out->worst, conditions->condition[c].name, sizeof out->worst);
    }
}

void polynomial_solve(const struct zod *zod, enum polynomial_test test, int degree, struct polynomial_result *out)
{
    struct arena mem = { NULL };
    struct polynomial_conditions conditions;
    struct sos_answer answer;
    polynomial_conditions_build(&mem, zod, test, degree, &conditions);
    const struct sos_program program = { conditions.n_unknown, conditions.n,
                                         arena_alloc(&mem, (size_t)conditions.n_unknown, sizeof(double)),
                                         conditions.identity };
    *out = (struct polynomial_result){ .degree = degree, .n_unknown = conditions.n_unknown, .n_condition = conditions.n,
                                       .slack = NAN };
    out->found = sos_solve(&mem, &program, &answer);
    out->code = answer.code;
    out->n_equation = answer.n_equation;
    if (answer.y) {
        memcpy(out->monomial, conditions.monomial, (size_t)conditions.n_unknown * sizeof *out->monomial);
        memcpy(out->coefficient, answer.y, (size_t)conditions.n_unknown * sizeof *out->coefficient);
        measure(&mem, &conditions, &answer, out);
    }
    arena_free(&mem);
}

static double coefficient_of(const struct polynomial_result *found, uint64_t monomial)
{
    for (int k = 0; k < found->n_unknown; k++)
        if (found->monomial[k] == monomial)
            return found->coefficient[k];
    return 0;
}

/* The part of weight 2, as the parameters of level P (conditions.h), the largest 1. */
static void weight_two(const struct polynomial_result *found, double p[9])
{
    double largest = 1;
    int next = 3;
    p[0] = 1;
    for (int i = 0; i < 2; i++)
        p[1 + i] = coefficient_of(found, monomial_power(1 + i, 1));
    for (int col = 0; col < 3; col++)
        for (int row = col; row < 3; row++)
            p[next++] = (row == col ? 1 : 0.5)
                        * coefficient_of(found, monomial_power(3 + row, 1) + monomial_power(3 + col, 1));
    for (int q = 0; q < 9; q++)
        largest = fmax(largest, fabs(p[q]));
    for (int q = 0; q < 9; q++)
        p[q] /= largest;
}

bool polynomial_prove(const struct zod *zod, const struct polynomial_result *found, struct certificate_side *out)
{
    double p[LEVEL_MAX_P] = { 0 };
    struct program_info info;
    if (isnan(found->slack))
        return false;
    weight_two(found, p);
    return program_solve_near(zod, LEVEL_P, p, POLYNOMIAL_NEAR, out, &info);
}

void polynomial_monomial_text(uint64_t monomial, char *text, size_t size)
{
    static const char *const name[] = { "X", "gap_1", "gap_2", "v_y", "v_z", "v_theta" };
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < 6; k++) {
        const int e = monomial_exponent(monomial, k);
        if (e > 0 && used < size)
            used += (size_t)snprintf(text + used, size - used, e > 1 ? "%s%s^%d" : "%s%s", used ? " " : "", name[k], e);
    }
}
