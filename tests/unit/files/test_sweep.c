#define _POSIX_C_SOURCE 200809L

#include "core/sweep/claim.h"
#include "core/sweep/points.h"
#include "tests/unit/assertions.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- Points -------------------------------------------------------------------------------------------------- */

static struct sweep_points read_grid(int n, const char *const *axis)
{
    struct diag *diag = diag_create();
    struct sweep_points points;
    const struct sweep_request request = { .n_axis = n, .axis = axis };
    assert_int_equal(sweep_points_read(&request, &points, diag), STATUS_OK);
    diag_free(diag);
    return points;
}

static void a_grid_has_all_combinations_the_last_axis_fastest(void **state)
{
    (void)state;
    const char *const axis[] = { "a.b=1:2:3", "c=x,[1, 2],\"u,v\"" };
    char text[SWEEP_VALUE_SIZE];
    struct sweep_points points = read_grid(2, axis);
    assert_int_equal(points.n, 9);
    assert_int_equal(points.n_path, 2);
    assert_string_equal(points.path[0], "a.b");
    static const char *const first[] = { "1", "1.5", "2" }, *const second[] = { "x", "[1, 2]", "\"u,v\"" };
    for (int k = 0; k < 9; k++) {
        assert_string_equal(sweep_points_value(&points, k, 0, text), first[k / 3]);
        assert_string_equal(sweep_points_value(&points, k, 1, text), second[k % 3]);
    }
    sweep_points_free(&points);
}

/* Three values of 0, 1, 10 lie at 0, 0.1, 1 of their axis; a range is even. */
static void distances_are_on_the_scale_of_each_axis(void **state)
{
    (void)state;
    const char *const axis[] = { "a=0,1,10", "b=5:9:2" };
    struct sweep_points points = read_grid(2, axis);
    assert_near(sweep_points_distance(&points, 0, 2), 0.01, 1e-15);
    assert_near(sweep_points_distance(&points, 0, 4), 1, 1e-15);
    assert_near(sweep_points_distance(&points, 0, 5), 2, 1e-15);
    assert_near(sweep_points_distance(&points, 3, 3), 0, 0);
    sweep_points_free(&points);
}

static void draws_are_even_and_common_to_the_grid(void **state)
{
    (void)state;
    enum { N = 4000 };
    struct diag *diag = diag_create();
    struct spec *spec = NULL;
    struct sweep_points points;
    char text[SWEEP_VALUE_SIZE];
    double sum = 0, squares = 0;
    const char *const axis[] = { "a=1,2" }, *const perturb[] = { "parameters.mu=0.5" };
    assert_int_equal(spec_read_text("s", "parameters: {mu: {value: 2}}", 0, NULL, &spec, diag), STATUS_OK);
    const struct sweep_request request = { .n_axis = 1, .axis = axis, .n_random = N, .n_perturb = 1, .perturb = perturb,
                                           .seed = 3, .root = spec_root(spec) };
    assert_int_equal(sweep_points_read(&request, &points, diag), STATUS_OK);
    assert_int_equal(points.n, 2 * N);
    for (int k = 0; k < N; k++) {
        const double value = strtod(sweep_points_value(&points, k, 1, text), NULL);
        assert_in_range((unsigned long)(value * 1000), 1500, 2500);
        assert_near(value, strtod(sweep_points_value(&points, k + N, 1, text), NULL), 0);
        sum += value - 2;
        squares += (value - 2) * (value - 2);
    }
    /* Mean 0 and variance (2 * 0.5)^2/12, each within four of its standard errors. */
    assert_near(sum / N, 0, 4 * sqrt(1.0 / 12 / N));
    assert_near(squares / N, 1.0 / 12, 4 * sqrt(1.0 / 180 / N));
    sweep_points_free(&points);
    spec_free(spec);
    diag_free(diag);
}

static void what_is_no_grid_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = { "a", "=1:2:3", "a=", "a=1:2", "a=1:2:0", "a=1:2:3:4", "a=1,,2", "a=1:inf:3",
                                         "a=0:1:20000000" };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        struct diag *diag = diag_create();
        struct sweep_points points;
        const struct sweep_request request = { .n_axis = 1, .axis = &wrong[k] };
        if (sweep_points_read(&request, &points, diag) != STATUS_USAGE)
            fail_msg("\"%s\" was taken", wrong[k]);
        assert_int_equal(diag_n_errors(diag), 1);
        sweep_points_free(&points);
        diag_free(diag);
    }
}

/* --- Claims -------------------------------------------------------------------------------------------------- */

static char path[] = "/tmp/cocp_claim_XXXXXX";

static int name_a_file(void **state)
{
    (void)state;
    const int fd = mkstemp(path);
    return fd < 0 || close(fd) != 0 || unlink(path) != 0;
}

static void write_claim(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void a_claim_is_held_by_one_until_it_is_dropped(void **state)
{
    (void)state;
    assert_false(claim_is_held(path));
    assert_true(claim_take(path));
    assert_true(claim_is_held(path));
    assert_false(claim_take(path));
    claim_drop(path);
    assert_true(claim_take(path));
    claim_drop(path);
}

static void the_claim_of_a_dead_process_is_void(void **state)
{
    (void)state;
    const pid_t pid = fork();
    if (pid == 0)
        _exit(claim_take(path) ? 0 : 1);
    int wait_status;
    assert_int_equal(waitpid(pid, &wait_status, 0), pid);
    assert_int_equal(wait_status, 0);
    assert_int_equal(access(path, F_OK), 0);
    assert_false(claim_is_held(path));
    assert_true(claim_take(path));
    claim_drop(path);
}

/* Of another machine only the time of the file is known. */
static void the_claim_of_another_host_is_void_when_it_is_old(void **state)
{
    (void)state;
    write_claim("elsewhere.example 1 1\n");
    assert_true(claim_is_held(path));
    assert_false(claim_take(path));
    const struct timespec old[2] = { { time(NULL) - CLAIM_SECONDS - 10, 0 }, { time(NULL) - CLAIM_SECONDS - 10, 0 } };
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    assert_false(claim_is_held(path));
    claim_renew(path);
    assert_true(claim_is_held(path));
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    assert_true(claim_take(path));
    claim_drop(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_all_combinations_the_last_axis_fastest),
        cmocka_unit_test(distances_are_on_the_scale_of_each_axis),
        cmocka_unit_test(draws_are_even_and_common_to_the_grid),
        cmocka_unit_test(what_is_no_grid_is_refused),
        cmocka_unit_test(a_claim_is_held_by_one_until_it_is_dropped),
        cmocka_unit_test(the_claim_of_a_dead_process_is_void),
        cmocka_unit_test(the_claim_of_another_host_is_void_when_it_is_old),
    };
    return cmocka_run_group_tests(tests, name_a_file, NULL);
}
