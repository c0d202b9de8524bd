/* Laws of impact: closed forms, the systems of impact.md, and what every solution has to obey. */

#include "core/contact/jump.h"

#include "tests/unit/assertions.h"

#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-12;

enum { Q_MAX = 12, C_MAX = 10 };

struct system {                     /* an impact with room for its arrays */
    struct jump_impact in;
    double M[Q_MAX * Q_MAX], J[CONTACT_ROWS * Q_MAX * C_MAX], v[Q_MAX], mu[C_MAX], e[C_MAX];
    int n_t[C_MAX];
    double v_plus[Q_MAX], impulse[CONTACT_ROWS * C_MAX];
    struct jump_info info;
    char why[200];
};

static void set_up(struct system *s, int n_q, int n_c)
{
    memset(s, 0, sizeof *s);
    s->in = (struct jump_impact){ .n_q = n_q, .n_c = n_c, .n_t = s->n_t, .v_minus = s->v, .M = s->M, .J = s->J,
                                 .mu = s->mu, .e = s->e };
}

static void set_mass(struct system *s, const double *mass)
{
    for (int i = 0; i < s->in.n_q; i++)
        s->M[i + i * s->in.n_q] = mass[i];
}

/* Contact c: its normal, one tangent, friction. */
static void set_contact(struct system *s, int c, const double *J_n, const double *J_t, double mu, double e)
{
    const size_t size = (size_t)s->in.n_q * sizeof(double);
    memcpy(&s->J[CONTACT_ROWS * c * s->in.n_q], J_n, size);
    if (J_t)
        memcpy(&s->J[(CONTACT_ROWS * c + 1) * s->in.n_q], J_t, size);
    s->n_t[c] = J_t != NULL;
    s->mu[c] = mu;
    s->e[c] = e;
}

