/* test_multiphase_impacts.c - what impacts do to contacts that take no part in them, landings with
 * restitution, and gaps that only just do not touch */
#include "tests/unit/phase_problem.h"

#include "core/base/mem.h"
#include "transcription/finish/checks/checks.h"
#include "transcription/sequence/recipe.h"

/* Fails if the sequence has a solution. */
static void assert_impossible(struct phase_problem *problem, const char *text, double t)
{
    struct sequence *seq = phase_sequence(problem, text);
    struct samples *samples = phase_constant(problem, seq, &t);
    struct finish out;
    assert_int_equal(finish_solve(&problem->task, seq, samples, FINISH_COLD, 200, &out, problem->small.diag), STATUS_OK);
    assert_false(out.solved);
    finish_free(&out);
    samples_free(samples);
    sequence_free(seq);
}

/* --- Carried along ------------------------------------------------------------------------------------------- */

/* A cart meets a block of its own mass, 1 m ahead; the floor under one of them has mu g = 4 m/s^2. */
#define CART_AND_BLOCK(e, v1, v2, rough) \
    "cocp: 1\n" \
    "time: {horizon: 1, intervals: 1, elements: 1}\n" \
    "states: {x1: {initial: 0}, x2: {initial: 1}, z: {initial: 0},\n" \
    "         v1: {initial: " v1 "}, v2: {initial: " v2 "}, vz: {initial: 0}}\n" \
    "dynamics: {type: mechanical, coordinates: {x1: v1, x2: v2, z: vz}, mass: {diag: [1, 1, 1]}, force: {z: -10}}\n" \
    "contacts: {bump: {gap: x2 - x1, restitution: " e "}, floor: {gap: z, tangent: " rough ", friction: 0.4}}\n"

/* The floor has no impulse to hold the block with: it leaves at (1 + e)/2 2 m/s and slides v^2 / (2 mu g). */
static void a_block_that_stuck_is_pushed_off(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(CART_AND_BLOCK("0.5", "2", "0", "x2"), 2, 1);
    const double guess[] = { 0.45, 0.8 };
    struct finish out = phase_solve(&problem, "ok 0.5!co o+ 0.5 ok", guess);
    assert_near(phase_final(&out, 1), 1 + 1.5 * 1.5 / 8, 1e-9);
    assert_near(phase_final(&out, 0), 1 + 0.5 * 0.5, 1e-9);
    finish_free(&out);
    assert_impossible(&problem, "ok 0.5!co ok", 0.5);           /* it would be at rest at 1.5 m/s */
    phase_free(&problem);
}

/* Coming to meet the cart at 2 - 4 t m/s it is hit at t = 1/4 while it slides; both swap velocities. */
static void a_sliding_block_is_turned(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(CART_AND_BLOCK("1", "2.5", "-2", "x2"), 2, 1);
    const double guess[] = { 0.2, 0.8 };
    struct finish out = phase_solve(&problem, "o- 0.5!co o+ 0.5 ok", guess);
    assert_near(phase_final(&out, 1), 0.625 + 2.5 * 2.5 / 8, 1e-9);
    assert_near(phase_final(&out, 0), 0.625 - 0.75, 1e-9);
    finish_free(&out);
    phase_free(&problem);
}

/* A cart that slides, 3 t - 2 t^2 = 1 at t = 1/2, hands all of its 1 m/s to a block that rests on a floor of its own.
 * That it sticks afterwards repeats what momentum and restitution say, and is no row of its own. */
static void an_elastic_impact_stops_what_slides(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 1, elements: 1}\n"
        "states: {x1: {initial: 0}, x2: {initial: 1}, z1: {initial: 0}, z2: {initial: 0},\n"
        "         v1: {initial: 3}, v2: {initial: 0}, w1: {initial: 0}, w2: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {x1: v1, x2: v2, z1: w1, z2: w2}, mass: {diag: [1, 1, 1, 1]},\n"
        "           force: {z1: -10, z2: -10}}\n"
        "contacts: {bump: {gap: x2 - x1, restitution: 1}, under: {gap: z1, tangent: x1, friction: 0.4},\n"
        "           ahead: {gap: z2, tangent: x2, friction: 0.1}}\n", 2, 1);
    const double guess = 0.4;
    struct finish out = phase_solve(&problem, "o+k 0.5!coo ok+", &guess);
    assert_near(phase_final(&out, 0), 1, 1e-9);
    assert_near(phase_final(&out, 1), 1.5 - 0.125, 1e-9);
    finish_free(&out);
    phase_free(&problem);
}

