/* Tests of core/results. Called with a path, the program writes the sample result there instead, for the shell
 * tests of what other programs make of our files. */
#define _XOPEN_SOURCE 700               /* mkdtemp, setrlimit */

#include "core/base/regular.h"
#include "core/results/digest.h"
#include "core/results/results.h"
#include "core/results/save.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { N_POINT = 2000, N_STEP = 2 };

/* --- A sample: a ball that is dropped from 1 m --------------------------------------------------------------- */

static void add_trajectory(struct result *result)
{
    static double t[N_POINT], z[N_POINT];
    static int element[N_POINT];
    static unsigned char physical[N_POINT];
    for (int k = 0; k < N_POINT; k++) {
        t[k] = k / 4096.0;
        z[k] = 1 - t[k] * t[k] / 2;         /* few digits: such bytes shrink well */
        element[k] = k / 100;
        physical[k] = k % 2 == 0;
    }
    struct result_group *group = result_group(result, "/trajectory");
    const int point = result_axis(group, "point", N_POINT, NULL, NULL, NULL);
    result_doubles(group, "t", 1, &point, t, "s", "physical time", NULL);
    result_values(group, "element", RESULT_INT, 1, &point, element, NULL, "finite element", NULL);
    result_values(group, "is_physical", RESULT_FLAG, 1, &point, physical, NULL, NULL, NULL);
    result_doubles(group, "z", 1, &point, z, "m", "height", "state");
    result_set_bounds(group, "z", 0, INFINITY);

    struct result_group *uniform = result_group(result, "/uniform");
    const int axis = result_axis(uniform, "t", N_POINT, t, "s", "physical time");
    result_doubles(uniform, "z", 1, &axis, z, "m", NULL, "state");
}

static void add_grid(struct result *result)
{
    const char *names[] = { "z", "v_z" };
    const double x[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, NAN };
    struct result_group *group = result_group(result, "/grid");
    const int axes[] = {
        result_axis(group, "element", 3, NULL, NULL, NULL),
        result_axis(group, "stage", 2, NULL, NULL, NULL),
        result_axis(group, "state", 2, NULL, NULL, NULL),
    };
    result_doubles(group, "x_stage", 3, axes, x, NULL, NULL, NULL);
    result_texts(group, "state", 1, &axes[2], names, "names of the states");
    result_doubles(group, "element", 2, &axes[1], x, NULL, "has the name of an axis it is not over", NULL);
}

static struct result *sample(void)
{
    const char *status[N_STEP] = { "solved", "d\xc3\xa9j\xc3\xa0 vu" };
    const double sigma[N_STEP] = { 1, 0.1 };
    struct result *result = result_create();
    struct result_group *root = result_group(result, "/");
    result_set_text(root, "status", "solved");
    result_set_int(root, "exit_code", 0);
    result_set_double(root, "objective", 12.5);
    result_set_double(root, "infeasibility", NAN);
    result_set_text(root, "title", "");
    const double g = 9.81;
    result_doubles(result_group(result, "/parameters"), "g", 0, NULL, &g, "m/s^2", NULL, NULL);
    add_trajectory(result);
    add_grid(result);
    struct result_group *events = result_group(result, "/events");
    const int event = result_axis(events, "event", 0, NULL, NULL, NULL);
    result_doubles(events, "t", 1, &event, NULL, "s", NULL, NULL);
    result_texts(events, "kind", 1, &event, NULL, NULL);
    struct result_group *homotopy = result_group(result, "/homotopy");
    const int step = result_axis(homotopy, "step", N_STEP, NULL, NULL, NULL);
    result_doubles(homotopy, "sigma", 1, &step, sigma, NULL, NULL, NULL);
    result_texts(homotopy, "status", 1, &step, status, NULL);
    const char *yaml = "cocp: 1\nname: ball\n";
    result_texts(result_group(result, "/spec"), "yaml", 0, NULL, &yaml, NULL);
    return result;
}

/* --- Helpers ------------------------------------------------------------------------------------------------- */

struct place { char folder[64], path[96]; struct diag *diag; };

