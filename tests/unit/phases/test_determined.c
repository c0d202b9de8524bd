/* test_determined.c - transcription/multiphase/rows/determined.c: signs that final values, or rest at the
 * start, settle
 *
 * A block of 1 kg is pushed 1 m in 2 s, from rest to rest, against friction of 2 N. It is at its goal on the surface
 * x = 0, where friction changes, and on v = 0.
 */
#include "tests/unit/phase_problem.h"

#include <stdio.h>
#include <string.h>

#define BLOCK(friction) \
    "cocp: 1\n" \
    "time: {horizon: 2, intervals: 4, elements: 1}\n" \
    "states: {x: {initial: -1, final: 0}, v: {initial: 0, final: 0}}\n" \
    "controls: {u: {bounds: [-10, 10], guess: 2}}\n" \
    "dynamics: {type: ode, rhs: {x: v, v: \"u - " friction "*sign(v)\"}}\n" \
    "cost: {running: {effort: u^2}}\n"

static const char alike[] = BLOCK("2"), changing[] = BLOCK("if(x > 0, 3, 2)");

/* Rows about the sign of a switch. */
static int count_signs(const struct phases *ph, const char *name)
{
    int n = 0;
    for (int k = 0; k < ph->mpcc.nlp.n_g; k++)
        n += strcmp(ph->mpcc.row[k].name, name) == 0;
    return n;
}

/* With 2 stages in each of 4 intervals: v >= 0 at all points but the last one, where v is given. */
static void a_given_final_value_needs_no_sign(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(alike, 2, 1);
    struct finish out = phase_solve(&problem, "p", NULL);
    assert_int_equal(count_signs(out.ph, "v sign"), 7);
    finish_free(&out);
    phase_free(&problem);
}

/* At rest x stays 0: no sign of it in the last mode, before that at all points; the solution is that of the same
 * block with one friction, as it never gets beyond its goal. */
static void a_place_of_rest_has_no_side(void **state)
{
    (void)state;
    const double t = 1.6;
    struct phase_problem one = phase_read(alike, 2, 1), two = phase_read(changing, 2, 1);
    struct finish known = phase_solve(&one, "p 3.5 0", &t), out = phase_solve(&two, "np 3.5 n0", &t);
    assert_int_equal(count_signs(out.ph, "x sign"), 8);         /* 5 pieces of 2 points, 4 of them with the block in motion */
    assert_near(out.objective, known.objective, 1e-7);
    assert_true(out.iterations < 40);
    finish_free(&known);
    finish_free(&out);
    phase_free(&one);
    phase_free(&two);
}

/* A goal beside the surface settles nothing. */
static void a_goal_beside_the_surface_keeps_its_signs(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(alike, 2, 1);
    problem.small.model->x[1].final.lo = problem.small.model->x[1].final.hi = 0.1;
    struct finish out = phase_solve(&problem, "p", NULL);
    assert_int_equal(count_signs(out.ph, "v sign"), 8);
    finish_free(&out);
    phase_free(&problem);
}

/* A mass at rest on a spring and a damper that is softer one way, whose ground jumps by 1 m at 0.4 s: v is 0 until
 * then whatever the damper does, and its sign says nothing, in 2 pieces of 5 with 2 points each. In motion it does. */
static void rest_at_the_start_has_no_side(void **state)
{
    (void)state;
    static const char spec[] =
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 4, elements: 1}\n"
        "states: {x: {initial: 0}, v: {initial: %s}}\n"
        "controls: {k: {bounds: [0.3, 4], guess: 1}}\n"
        "dynamics: {type: ode, rhs: {x: v, v: \"20*if(t < 0.4, 0, 1) - 20*x - k*if(v > 0, 0.5, 1)*v\"}}\n"
        "cost: {running: {still: v^2}}\n";
    static const struct { const char *v; int signs; } row[] = { { "0", 6 }, { "0.1", 10 } };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char text[600];
        const double t = 0.4;
        (void)snprintf(text, sizeof text, spec, row[k].v);
        struct phase_problem problem = phase_read(text, 2, 1);
        struct sequence *seq = phase_sequence(&problem, "pp 1.5 np");
        struct samples *samples = phase_constant(&problem, seq, &t);
        struct finish out;
        assert_int_equal(finish_build(&problem.task, seq, samples, &out, problem.small.diag), STATUS_OK);
        assert_int_equal(count_signs(out.ph, "v sign"), row[k].signs);
        finish_free(&out);
        samples_free(samples);
        sequence_free(seq);
        phase_free(&problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_given_final_value_needs_no_sign), cmocka_unit_test(a_place_of_rest_has_no_side),
        cmocka_unit_test(a_goal_beside_the_surface_keeps_its_signs), cmocka_unit_test(rest_at_the_start_has_no_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
