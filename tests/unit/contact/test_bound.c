/* Lower bounds of problems with known optima, and how models are read for them. */
#include "core/bound/certificate.h"
#include "core/bound/search.h"

#include "tests/unit/assertions.h"
#include "tests/unit/read_spec.h"

#include <math.h>

/* --- Polynomials whose coefficients are enclosed ------------------------------------------------------------- */

static struct interval_poly variable(struct arena *mem, int k)
{
    return enclosed_monomial(mem, monomial_power(k, 1), iv(1));
}

/* (x + 1/3)^2 with x = 2 y - 1/3 is 4 y^2; 1/3 is no double, and the enclosure holds 4 and 0. */
static void substitution_encloses_what_rounding_hides(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct interval third = iv_div(iv(1), iv(3));
    const struct interval_poly sum = enclosed_add(&mem, variable(&mem, 0), iv(1), enclosed_constant(&mem, third));
    struct interval_poly with[POLY_MAX_VAR] = { { 0, NULL } };
    with[0] = enclosed_affine(&mem, iv_neg(third), iv(2), 1);
    const struct interval_poly p = enclosed_substitute(&mem, enclosed_mul(&mem, sum, sum), 1, with);
    const struct interval square = enclosed_coefficient(p, monomial_power(1, 2)),
                          rest = enclosed_coefficient(p, 0);
    assert_true(square.lo <= 4 && square.hi >= 4 && square.hi - square.lo < 1e-14);
    assert_true(rest.lo <= 0 && rest.hi >= 0 && rest.hi - rest.lo < 1e-14);
    assert_int_equal(enclosed_middle(&mem, p).n, 1);
    arena_free(&mem);
}

/* d/dx (x^3 y) = 3 x^2 y; divided by y without what y does not divide: 3 x^2. */
static void derivatives_and_quotients(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct interval_poly a = enclosed_monomial(&mem, monomial_power(0, 3) + monomial_power(1, 1), iv(1));
    const struct interval_poly d =
        enclosed_add(&mem, enclosed_derivative(&mem, a, 0), iv(1), enclosed_constant(&mem, iv(7)));
    const struct interval_poly quotient = enclosed_divide(&mem, d, 1);
    assert_int_equal(quotient.n, 1);
    assert_true(quotient.term[0].monomial == monomial_power(0, 2));
    assert_true(quotient.term[0].coefficient.lo <= 3 && quotient.term[0].coefficient.hi >= 3);
    arena_free(&mem);
}

/* 1 + x >= 0 on [-1, 1] by 1 + x = (1 + x)^2 / 2 + (1 - x^2) / 2. If the constant is only known to be in
 * [0.5, 1.5] no more than -0.5 is proved. */
