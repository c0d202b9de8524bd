/* test_multiphase_exact.c - programs of phases against closed forms, their orders of convergence, FESD and
 * sensitivities */
#include "tests/unit/phase_problem.h"

#include "transcription/multiphase/rows/bounces.h"

#include <string.h>

static const double g = 9.81, mu = 0.5;

static double event_time(const struct finish *finish, int j)
{
    double start[200], t[50];
    phases_times(finish->ph, finish->w, start, t);
    return t[j];
}

/* --- Closed forms -------------------------------------------------------------------------------------------- */

#define BALL(e) FALLING_BALL("9.81", e)
#define FALLING_BALL(g, e) \
    "cocp: 1\n" \
    "time: {horizon: 1, intervals: 1, elements: 1}\n" \
    "states: {q: {initial: 1}, v: {initial: 0}}\n" \
    "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [2]}, force: {q: -2*" g "}}\n" \
    "contacts: {floor: {gap: q, restitution: " e "}}\n"

/* A height of 0.3 m at 0.7 s gives the restitution: q = e v (t - hit) - g (t - hit)^2 / 2. That time is first taken to be
 * before the impact; and at 0.2 s the velocity is that of the fall, wherever the polynomials put it. */
static void a_height_inside_an_interval_gives_the_restitution(void **state)
{
    (void)state;
    static const char spec[] =
        "cocp: 1\n"
        "parameters: {e: {value: 0.9, optimize: [0.1, 1]}, g: {value: 9, optimize: [5, 15]}}\n"
        "time: {horizon: 0.8, intervals: 1, elements: 1}\n"
        "states: {q: {initial: 1}, v: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [2]}, force: {q: -2*g}}\n"
        "contacts: {floor: {gap: q, restitution: e}}\n"
        "cost: {sampled: {a: {expr: (q - 0.3)^2, at: 0.7 s}, b: {expr: (v + 9.81*0.2)^2, at: 0.2 s}}}\n";
    struct phase_problem problem = phase_read(spec, 3, 2);
    const double guess = 0.75, hit = sqrt(2 / g), rest = 0.7 - hit;
    struct finish out = phase_solve(&problem, "o 0.5!c o", &guess);
    assert_near(out.w[out.ph->at.p + 1], g, 1e-8);
    assert_near(out.w[out.ph->at.p], (0.3 + g * rest * rest / 2) / (g * hit * rest), 1e-8);
    assert_false(phases_interior_times_moved(out.ph, out.w));
    double y[2];
    const struct phase_interior_time *at = &out.ph->interior_time[1];
    phases_interior_time_state(out.ph, at, out.w[at->tau], out.w, y);
    assert_near(y[0], 0.3, 1e-8);
    finish_free(&out);
    phase_free(&problem);
}

/* Falls for sqrt(2/g), leaves at 0.8 of its speed: a parabola again. */
static void a_ball_bounces(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(BALL("0.8"), 2, 1);
    const double guess = 0.4, hit = sqrt(2 / g), v = 0.8 * g * hit, rest = 1 - hit;
    struct finish out = phase_solve(&problem, "o 0.5!c o", &guess);
    assert_near(event_time(&out, 0), hit, 1e-12);
    assert_near(phase_final(&out, 0), v * rest - g * rest * rest / 2, 1e-12);
    assert_near(phase_final(&out, 1), v - g * rest, 1e-12);
    struct phase_trace *trace = phase_trace_create(out.ph, out.w);
    assert_int_equal(trace->n_event, 1);
    assert_near(trace->event[0].impulse[0], 2 * 1.8 * g * hit, 1e-11);
    phase_trace_free(trace);
    finish_free(&out);
    phase_free(&problem);
}

/* Without restitution it stays, and the floor carries m g. */
static void a_ball_comes_to_rest(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(BALL("0"), 2, 1);
    const double guess = 0.5;
    struct finish out = phase_solve(&problem, "o 0.5!c c", &guess);
    double x[2], force[CONTACT_ROWS];
    assert_near(event_time(&out, 0), sqrt(2 / g), 1e-10);        /* lambda_n >= 0: as good as IPOPT's barrier */
    phase_trace_at(out.ph, out.w, 0.9, x, force);
    assert_near(x[0], 0, 1e-10);
    assert_near(force[0], 2 * g, 1e-9);
    finish_free(&out);
    phase_free(&problem);
}

