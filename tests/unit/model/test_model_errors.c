/* test_model_errors.c - what core/model says of wrong specs: every mistake, once, in its place */
#include "core/model/model.h"
#include "core/model/read/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_LINES = 4 };

/* A spec and the beginnings of all messages about it, in the order of the file, without the file's name. */
struct bad { enum model_need need; const char *text; const char *line[MAX_LINES]; };

static void check(const struct bad *bad)
{
    struct diag *diag = diag_create();
    struct spec *spec = NULL;
    struct model *m = NULL;
    assert_int_equal(spec_read_text("s", bad->text, 0, NULL, &spec, diag), STATUS_OK);
    bool good = model_read(spec, bad->need, &m, diag) == STATUS_SPEC;
    int n = 0;
    for (; n < MAX_LINES && bad->line[n]; n++) {
        const char *line = diag_line(diag, n);
        const char *want = bad->line[n];
        good = good && line && strncmp(line, "s:", 2) == 0 && strncmp(line + 2, want, strlen(want)) == 0;
    }
    if (!good || diag_line(diag, n)) {
        fprintf(stderr, "%s--- says:\n", bad->text);
        diag_print(diag, stderr);
        fail_msg("want: s:%s", bad->line[0]);
    }
    model_free(m);
    spec_free(spec);
    diag_free(diag);
}

