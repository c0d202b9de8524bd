/* test_transcription.c - every combination of options: exact derivatives, and solutions that are
 * known */
#include "transcription/discretize/transcription.h"

#include "core/mpcc/relax.h"
#include "transcription/program/check.h"

#include "tests/unit/small_problem.h"
#include "tests/unit/assertions.h"

#include <stdio.h>

/* --- Every combination of options has exact derivatives ----------------------------------------------------- */

static const double tolerance = 1e-6; /* of derivatives, against differences; the checker's own error is below */

struct combination { int scheme, form, aggregation, equilibration, control_grid; };

static void describe(const struct discretization *s, char *text, size_t size)
{
    snprintf(text, size, "method %d, scheme %d, form %d, aggregation %d, equilibration %d, control grid %d",
             s->method, s->scheme, s->form, s->aggregation, s->equilibration, s->control_grid);
}

/* Two of the relaxations have kinks in their first or second derivatives; a difference across one says nothing, so
 * that another point gets its chance. A wrong derivative is wrong at all of them. */
static void assert_exact(const struct nlp *nlp, const double *w0, unsigned seed, bool has_kinks, const char *text)
{
    struct derivative_check check = derivative_check(nlp, w0, 1, seed);
    for (unsigned k = 1; has_kinks && k < 4 && fmax(check.jac, check.hess) > tolerance; k++)
        check = derivative_check(nlp, w0, 1, seed + 10000 * k);
    if (!check.finite)
        fail_msg("%s: not finite", text);
    if (!(check.jac <= tolerance && check.grad <= tolerance && check.hess <= tolerance))
        fail_msg("%s: jac %.2g in row %d, grad %.2g, hess %.2g at variable %d", text, check.jac, check.jac_row,
                 check.grad, check.hess, check.hess_var);
}

/* The relaxed NLPs of the transcription. sigma = 0.1 puts pairs on all branches of the relaxations. */
static void check_relaxations(const struct transcription *tr, enum relax_elastic elastic, unsigned seed,
                              const char *text)
{
    static const char *const name[] = { "scholtes", "steffensen-ulbrich", "kanzow-schwartz", "lin-fukushima",
                                        "fischer-burmeister" };
    for (int kind = RELAX_SCHOLTES; kind <= RELAX_FISCHER_BURMEISTER; kind++) {
        struct relax *relax = relax_create(&tr->mpcc, (enum relax_kind)kind, elastic, NULL);
        relax_set_sigma(relax, 0.1);
        const struct nlp *nlp = relax_nlp(relax);
        double *w0 = test_malloc((size_t)nlp->n_w * sizeof *w0);
        char whole[300];
        snprintf(whole, sizeof whole, "%s, %s, elastic %d", text, name[kind], elastic);
        relax_start(relax, tr->mpcc.w0, w0);
        assert_exact(nlp, w0, seed, kind == RELAX_STEFFENSEN_ULBRICH || kind == RELAX_KANZOW_SCHWARTZ, whole);
        test_free(w0);
        relax_free(relax);
    }
}

static void check_one(struct small_problem *problem, const struct combination *options, unsigned seed)
{
    problem->settings.scheme = options->scheme;
    problem->settings.form = options->form;
    problem->settings.aggregation = options->aggregation;
    problem->settings.equilibration = options->equilibration;
    problem->settings.control_grid = options->control_grid;
    char text[200];
    describe(&problem->settings, text, sizeof text);
    const struct transcription *tr = small_transcribe_banded(problem, 0.01);
    program_set_weights(tr->prog, (struct program_weights){ 1, 1, 0.5 });
    assert_exact(&tr->mpcc.nlp, tr->mpcc.w0, seed, false, text);
    check_relaxations(tr, (enum relax_elastic)(seed % 3), seed, text);
}

/* scheme x form x aggregation x equilibration x control grid x relaxation; elastic modes take turns. */
static void check_switching(const char *spec)
{
    struct small_problem problem = small_read(spec);
    unsigned seed = 1;
    for (int scheme = RK_RADAU_IIA; scheme <= RK_GAUSS_LEGENDRE; scheme++)
        for (int form = FORM_STEP; form <= FORM_STEWART; form++)
            for (int aggregation = 0; aggregation <= AGGREGATE_FE_FE; aggregation++)
                for (int equilibration = 0; equilibration <= EQUILIBRATE_NONE; equilibration++)
                    for (int grid = 0; grid <= CONTROL_GRID_FREE; grid++)
                        check_one(&problem,
                                  &(struct combination){ scheme, form, aggregation, equilibration, grid }, seed++);
    small_free(&problem);
}

