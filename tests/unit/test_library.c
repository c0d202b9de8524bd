/* library/cocp.h, as another program would call it. */
#define _POSIX_C_SOURCE 200809L          /* mkstemp */

#include "library/cocp.h"

#include "tests/unit/assertions.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block of m kg is pushed 1 m from rest to rest in 1 s: the least effort is 12 m^2. */
static const char *const block = "cocp: 1\nname: block\nparameters: {m: 1}\ntime: {horizon: 1, intervals: 10}\n"
                                 "states: {x: {initial: 0, final: 1}, v: {initial: 0, final: 0}}\ncontrols: {u: {}}\n"
                                 "dynamics: {type: ode, rhs: {x: v, v: u/m}}\ncost: {running: {effort: u^2}}\n";

static struct cocp_run *run(const char *command, const char *setting, const struct cocp_call *call)
{
    const char *const words[] = { command, "block.yaml", setting };
    return cocp_run(setting ? 3 : 2, words, call);
}

static int group_named(const struct cocp_result *result, const char *path)
{
    int group = 0;
    while (strcmp(cocp_result_group(result, group), path) != 0)
        group++;
    return group;
}

static double objective_of(const struct cocp_result *result)
{
    struct cocp_attribute attribute;
    for (int i = 0; cocp_result_attribute(result, group_named(result, "/"), i, &attribute); i++)
        if (strcmp(attribute.name, "objective") == 0)
            return attribute.number;
    return -1;
}

/* The control is constant in each of N = 10 intervals: 12 m^2 / (1 - 1/N^2), the optimum of that quadratic program. */
static double least_effort(double m)
{
    return 12 * m * m / (1 - 0.01);
}

static void a_text_is_solved_with_its_setting(void **state)
{
    (void)state;
    const struct cocp_call call = { .text = block };
    struct cocp_run *plain = run("solve", NULL, &call), *heavy = run("solve", "--set=parameters.m=3", &call);
    struct cocp_result *light = cocp_run_result(plain), *other = cocp_run_result(heavy);
    assert_string_equal(cocp_run_status(plain), "solved");
    assert_int_equal(cocp_run_exit_code(plain), 0);
    assert_near(objective_of(light), least_effort(1), 1e-7);
    assert_near(objective_of(other), least_effort(3), 1e-6);
    assert_null(cocp_run_result(plain));
    assert_non_null(strstr(cocp_run_output(plain), "solved block"));
    cocp_result_free(light);
    cocp_result_free(other);
    cocp_run_free(plain);
    cocp_run_free(heavy);
}

static void mistakes_have_places(void **state)
{
    (void)state;
    struct cocp_message message;
    const struct cocp_call call = { .text = "cocp: 1\nname: block\nstatse: {}\n" };
    struct cocp_run *wrong = run("solve", NULL, &call);
    assert_int_equal(cocp_run_exit_code(wrong), 3);
    assert_null(cocp_run_result(wrong));
    for (int i = 0; i == 0 || message.line != 3; i++)
        assert_true(cocp_run_message(wrong, i, &message));
    assert_string_equal(message.level, "error");
    assert_string_equal(message.file, "block.yaml");
    assert_int_equal(message.column, 1);
    assert_non_null(strstr(message.text, "states"));
    assert_false(cocp_run_message(wrong, 1000, &message));
    cocp_run_free(wrong);
    wrong = run("init", NULL, NULL);
    assert_int_equal(cocp_run_exit_code(wrong), 2);
    cocp_run_free(wrong);
}

static void count(void *user, const char *line)
{
    assert_null(strchr(line, '\n'));
    ++*(int *)user;
}

static void what_is_told_comes_line_by_line(void **state)
{
    (void)state;
    int n = 0;
    const struct cocp_call call = { .text = block, .log = count, .user = &n };
    cocp_run_free(run("solve", NULL, &call));
    assert_true(n >= 2);
}

/* A guess in memory, of the same program, is solved in no more than 3 iterations (README); and judged in memory. */
static void results_are_guesses_and_can_be_judged(void **state)
{
    (void)state;
    struct cocp_call call = { .text = block };
    struct cocp_run *first = run("solve", NULL, &call);
    struct cocp_result *found = cocp_run_result(first);
    call.guess = found;
    struct cocp_run *again = run("solve", NULL, &call);
    struct cocp_result *same = cocp_run_result(again);
    assert_near(objective_of(same), objective_of(found), 1e-9);
    const char *iterations = strstr(cocp_run_output(again), "iter=");
    assert_non_null(iterations);
    assert_true(atoi(iterations + strlen("iter=")) <= 3);
    struct cocp_run *judged = run("verify", NULL, &(struct cocp_call){ .subject = same });
    assert_int_equal(cocp_run_exit_code(judged), 0);
    assert_true(group_named(same, "/verification") > 0);
    cocp_run_free(judged);
    cocp_result_free(same);
    cocp_run_free(again);
    cocp_result_free(found);
    cocp_run_free(first);
}

