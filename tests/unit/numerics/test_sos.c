/* Sums of squares with known answers, and what of them is proved. */
#include "core/sos/proof.h"

#include "tests/unit/assertions.h"

#include <math.h>

enum { X = 1, XY = 3, XYZ = 7 };                /* bits of the variables */

static uint64_t at(int i, int j)
{
    return monomial_power(0, i) + monomial_power(1, j);
}

/* sum of c[k] x^i[k] y^j[k] */
static struct poly from_table(struct arena *mem, int n, const double (*row)[3])
{
    struct poly sum = { 0 };
    for (int k = 0; k < n; k++)
        sum = poly_add(mem, sum, 1, poly_monomial(mem, at((int)row[k][1], (int)row[k][2]), row[k][0]));
    return sum;
}

static struct poly motzkin(struct arena *mem)
{
    return from_table(mem, 4, (const double[][3]){ { 1, 4, 2 }, { 1, 2, 4 }, { -3, 2, 2 }, { 1, 0, 0 } });
}

static struct poly robinson(struct arena *mem)
{
    return from_table(mem, 10, (const double[][3]){ { 1, 6, 0 }, { 1, 0, 6 }, { 1, 0, 0 }, { -1, 4, 2 }, { -1, 4, 0 },
                                                    { -1, 2, 4 }, { -1, 2, 0 }, { -1, 0, 4 }, { -1, 0, 2 },
                                                    { 3, 2, 2 } });
}

/* max y with p - y a sum of squares on the region: y, what is proved of p - y, and the code. */
struct least { double y, at_least; int code; };

static struct sos_identity below(struct arena *mem, struct poly p, int n_region, const struct poly *region, int n_zero,
                                 const struct poly *zero, unsigned variables, int degree)
{
    struct sos_part *part = arena_alloc(mem, 1, sizeof *part);
    part->poly = poly_constant(mem, -1);
    return sos_nonnegative(mem, (struct sos_affine){ p, 1, part }, n_region, region, n_zero, zero, variables, degree);
}

static struct least minimum(struct poly p, int n_region, const struct poly *region, int n_zero, const struct poly *zero,
                            unsigned variables, int degree)
{
    static const struct interval box[3] = { { -1, 1 }, { -1, 1 }, { -1, 1 } };
    struct arena mem = { NULL };
    const struct sos_identity identity = below(&mem, p, n_region, region, n_zero, zero, variables, degree);
    const struct sos_program program = { 1, 1, (const double[]){ 1 }, &identity };
    struct sos_answer answer;
    struct sos_proof proof;
    struct least out = { NAN, NAN, 0 };
    if (sos_solve(&mem, &program, &answer)) {
        sos_round(&identity, answer.y, &answer.weights[0]);
        sos_measure(&mem, &identity, answer.y, &answer.weights[0], box, &proof);
        out.y = answer.y[0];
        out.at_least = proof.at_least;
    }
    out.code = answer.code;
    arena_free(&mem);
    return out;
}

/* Is p a sum of squares? */
static int code_of(struct arena *mem, struct poly p, unsigned variables)
{
    const struct sos_identity identity = sos_nonnegative(mem, (struct sos_affine){ .constant = p }, 0, NULL, 0, NULL,
                                                         variables, poly_degree(p));
    const struct sos_program program = { 0, 1, NULL, &identity };
    struct sos_answer answer;
    (void)sos_solve(mem, &program, &answer);
    return answer.code;
}

/* --- Polynomials --------------------------------------------------------------------------------------------- */

static void polynomials_obey_their_rules(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct poly x = poly_monomial(&mem, at(1, 0), 1), y = poly_monomial(&mem, at(0, 1), 1);
    const struct poly sum = poly_add(&mem, x, 2, y), square = poly_mul(&mem, sum, sum);       /* x^2 + 4 x y + 4 y^2 */
    assert_int_equal(square.n, 3);
    assert_near(poly_coefficient(square, at(1, 1)), 4, 0);
    assert_near(poly_coefficient(poly_derivative(&mem, square, 1), at(0, 1)), 8, 0);
    assert_int_equal(poly_add(&mem, square, -1, square).n, 0);
    const struct poly with[2] = { poly_add(&mem, x, -2, y), y };                            /* x -> x - 2 y: x^2 is left */
    const struct poly shifted = poly_substitute(&mem, square, 2, with);
    assert_int_equal(shifted.n, 1);
    assert_near(poly_coefficient(shifted, at(2, 0)), 1, 0);
    assert_near(poly_eval(square, (const double[]){ 3, -0.5 }), 4, 0);
    uint64_t *basis;
    assert_int_equal(monomial_basis(&mem, XYZ, 3, &basis), 20);                             /* 6 over 3 */
    assert_int_equal(monomial_basis(&mem, 5, 2, &basis), 6);
    assert_true(basis[5] == monomial_power(2, 2));
    arena_free(&mem);
}

