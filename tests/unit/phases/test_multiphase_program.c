/* test_multiphase_program.c - every block of a program of phases has exact derivatives */
#include "tests/unit/phase_problem.h"

#include "transcription/program/check.h"

static const double tolerance = 1e-6;           /* against differences; the checker's own error is below */

static void check_sequence(struct phase_problem *problem, const char *text, unsigned seed)
{
    double t[8];
    struct phases *ph;
    struct sequence *seq = phase_sequence(problem, text);
    for (int j = 0; j < seq->n_event; j++)
        t[j] = 0.5 * seq->place[j] / problem->small.model->time.n_intervals;
    struct samples *samples = phase_constant(problem, seq, t);
    const struct phase_check check_at[] = { { 0, 0.37, -1, 0 }, { 1, 0.8, -1, 0 } };
    struct phase_grid grid = problem->task.grid;
    grid.n_check = 2;
    grid.yield = 0.1;
    grid.check = check_at;
    if (phases_create(problem->sys, seq, &grid, samples->y, &ph, problem->small.diag) != STATUS_OK)
        small_fail(&problem->small);
    phases_apply_samples(ph, samples);
    const struct derivative_check check = derivative_check(&ph->mpcc.nlp, ph->mpcc.w0, 2, seed);
    if (!check.finite)
        fail_msg("%s: not finite", text);
    if (!(check.jac <= tolerance && check.grad <= tolerance && check.hess <= tolerance))
        fail_msg("%s: jac %.2g in row %d (%s), grad %.2g, hess %.2g at variable %d", text, check.jac, check.jac_row,
                 check.jac_row >= 0 ? ph->mpcc.row[check.jac_row].name : "", check.grad, check.hess, check.hess_var);
    phases_free(ph);
    samples_free(samples);
    sequence_free(seq);
}

static void check_all(const char *spec, int n, const char *const *text)
{
    for (int free_intervals = 0; free_intervals < 2; free_intervals++) {
        struct phase_problem problem = phase_read(spec, 2 + free_intervals, 2 - free_intervals);
        problem.task.grid.free_intervals = free_intervals;
        for (int k = 0; k < n; k++)
            check_sequence(&problem, text[k], (unsigned)(10 * k + 1));
        phase_free(&problem);
    }
}

/* A mass matrix that varies, a curved gap, optimized friction and restitution, a free horizon, time in the cost, all
 * kinds of constraints. */
static const char planar[] =
    "cocp: 1\n"
    "parameters: {mu: {value: 0.5, optimize: [0.1, 0.9]}, e: {value: 0.4, optimize: [0, 0.9]}}\n"
    "time: {horizon: {min: 0.5, max: 2, guess: 1}, intervals: 2, elements: 1}\n"
    "states: {x: {initial: [0, 1]}, th: {initial: 0.4, final: 0.1}, v: {initial: 0.1}, w: {initial: 0.5}}\n"
    "controls: {u: {guess: 1}}\n"
    "dynamics:\n  type: mechanical\n  coordinates: {x: v, th: w}\n"
    "  kinetic: 0.5*ddt(x)^2 + 0.3*ddt(th)^2 + 0.2*cos(th)*ddt(x)*ddt(th)\n  potential: sin(th)*x\n"
    "  force: {x: u - 0.1*v^3 + t, th: u*x}\n"
    "contacts:\n"
    "  foot: {gap: 1.5 + x + 0.3*sin(th), tangent: th*x, friction: mu, restitution: e}\n"
    "  wall: {gap: 2 - x^2}\n"
    "cost: {running: {a: u^2 + t*x^2, b: u^2*mu}, terminal: {c: th^2*t}, sampled: {d: {expr: w^2*x*t, at: [0.1, 0.6]}}}\n"
    "constraints:\n  p: {expr: x*v <= 5, at: path}\n  q: {expr: x*v*u + t <= 9, at: [0.2, 0.7]}\n  i: {expr: u*th <= 7, at: intervals}\n"
    "  b: {expr: final(x) <= initial(x) + 3, at: boundary}\n";