/* --- Landing ------------------------------------------------------------------------------------------------- */

/* A ball that falls on a floor that returns half of its speed does not stay there. */
static void what_rebounds_does_not_stay(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 1, elements: 1}\n"
        "states: {q: {initial: 1}, v: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [2]}, force: {q: -2*9.81}}\n"
        "contacts: {floor: {gap: q, restitution: 0.5}}\n", 2, 1);
    assert_impossible(&problem, "o 0.5!c c", 0.45);
    phase_free(&problem);
}

/* --- At the edge ------------------------------------------------------------------------------------------------ */

/* The first control in interval i once what is at an edge in the marked intervals is kept from it; without marks
 * nothing is. */
static double keep_from_edges(struct phase_problem *problem, const struct finish *out, const bool *marked, int i)
{
    const bool none[8] = { false };
    struct finish_task task = problem->task;
    struct finish kept;
    int n = out->ph->grid.n_check;
    struct phase_check *check = mem_alloc((size_t)n, sizeof *check);
    for (int k = 0; k < n; k++)
        check[k] = out->ph->grid.check[k];
    assert_int_equal(checks_find_edges(out->ph, out->w, none, n, &check), n);
    task.grid = out->ph->grid;
    task.grid.n_check = checks_find_edges(out->ph, out->w, marked, n, &check);
    task.grid.check = check;
    assert_int_equal(finish_again(&task, out, 100, &kept, problem->small.diag), STATUS_OK);
    assert_true(kept.solved);
    const double u = kept.w[kept.ph->at.u[i]];
    finish_free(&kept);
    free(check);
    return u;
}

/* A block that has come to rest is pushed with all that friction bears: 5 N. Where a replay is off that is a
 * thousandth less. */
static void what_sticks_at_the_edge_of_its_cone_comes_inside(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 2, intervals: 2, elements: 1}\n"
        "states: {x: {initial: 0}, z: {initial: 0}, v: {initial: 1}, w: {initial: 0}}\n"
        "controls: {u: {bounds: [0, 50]}}\n"
        "dynamics: {type: mechanical, coordinates: {x: v, z: w}, mass: {diag: [1, 1]}, force: {x: u, z: -10}}\n"
        "contacts: {ground: {gap: z, tangent: x, friction: 0.5}}\n"
        "cost: {running: {push: -u}}\n", 3, 1);
    const double stop = 1;
    struct finish out = phase_solve(&problem, "+ 1 k", &stop);
    assert_near(out.w[out.ph->at.u[0]], 4, 1e-6);
    assert_near(out.w[out.ph->at.u[1]], 5, 1e-6);
    assert_near(keep_from_edges(&problem, &out, (bool[]){ false, true }, 1), 5 * (1 - 1e-3), 1e-6);
    finish_free(&out);
    phase_free(&problem);
}

/* --- Grazing ------------------------------------------------------------------------------------------------- */

static const char parabola[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 1, elements: 1}\n"
    "states: {z: {initial: 1, final: 1}, v: {initial: free, bounds: [-20, 20]}}\n"
    "controls: {u: {bounds: [-20, 20]}}\n"
    "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: u}}\n"
    "contacts: {floor: {gap: z}}\n"
    "cost: {running: {height: z + 0*u}}\n";

/* The lowest parabola from 1 m to 1 m over a floor, 1 - u t (1 - t)/2, touches it at t = 1/2 with u = 8, where no stage
 * is. It stays a millionth of its height clear of it. */