/* x^2 - x on [0, 1] lies in [-1, 1] term by term; even powers of what goes through 0 are not negative. */
static void ranges_contain_values(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct poly p = from_table(&mem, 2, (const double[][3]){ { 1, 2, 0 }, { -1, 1, 0 } });
    const struct interval range = poly_range(p, (const struct interval[]){ { 0, 1 } });
    assert_true(range.lo <= -1 && range.lo > -1 - 1e-12 && range.hi >= 1 && range.hi < 1 + 1e-12);
    const struct interval cube = interval_power((struct interval){ -2, 1 }, 3);
    const struct interval sixth = interval_power((struct interval){ -2, 1 }, 6);
    assert_true(cube.lo <= -8 && cube.hi >= 1 && sixth.lo >= 0 && sixth.hi >= 64);
    arena_free(&mem);
}

/* --- Closed forms -------------------------------------------------------------------------------------------- */

/* x^4 - 3 x^2 + 1 = (x^2 - 3/2)^2 - 5/4 */
static void a_quartic_has_its_minimum(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct poly p = from_table(&mem, 3, (const double[][3]){ { 1, 4, 0 }, { -3, 2, 0 }, { 1, 0, 0 } });
    const struct least found = minimum(p, 0, NULL, 0, NULL, X, 4);
    assert_near(found.y, -1.25, 1e-6);
    assert_true(found.at_least > -1e-6 && found.y + found.at_least <= -1.25);
    arena_free(&mem);
}

/* Nonnegative, and no sums of squares (Motzkin 1967, Robinson 1969); times x^2 + y^2 + 1 they are. */
static void motzkin_and_robinson_need_a_multiplier(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct poly times = from_table(&mem, 3, (const double[][3]){ { 1, 2, 0 }, { 1, 0, 2 }, { 1, 0, 0 } });
    const struct poly p[2] = { motzkin(&mem), robinson(&mem) };
    for (int k = 0; k < 2; k++) {
        assert_int_equal(code_of(&mem, p[k], XY), 1);
        const int code = code_of(&mem, poly_mul(&mem, times, p[k]), XY);
        assert_true(code == 0 || code == 3);
    }
    arena_free(&mem);
}

/* x^3 - x on [-1, 1] has its minimum -2/(3 sqrt 3) at 1/sqrt 3; x y on the square has -1. */
static void putinars_multipliers_know_a_box(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct poly region[2] = { from_table(&mem, 2, (const double[][3]){ { 1, 0, 0 }, { -1, 2, 0 } }),
                                    from_table(&mem, 2, (const double[][3]){ { 1, 0, 0 }, { -1, 0, 2 } }) };
    const struct poly cubic = from_table(&mem, 2, (const double[][3]){ { 1, 3, 0 }, { -1, 1, 0 } });
    const struct least one = minimum(cubic, 1, region, 0, NULL, X, 4);
    assert_near(one.y, -2 / (3 * sqrt(3)), 1e-6);
    assert_true(one.at_least > -1e-5 && one.y + one.at_least <= -2 / (3 * sqrt(3)));
    const struct least two = minimum(poly_monomial(&mem, at(1, 1), 1), 2, region, 0, NULL, XY, 4);
    assert_near(two.y, -1, 1e-6);
    assert_true(two.at_least > -1e-5 && two.y + two.at_least <= -1);
    arena_free(&mem);
}

/* x + y on the unit circle is -sqrt 2 or more: a free polynomial times x^2 + y^2 - 1. */
static void equations_take_free_polynomials(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct poly p = from_table(&mem, 2, (const double[][3]){ { 1, 1, 0 }, { 1, 0, 1 } });
    const struct poly zero = from_table(&mem, 3, (const double[][3]){ { 1, 2, 0 }, { 1, 0, 2 }, { -1, 0, 0 } });
    const struct least found = minimum(p, 0, NULL, 1, &zero, XY, 2);
    assert_near(found.y, -sqrt(2), 1e-6);
    assert_true(found.at_least > -1e-5 && found.y + found.at_least <= -sqrt(2));
    arena_free(&mem);
}

/* x cannot be bounded from below by a sum of squares, and 0 = 1 has no solution. */
static void what_has_no_answer_says_so(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct poly x = poly_monomial(&mem, at(1, 0), 1);
    assert_true(isnan(minimum(x, 0, NULL, 0, NULL, X, 2).y));
    assert_int_equal(code_of(&mem, poly_constant(&mem, -1), 0), 1);
    const struct sos_identity no_squares = { .p = { .constant = x } };
    const struct sos_program program = { 0, 1, NULL, &no_squares };
    struct sos_answer answer;
    assert_false(sos_solve(&mem, &program, &answer));
    assert_int_equal(answer.code, -1);
    arena_free(&mem);
}

/* --- Proofs -------------------------------------------------------------------------------------------------- */

/* The second difference matrix has the least eigenvalue 2 - 2 cos(pi/(n + 1)): the bound is below, and close. */
static void eigenvalues_are_bounded_from_below(void **state)
{
    (void)state;
    enum { N = 30 };
    double A[N * N] = { 0 };
    for (int i = 0; i < N; i++) {
        A[i + N * i] = 2;
        if (i > 0)
            A[i + N * (i - 1)] = A[i - 1 + N * i] = -1;
    }
    const double exact = 2 - 2 * cos(acos(-1) / (N + 1)), bound = sos_least_eigenvalue(N, A);
    assert_true(bound <= exact && bound > exact - 1e-11);
    A[1] += 1e-15;
    assert_true(isnan(sos_least_eigenvalue(N, A)));             /* not symmetric */
}

