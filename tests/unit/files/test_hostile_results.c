/* Files by others that mean harm; core/results/read.c, trust.h, handover.h. */
#define _GNU_SOURCE

#include "core/base/mem.h"
#include "core/results/handover.h"
#include "core/results/results.h"

#include "tests/unit/assertions.h"

#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct place { char folder[32], path[64]; };

static int set_up(void **state)
{
    struct place *place = mem_alloc(1, sizeof *place);
    strcpy(place->folder, "/tmp/cocp-hostile-XXXXXX");
    if (!mkdtemp(place->folder))
        return -1;
    snprintf(place->path, sizeof place->path, "%s/a.h5", place->folder);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    unlink(place->path);
    rmdir(place->folder);
    free(place);
    return 0;
}

static hid_t create(const struct place *place)
{
    return H5Fcreate(place->path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
}

/* The file is refused, its message has `why`, and it takes a moment only. */
static void assert_refused(const struct place *place, const char *why)
{
    struct diag *diag = diag_create();
    struct result *result;
    assert_int_equal(result_read(place->path, &result, diag), STATUS_IO);
    assert_null(result);
    assert_non_null(strstr(diag_line(diag, 0), place->path));
    if (!strstr(diag_line(diag, 0), why))
        fail_msg("\"%s\" does not say \"%s\"", diag_line(diag, 0), why);
    diag_free(diag);
}

/* --- Other files --------------------------------------------------------------------------------------------- */

static void values_in_another_file_are_refused(void **state)
{
    const struct place *place = *state;
    const hsize_t n = 64;
    const hid_t file = create(place), space = H5Screate_simple(1, &n, NULL), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(plist, "/etc/passwd", 0, 64);
    H5Dclose(H5Dcreate2(file, "secret", H5T_NATIVE_UCHAR, space, H5P_DEFAULT, plist, H5P_DEFAULT));
    H5Pclose(plist);
    H5Sclose(space);
    H5Fclose(file);
    assert_refused(place, "/secret lies in another file");
}

static void virtual_datasets_are_refused(void **state)
{
    const struct place *place = *state;
    const hsize_t n = 8;
    const hid_t file = create(place), space = H5Screate_simple(1, &n, NULL), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_virtual(plist, space, "/tmp/other.h5", "x", space);
    H5Dclose(H5Dcreate2(file, "virtual", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, plist, H5P_DEFAULT));
    H5Pclose(plist);
    H5Sclose(space);
    H5Fclose(file);
    assert_refused(place, "/virtual lies in another file");
}

static void links_to_other_files_are_refused(void **state)
{
    const struct place *place = *state;
    const hid_t file = create(place);
    H5Lcreate_external("/tmp/other.h5", "/x", file, "away", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    assert_refused(place, "/away leads to another file");
}

/* --- Circles ------------------------------------------------------------------------------------------------- */

static void a_group_within_itself_is_refused(void **state)
{
    const struct place *place = *state;
    const hid_t file = create(place), group = H5Gcreate2(file, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_hard(file, "/", group, "back", H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(group);
    H5Fclose(file);
    assert_refused(place, "/a/back/ is linked in a circle");
}

/* Eight groups, each of which holds the next one forty times: 40^8 ways through a file of some kB. */
static void many_ways_to_few_groups_are_refused(void **state)
{
    const struct place *place = *state;
    const hid_t file = create(place);
    char name[32];
    hid_t above = H5Gopen2(file, "/", H5P_DEFAULT);
    for (int depth = 0; depth < 8; depth++) {
        const hid_t group = H5Gcreate2(above, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        for (int k = 0; k < 40; k++) {
            snprintf(name, sizeof name, "g%d", k);
            H5Lcreate_hard(above, "g", above, name, H5P_DEFAULT, H5P_DEFAULT);
        }
        H5Gclose(above);
        above = group;
    }
    H5Gclose(above);
    H5Fclose(file);
    assert_refused(place, "or more than once");
}

/* --- Sizes --------------------------------------------------------------------------------------------------- */

/* 268 million numbers that were never written: 2 GB of zeros from a file of some kB; and forty of the kind. */
static void what_a_file_cannot_hold_is_refused(void **state)
{
    const struct place *place = *state;
    const hsize_t dims[2] = { 1 << 14, 1 << 14 }, chunk[2] = { 1 << 10, 1 << 10 };
    const hid_t file = create(place), space = H5Screate_simple(2, dims, NULL), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 2, chunk);
    H5Pset_deflate(plist, 9);
    for (int k = 0; k < 40; k++) {
        char name[32];
        snprintf(name, sizeof name, "x%d", k);
        H5Dclose(H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, plist, H5P_DEFAULT));
    }
    H5Pclose(plist);
    H5Sclose(space);
    H5Fclose(file);
    assert_refused(place, "/x0 declares more than the file holds");
}

/* One string of 1 MB, which a hundred thousand entries point to: 100 GB, were each copied. */
static void one_string_for_many_is_refused(void **state)
{
    enum { LENGTH = 1 << 20, N = 100000 };
    const struct place *place = *state;
    const hsize_t n = N;
    const hid_t file = create(place), space = H5Screate_simple(1, &n, NULL), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t set = H5Dcreate2(file, "text", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    char *text = mem_alloc(LENGTH + 1, 1), **all = mem_alloc(N, sizeof *all);
    memset(text, 'x', LENGTH);
    all[0] = text;
    for (int k = 1; k < N; k++)
        all[k] = (char *)"x";
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all);
    const haddr_t at = H5Dget_offset(set);
    H5Dclose(set);
    H5Tclose(type);
    H5Sclose(space);
    H5Fclose(file);
    FILE *raw = fopen(place->path, "r+b");
    char first[16];
    fseek(raw, (long)at, SEEK_SET);
    assert_int_equal(fread(first, 1, sizeof first, raw), sizeof first);
    fseek(raw, (long)at, SEEK_SET);
    for (int k = 0; k < N; k++)
        fwrite(first, 1, sizeof first, raw);
    fclose(raw);
    assert_refused(place, "/text is damaged");
    free(text);
    free(all);
}

static void a_pipe_is_refused_at_once(void **state)
{
    const struct place *place = *state;
    assert_int_equal(mkfifo(place->path, 0600), 0);
    assert_refused(place, "not a regular file");
}

/* --- Damage -------------------------------------------------------------------------------------------------- */

static char *bytes_of(const char *path, size_t *n)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    fseek(in, 0, SEEK_END);
    *n = (size_t)ftell(in);
    rewind(in);
    char *bytes = mem_alloc(*n, 1);
    assert_int_equal(fread(bytes, 1, *n, in), *n);
    fclose(in);
    return bytes;
}

static struct result *sample(void)
{
    static const char *const words[] = { "open", "stick" };
    const double x[] = { 0, 1, 2, 3, 4, 5 };
    struct result *result = result_create();
    struct result_group *group = result_group(result, "/a/b");
    const int axis[] = { result_axis(group, "t", 3, x, "s", NULL), result_axis(group, "word", 2, NULL, NULL, NULL) };
    result_set_text(result_group(result, "/"), "status", "solved");
    result_set_int(group, "count", -3);
    result_doubles(group, "x", 2, axis, x, "m", "position", "state");
    result_set_bounds(group, "x", -1, 7);
    result_texts(group, "word", 1, axis + 1, words, NULL);
    return result;
}

/* libhdf5 may crash, and does on some; the reader comes back with a result or a message, here and now. */
static void flipped_bits_do_no_harm(void **state)
{
    const struct place *place = *state;
    struct result *result = sample();
    struct diag *diag = diag_create();
    assert_int_equal(result_write(result, place->path, diag), STATUS_OK);
    result_free(result);
    size_t n;
    char *bytes = bytes_of(place->path, &n);
    for (size_t k = 0; k < 150; k++) {
        const size_t at = k * 7919 % n;
        bytes[at] = (char)(bytes[at] ^ (1 << (k % 8)));
        FILE *out = fopen(place->path, "wb");
        fwrite(bytes, 1, n, out);
        fclose(out);
        const enum status st = result_read(place->path, &result, diag);
        assert_true(st == STATUS_OK ? result != NULL : st == STATUS_IO && !result);
        result_free(result);
        bytes[at] = (char)(bytes[at] ^ (1 << (k % 8)));
    }
    free(bytes);
    diag_free(diag);
}

/* --- The handover -------------------------------------------------------------------------------------------- */

static char *handed_over(const struct result *result, size_t *n)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, n);
    handover_write(result, out);
    fclose(out);
    return bytes;
}

