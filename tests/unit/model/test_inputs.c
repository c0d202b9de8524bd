/* Functions of a point, numbers among them, against closed forms: a point at a time, and many ahead. */
#include "core/model/inputs.h"

#include "core/base/mem.h"

#include "tests/unit/assertions.h"
#include "tests/unit/small_problem.h"

#include <string.h>

enum { N_OUT = 5, N_MOVING = 2, N_POINT = 2 * AHEAD_BLOCK + 3 };

static const char spec[] = "cocp: 1\ntime: {horizon: 1, intervals: 1}\n"
                           "states: {x: {initial: 0}}\ncontrols: {u: {bounds: [-1, 1]}}\n"
                           "dynamics: {type: ode, rhs: {x: u}}\ncost: {terminal: {end: x^2}}\n";

/* 3, x^2, 0, x u, -1.5, or the two of them that are no numbers. */
static struct function make_function(const struct model *m, bool has_numbers)
{
    struct expr_graph *g = m->graph;
    const expr moving[N_MOVING] = { expr_square(g, m->x_sym[0]), expr_mul(g, m->x_sym[0], m->u_sym[0]) };
    const expr all[N_OUT] = { expr_const(g, 3), moving[0], expr_const(g, 0), moving[1], expr_const(g, -1.5) };
    return function_create(m, NULL, has_numbers ? N_OUT : N_MOVING, has_numbers ? all : moving);
}

static void check_values(const double *is, bool has_numbers, double x, double u)
{
    const double all[N_OUT] = { 3, x * x, 0, x * u, -1.5 }, moving[N_MOVING] = { x * x, x * u };
    for (int k = 0; k < (has_numbers ? N_OUT : N_MOVING); k++)
        assert_near(is[k], has_numbers ? all[k] : moving[k], 1e-15);
}

static void check_points(bool has_numbers)
{
    struct small_problem problem = small_read(spec);
    struct function f = make_function(problem.model, has_numbers);
    const int n_in = f.inputs.n;
    double point[N_POINT][2] = { { 0 } }, *points = mem_alloc((size_t)(N_POINT * n_in), sizeof *points);
    for (int p = 0; p < N_POINT; p++) {
        point[p][0] = 0.1 * p - 1;
        point[p][1] = cos(p);
        inputs_set(&f.inputs, 0, &point[p][0], &point[p][1]);
        memcpy(points + p * n_in, f.inputs.value, (size_t)n_in * sizeof *points);
        check_values(function_values(&f), has_numbers, point[p][0], point[p][1]);
    }
    assert_int_equal(f.n_eval, N_POINT);
    function_ahead(&f, N_POINT, points);
    for (int p = 0; p < N_POINT; p++)
        check_values(function_eval(&f, 0, &point[p][0], &point[p][1]), has_numbers, point[p][0], point[p][1]);
    free(points);
    function_free(&f);
    small_free(&problem);
}

static void values_with_numbers_among_them(void **state)
{
    (void)state;
    check_points(true);
}

static void values_without_numbers(void **state)
{
    (void)state;
    check_points(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_with_numbers_among_them),
        cmocka_unit_test(values_without_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
