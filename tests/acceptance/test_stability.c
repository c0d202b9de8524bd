/* The charts of SOS Figs. 2 and 3 at 40 x 40 and 1,000 random bodies: what is certified, by which level, and that
 * no motion grows there. Rows of the table begin with `|`. Expected values: stability.md 10 and closed forms. */
#include "core/stability/certify.h"
#include "core/stability/falsify.h"
#include "tests/unit/stability_bodies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { N = 40, ALL = LEVEL_P | LEVEL_E | LEVEL_M };

static const char *const feet[2] = { "foot1", "foot2" };

static bool grows(const struct body *body)
{
    const struct falsify_settings settings = falsify_defaults(1);
    struct falsify_result motion;
    struct arena mem = { NULL };
    falsify(body, &settings, &mem, &motion);
    arena_free(&mem);
    return motion.grows;
}

struct count { int certified[3], outcome[4], growing[4], n; };

/* Judges a body by each level alone, and by motions. */
static struct certify_result judge(const struct body *body, struct count *count)
{
    struct certify_result found;
    certify_body(body, feet, ALL, true, &found);
    const bool growing = grows(body);
    count->n++;
    count->outcome[found.verdict.outcome]++;
    count->growing[found.verdict.outcome] += growing;
    for (int which = 0; which < 3; which++)
        count->certified[which] += found.level_margin[which] > 0;
    assert_false(found.level && growing);                       /* the one thing that must never happen */
    for (int which = 0; which < 2; which++)                     /* P within E within M */
        if (found.level_margin[which] > 1e-4)
            assert_true(found.level_margin[which + 1] > 0);
    return found;
}

static void print_count(const char *what, const struct count *count)
{
    printf(
        "| %s: %d points, certified p %d, e %d, m %d; inconclusive %d (%d with a motion that grows), unstable %d "
        "(%d), no equilibrium %d (%d)\n",
        what, count->n, count->certified[0], count->certified[1], count->certified[2],
        count->outcome[CERTIFY_INCONCLUSIVE], count->growing[CERTIFY_INCONCLUSIVE],
        count->outcome[CERTIFY_UNSTABLE], count->growing[CERTIFY_UNSTABLE], count->outcome[CERTIFY_NO_EQUILIBRIUM],
        count->growing[CERTIFY_NO_EQUILIBRIUM]);
}

/* SOS (57), (58): ambiguous where d < tan alpha, mu1 < tan alpha - d, and nowhere else; those run away, and so
 * does a band beyond, by inverse chatter. */
static void chart_of_figure_2(void **state)
{
    (void)state;
    struct count count = { .n = 0 };
    const double edge = tan(acos(-1) / 6);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const double d = 0.05 * (i + 1), mu1 = 0.03 * (j + 1);
            const struct body body = figure_2(d, mu1);
            const struct certify_result found = judge(&body, &count);
            assert_int_equal(found.verdict.outcome == CERTIFY_UNSTABLE, d < edge && mu1 < edge - d);
        }
    print_count("Fig. 2", &count);
    assert_int_equal(count.growing[CERTIFY_UNSTABLE], count.outcome[CERTIFY_UNSTABLE]);
    assert_true(count.growing[CERTIFY_INCONCLUSIVE] > 0);
}

/* Level M certifies all of 0.4 <= d <= 2 down to the limit of equilibrium; below there is none. */
static void chart_of_figure_3(void **state)
{
    (void)state;
    struct count count = { .n = 0 };
    const double limit = tan(acos(-1) / 9);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const double d = 0.05 * (i + 1), mu = 0.3 + 0.03 * j;
            const struct body body = figure_3(d, mu);
            const struct certify_result found = judge(&body, &count);
            assert_int_equal(found.verdict.outcome == CERTIFY_NO_EQUILIBRIUM, mu < limit);
            if (d >= 0.4 && mu > limit)
                assert_true(found.level_margin[2] > 0);
        }
    print_count("Fig. 3", &count);
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void thousand_random_bodies(void **state)
{
    (void)state;
    struct count count = { .n = 0 };
    unsigned long long seed = 2024;
    while (count.n < 1000) {
        const struct body body = random_body(&seed), mirror = body_mirror(&body);
        const struct certify_result found = judge(&body, &count);
        struct certify_result seen;
        certify_body(&mirror, feet, ALL, true, &seen);
        assert_int_equal(found.verdict.outcome, seen.verdict.outcome);
        assert_true(same_bits(found.verdict.margin, seen.verdict.margin));
        for (int which = 0; which < 3; which++)
            assert_true(same_bits(found.level_margin[which], seen.level_margin[which]));
    }
    print_count("random bodies", &count);
    assert_true(count.outcome[CERTIFY_CERTIFIED] > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chart_of_figure_2),
        cmocka_unit_test(chart_of_figure_3),
        cmocka_unit_test(thousand_random_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