/* Fixed grids know neither aggregation nor equilibration, but all schemes. */
static void check_fixed_grid(const char *spec)
{
    struct small_problem problem = small_read(spec);
    problem.settings.method = METHOD_TIME_STEPPING;
    unsigned seed = 1;
    for (int scheme = RK_RADAU_IIA; scheme <= RK_EXPLICIT; scheme++)
        for (int form = FORM_STEP; form <= FORM_STEWART; form++)
            for (int grid = 0; grid <= CONTROL_GRID_FREE; grid++)
                check_one(&problem, &(struct combination){ scheme, form, 0, 0, grid }, seed++);
    small_free(&problem);
}

/* One switch, a function of state and time; sliding is possible; elements by interval; a reference and all
 * places. */
static const char one_switch[] =
    "cocp: 1\n"
    "time: {horizon: 2, intervals: 2, elements: [2, 1]}\n"
    "states: {x: {initial: -1, bounds: [-3, 3]}, v: {initial: 0.2, final: [-1, 1]}}\n"
    "controls: {u: {bounds: [-2, 2], guess: 0.5}}\n"
    "define:\n"
    "  ref: {through: {0: 0.2, 0.4: 0.5, 1: -0.3, 0.7: 0.1}, by: spline}\n"
    "dynamics: {type: ode, rhs: {x: 'v + sin(t)*x - sign(x - 0.1*t)', v: 'u*cos(x) - v^2'}}\n"
    "cost:\n"
    "  running: {a: u^2, b: {squares: {x: 2}, reference: {x: ref}}, c: 'exp(-t)*v*u'}\n"
    "  terminal: {e: 'x^2*t'}\n"
    "constraints:\n"
    "  c1: {expr: 'x*v <= 4', at: path}\n"
    "  c2: {expr: 'sin(x) + u*t <= 9', at: stages}\n"
    "  c3: {expr: 'x^2 + v^2 <= 16', at: elements}\n"
    "  c4: {expr: 'x*u <= 8', at: intervals}\n"
    "  c5: {expr: 'exp(v) <= 5', at: initial}\n"
    "  c6: {expr: 'x^3 <= 5', at: [final, initial]}\n"
    "  c7: {expr: 'final(x)*initial(v) <= 5', at: boundary}\n";

static void one_switch_is_exact(void **state)
{
    (void)state;
    check_switching(one_switch);
    check_fixed_grid(one_switch);
}

/* Two switches in modes, one of them curved, a second group beside, a nonsmooth common part; a free horizon,
 * optimized parameters, a free start. */
static const char modes[] =
    "cocp: 1\n"
    "parameters: {a: {value: 1, optimize: [0.5, 2]}, b: {value: 0.3, optimize: [0.1, 0.6]}}\n"
    "time: {horizon: {min: 0.5, max: 3, guess: 1}, intervals: 2, elements: 2}\n"
    "states: {x: {initial: free, guess: 0.3, bounds: [-2, 2]}, y: {initial: [0, 0.5]}}\n"
    "controls: {u: {bounds: [-2, 2], guess: 0.5}}\n"
    "define:\n"
    "  ref: {through: {0: 0, 0.5: 0.7, 1: 0.2}, by: spline}\n"
    "dynamics:\n"
    "  type: piecewise\n"
    "  rhs: {x: 'u*cos(y) + ref', y: 'a*x - 0.3*sign(y - b)'}\n"
    "  groups:\n"
    "    g1:\n"
    "      switches: {c: 'x^2 + y - b', d: 'y - 0.1'}\n"
    "      modes:\n"
    "        m1: {where: c > 0 and d > 0, rhs: {x: 'a*y', y: -1}}\n"
    "        m2: {where: c > 0 and d < 0, rhs: {x: -1, y: 'x*u'}}\n"
    "        m3: {where: else, rhs: {x: 1, y: 'x^2'}}\n"
    "    g2:\n"
    "      switches: {h: x - 0.2}\n"
    "      modes:\n"
    "        on: {where: h > 0, rhs: {y: 'sin(x)'}}\n"
    "        off: {where: h < 0, rhs: {y: 'cos(u)'}}\n"
    "cost:\n"
    "  running: {e: 'a*u^2 + x^2', f: 'u^2*b'}\n"
    "  terminal: {time: t, end: '(x - a)^2'}\n"
    "constraints:\n"
    "  p: {expr: 'b*x + y <= a + 4', at: path}\n"
    "  q: {expr: 'final(x)*a == initial(y)', at: boundary}\n";

