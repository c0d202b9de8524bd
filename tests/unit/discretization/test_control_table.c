/* test_control_table.c - controls from a CSV: what is read, and what is refused where */
#define _POSIX_C_SOURCE 200809L

#include "transcription/start/control_table.h"

#include "tests/unit/small_problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char two_controls[] =
    "cocp: 1\n"
    "time: {horizon: 2, intervals: 4}\n"
    "states: {x: {initial: 0}}\n"
    "controls: {u: {bounds: [-9, 9]}, w: {bounds: [-9, 99]}}\n"
    "dynamics: {type: ode, rhs: {x: u + w}}\n"
    "cost: {running: {effort: u^2 + w^2}}\n";

struct reading { struct small_problem problem; struct control_table *table; enum status status; };

static const char with_line[] =
    "cocp: 1\n"
    "time: {horizon: 2, intervals: 4, elements: 1}\n"
    "states: {x: {initial: 0}}\n"
    "controls: {u: {hold: linear}, w: {}}\n"
    "dynamics: {type: ode, rhs: {x: u + w}}\n";

static struct reading read_of(const char *spec, const char *text)
{
    struct reading in = { .problem = small_read(spec) };
    char path[] = "/tmp/test_control_table_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    in.status = control_table_read(in.problem.model, path, &in.table, in.problem.diag);
    remove(path);
    return in;
}

static struct reading read_text(const char *text)
{
    return read_of(two_controls, text);
}

static void reading_free(struct reading *in)
{
    control_table_free(in->table);
    small_free(&in->problem);
}

/* Columns go by name, others are skipped, empty lines and comments too; a control without a column is NAN. */
static void columns_go_by_name(void **state)
{
    (void)state;
    struct reading in = read_text("# from elsewhere\nother, w, t\n\n1, 10, 0\n2, 20, 0.5\n3, 30, 1.5\n");
    assert_int_equal(in.status, STATUS_OK);
    assert_int_equal(in.table->n, 3);
    for (int row = 0; row < 3; row++) {
        assert_true(in.table->u[2 * row + 1] == 10 * (row + 1));
        assert_true(isnan(in.table->u[2 * row]));
    }
    reading_free(&in);
}

/* A continuous control without a column of its slope: lines through its rows; with one, its first row is its start. */
static void rows_of_continuous_controls_are_joined(void **state)
{
    (void)state;
    struct reading in = read_of(with_line, "u, t, w\n1, 0, 5\n2, 0.5, 5\n0, 1.5, 5\n");
    assert_int_equal(in.status, STATUS_OK);
    const int u = 0, n_u = in.table->n_u;
    assert_string_equal(in.problem.model->u[u].name, "u_rate");
    assert_true(in.table->u[u] == 2 && in.table->u[n_u + u] == -2 && in.table->u[2 * n_u + u] == 0);
    assert_true(in.table->start[1] == 1 && isnan(in.table->start[0]));
    reading_free(&in);
    in = read_of(with_line, "t, u, u_rate\n0, 1, 7\n1, 2, 8\n");
    assert_true(in.table->u[u] == 7 && in.table->u[n_u + u] == 8 && in.table->start[1] == 1);
    reading_free(&in);
}

/* Rows hold from their time on, the last one to the end. */
static void rows_hold_until_the_next(void **state)
{
    (void)state;
    struct reading in = read_text("t,u\n0,1\n0.5,2\n1.5,3\n");
    static const struct { double t; int row; } at[] = { { 0, 0 }, { 0.49, 0 }, { 0.5, 1 }, { 1.4, 1 }, { 1.5, 2 }, { 9, 2 } };
    assert_int_equal(in.status, STATUS_OK);
    for (size_t k = 0; k < sizeof at / sizeof *at; k++)
        assert_int_equal(control_table_row(in.table, at[k].t), at[k].row);
    assert_true(isinf(in.table->end));
    reading_free(&in);
}

static void what_is_wrong_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct { const char *text, *message; } wrong[] = {
        { "u\n1\n", ":1:1: error: the first line must name the columns, `t` among them" },
        { "t,x1\n0,1\n", ":1:1: error: no column is named after a control of the spec" },
        { "t,u\n0,1\n1,one\n", ":3:3: error: expected a number" },
        { "t,u\n0\n", ":2:1: error: has fewer cells than the first line" },
        { "t,u\n0,1\n0,2\n", ":3:1: error: times must ascend" },
        { "t,u\n", "holds no controls" },
        { "t,u\n0.5,1\n", "controls begin at t = 0.5, the simulation at 0" },
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct reading in = read_text(wrong[k].text);
        assert_int_not_equal(in.status, STATUS_OK);
        assert_null(in.table);
        assert_non_null(strstr(diag_line(in.problem.diag, 0), wrong[k].message));
        reading_free(&in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_go_by_name),
        cmocka_unit_test(rows_of_continuous_controls_are_joined),
        cmocka_unit_test(rows_hold_until_the_next),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