static enum status solve(struct system *s, enum jump_law law)
{
    return jump_solve(law, &s->in, s->v_plus, s->impulse, &s->info, s->why, sizeof s->why);
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double u_of(const struct system *s, int c, int k, const double *v)
{
    return dot(s->in.n_q, &s->J[(CONTACT_ROWS * c + k) * s->in.n_q], v);
}

/* How far v_plus and the impulses are from Newton's law with Coulomb's friction; tells the solver nothing new. */
static double violation(const struct system *s)
{
    const int n_q = s->in.n_q;
    double worst = 0;
    for (int i = 0; i < n_q; i++) {                             /* M (v_plus - v) = J r */
        double sum = 0;
        for (int j = 0; j < n_q; j++)
            sum += s->M[i + j * n_q] * (s->v_plus[j] - s->v[j]);
        for (int k = 0; k < CONTACT_ROWS * s->in.n_c; k++)
            sum -= s->J[k * n_q + i] * s->impulse[k];
        worst = fmax(worst, fabs(sum));
    }
    for (int c = 0; c < s->in.n_c; c++) {
        const double *r = &s->impulse[CONTACT_ROWS * c], target = s->e[c] * fmax(0, -u_of(s, c, 0, s->v));
        const double u_n = u_of(s, c, 0, s->v_plus) - target, u_t[SLIP_MAX] = { u_of(s, c, 1, s->v_plus),
                     u_of(s, c, 2, s->v_plus), u_of(s, c, 3, s->v_plus) }, speed = slip_size(u_t);
        const double slack = s->mu[c] * r[0] - slip_size(r + 1);
        worst = fmax(worst, fmax(-u_n, fmax(-r[0], -slack)));
        worst = fmax(worst, fmax(fabs(u_n * r[0]), speed * slack));
        worst = fmax(worst, fabs(slip_dot(r + 1, u_t) + slip_size(r + 1) * speed));        /* opposite to slip */
    }
    return worst;
}

/* --- Closed forms -------------------------------------------------------------------------------------------- */

/* A 2 kg ball at -3 m/s with e = 0.5 leaves at 1.5 m/s by 9 N s; Poisson's law says the same of one contact. */
static void ball_obeys_newton_and_poisson(void **state)
{
    (void)state;
    for (int law = 0; law < 2; law++) {
        struct system s;
        set_up(&s, 1, 1);
        s.M[0] = 2;
        s.v[0] = -3;
        set_contact(&s, 0, (double[]){ 1 }, NULL, 0, 0.5);
        assert_int_equal(solve(&s, law ? JUMP_POISSON : JUMP_NEWTON),
                         STATUS_OK);
        assert_near(s.v_plus[0], 1.5, rounding);
        assert_near(s.impulse[0], 9, rounding);
        assert_near(s.info.loss, 6.75, rounding);
    }
}

/* A disc of radius 1 and inertia 1/2 falls with v_t: it sticks if |v_t| / 3 <= mu (1 + e) |v_n| (effective mass of
 * the rim 1/3), else friction takes mu (1 + e) |v_n|. */
static void disc_sticks_or_slips(void **state)
{
    (void)state;
    const double e = 0.4, v_t[] = { 1, 5 };
    for (int k = 0; k < 2; k++) {
        struct system s;
        set_up(&s, 3, 1);
        set_mass(&s, (double[]){ 1, 1, 0.5 });
        set_contact(&s, 0, (double[]){ 0, 1, 0 }, (double[]){ 1, 0, 1 }, 0.3, e);
        s.v[0] = v_t[k];
        s.v[1] = -2;
        assert_int_equal(solve(&s, JUMP_NEWTON), STATUS_OK);
        const double friction = fmin(v_t[k] / 3, 0.3 * (1 + e) * 2);
        assert_near(s.v_plus[0], v_t[k] - friction, rounding);
        assert_near(s.v_plus[1], 0.8, rounding);
        assert_near(s.v_plus[2], -2 * friction, rounding);
        assert_near(violation(&s), 0, 1e-11);
    }
}

/* Three equal balls in a row, the first one strikes: simultaneous Newton with e = 1 gives (-1, 2, 2)/3, not the
 * sequential (0, 0, 1); energy is kept. */
static void three_balls_share_the_blow(void **state)
{
    (void)state;
    struct system s;
    set_up(&s, 3, 2);
    set_mass(&s, (double[]){ 1, 1, 1 });
    set_contact(&s, 0, (double[]){ -1, 1, 0 }, NULL, 0, 1);
    set_contact(&s, 1, (double[]){ 0, -1, 1 }, NULL, 0, 1);
    s.v[0] = 1;
    assert_int_equal(solve(&s, JUMP_NEWTON), STATUS_OK);
    assert_near(s.v_plus[0], -1.0 / 3, rounding);
    assert_near(s.v_plus[1], 2.0 / 3, rounding);
    assert_near(s.v_plus[2], 2.0 / 3, rounding);
    assert_near(s.info.loss, 0, rounding);
}

/* Slip that Poisson's expansion takes further: a disc as above; compression 2, expansion 0.8 of normal impulse. */
static void poisson_goes_on_slipping_in_expansion(void **state)
{
    (void)state;
    struct system s;
    set_up(&s, 3, 1);
    set_mass(&s, (double[]){ 1, 1, 0.5 });
    set_contact(&s, 0, (double[]){ 0, 1, 0 }, (double[]){ 1, 0, 1 }, 0.3, 0.4);
    s.v[0] = 2;                                                 /* sticks after 2/3, of at most 0.6 + 0.24 */
    s.v[1] = -2;
    assert_int_equal(solve(&s, JUMP_POISSON), STATUS_OK);
    assert_near(s.impulse[0], 2.8, rounding);
    assert_near(s.impulse[1], -2.0 / 3, rounding);
    assert_near(u_of(&s, 0, 1, s.v_plus), 0, rounding);
}

/* --- impact.md 7, law of Anitescu and Potra --------------------------------------------------------------------
 */

static void rocking_block_falls_flat(void **state)
{
    (void)state;
    struct system s;
    set_up(&s, 3, 2);
    set_mass(&s, (double[]){ 1, 1, 5.0 / 12 });
    set_contact(&s, 0, (double[]){ 0, 1, -0.5 }, (double[]){ 1, 0, 1 }, 1, 0);
    set_contact(&s, 1, (double[]){ 0, 1, 0.5 }, (double[]){ 1, 0, 1 }, 1, 0);
    s.v[1] = -0.442945;
    assert_int_equal(solve(&s, JUMP_NEWTON), STATUS_OK);
    assert_int_equal(s.info.n_solutions, 1);
    for (int i = 0; i < 3; i++)
        assert_near(s.v_plus[i], 0, rounding);
}

/* 7.2: the trailing foot sticks, slides or lifts. */
static void compass_gait_has_three_outcomes(void **state)
{
    (void)state;
    struct system s;
    const double a = 78 * acos(-1) / 180, c = cos(a), si = sin(a), h = 0.5, w = 0.25;
    set_up(&s, 4, 2);
    const double M[16] = {2,     0,       h * c, h * c, 0,     2,      -h * si, h * si,
                          h * c, -h * si, h * h, 0,     h * c, h * si, 0,       h * h};
    memcpy(s.M, M, sizeof M);
    set_contact(&s, 0, (double[]){ 0, 1, -si, 0 }, (double[]){ 1, 0, c, 0 }, 5, 0);
    set_contact(&s, 1, (double[]){ 0, 1, 0, si }, (double[]){ 1, 0, 0, c }, 5, 0);
    memcpy(s.v, (double[]){ -c * w, -si * w, w, w }, 4 * sizeof(double));
    assert_int_equal(solve(&s, JUMP_NEWTON), STATUS_OK);
    assert_int_equal(s.info.n_solutions, 3);
    assert_near(violation(&s), 0, 1e-11);
}

static void box_in_a_corner_stops(void **state)
{
    (void)state;
    struct system s;
    const double th = 10 * acos(-1) / 180, a = 0.5 * (cos(th) - sin(th)), b = 0.5 * (cos(th) + sin(th));
    set_up(&s, 3, 2);
    set_mass(&s, (double[]){ 1, 1, 1.0 / 6 });
    set_contact(&s, 0, (double[]){ 0, 1, a }, (double[]){ 1, 0, b }, 1, 0);
    set_contact(&s, 1, (double[]){ -1, 0, a }, (double[]){ 0, -1, -b }, 1, 0);
    s.v[0] = 1;
    assert_int_equal(solve(&s, JUMP_NEWTON), STATUS_OK);
    assert_int_equal(s.info.n_solutions, 1);
    for (int i = 0; i < 3; i++)
        assert_near(s.v_plus[i], 0, rounding);
}

/* --- Random problems ----------------------------------------------------------------------------------------- */

struct random { uint64_t state; };

static double draw(struct random *r)           /* in (-1, 1): xorshift */
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return (double)(r->state >> 11) / (double)(1ull << 52) - 1;
}

