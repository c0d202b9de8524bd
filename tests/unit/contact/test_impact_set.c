/* Sets of outcomes and the single outcomes of other laws, on the systems of SVI 5.4 (impact.md 7). */
#include "core/contact/laws.h"
#include "core/impact/pointed.h"
#include "core/impact/set.h"

#include "tests/unit/impacts.h"
#include "tests/unit/assertions.h"

struct bench {
    struct impact_numbers numbers;
    struct arena mem;
    struct impact_system system;
    struct impact_step *step;
    struct impact_settings settings;
    struct impact_sampler sampler;
    struct impact_set set;
};

static void set_up(struct bench *b, struct impact_numbers numbers, int max_steps, int n_samples, bool corners)
{
    *b = (struct bench){ .numbers = numbers };
    make_system(&b->system, &b->mem, &b->numbers);
    b->step = impact_step_create(&b->system);
    b->settings = (struct impact_settings){ .h = numbers.h, .max_steps = max_steps, .samples = n_samples,
                                            .sampling = SAMPLE_SOBOL, .seed = 1, .corners = corners, .eps = 1e-4 };
    impact_sampler_init(&b->sampler, b->step, b->numbers.v, &b->settings);
}

static void run(struct bench *b, int n_threads)
{
    const struct impact_task task = {
        .sampler = &b->sampler, .n_samples = b->settings.samples, .n_threads = n_threads, .max_seconds = INFINITY,
        .n_corners = impact_n_corners(&b->system, &b->settings), .n_paths = 8, .path_points = 5
    };
    arena_free(&b->set.mem);
    assert_int_equal(impact_set_run(&task, &b->set), STATUS_OK);
}

static void tear_down(struct bench *b)
{
    arena_free(&b->set.mem);
    impact_step_free(b->step);
    arena_free(&b->mem);
}

/* Least distance of v to an outcome of the set, largest entry. */
static double distance(const struct bench *b, const double *v)
{
    double least = INFINITY;
    for (int k = 0; k < b->set.n; k++) {
        double far = 0;
        for (int j = 0; j < b->system.n_v; j++)
            far = fmax(far, fabs(v[j] - b->set.v[k * b->system.n_v + j]));
        if (b->set.sample[k].terminated)
            least = fmin(least, far);
    }
    return least;
}

/* Outcomes of a contact: sticks, slides (either way), lifts. */
enum { STICKS, SLIDES, LIFTS };
static int kind_of(const double *u)
{
    return u[0] > 1e-6 ? LIFTS : fabs(u[1]) > 1e-6 ? SLIDES : STICKS;
}

/* Samples of each pair of kinds of two planar contacts. */
static void count_kinds(const struct bench *b, int count[3][3])
{
    memset(count, 0, 9 * sizeof count[0][0]);
    for (int k = 0; k < b->set.n; k++) {
        double u[IMPACT_MAX_ROWS];
        impact_contact_velocity(&b->system, b->set.v + k * b->system.n_v, u);
        if (b->set.sample[k].terminated)
            count[kind_of(u)][kind_of(u + 2)]++;
    }
}

/* What holds for every sample: energy does not grow, each LCP is solved, nothing approaches at the end. Violations
 * are relative to the velocities of a step; late steps have a 10^-5th of the first ones, whose rounding of 1e-16
 * they inherit. */
static const double violation_tol = 1e-9;

static void check_samples(const struct bench *b)
{
    const double before = impact_energy(&b->system, b->numbers.v);
    for (int k = 0; k < b->set.n; k++) {
        const struct impact_sample *sample = &b->set.sample[k];
        double u[IMPACT_MAX_ROWS];
        assert_true(sample->solved);
        assert_true(sample->violation <= violation_tol);
        assert_true(sample->growth <= 1e-12);
        assert_true(sample->energy <= before * (1 + 1e-12));
        impact_contact_velocity(&b->system, b->set.v + k * b->system.n_v, u);
        for (int c = 0; sample->terminated && c < b->system.n_contact; c++)
            assert_true(u[b->system.contact[c].row] >= -IMPACT_TOL - 1e-12);
    }
}

/* SVI Fig. 9: rest, and pivoting about either corner with the other lifting. By hand, A first: angular momentum
 * about A is kept, I_A om = -m v0 w / 2 with I_A = I + m (w^2 + H^2) / 4 = 5/3, so om = -0.3 v0; then B hits and
 * the spin scales by 0.7 (impact.md 10). Anitescu and Potra's law gives rest alone. */
