/* test_multiphase_mesh.c - errors of elements against quadrature in closed form, elements divided where they
 * are */
#include "tests/unit/phase_problem.h"

#include "transcription/finish/checks/local_error.h"
#include "transcription/multiphase/mesh.h"

static const double steep = 300, middle = 0.37;

/* A front 1/300 s wide: x(t) = atan(300 (t - 0.37)) + atan(111). Its clock is a state. */
static const char front[] =
    "cocp: 1\n"
    "time: {horizon: 1, intervals: 2, elements: 1}\n"
    "states: {x: {initial: 0}}\n"
    "dynamics: {type: ode, rhs: {x: 300/(1 + (300*(t - 0.37))^2)}}\n";

static double exact(double t)
{
    return atan(steep * (t - middle)) + atan(steep * middle);
}

static double element_start(const struct finish *one, int e)
{
    const struct phases *ph = one->ph;
    return 0.5 * ph->piece_of[e] + 0.5 * ph->from[e];           /* every piece is an interval */
}

static double x_at(const struct finish *one, int e)
{
    return one->w[phases_left(one->ph, e)[0]];
}

static struct finish solve_equal(struct phase_problem *problem, int elements)
{
    problem->task.grid.elements = elements;
    return phase_solve(problem, "", NULL);
}

/* What a step of Radau IIA makes of an integrand is a quadrature: its error is that of the formula, exactly. */
static void errors_of_elements_are_those_of_the_quadrature(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(front, 3, 8);
    struct finish out = solve_equal(&problem, 8);
    const double scale = x_at(&out, out.ph->n_element);         /* it only grows */
    double error[16];
    local_errors(out.ph, out.w, error);
    for (int e = 0; e < out.ph->n_element; e++) {
        const double t = element_start(&out, e), end = t + phases_element_length(out.ph, out.w, e);
        const double off = fabs(x_at(&out, e + 1) - x_at(&out, e) - (exact(end) - exact(t))) / scale;
        if (off > 1e-7)                         /* in between they are weighted down, but there may be all there is */
            assert_true(error[e] >= off * (1 - 1e-3) && error[e] < 10 * off + 0.1);
        else
            assert_true(error[e] < 1e-4);
    }
    finish_free(&out);
    phase_free(&problem);
}

/* Where the motion leaves what a formula is for, there is no value, though the clock goes on. */
static void a_motion_without_numbers_has_no_error(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read("cocp: 1\ntime: {horizon: 1, intervals: 2, elements: 1}\n"
                                              "states: {x: {initial: 1}}\n"
                                              "dynamics: {type: ode, rhs: {x: sqrt(x) + 0.1*t}}\n", 3, 8);
    struct finish out = solve_equal(&problem, 8);
    double error[16];
    out.w[phases_left(out.ph, 3)[0]] = -1;
    local_errors(out.ph, out.w, error);
    for (int e = 0; e < out.ph->n_element; e++)
        assert_true(isfinite(error[e]) == (e != 3));
    finish_free(&out);
    phase_free(&problem);
}

static struct finish divide(struct phase_problem *problem, const struct finish *from, double tol)
{
    struct arena mem = { NULL };
    struct finish out;
    double error[1000];
    int parts[1000];
    struct finish_task task = problem->task;
    local_errors(from->ph, from->w, error);
    task.grid.n_end = 0;
    for (int e = 0; e < from->ph->n_element; e++) {
        parts[e] = error[e] > tol ? 2 : 1;
        task.grid.n_end += parts[e];
    }
    task.grid.end = mesh_split(from->ph, parts, &mem);
    if (finish_again(&task, from, 50, &out, problem->small.diag) != STATUS_OK || !out.solved)
        fail_msg("not solved on its mesh");
    assert_int_equal(out.ph->n_element, task.grid.n_end);
    arena_free(&mem);
    return out;
}

/* To the same error at the end, elements that are divided where their own error is are a third of those that are all
 * halved. */
static void dividing_takes_fewer_elements_than_doubling(void **state)
{
    (void)state;
    const double tol = 1e-8;
    struct phase_problem problem = phase_read(front, 3, 2);
    struct finish one = solve_equal(&problem, 2), equal;
    for (int round = 0; round < 20; round++) {
        struct finish next = divide(&problem, &one, 0.1 * tol);
        const bool same = next.ph->n_element == one.ph->n_element;
        finish_free(&one);
        one = next;
        if (same)
            break;
    }
    const int n = one.ph->n_element;
    assert_near(x_at(&one, n), exact(1), tol * exact(1));
    int elements = 2;
    for (bool reached = false; !reached; elements *= 2) {
        equal = solve_equal(&problem, elements);
        reached = fabs(x_at(&equal, equal.ph->n_element) - exact(1)) <= tol * exact(1);
        if (reached)
            assert_true(3 * n <= equal.ph->n_element);
        finish_free(&equal);
    }
    finish_free(&one);
    phase_free(&problem);
}

/* Halves of an element carry the same polynomials, and checked points move to the half in which they lie. */
static void a_solution_is_carried_over_exactly(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(front, 4, 3);
    struct finish from = solve_equal(&problem, 3);
    struct arena mem = { NULL };
    const int parts[6] = { 1, 3, 2, 1, 1, 4 };
    struct phase_check check[2] = { { 1, 0.5, -1, 0 }, { 5, 0.8, -1, 0 } };
    struct phase_grid grid = problem.task.grid;
    struct phases *to;
    grid.n_end = 12;
    grid.end = mesh_split(from.ph, parts, &mem);
    if (phases_create(problem.sys, from.ph->seq, &grid, from.ph->guess.end, &to, problem.small.diag) != STATUS_OK)
        small_fail(&problem.small);
    double *w = arena_alloc(&mem, (size_t)to->mpcc.nlp.n_w, sizeof *w), a, b, none[3];
    mesh_transfer(from.ph, from.w, to, w);
    for (int k = 0; k <= 100; k++) {
        phase_trace_at(from.ph, from.w, 0.01 * k, &a, none);
        phase_trace_at(to, w, 0.01 * k, &b, none);
        assert_near(a, b, 1e-12);
    }
    mesh_move_checks(parts, 2, check);
    assert_int_equal(check[0].element, 2);      /* elements 1, 2, 3 are parts of what was 1; 8 to 11 of 5 */
    assert_near(check[0].c, 0.5, 1e-15);
    assert_int_equal(check[1].element, 11);
    assert_near(check[1].c, 0.2, 1e-14);
    phases_free(to);
    arena_free(&mem);
    finish_free(&from);
    phase_free(&problem);
}

/* Ends that another sequence's pieces ask for are not taken. */
static void a_mesh_of_other_pieces_is_of_no_use(void **state)
{
    (void)state;
    struct phase_problem problem = phase_read(front, 2, 1);
    static const double end[] = { 0.5, 1 };     /* two intervals, one piece */
    problem.task.grid.n_end = 2;
    problem.task.grid.end = end;
    struct finish out = solve_equal(&problem, 3);
    assert_int_equal(out.ph->n_element, 6);
    assert_int_equal(out.ph->grid.n_end, 0);
    finish_free(&out);
    phase_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_elements_are_those_of_the_quadrature),
        cmocka_unit_test(a_motion_without_numbers_has_no_error),
        cmocka_unit_test(dividing_takes_fewer_elements_than_doubling),
        cmocka_unit_test(a_solution_is_carried_over_exactly),
        cmocka_unit_test(a_mesh_of_other_pieces_is_of_no_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