static void modes_are_exact(void **state)
{
    (void)state;
    check_switching(modes);
    check_fixed_grid(modes);
}

/* A planar contact with friction and a curved gap; the dead band is used. */
static const char planar_contact[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 1, elements: 2}\n"
    "states: {x: {initial: 0}, z: {initial: 1, bounds: [-1, 2]}, vx: {initial: 0.5}, vz: {initial: 0}}\n"
    "controls: {u: {bounds: [-5, 5], guess: 1}}\n"
    "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {rows: [[2, 0.3], [0.3, 1]]},\n"
    "  force: {x: 'u - 0.2*vx*vz', z: '-9.81 + 0.1*t'}}\n"
    "contacts: {foot: {gap: 'z - 0.2*x^2', tangent: 'x + 0.1*z', friction: 0.4}}\n"
    "cost: {running: {e: u^2, f: 'x^2*vz'}, terminal: {g: 'x*vz'}}\n"
    "constraints: {h: {expr: 'x*z <= 4', at: path}}\n"
    "discretization: {method: time-freezing, a_n: 10}\n";

static void planar_contact_is_exact(void **state)
{
    (void)state;
    check_switching(planar_contact);
    check_fixed_grid(planar_contact);
}

/* A mass matrix that varies, an elastic contact in the lifted form, an inelastic one without friction; free
 * horizon. */
static const char pendulum[] =
    "cocp: 1\n"
    "time: {horizon: {min: 0.5, max: 2, guess: 1}, intervals: 1, elements: 2}\n"
    "states: {x: {initial: 1}, th: {initial: 0.4}, v: {initial: 0}, w: {initial: 0.5}}\n"
    "controls: {u: {guess: 1}}\n"
    "dynamics: {type: mechanical, coordinates: {x: v, th: w},\n"
    "  kinetic: '0.5*2*v^2 + 0.5*(v^2 + 2*v*w*cos(th) + w^2)',\n"
    "  potential: '-9.81*cos(th)', force: {x: u}}\n"
    "contacts: {wall: {gap: 'x + 0.5*sin(th)', restitution: 0.5}, stop: {gap: 1.5 - x}}\n"
    "cost: {running: {e: 'u^2*th'}, terminal: {time: t}}\n"
    "discretization: {method: time-freezing, a_n: 10, equilibration: none}\n";

static void varying_mass_is_exact(void **state)
{
    (void)state;
    struct small_problem problem = small_read(pendulum);
    unsigned seed = 1;
    for (int scheme = RK_RADAU_IIA; scheme <= RK_GAUSS_LEGENDRE; scheme++)
        for (int form = FORM_STEP; form <= FORM_STEWART; form++)
            for (int aggregation = 0; aggregation <= AGGREGATE_FE_FE; aggregation++)
                check_one(&problem, &(struct combination){ scheme, form, aggregation, aggregation, 0 }, seed++);
    small_free(&problem);
    check_fixed_grid(pendulum);
}

/* Three contacts and a point in space with the smooth friction of
 * time_freezing.md 4, which has no cone of its own in modes. */
static const char contacts_in_space[] = "cocp: 1\n"
                                        "parameters: {mu: 0.5}\n"
                                        "time: {horizon: 1, intervals: 1, elements: 1}\n"
                                        "states: {x: {initial: 1}, y: {initial: 1}, z: {initial: 1}, vx: "
                                        "{initial: 0.3}, vy: {initial: 0.2}, vz: {initial: 0}}\n"
                                        "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: "
                                        "{diag: [1, 2, 3]}, force: {z: -9.81}}\n"
                                        "contacts:\n"
                                        "  floor: {gap: z, tangent: [x, y], friction: mu}\n"
                                        "  wall: {gap: x}\n"
                                        "  other: {gap: y}\n"
                                        "discretization: {method: time-freezing, a_n: 10, eps_t: 0.1}\n";

static void contacts_in_space_are_exact(void **state)
{
    (void)state;
    struct small_problem problem = small_read(contacts_in_space);
    for (int scheme = RK_RADAU_IIA; scheme <= RK_GAUSS_LEGENDRE; scheme++)
        for (int form = FORM_STEP; form <= FORM_STEWART; form++)
            check_one(&problem, &(struct combination){ scheme, form, AGGREGATE_STAGE_FE, EQUILIBRATE_NONE, 0 }, 1);
    small_free(&problem);
    check_fixed_grid(contacts_in_space);
}