static int set_up(void **state)
{
    static struct place place;
    strcpy(place.folder, "/tmp/cocp_results_XXXXXX");
    if (!mkdtemp(place.folder))
        return -1;
    snprintf(place.path, sizeof place.path, "%s/a.h5", place.folder);
    place.diag = diag_create();
    *state = &place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    unlink(place->path);
    diag_free(place->diag);
    return rmdir(place->folder);            /* fails when a temporary file was left behind */
}

static struct result *write_and_read(struct place *place)
{
    struct result *given = sample(), *got = NULL;
    assert_int_equal(result_write(given, place->path, place->diag), STATUS_OK);
    result_free(given);
    assert_int_equal(result_read(place->path, &got, place->diag), STATUS_OK);
    return got;
}

static void write_text(const char *path, const char *text, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* The bytes of a file; free() them. */
static char *file_bytes(const char *path, size_t *n)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    *n = (size_t)info.st_size;
    char *bytes = malloc(*n + 1);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, *n, file), *n);
    fclose(file);
    return bytes;
}

static void assert_same_data(const struct result_data *a, const struct result_data *b)
{
    assert_non_null(b);
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_axes, b->n_axes);
    assert_memory_equal(a->axis, b->axis, sizeof a->axis);
    assert_string_equal(a->units, b->units);
    assert_string_equal(a->long_name, b->long_name);
    assert_string_equal(a->role, b->role);
    assert_memory_equal(&a->lower_bound, &b->lower_bound, sizeof a->lower_bound);
    for (int k = 0; k < a->n; k++) {
        if (a->type == RESULT_DOUBLE)
            assert_true(memcmp(&a->d[k], &b->d[k], sizeof a->d[k]) == 0);
        if (a->type == RESULT_INT)
            assert_int_equal(a->i[k], b->i[k]);
        if (a->type == RESULT_FLAG)
            assert_int_equal(a->flag[k], b->flag[k]);
        if (a->type == RESULT_TEXT)
            assert_string_equal(a->text[k], b->text[k]);
    }
}

static void assert_same_group(const struct result_group *a, const struct result_group *b)
{
    assert_int_equal(a->n_axes, b->n_axes);
    assert_int_equal(a->n_data, b->n_data);
    assert_int_equal(a->n_attrs, b->n_attrs);
    for (int k = 0; k < a->n_axes; k++) {
        const struct result_axis *p = a->axis[k], *q = b->axis[k];
        assert_string_equal(p->name, q->name);
        assert_string_equal(p->units, q->units);
        assert_int_equal(p->n, q->n);
        assert_int_equal(p->values == NULL, q->values == NULL);
        if (p->values)
            assert_memory_equal(p->values, q->values, (size_t)p->n * sizeof *p->values);
    }
    for (int k = 0; k < a->n_data; k++)
        assert_same_data(a->data[k], result_data_find(b, a->data[k]->name));
    for (int k = 0; k < a->n_attrs; k++) {
        const struct result_attr *p = a->attr[k], *q = b->attr[k];
        assert_string_equal(p->name, q->name);
        assert_int_equal(p->type, q->type);
        assert_int_equal(p->i, q->i);
        if (p->type == RESULT_DOUBLE && !isnan(p->d))
            assert_true(p->d == q->d);
        if (p->type == RESULT_TEXT)
            assert_string_equal(p->text, q->text);
    }
}

/* --- Facts --------------------------------------------------------------------------------------------------- */

/* What is written is read back: groups, attributes and axes in their order, every value bit by bit. */
static void reading_gives_what_was_written(void **state)
{
    struct result *given = sample(), *got = write_and_read(*state);
    assert_int_equal(given->n_groups, got->n_groups);
    for (int k = 0; k < given->n_groups; k++) {
        assert_string_equal(given->group[k]->path, got->group[k]->path);
        assert_same_group(given->group[k], got->group[k]);
    }
    result_free(given);
    result_free(got);
}

static void same_input_gives_same_bytes(void **state)
{
    struct place *place = *state;
    size_t n, m;
    result_free(write_and_read(place));
    char *first = file_bytes(place->path, &n);
    struct result *got = NULL;
    assert_int_equal(result_read(place->path, &got, place->diag), STATUS_OK);
    sleep(1);                               /* stored times would differ by now */
    result_free(got);
    result_free(write_and_read(place));
    char *second = file_bytes(place->path, &m);
    assert_int_equal(n, m);
    assert_memory_equal(first, second, n);
    free(first);
    free(second);
}

