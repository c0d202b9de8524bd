/* Restitution in sets of outcomes, impact.md 5.1: bodies whose rebound is known by hand, and the energy of all others. */
#include "core/impact/sample.h"

#include "tests/unit/impacts.h"
#include "tests/unit/assertions.h"

struct bench {
    struct impact_numbers numbers;
    struct arena mem;
    struct impact_system system;
    struct impact_step *step;
    struct impact_step_work *work;
    struct impact_sampler sampler;
};

static void set_up(struct bench *b, struct impact_numbers numbers, double e, double h)
{
    const struct impact_settings settings = { .h = h, .max_steps = 10, .samples = 1, .seed = 1, .eps = 1e-4 };
    *b = (struct bench){ .numbers = numbers };
    make_system(&b->system, &b->mem, &b->numbers);
    for (int c = 0; c < b->system.n_contact; c++)
        b->system.contact[c].e = e;
    b->step = impact_step_create(&b->system);
    b->work = impact_step_work_create(b->step);
    impact_sampler_init(&b->sampler, b->step, b->numbers.v, &settings);
}

static void tear_down(struct bench *b)
{
    impact_step_work_free(b->work);
    impact_step_free(b->step);
    arena_free(&b->mem);
}

/* A mass in the plane that hits the floor: z up, x along it. */
static struct impact_numbers ball(double m, double mu, double v_x, double v_z)
{
    struct impact_numbers a = { .n_v = 2, .n_contact = 1, .n_t = 1, .mu = mu };
    a.M[0][0] = a.M[1][1] = m;
    a.J[0][1] = a.J[1][0] = 1;
    a.v[0] = v_x;
    a.v[1] = v_z;
    return a;
}

/* A 2 kg ball at -3 m/s with e = 0.5 leaves at +1.5 m/s; the floor gives m (1 + e) |v| = 9 N s. In steps of at most
 * 4 N s, and with friction 0.1, which takes 0.9 N s from its slip in any number of steps. */
static void ball_rebounds(void **unused)
{
    (void)unused;
    for (int k = 0; k < 20; k++) {
        struct bench b;
        double v[2], impulse[2];
        set_up(&b, ball(2, 0.1, 5, -3), 0.5, 4);
        const struct impact_sample sample = impact_sample_run(&b.sampler, b.work, false, (uint64_t)k, v, impulse, NULL);
        assert_true(sample.terminated && !sample.is_cut);
        assert_near(v[1], 1.5, 1e-12);
        assert_near(v[0], 5 - 0.45, 1e-12);
        assert_near(impulse[0], 9, 1e-12);
        assert_near(impulse[1], -0.9, 1e-12);
        tear_down(&b);
    }
}

/* The slip of 0.2 m/s ends in the compression; what is given back has no slip to brake and leaves it at rest. */
static void friction_ends_with_the_slip(void **unused)
{
    (void)unused;
    struct bench b;
    double v[2];
    set_up(&b, ball(1, 0.5, 0.2, -1), 0.5, 0.5);
    const struct impact_sample sample = impact_sample_run(&b.sampler, b.work, false, 3, v, NULL, NULL);
    assert_true(sample.terminated);
    assert_near(v[0], 0, 1e-12);
    assert_near(v[1], 0.5, 1e-12);
    tear_down(&b);
}

/* The block falls flat, both corners at once: each takes m v0 / 2 and gives e times that back, so that v_plus = -e v. */
static void block_rebounds_flat(void **unused)
{
    (void)unused;
    struct bench b;
    double v[3];
    set_up(&b, rocking_block(), 0.6, 10);
    const struct impact_sample sample = impact_sample_run(&b.sampler, b.work, true, 0, v, NULL, NULL);
    assert_true(sample.terminated && !sample.is_cut);
    assert_near(v[0], 0, 1e-13);
    assert_near(v[1], 0.6 * sqrt(2 * 9.81 * 0.01), 1e-13);
    assert_near(v[2], 0, 1e-13);
    tear_down(&b);
}

/* Whatever the coefficient: no energy comes in, nothing approaches, and where e = 1 would bring energy less is given
 * back, so that all of the energy before is left. */
static void energy_never_grows(void **unused)
{
    (void)unused;
    const struct impact_numbers all[] = { rocking_block(), compass_gait(), box_wall(), disk_stack(1) };
    for (int k = 0; k < 4; k++)
        for (int e = 1; e <= 2; e++) {
            struct bench b;
            int n_cut = 0;
            set_up(&b, all[k], 0.5 * e, all[k].h > 0 ? all[k].h : 1);
            for (int sample = 0; sample < 200; sample++) {
                double v[MAX_V], u[IMPACT_MAX_ROWS];
                const struct impact_sample out = impact_sample_run(&b.sampler, b.work, sample % 2, (uint64_t)(sample / 2),
                                                                   v, NULL, NULL);
                assert_true(out.solved && out.violation <= 1e-8);
                assert_true(out.energy <= b.sampler.energy_minus * (1 + 1e-12));
                assert_true(out.growth <= 1e-12);
                impact_contact_velocity(&b.system, v, u);
                for (int c = 0; out.terminated && c < b.system.n_contact; c++)
                    assert_true(u[b.system.contact[c].row] >= -IMPACT_TOL - 1e-12);
                n_cut += out.is_cut;
            }
            if (k == 0 && e == 2)
                assert_true(n_cut > 0);
            tear_down(&b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_rebounds),
        cmocka_unit_test(friction_ends_with_the_slip),
        cmocka_unit_test(block_rebounds_flat),
        cmocka_unit_test(energy_never_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