static void check_all(const struct bad *bad, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check(&bad[i]);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define ODE "dynamics: {type: ode, rhs: {x: 1}}\n"
#define MASS "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [1]}}\n"

static void names_and_parameters(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        { MODEL_FOR_CHECK, "name: a\nstates: {x: {}}\n" ODE, { "1:1: error: the first key must be \"cocp: 1\"" } },
        { MODEL_FOR_CHECK,
          "cocp: 2\nstates: {x: {}}\n" ODE, { "1:7: error: cocp: the format version must be 1" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstats: {}\nstates: {x: {}}\n" ODE, { "2:1: error: unknown key" } },
        { MODEL_FOR_CHECK, "cocp: 1\nparameters: {a: b, b: 2*c, c: a}\nstates: {x: {}}\n" ODE,
          { "2:31: error: parameters.c: defined by itself: a -> b -> c -> a" } },
        { MODEL_FOR_CHECK, "cocp: 1\nparameters: {mass: 1, b: 2*mas}\nstates: {x: {}}\n" ODE,
          { "2:28: error: parameters.b: unknown name \"mas\" (did you mean \"mass\"?)" } },
        { MODEL_FOR_CHECK, "cocp: 1\nparameters: {sin: 1, x: 2, t: 3}\nstates: {x: {}}\n" ODE,
          { "2:14: error: parameters.sin: the name \"sin\" is taken", "2:28: error: parameters.t: the name \"t\"",
            "3:10: error: states.x: there is a parameter of this name already" } },
        { MODEL_FOR_CHECK, "cocp: 1\nparameters: {a: {unit: m}}\nstates: {x: {}}\n" ODE,
          { "2:17: error: parameters.a: has no value", "2:18: error: parameters.a: unknown key" } },
        { MODEL_FOR_CHECK, "cocp: 1\nparameters: {a: {value: 3, optimize: [0, 2]}}\nstates: {x: {}}\n" ODE,
          { "2:25: error: parameters.a.value: the guess 3 lies outside [0, 2]" } },
        { MODEL_FOR_CHECK,
          "cocp: 1\nparameters: {a: {value: 1, optimize: [0, 2]}}\nstates: {x: {bounds: [0, 2*a]}}\n" ODE,
          { "3:26: error: states.x.bounds.1: a number must be known before solve and may not depend on \"a\"" } },
        { MODEL_FOR_CHECK, "cocp: 1\nparameters: {a: 2*x}\nstates: {x: {guess: t}}\n" ODE,
          { "2:19: error: parameters.a: a number may only depend on parameters, and \"x\" is a state",
            "3:21: error: states.x.guess: a number may only depend on parameters, and \"t\" is the time" } },
    };
    check_all(bad, COUNT(bad));
}

static void time_and_variables(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        { MODEL_FOR_SOLVE, "cocp: 1\nstates: {x: {initial: 0}}\n" ODE,
          { "1:1: error: time: \"horizon\" is missing", "1:1: error: time: \"intervals\" is missing" } },
        { MODEL_FOR_SIMULATE, "cocp: 1\ntime: {horizon: 1}\nstates: {x: {}}\n" ODE,
          { "3:10: error: states.x: \"initial\" is missing" } },
        { MODEL_FOR_CHECK, "cocp: 1\ntime: {horizon: -1, intervals: 2.5}\nstates: {x: {}}\n" ODE,
          { "2:17: error: time.horizon: must be above 0",
            "2:32: error: time.intervals: must be a whole number" } },
        { MODEL_FOR_CHECK,
          "cocp: 1\ntime: {horizon: {min: 0, max: 5}, intervals: 2, elements: [1, 2, 3]}\nstates: {x: {initial: 0}}\n" ODE,
          { "2:23: error: time.horizon.min: must be above 0",
            "2:59: error: time.elements: a list has one number" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {x: {bounds: [2, 1], initial: [0, inf]}}\n" ODE,
          { "2:22: error: states.x.bounds: the lower end 2 is above the upper end 1" } },
        { MODEL_FOR_SOLVE,
          "cocp: 1\ntime: {horizon: 1, intervals: 1}\n"
          "states: {x: {bounds: [0, 1], initial: 2, final: [2, 3]}}\n" ODE,
          { "3:39: error: states.x: the initial value 2 lies outside the bounds [0, 1]",
            "3:49: error: states.x: the final range [2, 3] lies outside the bounds" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {x: {inital: 2}}\ncontrols: {u: {initial: 1}}\n" ODE,
          { "2:14: error: states.x: unknown key \"inital\" (did you mean \"initial\"?)",
            "3:25: error: controls.u.initial: \"initial\" is of controls with hold: linear or spline" } },
        { MODEL_FOR_CHECK, "cocp: 1\n" ODE, { "1:1: error: \"states\" is missing" } },
    };
    check_all(bad, COUNT(bad));
}

static void dynamics(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {x: {}}\n", { "1:1: error: \"dynamics\" is missing" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {x: {}}\ndynamics: {type: odee}\n",
          { "3:18: error: dynamics.type: unknown word \"odee\" (did you mean \"ode\"?)" } },
        { MODEL_FOR_CHECK,
          "cocp: 1\nstates: {x: {}, y: {}}\n" ODE, { "2:17: error: states.y: has no right-hand side" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {q: {}, v: {}}\n"
          "dynamics: {type: mechanical, coordinates: {q: w}, mass: {diag: [1]}, force: {q: ddt(q)}}\n",
          { "3:47: error: dynamics.coordinates.q: \"w\" is no state" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {q: {}, v: {}}\ncontrols: {u: {}}\n"
          "dynamics: {type: mechanical, coordinates: {q: v}, kinetic: v^2 + t*v^2, potential: u*q + v}\n",
          { "4:60: error: dynamics.kinetic: the kinetic energy, a function of positions and velocities, may not "
            "depend on the time t",
            "4:84: error: dynamics.potential: the potential energy, a function of positions, may not" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {q: {}, v: {}}\n"
          "dynamics: {type: mechanical, coordinates: {q: v}, kinetic: v^2 + v^3}\n",
          { "3:60: error: dynamics.kinetic: must be quadratic in the velocities; its second derivative" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {q: {}, v: {}}\n"
          "dynamics: {type: mechanical, coordinates: {q: v}, kinetic: v^2 + 9.81*q}\n",
          { "3:60: error: dynamics.kinetic: must be quadratic in the velocities; at rest it is not zero" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {q: {}, v: {}}\n"
          "dynamics: {type: mechanical, coordinates: {q: v}, kinetic: v^2 + q*v}\n",
          { "3:60: error: dynamics.kinetic: must be quadratic in the velocities; it has a term linear in v" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {q: {}, v: {}}\n"
          "dynamics: {type: mechanical, coordinates: {q: v}, kinetic: q*abs(v)^2}\n",
          { "3:60: error: dynamics.kinetic: abs is not smooth" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {q: {initial: 0}, v: {}}\n"
          "dynamics: {type: mechanical, coordinates: {q: v}, mass: {rows: [[q]]}, force: {v: 1}}\n",
          { "3:57: error: dynamics.mass: the mass matrix is not positive definite at the guess",
            "3:80: error: dynamics.force.v: \"v\" is no coordinate" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {q: {}, r: {}, v: {}, w: {}}\n"
          "dynamics: {type: mechanical, coordinates: {q: v, r: w}, mass: {rows: [[1, cos(r)], [sin(r), v]]}}\n",
          { "3:85: error: dynamics.mass.rows.1.0: must be symmetric",
            "3:93: error: dynamics.mass.rows.1.1: the mass matrix, a function of positions, may not depend on the "
            "velocity v" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {q: {}, v: {}, a: {}}\n" MASS,
          { "2:24: error: states.a: is neither a coordinate nor a velocity" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {x: {}}\ndefine: {d: ddt(x)}\n" ODE,
          { "3:13: error: define.d: ddt needs positions and velocities" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {q: {}, v: {}}\ndefine: {d: ddt(q*v), e: d + 1}\n" MASS,
          { "3:13: error: define.d: ddt, of an expression of positions and time, may not depend on the velocity v" } },
    };
    check_all(bad, COUNT(bad));
}

#define PIECEWISE "cocp: 1\nstates: {x: {}}\ndynamics:\n  type: piecewise\n"

static void modes(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        { MODEL_FOR_CHECK, PIECEWISE "  switches: {c: x}\n  modes:\n    a: {where: c > 0, rhs: {x: 1}}\n",
          { "7:5: error: dynamics.modes: no mode holds where c < 0" } },
        { MODEL_FOR_CHECK, PIECEWISE "  switches: {c: x, d: x - 1}\n  modes:\n    a: {where: c > 0, rhs: {x: 1}}\n"
          "    b: {where: c < 0 or d > 0, rhs: {x: 2}}\n",
          { "8:16: error: dynamics.modes.b.where: modes \"a\" and \"b\" both hold where c > 0, d > 0" } },
        { MODEL_FOR_CHECK, PIECEWISE "  switches: {c: x}\n  modes:\n    a: {where: c > 0, rhs: {x: 1}}\n"
          "    b: {where: else, rhs: {}}\n",
          { "8:5: error: dynamics.modes.b: has no right-hand side for \"x\"" } },
        { MODEL_FOR_CHECK, PIECEWISE "  switches: {c: abs(x)}\n  modes:\n    a: {where: c > 1, rhs: {x: 1}}\n"
          "    b: {where: x > 0, rhs: {x: 2}}\n",
          { "5:17: error: dynamics.switches.c: abs is not smooth",
            "7:16: error: dynamics.modes.a.where: a condition compares switches with 0",
            "8:16: error: dynamics.modes.b.where: \"x\" is no switch of this family (c)" } },
    };
    check_all(bad, COUNT(bad));
}

#define POINT "cocp: 1\nstates: {q: {initial: 0}, v: {}}\n" MASS

static void contacts(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        { MODEL_FOR_CHECK, POINT "contacts: {c: {gap: q, fricton: 1}}\n",
          { "4:24: error: contacts.c: unknown key \"fricton\" (did you mean \"friction\"?)" } },
        { MODEL_FOR_CHECK, POINT "contacts: {c: {gap: q + v, friction: 0.5, restitution: 1.5}}\n",
          { "4:21: error: contacts.c.gap: the gap, a function of positions and time, may not depend on the velocity v",
            "4:38: error: contacts.c.friction: friction needs a \"tangent\"",
            "4:56: error: contacts.c.restitution: must lie in [0, 1], got 1.5" } },
        { MODEL_FOR_CHECK, POINT "contacts: {c: {gap: 'min(q, 1)', tangent: q, friction: -1}}\n",
          { "4:21: error: contacts.c.gap: min is not smooth",
            "4:56: error: contacts.c.friction: must be at least 0" } },
        { MODEL_FOR_CHECK, POINT "contacts: {c: {gap: q - 1, slip: v^2}}\n",
          { "4:21: error: contacts.c.gap: the gap is -1 at the initial positions",
            "4:34: error: contacts.c.slip: the slip must be linear in the velocities" } },
        { MODEL_FOR_CHECK, "cocp: 1\nparameters: {foot_gap: 1}\nstates: {q: {}, v: {}}\n" MASS
          "contacts: {foot: {gap: q + 1}}\n",
          { "2:14: error: parameters.foot_gap: the name is taken: the result file has it for contact \"foot\"" } },
        { MODEL_FOR_CHECK, "cocp: 1\nstates: {x: {}}\n" ODE "contacts: {c: {gap: x}}\n",
          { "4:11: error: contacts: contacts need dynamics of type mechanical" } },
    };
    check_all(bad, COUNT(bad));
}

#define SCALAR "cocp: 1\ntime: {horizon: 1}\nstates: {x: {}}\ncontrols: {u: {}}\n" ODE

static void costs_constraints_and_guesses(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        { MODEL_FOR_CHECK, SCALAR "cost:\n  running: {a: abs(u), b: {squares: {x: 1, y: 1}, reference: {u: 1}}}\n"
          "  terminal: {c: u^2}\n",
          { "7:16: error: cost.running.a: abs is not smooth",
            "7:44: error: cost.running.b.squares.y: unknown name \"y\"",
            "7:63: error: cost.running.b.reference.u: \"u\" is not among the squares",
            "8:17: error: cost.terminal.c: a terminal cost, a function of the final state and time, may not "
            "depend on the control u" } },
        { MODEL_FOR_CHECK,
          SCALAR "constraints:\n  a: 2 <= x <= 1\n  b: {expr: x >= 0, at: stage}\n  c: x + 1\n  d: 2 < 1\n",
          { "7:6: error: constraints.a: the lower bound 2 is above the upper bound 1",
            "8:25: error: constraints.b.at: unknown word \"stage\" (did you mean \"stages\"?)",
            "9:6: error: constraints.c: a constraint needs",
            "10:6: error: constraints.d: is false whatever" } },
        { MODEL_FOR_CHECK, SCALAR "constraints:\n  a: final(x) >= 0\n  b: {expr: x >= initial(x), at: boundary}\n"
          "  c: {expr: x >= 0, at: [path, boundary]}\n",
          { "7:6: error: constraints.a: final(e) may only stand in constraints with \"at: boundary\"",
            "8:6: error: constraints.b: at a boundary say which end: initial(x) or final(x)",
            "9:25: error: constraints.c.at: \"boundary\" ties both ends together" } },
        { MODEL_FOR_CHECK, SCALAR "cost: {terminal: {time: T}}\n",
          { "6:25: error: cost.terminal.time: unknown name \"T\"; time is t, and in a terminal cost" } },
        { MODEL_FOR_CHECK, SCALAR "guess: {waypoints: {1.5: {x: 1}, 0.5: {xx: 1, u: w}}}\n",
          { "6:21: error: guess.waypoints.1.5: times here are fractions of the horizon: 0 is its start, 1 its end",
            "6:40: error: guess.waypoints.0.5.xx: \"xx\" is no state",
            "6:50: error: guess.waypoints.0.5.u: unknown name \"w\"" } },
        { MODEL_FOR_CHECK, SCALAR "define: {a: {through: {0: 1, 0.0: 2}}, b: {through: {0: x}, by: cubic}}\n",
          { "6:23: error: define.a.through: two points at the fraction 0",
            "6:57: error: define.b.through.0: a number may only depend on parameters",
            "6:65: error: define.b.by: must be one of: linear, spline" } },
    };
    check_all(bad, COUNT(bad));
}

static void tables(void **state)
{
    (void)state;
#define WITH(tables, formula) "cocp: 1\nstates: {x: {initial: 0}}\ndynamics: {type: ode, rhs: {x: \"" formula "\"}}\n" tables
#define TWO "tables: {f: {of: [a, b], at: [[0, 1], [0, 1]], values: [[0, 1], [1, 2]]}}\n"
    static const struct bad bad[] = {
        { MODEL_FOR_CHECK, WITH(TWO, "f(x)"),
          { "3:33: error: dynamics.rhs.x: table \"f\" takes 2 arguments, f(a, b), got 1" } },
        { MODEL_FOR_CHECK, WITH(TWO, "f(x, 0.5, 1)"),
          { "3:33: error: dynamics.rhs.x: table \"f\" takes 2 arguments, f(a, b), got 3" } },
        { MODEL_FOR_CHECK, WITH(TWO, "1 + f*x"), { "3:37: error: dynamics.rhs.x: \"f\" is a table: its arguments are missing" } },
        { MODEL_FOR_CHECK, WITH(TWO, "f(x, z)"), { "3:38: error: dynamics.rhs.x: unknown name \"z\"" } },
        { MODEL_FOR_CHECK, WITH(TWO, "f(x, 1.5)"),
          { "3:33: error: dynamics.rhs.x: b = 1.5 lies outside of table \"f\", which goes from 0 to 1" } },
        { MODEL_FOR_CHECK, WITH("tables: {thrust: {of: a, at: [0, 1], values: [0, 1]}}\n", "thrst(x)"),
          { "3:33: error: dynamics.rhs.x: unknown function \"thrst\" (did you mean \"thrust\", a table?)" } },
        { MODEL_FOR_CHECK, WITH("tables: {f: {of: a, at: [0, 2, 1], values: [0, 1, 2]}}\n", "f(x)"),
          { "4:32: error: tables.f: a must ascend, and 1 comes after 2" } },
        { MODEL_FOR_CHECK, WITH("tables: {f: {of: a, at: [0, 2, 3], values: [0, 1]}}\n", "f(x)"),
          { "4:44: error: tables.f.values: has 2 numbers, and \"at\" 3" } },
        { MODEL_FOR_CHECK, WITH("tables: {f: {of: a, at: [0], values: [1]}}\n", "f(x)"),
          { "4:26: error: tables.f: a needs two values at least" } },
        { MODEL_FOR_CHECK, WITH("tables: {f: {of: [a, b], at: [[0, 1], [0, 1]], values: [[0, 1], [1]]}}\n", "f(x, x)"),
          { "4:65: error: tables.f.values.1: has 1 numbers, and the second argument 2 values" } },
        { MODEL_FOR_CHECK, WITH("tables: {f: {of: [a, b, c], at: [0, 1], values: [0, 1]}}\n", "f(x)"),
          { "4:18: error: tables.f.of: expected \"of\": the name of its argument, or a list of two" } },
        { MODEL_FOR_CHECK, WITH("tables: {f: {of: a, at: [0, 1]}}\n", "f(x)"),
          { "4:13: error: tables.f: needs a \"file\" (a CSV), or \"at\" and \"values\"" } },
        { MODEL_FOR_CHECK, WITH("tables: {f: {of: a, file: nowhere.csv}}\n", "f(x)"),
          { "4:27: error: tables.f.file: cannot read nowhere.csv: No such file or directory" } },
        { MODEL_FOR_CHECK, WITH("tables: {f: {of: a, at: [0, 1], values: [0, 1], by: cubic, outside: clamp}}\n", "f(x)"),
          { "4:53: error: tables.f.by: must be one of: spline, linear",
            "4:69: error: tables.f.outside: must be one of: refuse, constant, linear" } },
        { MODEL_FOR_CHECK, WITH("tables: {f: {of: a, at: [0, 1], values: [0, 1], units: {b: m}}}\n", "f(x)"),
          { "4:57: error: tables.f.units: unknown key \"b\"" } },
        { MODEL_FOR_CHECK, WITH("tables: {x: {of: a, at: [0, 1], values: [0, 1]}}\n", "1"),
          { "4:10: error: tables.x: there is a state of this name already" } },
        { MODEL_FOR_CHECK, WITH("tables: {f: {of: a, at: [0, p], values: [0, 1]}}\nparameters: {p: f(0.5)}\n", "f(x)"),
          { "4:29: error: tables.f.at.1: defined by itself: p -> f -> p" } },
        { MODEL_FOR_CHECK, WITH("tables: {f: {of: a, at: [0, 1, 2], values: [0, 1, 0], by: linear}}\ncost: {terminal: {a: f(x)}}\n", "1"),
          { "5:22: error: cost.terminal.a: table \"f\" has corners, as it is linear, and may only stand in rhs and force" } },
        { MODEL_FOR_SOLVE, WITH("tables: {f: {of: a, at: [1, 2], values: [0, 1]}}\ntime: {horizon: 1, intervals: 2}\n", "f(x)"),
          { "3:33: error: tables.f.a: cannot hold at the start: it is 0 at the initial values, and must be at least 1" } },
    };
    check_all(bad, COUNT(bad));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_parameters),
        cmocka_unit_test(time_and_variables),
        cmocka_unit_test(dynamics),
        cmocka_unit_test(modes),
        cmocka_unit_test(contacts),
        cmocka_unit_test(costs_constraints_and_guesses),
        cmocka_unit_test(tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