static void block_rests_or_pivots(void **unused)
{
    (void)unused;
    struct bench b;
    int count[3][3];
    struct impact_outcomes found;
    set_up(&b, rocking_block(), 10, 1 << 14, true);
    run(&b, 2);
    check_samples(&b);
    count_kinds(&b, count);
    assert_true(count[STICKS][STICKS] > 0 && count[STICKS][LIFTS] > 0 && count[LIFTS][STICKS] > 0);
    const double om = -0.21 * sqrt(2 * 9.81 * 0.01);
    const double pivot_B[3] = { -om, -om / 2, om }, rest[3] = { 0, 0, 0 };
    assert_true(distance(&b, pivot_B) <= 1e-6);
    assert_true(distance(&b, rest) <= 1e-6);

    found = impact_anitescu_potra(&b.system, b.numbers.v, &b.mem);
    assert_int_equal(found.n, 1);
    for (int j = 0; j < 3; j++)
        assert_near(found.outcome[0].v[j], 0, 1e-14);
    found = impact_sequential(&b.system, b.numbers.v, &b.mem);
    assert_int_equal(found.n, 2);
    for (int k = 0; k < 2; k++) {
        assert_true(found.outcome[k].is_complete);
        assert_true(distance(&b, found.outcome[k].v) <= 1e-6);
    }
    for (int j = 0; j < 3; j++)     /* A first, then B: the block turns about B */
        assert_near(found.outcome[0].v[j], pivot_B[j], 1e-14);
    tear_down(&b);
}

/* SVI Fig. 4: the leading foot sticks in all three solutions; the trailing one sticks, slides or lifts. Sticking
 * is rest; where B lifts its impulse is zero and A alone takes -(J_A M^-1 J_A')^-1 J_A v. */
static void walker_sticks_slides_or_lifts(void **unused)
{
    (void)unused;
    struct bench b;
    int count[3][3], kinds[3] = { 0 };
    struct impact_outcomes found;
    set_up(&b, compass_gait(), 5, 1 << 14, true);
    run(&b, 2);
    check_samples(&b);
    count_kinds(&b, count);
    for (int k = 0; k < 3; k++)
        assert_true(count[STICKS][k] > 0);
    assert_true(count[SLIDES][STICKS] + count[LIFTS][STICKS] > 0);      /* impulses that alternate */
    found = impact_anitescu_potra(&b.system, b.numbers.v, &b.mem);
    assert_int_equal(found.n, 3);
    for (int k = 0; k < 3; k++) {
        const struct impact_outcome *outcome = &found.outcome[k];
        double u[IMPACT_MAX_ROWS];
        impact_contact_velocity(&b.system, outcome->v, u);
        assert_int_equal(kind_of(u), STICKS);
        kinds[kind_of(u + 2)]++;
        if (kind_of(u + 2) == LIFTS)
            assert_near(outcome->impulse[2], 0, 1e-14);
        if (kind_of(u + 2) == STICKS)
            assert_near(impact_energy(&b.system, outcome->v), 0, 1e-14);
        assert_true(distance(&b, outcome->v) <= 1e-6);
    }
    for (int k = 0; k < 3; k++)
        assert_int_equal(kinds[k], 1);
    found = impact_sequential(&b.system, b.numbers.v, &b.mem);
    for (int k = 0; k < found.n; k++)
        assert_true(found.outcome[k].is_complete && distance(&b, found.outcome[k].v) <= 1e-6);
    tear_down(&b);
}

/* SVI Fig. 5: Anitescu and Potra's law brings the box to rest; in sequence the wall comes first, the floor contact
 * slides on and the wall contact lifts off. */
static void box_rests_or_slides_on(void **unused)
{
    (void)unused;
    struct bench b;
    int count[3][3];
    struct impact_outcomes found;
    set_up(&b, box_wall(), 5, 1 << 14, true);
    run(&b, 2);
    check_samples(&b);
    count_kinds(&b, count);
    assert_true(count[SLIDES][LIFTS] > 0);
    assert_true(count[SLIDES][SLIDES] + count[STICKS][SLIDES] + count[LIFTS][SLIDES] > 0);
    found = impact_anitescu_potra(&b.system, b.numbers.v, &b.mem);
    assert_int_equal(found.n, 1);
    for (int j = 0; j < 3; j++)
        assert_near(found.outcome[0].v[j], 0, 1e-14);
    assert_true(distance(&b, found.outcome[0].v) <= 1e-6);
    found = impact_sequential(&b.system, b.numbers.v, &b.mem);
    assert_int_equal(found.n, 1);
    double u[IMPACT_MAX_ROWS];
    impact_contact_velocity(&b.system, found.outcome[0].v, u);
    assert_true(kind_of(u) == SLIDES && kind_of(u + 2) == LIFTS);
    assert_true(distance(&b, found.outcome[0].v) <= 1e-6);
    tear_down(&b);
}

