/* Lower bounds of problems with closed-form optima, a kind of model each. */
#include "core/bound/certificate.h"
#include "core/bound/search.h"

#include "tests/unit/assertions.h"
#include "tests/unit/read_spec.h"

#include <math.h>
#include <stdio.h>

/* The best bound of a spec up to a degree. The certificate is proved again on the way. */
static double best_bound(const char *text, int degree)
{
    struct diag *diag = diag_create();
    struct spec *spec;
    struct model *model;
    struct bound_found found;
    read_spec(text, MODEL_FOR_SOLVE, diag, &spec, &model);
    const struct bound_search search = { .model = model, .target = NAN, .gap = 1e-9, .max_degree = degree };
    read_check(diag, bound_search(&search, &found, diag));
    const double bound = found.proof ? found.proof->bound : NAN;
    printf("  bound %.10g\n", bound);
    if (found.proof) {
        struct arena mem = { NULL };
        struct bound_certificate certificate;
        char why[200];
        bound_certificate_of(&mem, found.problem, found.proof, &certificate);
        assert_true(bound_certificate_check(model, &certificate, why, sizeof why, diag));
        arena_free(&mem);
    }
    bound_found_free(&found);
    model_free(model);
    spec_free(spec);
    diag_free(diag);
    return bound;
}

static void assert_close_below(double bound, double optimum, double gap)
{
    assert_true(bound <= optimum * (1 + 1e-9));
    assert_true(bound > optimum * (1 - gap));
}

/* x' = u / (1 + x^2): with y = x + x^3/3, y' = u, from 0 to 4/3 in 1 s, 16/9. */
static void a_divisor(void **state)
{
    (void)state;
    assert_close_below(best_bound("cocp: 1\nname: d\ntime: {horizon: 1, intervals: 5, elements: 2}\n"
                                  "states: {x: {bounds: [-0.5, 1.5], initial: 0, final: 1}}\n"
                                  "controls: {u: {bounds: [-4, 4]}}\n"
                                  "dynamics: {type: ode, rhs: {x: u/(1 + x^2)}}\ncost: {running: {e: u^2}}\n",
                                  8),
                       16.0 / 9, 1e-3);
}

/* A bead on a parabola z = q^2/2 without weight: its path is s' = sqrt(1 + q^2) q', and the force along it
 * F / sqrt(1 + q^2). From rest to rest over the arc L in 2 s, 12 L^2 / 2^3. */
static void a_mass_that_varies(void **state)
{
    (void)state;
    const double L = (sqrt(2) + asinh(1)) / 2;
    assert_close_below(best_bound("cocp: 1\nname: m\ntime: {horizon: 2, intervals: 5, elements: 2}\n"
                                  "states:\n  q: {bounds: [-0.2, 1.2], initial: 0, final: 1}\n"
                                  "  v: {bounds: [-1, 1.5], initial: 0, final: 0}\n"
                                  "controls: {F: {bounds: [-4, 4]}}\n"
                                  "dynamics: {type: mechanical, coordinates: {q: v}, kinetic: 0.5*(1 + q^2)*ddt(q)^2, "
                                  "force: {q: F}}\ncost: {running: {e: F^2/(1 + q^2)}}\n",
                                  6),
                       12 * L * L / 8, 0.02);
}

/* A tank runs empty as -sqrt(x), from 1 to 1/4 within 1 s. */
static void a_root(void **state)
{
    (void)state;
    assert_close_below(best_bound("cocp: 1\nname: r\ntime: {horizon: {min: 0.1, max: 3, guess: 1}, intervals: 5, "
                                  "elements: 2}\nstates: {x: {bounds: [0.2, 1.1], initial: 1, final: 0.25}}\n"
                                  "controls: {u: {bounds: [0, 1]}}\n"
                                  "dynamics: {type: ode, rhs: {x: -u*sqrt(x)}}\ncost: {terminal: {time: t}}\n",
                                  8),
                       1, 2e-3);
}

/* Gears that shift back at another speed than they shift: 152/15 s (problems/turbo_relay.yaml). */
static void a_relay(void **state)
{
    (void)state;
    assert_close_below(best_bound("problems/turbo_relay.yaml", 8), 152.0 / 15, 1e-3);
}

