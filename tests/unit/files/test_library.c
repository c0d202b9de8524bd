/* library/cocp.h, as another program would call it. */
#define _POSIX_C_SOURCE 200809L          /* mkstemp */

#include "library/cocp.h"

#include "tests/unit/assertions.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* A result takes the place of any file but those that its run has read: its spec, and the guess. */
static void what_a_run_has_read_is_not_replaced(void **state)
{
    (void)state;
    char spec[] = "/tmp/cocp_test_XXXXXX", guess[] = "/tmp/cocp_test_XXXXXX", why[300], bytes[7] = "";
    const char *const words[] = { "solve", spec, "--guess", guess };
    FILE *file = fdopen(mkstemp(spec), "w");
    assert_non_null(file);
    assert_true(fputs(block, file) >= 0 && fclose(file) == 0 && close(mkstemp(guess)) == 0);
    struct cocp_run *first = cocp_run(2, words, NULL);
    struct cocp_result *found = cocp_run_result(first);
    assert_true(cocp_result_write(found, guess, why, sizeof why));
    assert_false(cocp_result_write(found, spec, why, sizeof why));
    assert_non_null(strstr(why, "it is the spec"));
    struct cocp_run *second = cocp_run(4, words, NULL);
    struct cocp_result *again = cocp_run_result(second);
    cocp_run_free(second);
    assert_false(cocp_result_write(again, guess, why, sizeof why));
    assert_non_null(strstr(why, "it is the result of --guess"));
    assert_true(cocp_result_write(found, guess, why, sizeof why));         /* which did not read it */
    file = fopen(spec, "r");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, 6, file), 6);
    assert_string_equal(bytes, "cocp: ");
    (void)fclose(file);
    cocp_result_free(again);
    cocp_result_free(found);
    cocp_run_free(first);
    (void)remove(spec);
    (void)remove(guess);
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

/* What the program does by itself the library does not: nobody's process ends. */
static void words_that_end_the_program_are_errors(void **state)
{
    (void)state;
    static const char *const words[] = { "--help", "--version", "-h" };
    struct cocp_message message;
    for (int k = 0; k < 3; k++) {
        struct cocp_run *with_spec = run("simulate", words[k], &(struct cocp_call){ .text = block });
        struct cocp_run *alone = cocp_run(1, &words[k], NULL);
        assert_string_equal(cocp_run_status(with_spec), "usage");
        assert_int_equal(cocp_run_exit_code(alone), 2);
        assert_true(cocp_run_message(with_spec, 0, &message));
        assert_non_null(strstr(message.text, k == 1 ? "--version" : "--help"));
        assert_null(cocp_run_result(with_spec));
        cocp_run_free(with_spec);
        cocp_run_free(alone);
    }
}

static void assert_wrong_words(int n, const char *const *words)
{
    struct cocp_run *wrong = cocp_run(n, words, NULL);
    struct cocp_message message;
    assert_int_equal(cocp_run_exit_code(wrong), 2);
    assert_true(cocp_run_message(wrong, 0, &message));
    assert_true(strlen(message.text) > 5);
    cocp_run_free(wrong);
}

static void null_runs_are_nothing(void)
{
    struct cocp_message message;
    struct cocp_run *made = run("solve", NULL, &(struct cocp_call){ .text = block });
    assert_false(cocp_run_message(made, 0, NULL));
    assert_false(cocp_run_message(made, -1, &message));
    assert_false(cocp_run_message(NULL, 0, &message));
    assert_string_equal(cocp_run_status(NULL), "usage");
    assert_int_equal(cocp_run_exit_code(NULL), 2);
    assert_string_equal(cocp_run_output(NULL), "");
    assert_null(cocp_run_result(NULL));
    cocp_run_free(NULL);
    cocp_run_free(made);
}

static void null_results_are_nothing(const struct cocp_result *result)
{
    char why[100] = "";
    struct cocp_attribute attribute;
    struct cocp_axis axis;
    struct cocp_dataset data;
    assert_null(cocp_result_read(NULL, why, sizeof why));
    assert_non_null(strstr(why, "NULL"));
    assert_null(cocp_result_read("/nowhere.h5", NULL, 10));
    assert_false(cocp_result_write(NULL, "/tmp/nothing.h5", why, sizeof why));
    assert_non_null(strstr(why, "NULL"));
    assert_false(cocp_result_write(result, NULL, NULL, 0));
    assert_null(cocp_result_copy(NULL));
    assert_null(cocp_result_group(NULL, 0));
    assert_false(cocp_result_attribute(NULL, 0, 0, &attribute) || cocp_result_attribute(result, 0, 0, NULL));
    assert_false(cocp_result_axis(NULL, 0, 0, &axis) || cocp_result_axis(result, 1, 0, NULL));
    assert_false(cocp_result_dataset(NULL, 0, 0, &data) || cocp_result_dataset(result, 1, 0, NULL));
    cocp_result_free(NULL);
}

static void null_is_an_error_or_nothing(void **state)
{
    (void)state;
    static const char *const words[] = { "solve", NULL };
    struct cocp_run *made = run("solve", NULL, &(struct cocp_call){ .text = block });
    struct cocp_result *result = cocp_run_result(made);
    assert_wrong_words(2, words);
    assert_wrong_words(2, NULL);
    assert_wrong_words(0, NULL);
    assert_wrong_words(-1, words);
    null_runs_are_nothing();
    null_results_are_nothing(result);
    cocp_result_free(result);
    cocp_run_free(made);
}

