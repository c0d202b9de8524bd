/* Machines in programs of phases, against closed forms: conditions that wait and are met, times in a state, resets,
 * transitions at once, orders beside one, and whole solves. */
#define _POSIX_C_SOURCE 200809L    /* open_memstream */

#include "tests/unit/phase_problem.h"
#include "tests/unit/sequence_text.h"

#include "transcription/discover/discover.h"
#include "transcription/finish/settings.h"
#include "transcription/moves/neighbours.h"
#include "transcription/program/check.h"
#include "transcription/sequence/legal.h"

#include <math.h>
#include <string.h>

static const double promised = 1e-7;            /* of solutions of smooth programs, absolute, for values of order 1 to 100 */

/* --- Sequences ------------------------------------------------------------------------------------------------ */

static void sequences_tell_transitions(void **state)
{
    (void)state;
    static const char *const good[] = { "A", "A 0.5>0 B 0.5>>12 C", "onA 0.5>1 onB 1!c cnB", "nAB 1.5>3 nAC 2 pAC" };
    static const char *const bad[] = { "0", "A 0.5> B", "A 0.5>x B", "A 0.5>0", "A 0.5>0 1", "A 0.5>>>1 B" };
    static const int n[][3] = { { 0, 0, 1 }, { 0, 0, 1 }, { 1, 1, 1 }, { 0, 1, 2 } };
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        struct sequence *seq = sequence_read(n[k][0], n[k][1], n[k][2], good[k]);
        assert_non_null(seq);
        assert_text(seq, good[k]);
        sequence_free(seq);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_null(sequence_read(0, 0, 1, bad[k]));
}

/* Back to the same state is a change, too; a transition goes from its state to its state, inside an interval. */
static void sequences_are_those_of_the_machine(void **state)
{
    (void)state;
    static const struct { const char *text; bool allowed; } all[] = {
        { "A", true },          { "A 0.5>0 B", true },          { "A 0.5>0 B 0.5>>1 A", true },     { "B", false },
        { "A 0.5 B", false },   { "A 1>0 B", false },           { "A 0.5>1 B", false },             { "A 0.5>0 A", false },
        { "A 0.5>>0 B", true }, { "A 1.5>>0 B", false },        { "A 0.5>2 A", true },
        { "A 0.5>0 B 1.5>>1 A", false },                        { "A 0.5>>2 A", false },
    };
    struct phase_problem problem = phase_read(
        "cocp: 1\ntime: {horizon: 1, intervals: 2}\nstates: {x: {initial: 0}}\n"
        "machines:\n  m:\n    states: {a: {p: 1}, b: {}}\n    transitions:\n"
        "      go: {from: a, to: b, when: x >= 1}\n      back: {from: b, to: a, when: x <= 0}\n      again: {from: a, to: a, after: 0.1}\n"
        "dynamics: {type: ode, rhs: {x: p}}\n", 2, 1);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct sequence *seq = phase_sequence(&problem, all[k].text);
        assert_int_equal(legal_machines(problem.sys, seq), all[k].allowed);
        sequence_free(seq);
    }
    struct sequence *again = phase_sequence(&problem, "A 0.5>2 A");
    sequence_simplify(again, NULL);
    assert_int_equal(again->n_event, 1);
    sequence_free(again);
    phase_free(&problem);
}

/* --- Programs of given sequences ------------------------------------------------------------------------------- */

#define GEARS(intervals) \
    "cocp: 1\ntime: {horizon: {min: 1, max: 100, guess: 12}, intervals: " intervals "}\n" \
    "states: {q: {initial: 0, final: 150}, v: {bounds: [0, 40], initial: 0, final: 0}}\n" \
    "controls: {u: {bounds: [-1, 1], guess: 1}}\n" \
    "machines:\n  gear:\n    states: {first: {pull: 6}, second: {pull: 4}, third: {pull: 2.5}}\n    transitions:\n" \
    "      up_2: {from: first, to: second, when: v >= 8}\n      up_3: {from: second, to: third, when: v >= 16}\n" \
    "      down_2: {from: third, to: second, when: v <= 12}\n      down_1: {from: second, to: first, when: v <= 5}\n" \
    "dynamics: {type: ode, rhs: {q: v, v: pull*u}}\n" \
    "cost: {terminal: {time: t}}\n"

