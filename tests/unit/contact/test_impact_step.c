/* The step LCP, SVI (75): the identities of impact.md 3 on random planar and spatial systems. */
#include "core/impact/step.h"

#include "tests/unit/impacts.h"
#include "tests/unit/lcp_problems.h"
#include "tests/unit/assertions.h"

enum { N_RANDOM = 60 };

static const double huge = 1e4;     /* beyond all impulses of random systems, which are of size 1 */
static const double tol = 1e-10;    /* of the identities, all quantities being of size 1 */

struct bench {
    struct arena mem;
    struct impact_system system;
    struct impact_step *step;
    struct impact_step_work *work;
    double u[IMPACT_MAX_ROWS];
};

static void set_up(struct bench *bench, const struct impact_numbers *numbers)
{
    bench->mem = (struct arena){ NULL };
    make_system(&bench->system, &bench->mem, numbers);
    bench->step = impact_step_create(&bench->system);
    bench->work = impact_step_work_create(bench->step);
    impact_contact_velocity(&bench->system, numbers->v, bench->u);
}

static void tear_down(struct bench *bench)
{
    impact_step_work_free(bench->work);
    impact_step_free(bench->step);
    arena_free(&bench->mem);
}

/* Planar with 1 to 3 contacts, spatial with 1 or 2: all have few enough modes to be listed. Every tenth is the
 * compass gait, as random systems seldom have steps with several solutions. */
static struct impact_numbers random_of_kind(uint64_t *state, int k)
{
    if (k % 10 == 9)
        return compass_gait();
    return random_impact(state, 1 + k % (k % 2 ? 2 : 3), 1 + k % 2);
}

static double draw_bounds(uint64_t *state, const struct impact_system *system, double h, double *lambda_max)
{
    for (int c = 0; c < system->n_contact; c++)
        lambda_max[c] = h * (1 + draw_signed(state)) / 2;
    return h;
}

static double farthest(int n, const double *a, const double *b)
{
    double far = 0;
    for (int r = 0; r < n; r++)
        far = fmax(far, fabs(a[r] - b[r]));
    return far;
}

/* Least distance of u to the solutions. */
static double distance(const struct impact_system *system, const struct impact_solutions *found, const double *u)
{
    double least = INFINITY;
    for (int s = 0; s < found->n; s++)
        least = fmin(least, farthest(system->n_row, found->u_plus[s], u));
    return least;
}

static void no_budget_changes_nothing(void **unused)
{
    (void)unused;
    uint64_t state = 0;
    for (int k = 0; k < N_RANDOM; k++) {
        const struct impact_numbers numbers = random_of_kind(&state, k);
        const double none[IMPACT_MAX_CONTACTS] = { 0 };
        double lambda[IMPACT_MAX_ROWS], u_plus[IMPACT_MAX_ROWS];
        struct bench b;
        set_up(&b, &numbers);
        assert_true(impact_step_solve(b.step, b.work, b.u, none, 1, 0, 0, lambda, u_plus));
        assert_near(farthest(b.system.n_row, u_plus, b.u), 0, tol);
        assert_true(impact_step_lemke(b.step, b.work, b.u, none, NULL, lambda, u_plus));
        assert_near(farthest(b.system.n_row, u_plus, b.u), 0, tol);
        tear_down(&b);
    }
}

/* Every listed solution is one: signs and products hold, and energy falls by exactly what z'(Wz + w) = 0 says,
 *   2 K(v_plus) - 2 K(v) = -lambda'G lambda - 2 (mu lambda_n gamma + beta lambda_max)  summed over contacts,
 * gamma = max over directions of -d'v_t, beta = max(0, -v_n) after the step (impact.md (4); SVI leaves out lambda'G
 * lambda). */
