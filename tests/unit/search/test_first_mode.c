/* test_first_mode.c - what given initial values begin with, and what slides by chance */
#define _POSIX_C_SOURCE 200809L     /* open_memstream */

#include "tests/unit/phase_problem.h"
#include "tests/unit/sequence_text.h"

#include "transcription/reading/extract.h"
#include "transcription/sequence/first_mode.h"
#include "transcription/sequence/sliding.h"

#define BLOCK(v, w, z) \
    "cocp: 1\n" \
    "time: {horizon: 1, intervals: 4, elements: 1}\n" \
    "states: {x: {initial: 0}, z: {initial: " z "}, v: {initial: " v "}, w: {initial: " w "}}\n" \
    "controls: {u: {bounds: [-8, 8]}}\n" \
    "dynamics: {type: mechanical, coordinates: {x: v, z: w}, mass: {diag: [1, 1]}, force: {x: u, z: -9.81}}\n" \
    "contacts: {floor: {gap: z, slip: v, friction: 0.3}}\n" \
    "cost: {running: {effort: u^2}}\n"

/* The sequence `told` begins otherwise than the spec: what comes of it. */
static void begins(const char *spec, const char *told, const char *want)
{
    struct phase_problem problem = phase_read(spec, 2, 1);
    const double t[] = { 0.6 };
    struct extract extract = { phase_sequence(&problem, told), NULL, 0 };
    extract.samples = phase_constant(&problem, extract.seq, t);
    assert_int_equal(first_mode_is(problem.sys, extract.seq), strcmp(told, want) == 0);
    extract_first(problem.sys, &extract);
    assert_text(extract.seq, want);
    assert_true(first_mode_is(problem.sys, extract.seq));
    assert_int_equal(extract.samples->n_event, extract.seq->n_event);
    for (int j = 0; j < extract.seq->n_event; j++)
        assert_true(extract.samples->t_event[j] > 0 && extract.samples->t_event[j] < 1);
    extract_free(&extract);
    phase_free(&problem);
}

static void velocities_say_the_first_mode(void **state)
{
    (void)state;
    begins(BLOCK("0", "0", "0"), "k 4 +", "k 4 +");
    begins(BLOCK("0.01", "0", "0"), "k 4 +", "+ 0.5 k 4 +");
    begins(BLOCK("-0.01", "0", "0"), "k 4 +", "- 0.5 k 4 +");
    begins(BLOCK("-0.01", "0", "0"), "+ 4 k", "- 0.5 + 4 k");
    begins(BLOCK("0", "0.01", "0"), "k 4 +", "o 0.5!k k 4 +");
    begins(BLOCK("0", "-0.01", "0"), "k 4 +", "o 0.5!k k 4 +");
    begins(BLOCK("0", "0", "0.01"), "k 4 +", "o 0.5!k k 4 +");
}

/* What touches and approaches is hit, though it is open before and after. */
static void what_approaches_is_hit_at_once(void **state)
{
    (void)state;
    begins(BLOCK("0", "-0.01", "0"), "o 4.5!k k", "o 0.5!k o 4.5!k k");
    begins(BLOCK("0.02", "-0.01", "0"), "o", "o 0.5!+ o");
    begins(BLOCK("0", "0.01", "0"), "o", "o");
}

/* Free values and rounding say nothing. */
static void what_is_free_says_nothing(void **state)
{
    (void)state;
    begins(BLOCK("free", "0", "0"), "k", "k");
    begins(BLOCK("1e-9", "-1e-9", "1e-9"), "k", "k");
}

#define DRY \
    "cocp: 1\n" \
    "time: {horizon: 1, intervals: 4, elements: 1}\n" \
    "states: {x: {initial: 0}, v: {initial: 0.1}}\n" \
    "controls: {u: {bounds: [-8, 8]}}\n" \
    "dynamics: {type: mechanical, coordinates: {x: v}, mass: {diag: [1]}, force: {x: u - 2*sign(v)}}\n" \
    "cost: {running: {effort: u^2}}\n"

static void switches_have_their_sign(void **state)
{
    (void)state;
    begins(DRY, "0 4 n", "p 0.5 0 4 n");
    begins(DRY, "n 4 0", "p 0.5 n 4 0");
    begins(DRY, "p 4 0", "p 4 0");
}

/* --- Sliding by chance ---------------------------------------------------------------------------------------- */

/* Two genes: alpha of 1 - y is in x', that of 1 - x in y'. */
#define GENES \
    "cocp: 1\n" \
    "time: {horizon: 3, intervals: 4, elements: 1}\n" \
    "states: {x: {initial: 2}, y: {initial: 0}}\n" \
    "controls: {u: {bounds: [0, 4]}}\n" \
    "dynamics: {type: ode, rhs: {x: 2*step(1 - y) - x, y: 2*step(1 - x) - y + u}}\n" \
    "cost: {running: {effort: u^2}}\n"

static void slides_by_chance(const char *spec, const char *text, bool want)
{
    struct phase_problem problem = phase_read(spec, 2, 1);
    struct sequence *seq = phase_sequence(&problem, text);
    assert_int_equal(sliding_by_chance(problem.sys, seq), want);
    sequence_free(seq);
    phase_free(&problem);
}

static void alpha_of_a_slide_acts_on_it(void **state)
{
    (void)state;
    slides_by_chance(GENES, "pn 2.5 nn", false);
    slides_by_chance(GENES, "pn 2.5 0n", true);
    slides_by_chance(GENES, "pn 2.5 p0", true);
    slides_by_chance(GENES, "pn 2.5 00", false);        /* each holds the other */
    slides_by_chance(DRY, "p 2.5 0", false);            /* by its acceleration */
}

static void beside(const char *text, bool later, const char *want)
{
    struct phase_problem problem = phase_read(GENES, 2, 1);
    const double t[] = { 1, 2 };
    struct extract from = { phase_sequence(&problem, text), NULL, 0 };
    from.samples = phase_constant(&problem, from.seq, t);
    struct extract out = extract_beside_sliding(problem.sys, &from, later);
    assert_text(out.seq, want);
    assert_int_equal(out.samples->n_event, out.seq->n_event);
    extract_free(&out);
    extract_free(&from);
    phase_free(&problem);
}

static void a_side_takes_its_place(void **state)
{
    (void)state;
    beside("pn 2.5 0n 4.5 nn", true, "pn 2.5 nn");
    beside("pn 2.5 0n 4.5 nn", false, "pn 4.5 nn");
    beside("pn 2.5 0n 4.5 pn", true, "pn");
    beside("pn 2.5 0n", false, "pn");
    beside("0n 2.5 nn", false, "pn 2.5 nn");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_say_the_first_mode), cmocka_unit_test(what_approaches_is_hit_at_once),
        cmocka_unit_test(what_is_free_says_nothing), cmocka_unit_test(switches_have_their_sign),
        cmocka_unit_test(alpha_of_a_slide_acts_on_it), cmocka_unit_test(a_side_takes_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