/* Raw, the four datasets of 2000 doubles alone are 64000 bytes. */
static void large_datasets_are_compressed(void **state)
{
    struct place *place = *state;
    size_t n;
    result_free(write_and_read(place));
    free(file_bytes(place->path, &n));
    assert_in_range(n, 1, 64000);
}

static void absent_attributes_have_stated_values(void **state)
{
    (void)state;
    struct result *result = result_create();
    struct result_group *root = result_group(result, "/");
    assert_true(isnan(result_get_double(root, "objective")));
    assert_int_equal(result_get_int(root, "exit_code", -7), -7);
    assert_null(result_get_text(root, "status"));
    assert_null(result_find(result, "/events"));
    result_set_int(root, "n_var", 3);
    assert_true(result_get_double(root, "n_var") == 3.0);
    result_set_text(root, "n_var", "three");
    assert_int_equal(root->n_attrs, 1);
    assert_string_equal(result_get_text(root, "n_var"), "three");
    result_free(result);
}

static void a_dropped_group_takes_those_below_along(void **state)
{
    (void)state;
    struct result *result = result_create();
    result_group(result, "/verification/trajectory");
    result_group(result, "/verification_of_others");
    assert_int_equal(result->n_groups, 4);                  /* the root and the parent are made */
    result_drop(result, "/verification");
    assert_null(result_find(result, "/verification"));
    assert_null(result_find(result, "/verification/trajectory"));
    assert_non_null(result_find(result, "/verification_of_others"));
    result_free(result);
}

static void assert_refused(struct place *place, enum status st, const char *why)
{
    assert_int_equal(st, STATUS_IO);
    assert_non_null(diag_line(place->diag, 0));
    assert_non_null(strstr(diag_line(place->diag, 0), why));
    diag_free(place->diag);
    place->diag = diag_create();
}

static void broken_files_are_named_with_the_reason(void **state)
{
    struct place *place = *state;
    struct result *got;
    size_t n;
    assert_refused(place, result_read(place->path, &got, place->diag), "No such file or directory");
    assert_null(got);
    write_text(place->path, "", 0);
    assert_refused(place, result_read(place->path, &got, place->diag), "the file is empty");
    write_text(place->path, "cocp: 1\n", 8);
    assert_refused(place, result_read(place->path, &got, place->diag), "not an HDF5 file");
    assert_refused(place, result_read(place->folder, &got, place->diag), "directory");
    result_free(write_and_read(place));
    char *bytes = file_bytes(place->path, &n);
    write_text(place->path, bytes, n / 2);
    assert_refused(place, result_read(place->path, &got, place->diag), "damaged");
    free(bytes);
}

/* A copy that stopped anywhere is refused. */
static void files_cut_short_are_refused(void **state)
{
    struct place *place = *state;
    size_t n;
    result_free(write_and_read(place));
    char *bytes = file_bytes(place->path, &n);
    for (size_t cut = 8; cut < n; cut += n / 150) {
        write_text(place->path, bytes, cut);
        struct result *got;
        assert_refused(place, result_read(place->path, &got, place->diag), "cannot read");
    }
    free(bytes);
}

static void a_failed_write_keeps_the_old_file(void **state)
{
    struct place *place = *state;
    write_text(place->path, "old", 3);
    struct rlimit limit, old;
    getrlimit(RLIMIT_FSIZE, &old);
    limit = old;
    limit.rlim_cur = 1000;                  /* as a full disk: the 2000th byte is refused */
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    struct result *result = sample();
    const enum status st = result_write(result, place->path, place->diag);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_refused(place, st, "cannot write");
    size_t n;
    char *bytes = file_bytes(place->path, &n);
    assert_int_equal(n, 3);
    assert_memory_equal(bytes, "old", 3);
    free(bytes);
    result_free(result);
}

static void places_that_are_no_files_are_refused(void **state)
{
    struct place *place = *state;
    struct result *result = sample();
    char path[128];
    assert_refused(place, result_write(result, place->folder, place->diag), "directory");
    assert_refused(place, result_write(result, "/dev/full", place->diag), "not a regular file");
    assert_int_equal(result_write(result, "/dev/null", place->diag), STATUS_OK);
    snprintf(path, sizeof path, "%s/none/a.h5", place->folder);
    assert_refused(place, result_write(result, path, place->diag), "No such file or directory");
    result_free(result);
}

