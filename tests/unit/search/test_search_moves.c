/* test_search_moves.c - single moves of the search lead out of sequences that are locally best */
#include "tests/unit/phase_problem.h"

#include "core/base/clock.h"
#include "core/mpcc/report.h"
#include "transcription/moves/search.h"

/* What a search has passed are solutions, the best first (but for rounding), and none is better than what it came to,
 * but for what as good with fewer events may cost. */
static void check_passed(struct search *search, double best)
{
    struct finish one;
    double before = best;
    assert_true(search->pool->n_passed > 0 || search->moves == 0);
    while (pool_take_passed(search->pool, &one)) {
        assert_true(one.solved && one.objective >= before - 1e-5 * fabs(best));
        before = one.objective;
        finish_free(&one);
    }
    assert_int_equal(search->pool->n_passed, 0);
}

/* Improves the solution of a sequence; its events start at t. */
static struct finish improve(struct phase_problem *problem, const char *text, const double *t)
{
    struct finish best = phase_solve(problem, text, t);
    struct search search;
    struct pool pool = { 0 };
    search_init(&search, &problem->task, &pool);
    assert_int_equal(search_improve(&search, &best, problem->small.diag), STATUS_OK);
    check_passed(&search, best.objective);
    pool_free(&pool);
    return best;
}

/* A mass falls and slides to a goal. Least effort, the best time of rest inserted: 35.4530789. To stop dead at the
 * impact is a local optimum. */
static const char fall_and_slide[] =
        "cocp: 1\n"
        "time: {horizon: 2, intervals: 16, elements: 2}\n"
        "states: {x: {initial: 0, final: sqrt(5)}, z: {initial: 1}, vx: {initial: 0, final: 0}, vz: {initial: 0}}\n"
        "controls: {u: {bounds: [-50, 50]}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {x: u, z: -10}}\n"
        "contacts: {ground: {gap: z, tangent: x, friction: 0.4}}\n"
        "cost: {running: {effort: u^2}}\n"
        "discretization: {method: fesd-j}\n";

static void after_an_impact_slip_is_tried(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(fall_and_slide, 3, 1);
    const double t[] = { sqrt(0.2), 0.5, 1.95 };
    struct finish best = improve(&problem, "o 3.5!k k 4 + 15.5 k", t);
    assert_near(best.objective, 35.4530789, 1e-6);
    finish_free(&best);
    phase_free(&problem);
}

/* Without any patience the first neighbour that is not better is the last one. The same search, now patient, goes
 * on from there to the same best. Work is that of its programs alone. */
static void impatience_ends_a_search_that_may_go_on(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(fall_and_slide, 3, 1);
    const double t[] = { sqrt(0.2), 0.5, 1.95 };
    struct finish best = phase_solve(&problem, "o 3.5!k k 4 + 15.5 k", t);
    struct finish_work work = { 0 };
    struct search search;
    struct pool pool = { 0 };
    problem.task.work = &work;
    search_init(&search, &problem.task, &pool);
    search.patience = 0;
    assert_int_equal(search_improve(&search, &best, problem.small.diag), STATUS_OK);
    assert_true(search.impatient && !search.exhausted && search.tries == search.moves + 1);
    assert_true(work.linear.entries > work.iterations && work.iterations > 0);
    search.patience = INFINITY;
    assert_int_equal(search_improve(&search, &best, problem.small.diag), STATUS_OK);
    assert_true(!search.impatient && search.exhausted);
    assert_near(best.objective, 35.4530789, 1e-6);
    pool_free(&pool);
    finish_free(&best);
    phase_free(&problem);
}

/* A block is pushed across a table in space: it rests first and last, as long as is best: 27.6898071 (least squares
 * over the time of rest). Slipping all the time takes a quarter more. */
static void at_the_ends_rest_is_tried(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 2, intervals: 16, elements: 2}\n"
        "states: {x: {initial: 0, final: 1}, y: {initial: 0, final: 0.5}, z: {initial: 0},\n"
        "         vx: {initial: 0, final: 0}, vy: {initial: 0, final: 0}, vz: {initial: 0}}\n"
        "controls: {ux: {bounds: [-30, 30], guess: 1}, uy: {bounds: [-30, 30]}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]},\n"
        "           force: {x: ux, y: uy, z: -10}}\n"
        "contacts: {table: {gap: z, tangent: [x, y], friction: 0.4}}\n"
        "cost: {running: {effort: ux^2 + uy^2}}\n"
        "discretization: {method: fesd-j}\n", 3, 1);
    struct finish best = improve(&problem, "s", NULL);
    assert_near(best.objective, 27.6898071, 1e-6);
    finish_free(&best);
    phase_free(&problem);
}

/* A force that grows as 2 t moves a mass against dry friction of 1 N from t = 1/2 on: v = (t - 1/2)^2. From a
 * sequence that moves at once, which has no solution, the search comes to the one that slides on v = 0 first. */