/* Time from rest to rest over 150 m, the control free to switch where it likes: V from the distances v^2/2a of each
 * gear. */
static double time_in_gears(int n)
{
    if (n == 1)                                 /* at 8 m/s, the next gear out of reach */
        return 2 * 8 / 6.0 + (150 - 64 / 6.0) / 8;
    if (n == 2)
        return 8 / 6.0 + 8 / 4.0 + 11 / 4.0 + 5 / 6.0
               + (150 - 64 / 12.0 - (256 - 64) / 8.0 - (256 - 25) / 8.0 - 25 / 12.0) / 16;
    const double V = sqrt(22045 / 48.0);
    return 0.8 * V - 317 / 60.0;
}

static void gears_take_their_times(void **state)
{
    (void)state;
    static const struct { int n; const char *text; double t[4]; } all[] = {
        { 1, "A", { 0 } },
        { 2, "A 1.5>0 B 4.5>3 A", { 1.5, 10 } },
        { 3, "A 1.5>0 B 2.5>1 C 4.5>2 B 4.5>3 A", { 1.3, 3.3, 9, 11 } },
    };
    struct phase_problem problem = phase_read(GEARS("6"), 3, 1);
    problem.task.grid.free_intervals = true;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct finish out = phase_solve(&problem, all[k].text, all[k].t);
        assert_near(out.objective, time_in_gears(all[k].n), promised);
        finish_free(&out);
    }
    phase_free(&problem);
}

/* From the second gear alone both ways are found: up where its limit is active, with the way back, and out of it. */
static void orders_are_beside_each_other(void **state)
{
    (void)state;
    const double t[] = { 1.5, 10 };
    struct phase_problem problem = phase_read(GEARS("6"), 3, 1);
    problem.task.grid.free_intervals = true;
    struct finish out = phase_solve(&problem, "A 1.5>0 B 4.5>3 A", t);
    struct neighbours list = neighbours_of(&out, FOR_ORDER, 1e-3, NULL);
    bool higher = false, lower = false;
    for (int k = 0; k < list.n; k++) {
        const struct sequence *seq = list.list[k].seq;
        assert_true(legal_machines(problem.sys, seq));
        higher = higher || (seq->n_event == 4 && seq->step[1].transition == 1 && seq->step[2].transition == 2);
        lower = lower || seq->n_event == 0;
    }
    assert_true(higher && lower);
    neighbours_free(&list);
    finish_free(&out);
    phase_free(&problem);
}

/* Two thresholds on one quantity say all about each other; on two quantities they say nothing. */
static void thresholds_imply_each_other(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\ntime: {horizon: 1, intervals: 2}\nstates: {x: {initial: 0}, y: {initial: 0}}\n"
        "machines:\n  m:\n    states: {a: {}, b: {}}\n    transitions:\n"
        "      go: {from: a, to: b, when: x >= 1}\n      back: {from: b, to: a, when: x <= 0.5}\n"
        "      late: {from: b, to: a, when: x <= 1.5}\n      other: {from: b, to: a, when: y >= 1}\n"
        "      jump: {from: a, to: b, when: x >= 1, reset: {x: x - 2}}\n"
        "dynamics: {type: ode, rhs: {x: 1, y: 1}}\n", 2, 1);
    assert_true(phase_system_implies(problem.sys, 0, 1));
    assert_false(phase_system_implies(problem.sys, 0, 2));      /* it is met there */
    assert_false(phase_system_implies(problem.sys, 0, 3));
    assert_false(phase_system_implies(problem.sys, 4, 1));      /* x is -1 after the jump */
    phase_free(&problem);
}