static void contacts_in_the_plane(void **state)
{
    (void)state;
    static const char *const text[] = {
        "oo", "oo 0.5!ko ko 1 +o", "+o 0.5 ko 1.5 -o", "oo 0.5!+o oo 1.5!-c -c", "ko 0.5 oo", "-c 1 +c", "kc 0.5 oc",
        "oc 0.5 oo 0.5!ko ko 1 oo", "oo 0.5!kc kc 1 -o",
    };
    check_all(planar, sizeof text / sizeof *text, text);
}

static const char spatial[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 2, elements: 1}\n"
    "states: {x: {initial: 0.3}, y: {initial: 0.2}, z: {initial: 0.1}, a: {initial: 0.5}, b: {initial: -0.4}, c: {initial: 0.2}}\n"
    "controls: {u: {guess: 1}}\n"
    "dynamics:\n  type: mechanical\n  coordinates: {x: a, y: b, z: c}\n  mass: {diag: [1, 2, 1.5]}\n"
    "  force: {x: u, y: u*z, z: -9.81}\n"
    "contacts:\n  foot: {gap: z + 0.1*x^2, tangent: [x, y*cos(x)], friction: 0.5}\n"
    "cost: {running: {a: u^2}}\n";

static void contacts_in_space(void **state)
{
    (void)state;
    static const char *const text[] = { "o", "s", "k", "o 0.5!s s 1.5 k", "s 0.5 k 1 s", "k 0.5 s 1 o", "k 0.5 o 1.5!k k",
                                        "o 0.5!s k" };
    check_all(spatial, sizeof text / sizeof *text, text);
}

/* Switches in forces beside a contact, one inside the other, and groups of modes. */
static const char switched[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 2, elements: 1}\n"
    "states: {x: {initial: 0.3}, v: {initial: 0.1}, z: {initial: 0.5}}\n"
    "controls: {u: {guess: 1}}\n"
    "dynamics:\n  type: mechanical\n  coordinates: {x: v}\n  mass: {diag: [1 + x^2]}\n"
    "  force: {x: u - sign(v + 0.1*x^2)*(1 + x) + abs(z - sin(t))}\n  rhs: {z: -sign(z)*x*v}\n"
    "contacts: {stop: {gap: 1 - x}}\n"
    "cost: {running: {a: u^2 + z^2}}\n";

static void switches_and_contacts(void **state)
{
    (void)state;
    static const char *const text[] = { "onnn", "opnp 0.5 o0np 1 opnp", "cpn0 0.5 op00 1.5 opp0", "opnp 0.5!c cnnp 1.5 c0n0" };
    check_all(switched, sizeof text / sizeof *text, text);
}

/* Relays with two thresholds, one of them of an optimized parameter. */
static const char relays[] =
    "cocp: 1\n"
    "parameters: {top: {value: 1, optimize: [0.5, 2]}}\n"
    "time: {horizon: {min: 0.5, max: 2, guess: 1}, intervals: 2, elements: 1}\n"
    "states: {x: {initial: 0.3}, v: {initial: 0.1}}\n"
    "controls: {u: {guess: 1}}\n"
    "hysteresis: {a: {of: x + v^2, on_at: top, off_at: 0.2}, b: {of: sin(x) + t, on_at: -1, off_at: 1, start: on}}\n"
    "dynamics: {type: ode, rhs: {x: v*(1 + a), v: u*b - x*v*a}}\n"
    "cost: {running: {a: u^2 + x^2}}\n";

static void relays_with_two_thresholds(void **state)
{
    (void)state;
    static const char *const text[] = { "np", "np 0.5 pp 1 pn", "pp 0.5 nn 1.5 pn" };
    check_all(relays, sizeof text / sizeof *text, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_in_the_plane), cmocka_unit_test(contacts_in_space),
        cmocka_unit_test(switches_and_contacts), cmocka_unit_test(relays_with_two_thresholds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
