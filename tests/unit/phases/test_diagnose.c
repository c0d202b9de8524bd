/* Which condition of an infeasible problem cannot be met, against closed forms of a cart that is driven from rest to rest. */
#include "tests/unit/assertions.h"
#include "tests/unit/small_problem.h"

#include "transcription/diagnose/diagnose.h"
#include "transcription/diagnose/elastic.h"
#include "transcription/finish/settings.h"

#include <math.h>
#include <string.h>

/* Of slack: what programs that are solved to 1e-8 leave of it beside the price of controls, 1e-4 of which is theirs. */
static const double close = 1e-3;

#define CART(x, more, u) \
    "cocp: 1\ntime: {horizon: 1, intervals: 10}\n" \
    "states:\n  x: {units: m, initial: 0, " x "}\n  v: {initial: 0, final: 0}\n" more \
    "controls: {u: {bounds: " u "}}\n" \
    "dynamics: {type: ode, rhs: {x: v, v: u}}\n" \
    "cost: {running: {effort: u^2}}\n"

static struct diagnosis diagnose_it(const struct small_problem *small, double max_seconds)
{
    struct solver_settings solver = { .n_option = 0 };
    struct finish_settings settings;
    struct diagnosis out;
    const struct setting_eval eval = { .number = NULL };
    assert_int_equal(finish_settings_read(NULL, &eval, &settings, small->diag), STATUS_OK);
    const struct solve_task task = { .model = small->model, .discretization = &small->settings, .homotopy = &small->homotopy,
                                     .solver = &solver, .max_seconds = max_seconds, .jobs = 1 };
    diagnose(&task, &settings, 60, &out);
    return out;
}

static const struct diagnosis_item *item_of(const struct diagnosis *d, const char *path)
{
    for (int k = 0; k < d->n; k++)
        if (strcmp(d->item[k].condition->row.path, path) == 0)
            return &d->item[k];
    return NULL;
}

/* Each with its path and line; no row of what the system is. */
static void conditions_are_those_of_the_spec(void **state)
{
    (void)state;
    static const struct { const char *path; int line; } all[] = {
        { "states.x.final", 4 }, { "states.x.bounds", 4 }, { "states.y.initial", 5 }, { "controls.u.bounds", 6 },
        { "parameters.k.optimize", 2 }, { "constraints.c", 10 }, { "time.horizon", 8 }
    };
    struct small_problem small = small_read(
        "cocp: 1\nparameters: {k: {value: 1, optimize: [0, 2]}}\nstates:\n  x: {initial: 0, final: 1, bounds: [0, 3]}\n"
        "  y: {initial: [0, 1]}\ncontrols: {u: {bounds: [-1, 1]}}\ndynamics: {type: ode, rhs: {x: u, y: k}}\n"
        "time: {horizon: 2, unit: h, intervals: 2}\nconstraints:\n  c: {expr: x + y <= 2, at: path}\n");
    struct arena mem = { NULL };
    int n;
    const struct condition *c = conditions_list(small.model, &mem, &n);
    assert_int_equal(n, sizeof all / sizeof *all);
    for (int k = 0; k < n; k++) {
        assert_string_equal(c[k].row.path, all[k].path);
        assert_int_equal(c[k].row.pos.line, all[k].line);
    }
    assert_string_equal(c[n - 1].units, "h");
    arena_free(&mem);
    small_free(&small);
}

/* 1 m in 1 s takes 4 N; 3 N are good for 3/4 m, or need 2/sqrt(3) s. */
static void each_that_would_do_alone_is_named(void **state)
{
    (void)state;
    struct small_problem small = small_read(CART("final: 1", "", "[-3, 3]"));
    struct diagnosis d = diagnose_it(&small, 120);
    assert_int_equal(d.verdict, DIAGNOSIS_EITHER);
    assert_non_null(item_of(&d, "states.x.final"));
    assert_near(item_of(&d, "states.x.final")->below, 0.25, close);
    assert_non_null(item_of(&d, "controls.u.bounds"));
    assert_near(item_of(&d, "controls.u.bounds")->above, 1, close);
    assert_near(item_of(&d, "controls.u.bounds")->below, 1, close);
    assert_non_null(item_of(&d, "time.horizon"));
    assert_near(item_of(&d, "time.horizon")->above, 2 / sqrt(3) - 1, close);
    diagnosis_free(&d);
    small_free(&small);
}

/* Both are at 1 after 1 s; none is enough alone, nor is a longer time, which suits one of them. */
static void what_has_to_give_way_together_is_named_together(void **state)
{
    (void)state;
    struct small_problem small = small_read(
        "cocp: 1\ntime: {horizon: 1, intervals: 4}\nstates: {x: {initial: 0, final: 2}, y: {initial: 0, final: 3}}\n"
        "controls: {u: {bounds: [-1, 1]}}\ndynamics: {type: ode, rhs: {x: 1 + 0*u, y: 1}}\n");
    struct diagnosis d = diagnose_it(&small, 120);
    assert_int_equal(d.verdict, DIAGNOSIS_TOGETHER);
    assert_int_equal(d.n, 2);
    assert_near(item_of(&d, "states.x.final")->below, 1, close);
    assert_near(item_of(&d, "states.y.final")->below, 2, close);
    assert_non_null(strstr(diagnosis_text(&d), "where the least gives way"));
    diagnosis_free(&d);
    small_free(&small);
}

/* 4 N are enough: nothing has to give way. Without time nothing is known. */
static void what_can_be_met_is_not_blamed(void **state)
{
    (void)state;
    struct small_problem small = small_read(CART("final: 1", "", "[-5, 5]"));
    struct diagnosis d = diagnose_it(&small, 120);
    assert_int_equal(d.verdict, DIAGNOSIS_MET);
    assert_int_equal(d.n, 0);
    diagnosis_free(&d);
    d = diagnose_it(&small, 60);
    assert_int_equal(d.verdict, DIAGNOSIS_OPEN);
    diagnosis_free(&d);
    small_free(&small);
}

/* A condition that keeps its weight at infinity stays as it is; the others have a parameter for each side, beside their rows. */
static void what_is_hard_stays(void **state)
{
    (void)state;
    struct small_problem small = small_read(CART("final: 1, bounds: [0, 2]", "", "[-3, 3]"));
    struct arena mem = { NULL };
    int n;
    const struct condition *c = conditions_list(small.model, &mem, &n);
    double *weight = arena_alloc(&mem, (size_t)n, sizeof *weight);
    for (int k = 0; k < n; k++)
        weight[k] = c[k].kind == CONDITION_STATE ? 1 : INFINITY;
    struct elastic elastic = elastic_create(small.model, n, c, weight);
    assert_int_equal(elastic.model->n_p, 2);
    assert_int_equal(elastic.model->constraints.n_constraint, 2);
    assert_true(elastic.model->x[0].lb < 0 && elastic.model->x[0].ub > 2);
    assert_int_equal(elastic.model->x[0].final.kind, END_FIXED);
    assert_true(elastic.model->u[0].ub == 3 && small.model->x[0].ub == 2 && small.model->n_p == 0);
    elastic_free(&elastic);
    arena_free(&mem);
    small_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_are_those_of_the_spec),
        cmocka_unit_test(each_that_would_do_alone_is_named),
        cmocka_unit_test(what_has_to_give_way_together_is_named_together),
        cmocka_unit_test(what_can_be_met_is_not_blamed),
        cmocka_unit_test(what_is_hard_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