/* Times of n impacts of a ball that falls from 1 m and leaves at e of its speed: flights of 2 e^k sqrt(2/g). */
static void bounce_times(double gravity, double e, int n, double *t)
{
    const double hit = sqrt(2 / gravity);
    t[0] = hit;
    for (int k = 1; k < n; k++)
        t[k] = t[k - 1] + 2 * hit * pow(e, k);
}

/* Has the sequence a solution, from events at t? */
static bool comes_to_rest(struct phase_problem *problem, const char *text, const double *t)
{
    struct sequence *seq = phase_sequence(problem, text);
    struct samples *samples = phase_constant(problem, seq, t);
    struct finish out;
    assert_int_equal(finish_solve(&problem->task, seq, samples, FINISH_COLD, 200, &out, problem->small.diag), STATUS_OK);
    const bool solved = out.solved;
    finish_free(&out);
    samples_free(samples);
    sequence_free(seq);
    return solved;
}

/* Bounces that shrink by 0.1 end at hit (1 + e)/(1 - e): after five of them the next one comes at 4.4e-5 m/s and is the
 * last, to within its own 2 e v/g. */
static void bounces_come_to_rest(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(BALL("0.1"), 2, 1);
    const double e = 0.1, hit = sqrt(2 / g);
    static const char many[] = "o 0.5!c o 0.5!c o 0.5!c o 0.5!c o 0.5!c o 0.5!c c";
    double t[6];
    bounce_times(g, e, 6, t);
    struct finish out = phase_solve(&problem, many, t);
    for (int k = 0; k < 6; k++)
        assert_near(event_time(&out, k), t[k], 1e-9);
    assert_near(event_time(&out, 5), hit * (1 + e) / (1 - e), 2 * hit * pow(e, 6) / (1 - e) + 1e-9);
    assert_near(phase_final(&out, 0), 0, 1e-9);
    assert_near(phase_final(&out, 1), 0, 1e-9);
    finish_free(&out);
    struct sequence *seq = phase_sequence(&problem, many);
    for (int j = 0; j < seq->n_event; j++) {
        assert_int_equal(bounces_end_any(problem.sys, seq, j), j == 5);
        assert_true(j == 0 || bounces_before(seq, j, 0) == j - 1);
    }
    sequence_free(seq);
    phase_free(&problem);
}

/* What is left of a series is a matter of time, 2 hit e^(k + 1)/(1 - e) after k bounces: 1e-4 s for three under 9.81
 * m/s^2, which is motion that would be missing, 7.0e-6 s under 2,000 m/s^2, though the last impact comes fourteen
 * times as fast there (0.063 m/s; 0.0044 m/s). After one it stays closed only where it touched down at rest. */
static void what_is_left_of_bounces_is_a_time(void **state)
{
    (void)state;
    static const char three[] = "o 0.5!c o 0.5!c o 0.5!c o 0.5!c c", one[] = "o 0.5!c o 0.5!c c";
    struct phase_problem slow = phase_read(BALL("0.1"), 2, 1), quick = phase_read(FALLING_BALL("2000", "0.1"), 2, 1);
    double t[4];
    bounce_times(g, 0.1, 4, t);
    assert_false(comes_to_rest(&slow, three, t));
    assert_false(comes_to_rest(&slow, one, t));
    bounce_times(2000, 0.1, 4, t);
    assert_true(comes_to_rest(&quick, three, t));
    assert_false(comes_to_rest(&quick, one, t));
    phase_free(&slow);
    phase_free(&quick);
}

static const char slider[] =
    "cocp: 1\n"
    "time: {horizon: 0.3, intervals: 1, elements: 1}\n"
    "states: {x: {initial: 0}, z: {initial: 0}, vx: {initial: 1}, vz: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {z: -9.81}}\n"
    "contacts: {floor: {gap: z, tangent: x, friction: 0.5}}\n";

/* cases.md 3.6: slip ends after v / (mu g). */
static void a_slider_stops(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(slider, 2, 1);
    const double guess = 0.1;
    struct finish out = phase_solve(&problem, "+ 0.5 k", &guess);
    assert_near(event_time(&out, 0), 1 / (mu * g), 1e-11);
    assert_near(phase_final(&out, 0), 1 / (2 * mu * g), 1e-11);
    finish_free(&out);
    phase_free(&problem);
}

static const char puck[] =
    "cocp: 1\n"
    "time: {horizon: 0.3, intervals: 1, elements: 1}\n"
    "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0}, a: {initial: 0.6}, b: {initial: 0.8}, c: {initial: 0}}\n"
    "dynamics: {type: mechanical, coordinates: {x: a, y: b, z: c}, mass: {diag: [1, 1, 1]}, force: {z: -9.81}}\n"
    "contacts: {floor: {gap: z, tangent: [x, y], friction: 0.5}}\n";