static void what_is_handed_over_comes_back(void **state)
{
    (void)state;
    size_t n, m;
    struct result *result = sample();
    char *bytes = handed_over(result, &n);
    struct result *got = handover_read(bytes, n);
    assert_non_null(got);
    char *again = handed_over(got, &m);
    assert_int_equal(n, m);
    assert_memory_equal(bytes, again, n);
    assert_string_equal(result_data_of(got, "/a/b", "word")->text[1], "stick");
    assert_true(result_data_of(got, "/a/b", "x")->upper_bound == 7);
    result_free(result);
    result_free(got);
    free(bytes);
    free(again);
}

/* Cut anywhere, and with any byte changed: no crash, and what is cut is nothing. */
static void broken_handovers_are_nothing(void **state)
{
    (void)state;
    size_t n;
    struct result *result = sample();
    char *bytes = handed_over(result, &n);
    for (size_t k = 0; k < n; k++)
        assert_null(handover_read(bytes, k));
    for (size_t k = 0; k < n; k++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[k] = (char)(bytes[k] ^ (1 << bit));
            result_free(handover_read(bytes, n));
            bytes[k] = (char)(bytes[k] ^ (1 << bit));
        }
    result_free(result);
    free(bytes);
}

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_in_another_file_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(virtual_datasets_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(links_to_other_files_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_group_within_itself_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_ways_to_few_groups_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_file_cannot_hold_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_string_for_many_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pipe_is_refused_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(flipped_bits_do_no_harm, set_up, tear_down),
        cmocka_unit_test(what_is_handed_over_comes_back),
        cmocka_unit_test(broken_handovers_are_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