static struct cocp_dataset dataset_named(const struct cocp_result *result, int group, const char *name)
{
    struct cocp_dataset data;
    for (int i = 0; cocp_result_dataset(result, group, i, &data); i++)
        if (strcmp(data.name, name) == 0)
            return data;
    fail_msg("there is no %s", name);
    return data;
}

/* Data in memory and of the file that is written are the same. */
static void files_hold_what_is_in_memory(void **state)
{
    (void)state;
    char path[] = "/tmp/cocp_test_XXXXXX", why[100];
    const int file = mkstemp(path);
    struct cocp_run *first = run("solve", NULL, &(struct cocp_call){ .text = block });
    struct cocp_result *found = cocp_run_result(first);
    struct cocp_dataset a, b;
    assert_true(file >= 0);
    assert_true(cocp_result_write(found, path, why, sizeof why));
    struct cocp_result *read = cocp_result_read(path, why, sizeof why);
    assert_non_null(read);
    const int group = group_named(found, "/grid"), other = group_named(read, "/grid");
    int n = 0;
    for (; cocp_result_dataset(found, group, n, &a); n++) {
        b = dataset_named(read, other, a.name);
        assert_int_equal(a.n, b.n);
        if (a.type == COCP_DOUBLE)
            assert_memory_equal(a.values, b.values, (size_t)a.n * sizeof(double));
    }
    assert_true(n > 4);
    assert_null(cocp_result_read("/nowhere/at/all.h5", why, sizeof why));
    assert_non_null(strstr(why, "/nowhere/at/all.h5"));
    cocp_result_free(read);
    cocp_result_free(found);
    cocp_run_free(first);
    (void)remove(path);
}

static void *stop(void *unused)
{
    cocp_stop();
    return unused;
}

static void stop_once(void *user, const char *line)
{
    (void)line;
    pthread_t thread;
    if (*(int *)user == 0 && pthread_create(&thread, NULL, stop, NULL) == 0)
        *(int *)user = pthread_join(thread, NULL) == 0;
}

/* A run that is stopped says so; the next one knows nothing of it. */
static void a_stop_ends_one_run(void **state)
{
    (void)state;
    int stopped = 0;
    struct cocp_call call = { .text = block, .log = stop_once, .user = &stopped };
    const char *const words[] = { "solve", "block.yaml", "-v", "--set=finish=off", "--set=homotopy.comp_tol=1e-300" };
    struct cocp_run *first = cocp_run(5, words, &call);
    assert_string_equal(cocp_run_status(first), "interrupted");
    call.log = NULL;
    struct cocp_run *second = run("solve", NULL, &call);
    assert_string_equal(cocp_run_status(second), "solved");
    cocp_run_free(first);
    cocp_run_free(second);
}

struct job { double m, objective; };

static void *solve_job(void *user)
{
    struct job *job = user;
    char setting[60];
    snprintf(setting, sizeof setting, "--set=parameters.m=%g", job->m);
    struct cocp_run *made = run("solve", setting, &(struct cocp_call){ .text = block });
    struct cocp_result *found = cocp_run_result(made);
    job->objective = objective_of(found);
    cocp_result_free(found);
    cocp_run_free(made);
    return NULL;
}

static void threads_wait_for_one_another(void **state)
{
    (void)state;
    enum { N = 4 };
    pthread_t thread[N];
    struct job job[N];
    for (int k = 0; k < N; k++) {
        job[k] = (struct job){ .m = 1 + k };
        assert_int_equal(pthread_create(&thread[k], NULL, solve_job, &job[k]), 0);
    }
    for (int k = 0; k < N; k++) {
        pthread_join(thread[k], NULL);
        assert_near(job[k].objective / least_effort(job[k].m), 1, 1e-7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_solved_with_its_setting),
        cmocka_unit_test(mistakes_have_places),
        cmocka_unit_test(what_is_told_comes_line_by_line),
        cmocka_unit_test(results_are_guesses_and_can_be_judged),
        cmocka_unit_test(files_hold_what_is_in_memory),
        cmocka_unit_test(a_stop_ends_one_run),
        cmocka_unit_test(threads_wait_for_one_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
