/* Switches of controls, of a /grid written by hand. */
#include "core/results/switches.h"

#include "tests/unit/assertions.h"

#include <math.h>
#include <string.h>

/* Six intervals of 0.5 s, of which the fourth one has no length; u takes two values, w any, v never switches. */
static struct result *written(void)
{
    struct result *result = result_create();
    struct result_group *grid = result_group(result, "/grid");
    const int element = result_axis(grid, "element", 1, NULL, NULL, NULL);
    const int interval = result_axis(grid, "interval", 6, NULL, NULL, NULL);
    const int control = result_axis(grid, "control", 3, NULL, NULL, NULL), axes[2] = { interval, control };
    const double end = 2.5, t[6] = { 0, 0.5, 1, 1.5, 1.5, 2 };
    const double u[6][3] = { { 1, 0.1, 4 }, { 1, 0.2, 4 }, { 0, 0.3, 4 }, { 1, 0.4, 4 }, { 0, 0.5, 4 }, { 1, 0.6, 4 } };
    const unsigned char few[3] = { 1, 0, 1 };
    const char *const name[] = { "u", "w", "v" };
    result_doubles(grid, "t_end", 1, &element, &end, "s", NULL, NULL);
    result_doubles(grid, "t_interval", 1, &interval, t, "s", NULL, NULL);
    result_doubles(grid, "u", 2, axes, u[0], NULL, NULL, NULL);
    result_texts(grid, "control", 1, &control, name, NULL);
    result_values(grid, "few_values", RESULT_FLAG, 1, &control, few, NULL, NULL, NULL);
    return result;
}

static void switches_have_times(void **state)
{
    (void)state;
    struct result *result = written();
    struct arena mem = { NULL };
    struct control_switch *list;
    assert_int_equal(control_switches(result, &mem, &list), 4);
    assert_true(isnan(list[0].from) && isnan(list[1].from));
    assert_string_equal(list[1].control, "v");
    assert_string_equal(list[2].control, "u");
    assert_near(list[2].t, 1, 0);
    assert_near(list[2].from, 1, 0);
    assert_near(list[2].to, 0, 0);
    assert_near(list[3].t, 2, 0);           /* what has no length, at 1.5 s, is no switch */
    assert_near(list[3].to, 1, 0);
    arena_free(&mem);
    result_free(result);
}

static void stories_tell_them(void **state)
{
    (void)state;
    struct result *result = written(), *empty = result_create();
    struct arena mem = { NULL };
    const char **line;
    assert_int_equal(control_stories(result, "s", &mem, &line), 2);
    assert_string_equal(line[0], "u: 1, 0 from 1 s on, 1 from 2 s on");
    assert_string_equal(line[1], "v: 4");
    assert_int_equal(control_stories(empty, "s", &mem, &line), 0);
    arena_free(&mem);
    result_free(result);
    result_free(empty);
}

/* Of 39 switches seven and three are told: the first value and six, and the last three. */
static void long_stories_are_cut(void **state)
{
    (void)state;
    enum { N = 40 };
    struct result *result = result_create();
    struct result_group *grid = result_group(result, "/grid");
    const int element = result_axis(grid, "element", 1, NULL, NULL, NULL);
    const int interval = result_axis(grid, "interval", N, NULL, NULL, NULL);
    const int control = result_axis(grid, "control", 1, NULL, NULL, NULL), axes[2] = { interval, control };
    const double end = N;
    const unsigned char few = 1;
    const char *const name[] = { "u" };
    double t[N], u[N];
    for (int i = 0; i < N; i++) {
        t[i] = i;
        u[i] = i % 2;
    }
    result_doubles(grid, "t_end", 1, &element, &end, "s", NULL, NULL);
    result_doubles(grid, "t_interval", 1, &interval, t, "s", NULL, NULL);
    result_doubles(grid, "u", 2, axes, u, NULL, NULL, NULL);
    result_texts(grid, "control", 1, &control, name, NULL);
    result_values(grid, "few_values", RESULT_FLAG, 1, &control, &few, NULL, NULL, NULL);
    struct arena mem = { NULL };
    const char **line;
    assert_int_equal(control_stories(result, "s", &mem, &line), 1);
    assert_string_equal(line[0], "u: 0, 1 from 1 s on, 0 from 2 s on, 1 from 3 s on, 0 from 4 s on, 1 from 5 s on, 0 from 6 s on, "
                                 "... 30 more ..., 1 from 37 s on, 0 from 38 s on, 1 from 39 s on");
    arena_free(&mem);
    result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_have_times),
        cmocka_unit_test(stories_tell_them),
        cmocka_unit_test(long_stories_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
