/* Springs and dampers at two contacts: closed forms, balances, and the figures of SVI 5.4.1. */
#include "core/impact/compliant.h"

#include "tests/unit/assertions.h"
#include "tests/unit/read_spec.h"

#include <stdlib.h>

struct bench {
    struct diag *diag;
    struct spec *spec;
    struct model *model;
    struct impact_state state;
    struct impact_compliant *compliant;
};

static void set_up(struct bench *b, const char *text)
{
    double x[16], p[1] = { 0 };
    const char *why;
    b->diag = diag_create();
    read_spec(text, MODEL_FOR_IMPACT, b->diag, &b->spec, &b->model);
    for (int k = 0; k < b->model->n_x; k++)
        x[k] = b->model->x[k].initial.lo;
    assert_int_equal(impact_state_read(b->model, x, p, 1e-6, 4, &b->state, b->diag), STATUS_OK);
    b->compliant = impact_compliant_create(b->model, &b->state, x, p, &why);
}

static void tear_down(struct bench *b)
{
    impact_compliant_free(b->compliant);
    arena_free(&b->state.mem);
    model_free(b->model);
    spec_free(b->spec);
    diag_free(b->diag);
}

static const char mass_in_a_corner[] =
    "cocp: 1\nname: corner\nstates:\n"
    "  x: {initial: 0}\n  y: {initial: 0}\n  vx: {initial: -1}\n  vy: {initial: -0.5}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, y: vy}, mass: {diag: [2, 2]}}\n"
    "contacts: {wall: {gap: x}, floor: {gap: y}}\n";

static const char rocking_block[] =
    "cocp: 1\nname: block\nstates:\n"
    "  x: {initial: 0}\n  y: {initial: 1}\n  th: {initial: 0}\n"
    "  vx: {initial: 0}\n  vy: {initial: -sqrt(2*9.81*0.01)}\n  om: {initial: 0}\n"
    "dynamics:\n  type: mechanical\n  coordinates: {x: vx, y: vy, th: om}\n"
    "  mass: {diag: [1, 1, 5/12]}\n  force: {y: -9.81}\n"
    "contacts:\n"
    "  left: {gap: y - sin(th)/2 - cos(th), tangent: x - cos(th)/2 + sin(th), friction: 1}\n"
    "  right: {gap: y + sin(th)/2 - cos(th), tangent: x + cos(th)/2 + sin(th), friction: 1}\n";

/* Without friction the two directions are two overdamped springs, m x'' + d x' + k x = 0 from x = 0, x' = -1: with
 * the rates r < R, x' vanishes at ln(R / r) / (R - r), where the wall has given m (1 + 0). mass = 2 K / 1 = 2.5 is
 * what damping uses, zeta = 5. The wall is a hundred times stiffer, so the floor is the last to stop. */
static void corner_stops_as_by_hand(void **unused)
{
    (void)unused;
    const double m = 2, mass = 2.5, ratio[2] = { 100, 1 };
    double expected = 0, v[2];
    struct bench b;
    set_up(&b, mass_in_a_corner);
    for (int c = 0; c < 2; c++) {
        const double k = 1e6 * ratio[c], d = 10 * sqrt(k * mass);
        const double root = sqrt(d * d - 4 * m * k), r = (d - root) / (2 * m), R = (d + root) / (2 * m);
        expected = fmax(expected, log(R / r) / (R - r));
    }
    const struct impact_collision found = impact_compliant_stiffness(b.compliant, 100, v);
    assert_true(found.is_complete);
    assert_near(found.seconds, expected, 1e-3 * expected);      /* it stops at the end of a step */
    assert_near(found.impulse[1], m * (0.5 + v[1]), 1e-6);
    assert_near(v[1], 0, 1e-4);
    assert_near(found.impulse[0], m * (1 + v[0]), 1e-6);        /* the wall has begun to push back */
    tear_down(&b);
}

