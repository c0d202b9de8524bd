/* Random and Sobol' numbers for samples. */
#include "core/base/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <cmocka.h>

/* Mean 1/2, variance 1/12, no correlation between neighbouring samples, places and seeds. Of n = 2^16 numbers the
 * standard error of the mean is 0.0011, that of a correlation 0.004: five of them are allowed. */
static void random_numbers_look_random(void **unused)
{
    (void)unused;
    enum { N = 1 << 16 };
    double mean = 0, square = 0, next[3] = { 0 };
    for (uint64_t k = 0; k < N; k++) {
        const double x = draw_random(1, k, 3) - 0.5;
        assert_true(x > -0.5 && x < 0.5);
        mean += x / N;
        square += x * x / N;
        next[0] += x * (draw_random(1, k + 1, 3) - 0.5) * 12 / N;
        next[1] += x * (draw_random(1, k, 4) - 0.5) * 12 / N;
        next[2] += x * (draw_random(2, k, 3) - 0.5) * 12 / N;
    }
    assert_true(fabs(mean) < 0.0055);
    assert_true(fabs(square - 1.0 / 12) < 0.0015);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(next[k]) < 0.02);
}

/* Of the first 2^k points, each interval of length 2^-k holds one: a digital (0, 1)-sequence in each coordinate,
 * whatever the shift. */
static void each_coordinate_fills_intervals(void **unused)
{
    (void)unused;
    enum { N = 1 << 10 };
    struct draw_sobol sobol;
    draw_sobol_init(&sobol, 42);
    for (uint64_t d = 0; d < DRAW_SOBOL_DIM; d++) {
        bool seen[N] = { false };
        for (uint64_t k = 0; k < N; k++) {
            const int cell = (int)(N * draw_sobol(&sobol, k, d));
            assert_false(seen[cell]);
            seen[cell] = true;
        }
    }
}

/* Sobol's Property A: of the first 2^d points each of the 2^d halves of the d-dimensional cube holds one. It means
 * that the leading bits of the first d direction numbers are a nonsingular matrix over {0, 1}; Joe and Kuo's
 * numbers have it in all dimensions up to 1111. */
static void numbers_have_property_a(void **unused)
{
    (void)unused;
    struct draw_sobol sobol;
    draw_sobol_init(&sobol, 0);
    for (int dim = 1; dim <= DRAW_SOBOL_DIM; dim++) {
        uint32_t row[DRAW_SOBOL_DIM];
        for (int d = 0; d < dim; d++) {
            row[d] = 0;
            for (int b = 0; b < dim; b++)
                row[d] |= sobol.direction[d][b] >> 31 << b;
        }
        for (int b = 0; b < dim; b++) {
            int pivot = b;
            while (pivot < dim && !(row[pivot] >> b & 1))
                pivot++;
            assert_true(pivot < dim);
            const uint32_t found = row[pivot];
            row[pivot] = row[b];
            row[b] = found;
            for (int d = b + 1; d < dim; d++)
                if (row[d] >> b & 1)
                    row[d] ^= found;
        }
    }
}

/* The mean of the product of 6 coordinates is 2^-6: with 2^14 points the error of random numbers is about
 * sqrt((4/3)^6 - 1) 2^-6 / 2^7 = 2.6e-4; that of Sobol' points must be a tenth of it. */
static void sobol_points_integrate_better(void **unused)
{
    (void)unused;
    enum { N = 1 << 14 };
    struct draw_sobol sobol;
    double mean = 0;
    draw_sobol_init(&sobol, 7);
    for (uint64_t k = 0; k < N; k++) {
        double product = 1;
        for (uint64_t d = 2; d < 8; d++)
            product *= draw_sobol(&sobol, k, d);
        mean += product / N;
    }
    assert_true(fabs(mean - 1.0 / 64) < 2.6e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_numbers_look_random),
        cmocka_unit_test(each_coordinate_fills_intervals),
        cmocka_unit_test(numbers_have_property_a),
        cmocka_unit_test(sobol_points_integrate_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