/* A driver shifts to and fro as he likes: problems/lever.yaml tells the optimum. */
static void commands_to_and_fro(void **state)
{
    (void)state;
    assert_close_below(best_bound("problems/lever.yaml", 12),
                       2 * log(9.0 / 4) + 5 * log(4.0 / 3) + 12.5 * log(5.0 / 3), 5e-3);
}

static const char stop_and_go[] =
    "cocp: 1\nname: w\ntime: {horizon: {min: 0.1, max: 4, guess: 2}, intervals: 5, elements: 2}\n"
    "states: {x: {bounds: [-0.5, 1.5], initial: 0, final: 1}}\ncontrols: {u: {bounds: [-1, 1]}}\n"
    "machines:\n  light:\n    states: {first: {go: 1}, rest: {}, last: {go: 1}}\n    transitions:\n"
    "      stop: {from: first, to: rest, when: x >= 0.5}\n"
    "      start: {from: rest, to: last, after: 0.5%s}\n    final: last\n"
    "dynamics: {type: ode, rhs: {x: go*u}}\ncost: {terminal: {time: t}}\n";

/* Half a second to the light, half a second of red, half a second on; 0.25 m more where the red throws it back. */
static void a_machine(void **state)
{
    (void)state;
    char text[1000];
    (void)snprintf(text, sizeof text, stop_and_go, "");
    assert_close_below(best_bound(text, 8), 1.5, 1e-3);
    (void)snprintf(text, sizeof text, stop_and_go, ", reset: {x: x - 0.25}");
    assert_close_below(best_bound(text, 8), 1.75, 1e-3);
}

/* Both machines leave their states at once: q grows at 0.1 alone for 1 s. */
static void machines_that_leave_together(void **state)
{
    (void)state;
    assert_close_below(best_bound("cocp: 1\nname: t\ntime: {horizon: 1, intervals: 4}\n"
                                  "states: {x: {bounds: [0, 3], initial: 2}, q: {bounds: [-5, 5], initial: 0}}\n"
                                  "machines:\n  m:\n    states: {a: {s: 1}, b: {s: 0}}\n"
                                  "    transitions: {go: {from: a, to: b, when: x >= 1}}\n"
                                  "  n:\n    states: {c: {w: 1}, d: {w: 0}}\n"
                                  "    transitions: {on: {from: c, to: d, when: x >= 1.5}}\n"
                                  "dynamics: {type: ode, rhs: {x: 0.5, q: s + w + 0.1}}\ncost: {terminal: {q: q}}\n",
                                  4),
                       0.1, 1e-4);
}

/* x pushes y, which stands at 1/2, to 1: from 0 to 1 in 1 s. */
static void a_projection(void **state)
{
    (void)state;
    assert_close_below(best_bound("cocp: 1\nname: p\ntime: {horizon: 1, intervals: 5, elements: 2}\n"
                                  "states:\n  x: {bounds: [-0.5, 1.5], initial: 0}\n"
                                  "  y: {bounds: [0, 1.5], initial: 0.5, final: 1}\n"
                                  "controls: {u: {bounds: [-4, 4]}}\n"
                                  "projection: {push: {gap: y - x, direction: {y: 1}}}\n"
                                  "dynamics: {type: ode, rhs: {x: u, y: 0}}\ncost: {running: {e: u^2}}\n",
                                  6),
                       1, 0.02);
}

/* x' = u - max(0, x), written as a diode, from 1 to 1 within 1 s: 2 (e - 1)/(e + 1) by u growing as e^t. */
static void a_force_of_a_pair(void **state)
{
    (void)state;
    assert_close_below(best_bound("cocp: 1\nname: f\ntime: {horizon: 1, intervals: 5, elements: 2}\n"
                                  "states: {x: {bounds: [-1, 2], initial: 1, final: 1}}\n"
                                  "controls: {u: {bounds: [-4, 4]}}\n"
                                  "complementarity: {leak: {H: leak.lambda - x}}\n"
                                  "dynamics: {type: ode, rhs: {x: u - leak.lambda}}\ncost: {running: {e: u^2}}\n",
                                  6),
                       2 * (exp(1) - 1) / (exp(1) + 1), 1e-3);
}