/* SVI Fig. 14: Anitescu and Potra's law leaves the stack at rest; samples let it fall apart. The mirror image of
 * an outcome (x -> -x, left and right swapped) has the same energy and obeys the same laws: both sides must
 * show. */
static void stack_falls_apart_either_way(void **unused)
{
    (void)unused;
    struct bench b;
    struct impact_outcomes found;
    double side[2] = { 0 };
    set_up(&b, disk_stack(1), 10, 1 << 10, false);
    run(&b, 2);
    check_samples(&b);
    for (int k = 0; k < b.set.n; k++) {
        double u[IMPACT_MAX_ROWS];
        impact_contact_velocity(&b.system, b.set.v + 9 * k, u);
        side[0] = fmax(side[0], u[4]);
        side[1] = fmax(side[1], u[6]);
    }
    assert_true(side[0] > 0.05 && side[1] > 0.05);
    found = impact_anitescu_potra(&b.system, b.numbers.v, &b.mem);
    assert_true(found.n >= 1);
    for (int k = 0; k < found.n; k++)
        assert_near(impact_energy(&b.system, found.outcome[k].v), 0, 1e-12);
    tear_down(&b);
}

static void threads_do_not_matter(void **unused)
{
    (void)unused;
    struct bench b;
    const int n = 3000;
    set_up(&b, compass_gait(), 5, n, true);
    run(&b, 1);
    const size_t size = (size_t)(b.set.n * b.system.n_v) * sizeof(double);
    double *alone = test_malloc(size), path[8 * 5 * 4];
    memcpy(alone, b.set.v, size);
    memcpy(path, b.set.path, sizeof path);
    run(&b, 5);
    assert_memory_equal(alone, b.set.v, size);
    assert_memory_equal(path, b.set.path, sizeof path);
    b.settings.seed = 2;
    impact_sampler_init(&b.sampler, b.step, b.numbers.v, &b.settings);
    run(&b, 1);
    assert_memory_not_equal(alone, b.set.v, size);
    test_free(alone);
    tear_down(&b);
}

/* Sobol' and random points sample the same set: shares of a kind of outcome agree within what 4096 random samples
 * allow (five standard errors of a share, 5 / (2 sqrt(4096)) = 0.04). */
static void sampling_kinds_agree(void **unused)
{
    (void)unused;
    double share[2];
    for (int k = 0; k < 2; k++) {
        struct bench b;
        int count[3][3];
        set_up(&b, compass_gait(), 5, 4096, false);
        b.settings.sampling = k == 0 ? SAMPLE_SOBOL : SAMPLE_RANDOM;
        impact_sampler_init(&b.sampler, b.step, b.numbers.v, &b.settings);
        run(&b, 2);
        count_kinds(&b, count);
        share[k] = count[STICKS][LIFTS] / 4096.0;
        tear_down(&b);
    }
    assert_true(share[0] > 0.05);
    assert_near(share[0], share[1], 0.04);
}

/* A path begins with the velocity before the impact and ends with that of the sample; its s is the momentum that has come in,
 * m (y' + v0) with y' = (u_A + u_B)/2. */
static void paths_lead_to_the_outcome(void **unused)
{
    (void)unused;
    struct bench b;
    set_up(&b, rocking_block(), 10, 64, false);
    run(&b, 2);
    for (int k = 0; k < b.set.n_paths; k++) {
        const int n = b.set.sample[k].n_steps;
        const double *path = b.set.path + k * 5 * 4;
        double u[IMPACT_MAX_ROWS];
        for (int r = 0; r < 4; r++)
            assert_true(path[r] == b.sampler.u_minus[r]);
        impact_contact_velocity(&b.system, b.set.v + 3 * k, u);
        for (int r = 0; r < 4 && n < 5; r++)
            assert_near(path[4 * n + r], u[r], 1e-14);
        for (int r = 4 * (n + 1); r < 20; r++)
            assert_true(isnan(path[r]));
        for (int i = 0; i < 5; i++)
            if (i <= n)
                assert_near(b.set.path_s[5 * k + i], (path[4 * i] + path[4 * i + 2]) / 2 - b.numbers.v[1], 1e-14);
            else
                assert_true(isnan(b.set.path_s[5 * k + i]));
    }
    tear_down(&b);
}

