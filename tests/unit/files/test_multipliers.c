/* test_multipliers.c - transcription/report/program_values.h: multipliers are what bounds cost
 *
 * A mass falls 1 m while it is pushed, lands with friction, slides on to a goal. The bound of its control, a
 * constraint on its speed, the goal and the speed at the start are active; each is moved by +- d, and the problem
 * solved again. Differences are central, so that they are off by d^2: 1e-6 relative.
 */
#include "tests/unit/phase_problem.h"

#include "transcription/report/program_values.h"

#include <stdio.h>
#include <string.h>

struct bounds { double goal, push, speed, start; };

static const struct bounds nominal = { 4, 9, 3.5, 0.1 };

struct solved { struct phase_problem problem; struct finish finish; };

static struct solved solve(const struct bounds *bounds)
{
    char spec[1500];
    static const double hit[1] = { 0.4515 };
    snprintf(spec, sizeof spec,
             "cocp: 1\n"
             "time: {horizon: 2, intervals: 8}\n"
             "states: {x: {initial: 0, final: %.15g}, z: {initial: 1}, vx: {initial: %.15g}, vz: {initial: 0}}\n"
             "controls: {u: {bounds: [-20, %.15g], guess: 8}}\n"
             "dynamics: {type: mechanical, coordinates: {x: vx, z: vz}, mass: {diag: [1, 1]}, force: {x: u, z: -9.81}}\n"
             "contacts: {floor: {gap: z, tangent: x, friction: 0.6}}\n"
             "constraints: {slow: {expr: vx <= %.15g, at: stages}}\n"
             "cost: {running: {effort: 0.1*u^2, hurry: (5 - x)^2}}\n"
             "discretization: {method: fesd-j}\n", bounds->goal, bounds->start, bounds->push, bounds->speed);
    struct solved out = { .problem = phase_read(spec, 3, 1) };
    out.finish = phase_solve(&out.problem, "o 1.5!+ +", hit);
    return out;
}

static void solved_free(struct solved *solved)
{
    finish_free(&solved->finish);
    phase_free(&solved->problem);
}

static double objective(struct bounds bounds)
{
    struct solved solved = solve(&bounds);
    const double f = solved.finish.objective;
    solved_free(&solved);
    return f;
}

/* Sum of the multipliers of all rows (or bounds of variables) called so; `upper`: positive ones only. */
static double sum_of(const struct result *result, const char *path, const char *name, bool upper)
{
    const struct result_data *names = result_data_of(result, "/residuals", "name");
    const struct result_data *constraint = result_data_of(result, path, "constraint");
    const struct result_data *multiplier = result_data_of(result, path, "multiplier");
    assert_non_null(names);
    assert_non_null(constraint);
    assert_non_null(multiplier);
    double sum = 0;
    for (int k = 0; k < constraint->n; k++)
        if (strcmp(names->text[constraint->i[k]], name) == 0 && (!upper || multiplier->d[k] > 0))
            sum += multiplier->d[k];
    return sum;
}

/* Of a state where the horizon begins: a variable that is fixed. */
static double sum_of_start(const struct result *result, const char *name)
{
    const struct result_data *names = result_data_of(result, "/residuals", "name");
    const struct result_data *constraint = result_data_of(result, "/grid/variables", "constraint");
    const struct result_data *stage = result_data_of(result, "/grid/variables", "stage");
    for (int k = 0; k < constraint->n; k++)
        if (stage->i[k] == 0 && strcmp(names->text[constraint->i[k]], name) == 0)
            return result_data_of(result, "/grid/variables", "multiplier")->d[k];
    return NAN;
}

static void a_bound_that_is_raised_changes_the_objective_by_minus_its_multiplier(void **state)
{
    (void)state;
    enum { GOAL, PUSH, SPEED, START, N };
    static const double d = 1e-3;
    struct solved solved = solve(&nominal);
    struct result *result = result_create();
    program_values_write(&solved.finish, result);
    const double multiplier[N] = {
        [GOAL] = sum_of(result, "/grid/rows", "final value of x", false),
        [PUSH] = sum_of(result, "/grid/variables", "u", true),
        [SPEED] = sum_of(result, "/grid/rows", "slow", true),
        [START] = sum_of_start(result, "vx"),
    };
    for (int k = 0; k < N; k++) {
        const struct bounds more = { nominal.goal + (k == GOAL) * d, nominal.push + (k == PUSH) * d,
                                     nominal.speed + (k == SPEED) * d, nominal.start + (k == START) * d };
        const struct bounds less = { nominal.goal - (k == GOAL) * d, nominal.push - (k == PUSH) * d,
                                     nominal.speed - (k == SPEED) * d, nominal.start - (k == START) * d };
        const double rate = (objective(more) - objective(less)) / (2 * d);
        assert_true(fabs(rate) > 1e-2);         /* it is active */
        assert_near(-multiplier[k], rate, 1e-4 * fabs(rate));
    }
    result_free(result);
    solved_free(&solved);
}

/* Every row and variable is there, and gradient f + sum of multiplier times gradient of its row or variable is 0. */
static void the_gradient_of_the_lagrangian_is_zero(void **state)
{
    (void)state;
    struct solved solved = solve(&nominal);
    struct result *result = result_create();
    program_values_write(&solved.finish, result);
    const struct nlp *nlp = &solved.finish.ph->mpcc.nlp;
    const struct result_data *lambda = result_data_of(result, "/grid/rows", "multiplier");
    const struct result_data *z = result_data_of(result, "/grid/variables", "multiplier");
    const struct result_data *w = result_data_of(result, "/grid/variables", "value");
    assert_int_equal(lambda->n, nlp->n_g);
    assert_int_equal(z->n, nlp->n_w);
    double *gradient = test_calloc((size_t)nlp->n_w, sizeof *gradient);
    double *jac = test_calloc((size_t)nlp->jac.nnz, sizeof *jac);
    assert_true(nlp->eval_grad(nlp->user, w->d, true, gradient));
    assert_true(nlp->eval_jac(nlp->user, w->d, false, jac));
    for (int k = 0; k < nlp->n_w; k++) {
        double sum = gradient[k] + z->d[k];
        for (int e = nlp->jac.colptr[k]; e < nlp->jac.colptr[k + 1]; e++)
            sum += jac[e] * lambda->d[nlp->jac.rowind[e]];
        assert_near(sum, 0, 1e-7);
    }
    test_free(gradient);
    test_free(jac);
    result_free(result);
    solved_free(&solved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bound_that_is_raised_changes_the_objective_by_minus_its_multiplier),
        cmocka_unit_test(the_gradient_of_the_lagrangian_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