/* Onto the ground from 1 m within 1 s, without weight: hitting it at w at the end costs 12 - 12 w + 4 w^2 of effort
 * and w^2 of impact, least where w = 1.2: 4.8. */
static void an_impact_that_costs(void **state)
{
    (void)state;
    assert_close_below(best_bound("cocp: 1\nname: i\ntime: {horizon: 1, intervals: 5, elements: 2}\n"
                                  "states:\n  q: {bounds: [0, 1.2], initial: 1, final: 0}\n"
                                  "  v: {bounds: [-3, 3], initial: 0, final: 0}\ncontrols: {u: {bounds: [-8, 8]}}\n"
                                  "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, "
                                  "force: {q: u}}\n"
                                  "contacts: {ground: {gap: q}}\n"
                                  "cost: {running: {e: u^2}, impacts: {hard: ground.impulse_n^2}}\n",
                                  8),
                       4.8, 0.01);
}

/* The same without that cost is least where w = 1.5; where impulses are to be no more than 1 it is 4. */
static void an_impact_that_is_limited(void **state)
{
    (void)state;
    assert_close_below(best_bound("cocp: 1\nname: i\ntime: {horizon: 1, intervals: 5, elements: 2}\n"
                                  "states:\n  q: {bounds: [0, 1.2], initial: 1, final: 0}\n"
                                  "  v: {bounds: [-3, 3], initial: 0, final: 0}\ncontrols: {u: {bounds: [-8, 8]}}\n"
                                  "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}, "
                                  "force: {q: u}}\ncontacts: {ground: {gap: q}}\ncost: {running: {e: u^2}}\n"
                                  "constraints: {soft: ground.impulse_n <= 1}\n",
                                  8),
                       4, 0.01);
}

/* th' = u, paid by u^2, sin(th) and 1 - cos(2 th), which is 2 sin(th)^2 and takes no variables of its own: the same
 * bound. */
static void multiples_of_an_angle(void **state)
{
    (void)state;
    static const char text[] =
        "cocp: 1\nname: a\ntime: {horizon: 1, intervals: 5, elements: 2}\n"
        "states: {th: {bounds: [-1, 2], initial: 0, final: 1.5}}\ncontrols: {u: {bounds: [-4, 4]}}\n"
        "dynamics: {type: ode, rhs: {th: u}}\ncost: {running: {e: u^2, %s}}\n";
    char doubled[600], squared[600];
    (void)snprintf(doubled, sizeof doubled, text, "w: 1 - cos(2*th) + 0.1*sin(th)");
    (void)snprintf(squared, sizeof squared, text, "w: 2*sin(th)^2 + 0.1*sin(th)");
    const double bound = best_bound(doubled, 4);
    assert_true(bound > 2.25 && fabs(bound - best_bound(squared, 4)) < 1e-5);
}

/* x' = u - x, from where it starts, 1/2 at least, back to there in 1 s: a quarter of 2 (e - 1)/(e + 1). */
static void an_orbit(void **state)
{
    (void)state;
    assert_close_below(best_bound("cocp: 1\nname: o\ntime: {horizon: 1, intervals: 5, elements: 2}\n"
                                  "states: {x: {bounds: [-2, 2], initial: free}}\ncontrols: {u: {bounds: [-4, 4]}}\n"
                                  "dynamics: {type: ode, rhs: {x: u - x}}\ncost: {running: {e: u^2}}\nconstraints:\n"
                                  "  round: {expr: final(x) == initial(x), at: boundary}\n"
                                  "  most: {expr: x >= 0.5, at: initial}\n",
                                  6),
                       0.5 * (exp(1) - 1) / (exp(1) + 1), 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_divisor),         cmocka_unit_test(a_mass_that_varies), cmocka_unit_test(a_root),
        cmocka_unit_test(a_relay),           cmocka_unit_test(a_machine),          cmocka_unit_test(a_projection),
        cmocka_unit_test(a_force_of_a_pair), cmocka_unit_test(an_impact_that_costs),
        cmocka_unit_test(an_impact_that_is_limited), cmocka_unit_test(multiples_of_an_angle),
        cmocka_unit_test(an_orbit),          cmocka_unit_test(commands_to_and_fro),
        cmocka_unit_test(machines_that_leave_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