static void random_impact(struct random *r, struct system *s, int n_q, int n_c, int n_t)
{
    double B[Q_MAX * Q_MAX];
    set_up(s, n_q, n_c);
    for (int i = 0; i < n_q * n_q; i++)
        B[i] = draw(r);
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_q; j++)
            s->M[i + j * n_q] = dot(n_q, &B[i * n_q], &B[j * n_q]) + (i == j);
    for (int c = 0; c < n_c; c++) {
        s->n_t[c] = n_t;
        s->mu[c] = 0.4 + 0.3 * draw(r);
        for (int i = 0; i < n_q * n_t; i++)
            s->J[(CONTACT_ROWS * c + 1) * n_q + i] = draw(r);
    }
    for (int i = 0; i < n_q * n_c; i++)
        s->J[i / n_q * CONTACT_ROWS * n_q + i % n_q] = draw(r);
    for (int i = 0; i < n_q; i++)
        s->v[i] = draw(r);
}

/* Every solution obeys the law and takes energy; tolerance 1e-8 relative to velocities of size 1. */
static void check_random(int n_q, int n_c, int n_t, int n)
{
    struct random r = { 88172645463325252ull };
    for (int k = 0; k < n; k++) {
        struct system s;
        random_impact(&r, &s, n_q, n_c, n_t);
        assert_int_equal(solve(&s, JUMP_NEWTON), STATUS_OK);
        assert_near(violation(&s), 0, 1e-8);
        assert_true(s.info.loss > -1e-9);
    }
}

static void random_impacts_in_the_plane_obey_the_law(void **state)
{
    (void)state;
    check_random(6, 3, 1, 200);
}

static void random_impacts_in_space_obey_the_exact_cone(void **state)
{
    (void)state;
    check_random(9, 2, 2, 200);
    check_random(9, 3, 2, 50);
}

/* Slip along a surface and about its normal: directions on a sphere. */
static void random_impacts_obey_limit_surfaces(void **state)
{
    (void)state;
    check_random(9, 1, 3, 200);
    check_random(9, 2, 3, 100);
}

/* Too many for all combinations: Lemke's. */
static void many_contacts_obey_the_law(void **state)
{
    (void)state;
    check_random(12, 10, 1, 100);
    check_random(12, 10, 0, 100);
    check_random(12, 8, 2, 20);
    check_random(12, 7, 3, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_obeys_newton_and_poisson),
        cmocka_unit_test(disc_sticks_or_slips),
        cmocka_unit_test(three_balls_share_the_blow),
        cmocka_unit_test(poisson_goes_on_slipping_in_expansion),
        cmocka_unit_test(rocking_block_falls_flat),
        cmocka_unit_test(compass_gait_has_three_outcomes),
        cmocka_unit_test(box_in_a_corner_stops),
        cmocka_unit_test(random_impacts_in_the_plane_obey_the_law),
        cmocka_unit_test(random_impacts_in_space_obey_the_exact_cone),
        cmocka_unit_test(random_impacts_obey_limit_surfaces),
        cmocka_unit_test(many_contacts_obey_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