static void all_listed_are_solutions_and_dissipate(void **unused)
{
    (void)unused;
    uint64_t state = 1000000;
    int n_several = 0;
    for (int k = 0; k < N_RANDOM; k++) {
        const struct impact_numbers numbers = random_of_kind(&state, k);
        double lambda_max[IMPACT_MAX_CONTACTS];
        struct impact_solutions found;
        struct bench b;
        set_up(&b, &numbers);
        draw_bounds(&state, &b.system, 0.5, lambda_max);
        impact_modes_solve(b.step->modes, b.u, lambda_max, &found);
        assert_true(found.n >= 1);
        n_several += found.n > 1;
        for (int s = 0; s < found.n; s++) {
            const double *lambda = found.lambda[s], *u_plus = found.u_plus[s];
            double v_plus[MAX_V], loss = 0;
            assert_true(impact_step_violation(&b.system, b.u, lambda_max, lambda, u_plus) <= tol);
            memcpy(v_plus, numbers.v, sizeof v_plus);
            impact_apply(&b.system, lambda, v_plus);
            for (int c = 0; c < b.system.n_contact; c++) {
                const struct impact_contact *contact = &b.system.contact[c];
                const double *v_t = u_plus + contact->row + 1;
                double gamma = -INFINITY;
                for (int d = 0; d < contact->n_dir; d++)
                    gamma = fmax(gamma, -contact->d[d][0] * v_t[0]
                                            - (contact->n_t == 2 ? contact->d[d][1] * v_t[1] : 0));
                loss += 2 * contact->mu * lambda[contact->row] * (contact->n_dir > 0 ? gamma : 0)
                        + 2 * fmax(0, -u_plus[contact->row]) * lambda_max[c];
            }
            for (int r = 0; r < b.system.n_row; r++)        /* G lambda = u_plus - u */
                loss += lambda[r] * (u_plus[r] - b.u[r]);
            assert_near(2 * (impact_energy(&b.system, v_plus) - impact_energy(&b.system, numbers.v)), -loss, tol);
            assert_true(loss >= -tol);
        }
        tear_down(&b);
    }
    assert_true(n_several > 0);     /* else the test would not have met the case that matters */
}

/* Lemke's method, a different way to the same set. Random covers find other solutions; none is missing. */
static void lemke_lands_on_a_listed_solution(void **unused)
{
    (void)unused;
    uint64_t state = 2000000;
    for (int k = 0; k < N_RANDOM; k++) {
        const struct impact_numbers numbers = random_of_kind(&state, k);
        double lambda_max[IMPACT_MAX_CONTACTS], lambda[IMPACT_MAX_ROWS], u_plus[IMPACT_MAX_ROWS], cover[64];
        struct impact_solutions found;
        struct bench b;
        set_up(&b, &numbers);
        draw_bounds(&state, &b.system, 0.5, lambda_max);
        impact_modes_solve(b.step->modes, b.u, lambda_max, &found);
        for (int trial = 0; trial < 10; trial++) {
            for (int i = 0; i < b.step->n_lcp; i++)
                cover[i] = 1.01 + draw_signed(&state);
            const struct lcp_choice choice = { .cover = cover };
            assert_true(impact_step_lemke(b.step, b.work, b.u, lambda_max, &choice, lambda, u_plus));
            assert_true(impact_step_violation(&b.system, b.u, lambda_max, lambda, u_plus) <= tol);
            assert_true(distance(&b.system, &found, u_plus) <= tol);
        }
        tear_down(&b);
    }
}

/* With bounds beyond need the solutions are those of Anitescu and Potra, on one contact those of its own LCP. */
static void huge_budget_is_anitescu_potra(void **unused)
{
    (void)unused;
    uint64_t state = 3000000;
    for (int k = 0; k < N_RANDOM; k++) {
        const struct impact_numbers numbers = random_of_kind(&state, k);
        double lambda_max[IMPACT_MAX_CONTACTS];
        struct impact_solutions found, unbounded;
        struct bench b;
        set_up(&b, &numbers);
        struct impact_modes *modes = impact_modes_create(&b.system, false);
        for (int only = -1; only < b.system.n_contact; only++) {
            for (int c = 0; c < b.system.n_contact; c++)
                lambda_max[c] = only < 0 || c == only ? huge : 0;
            impact_modes_solve(b.step->modes, b.u, lambda_max, &found);
            impact_modes_solve(modes, b.u, NULL, &unbounded);
            assert_true(found.n >= 1);
            for (int s = 0; s < found.n; s++) {
                double touched = 0;
                for (int c = 0; c < b.system.n_contact; c++)
                    if (only >= 0 && c != only)
                        touched = fmax(touched, fabs(found.lambda[s][b.system.contact[c].row]));
                assert_near(touched, 0, tol);
                if (only < 0)
                    assert_true(distance(&b.system, &unbounded, found.u_plus[s]) <= tol);
                else
                    assert_true(found.u_plus[s][b.system.contact[only].row] >= -tol);
            }
            assert_true(only >= 0 || found.n == unbounded.n);
        }
        impact_modes_free(modes);
        tear_down(&b);
    }
}