/* 2 x^2 + 2 x + 1 = [1 x] [1 1; 1 2] [1 x]': global, by the eigenvalue (3 - sqrt 5)/2. */
static void a_strict_sum_of_squares_needs_no_box(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct poly p = from_table(&mem, 3, (const double[][3]){ { 2, 2, 0 }, { 2, 1, 0 }, { 1, 0, 0 } });
    const struct sos_identity identity = sos_nonnegative(&mem, (struct sos_affine){ .constant = p }, 0, NULL, 0, NULL, X, 2);
    const struct interval everywhere = { -INFINITY, INFINITY };
    double G[4] = { 1, 1, 1, 2 }, *gram = G;
    struct sos_weights weights = { &gram, NULL };
    struct sos_proof proof;
    sos_measure(&mem, &identity, NULL, &weights, &everywhere, &proof);
    assert_near(proof.at_least, (3 - sqrt(5)) / 2, 1e-12);
    G[3] = 2 + 1e-3;                                            /* a wrong one proves less, by its remainder */
    sos_measure(&mem, &identity, NULL, &weights, &everywhere, &proof);
    assert_true(proof.at_least < (3 - sqrt(5)) / 2 - 5e-4 && proof.at_least > 0.3);
    G[3] = 0.5;                                                 /* not definite: nothing without a box */
    sos_measure(&mem, &identity, NULL, &weights, &everywhere, &proof);
    assert_false(proof.at_least > -1e300);
    arena_free(&mem);
}

static bool passes(const struct sos_identity *identity, const struct sos_answer *answer, const struct sos_proof *proof)
{
    static const struct interval box[2] = { { -1, 1 }, { -1, 1 } };
    char why[120];
    return sos_check(identity, answer->y, &answer->weights[0], box, proof, why, sizeof why);
}

static void refuses_any_other(double *number, int n, const struct sos_identity *identity, const struct sos_answer *answer,
                              const struct sos_proof *proof)
{
    for (int k = 0; k < n; k++) {
        const double was = number[k];
        number[k] += 1e-6 * fmax(1, fabs(was));
        assert_false(passes(identity, answer, proof));
        number[k] = NAN;
        assert_false(passes(identity, answer, proof));
        number[k] = was;
    }
}

/* x y on a square with a free polynomial times 0 = x^2 - y^2, too: every number of the proof, off by a millionth. */
static void every_number_of_a_proof_counts(void **state)
{
    (void)state;
    static const struct interval box[2] = { { -1, 1 }, { -1, 1 } };
    struct arena mem = { NULL };
    const struct poly region[2] = { from_table(&mem, 2, (const double[][3]){ { 1, 0, 0 }, { -1, 2, 0 } }),
                                    from_table(&mem, 2, (const double[][3]){ { 1, 0, 0 }, { -1, 0, 2 } }) };
    const struct poly zero = from_table(&mem, 2, (const double[][3]){ { 1, 2, 0 }, { -1, 0, 2 } });
    const struct sos_identity identity = below(&mem, poly_monomial(&mem, at(1, 1), 1), 2, region, 1, &zero, XY, 4);
    const struct sos_program program = { 1, 1, (const double[]){ 1 }, &identity };
    struct sos_answer answer;
    struct sos_proof proof;
    assert_true(sos_solve(&mem, &program, &answer));
    sos_round(&identity, answer.y, &answer.weights[0]);
    sos_measure(&mem, &identity, answer.y, &answer.weights[0], box, &proof);
    assert_true(answer.y[0] + proof.at_least > -1 - 1e-5);
    assert_true(passes(&identity, &answer, &proof));
    refuses_any_other(answer.y, 1, &identity, &answer, &proof);
    for (int j = 0; j < identity.n_gram; j++)
        refuses_any_other(answer.weights[0].gram[j], identity.gram[j].n * identity.gram[j].n, &identity, &answer, &proof);
    refuses_any_other(answer.weights[0].free[0], identity.free[0].n, &identity, &answer, &proof);
    refuses_any_other(&proof.at_least, 1, &identity, &answer, &proof);
    refuses_any_other(&proof.remainder, 1, &identity, &answer, &proof);
    refuses_any_other(proof.least, identity.n_gram, &identity, &answer, &proof);
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials_obey_their_rules),
        cmocka_unit_test(ranges_contain_values),
        cmocka_unit_test(a_quartic_has_its_minimum),
        cmocka_unit_test(motzkin_and_robinson_need_a_multiplier),
        cmocka_unit_test(putinars_multipliers_know_a_box),
        cmocka_unit_test(equations_take_free_polynomials),
        cmocka_unit_test(what_has_no_answer_says_so),
        cmocka_unit_test(eigenvalues_are_bounded_from_below),
        cmocka_unit_test(a_strict_sum_of_squares_needs_no_box),
        cmocka_unit_test(every_number_of_a_proof_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