static void a_switch_at_zero_slides_first(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 1, elements: 1}\n"
        "states: {x: {initial: 0}, v: {initial: 0}, f: {initial: 0}}\n"
        "dynamics: {type: ode, rhs: {x: v, v: f - sign(v), f: 2}}\n"
        "discretization: {method: fesd}\n", 3, 1);
    struct sequence *seq = phase_sequence(&problem, "p");
    struct samples *samples = phase_constant(&problem, seq, NULL);
    struct finish out;
    struct search search;
    struct pool pool = { 0 };
    assert_int_equal(finish_solve(&problem.task, seq, samples, FINISH_COLD, 100, &out, problem.small.diag), STATUS_OK);
    assert_false(out.solved);
    search_init(&search, &problem.task, &pool);
    assert_int_equal(search_repair(&search, &out, problem.small.diag), STATUS_OK);
    assert_true(out.solved);
    assert_near(phase_final(&out, 1), 0.25, 1e-9);
    assert_near(phase_final(&out, 0), 0.125 / 3, 1e-9);
    pool_free(&pool);
    finish_free(&out);
    samples_free(samples);
    sequence_free(seq);
    phase_free(&problem);
}

/* Is a sequence among the neighbours of another, whose events are at t? */
static bool is_neighbour(struct phase_problem *problem, const char *text, const double *t, const char *wanted)
{
    struct sequence *seq = phase_sequence(problem, text), *one = phase_sequence(problem, wanted);
    struct samples *samples = phase_constant(problem, seq, t);
    struct finish at;
    bool any = false;
    assert_int_equal(finish_build(&problem->task, seq, samples, &at, problem->small.diag), STATUS_OK);
    struct neighbours list = neighbours_of(&at, FOR_BETTER | FOR_SHIFT, 1e-3, NULL);
    for (int k = 0; k < list.n; k++)
        any = any || sequence_equal(list.list[k].seq, one);
    neighbours_free(&list);
    finish_free(&at);
    samples_free(samples);
    sequence_free(seq);
    sequence_free(one);
    return any;
}

/* A landing that slips for no time up to the grid point where it sticks is one that sticks, there or a moment
 * earlier; slip without length at a point where sticking ends is none. With a length they stay apart. Intervals take
 * 0.125 s. */
static void what_has_no_length_beside_a_grid_point_goes(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 2, intervals: 16, elements: 2}\n"
        "states: {x: {initial: 0}, z: {initial: 1}, vx: {initial: 0}, vz: {initial: 0}}\n"
        "controls: {u: {bounds: [-50, 50]}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {x: u, z: -10}}\n"
        "contacts: {ground: {gap: z, tangent: x, friction: 0.4}}\n"
        "cost: {running: {effort: u^2}}\n"
        "discretization: {method: fesd-j}\n", 3, 1);
    const double landing[] = { 0.5, 0.5 }, long_landing[] = { 0.45, 0.5 }, slip[] = { 0.3, 0.5, 0.5 };
    assert_true(is_neighbour(&problem, "o 3.5!+ + 4 k", landing, "o 4!k k"));
    assert_true(is_neighbour(&problem, "o 3.5!+ + 4 k", landing, "o 3.5!k k"));
    assert_false(is_neighbour(&problem, "o 3.5!+ + 4 k", long_landing, "o 4!k k"));
    assert_true(is_neighbour(&problem, "o 2.5!k k 4 + 4.5 k", slip, "o 2.5!k k"));
    phase_free(&problem);
}

static const char hop[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 4, elements: 2}\n"
    "states: {z: {initial: 0.45}, v: {initial: 0}}\n"
    "controls: {u: {bounds: [-50, 50]}}\n"
    "dynamics: {type: mechanical, coordinates: {z: v}, mass: {diag: [1]}, force: {z: u - 10}}\n"
    "contacts: {ground: {gap: z}}\n"
    "cost: {running: {effort: u^2}, terminal: {up: 100*(z - 0.2)^2}}\n"
    "discretization: {method: fesd-j}\n";

/* When its time is up a search tries nothing more and keeps what it has; a program that is begun stops at once. */
static void a_search_ends_with_its_time(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(hop, 3, 1);
    const double t[] = { 0.3, 0.75 };
    struct finish best = phase_solve(&problem, "o 1.5!c c 3 o", t);
    struct search search;
    struct pool pool = { 0 };
    const double before = best.objective;
    problem.task.deadline = clock_seconds();
    search_init(&search, &problem.task, &pool);
    assert_int_equal(search_improve(&search, &best, problem.small.diag), STATUS_OK);
    assert_int_equal(search.tries, 0);
    assert_true(best.solved && best.objective == before && !search.exhausted);
    pool_free(&pool);
    struct finish again;
    assert_int_equal(finish_again(&problem.task, &best, 100, &again, problem.small.diag), STATUS_OK);
    assert_true(again.iterations <= 1 && again.outcome == NLP_TIME);
    finish_free(&again);
    finish_free(&best);
    phase_free(&problem);
}