/* Momentum: what the corners give is m (v_y+ - v_y-) + m g t; 1e-6 is a hundred times the error of all steps. */
static void impulses_balance_momentum(void **unused)
{
    (void)unused;
    struct bench b;
    double v[3];
    set_up(&b, rocking_block);
    for (int k = -3; k <= 3; k++) {
        const struct impact_collision found = impact_compliant_stiffness(b.compliant, pow(10, k), v);
        assert_true(found.is_complete);
        assert_near(found.impulse[0] + found.impulse[1], v[1] + sqrt(2 * 9.81 * 0.01) + 9.81 * found.seconds,
                    1e-6);
    }
    tear_down(&b);
}

/* Mirrored springs give the mirrored outcome, equal ones none of a turn. */
static void mirrored_springs_mirror_the_outcome(void **unused)
{
    (void)unused;
    struct bench b;
    double v[3], w[3];
    set_up(&b, rocking_block);
    (void)impact_compliant_stiffness(b.compliant, 30, v);
    (void)impact_compliant_stiffness(b.compliant, 1.0 / 30, w);
    assert_near(v[0], -w[0], 1e-7);
    assert_near(v[1], w[1], 1e-7);
    assert_near(v[2], -w[2], 1e-7);
    (void)impact_compliant_stiffness(b.compliant, 1, v);
    assert_near(v[2], 0, 1e-12);
    assert_near(v[1], 0, 1e-4);     /* the springs give back a little: 1e-9 m/s of approach against weight */
    tear_down(&b);
}

/* SVI Fig. 12, top: between 10^-5 and 10^5 the outcomes stay within the set, whose extreme is the sequence (0.21
 * v0, see test_impact_set), and nearly reach it. */
static void stiffness_sweeps_the_set(void **unused)
{
    (void)unused;
    const double extreme = 0.21 * sqrt(2 * 9.81 * 0.01);
    struct bench b;
    double v[3], last = 0;
    set_up(&b, rocking_block);
    for (int k = 0; k <= 5; k++) {
        assert_true(impact_compliant_stiffness(b.compliant, pow(10, k), v).is_complete);
        const double left = v[1] - v[2] / 2, right = v[1] + v[2] / 2;
        assert_near(right, 0, 1e-5);        /* one corner separates, the other one stays; weight in 0.5 ms: 5e-3 */
        assert_true(left >= last - 1e-5 && left < extreme);
        last = left;
    }
    assert_true(last > 0.98 * extreme);
    tear_down(&b);
}

/* SVI Fig. 12, bottom: at 0.01 degrees 99.9992 % of the first corner's impulse comes before the second corner's,
 * and the outcome lies slightly beyond the set. */
static void angle_makes_a_sequence(void **unused)
{
    (void)unused;
    const double extreme = 0.21 * sqrt(2 * 9.81 * 0.01), gap = sin(0.01 * acos(-1.0) / 180);
    struct bench b;
    double v[3];
    set_up(&b, rocking_block);
    const struct impact_collision found = impact_compliant_gap(b.compliant, -gap, v);
    assert_true(found.is_complete);
    assert_near(found.first_share, 0.999992, 5e-7);     /* the figure has six digits */
    const double left = v[1] - v[2] / 2;
    assert_true(left > extreme && left < 1.03 * extreme);
    tear_down(&b);
}

static void one_contact_is_refused(void **unused)
{
    (void)unused;
    struct bench b;
    set_up(&b, "cocp: 1\nname: one\nstates:\n  y: {initial: 0}\n  v: {initial: -1}\n"
               "dynamics: {type: mechanical, coordinates: {y: v}, mass: {diag: [1]}}\n"
               "contacts: {floor: {gap: y}}\n");
    assert_null(b.compliant);
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corner_stops_as_by_hand),
        cmocka_unit_test(impulses_balance_momentum),
        cmocka_unit_test(mirrored_springs_mirror_the_outcome),
        cmocka_unit_test(stiffness_sweeps_the_set),
        cmocka_unit_test(angle_makes_a_sequence),
        cmocka_unit_test(one_contact_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
