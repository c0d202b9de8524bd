/* test_starts.c - starts and stays of controls with values: against all orders of ten intervals, one by one */
#include "tests/unit/assertions.h"
#include "tests/unit/read_spec.h"

#include "core/model/starts.h"
#include "transcription/finish/admissible.h"

enum { N = 10 };

struct problem { struct diag *diag; struct spec *spec; struct model *model; };

/* Ten intervals of 1 s. */
static struct problem problem_with(const char *keys)
{
    char text[400];
    struct problem problem = { .diag = diag_create() };
    (void)snprintf(text, sizeof text, "cocp: 1\ntime: {horizon: 10, intervals: 10}\nstates: {x: {initial: 0}}\n"
                   "controls: {u: {values: [2, 5], %s}}\ndynamics: {type: ode, rhs: {x: u}}\n", keys);
    read_spec(text, MODEL_FOR_SOLVE, problem.diag, &problem.spec, &problem.model);
    return problem;
}

static void problem_free(struct problem *problem)
{
    model_free(problem->model);
    spec_free(problem->spec);
    diag_free(problem->diag);
}

/* The order as bits, in the values of the control. */
static void values_of(int order, double *value)
{
    for (int i = 0; i < N; i++)
        value[i] = order >> i & 1 ? 5 : 2;
}

/* Interval by interval, as the words of the spec say: no whole stay is shorter, no more starts than `most`. */
static bool is_allowed(int order, int min_on, int min_off, int most, bool on_before)
{
    int starts = 0, length = 100;
    bool on = on_before;
    for (int i = 0; i < N; i++) {
        const bool next = order >> i & 1;
        if (next != on && length < (on ? min_on : min_off))
            return false;
        length = next == on ? length + 1 : 1;
        starts += next && !on;
        on = next;
    }
    return most < 0 || starts <= most;
}

static const struct { const char *keys; int min_on, min_off, most; bool on_before; } cases[] = {
    { "start_cost: 1", 1, 1, -1, false },
    { "min_on: 3, min_off: 2", 3, 2, -1, false },
    { "min_on: 2.5, min_off: 0.3, most: 2", 3, 1, 2, false },
    { "min_off: 4, initial: 5", 1, 4, -1, true },
    { "most: 1, initial: 5", 1, 1, 1, true },
};

/* On from 2 s to 4 s and from 9 s on: two starts; the second stay off is whole, those at both ends are not. */
static void starts_are_counted(void **state)
{
    (void)state;
    struct problem problem = problem_with("start_cost: 7");
    struct starts_stay stay[N];
    double value[N];
    values_of(1 << 2 | 1 << 3 | 1 << 9, value);
    assert_int_equal(starts_count(problem.model, 0, N, value), 2);
    assert_near(starts_cost(problem.model, N, value), 14, 0);
    assert_int_equal(starts_stays(problem.model, 0, N, value, stay), 4);
    assert_true(!stay[0].is_whole && stay[1].is_whole && stay[2].is_whole && !stay[3].is_whole);
    assert_true(stay[1].is_on && stay[1].first == 2 && stay[1].end == 4 && !stay[2].is_on && stay[2].end == 9);
    problem_free(&problem);
}

/* Being on at once is a start, and its stay a whole one, but where it was on before. */
static void what_was_before_the_horizon_counts(void **state)
{
    (void)state;
    struct starts_stay stay[N];
    double value[N];
    values_of(1, value);
    for (int on_before = 0; on_before <= 1; on_before++) {
        struct problem problem = problem_with(on_before ? "min_on: 3, initial: 5" : "min_on: 3");
        assert_int_equal(starts_count(problem.model, 0, N, value), 1 - on_before);
        assert_int_equal(starts_stays(problem.model, 0, N, value, stay), 2);
        assert_true(stay[0].is_whole == !on_before);
        problem_free(&problem);
    }
}

/* What is left for each interval is what some allowed order has there, with two intervals given. */
static void what_no_order_has_is_taken_away(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct problem problem = problem_with(cases[c].keys);
        for (int given = 0; given < 4; given++) {
            unsigned char may[N], want[N] = { 0 };
            bool any = false;
            memset(may, MAY_BE_OFF | MAY_BE_ON, N);
            may[3] = given & 1 ? MAY_BE_ON : MAY_BE_OFF;
            may[6] = given & 2 ? MAY_BE_ON : MAY_BE_OFF;
            for (int order = 0; order < 1 << N; order++) {
                if (!is_allowed(order, cases[c].min_on, cases[c].min_off, cases[c].most, cases[c].on_before)
                    || (order >> 3 & 1) != (given & 1) || (order >> 6 & 1) != given >> 1)
                    continue;
                any = true;
                for (int i = 0; i < N; i++)
                    want[i] = (unsigned char)(want[i] | (order >> i & 1 ? MAY_BE_ON : MAY_BE_OFF));
            }
            assert_int_equal(admissible_narrow(problem.model, 0, may), any);
            if (any)
                assert_memory_equal(may, want, N);
        }
        problem_free(&problem);
    }
}

/* The rounded order is allowed, within what it may be; where the control is one already it stays. */
static void rounded_orders_are_allowed(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct problem problem = problem_with(cases[c].keys);
        double u[N], value[N];
        unsigned char may[N];
        memset(may, MAY_BE_OFF | MAY_BE_ON, N);
        for (int i = 0; i < N; i++)
            u[i] = 3.5 + 1.5 * sin(2.1 * i);
        assert_true(admissible_round(problem.model, 0, may, u, value));
        int rounded = 0;
        for (int i = 0; i < N; i++)
            rounded |= (value[i] == 5) << i;
        assert_true(is_allowed(rounded, cases[c].min_on, cases[c].min_off, cases[c].most, cases[c].on_before));
        for (int order = 0; order < 1 << N; order++) {
            if (!is_allowed(order, cases[c].min_on, cases[c].min_off, cases[c].most, cases[c].on_before))
                continue;
            values_of(order, u);
            assert_true(admissible_round(problem.model, 0, may, u, value));
            assert_memory_equal(value, u, sizeof u);
        }
        problem_free(&problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(starts_are_counted), cmocka_unit_test(what_was_before_the_horizon_counts),
                                        cmocka_unit_test(what_no_order_has_is_taken_away),
                                        cmocka_unit_test(rounded_orders_are_allowed) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