/* --- Every combination finds solutions that are known ------------------------------------------------------- */

/* Solves, and compares the first n states of the end. */
static void assert_solved(struct small_problem *problem, int n, const double *want, double tol)
{
    char text[200];
    describe(&problem->settings, text, sizeof text);
    small_transcribe(problem);
    struct homotopy_result result = small_solve(problem);
    for (int i = 0; i < n; i++) {
        const double got = small_final(problem->tr, result.w, i);
        if (result.status != STATUS_OK || !(fabs(got - want[i]) <= tol))
            fail_msg("%s, relaxation %d, elastic %d: status %d, state %d is %.12g, not %.12g", text,
                     problem->homotopy.relaxation, problem->homotopy.elastic, result.status, i, got, want[i]);
    }
    homotopy_result_free(&result);
}

/* Which relaxation takes its turn: the two with kinks do not get through every time where the constraints of
 * direct equilibration have no interior, or Gauss has multipliers at points of their own; elastic modes are
 * Scholtes'. */
static void take_turn(struct homotopy_settings *homotopy, bool is_hard, int turn)
{
    static const int any[] = { RELAX_SCHOLTES, RELAX_STEFFENSEN_ULBRICH, RELAX_KANZOW_SCHWARTZ,
                               RELAX_LIN_FUKUSHIMA, RELAX_FISCHER_BURMEISTER };
    static const int robust[] = { RELAX_SCHOLTES, RELAX_LIN_FUKUSHIMA, RELAX_FISCHER_BURMEISTER };
    homotopy->relaxation = is_hard ? robust[turn % 3] : any[turn % 5];
    homotopy->elastic = homotopy->relaxation == RELAX_SCHOLTES ? turn % 3 : ELASTIC_NONE;
}

/* x' = 2 below 0 and 0.2 above, from -1: at the surface at t = 0.5, x(1.5) = 0.2. Where the crossover does not
 * make it exact a complementarity of comp_tol = 1e-8 is left, times the conditioning of the switching time,
 * here about ten. */
static void every_combination_finds_the_switch(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "time: {horizon: 1.5, intervals: 1, elements: 3}\n"
        "states: {x: {initial: -1}}\n"
        "dynamics:\n"
        "  type: piecewise\n"
        "  switches: {c: x}\n"
        "  modes: {fast: {where: c < 0, rhs: {x: 2}}, slow: {where: else, rhs: {x: 0.2}}}\n"
        "homotopy: {comp_tol: 1e-8}\n");
    const double want = 0.2;
    int turn = 0;
    for (int scheme = RK_RADAU_IIA; scheme <= RK_GAUSS_LEGENDRE; scheme++)
        for (int form = FORM_STEP; form <= FORM_STEWART; form++)
            for (int aggregation = 0; aggregation <= AGGREGATE_FE_FE; aggregation++)
                for (int equilibration = 0; equilibration <= EQUILIBRATE_NONE; equilibration++, turn++) {
                    problem.settings.scheme = scheme;
                    problem.settings.form = form;
                    problem.settings.aggregation = aggregation;
                    problem.settings.equilibration = equilibration;
                    problem.settings.control_grid = turn % 2;
                    take_turn(&problem.homotopy,
                              equilibration == EQUILIBRATE_DIRECT || scheme == RK_GAUSS_LEGENDRE, turn);
                    assert_solved(&problem, 1, &want, 1e-7);
                }
    small_free(&problem);
}

/* cases.md 3.2: x' = 1.3 below 0, -0.7 above, from -0.5: x slides on 0 with alpha = 0.65, theta = (0.35, 0.65),
 * for every equilibration; y' = theta of the upper mode counts it: y(1) = 0.65 (1 - 0.5/1.3). */
static void sliding_has_its_convex_combination(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "time: {horizon: 1, intervals: 1, elements: 3}\n"
        "states: {x: {initial: -0.5}, y: {initial: 0}}\n"
        "dynamics:\n"
        "  type: piecewise\n"
        "  switches: {c: x}\n"
        "  modes: {below: {where: c < 0, rhs: {x: 1.3, y: 0}}, above: {where: c > 0, rhs: {x: -0.7, y: 1}}}\n");
    const double want[] = { 0, 0.65 * (1 - 0.5 / 1.3) };
    for (int form = FORM_STEP; form <= FORM_STEWART; form++)
        for (int equilibration = 0; equilibration <= EQUILIBRATE_NONE; equilibration++) {
            problem.settings.form = form;
            problem.settings.equilibration = equilibration;
            assert_solved(&problem, 2, want, 1e-7);
        }
    small_free(&problem);
}