/* The link stays a link; what it points to is replaced. */
static void a_link_is_followed(void **state)
{
    struct place *place = *state;
    char link[128];
    snprintf(link, sizeof link, "%s/link", place->folder);
    write_text(place->path, "old", 3);
    assert_int_equal(symlink("a.h5", link), 0);
    assert_int_equal(save_bytes(link, "newer", 5, place->diag), STATUS_OK);
    size_t n;
    free(file_bytes(place->path, &n));
    assert_int_equal(n, 5);
    struct stat info;
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    unlink(link);
}

/* The words that the refusal ends with are those of whoever read it first. */
static void assert_spared(struct place *place, const char *path, const char *what)
{
    size_t n;
    assert_int_equal(save_bytes(path, "new", 3, place->diag), STATUS_IO);
    assert_int_equal(save_check(path, place->diag), STATUS_IO);
    assert_non_null(strstr(diag_line(place->diag, 0), what));
    char *bytes = file_bytes(place->path, &n);
    assert_memory_equal(bytes, "old", 3);
    free(bytes);
}

/* What was read stays, whatever it is called by then; what is written itself may be read and written again. */
static void what_was_read_is_not_replaced(void **state)
{
    struct place *place = *state;
    const char *why;
    char link_name[128], soft[128], other[128];
    snprintf(link_name, sizeof link_name, "%s/hard", place->folder);
    snprintf(soft, sizeof soft, "%s/soft", place->folder);
    snprintf(other, sizeof other, "%s/./a.h5", place->folder);
    write_text(place->path, "old", 3);
    assert_int_equal(link(place->path, link_name), 0);
    assert_int_equal(symlink("hard", soft), 0);
    assert_int_equal(save_check(place->path, place->diag), STATUS_OK);
    (void)fclose(regular_open(soft, "the guess", place->diag, &why));
    (void)fclose(regular_open(place->path, "the spec", place->diag, &why));
    assert_spared(place, place->path, "it is the guess");
    assert_spared(place, other, "it is the guess");
    assert_spared(place, link_name, "it is the guess");
    assert_spared(place, soft, "it is the guess");
    assert_int_equal(unlink(soft), 0);
    assert_int_equal(save_bytes(soft, "new", 3, place->diag), STATUS_OK);
    assert_int_equal(unlink(link_name), 0);
    assert_spared(place, place->path, "it is the guess");           /* another file as it seems, under the same path */
    write_text(place->path, "older", 5);
    assert_spared(place, place->path, "it is the guess");
    unlink(soft);
}

static int write_sample(const char *path)
{
    struct diag *diag = diag_create();
    struct result *result = sample();
    const enum status st = result_write(result, path, diag);
    diag_print(diag, stderr);
    result_free(result);
    diag_free(diag);
    return status_exit_code(st);
}

/* --- digest.h ------------------------------------------------------------------------------------------------ */

static struct digest_finding check_digest(const struct result *result)
{
    struct arena mem = { NULL };
    const struct digest_finding found = digest_check(result, &mem);
    arena_free(&mem);
    return found;
}

static bool is_as_written(const struct result *result)
{
    const struct digest_finding found = check_digest(result);
    return found.is_there && found.is_whole && found.n_changed == 0;
}

static void a_file_keeps_its_digest(void **state)
{
    struct place *place = *state;
    struct result *given = sample(), *got = NULL;
    assert_false(check_digest(given).is_there);
    digest_write(given);
    assert_true(is_as_written(given));
    assert_int_equal(result_write(given, place->path, place->diag), STATUS_OK);
    assert_int_equal(result_read(place->path, &got, place->diag), STATUS_OK);
    assert_true(is_as_written(got));
    result_free(got);
    result_free(given);
}

static void the_order_of_things_does_not_matter(void **state)
{
    (void)state;
    const double a = 1, b = 2;
    struct result *one = result_create(), *other = result_create();
    result_doubles(result_group(one, "/parameters"), "a", 0, NULL, &a, "m", NULL, NULL);
    result_doubles(result_group(one, "/parameters"), "b", 0, NULL, &b, NULL, NULL, NULL);
    result_doubles(result_group(other, "/parameters"), "b", 0, NULL, &b, NULL, NULL, NULL);
    result_doubles(result_group(other, "/parameters"), "a", 0, NULL, &a, "m", NULL, NULL);
    digest_write(one);
    digest_write(other);
    assert_string_equal(result_get_text(result_find(one, DIGEST_GROUP), "sha256"),
                        result_get_text(result_find(other, DIGEST_GROUP), "sha256"));
    result_free(one);
    result_free(other);
}