/* The same in space, with the exact cone: on a straight line, as friction opposes slip. */
static void a_puck_stops(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(puck, 2, 1);
    const double guess = 0.15;
    struct finish out = phase_solve(&problem, "s 0.5 k", &guess);
    assert_near(event_time(&out, 0), 1 / (mu * g), 1e-9);
    assert_near(phase_final(&out, 0), 0.6 / (2 * mu * g), 1e-9);
    assert_near(phase_final(&out, 1), 0.8 / (2 * mu * g), 1e-9);
    finish_free(&out);
    phase_free(&problem);
}

#define TURBO(more) \
    "cocp: 1\n" \
    "time: {horizon: {min: 1, max: 100, guess: 13}, intervals: 10, elements: 3}\n" \
    "states: {q: {initial: 0, final: 200}, v: {bounds: [-20, 20], initial: 0, final: 0}}\n" \
    "controls: {u: {bounds: [-5, 5], guess: 1}}\n" \
    "dynamics:\n  type: piecewise\n  switches: {turbo: v - 10}\n" \
    "  modes:\n    normal: {where: turbo < 0, rhs: {q: v, v: u}}\n    boost: {where: turbo > 0, rhs: {q: v, v: 3*u}}\n" \
    "cost: {terminal: {time: t}}\n" more

/* Full thrust to 10 m/s in 2 s, then three times as strong; 20 m/s; the same backwards: T = 40/3 s. */
static void the_turbo_car_takes_40_thirds(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(TURBO(""), 2, 1);
    const double guess[] = { 2.1, 11 };
    struct finish out = phase_solve(&problem, "n 1.5 p 8.5 n", guess);
    assert_near(out.objective, 40.0 / 3, 1e-7);
    assert_near(event_time(&out, 0), 2, 1e-7);
    assert_near(event_time(&out, 1), 34.0 / 3, 1e-7);
    finish_free(&out);
    phase_free(&problem);
}

/* The turbo has hysteresis, on from 15 m/s, off below 10: 3 s, 2/3 s up to 25 m/s, that speed over what is left of 150
 * m, 1 s and 2 s down: T = 152/15 s. */
static void the_turbo_with_hysteresis_takes_152_fifteenths(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\ntime: {horizon: {min: 1, max: 100, guess: 11}, intervals: 10, elements: 3}\n"
        "states: {q: {initial: 0, final: 150}, v: {bounds: [0, 25], initial: 0, final: 0}}\n"
        "controls: {u: {bounds: [-5, 5], guess: 1}}\nhysteresis: {turbo: {of: v, on_at: 15, off_at: 10}}\n"
        "dynamics: {type: ode, rhs: {q: v, v: u*(1 + 2*turbo)}}\ncost: {terminal: {time: t}}\n", 2, 1);
    const double guess[] = { 3, 8 };
    problem.task.grid.free_intervals = true;
    struct finish out = phase_solve(&problem, "n 2.5 p 7.5 n", guess);
    assert_near(out.objective, 152.0 / 15, 1e-7);
    assert_near(event_time(&out, 0), 3, 1e-7);
    assert_near(event_time(&out, 1), 152.0 / 15 - 2, 1e-7);
    finish_free(&out);
    phase_free(&problem);
}

/* --- A solution of the FESD program -------------------------------------------------------------------------- */

static void copy_stage(const struct phases *ph, const double *w, const struct transcription *tr, double *to, int e, int k)
{
    const struct phase_point point = phases_stage_point(ph, e, k);
    for (int i = 0; i < 2; i++)
        to[tr_y(tr, e, k + 1, i)] = w[point.y[i]];
    const double c = w[point.y[1]] - 10;
    const bool positive = point.sw[0] == PHASE_POSITIVE;
    if (tr_is_stage(tr, k + 1))
        to[tr_sel(tr, e, k + 1)] = positive;
    to[tr_lam(tr, e, k + 1, tr->dcs->sw[0].lam_p)] = positive ? fmax(c, 0) : 0;
    to[tr_lam(tr, e, k + 1, tr->dcs->sw[0].lam_n)] = positive ? 0 : fmax(-c, 0);
}