static void a_wide_coefficient_takes_from_the_proof(void **state)
{
    (void)state;
    struct arena mem = { NULL };
    const struct poly region =
        poly_add(&mem, poly_constant(&mem, 1), -1, poly_monomial(&mem, monomial_power(0, 2), 1));
    const struct sos_affine p = { poly_affine(&mem, 1, 1, (const double[]){ 1 }), 0, NULL };
    const struct sos_identity identity = sos_nonnegative(&mem, p, 1, &region, 0, NULL, 1, 2);
    double plain[4] = { 0.5, 0.5, 0.5, 0.5 }, box_part[1] = { 0.5 };
    struct sos_weights weights = { .gram = (double *[]){ plain, box_part } };
    const struct interval box[1] = { { -1, 1 } };
    struct sos_proof exact, wide;
    const struct interval_poly x = variable(&mem, 0);
    const struct interval_poly gram[2] = { enclosed_constant(&mem, iv(1)),
                                           enclosed_add(&mem, enclosed_constant(&mem, iv(1)), iv(-1),
                                                        enclosed_mul(&mem, x, x)) };
    const struct sos_enclosure enclosure = {
        enclosed_add(&mem, x, iv(1), enclosed_constant(&mem, (struct interval){ 0.5, 1.5 })), NULL, gram, NULL
    };
    sos_measure(&mem, &identity, NULL, &weights, box, &exact);
    sos_measure_within(&mem, &identity, &enclosure, NULL, &weights, box, &wide);
    assert_true(exact.at_least <= 0 && exact.at_least > -1e-12);
    assert_true(wide.at_least <= -0.5);
    arena_free(&mem);
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

struct read {
    struct diag *diag;
    struct spec *spec;
    struct model *model;
    struct arena mem;
    struct bound_problem *problem;
};

static enum status read_problem(const char *text, const struct bound_wish *wish, struct read *to)
{
    *to = (struct read){ .diag = diag_create() };
    read_spec(text, MODEL_FOR_SOLVE, to->diag, &to->spec, &to->model);
    to->problem = arena_alloc(&to->mem, 1, sizeof *to->problem);
    return bound_read(&to->mem, to->model, wish, to->problem, to->diag);
}

static void forget(struct read *read)
{
    arena_free(&read->mem);
    model_free(read->model);
    spec_free(read->spec);
    diag_free(read->diag);
}

/* Whoever needs no more than T = 20 s for 200 m, from rest to rest with |v| <= 20 m/s, was never beyond 200 + 20
 * (20 - 10)/2 = 300 m, nor before -100 m. */
static void rates_and_a_cost_bound_the_box(void **state)
{
    (void)state;
    struct read read;
    assert_int_equal(read_problem("problems/turbo_car.yaml", &(struct bound_wish){ .below = 20, .cost_scale = 1 }, &read),
                     STATUS_OK);
    const struct bound_var *q = &read.problem->var[0], *v = &read.problem->var[1];
    assert_true(q->box == BOX_RATES && v->box == BOX_SPEC);
    assert_true(fabs(q->lo + 100) < 1e-6 && fabs(q->hi - 300) < 1e-6);
    assert_true(read.problem->below >= 20 && read.problem->below <= 20);
    assert_true(read.problem->time < 0 && read.problem->corners);
    assert_int_equal(read.problem->place[0].n_switch, 1);
    forget(&read);
}

static const char ball[] =
    "cocp: 1\nname: ball\ntime: {horizon: 1.2, intervals: 8, elements: 3}\n"
    "states:\n  q: {bounds: [0, 1.5], initial: 1, final: 0.6}\n  v: {bounds: [-6, 6], initial: 0}\n"
    "controls:\n  u: {bounds: [-8, 8]}\n"
    "dynamics: {type: mechanical, coordinates: {q: v}, mass: {diag: [2]}, force: {q: 2*u - 2*9.81}}\n"
    "contacts:\n  ground: {gap: q, restitution: 0.7}\n"
    "cost: {running: {effort: u^2}}\n";

/* A ball of 2 kg: at its guard it comes with v = -6 rho and leaves with 0.7 times that; resting it needs u
 * <= 9.81. */
static void an_impact_is_a_guard(void **state)
{
    (void)state;
    struct read read;
    assert_int_equal(read_problem(ball, &(struct bound_wish){ .below = NAN, .cost_scale = 1 }, &read), STATUS_OK);
    assert_int_equal(read.problem->n_place, 2);
    assert_int_equal(read.problem->n_guard, 1);
    const struct bound_guard *guard = &read.problem->guard[0];
    assert_true(!guard->once && !read.problem->place[1].own);
    const uint64_t rho = monomial_power(BOUND_RHO, 1);
    assert_true(fabs(iv_mid(enclosed_coefficient(guard->before.with[1], rho)) + 1) < 1e-9);
    assert_true(fabs(iv_mid(enclosed_coefficient(guard->after.with[1], rho)) - 0.7) < 1e-9);
    forget(&read);
}

/* --- Known optima -------------------------------------------------------------------------------------------- */

/* With a line that tells, where a test fails. */
static double best_bound(const char *text, double target, int degree)
{
    struct read read = { .diag = diag_create() };
    struct bound_found found;
    read_spec(text, MODEL_FOR_SOLVE, read.diag, &read.spec, &read.model);
    const struct bound_search search = {
        .model = read.model, .target = target, .gap = 1e-9, .max_degree = degree
    };
    read_check(read.diag, bound_search(&search, &found, read.diag));
    const double bound = found.proof ? found.proof->bound : NAN;
    printf("  bound %.10g\n", bound);
    bound_found_free(&found);
    forget(&read);
    return bound;
}

/* From 1 m at rest to 0 m at rest with |u| <= 1: 2 s. */
static void least_time_of_a_double_integrator(void **state)
{
    (void)state;
    const double bound =
        best_bound("cocp: 1\nname: d\ntime: {horizon: {min: 0.1, max: 10, guess: 3}, intervals: 5, elements: 2}\n"
                   "states:\n  x: {bounds: [-2, 2], initial: 1, final: 0}\n"
                   "  v: {bounds: [-2, 2], initial: 0, final: 0}\ncontrols:\n  u: {bounds: [-1, 1]}\n"
                   "dynamics: {type: ode, rhs: {x: v, v: u}}\ncost: {terminal: {time: t}}\n",
                   NAN, 10);
    assert_true(bound <= 2 && bound > 1.98);
}

/* Turbo car: 40/3 s. */
static void least_time_with_a_switch(void **state)
{
    (void)state;
    const double bound = best_bound("problems/turbo_car.yaml", 13.34, 8);
    assert_true(bound <= 40.0 / 3 && bound > 40.0 / 3 - 1e-5);
}

/* 1 m in 2 s against dry friction of 2 N: least effort 16/sqrt(3), with rest after sqrt(3) s. */
static void dry_friction_sticks(void **state)
{
    (void)state;
    const double bound =
        best_bound("cocp: 1\nname: f\ntime: {horizon: 2, intervals: 5, elements: 2}\n"
                   "states:\n  x: {bounds: [-1.2, 1.2], initial: 0, final: 1}\n"
                   "  v: {bounds: [-2, 2], initial: 0, final: 0}\ncontrols:\n  u: {bounds: [-10, 10]}\n"
                   "dynamics: {type: ode, rhs: {x: v, v: u - 2*sign(v)}}\ncost: {running: {e: u^2}}\n",
                   NAN, 6);
    assert_true(bound <= 16 / sqrt(3) && bound > 16 / sqrt(3) * (1 - 1e-3));
}

/* x' = -sign(x) + u with |u| <= 1/2 reaches 0 and slides there: from 1 to 0 within 2 s at no cost but that of x^2,
 * which is at least the integral of (1 - 3 t/2)^2 until t = 2/3, 2/9. A kink of V at 0 must not make it more. */
static void sliding_costs_what_it_costs(void **state)
{
    (void)state;
    const double bound =
        best_bound("cocp: 1\nname: s\ntime: {horizon: 2, intervals: 5, elements: 2}\n"
                   "states:\n  x: {bounds: [-1, 1], initial: 1}\ncontrols:\n  u: {bounds: [-0.5, 0.5]}\n"
                   "dynamics: {type: ode, rhs: {x: u - sign(x)}}\ncost: {running: {e: x^2}}\n",
                   NAN, 8);
    assert_true(bound <= 2.0 / 9 && bound > 2.0 / 9 * (1 - 1e-2));
}

/* The same block by friction under a load, 2 kg and mu N = 0.5 * 8, with a control that is held: the same optimum. */
static void friction_under_a_load(void **state)
{
    (void)state;
    const double bound =
        best_bound("cocp: 1\nname: l\ntime: {horizon: 2, intervals: 5, elements: 2}\n"
                   "states:\n  x: {bounds: [-1.2, 1.2], initial: 0, final: 1}\n"
                   "  v: {bounds: [-2, 2], initial: 0, final: 0}\n"
                   "controls:\n  u: {bounds: [-10, 10], hold: linear}\n"
                   "dynamics: {type: mechanical, coordinates: {x: v}, mass: {diag: [2]}, force: {x: 2*u}}\n"
                   "friction: {base: {slip: v, load: 8, coefficient: 0.5}}\ncost: {running: {e: u^2}}\n",
                   NAN, 6);
    assert_true(bound <= 16 / sqrt(3) && bound > 16 / sqrt(3) * (1 - 1e-3));
}

/* x' = u + exp(-t) + sin(3 t): the mean of u is fixed, and its square least where u is constant. */
static void functions_of_time(void **state)
{
    (void)state;
    const double bound = best_bound("cocp: 1\nname: e\ntime: {horizon: 1, intervals: 5, elements: 2}\n"
                                    "states:\n  x: {bounds: [-3, 3], initial: 0, final: 1}\n"
                                    "controls:\n  u: {bounds: [-5, 5]}\n"
                                    "dynamics: {type: ode, rhs: {x: u + exp(-t) + sin(3*t)}}\ncost: {running: {e: u^2}}\n",
                                    NAN, 6);
    const double mean = 1 - (1 - exp(-1)) - (1 - cos(3)) / 3;
    assert_true(bound <= mean * mean && bound > mean * mean - 1e-4);
}

/* The farthest that x' = cos a + sin a comes in 1 s is sqrt(2): that needs the circle, as its box alone would allow 2. */
static void functions_of_a_state_lie_on_a_circle(void **state)
{
    (void)state;
    const double bound = best_bound("cocp: 1\nname: c\ntime: {horizon: 1, intervals: 5, elements: 2}\n"
                                    "states:\n  x: {bounds: [-3, 3], initial: 0}\n  a: {bounds: [-4, 4], initial: free}\n"
                                    "controls:\n  u: {bounds: [-1, 1]}\n"
                                    "dynamics: {type: ode, rhs: {x: cos(a) + sin(a), a: u}}\ncost: {terminal: {e: -x}}\n",
                                    NAN, 6);
    assert_true(bound <= -sqrt(2) && bound > -sqrt(2) - 1e-3);
}

/* x'' = y u with |u| <= 1 comes as far as y/2 in 1 s: 3/8 takes y = 3/4 at least. */
static void parameters_are_constant_states(void **state)
{
    (void)state;
    const double bound = best_bound("cocp: 1\nname: p\nparameters:\n  y: {value: 0.9, optimize: [0.5, 1]}\n"
                                    "time: {horizon: 1, intervals: 5, elements: 2}\n"
                                    "states:\n  x: {bounds: [-1, 1], initial: 0, final: 0.375}\n"
                                    "  v: {bounds: [-2, 2], initial: 0}\ncontrols:\n  u: {bounds: [-1, 1]}\n"
                                    "dynamics: {type: ode, rhs: {x: v, v: y*u}}\ncost: {terminal: {e: y}}\n",
                                    NAN, 6);
    assert_true(bound <= 0.75 && bound > 0.75 - 2e-2);
}

/* 1 m in 1 s from rest needs an acceleration of 2: with 1.5 there is no motion, which a bound above the largest cost, 9/4,
 * proves; with 2 and a little more there is one. */
static void what_cannot_be_reached_is_proved_infeasible(void **state)
{
    (void)state;
    static const char text[] = "cocp: 1\nname: f\ntime: {horizon: 1, intervals: 5, elements: 2}\n"
                               "states:\n  x: {bounds: [-2, 2], initial: 0, final: 1}\n"
                               "  v: {bounds: [-3, 3], initial: 0}\ncontrols:\n  u: {bounds: [-%g, %g]}\n"
                               "dynamics: {type: ode, rhs: {x: v, v: u}}\ncost: {running: {e: u^2}}\n";
    for (int which = 0; which < 2; which++) {
        struct read read = { .diag = diag_create() };
        struct bound_found found;
        char spec[500];
        (void)snprintf(spec, sizeof spec, text, which ? 2.1 : 1.5, which ? 2.1 : 1.5);
        read_spec(spec, MODEL_FOR_SOLVE, read.diag, &read.spec, &read.model);
        const struct bound_search search = { .model = read.model, .target = NAN, .gap = 1e-3, .max_degree = 6 };
        read_check(read.diag, bound_search(&search, &found, read.diag));
        assert_non_null(found.proof);
        assert_int_equal(found.proof->infeasible, !which);
        bound_found_free(&found);
        forget(&read);
    }
}

/* --- Certificates -------------------------------------------------------------------------------------------- */

enum { EDITS = 60 };

/* The certificate of the turbo car's least time, degree 6, and numbers of it changed by a hundredth: refused, but
 * where an inequality that does not decide still holds. Whatever is changed, no higher bound is believed. */
static void the_proof_is_made_again(void **state)
{
    (void)state;
    struct read read = { .diag = diag_create() };
    struct bound_found found;
    struct bound_certificate certificate;
    char why[200];
    read_spec("problems/turbo_car.yaml", MODEL_FOR_SOLVE, read.diag, &read.spec, &read.model);
    const struct bound_search search = { .model = read.model, .target = 13.34, .gap = 1e-9, .max_degree = 6 };
    read_check(read.diag, bound_search(&search, &found, read.diag));
    bound_certificate_of(&read.mem, found.problem, found.proof, &certificate);
    assert_true(bound_certificate_check(read.model, &certificate, why, sizeof why, read.diag));
    double *const list[2] = { arena_copy(&read.mem, certificate.y, (size_t)certificate.n_y, sizeof(double)),
                              arena_copy(&read.mem, certificate.gram, (size_t)certificate.n_gram,
                                         sizeof(double)) };
    const int n[2] = { certificate.n_y, certificate.n_gram };
    const double bound = certificate.bound;
    int n_refused = 0;
    certificate.y = list[0];
    certificate.gram = list[1];
    for (int which = 0; which < 2; which++)
        for (int edit = 0; edit < EDITS; edit++) {
            double *const number = &list[which][edit * n[which] / EDITS], old = *number;
            *number += 1e-2 * fmax(fabs(old), 1e-2);
            n_refused += !bound_certificate_check(read.model, &certificate, why, sizeof why, read.diag);
            certificate.bound += 1e-6;
            assert_false(bound_certificate_check(read.model, &certificate, why, sizeof why, read.diag));
            certificate.bound = bound;
            *number = old;
        }
    assert_true(n_refused > EDITS);
    certificate.bound += 1e-6;
    assert_false(bound_certificate_check(read.model, &certificate, why, sizeof why, read.diag));
    certificate.bound = bound;
    certificate.degree = 4;
    assert_false(bound_certificate_check(read.model, &certificate, why, sizeof why, read.diag));
    certificate.degree = 6;
    certificate.horizon_max = 12;
    assert_false(bound_certificate_check(read.model, &certificate, why, sizeof why, read.diag));
    bound_found_free(&found);
    forget(&read);
}

/* What is proved for one speed limit says nothing of another, though the numbers are as many. */
static void a_certificate_is_of_its_model(void **state)
{
    (void)state;
    struct read read = { .diag = diag_create() }, other = { .diag = diag_create() };
    struct bound_found found;
    struct bound_certificate certificate;
    char why[200];
    static const char text[] =
        "cocp: 1\nname: d\ntime: {horizon: 1, intervals: 5, elements: 2}\n"
        "states: {x: {bounds: [-2, 2], initial: 0, final: 1}}\ncontrols: {u: {bounds: [-%d, %d]}}\n"
        "dynamics: {type: ode, rhs: {x: u}}\ncost: {running: {e: %d*u^2}}\n";
    char one[400], two[400];
    (void)snprintf(one, sizeof one, text, 2, 2, 3);
    (void)snprintf(two, sizeof two, text, 2, 2, 2);
    read_spec(one, MODEL_FOR_SOLVE, read.diag, &read.spec, &read.model);
    read_spec(two, MODEL_FOR_SOLVE, other.diag, &other.spec, &other.model);
    const struct bound_search search = { .model = read.model, .target = 3, .gap = 1e-4, .max_degree = 6 };
    read_check(read.diag, bound_search(&search, &found, read.diag));
    bound_certificate_of(&read.mem, found.problem, found.proof, &certificate);
    assert_true(certificate.bound <= 3 && certificate.bound > 3 - 1e-3);
    assert_true(bound_certificate_check(read.model, &certificate, why, sizeof why, read.diag));
    assert_false(bound_certificate_check(other.model, &certificate, why, sizeof why, read.diag));
    bound_found_free(&found);
    forget(&read);
    forget(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(substitution_encloses_what_rounding_hides),
        cmocka_unit_test(derivatives_and_quotients),
        cmocka_unit_test(a_wide_coefficient_takes_from_the_proof),
        cmocka_unit_test(rates_and_a_cost_bound_the_box),
        cmocka_unit_test(an_impact_is_a_guard),
        cmocka_unit_test(least_time_of_a_double_integrator),
        cmocka_unit_test(least_time_with_a_switch),
        cmocka_unit_test(dry_friction_sticks),
        cmocka_unit_test(sliding_costs_what_it_costs),
        cmocka_unit_test(friction_under_a_load),
        cmocka_unit_test(functions_of_time),
        cmocka_unit_test(functions_of_a_state_lie_on_a_circle),
        cmocka_unit_test(parameters_are_constant_states),
        cmocka_unit_test(what_cannot_be_reached_is_proved_infeasible),
        cmocka_unit_test(the_proof_is_made_again),
        cmocka_unit_test(a_certificate_is_of_its_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
