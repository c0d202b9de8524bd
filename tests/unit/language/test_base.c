/* What all rooms use: memory, arrays that grow, messages, sparse patterns, random numbers, the clock, dot products. */
#define _POSIX_C_SOURCE 200809L         /* open_memstream */

#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/diag.h"
#include "core/base/dictionary.h"
#include "core/base/mem.h"
#include "core/base/random.h"
#include "core/base/rounded.h"
#include "core/base/sha256.h"
#include "core/base/sparse.h"
#include "core/base/vec.h"
#include "core/base/visible.h"
#include "core/base/withhold.h"

#include "tests/unit/assertions.h"
#include "tests/unit/sparse_find.h"

#include <stdlib.h>
#include <string.h>

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

/* --- Memory that lives and dies together --------------------------------------------------------------------- */

static void an_arena_hands_out_zeroes_and_keeps_what_it_handed_out(void **state)
{
    (void)state;
    enum { N = 300 };
    struct arena mem = { 0 };
    int *object[N];
    for (int k = 0; k < N; k++) {
        object[k] = arena_alloc(&mem, (size_t)k + 1, sizeof **object);
        for (int i = 0; i <= k; i++) {
            assert_int_equal(object[k][i], 0);
            object[k][i] = 1000 * k + i;
        }
    }
    for (int k = 0; k < N; k++)
        for (int i = 0; i <= k; i++)
            assert_int_equal(object[k][i], 1000 * k + i);
    assert_string_equal(arena_printf(&mem, "%d of %s", 3, "many"), "3 of many");
    arena_free(&mem);
    assert_null(mem.last);
    arena_free(&mem);
}

/* --- Messages ------------------------------------------------------------------------------------------------ */

/* Readers report in any order and twice; people read by line. */
static void messages_come_in_the_order_of_the_file_and_once(void **state)
{
    (void)state;
    struct diag *diag = diag_create();
    char file[] = "s.yaml";
    const struct srcpos late = { file, 7, 2 }, early = { file, 3, 5 };
    assert_int_equal(diag_error(diag, late, "time.horizon", "must be positive, got %d", -1), STATUS_SPEC);
    assert_int_equal(diag_error(diag, early, NULL, "no such key"), STATUS_SPEC);
    assert_int_equal(diag_error(diag, late, "time.horizon", "must be positive, got %d", -1), STATUS_SPEC);
    file[0] = '?';                              /* the list outlives the spec */
    assert_int_equal(diag_n_errors(diag), 2);
    assert_string_equal(diag_line(diag, 0), "s.yaml:3:5: error: no such key");
    assert_string_equal(diag_line(diag, 1), "s.yaml:7:2: error: time.horizon: must be positive, got -1");
    assert_null(diag_line(diag, 2));
    diag_free(diag);
}

static void a_note_is_no_error(void **state)
{
    (void)state;
    struct diag *diag = diag_create();
    const struct srcpos nowhere = { 0 };
    assert_int_equal(diag_add(diag, DIAG_NOTE, STATUS_OK, nowhere, NULL, "by the way"), STATUS_OK);
    assert_int_equal(diag_n_errors(diag), 0);
    assert_int_equal(diag_fail(diag, STATUS_IO, "disk full"), STATUS_IO);
    assert_int_equal(diag_n_errors(diag), 1);
    diag_free(diag);
}

/* Scripts tell by the number: 0 is success alone. */
static void exit_codes_differ(void **state)
{
    (void)state;
    for (int a = STATUS_OK; a <= STATUS_INTERRUPTED; a++)
        for (int b = STATUS_OK; b < a; b++)
            assert_int_not_equal(status_exit_code((enum status)a), status_exit_code((enum status)b));
    assert_int_equal(status_exit_code(STATUS_OK), 0);
    assert_int_equal(status_exit_code(STATUS_INTERRUPTED), 130);
}