/* cases.md 3.3 in physical time: the particle falls from 1 m under u = (7, 0), mu = 0.6, hits at sqrt(2/g) with
 * the tangential impulse mu sqrt(2 g), then slips with 7 - mu g. 1e-4 is what the last sigma leaves in
 * positions (time_freezing.md 10); the crossover does better. Only the default aggregation is sure to get there
 * without fallbacks. */
static void time_freezing_meets_coulomb(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "parameters: {g: 9.81}\n"
        "time: {horizon: 0.75, intervals: 1, elements: 4}\n"
        "states: {x: {initial: 0}, z: {initial: 1}, vx: {initial: 0}, vz: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {x: 7, z: -g}}\n"
        "contacts: {floor: {gap: z, tangent: x, friction: 0.6}}\n"
        "discretization: {method: time-freezing, a_n: g}\n");
    const double g = 9.81, t = sqrt(2 / g), v_plus = 7 * t - 0.6 * sqrt(2 * g), r = 0.75 - t, a = 7 - 0.6 * g;
    const double want[] = { 3.5 * t * t + v_plus * r + a * r * r / 2, 0, v_plus + a * r, 0 };
    assert_near(v_plus, 0.5029973, 1e-7);    /* as cases.md 3.3 has it */
    for (int form = FORM_STEP; form <= FORM_STEWART; form++) {
        problem.settings.form = form;
        assert_solved(&problem, 4, want, 1e-4);
    }
    small_free(&problem);
}

/* cases.md 3.5 with restitution: a ball at 0.2 m, -1 m/s, e = 0.8 comes back to q(0.3) = 0.1604860826 with v =
 * 0.0512158179, whatever its mass (cases.md 3.4). The half oscillation of the jump is a smooth motion for the scheme:
 * five stages and some elements for it leave 1e-7. (Stewart's form does not get there in one run.) */
static void elastic_impacts_return_the_ball(void **state)
{
    (void)state;
    static const double want[] = { 0.1604860826, 0.0512158179 };
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "time: {horizon: 0.3, intervals: 1, elements: 6}\n"
        "states: {q: {initial: 0.2}, v: {initial: -1}}\n"
        "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [3]}, force: {q: -9.81*3}}\n"
        "contacts: {floor: {gap: q, restitution: 0.8}}\n"
        "discretization: {method: time-freezing, stages: 5}\n");
    assert_solved(&problem, 2, want, 1e-6);
    small_free(&problem);
}

/* Fixed grids: fesd_j.md 10 with steps of 0.01, implicit Euler. The particle of cases.md 3.3 lands with the first-order
 * errors of the fall (g t h/2 = 0.03 in v_z at the impact, mu of it in v_x) and then slips with the exact
 * acceleration. */
static void time_stepping_meets_coulomb_to_first_order(void **state)
{
    (void)state;
    struct small_problem problem = small_read(
        "cocp: 1\n"
        "parameters: {g: 9.81}\n"
        "time: {horizon: 0.75, intervals: 1, elements: 75}\n"
        "states: {x: {initial: 0}, z: {initial: 1}, vx: {initial: 0}, vz: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {x: 7, z: -g}}\n"
        "contacts: {floor: {gap: z, tangent: x, friction: 0.6}}\n"
        "discretization: {method: time-stepping}\n");
    const double g = 9.81, t = sqrt(2 / g), v_plus = 7 * t - 0.6 * sqrt(2 * g), r = 0.75 - t, a = 7 - 0.6 * g;
    const double want[] = { 3.5 * t * t + v_plus * r + a * r * r / 2, 0, v_plus + a * r, 0 };
    assert_solved(&problem, 4, want, 0.05);
    small_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_switch_is_exact),
        cmocka_unit_test(modes_are_exact),
        cmocka_unit_test(planar_contact_is_exact),
        cmocka_unit_test(varying_mass_is_exact),
        cmocka_unit_test(contacts_in_space_are_exact),
        cmocka_unit_test(every_combination_finds_the_switch),
        cmocka_unit_test(sliding_has_its_convex_combination),
        cmocka_unit_test(time_freezing_meets_coulomb),
        cmocka_unit_test(elastic_impacts_return_the_ball),
        cmocka_unit_test(time_stepping_meets_coulomb_to_first_order),
    };
    return cmocka_run_group_tests_name("transcription", tests, NULL, NULL);
}