/* Each of these is seen; what only describes the file, and /verification, are not. */
static void edit_value(struct result *result)
{
    const double g = 9.8100000000000005;        /* 9.81 */
    const double other = g * (1 + 1e-15);
    result_doubles(result_group(result, "/parameters"), "g", 0, NULL, &other, "m/s^2", NULL, NULL);
}

static void edit_unit(struct result *result)
{
    const double g = 9.81;
    result_doubles(result_group(result, "/parameters"), "g", 0, NULL, &g, "ft/s^2", NULL, NULL);
}

static void edit_role(struct result *result)
{
    const double g = 9.81;
    result_doubles(result_group(result, "/parameters"), "g", 0, NULL, &g, "m/s^2", NULL, "optimized");
}

static void edit_bounds(struct result *result) { result_set_bounds(result_group(result, "/trajectory"), "z", 0, 9); }
static void edit_status(struct result *result) { result_set_text(result_group(result, "/"), "status", "limit"); }
static void edit_nan(struct result *result) { result_set_double(result_group(result, "/"), "infeasibility", 0); }
static void drop_group(struct result *result) { result_drop(result, "/homotopy"); }
static void add_fit(struct result *result) { result_set_text(result_group(result, "/fit"), "words", "a = 1"); }
static void add_attr(struct result *result) { result_set_int(result_group(result, "/events"), "n", 1); }

static void edit_table(struct result *result)
{
    const int axis = result_axis_find(result_find(result, DIGEST_GROUP), "group");
    const int n = result_axis_size(result, DIGEST_GROUP, "group");
    const char *words[32];
    for (int k = 0; k < n; k++)
        words[k] = "0";
    result_texts(result_group(result, DIGEST_GROUP), "sha256", 1, &axis, words, NULL);
}

static void an_edit_is_seen(void **state)
{
    (void)state;
    void (*const edits[])(struct result *) = { edit_value, edit_unit, edit_role, edit_bounds, edit_status, edit_nan, drop_group,
                                               add_fit, add_attr, edit_table };
    for (size_t k = 0; k < sizeof edits / sizeof edits[0]; k++) {
        struct result *result = sample();
        digest_write(result);
        edits[k](result);
        assert_false(is_as_written(result));
        result_free(result);
    }
}

static void what_describes_a_file_is_left_out(void **state)
{
    (void)state;
    struct result *result = sample();
    struct arena mem = { NULL };
    digest_write(result);
    result_set_text(result_group(result, "/"), "title", "a title");
    result_set_text(result_group(result, "/"), "comment", "by hand");
    result_set_text(result_group(result, "/verification"), "outcome", "verified");
    result_set_text(result_group(result, "/scenarios/0/verification"), "outcome", "verified");
    result_set_text(result_group(result, "/notes"), "who", "me");
    assert_true(is_as_written(result));
    assert_string_equal(digest_check(result, &mem).added, "/notes");
    result_set_text(result_group(result, "/"), "status", "limit");
    assert_false(is_as_written(result));
    digest_renew(result, "/");
    assert_true(is_as_written(result));
    arena_free(&mem);
    result_free(result);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return write_sample(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_keeps_its_digest, set_up, tear_down),
        cmocka_unit_test(the_order_of_things_does_not_matter),
        cmocka_unit_test(an_edit_is_seen),
        cmocka_unit_test(what_describes_a_file_is_left_out),
        cmocka_unit_test_setup_teardown(reading_gives_what_was_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(same_input_gives_same_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(large_datasets_are_compressed, set_up, tear_down),
        cmocka_unit_test(absent_attributes_have_stated_values),
        cmocka_unit_test(a_dropped_group_takes_those_below_along),
        cmocka_unit_test_setup_teardown(broken_files_are_named_with_the_reason, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_cut_short_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failed_write_keeps_the_old_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(places_that_are_no_files_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_link_is_followed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_read_is_not_replaced, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