/* --- Sparse patterns ----------------------------------------------------------------------------------------- */

/* The matrix [a . b; . c .; d . .] from shuffled triplets, one of them twice. */
static void triplets_become_columns(void **state)
{
    (void)state;
    const int row[] = { 2, 0, 1, 0, 2 }, col[] = { 0, 2, 1, 0, 0 };
    const int colptr[] = { 0, 2, 3, 4 }, rowind[] = { 0, 2, 1, 0 };
    int slot[5];
    struct arena mem = { 0 };
    const struct sparse pattern = sparse_from_triplets(&mem, 3, 3, 5, row, col, slot);
    assert_int_equal(pattern.nnz, 4);
    assert_memory_equal(pattern.colptr, colptr, sizeof colptr);
    assert_memory_equal(pattern.rowind, rowind, sizeof rowind);
    for (int k = 0; k < 5; k++)
        assert_int_equal(slot[k], sparse_find(&pattern, row[k], col[k]));
    assert_int_equal(slot[0], slot[4]);
    assert_int_equal(sparse_find(&pattern, 1, 0), -1);
    arena_free(&mem);
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

static void texts_of_others_are_one_line(void **state)
{
    (void)state;
    static const struct { const char *text, *shown; } facts[] = {
        { "plain", "plain" }, { "", "" }, { "d\xc3\xa9j\xc3\xa0 \xe2\x86\x92 \xf0\x9f\x98\x80", NULL },
        { "a\nb\tc\r", "a\\x0ab\\x09c\\x0d" }, { "\033[2K\177", "\\x1b[2K\\x7f" },
        { "\xc2\x9b" "31m\xc2\xa0", "\\xc2\\x9b31m\xc2\xa0" }, { "\x9b\xff", "\\x9b\\xff" },
        { "\xe2\x80\xae" "abc\xe2\x81\xa6\xe2\x80\xa8", "\\xe2\\x80\\xaeabc\\xe2\\x81\\xa6\\xe2\\x80\\xa8" },
        { "cut \xe2\x80", "cut \\xe2\\x80" }
    };
    struct arena mem = { NULL };
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++)
        assert_string_equal(visible_text(&mem, facts[k].text), facts[k].shown ? facts[k].shown : facts[k].text);
    char *printed = NULL;
    size_t n;
    FILE *out = open_memstream(&printed, &n);
    visible_print_lines("two\n\tlines\033", out);
    fclose(out);
    assert_string_equal(printed, "two\n\tlines\\x1b");
    free(printed);
    arena_free(&mem);
}

static void numbers_for_people_have_six_digits(void **state)
{
    (void)state;
    static const struct { const char *text, *shown; } facts[] = {
        { "0.0017 - 3.3333333333333335*(g1 - P1)", "0.0017 - 3.33333*(g1 - P1)" },
        { "-step(0.1 - x1234567)*.123456789^2 - 1234567", "-step(0.1 - x1234567)*0.123457^2 - 1.23457e+06" },
        { "0.000123456 + 2.50000000e-05*v_12345678", "0.000123456 + 2.5e-05*v_12345678" },
        { "foot", NULL }, { "", NULL }, { "1. + e", NULL }, { "x[10000000.5", "x[1e+07" }
    };
    struct arena mem = { NULL };
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++)
        assert_string_equal(rounded_text(&mem, facts[k].text), facts[k].shown ? facts[k].shown : facts[k].text);
    arena_free(&mem);
}

/* --- sha256 -------------------------------------------------------------------------------------------------- */