/* A ball thrown from 1 m, to be there again after 3 s, reflected with 0.8 of its speed once. */
static void resets_reflect(void **state)
{
    (void)state;
    const double t[] = { 2 }, g = 10, e = 0.8;
    struct phase_problem problem = phase_read(
        "cocp: 1\ntime: {horizon: 3, intervals: 2}\nparameters: {g: 10, e: 0.8}\n"
        "states: {z: {initial: 1, final: 1}, v: {initial: free, bounds: [-20, 20], guess: 0}}\n"
        "machines:\n  ball:\n    states: {flies: {}}\n    transitions:\n"
        "      hit: {from: flies, to: flies, when: z <= 0, reset: {v: -e*v}}\n"
        "dynamics: {type: ode, rhs: {z: v, v: -g}}\n", 3, 1);
    struct finish out = phase_solve(&problem, "A 1.5>0 A", t);
    const double v = out.w[phases_left(out.ph, 0)[1]], hit = sqrt(v * v + 2 * g), fall = (v + hit) / g, rest = 3 - fall;
    double event;
    double start[4];
    phases_times(out.ph, out.w, start, &event);
    assert_near(event, fall, promised);
    assert_near(e * hit * rest - 0.5 * g * rest * rest, 1, promised);
    assert_near(phase_final(&out, 1), e * hit - g * rest, 1e-6);
    finish_free(&out);
    phase_free(&problem);
}

#define TIMED(horizon) \
    "cocp: 1\ntime: {horizon: " horizon ", intervals: 3}\nstates: {x: {initial: 0}}\n" \
    "machines:\n  m:\n    states: {a: {k: 1}, b: {k: 2}, c: {k: -1}}\n    transitions:\n" \
    "      wait: {from: a, to: b, after: 0.7}\n      full: {from: b, to: c, when: x >= 0.5}\n" \
    "dynamics: {type: ode, rhs: {x: k}}\n"

/* 0.7 s in a, then at once through b, as x is above 0.5 already: x = 0.7 - (T - 0.7). What waits there is no
 * solution, nor is to stay in a for longer than its clock allows. */
static void times_and_what_follows_at_once(void **state)
{
    (void)state;
    static const struct { const char *text; bool solved; } all[] = {
        { "A 1.5>0 B 1.5>>1 C", true }, { "A 1.5>0 B 1.5>1 C", false }, { "A 1.5>0 B", false }, { "A", false },
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const double t[] = { 0.6, 0.6 };
        struct phase_problem problem = phase_read(TIMED("1.2"), 2, 1);
        struct sequence *seq = phase_sequence(&problem, all[k].text);
        struct samples *samples = phase_constant(&problem, seq, t);
        struct finish out;
        double event[2], start[8];
        assert_int_equal(finish_solve(&problem.task, seq, samples, FINISH_COLD, 100, &out, problem.small.diag), STATUS_OK);
        assert_int_equal(out.solved, all[k].solved);
        phases_times(out.ph, out.w, start, event);
        if (all[k].solved) {
            assert_near(event[0], 0.7, promised);
            assert_near(event[1], 0.7, promised);
            assert_near(phase_final(&out, 0), 0.2, promised);
        }
        finish_free(&out);
        samples_free(samples);
        sequence_free(seq);
        phase_free(&problem);
    }
}

/* Who has been in a state for 0.4 s already, and leaves it after 1 s, does so at 0.6 s: in the program, and in a
 * simulation. */
static void what_has_passed_counts(void **state)
{
    (void)state;
    const double t = 0.3;
    struct phase_problem problem = phase_read(
        "cocp: 1\ntime: {horizon: 2, intervals: 2}\nstates: {x: {initial: 0}}\n"
        "machines:\n  m:\n    states: {a: {p: 1}, b: {p: 3}}\n    transitions: {go: {from: a, to: b, after: 1}}\n"
        "dynamics: {type: ode, rhs: {x: p}}\n", 2, 1);
    problem.sys->model->switching.machine[0].since = 0.4;
    struct finish out = phase_solve(&problem, "A 0.5>0 B", &t);
    assert_near(phase_final(&out, 0), 0.6 + 3 * 1.4, promised);
    finish_free(&out);
    struct sim_task task;
    struct sim *sim;
    sim_task_init(&task, problem.small.model);
    problem.small.model->switching.machine[0].since = 0.4;
    assert_int_equal(sim_run(&task, &sim, problem.small.diag), STATUS_OK);
    assert_int_equal(sim_n_events(sim), 1);
    assert_near(sim_event_at(sim, 0)->t, 0.6, 1e-12);
    sim_free(sim);
    phase_free(&problem);
}

