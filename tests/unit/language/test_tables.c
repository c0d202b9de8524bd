/* core/model/tables.h and core/model/define/tables.c: tables as expressions. What splines are is from SciPy
 * (tests/unit/language/tables_by_scipy.py prints the numbers), lines are interpolated here. */
#include "core/model/tables.h"

#include "core/expression/diff.h"
#include "core/expression/ranges.h"
#include "core/expression/tape.h"
#include "tests/unit/assertions.h"
#include "tests/unit/read_spec.h"

#include <math.h>

struct fixture { struct diag *diag; struct spec *spec; struct model *m; };

/* A model of states x and y whose rate of x is the formula. */
static struct fixture read_formula(const char *tables, const char *formula, enum model_need need)
{
    struct fixture f = { diag_create(), NULL, NULL };
    char text[4000];
    snprintf(text, sizeof text, "cocp: 1\ntables:\n%s\ntime: {horizon: 1, intervals: 2}\n"
             "states: {x: {initial: 0.5}, y: {initial: 0}}\ndynamics: {type: ode, rhs: {x: \"%s\", y: 0}}\n", tables, formula);
    read_spec(text, need, f.diag, &f.spec, &f.m);
    return f;
}

static void fixture_free(struct fixture *f)
{
    model_free(f->m);
    spec_free(f->spec);
    diag_free(f->diag);
}

static double at(const struct fixture *f, expr e, double x, double y)
{
    return expr_eval(f->m->graph, e, 2, f->m->x_sym, (double[]){ x, y });
}

static const char drag[] = "  drag: {of: mach, at: [0, 0.4, 0.8, 0.9, 1.0, 1.2, 1.4, 1.6, 1.8], "
                           "values: [0.013, 0.013, 0.013, 0.014, 0.031, 0.041, 0.039, 0.036, 0.035]%s}";
static const char grid[] = "  f: {of: [a, b], at: [[0, 0.5, 1.2, 2, 2.5], [-1, 0, 0.3, 1, 2, 2.2]], values: [\n"
                           "    [0, 1, 1.3, 2, 3, 3.2],\n    [0.128, 1.25, 1.539, 2.128, 2.79, 2.904],\n"
                           "    [0.802, 2.44, 2.676, 2.802, 2.703, 2.763],\n    [2.584, 5, 5.125, 4.584, 5.346, 5.893],\n"
                           "    [4.449, 7.25, 7.282, 6.449, 8.534, 9.159]]%s}";

static const char *with(const char *table, const char *more, char *text, size_t size)
{
    const char *place = strstr(table, "%s");
    snprintf(text, size, "%.*s%s%s", (int)(place - table), table, more, place + 2);
    return text;
}

static void splines_are_those_of_scipy(void **state)
{
    static const struct { double s, of[3]; } expected[] = {
        { 0.05, { 0.0117558952591864, -0.0196687035214348, 0.199056758530184 } },
        { 0.62, { 0.0153272578740157, 0.00140287620297463, -0.125121391076116 } },
        { 0.97, { 0.0255868900918635, 0.191879122922135, -0.3080905511811 } },
        { 1.3, { 0.0401638779527559, -0.00979932195975505, -0.0327755905511811 } },
        { 1.75, { 0.0348550894028871, -0.000327127077865235, 0.12111220472441 } },
    };
    static const char *const outside[] = { "", ", outside: linear" };
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[1000];
        struct fixture f = read_formula(with(drag, outside[k], text, sizeof text), "drag(2*x)", MODEL_FOR_SOLVE);
        expr d[3] = { f.m->dynamics.rhs[0] };
        for (int i = 0; i < 2; i++)
            expr_gradient(f.m->graph, d[i], 1, f.m->x_sym, &d[i + 1]);
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
            for (int order = 0; order < 3; order++)
                assert_near(at(&f, d[order], expected[i].s / 2, 0), pow(2, order) * expected[i].of[order], 1e-12);
        fixture_free(&f);
    }
}

static void bicubic_splines_are_those_of_scipy(void **state)
{
    static const struct { double a, b, of[6]; } expected[] = {
        { 0.1, -0.9, { 0.107502623395279, 0.128259502960017, 1.00333383680257, 1.08227527141306, 0.144688142874877, 0.00284236984283036 } },
        { 0.7, 0.2, { 1.68031964364784, 1.37186571649705, 0.903596086710828, 1.96013674547631, -0.276057553623991, -0.480879168020607 } },
        { 1.9, 1.5, { 4.22451395923588, 3.42016114652966, 0.478995029194863, 4.03015745472478, 2.18762092087924, 2.71699385881554 } },
        { 2.4, 2.1, { 8.13386993254593, 7.02187007585053, 3.25840439774846, 3.07580527922271, -0.597885893611874, 0.703139893823258 } },
        { 1.2, 0.3, { 2.676, 2.29367983878866, 0.575110614098544, 1.91376707116413, -0.709279390256586, -1.43359601318221 } },
    };
    char text[1000];
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct fixture f =
            read_formula(with(grid, k ? ", outside: linear" : "", text, sizeof text), "f(x, y)", MODEL_FOR_SOLVE);
        expr d[6] = { f.m->dynamics.rhs[0] }, mixed[2];
        expr_gradient(f.m->graph, d[0], 2, f.m->x_sym, &d[1]);
        expr_gradient(f.m->graph, d[1], 2, f.m->x_sym, &d[3]);
        expr_gradient(f.m->graph, d[2], 2, f.m->x_sym, mixed);
        d[5] = mixed[1];
        assert_int_equal(mixed[0], d[4]);
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
            for (int j = 0; j < 6; j++)
                assert_near(at(&f, d[j], expected[i].a, expected[i].b), expected[i].of[j], 1e-11);
        fixture_free(&f);
    }
}