/* f(c v, c lambda_max) = c f(v, lambda_max). */
static void steps_are_homogeneous(void **unused)
{
    (void)unused;
    uint64_t state = 4000000;
    for (int k = 0; k < N_RANDOM; k++) {
        const struct impact_numbers numbers = random_of_kind(&state, k);
        const double factor = 3.7;
        double lambda_max[IMPACT_MAX_CONTACTS], u[IMPACT_MAX_ROWS], scaled[IMPACT_MAX_CONTACTS];
        struct impact_solutions found, large;
        struct bench b;
        set_up(&b, &numbers);
        draw_bounds(&state, &b.system, 0.5, lambda_max);
        for (int r = 0; r < b.system.n_row; r++)
            u[r] = factor * b.u[r];
        for (int c = 0; c < b.system.n_contact; c++)
            scaled[c] = factor * lambda_max[c];
        impact_modes_solve(b.step->modes, b.u, lambda_max, &found);
        impact_modes_solve(b.step->modes, u, scaled, &large);
        assert_int_equal(found.n, large.n);
        for (int s = 0; s < found.n; s++) {
            for (int r = 0; r < b.system.n_row; r++)
                u[r] = factor * found.u_plus[s][r];
            assert_true(distance(&b.system, &large, u) <= tol);
        }
        tear_down(&b);
    }
}

/* The block is its own mirror image: swapping the budgets of its corners swaps v_n and turns v_t around. */
static void mirrored_block_has_mirrored_steps(void **unused)
{
    (void)unused;
    const struct impact_numbers numbers = rocking_block();
    uint64_t state = 5000000;
    struct bench b;
    set_up(&b, &numbers);
    for (int k = 0; k < 200; k++) {
        double lambda_max[2], swapped[2];
        struct impact_solutions found, mirror;
        draw_bounds(&state, &b.system, 0.3, lambda_max);
        swapped[0] = lambda_max[1];
        swapped[1] = lambda_max[0];
        impact_modes_solve(b.step->modes, b.u, lambda_max, &found);
        impact_modes_solve(b.step->modes, b.u, swapped, &mirror);
        assert_int_equal(found.n, 1);       /* impact.md 9.1: v' of the block is unique */
        assert_int_equal(mirror.n, 1);
        const double *u = found.u_plus[0], turned[4] = { u[2], -u[3], u[0], -u[1] };
        assert_near(farthest(4, turned, mirror.u_plus[0]), 0, 1e-13);
    }
    tear_down(&b);
}

/* A random LCP of SVI (75) of five contacts, too many modes to be listed: Lemke's method, checked. */
static void many_contacts_are_solved_too(void **unused)
{
    (void)unused;
    uint64_t state = 6000000;
    for (int k = 0; k < 60; k++) {
        const struct impact_numbers numbers = random_impact(&state, 5, 1);
        double lambda_max[IMPACT_MAX_CONTACTS], lambda[IMPACT_MAX_ROWS], u_plus[IMPACT_MAX_ROWS];
        struct bench b;
        set_up(&b, &numbers);
        assert_null(b.step->modes);
        draw_bounds(&state, &b.system, 0.5, lambda_max);
        assert_true(impact_step_solve(b.step, b.work, b.u, lambda_max, 1, (uint64_t)k, 0, lambda, u_plus));
        assert_true(impact_step_violation(&b.system, b.u, lambda_max, lambda, u_plus) <= tol);
        assert_near(lcp_violation(&(struct lcp_problem){ b.step->n_lcp, b.step->W, b.step->n_lcp, b.work->q },
                                  b.work->z), 0, tol);
        tear_down(&b);
    }
}

/* The check itself: a solution with one impulse changed by 1e-3 is seen as wrong by about that much. */
static void check_sees_wrong_solutions(void **unused)
{
    (void)unused;
    const struct impact_numbers numbers = rocking_block();
    const double lambda_max[2] = { 0.1, 0.1 };
    struct bench b;
    set_up(&b, &numbers);
    for (int r = 0; r < 4; r++) {
        double lambda[IMPACT_MAX_ROWS], u_plus[IMPACT_MAX_ROWS];
        assert_true(impact_step_solve(b.step, b.work, b.u, lambda_max, 1, 0, 0, lambda, u_plus));
        assert_true(impact_step_violation(&b.system, b.u, lambda_max, lambda, u_plus) <= 1e-14);
        lambda[r] += 1e-3;
        impact_step_velocity(&b.system, b.u, lambda, u_plus);
        assert_true(impact_step_violation(&b.system, b.u, lambda_max, lambda, u_plus) > 1e-4);
    }
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_budget_changes_nothing),
        cmocka_unit_test(all_listed_are_solutions_and_dissipate),
        cmocka_unit_test(lemke_lands_on_a_listed_solution),
        cmocka_unit_test(huge_budget_is_anitescu_potra),
        cmocka_unit_test(steps_are_homogeneous),
        cmocka_unit_test(mirrored_block_has_mirrored_steps),
        cmocka_unit_test(many_contacts_are_solved_too),
        cmocka_unit_test(check_sees_wrong_solutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
