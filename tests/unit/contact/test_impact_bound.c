/* Bounds of all outcomes of an impact: by hand where the convex set is simple, and against samples of every kind. */
#include "core/impact/bound.h"
#include "core/impact/sample.h"

#include "tests/unit/impacts.h"
#include "tests/unit/assertions.h"

/* Of bound.h: what is added for rounding and for the least multiplier, relative to sqrt(2 K G_rr). */
static const double loose = 2e-6;

static struct impact_numbers mass(double mu, double v_x, double v_z)
{
    struct impact_numbers a = { .n_v = 2, .n_contact = 1, .n_t = 1, .mu = mu };
    a.M[0][0] = a.M[1][1] = 1;
    a.J[0][1] = a.J[1][0] = 1;
    a.v[0] = v_x;
    a.v[1] = v_z;
    return a;
}

static struct impact_bound bound_of(const struct impact_numbers *a, bool is_inelastic)
{
    struct arena mem = { NULL };
    struct impact_system system;
    struct impact_bound bound;
    make_system(&system, &mem, a);
    impact_bound_find(&system, a->v, is_inelastic, &bound);
    arena_free(&mem);
    return bound;
}

/* Without friction a ball keeps its slip, and no more than its speed comes back. */
static void ball_without_friction(void **unused)
{
    (void)unused;
    const struct impact_numbers a = mass(0, 2, -1);
    const struct impact_bound bound = bound_of(&a, false);
    assert_near(bound.least[0], 0, 1e-6);
    assert_near(bound.largest[0], 1, 1e-5);
    assert_near(bound.least[1], 2, 1e-5);
    assert_near(bound.largest[1], 2, 1e-5);
}

/* mu = 0.5, (v_n, v_t) = (-1, 2): the circle of radius sqrt 5 meets the edge v_t = 2 - 0.5 (v_n + 1) of the cone where 1.25 v_n^2
 * - 1.5 v_n - 2.75 = 0, at (2.2, 0.4): no outcome is higher, none slips less; the circle is met at v_n = 0 inside of the cone,
 * at v_t = sqrt 5. */
static void ball_with_friction(void **unused)
{
    (void)unused;
    const struct impact_numbers a = mass(0.5, 2, -1);
    const struct impact_bound bound = bound_of(&a, false);
    assert_near(bound.least[0], 0, 1e-5);
    assert_near(bound.largest[0], 2.2, 1e-5);
    assert_near(bound.least[1], 0.4, 1e-5);
    assert_near(bound.largest[1], sqrt(5), 1e-5);
    assert_true(bound.largest[0] >= 2.2 && bound.least[1] <= 0.4);
}

/* Inelastic, the same ball stops: v_n = 0, and friction has taken 0.5 of the momentum at most: v_t >= 1.5, v_t <= sqrt 5. */
static void inelastic_ball_stops(void **unused)
{
    (void)unused;
    const struct impact_numbers a = mass(0.5, 2, -1);
    const struct impact_bound bound = bound_of(&a, true);
    assert_near(bound.least[0], 0, 1e-5);
    assert_near(bound.largest[0], 0, 1e-5);
    assert_near(bound.least[1], 1.5, 1e-5);
    assert_near(bound.largest[1], sqrt(5), 1e-5);
}

/* The inelastic block turns about a corner that stops: its energy is I_A w^2/2 with I_A = 5/3, the other corner leaves with w. */
static void inelastic_block_turns(void **unused)
{
    (void)unused;
    const struct impact_numbers a = rocking_block();
    const struct impact_bound bound = bound_of(&a, true);
    for (int r = 0; r < 4; r += 2) {
        assert_true(bound.largest[r] <= sqrt(2 * 9.81 * 0.01 / (5.0 / 12 + 0.25)) + 1e-5);
        assert_true(bound.largest[r] > 0.0919);
    }
}

/* All of the energy in one corner: v = v0 M^-1 J_L / sqrt(G_LL), G_LL = 1.6, which impulses of 1.29 and 0.5 m v0 upwards lead to;
 * the pivot's 0.21 v0, and the 0.0919 m/s of springs, are far inside. */
static void block(void **unused)
{
    (void)unused;
    const struct impact_numbers a = rocking_block();
    const struct impact_bound bound = bound_of(&a, false);
    const double v0 = sqrt(2 * 9.81 * 0.01);
    for (int r = 0; r < 4; r += 2) {
        assert_near(bound.largest[r], sqrt(1.6) * v0, 1e-5);
        assert_near(bound.least[r], 0, 1e-5);
        assert_true(bound.largest[r] > 0.0919 && bound.least[r] < 0);
    }
}

/* Samples, corner samples and sequences, with this restitution. */
static void check_samples(const struct impact_numbers *a, double e)
{
    const struct impact_settings settings = { .h = a->h > 0 ? a->h : 1, .max_steps = 20, .samples = 1, .seed = 2, .eps = 1e-4 };
    const struct impact_bound bound = bound_of(a, e == 0);
    struct arena mem = { NULL };
    struct impact_system system;
    struct impact_sampler sampler;
    make_system(&system, &mem, a);
    for (int c = 0; c < system.n_contact; c++)
        system.contact[c].e = e;
    struct impact_step *step = impact_step_create(&system);
    struct impact_step_work *work = impact_step_work_create(step);
    impact_sampler_init(&sampler, step, a->v, &settings);
    for (int i = 0; i < 300; i++) {
        double v[MAX_V], u[IMPACT_MAX_ROWS];
        const struct impact_sample sample = impact_sample_run(&sampler, work, i % 2, (uint64_t)(i / 2), v, NULL, NULL);
        impact_contact_velocity(&system, v, u);
        for (int r = 0; sample.terminated && r < system.n_row; r++)
            assert_true(u[r] >= bound.least[r] && u[r] <= bound.largest[r]);
    }
    impact_step_work_free(work);
    impact_step_free(step);
    arena_free(&mem);
}

static void no_sample_is_beyond(void **unused)
{
    (void)unused;
    const struct impact_numbers all[] = { rocking_block(), compass_gait(), box_wall(), disk_stack(1), mass(0.3, 1, -1) };
    uint64_t state = 0;
    for (int e = 0; e <= 2; e++) {
        for (int k = 0; k < 5; k++)
            check_samples(&all[k], 0.5 * e);
        for (int n_t = 0; n_t <= 2; n_t++) {
            const struct impact_numbers random = random_impact(&state, 3, n_t);
            check_samples(&random, 0.5 * e);
        }
    }
}

/* Friction of 1e5 leaves the programs no digits: energy bounds then, |u_r| <= sqrt(2 K G_rr), here 5. */
static void energy_bounds_at_least(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        const struct impact_numbers a = mass(k == 0 ? 1 : k == 1 ? 1e5 : 1e12, 3, -4);
        const struct impact_bound bound = bound_of(&a, false);
        for (int r = 0; r < 2; r++)
            assert_true(bound.least[r] >= -5 * (1 + loose) && bound.largest[r] <= 5 * (1 + loose));
        assert_true(bound.largest[1] >= 3 && bound.least[0] <= 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_without_friction),
        cmocka_unit_test(ball_with_friction),
        cmocka_unit_test(block),
        cmocka_unit_test(inelastic_ball_stops),
        cmocka_unit_test(inelastic_block_turns),
        cmocka_unit_test(no_sample_is_beyond),
        cmocka_unit_test(energy_bounds_at_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
