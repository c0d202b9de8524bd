/* test_gait.c - drawn feet stand still and fly, and programs converge from there */
#define _POSIX_C_SOURCE 200809L    /* open_memstream */

#include "tests/unit/phase_problem.h"
#include "tests/unit/sequence_text.h"

#include "transcription/finish/path_homotopy.h"
#include "transcription/proposals/gait.h"
#include "transcription/sequence/recipe.h"

#include <math.h>

/* A hip on a leg that turns and stretches: the foot is at (x + r sin a, z - r cos a). */
static const char hopper[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 20, elements: 2}\n"
    "states: {x: {initial: 0%s}, z: {initial: 0.5}, a: {initial: 0, bounds: [-1, 1]},\n"
    "         r: {initial: %s, bounds: [0.2, 0.6]},\n"
    "         vx: {initial: 0}, vz: {initial: 0}, va: {initial: 0}, vr: {initial: 0}}\n"
    "controls: {M: {bounds: [-20, 20]}, F: {bounds: [-80, 80], guess: 5}}\n"
    "define: {foot_x: x + r*sin(a), foot_z: z - r*cos(a), there: 0.8*t}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz, a: va, r: vr},\n"
    "           kinetic: 0.5*(ddt(x)^2 + ddt(z)^2) + 0.1*(ddt(foot_x)^2 + ddt(foot_z)^2) + 0.01*ddt(a)^2,\n"
    "           potential: 9.81*z + 1.962*foot_z, force: {a: M, r: F}}\n"
    "%s"
    "cost: {running: {effort: 0.01*(M^2 + F^2)%s}, terminal: {goal: %s}}\n";

static const char flat[] = "contacts: {foot: {gap: foot_z, tangent: foot_x, friction: 1}}\n";
static const char stair[] = "grounds: {stair: {points: [[-1, 0], [0.4, 0], [0.4, 0.2], [3, 0.2]]}}\n"
                            "contacts: {foot: {point: [foot_x, foot_z], ground: stair, friction: 1}}\n";

static struct phase_problem read_on(const char *ground, const char *final, const char *r, const char *running,
                                    const char *terminal)
{
    char spec[1800];
    (void)snprintf(spec, sizeof spec, hopper, final, r, ground, running, terminal);
    return phase_read(spec, 3, 2);
}

static struct phase_problem read(const char *final, const char *r, const char *running, const char *terminal)
{
    return read_on(flat, final, r, running, terminal);
}

static double foot_x(const double *y) { return y[0] + y[3] * sin(y[2]); }
static double foot_z(const double *y) { return y[1] - y[3] * cos(y[2]); }

/* Three stances of 4 intervals, two flights of 4: lift-offs on grid points, landings inside. */
static void stances_and_flights_take_their_parts(void **state)
{
    (void)state;
    struct phase_problem problem = read(", final: 0.8", "0.5", "", "0*x");
    assert_true(gait_fits(problem.sys));
    assert_int_equal(gait_most_flights(problem.sys, 0.6), 8);          /* 8 intervals of flight */
    assert_int_equal(gait_most_flights(problem.sys, 0.2), 3);          /* 4 of stance, one before and after */
    struct extract drawn = gait_draw(problem.sys, &(struct gait){ 2, 0.6, 0 });
    assert_text(drawn.seq, "k 4 o 8.5!k k 12 o 16.5!k k");
    const double t[] = { 0.2, 0.4, 0.6, 0.8 };
    for (int j = 0; j < 4; j++)
        assert_near(drawn.samples->t_event[j], t[j], 1e-12);
    extract_free(&drawn);
    phase_free(&problem);
}

/* Feet stand still on the ground in stances, and are above a parabola in flights; the hip goes on, and velocities are
 * those of the positions. A foot slides by the curvature of J_t over a step alone: 1/200 of the way, to the third
 * order. */
static void feet_stand_and_fly(void **state)
{
    (void)state;
    struct phase_problem problem = read(", final: 0.8", "0.5", "", "0*x");
    struct extract drawn = gait_draw(problem.sys, &(struct gait){ 2, 0.6, 0 });
    const struct samples *samples = drawn.samples;
    const int n_y = samples->n_y;
    double least[5], most[5], way = 0;
    for (int mode = 0; mode < 5; mode++) {
        least[mode] = INFINITY;
        most[mode] = -INFINITY;
    }
    for (int k = 0; k < samples->n; k++) {
        const double *y = samples->y + k * n_y, t = samples->t[k];
        const int mode = samples->mode[k];
        least[mode] = fmin(least[mode], foot_x(y));
        most[mode] = fmax(most[mode], foot_x(y));
        if (mode % 2)
            assert_true(foot_z(y) >= GAIT_RISE * (t - samples->t_event[mode - 1]) * (samples->t_event[mode] - t)
                                         - 1e-3);
        else
            assert_near(foot_z(y), 0, 1e-6);
        if (k > 1)
            way += 0.5 * (y[4] + y[4 - n_y]) * (t - samples->t[k - 1]);
    }
    for (int mode = 0; mode < 5; mode += 2)
        assert_true(most[mode] - least[mode] < 1e-3);
    assert_near(way, samples->y[(samples->n - 1) * n_y], 0.02);
    assert_near(samples->y[0], 0, 0);
    assert_near(samples->y[1], 0.5, 0);
    assert_true(most[4] > most[2] && most[2] > most[0] + 0.1);
    extract_free(&drawn);
    phase_free(&problem);
}