/* Conditions, resets and signals that are not linear, with parameters, time and controls in them. */
static void derivatives_are_right(void **state)
{
    (void)state;
    const double t[] = { 0.3, 0.6, 0.6 };
    struct phase_problem problem = phase_read(
        "cocp: 1\nparameters: {p: {value: 0.4, optimize: [0.1, 2]}}\ntime: {horizon: {min: 0.5, max: 2, guess: 1}, intervals: 2}\n"
        "states: {x: {initial: 0.2}, y: {initial: free, bounds: [-1, 1]}}\ncontrols: {u: {bounds: [-1, 1], guess: 0.3}}\n"
        "machines:\n  m:\n    states: {a: {k: 1.5}, b: {k: -0.5}}\n    transitions:\n"
        "      go: {from: a, to: b, when: x^2*t + y*p >= sin(p), reset: {x: x*y + u, y: exp(p*x)}}\n"
        "      back: {from: b, to: a, when: x*y <= 0.1, reset: {y: t*x}}\n"
        "dynamics: {type: ode, rhs: {x: k*y + u, y: k^2*x*p}}\ncost: {terminal: {e: x^2 + t}}\n", 2, 2);
    struct sequence *seq = phase_sequence(&problem, "A 0.5>0 B 1.5>1 A 1.5>>0 B");
    struct samples *samples = phase_constant(&problem, seq, t);
    struct finish out;
    assert_int_equal(finish_build(&problem.task, seq, samples, &out, problem.small.diag), STATUS_OK);
    const struct derivative_check check = derivative_check(&out.ph->mpcc.nlp, out.ph->mpcc.w0, 3, 1);
    assert_true(check.finite);
    assert_true(check.grad < 1e-8 && check.jac < 1e-8 && check.hess < 1e-8);   /* central differences of order 1e-10 */
    finish_free(&out);
    samples_free(samples);
    sequence_free(seq);
    phase_free(&problem);
}

/* --- Whole solves ----------------------------------------------------------------------------------------------- */

static struct finished solve_all(struct phase_problem *problem)
{
    struct solver_settings solver = { .n_option = 0 };
    struct finish_settings settings;
    struct finished out;
    const struct setting_eval eval = { .number = NULL };
    assert_int_equal(finish_settings_read(NULL, &eval, &settings, problem->small.diag), STATUS_OK);
    const struct solve_task task = { .model = problem->small.model, .discretization = &problem->small.settings,
                                     .homotopy = &problem->small.homotopy, .solver = &solver, .max_seconds = 120, .jobs = 1 };
    (void)solve_finished(&task, &settings, &out, problem->small.diag);
    return out;
}

/* Controls of ten equal intervals lose 0.04 s. The sequence is found from a guess that stays in the first gear. */
static void gears_are_found(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(GEARS("10"), 3, 1);
    struct finished out = solve_all(&problem);
    assert_int_equal(out.solution.status, STATUS_OK);
    assert_int_equal(out.solution.best.ph->seq->n_event, 4);
    assert_true(out.solution.best.objective > time_in_gears(3)
                && out.solution.best.objective < time_in_gears(3) + 0.05);
    finished_free(&out);
    phase_free(&problem);
}

/* --- Transitions that controls command -------------------------------------------------------------------------- */

#define DRIVER(intervals, grid) \
    "cocp: 1\ntime: {horizon: {min: 0.5, max: 30, guess: 5}, intervals: " intervals "}\n" \
    "states: {v: {initial: 0, final: 12}}\n" \
    "controls: {u: {bounds: [0, 1], guess: 1}, shift: {bounds: [0, 1], guess: 0}}\n" \
    "machines:\n  gear:\n    states: {first: {pull: 6, drag: 0.5}, second: {pull: 4, drag: 0.2}}\n    transitions:\n" \
    "      up: {from: first, to: second, when: shift >= 0.5}\n      down: {from: second, to: first, when: shift <= 0.4}\n" \
    "dynamics: {type: ode, rhs: {v: pull*u - drag*v}}\ncost: {terminal: {time: t}}\n" grid