/* FIPS 180-4 examples (one block, two blocks), and the empty message; 56 and 64 bytes turn the padding over. */
static void sha256_gives_the_published_digests(void **state)
{
    (void)state;
    char hex[SHA256_ROOM];
    sha256_text("", 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    sha256_text("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sha256_text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    /* a million times "a" (FIPS 180-2, B.3), in pieces that end anywhere in a block */
    char piece[1000];
    struct sha256 sha;
    memset(piece, 'a', sizeof piece);
    sha256_begin(&sha);
    for (int n = 1000000, k = 1; n > 0; k = 1 + (k * 7 + 3) % 997) {
        const int size = k < n ? k : n;
        sha256_add(&sha, piece, (size_t)size);
        n -= size;
    }
    sha256_end(&sha, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* The first number of a name stays; a thousand names, all found, among them some that begin alike. */
static void a_dictionary_finds_each_name(void **state)
{
    (void)state;
    enum { N = 1000 };
    static char name[N][16];
    struct dictionary d = { 0 };
    assert_int_equal(dictionary_find(&d, "x"), -1);
    for (int k = 0; k < N; k++) {
        (void)snprintf(name[k], sizeof name[k], "x_%d", k);
        assert_true(dictionary_add(&d, name[k], k));
    }
    assert_false(dictionary_add(&d, "x_7", 8));
    for (int k = 0; k < N; k++)
        assert_int_equal(dictionary_find(&d, name[k]), k);
    assert_int_equal(dictionary_find(&d, "x_1000"), -1);
    assert_int_equal(dictionary_find(&d, ""), -1);
    assert_int_equal(d.n, N);
    dictionary_free(&d);
}

/* --- Messages that quote nothing ------------------------------------------------------------------------------ */

static void assert_withheld(const char *fmt, const char *text, const char *wanted)
{
    char out[200];
    withhold_quotes(fmt, text, out, sizeof out);
    assert_string_equal(out, wanted);
}

/* Keys stay, and what the program says itself; a text with quotes in it shows nothing of what follows the first. */
static void what_is_quoted_of_a_file_is_withheld(void **state)
{
    (void)state;
    assert_withheld("unknown name \"%s\"", "unknown name \"secret\"", "unknown name \"...\"");
    assert_withheld("unknown key \"%s\" (did you mean \"%s\"?)", "unknown key \"stagse\" (did you mean \"stages\"?)",
                    "unknown key \"stagse\" (did you mean \"stages\"?)");
    assert_withheld("\"initial\" of \"%s\" is missing", "\"initial\" of \"x\" is missing", "\"initial\" of \"...\" is missing");
    assert_withheld("got \"%s\" here", "got \"a\" secret \"b\" here", "got \"...\"");
    assert_withheld("got %s here", "got a\" secret here", "got a\"...\"");
    assert_withheld("must be above %g", "must be above 0", "must be above 0");
    char small[12];
    withhold_quotes("got \"%s\" here", "got \"secret\" here", small, sizeof small);
    assert_string_equal(small, "got \"...\" h");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_gives_the_published_digests), cmocka_unit_test(texts_of_others_are_one_line), cmocka_unit_test(numbers_for_people_have_six_digits),
        cmocka_unit_test(an_array_grown_one_by_one_keeps_its_elements),
        cmocka_unit_test(an_array_moves_at_powers_of_two_alone),
        cmocka_unit_test(many_elements_at_once_have_room),
        cmocka_unit_test(elements_of_no_size_are_an_array_too),
        cmocka_unit_test(the_sequence_is_that_of_splitmix64),
        cmocka_unit_test(ends_of_the_ranges),
        cmocka_unit_test(signed_numbers_are_even),
        cmocka_unit_test(an_arena_hands_out_zeroes_and_keeps_what_it_handed_out),
        cmocka_unit_test(messages_come_in_the_order_of_the_file_and_once),
        cmocka_unit_test(a_note_is_no_error),
        cmocka_unit_test(exit_codes_differ),
        cmocka_unit_test(triplets_become_columns),
        cmocka_unit_test(the_clock_never_goes_back),
        cmocka_unit_test(dot_products),
        cmocka_unit_test(a_dictionary_finds_each_name),
        cmocka_unit_test(what_is_quoted_of_a_file_is_withheld),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