/* On the same grid, with the same scheme, a finished solution solves the MPCC, its complementarity exactly 0. */
static void assert_solves_fesd(const char *spec, enum rk_family scheme)
{
    struct phase_problem problem = phase_read(spec, 2, 1);
    const double guess[] = { 2.1, 11 };
    problem.task.grid.scheme = scheme;
    struct finish out = phase_solve(&problem, "n 1.5 p 8.5 n", guess);
    for (int i = 0; i < 10; i++)
        problem.small.model->time.elements[i] = i == 1 || i == 8 ? 2 : 1;
    const struct transcription *tr = small_transcribe(&problem.small);
    const struct phases *ph = out.ph;
    assert_int_equal(tr->n_element, ph->n_element);
    double *w = program_guess(tr->prog);
    w[tr->T] = phases_horizon(ph, out.w);
    for (int i = 0; i < 10; i++)
        w[tr->u[i]] = out.w[ph->at.u[i]];
    for (int e = 0; e < ph->n_element; e++) {
        w[tr->h[e]] = phases_length(ph, out.w, ph->piece_of[e]);
        for (int k = 0; k < ph->n_point; k++)
            copy_stage(ph, out.w, tr, w, e, k);
    }
    assert_near(mpcc_violation(&tr->mpcc, w), 0, 1e-8);
    assert_true(mpcc_complementarity(&tr->mpcc, w) == 0);
    assert_near(mpcc_objective(&tr->mpcc, w), out.objective, 1e-12);
    finish_free(&out);
    phase_free(&problem);
}

static void a_finished_solution_solves_the_fesd_program(void **state)
{
    (void)state;
    assert_solves_fesd(TURBO("discretization: {method: fesd, scheme: radau-iia, stages: 2, form: step}\n"), RK_RADAU_IIA);
    assert_solves_fesd(TURBO("discretization: {method: fesd, scheme: gauss-legendre, stages: 2, form: step}\n"),
                       RK_GAUSS_LEGENDRE);
}

/* --- Multipliers --------------------------------------------------------------------------------------------- */

/* A mass with dry friction is to go 1 m and rest; it sticks in the end. */
#define PUSHED(goal) \
    "cocp: 1\n" \
    "time: {horizon: 2, intervals: 4, elements: 1}\n" \
    "states: {x: {initial: 0, final: " goal "}, v: {initial: 0, final: 0}}\n" \
    "controls: {u: {bounds: [-20, 20]}}\n" \
    "dynamics: {type: ode, rhs: {x: v, v: u - sign(v)}}\n" \
    "cost: {running: {effort: u^2}}\n"

static double cost_of(const char *spec, double *multiplier)
{
    struct phase_problem problem = phase_read(spec, 2, 1);
    const double guess = 1.7;
    struct finish out = phase_solve(&problem, "p 3.5 0", &guess);
    const double cost = out.objective;
    for (int row = 0; row < out.ph->mpcc.nlp.n_g; row++)
        if (strcmp(out.ph->mpcc.row[row].name, "final value of x") == 0)
            *multiplier = out.lambda[row];
    finish_free(&out);
    phase_free(&problem);
    return cost;
}

/* The multiplier of a goal is what a metre more would save. */
static void multipliers_are_sensitivities(void **state)
{
    (void)state;
    double multiplier = 0, unused = 0;
    cost_of(PUSHED("1"), &multiplier);
    const double slope = (cost_of(PUSHED("1.001"), &unused) - cost_of(PUSHED("0.999"), &unused)) / 0.002;
    assert_true(slope > 1);
    assert_near(-multiplier, slope, 1e-4 * slope);
}

/* --- Orders of convergence ----------------------------------------------------------------------------------- */

static double error_at(const char *spec, const char *sequence, enum rk_family scheme, int stages, int elements,
                       const struct finish *reference, int n)
{
    struct phase_problem problem = phase_read(spec, stages, elements);
    problem.task.grid.scheme = scheme;
    struct finish out = phase_solve(&problem, sequence, NULL);
    double error = 0;
    for (int i = 0; i < n; i++)
        error = fmax(error, fabs(phase_final(&out, i) - phase_final(reference, i)));
    finish_free(&out);
    phase_free(&problem);
    return error;
}

static void assert_order_of(enum rk_family scheme, const char *spec, const char *sequence, const struct finish *reference,
                            int n)
{
    for (int stages = 2; stages <= 3; stages++) {
        const int want = 2 * stages - (scheme == RK_RADAU_IIA);
        double error[2];
        for (int k = 0; k < 2; k++)
            error[k] = error_at(spec, sequence, scheme, stages, k ? 8 : 4, reference, n);
        const double order = log2(error[0] / error[1]);
        if (!(order > want - 0.35))
            fail_msg("%s, %s, %d stages: order %.2f, errors %.2g and %.2g", sequence, rk_name(scheme), stages, order,
                     error[0], error[1]);
    }
}