/* A program that is stopped two iterations before its end is not without a solution: it goes on from there, and no
 * neighbour is asked for. One that is stopped far from feasible stays where it is. */
static void what_is_nearly_solved_goes_on(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(hop, 3, 1);
    const double t[] = { 0.3, 0.75 };
    struct finish whole = phase_solve(&problem, "o 1.5!c c 3 o", t), cut;
    struct samples *samples = phase_constant(&problem, whole.ph->seq, t);
    for (int early = 0; early < 2; early++) {
        struct search search;
        struct pool pool = { 0 };
        const int max_iter = early ? 1 : whole.iterations - 2;
        assert_int_equal(finish_solve(&problem.task, whole.ph->seq, samples, FINISH_COLD, max_iter, &cut, problem.small.diag),
                         STATUS_OK);
        assert_true(!cut.solved && cut.outcome == NLP_ITERATIONS && (cut.violation > 1e-2) == early);
        search_init(&search, &problem.task, &pool);
        search.max_tries = 0;
        assert_int_equal(search_repair(&search, &cut, problem.small.diag), STATUS_OK);
        assert_int_equal(cut.solved, !early);
        assert_true(early || fabs(cut.objective - whole.objective) <= 1e-7 * fabs(whole.objective));
        assert_int_equal(search.tries, 0);
        pool_free(&pool);
        finish_free(&cut);
    }
    samples_free(samples);
    finish_free(&whole);
    phase_free(&problem);
}

/* A block at rest is not pushed, which is cheapest. What a discovery saw slipping at first, to stick then, has no
 * length and is left out. */
static void a_mode_of_no_length_at_the_start_goes(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 2, elements: 1}\n"
        "states: {x: {initial: 0}, z: {initial: 0}, vx: {initial: 0}, vz: {initial: 0}}\n"
        "controls: {u: {bounds: [0, 10]}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {x: u, z: -10}}\n"
        "contacts: {ground: {gap: z, tangent: x, friction: 0.4}}\n"
        "cost: {running: {effort: u^2}}\n"
        "discretization: {method: fesd-j}\n", 3, 1);
    const double t[] = { 0.1 };
    struct finish best = improve(&problem, "+ 0.5 k", t);
    assert_int_equal(best.ph->seq->n_event, 0);
    assert_near(best.objective, 0, 1e-6);
    finish_free(&best);
    phase_free(&problem);
}

/* What slips in space turns round at rest, another mode: a direction that is the opposite of that at the point before
 * breaks a row of the program, by 1 + cos(45 degrees) or so, where friction is too little for others to be broken by
 * as much. */
static void slip_in_space_does_not_turn_round(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 2, elements: 1}\n"
        "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0}, vx: {initial: 0.3}, vy: {initial: 0}, vz: {initial: 0}}\n"
        "controls: {u: {bounds: [-20, 20]}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]}, force: {x: u, z: -10}}\n"
        "contacts: {table: {gap: z, tangent: [x, y], friction: 0.01}}\n"
        "cost: {running: {effort: u^2}}\n"
        "discretization: {method: fesd-j}\n", 3, 1);
    for (int k = 0; k < 4; k++) {               /* from stage to stage, and over a grid point */
        struct sequence *seq = phase_sequence(&problem, "s");
        struct samples *samples = phase_constant(&problem, seq, NULL);
        struct finish at;
        struct report_item item[2];             /* one row; no products */
        assert_int_equal(finish_build(&problem.task, seq, samples, &at, problem.small.diag), STATUS_OK);
        for (int j = k + 1; j < 6; j++) {
            const struct phase_point point = phases_stage_point(at.ph, j / 3, j % 3);
            assert_near(at.w[point.first + point.layout->dir[0]], 1, 1e-12);
            at.w[point.first + point.layout->dir[0]] = -1;
        }
        assert_int_equal(report_worst(&at.ph->mpcc, at.w, 0.7, INFINITY, 1, item), 1);
        assert_string_equal(item[0].label->name, "table turn of slip");
        assert_near(phases_violation(at.ph, at.w), 1 + sqrt(0.5), 0.01);
        finish_free(&at);
        samples_free(samples);
        sequence_free(seq);
    }
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_an_impact_slip_is_tried),
        cmocka_unit_test(impatience_ends_a_search_that_may_go_on), cmocka_unit_test(at_the_ends_rest_is_tried),
        cmocka_unit_test(a_switch_at_zero_slides_first), cmocka_unit_test(what_has_no_length_beside_a_grid_point_goes),
        cmocka_unit_test(a_search_ends_with_its_time), cmocka_unit_test(what_is_nearly_solved_goes_on),
        cmocka_unit_test(a_mode_of_no_length_at_the_start_goes),
        cmocka_unit_test(slip_in_space_does_not_turn_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
