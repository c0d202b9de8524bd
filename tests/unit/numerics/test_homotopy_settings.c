#include "core/mpcc/settings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Numbers as they stand; expressions of parameters are the model's business. */
static enum status plain_number(void *user, const struct spec_node *node, double *out, struct diag *diag)
{
    (void)user;
    char *end = NULL;
    *out = strtod(node->text, &end);
    return *end == '\0' ? STATUS_OK : spec_error(diag, node, "not a number");
}

struct fixture {
    struct spec *spec;
    struct diag *diag;
    struct homotopy_settings homotopy;
    struct solver_settings solver;
};

static enum status read_text(struct fixture *fixture, const char *text)
{
    const struct setting_eval eval = { NULL, plain_number };
    fixture->diag = diag_create();
    assert_int_equal(spec_read_text("test.yaml", text, 0, NULL, &fixture->spec, fixture->diag), STATUS_OK);
    const struct spec_node *root = spec_root(fixture->spec);
    const enum status st = homotopy_settings_read(spec_get(root, "homotopy"), &eval, &fixture->homotopy,
                                                  fixture->diag);
    const enum status st_solver = solver_settings_read(spec_get(root, "solver"), &fixture->solver, fixture->diag);
    return st != STATUS_OK ? st : st_solver;
}

static void fixture_free(struct fixture *fixture)
{
    homotopy_settings_free(&fixture->homotopy);
    solver_settings_free(&fixture->solver);
    spec_free(fixture->spec);
    diag_free(fixture->diag);
}

/* README.md "The spec"; sigma_0 and the slope follow the method's recipe. */
static void defaults_are_those_of_the_interface(void **state)
{
    (void)state;
    struct fixture fixture;
    assert_int_equal(read_text(&fixture, "title: x\n"), STATUS_OK);
    const struct homotopy_settings *s = &fixture.homotopy;
    assert_int_equal(s->relaxation, RELAX_SCHOLTES);
    assert_int_equal(s->elastic, ELASTIC_NONE);
    assert_true(isnan(s->sigma_0) && isnan(s->update_slope) && isnan(s->restarts));
    assert_true(s->sigma_N == 1e-9 && s->comp_tol == 1e-7);
    assert_int_equal(s->sigma.n, 0);
    assert_int_equal(s->seed, 1);
    assert_int_equal(fixture.solver.n_option, 0);
    fixture_free(&fixture);
}

static void keys_are_read(void **state)
{
    (void)state;
    struct fixture fixture;
    assert_int_equal(read_text(&fixture, "homotopy: {relaxation: fischer-burmeister, elastic: linf, sigma_0: 0.5,\n"
                                         "  update_slope: 0.2, schedule: superlinear, polish: off, restarts: 2}\n"
                                         "solver: {ipopt: {max_iter: 3000, linear_solver: mumps}}\n"), STATUS_OK);
    const struct homotopy_settings *s = &fixture.homotopy;
    assert_int_equal(s->relaxation, RELAX_FISCHER_BURMEISTER);
    assert_int_equal(s->elastic, ELASTIC_LINF);
    assert_int_equal(s->schedule, SCHEDULE_SUPERLINEAR);
    assert_int_equal(s->polish, POLISH_OFF);
    assert_true(s->sigma_0 == 0.5 && s->update_slope == 0.2 && s->restarts == 2.0);
    assert_int_equal(fixture.solver.n_option, 2);
    assert_int_equal(fixture.solver.n_linear, 1);
    assert_string_equal(fixture.solver.option[1].name, "max_iter");
    assert_string_equal(fixture.solver.option[1].value, "3000");
    fixture_free(&fixture);
}

static void options_of_the_linear_solver_come_first(void **state)
{
    (void)state;
    struct fixture fixture;
    assert_int_equal(read_text(&fixture, "solver: {ipopt: {tol: 1e-8, linear_solver: mumps, max_iter: 9, mumps_mem_percent: 50}}\n"),
                     STATUS_OK);
    static const char *const names[] = { "linear_solver", "mumps_mem_percent", "tol", "max_iter" };
    assert_int_equal(fixture.solver.n_option, 4);
    assert_int_equal(fixture.solver.n_linear, 2);
    for (int k = 0; k < 4; k++)
        assert_string_equal(fixture.solver.option[k].name, names[k]);
    fixture_free(&fixture);
}

static void refuses(const char *text, const char *message)
{
    struct fixture fixture;
    assert_int_equal(read_text(&fixture, text), STATUS_SPEC);
    assert_int_equal(diag_n_errors(fixture.diag), 1);
    assert_non_null(strstr(diag_line(fixture.diag, 0), message));
    fixture_free(&fixture);
}

static void mistakes_have_a_position(void **state)
{
    (void)state;
    refuses("homotopy: {sigma: [1, 0.1, 0.2]}\n", "test.yaml:1:19: error: homotopy.sigma: must decrease");
    refuses("homotopy: {sigma_0: 1e-10}\n", "homotopy.sigma_0: must be at least sigma_N");
    refuses("homotopy: {restarts: 1.5}\n", "homotopy.restarts: must be a whole number");
    refuses("homotopy: {update_slope: 1}\n", "homotopy.update_slope");
    refuses("solver: {ipopt: {max_itr: 10}}\n", "test.yaml:1:");
    refuses("solver: {ipopt: {linear_solver: ma00}}\n", "must be one of: auto");
    refuses("solver: {knitro: {}}\n", "knitro");
    refuses("solver: {ipopt: 3}\n", "expected a mapping of IPOPT's options");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_interface),
        cmocka_unit_test(keys_are_read), cmocka_unit_test(options_of_the_linear_solver_come_first),
        cmocka_unit_test(mistakes_have_a_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
