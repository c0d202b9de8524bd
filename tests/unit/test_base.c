/* What all rooms use: arrays that grow, random numbers, the clock, dot products. */
#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/base/vec.h"

#include "tests/unit/assertions.h"

#include <stdlib.h>

/* --- mem_grow ------------------------------------------------------------------------------------------------ */

static void an_array_grown_one_by_one_keeps_its_elements(void **state)
{
    (void)state;
    enum { N = 1000 };
    int *list = NULL, n = 0;
    while (n < N) {
        list = mem_grow(list, n, 1, sizeof *list);
        list[n] = n * n;
        n++;
    }
    for (int k = 0; k < N; k++)
        assert_int_equal(list[k], k * k);
    free(list);
}

/* Room is added 8, 16, 32, ... elements at a time: in between the array stays where it is. */
static void an_array_moves_at_powers_of_two_alone(void **state)
{
    (void)state;
    char *list = NULL;
    int n_full = 0;
    for (int n = 0; n < 100; n++) {
        char *grown = mem_grow(list, n, 1, 1);
        const int is_full = n == 0 || n == 8 || n == 16 || n == 32 || n == 64;
        if (!is_full)
            assert_ptr_equal(grown, list);
        n_full += is_full;
        list = grown;
    }
    assert_int_equal(n_full, 5);
    free(list);
}

/* The sanitizer build sees a write beyond the room there is. */
static void many_elements_at_once_have_room(void **state)
{
    (void)state;
    double *list = NULL;
    int n = 0;
    for (int more = 0; more < 40; more += 7) {
        list = mem_grow(list, n, more, sizeof *list);
        for (int k = 0; k < more; k++)
            list[n++] = more;
    }
    assert_int_equal(n, 0 + 7 + 14 + 21 + 28 + 35);
    assert_true(list[0] == 7 && list[7] == 14 && list[n - 1] == 35);
    free(list);
}

static void elements_of_no_size_are_an_array_too(void **state)
{
    (void)state;
    void *list = mem_grow(NULL, 0, 1, 0);
    assert_non_null(list);
    free(mem_grow(list, 8, 1, 0));
}

/* --- Random numbers ------------------------------------------------------------------------------------------ */

/* The first numbers of SplitMix64 from 1234567, as its implementations in other languages print them. */
static void the_sequence_is_that_of_splitmix64(void **state)
{
    (void)state;
    static const uint64_t want[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                    4593380528125082431u, 16408922859458223821u};
    uint64_t counter = 1234567;
    for (size_t k = 0; k < sizeof want / sizeof *want; k++)
        assert_true(random_next(&counter) == want[k]);
    assert_true(random_mix(1234567) == want[0]);
}

static void ends_of_the_ranges(void **state)
{
    (void)state;
    assert_true(random_unit(0) == 0 && random_unit(UINT64_MAX) == 1 - 0x1p-53);
    assert_true(random_signed(0) == -1 && random_signed(UINT64_MAX) == 1 - 0x1p-52);
    assert_true(random_signed(UINT64_C(1) << 63) == 0);
}

/* Mean 0, variance 1/3; of n = 2^16 numbers the standard errors are 0.0023 and 0.0012: five of them are allowed.
 */
static void signed_numbers_are_even(void **state)
{
    (void)state;
    enum { N = 1 << 16 };
    uint64_t counter = 1;
    double mean = 0, square = 0;
    for (int k = 0; k < N; k++) {
        const double x = random_signed(random_next(&counter));
        mean += x / N;
        square += x * x / N;
    }
    assert_near(mean, 0, 0.012);
    assert_near(square, 1.0 / 3, 0.006);
}

/* --- The rest ------------------------------------------------------------------------------------------------ */

static void the_clock_never_goes_back(void **state)
{
    (void)state;
    const double start = clock_seconds();
    double last = start;
    for (int k = 0; k < 1000; k++) {
        const double now = clock_seconds();
        assert_true(now >= last);
        last = now;
    }
    assert_true(last - start < 60);
}

static void dot_products(void **state)
{
    (void)state;
    const double a[] = {1, 2, 3}, b[] = {4, -5, 6};
    assert_near(vec_dot(3, a, b), 12, 0);
    assert_near(vec_dot(0, a, b), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_grown_one_by_one_keeps_its_elements),
        cmocka_unit_test(an_array_moves_at_powers_of_two_alone),
        cmocka_unit_test(many_elements_at_once_have_room),
        cmocka_unit_test(elements_of_no_size_are_an_array_too),
        cmocka_unit_test(the_sequence_is_that_of_splitmix64),
        cmocka_unit_test(ends_of_the_ranges),
        cmocka_unit_test(signed_numbers_are_even),
        cmocka_unit_test(the_clock_never_goes_back),
        cmocka_unit_test(dot_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