/* Radau IIA has order 2 s - 1 on the ODE that a mode is, Gauss-Legendre 2 s. */
static void assert_order(const char *spec, const char *sequence, int n)
{
    struct phase_problem problem = phase_read(spec, 5, 16);
    struct finish reference = phase_solve(&problem, sequence, NULL);
    assert_order_of(RK_RADAU_IIA, spec, sequence, &reference, n);
    assert_order_of(RK_GAUSS_LEGENDRE, spec, sequence, &reference, n);
    finish_free(&reference);
    phase_free(&problem);
}

/* A point slides in a bowl without friction, and over a hill with it. */
static void closed_and_slipping_modes_have_the_order_of_the_scheme(void **state)
{
    (void)state;
    assert_order("cocp: 1\n"
                 "time: {horizon: 1, intervals: 1, elements: 1}\n"
                 "states: {x: {initial: -0.8}, z: {initial: -0.6}, vx: {initial: 0.6}, vz: {initial: -0.8}}\n"
                 "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {z: -9.81}}\n"
                 "contacts: {bowl: {gap: (1 - x^2 - z^2)/2}}\n",
                 "c", 4);
    assert_order("cocp: 1\n"
                 "time: {horizon: 0.25, intervals: 1, elements: 1}\n"
                 "states: {x: {initial: 0}, z: {initial: 0}, vx: {initial: 2}, vz: {initial: 1.2}}\n"
                 "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {z: -9.81}}\n"
                 "contacts: {hill: {gap: z - 0.2*sin(3*x), tangent: x, friction: 0.1}}\n",
                 "+", 4);
}

/* A rod falls about its sticking foot. */
static void sticking_has_the_order_of_the_scheme(void **state)
{
    (void)state;
    assert_order("cocp: 1\n"
                 "time: {horizon: 0.6, intervals: 1, elements: 1}\n"
                 "states: {x: {initial: 0.1}, z: {initial: 0.99498743710662}, th: {initial: 0.10016742116156}, vx: {initial: 0},"
                 " vz: {initial: 0}, w: {initial: 0}}\n"
                 "dynamics: {type: mechanical, coordinates: {x: vx, z: vz, th: w}, mass: {diag: [1, 1, 0.3]},"
                 " force: {z: -9.81}}\n"
                 "contacts: {foot: {gap: z - cos(th), tangent: x - sin(th), friction: 2}}\n",
                 "k", 6);
}

/* A state held on a curve by a sliding switch moves along it. */
static void sliding_has_the_order_of_the_scheme(void **state)
{
    (void)state;
    assert_order("cocp: 1\n"
                 "time: {horizon: 1, intervals: 1, elements: 1}\n"
                 "states: {x: {initial: 0}, y: {initial: 0}}\n"
                 "dynamics: {type: ode, rhs: {x: 1 + 0.5*sin(3*x), y: -3*sign(y - sin(2*x)) + x}}\n",
                 "0", 2);
}

static void free_flight_has_the_order_of_the_scheme(void **state)
{
    (void)state;
    assert_order("cocp: 1\n"
                 "time: {horizon: 0.5, intervals: 1, elements: 1}\n"
                 "states: {th: {initial: 1}, w: {initial: 0.5}}\n"
                 "dynamics: {type: mechanical, coordinates: {th: w}, mass: {diag: [1 + th^2]}, force: {th: -9.81*sin(th)}}\n"
                 "contacts: {stop: {gap: 5 - th}}\n",
                 "o", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces), cmocka_unit_test(a_height_inside_an_interval_gives_the_restitution),
        cmocka_unit_test(a_ball_comes_to_rest),
        cmocka_unit_test(bounces_come_to_rest), cmocka_unit_test(what_is_left_of_bounces_is_a_time),
        cmocka_unit_test(a_slider_stops),
        cmocka_unit_test(a_puck_stops), cmocka_unit_test(the_turbo_car_takes_40_thirds),
        cmocka_unit_test(the_turbo_with_hysteresis_takes_152_fifteenths),
        cmocka_unit_test(a_finished_solution_solves_the_fesd_program), cmocka_unit_test(multipliers_are_sensitivities),
        cmocka_unit_test(closed_and_slipping_modes_have_the_order_of_the_scheme),
        cmocka_unit_test(sticking_has_the_order_of_the_scheme), cmocka_unit_test(sliding_has_the_order_of_the_scheme),
        cmocka_unit_test(free_flight_has_the_order_of_the_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