/* r of the block by hand: by symmetry r = (0, y, 0), and M^-1 (J_n +- J_t) has y-part 1 / m = 1, so r = (0, 1, 0).
 * sigma = 5/12, m = 2, h = 0.3: c = 4 ceil(3 / (0.3 sqrt(5/12))) = 64; |v|_M = 0.44, k = ceil(9 log 1000) = 63. */
static void bound_of_the_block_by_hand(void **unused)
{
    (void)unused;
    struct bench b;
    struct impact_pointed pointed;
    set_up(&b, rocking_block(), 10, 1, false);
    impact_pointed_check(&b.system, &pointed);
    assert_true(pointed.is_pointed);
    assert_near(pointed.r_length, 1, 1e-12);
    assert_near(pointed.sigma, 5.0 / 12, 1e-14);
    assert_near(impact_step_bound(&b.system, &pointed, b.numbers.v, 0.3, 1e-3), 64 + 63, 0);
    tear_down(&b);
}

/* Two contacts that face each other (a mass between two walls) push against each other; a third does not. With
 * friction they do even where the walls are inclined by less than the angle of friction. */
static void wedged_contacts_are_named(void **unused)
{
    (void)unused;
    struct impact_numbers a = { .n_v = 2, .n_contact = 3, .n_t = 1, .mu = 0.5, .h = 1 };
    struct impact_pointed pointed;
    for (int k = 0; k < 2; k++) {
        const double lean = k == 0 ? 0.4 : 0.5;     /* rad; atan(0.5) = 0.4636 */
        const double n[3][2] = { { cos(lean), sin(lean) }, { 0, 1 }, { -cos(lean), sin(lean) } };
        struct arena mem = { NULL };
        struct impact_system system;
        a.M[0][0] = a.M[1][1] = 1;
        for (int c = 0; c < 3; c++) {
            a.J[2 * c][0] = n[c][0];
            a.J[2 * c][1] = n[c][1];
            a.J[2 * c + 1][0] = n[c][1];
            a.J[2 * c + 1][1] = -n[c][0];
        }
        make_system(&system, &mem, &a);
        impact_pointed_check(&system, &pointed);
        assert_int_equal(pointed.is_pointed, k == 1);
        if (k == 0)
            assert_true(pointed.against[0] && pointed.against[2]);
        arena_free(&mem);
    }
}

/* Painleve's rod (length 2, mass 1, at 1 rad, slip -3) beside a ball that rests: no contact approaches, and the rod's own
 * impulse presses its end. Whatever is drawn, corners too, the slip ends with the angular momentum about the end kept,
 * (1/3 + 1) w = 3 sin 1, and the ball stays. With mu below 4/3 nothing presses. */
static void rod_is_pressed(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        struct bench b;
        struct impact_numbers a = { .n_v = 4, .n_contact = 2, .n_t = 1, .mu = k == 0 ? 1.6 : 1.3, .h = 1 };
        const double J[4][4] = { { 0, 1, -cos(1.0), 0 }, { 1, 0, sin(1.0), 0 }, { 0, 0, 0, 1 }, { 0 } };
        a.M[0][0] = a.M[1][1] = a.M[3][3] = 1;
        a.M[2][2] = 1.0 / 3;
        a.v[0] = -3;
        for (int r = 0; r < 4; r++)
            memcpy(a.J[r], J[r], sizeof J[r]);
        set_up(&b, a, 20, 128, true);
        assert_int_equal(b.sampler.is_pressed, k == 0);
        run(&b, 1);
        for (int i = 0; i < b.set.n && k == 0; i++) {
            assert_true(b.set.sample[i].terminated);
            assert_near(b.set.v[4 * i + 2], 2.25 * sin(1.0), 1e-12);
            assert_near(b.set.v[4 * i + 3], 0, 1e-12);
        }
        tear_down(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_rests_or_pivots),
        cmocka_unit_test(walker_sticks_slides_or_lifts),
        cmocka_unit_test(box_rests_or_slides_on),
        cmocka_unit_test(stack_falls_apart_either_way),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(sampling_kinds_agree),
        cmocka_unit_test(paths_lead_to_the_outcome),
        cmocka_unit_test(rod_is_pressed),
        cmocka_unit_test(bound_of_the_block_by_hand),
        cmocka_unit_test(wedged_contacts_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