static void what_would_graze_keeps_clear(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(parabola, 3, 1);
    struct finish out = phase_solve(&problem, "o", NULL);
    struct phase_check *check = NULL;
    struct check_worst worst;
    assert_true(checks_find(out.ph, out.w, 0, &check, &worst) > 0);     /* what a contact does is asked for, and named */
    assert_true(worst.asked > 1e-2 && worst.asked == worst.all);
    double t = NAN;
    assert_int_equal(sscanf(worst.what, "floor gap at t = %lf s", &t), 1);
    assert_near(t, 0.5, 1e-3);
    free(check);
    assert_int_equal(checks_enforce(&problem.task, &out, &worst, problem.small.diag), STATUS_OK);
    assert_near(out.w[out.ph->at.u[0]], 8 * (1 - 1e-6), 1e-7);
    finish_free(&out);
    phase_free(&problem);
}

/* More checked points start from the multipliers of the solution before. Once these have led nowhere there is one run,
 * without them. */
static void multipliers_that_led_nowhere_are_not_tried_again(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(parabola, 3, 1);
    struct finish out = phase_solve(&problem, "o", NULL);
    for (int anew = 0; anew < 2; anew++) {
        struct finish_work work = { 0 };
        struct finish_task task = problem.task;
        struct finish one;
        task.work = &work;
        out.started_anew = anew;
        assert_int_equal(finish_checked(&task, &out, FINISH_MAX_ITER, &one, problem.small.diag), STATUS_OK);
        assert_true(one.solved);
        assert_int_equal(one.started_anew, anew);
        assert_int_equal(work.iterations, one.iterations);
        finish_free(&one);
    }
    finish_free(&out);
    phase_free(&problem);
}

/* The same parabola over a place where y begins to fall: at stages alone it dips below that, and a replay would see y
 * fall. */
static void what_would_all_but_switch_keeps_clear(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 1, elements: 1}\n"
        "states: {z: {initial: 1, final: 1}, v: {initial: free, bounds: [-20, 20]}, y: {initial: 0}}\n"
        "controls: {u: {bounds: [-20, 20]}}\n"
        "dynamics: {type: ode, rhs: {z: v, v: u, y: \"if(z < 0, -1, 0)\"}}\n"
        "cost: {running: {height: z + 0*u}}\n", 3, 1);
    struct finish out = phase_solve(&problem, "n", NULL);
    struct phase_check *check = NULL;
    struct check_worst worst;
    assert_true(checks_find(out.ph, out.w, 0, &check, &worst) > 0);     /* what a switch does, a replay judges */
    assert_true(worst.asked == 0 && worst.all > 1e-2);
    free(check);
    assert_int_equal(checks_enforce(&problem.task, &out, &worst, problem.small.diag), STATUS_OK);
    assert_near(out.w[out.ph->at.u[0]], 8 * (1 - 1e-6), 1e-7);
    finish_free(&out);
    phase_free(&problem);
}

/* From 1 m to the floor in a second, pushed up by as near to 8 N as may be: z = 1 - (1 + u/2) t + u t^2/2 arrives at
 * u/2 - 1. At stages alone it is above the floor up to u = 0.355/0.1145, and comes up through it: coupled with x,
 * whose slip stops, it has an impact all the same. What closes approaches: u = 2. */
static void what_closes_does_not_come_from_below(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 2, intervals: 2, elements: 1}\n"
        "states: {z: {initial: 1}, x: {initial: 0}, v: {initial: free, bounds: [-20, 20]}, w: {initial: -2}}\n"
        "controls: {u: {bounds: [-20, 20]}}\n"
        "dynamics:\n  type: mechanical\n  coordinates: {z: v, x: w}\n  mass: {rows: [[1, 0.9], [0.9, 1]]}\n"
        "  force: {z: u, x: 0.9*u}\n"
        "contacts: {floor: {gap: z, tangent: x, friction: 2}}\n"
        "cost: {running: {push: (u - 8)^2}}\n", 3, 1);
    const double hit = 1;
    struct finish out = phase_solve(&problem, "o 1!k k", &hit);
    struct check_worst worst;
    assert_near(out.w[out.ph->at.u[0]], 0.355 / 0.1145, 1e-2);
    assert_int_equal(checks_enforce(&problem.task, &out, &worst, problem.small.diag), STATUS_OK);
    assert_near(out.w[out.ph->at.u[0]], 2, 1e-6);
    assert_true(worst.all <= 1e-6);

    /* Its landing has no speed. Where a replay is off it gets a thousandth of the fastest one, 2 m/s at the start. */
    assert_near(keep_from_edges(&problem, &out, (bool[]){ true, false }, 0), 2 - 2 * 2e-3, 1e-6);
    finish_free(&out);
    phase_free(&problem);
}