/* Where the end is wished: by a final value, a running cost's reference, a terminal cost that is least there. */
static void the_hip_goes_where_it_is_wished(void **state)
{
    (void)state;
    static const struct { const char *final, *running, *terminal; } row[] = {
        { ", final: 0.8", "", "0*x" }, { "", ", track: {squares: {x: 1}, reference: {x: there}}", "0*x" },
        { "", "", "50*(x - 0.8)^2" }
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        struct phase_problem problem = read(row[k].final, "0.5", row[k].running, row[k].terminal);
        struct extract drawn = gait_draw(problem.sys, &(struct gait){ 3, 0.6, 0 });
        assert_near(drawn.samples->y[(drawn.samples->n - 1) * drawn.samples->n_y], 0.8, 1e-3);
        extract_free(&drawn);
        phase_free(&problem);
    }
}

/* A foot that is in the air at the start is none to stand on. */
static void a_foot_in_the_air_is_none(void **state)
{
    (void)state;
    struct phase_problem problem = read(", final: 0.8", "0.4", "", "0*x");
    assert_false(gait_fits(problem.sys));
    phase_free(&problem);
}

/* What is in the air at the start, and stands where final values say, lands once when it is told to, and stays; or in
 * turn. */
static void what_comes_flying_lands(void **state)
{
    (void)state;
    struct phase_problem problem = read(", final: 0.4", "0.4, final: 0.5", "", "0*x");
    assert_true(gait_fits(problem.sys) && gait_flies(problem.sys));
    struct extract drawn = gait_draw(problem.sys, &(struct gait){ 1, 0.6, 0.22 });
    const struct samples *samples = drawn.samples;
    assert_text(drawn.seq, "o 4.5!k k");
    assert_near(samples->t_event[0], 0.22, 1e-12);
    for (int k = 0; k < samples->n; k++) {
        const double *y = samples->y + k * samples->n_y;
        if (samples->mode[k] == 1)
            assert_near(foot_z(y), 0, 1e-5);
        else
            assert_true(foot_z(y) > 0);
    }
    extract_free(&drawn);
    drawn = gait_draw(problem.sys, &(struct gait){ 2, 0.5, 0.2 });
    assert_text(drawn.seq, "o 4.5!k k 8 o 16.5!k k");                  /* 16 intervals left: 4 of stance, 8 of flight, 4 */
    extract_free(&drawn);
    phase_free(&problem);
}

/* The program of the sequence has a solution from there: the goal is reached by as many hops, every row to 1e-7. */
static void its_program_converges(void **state)
{
    (void)state;
    struct phase_problem problem = read(", final: 0.8", "0.5", "", "0*x");
    for (int n = 1; n <= 3; n++) {
        struct finish one;
        struct extract drawn = gait_draw(problem.sys, &(struct gait){ n, 0.6, 0 });
        struct diag *diag = problem.small.diag;
        assert_int_equal(path_homotopy_sketch(&problem.task, drawn.seq, drawn.samples, 300, &one, diag), STATUS_OK);
        assert_int_equal(path_homotopy_finish_sketch(&problem.task, 300, &one, diag), STATUS_OK);
        assert_true(one.solved);
        assert_true(one.violation <= FINISH_VIOLATION_OK);
        assert_int_equal(one.ph->seq->n_event, 2 * n);
        assert_near(one.w[phases_left(one.ph, one.ph->n_element)[0]], 0.8, 1e-7);
        finish_free(&one);
        extract_free(&drawn);
    }
    phase_free(&problem);
}

/* Of a ground of several pieces a stance is on the one where it is wished, and what flies is above all of them. Its
 * program has a solution: the stair is taken by one hop. */
static void a_stance_is_on_its_stair(void **state)
{
    (void)state;
    struct phase_problem problem = read_on(stair, ", final: 0.8", "0.5", "", "500*(z - 0.7)^2");
    assert_true(gait_fits(problem.sys));
    struct extract drawn = gait_draw(problem.sys, &(struct gait){ 1, 0.6, 0 });
    const struct samples *samples = drawn.samples;
    assert_text(drawn.seq, "ko 6 oo 14.5!ok ok2");
    for (int k = 0; k < samples->n; k++) {
        const double *y = samples->y + k * samples->n_y;
        if (samples->mode[k] != 1)
            assert_near(foot_z(y), samples->mode[k] == 0 ? 0 : 0.2, 1e-5);
        else
            assert_true(foot_z(y) > (foot_x(y) > 0.4 + 1e-6 ? 0.2 : 0) - 1e-3);
    }
    struct finish one;
    assert_int_equal(path_homotopy_sketch(&problem.task, drawn.seq, samples, 300, &one, problem.small.diag),
                     STATUS_OK);
    assert_int_equal(path_homotopy_finish_sketch(&problem.task, 300, &one, problem.small.diag), STATUS_OK);
    assert_true(one.solved);
    const int *end = phases_left(one.ph, one.ph->n_element);
    double y[4];
    for (int i = 0; i < 4; i++)
        y[i] = one.w[end[i]];
    assert_near(foot_z(y), 0.2, 1e-4);          /* but for the drift of three stages */
    assert_near(y[0], 0.8, 1e-7);
    finish_free(&one);
    extract_free(&drawn);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stances_and_flights_take_their_parts),
        cmocka_unit_test(feet_stand_and_fly),
        cmocka_unit_test(the_hip_goes_where_it_is_wished),
        cmocka_unit_test(a_foot_in_the_air_is_none),
        cmocka_unit_test(what_comes_flying_lands),
        cmocka_unit_test(its_program_converges),
        cmocka_unit_test(a_stance_is_on_its_stair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