/* The tape has an instruction of its own for it, and agrees to the last bit, whatever the number of points. */
static void a_tape_has_the_same_values(void **state)
{
    enum { N = 45 };
    char text[1000];
    double in[2 * N], out[N];
    (void)state;
    struct fixture f = read_formula(with(grid, "", text, sizeof text), "f(x, y)", MODEL_FOR_SOLVE);
    struct tape *tape = tape_create(f.m->graph, 2, f.m->x_sym, 1, &f.m->dynamics.rhs[0]);
    double *work = malloc(tape_work_size(tape) * sizeof *work);
    for (int i = 0; i < N; i++) {
        in[i] = -0.5 + 3.5 * i / N;
        in[N + i] = 2.5 - 0.08 * i;
    }
    tape_eval(tape, N, in, N, out, N, work);
    for (int i = 0; i < N; i++)
        assert_true(out[i] == at(&f, f.m->dynamics.rhs[0], in[i], in[N + i]));
    free(work);
    tape_free(tape);
    fixture_free(&f);
}

/* Beyond the end of a line: by how much, from the last slope there; constant; with refuse the cubic for one more piece. */
static void beyond_its_axes_it_is_as_told(void **state)
{
    char text[1000];
    (void)state;
    struct fixture f = read_formula(with(grid, ", outside: linear", text, sizeof text), "f(x, y)", MODEL_FOR_SOLVE);
    const expr e = f.m->dynamics.rhs[0];
    expr d[2];
    expr_gradient(f.m->graph, e, 2, f.m->x_sym, d);
    assert_near(at(&f, e, 4.5, 1.5), at(&f, e, 2.5, 1.5) + 2 * at(&f, d[0], 2.5, 1.5), 1e-11);
    assert_near(at(&f, e, 1.5, -3), at(&f, e, 1.5, -1) - 2 * at(&f, d[1], 1.5, -1), 1e-11);
    assert_near(at(&f, d[0], 7, 1.5), at(&f, d[0], 2.5, 1.5), 1e-11);
    fixture_free(&f);

    f = read_formula("  s: {of: a, at: [0, 1, 3, 4], values: [0, 1, 27, 64]}", "s(x)", MODEL_FOR_SOLVE);
    assert_near(at(&f, f.m->dynamics.rhs[0], 4.5, 0), pow(4.5, 3), 1e-11);
    assert_near(at(&f, f.m->dynamics.rhs[0], -0.5, 0), pow(-0.5, 3), 1e-11);
    assert_near(at(&f, f.m->dynamics.rhs[0], 7, 0), 125 + 75 * 2, 1e-9);
    fixture_free(&f);

    f = read_formula("  s: {of: [a, b], at: [[0, 1, 3, 4], [0, 1, 2, 4]], outside: constant, values: [[0, 0, 0, 0], [0, 1, 8, 64], "
                     "[0, 3, 24, 192], [0, 4, 32, 256]]}", "s(x, y)", MODEL_FOR_SOLVE);
    assert_near(at(&f, f.m->dynamics.rhs[0], 2, 3), 54, 1e-11);
    assert_near(at(&f, f.m->dynamics.rhs[0], 5, 7), 256, 1e-11);
    assert_near(at(&f, f.m->dynamics.rhs[0], 2, -1), 0, 1e-11);
    fixture_free(&f);
}

/* Between four points, weights that sum to 1. */
static double bilinear(double a, double b)
{
    static const double at_a[] = { 0, 1, 3, 4 }, at_b[] = { -1, 0, 2 };
    static const double z[4][3] = { { 1, 5, 2 }, { 0, -3, 4 }, { 2, 2, 7 }, { 9, 1, 1 } };
    int i = 0, j = 0;
    while (i < 2 && a > at_a[i + 1]) i++;
    while (j < 1 && b > at_b[j + 1]) j++;
    const double p = (a - at_a[i]) / (at_a[i + 1] - at_a[i]), q = (b - at_b[j]) / (at_b[j + 1] - at_b[j]);
    return (1 - p) * ((1 - q) * z[i][j] + q * z[i][j + 1]) + p * ((1 - q) * z[i + 1][j] + q * z[i + 1][j + 1]);
}