/* Drawn to x = -1 by its cost, x comes down to the switching surface x = 0 and stays there on its positive side. A replay
 * may take either side: where it was off, x is held off the surface, by 2 SIDE_CLEAR times 0.5, the most it is where an
 * element ends. */
static void what_stays_beside_its_surface_is_held_off(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 2, intervals: 4, elements: 1}\n"
        "states: {x: {initial: 1}}\n"
        "controls: {u: {bounds: [-1, 1]}}\n"
        "dynamics: {type: ode, rhs: {x: \"if(x > 0, u, 2*u)\"}}\n"
        "cost: {running: {near: (x + 1)^2}}\n", 2, 1);
    struct finish out = phase_solve(&problem, "p", NULL), again;
    assert_near(phase_final(&out, 0), 0, 1e-7);
    const bool none[4] = { false }, all[4] = { true, true, true, true };
    struct phase_check *check = NULL;
    assert_int_equal(checks_find_edges(out.ph, out.w, none, 0, &check), 0);
    struct finish_task task = problem.task;
    task.grid.n_check = checks_find_edges(out.ph, out.w, all, 0, &check);
    task.grid.check = check;
    assert_true(task.grid.n_check > 0);
    assert_int_equal(finish_again(&task, &out, 200, &again, problem.small.diag), STATUS_OK);
    assert_true(again.solved);
    assert_near(phase_final(&again, 0), 1e-5, 1e-7);
    free(check);
    finish_free(&again);
    finish_free(&out);
    phase_free(&problem);
}

/* A push of 4.95 - 8 (t - 0.4)^2 N, less than friction of 4.9 N at the stages, is more at 0.4 s: there the cone is
 * kept a thousandth of its width away, both squared. */
static void a_cone_in_space_is_kept_firm(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 1, elements: 1}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0}, a: {initial: 0}, b: {initial: 0}, c: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {x: a, y: b, z: c}, mass: {diag: [1, 1, 1]},\n"
        "           force: {x: 4.95 - 8*(t - 0.4)^2, z: -9.8}}\n"
        "contacts: {floor: {gap: z, tangent: [x, y], friction: 0.5}}\n", 3, 1);
    struct finish out = phase_solve(&problem, "k", NULL);
    struct phase_check *check = NULL;
    struct check_worst worst;
    assert_int_equal(checks_find(out.ph, out.w, 0, &check, &worst), 1);
    assert_int_equal(check[0].subject, 0);
    assert_near(check[0].c, 0.4, 1e-2);
    assert_near(check[0].clear, 1e-3 * 4.9 * 4.9, 1e-6);
    free(check);
    finish_free(&out);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_beside_its_surface_is_held_off),
        cmocka_unit_test(a_block_that_stuck_is_pushed_off),
        cmocka_unit_test(a_sliding_block_is_turned),
        cmocka_unit_test(an_elastic_impact_stops_what_slides),
        cmocka_unit_test(what_rebounds_does_not_stay),
        cmocka_unit_test(what_sticks_at_the_edge_of_its_cone_comes_inside),
        cmocka_unit_test(what_would_graze_keeps_clear), cmocka_unit_test(what_would_all_but_switch_keeps_clear),
        cmocka_unit_test(multipliers_that_led_nowhere_are_not_tried_again),
        cmocka_unit_test(what_closes_does_not_come_from_below),
        cmocka_unit_test(a_cone_in_space_is_kept_firm)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