/* From rest to 12 m/s, up after the time t_up: v goes to 12 m/s in the first gear, to 20 m/s in the second one. */
static double time_of_driver(double t_up)
{
    return t_up + 5 * log((20 - 12 * (1 - exp(-0.5 * t_up))) / 8);
}

/* Shifted up where it wants to be, at 20/3 m/s; where a control interval begins, at the best one of eight, t_up = k T
 * / 8. The command that is given is above 0.5, before it is below. */
static void commands_are_found(void **state)
{
    (void)state;
    enum { N = 8 };
    struct phase_problem problem = phase_read(DRIVER("3", "discretization: {control_grid: free}\n"), 3, 1);
    struct finished out = solve_all(&problem);
    assert_int_equal(out.solution.status, STATUS_OK);
    assert_int_equal(out.solution.best.ph->seq->n_event, 1);
    assert_near(out.solution.best.objective, time_of_driver(2 * log(2.25)), 1e-6);
    finished_free(&out);
    phase_free(&problem);

    double least = INFINITY;
    for (int k = 1; k < N; k++) {
        double T = 4;
        for (int round = 0; round < 200; round++)
            T = time_of_driver(T * k / N);
        least = fmin(least, T);
    }
    problem = phase_read(DRIVER("8", ""), 3, 1);
    out = solve_all(&problem);
    assert_int_equal(out.solution.status, STATUS_OK);
    assert_near(out.solution.best.objective, least, 1e-7);
    const int j = sequence_interval(out.solution.best.ph->seq, 0), *u = out.solution.best.ph->at.u;
    assert_true(out.solution.best.w[u[j - 1] + 1] < 0.5 && out.solution.best.w[u[j] + 1] > 0.5);
    finished_free(&out);
    phase_free(&problem);
}

/* A command is given at once where an interval begins, not inside it; at the start, too, and two at once. */
static void commands_are_given_where_intervals_begin(void **state)
{
    (void)state;
    static const struct { const char *text; bool allowed; } all[] = {
        { "A 1.5>>0 B", true }, { "A 1.5>0 B", false }, { "A 1>>0 B", false }, { "A 0.5>>0 B", true },
        { "A 0.5>>0 B 0.5>>1 A", true }, { "A 0.5>>0 B 1.5>>1 A", true },
    };
    struct phase_problem problem = phase_read(DRIVER("2", ""), 2, 1);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct sequence *seq = phase_sequence(&problem, all[k].text);
        assert_int_equal(legal_machines(problem.sys, seq), all[k].allowed);
        sequence_free(seq);
    }
    struct sequence *later = phase_sequence(&problem, "A 1.5>>0 B"), *both = phase_sequence(&problem, "A 1.5>>0 B 1.5>>1 A");
    assert_false(sequence_is_instant(later, 0));                /* it was in the first gear for an interval */
    assert_false(sequence_is_instant(both, 0));
    assert_true(sequence_is_instant(both, 1));
    sequence_free(later);
    sequence_free(both);
    phase_free(&problem);
}

/* A boiler that burns for `after` at least: a cost of the two temperatures in closed form, by exponentials. */
struct boiler { double T_out, T_max, tau, end, after, light; };

static double comfort(const struct boiler *b, double *T, double target, double dt)
{
    const double c = target - 20, d = *T - target, decay = exp(-dt / b->tau);
    *T = target + d * decay;
    return 0.2 * (c * c * dt + 2 * c * d * b->tau * (1 - decay) + 0.5 * d * d * b->tau * (1 - decay * decay));
}

static double time_to(const struct boiler *b, double T, double target, double goal)
{
    const double left = (goal - target) / (T - target);
    return left > 0 && left <= 1 ? -b->tau * log(left) : left > 1 ? 0 : INFINITY;
}

static double boiler_cost(const struct boiler *b, double low, double high)
{
    double T = 20, t = 0, cost = 0;
    while (t < b->end) {
        const double off = fmin(time_to(b, T, b->T_out, low), b->end - t);
        cost += comfort(b, &T, b->T_out, off);
        t += off;
        if (!(t < b->end - 1e-12))
            break;
        const double T_lit = b->T_max + (T - b->T_max) * exp(-b->after / b->tau);
        const double on = fmin(b->after + time_to(b, T_lit, b->T_max, high), b->end - t);
        cost += b->light + on + comfort(b, &T, b->T_max, on);
        t += on;
    }
    return cost;
}