/* A replay of the copy adds a group to it alone. */
static void copies_are_their_own(void **state)
{
    (void)state;
    struct cocp_run *made = run("solve", NULL, &(struct cocp_call){ .text = block });
    struct cocp_result *first = cocp_run_result(made), *second = cocp_result_copy(first);
    struct cocp_run *judged = run("verify", NULL, &(struct cocp_call){ .subject = second });
    int n = 0;
    for (; cocp_result_group(first, n); n++)
        assert_string_not_equal(cocp_result_group(first, n), "/verification");
    assert_int_equal(cocp_run_exit_code(judged), 0);
    assert_int_equal(group_named(second, "/grid"), group_named(first, "/grid"));
    assert_true(group_named(second, "/verification") >= n);
    cocp_result_free(first);
    assert_near(objective_of(second), least_effort(1), 1e-7);
    cocp_result_free(second);
    cocp_run_free(judged);
    cocp_run_free(made);
}

static void run_inside(void *user, const char *line)
{
    char why[200] = "";
    (void)line;
    struct cocp_run *second = run("solve", NULL, &(struct cocp_call){ .text = block });
    *(int *)user = cocp_run_exit_code(second);
    assert_null(cocp_result_read("/nowhere.h5", why, sizeof why));
    assert_non_null(strstr(why, "a run is going on"));
    cocp_run_free(second);
}

/* It would wait for itself. */
static void a_log_cannot_run_another(void **state)
{
    (void)state;
    int exit_code = -1;
    struct cocp_run *first = run("solve", NULL, &(struct cocp_call){ .text = block, .log = run_inside, .user = &exit_code });
    assert_int_equal(cocp_run_exit_code(first), 0);
    assert_int_equal(exit_code, 2);
    cocp_run_free(first);
}

struct gate { pthread_mutex_t lock; pthread_cond_t moved; bool inside, open; };

static void move(struct gate *gate, bool *what)
{
    pthread_mutex_lock(&gate->lock);
    *what = true;
    pthread_cond_broadcast(&gate->moved);
    pthread_mutex_unlock(&gate->lock);
}

static void wait_for(struct gate *gate, const bool *what)
{
    pthread_mutex_lock(&gate->lock);
    while (!*what)
        pthread_cond_wait(&gate->moved, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
}

static void stay_inside(void *user, const char *line)
{
    struct gate *gate = user;
    (void)line;
    move(gate, &gate->inside);
    wait_for(gate, &gate->open);
}

static void *run_behind_gate(void *user)
{
    cocp_run_free(run("solve", NULL, &(struct cocp_call){ .text = block, .log = stay_inside, .user = user }));
    return NULL;
}

/* The child has no thread that would end the run of its parent; an alarm ends it if it waits for one. */
static void a_child_does_not_wait_for_the_run_of_its_parent(void **state)
{
    (void)state;
    struct gate gate = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false };
    pthread_t thread;
    int how = -1;
    assert_int_equal(pthread_create(&thread, NULL, run_behind_gate, &gate), 0);
    wait_for(&gate, &gate.inside);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        struct cocp_run *made = run("solve", "--set=parameters.m=2", &(struct cocp_call){ .text = block });
        struct cocp_result *found = cocp_run_result(made);
        _exit(found && fabs(objective_of(found) / least_effort(2) - 1) < 1e-7 ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    move(&gate, &gate.open);
    pthread_join(thread, NULL);
}

static void fork_inside(void *user, const char *line)
{
    (void)line;
    if (*(int *)user >= 0)
        return;
    const pid_t child = fork();
    if (child == 0)
        _exit(cocp_run_exit_code(run("solve", NULL, &(struct cocp_call){ .text = block })));
    (void)waitpid(child, user, 0);
}

/* Also in the child its thread is inside of the run. */
static void so_does_a_child_of_the_run_itself(void **state)
{
    (void)state;
    int how = -1;
    struct cocp_run *first = run("solve", NULL, &(struct cocp_call){ .text = block, .log = fork_inside, .user = &how });
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 2);
    assert_string_equal(cocp_run_status(first), "solved");
    cocp_run_free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_solved_with_its_setting),
        cmocka_unit_test(mistakes_have_places),
        cmocka_unit_test(what_is_told_comes_line_by_line),
        cmocka_unit_test(results_are_guesses_and_can_be_judged),
        cmocka_unit_test(files_hold_what_is_in_memory),
        cmocka_unit_test(what_a_run_has_read_is_not_replaced),
        cmocka_unit_test(a_stop_ends_one_run),
        cmocka_unit_test(threads_wait_for_one_another),
        cmocka_unit_test(words_that_end_the_program_are_errors),
        cmocka_unit_test(null_is_an_error_or_nothing),
        cmocka_unit_test(copies_are_their_own),
        cmocka_unit_test(a_log_cannot_run_another),
        cmocka_unit_test(a_child_does_not_wait_for_the_run_of_its_parent),
        cmocka_unit_test(so_does_a_child_of_the_run_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