static void lines_join_the_points(void **state)
{
    static const char *const outside[] = { "refuse", "linear", "constant" };
    (void)state;
    for (int k = 0; k < 3; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "  z: {of: [a, b], by: linear, outside: %s, at: [[0, 1, 3, 4], [-1, 0, 2]], values: "
                 "[[1, 5, 2], [0, -3, 4], [2, 2, 7], [9, 1, 1]]}",
                 outside[k]);
        struct fixture f = read_formula(text, "z(x, y)", MODEL_FOR_SOLVE);
        for (double a = -1; a <= 5; a += 0.25)
            for (double b = -2; b <= 3; b += 0.25) {
                const double expected =
                    k < 2 ? bilinear(a, b) : bilinear(fmin(fmax(a, 0), 4), fmin(fmax(b, -1), 2));
                assert_near(at(&f, f.m->dynamics.rhs[0], a, b), expected, 1e-12);
            }
        fixture_free(&f);
    }
}

/* All values over a box lie in the range that is told for it. */
static void ranges_contain_all_values(void **state)
{
    char text[1000];
    (void)state;
    struct fixture f = read_formula(with(grid, ", outside: linear", text, sizeof text), "f(x, y)", MODEL_FOR_SOLVE);
    expr e[3] = { f.m->dynamics.rhs[0] };
    expr_gradient(f.m->graph, e[0], 2, f.m->x_sym, &e[1]);
    struct ranges *ranges = ranges_create(f.m->graph, 2, f.m->x_sym, 3, e, false);
    static const struct interval box[][2] = { { { 0.1, 0.4 }, { -0.5, 0.1 } },
                                              { { -1, 1 }, { 1.5, 4 } },
                                              { { 2.2, 6 }, { 3, 5 } } };
    for (size_t k = 0; k < sizeof box / sizeof *box; k++) {
        struct interval out[3];
        (void)ranges_eval(ranges, box[k], out);
        for (int i = 0; i <= 400; i++) {
            const double a = box[k][0].lo + (box[k][0].hi - box[k][0].lo) * (i % 21) / 20.0;
            const double b = box[k][1].lo + (box[k][1].hi - box[k][1].lo) * (i / 21) / 19.1;
            for (int j = 0; j < 3; j++)
                assert_true(at(&f, e[j], a, b) >= out[j].lo && at(&f, e[j], a, b) <= out[j].hi);
        }
    }
    ranges_free(ranges);
    fixture_free(&f);
}

/* In simulations nothing keeps an argument where it belongs: outside there is no value. */
static void a_simulation_has_no_value_outside(void **state)
{
    char text[1000];
    (void)state;
    struct fixture f = read_formula(with(drag, "", text, sizeof text), "drag(x)", MODEL_FOR_SIMULATE);
    assert_near(at(&f, f.m->dynamics.rhs[0], 1.8, 0), 0.035, 1e-12);
    assert_true(isnan(at(&f, f.m->dynamics.rhs[0], 1.81, 0)) && isnan(at(&f, f.m->dynamics.rhs[0], -0.01, 0)));
    fixture_free(&f);
}

/* A row where the argument may leave the table, none where bounds, or `outside`, make it needless. */
static void arguments_are_kept_within_the_axes(void **state)
{
    char text[1000];
    (void)state;
    struct fixture f =
        read_formula(with(drag, "", text, sizeof text), "drag(x + y) + drag(x + y)*x", MODEL_FOR_SOLVE);
    assert_int_equal(f.m->constraints.n_constraint, 1);
    const struct model_constraint *row = &f.m->constraints.constraint[0];
    assert_string_equal(row->name, "drag_mach");
    assert_true(row->lb == 0 && row->ub == 1.8 && row->at == AT_PATH && row->pos.line == 6);
    fixture_free(&f);
    f = read_formula(with(drag, "", text, sizeof text), "drag(0.9 + 0.9*sin(x))", MODEL_FOR_SOLVE);
    assert_int_equal(f.m->constraints.n_constraint, 0);
    fixture_free(&f);
    f = read_formula(with(drag, ", outside: linear", text, sizeof text), "drag(x)", MODEL_FOR_SOLVE);
    assert_int_equal(f.m->constraints.n_constraint, 0);
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splines_are_those_of_scipy),
        cmocka_unit_test(bicubic_splines_are_those_of_scipy),
        cmocka_unit_test(a_tape_has_the_same_values),
        cmocka_unit_test(beyond_its_axes_it_is_as_told),
        cmocka_unit_test(lines_join_the_points),
        cmocka_unit_test(ranges_contain_all_values),
        cmocka_unit_test(a_simulation_has_no_value_outside),
        cmocka_unit_test(arguments_are_kept_within_the_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