/* The solution is what its two temperatures cost, and no others on a fine grid cost less. */
static void boilers_are_tuned(void **state)
{
    (void)state;
    enum { N = 240 };
    static const struct boiler boiler = { 4, 34, 4, 12, 0.5, 0.2 };
    struct phase_problem problem = phase_read("problems/boiler.yaml", 3, 1);
    struct finished out = solve_all(&problem);
    double least = INFINITY;
    assert_int_equal(out.solution.status, STATUS_OK);
    const double *p = &out.solution.best.w[out.solution.best.ph->at.p];
    assert_near(out.solution.best.objective, boiler_cost(&boiler, p[0], p[1]), 1e-6);
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++)
            if (15 + 6.0 * i / N < 19 + 6.0 * j / N)
                least = fmin(least, boiler_cost(&boiler, 15 + 6.0 * i / N, 19 + 6.0 * j / N));
    assert_true(out.solution.best.objective < least);
    finished_free(&out);
    phase_free(&problem);
}

/* Data of a triangle of slope 2, sampled inside control intervals: the guess of 1.5 turns twice less. */
static void fits_count_turns(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\nparameters: {k: {value: 1.5, optimize: [0.5, 4]}}\ntime: {horizon: 2.9, intervals: 4}\nstates: {x: {initial: 0}}\n"
        "machines:\n  m:\n    states: {up: {s: 1}, down: {s: -1}}\n    transitions:\n"
        "      top: {from: up, to: down, when: x >= 1}\n      bottom: {from: down, to: up, when: x <= 0}\n"
        "dynamics: {type: ode, rhs: {x: k*s}}\n"
        "data:\n  table: {t: [0.25, 0.55, 0.9, 1.4, 2.1, 2.7], x: [0.5, 0.9, 0.2, 0.8, 0.2, 0.6]}\n"
        "  columns: {x: x}\n  sigma: {x: 0.05}\n", 3, 1);
    struct finished out = solve_all(&problem);
    assert_int_equal(out.solution.status, STATUS_OK);
    assert_int_equal(out.solution.best.ph->seq->n_event, 5);
    assert_near(out.solution.best.w[out.solution.best.ph->at.p], 2, promised);
    finished_free(&out);
    phase_free(&problem);
}

/* What cannot be reached is infeasible, and what comes nearest is kept. */
static void what_cannot_be_is_told(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(
        "cocp: 1\ntime: {horizon: 2, intervals: 4}\nstates: {x: {initial: 0, final: 100}}\n"
        "controls: {u: {bounds: [-1, 1], guess: 1}}\n"
        "machines:\n  m:\n    states: {a: {k: 1}, b: {k: 2}}\n    transitions:\n      go: {from: a, to: b, when: x >= 0.5}\n"
        "dynamics: {type: ode, rhs: {x: k*u}}\ncost: {running: {e: u^2}}\n", 3, 1);
    struct finished out = solve_all(&problem);
    assert_int_equal(out.solution.status, STATUS_INFEASIBLE);
    assert_false(out.solution.best.solved);
    assert_non_null(out.solution.best.ph);
    assert_non_null(strstr(out.solution.reason, "final value of x"));
    finished_free(&out);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences_tell_transitions),
        cmocka_unit_test(sequences_are_those_of_the_machine),
        cmocka_unit_test(gears_take_their_times),
        cmocka_unit_test(orders_are_beside_each_other),
        cmocka_unit_test(thresholds_imply_each_other),
        cmocka_unit_test(resets_reflect),
        cmocka_unit_test(times_and_what_follows_at_once),
        cmocka_unit_test(what_has_passed_counts),
        cmocka_unit_test(derivatives_are_right),
        cmocka_unit_test(gears_are_found),
        cmocka_unit_test(commands_are_found),
        cmocka_unit_test(commands_are_given_where_intervals_begin),
        cmocka_unit_test(boilers_are_tuned),
        cmocka_unit_test(fits_count_turns),
        cmocka_unit_test(what_cannot_be_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
