/* Tests of core/output and core/results/fields.h: which datasets a result has, over which axes, and that they come
 * back from a file as they were. */
#define _POSIX_C_SOURCE 200809L

#include "core/output/run.h"
#include "tests/unit/simulated.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

/* --- Fields -------------------------------------------------------------------------------------------------- */

struct row { double t, pair[2]; int count; bool flag; char name[8]; const char *word; };

static const char *word_of(const void *row)
{
    return ((const struct row *)row)->word;
}

static double twice_t(const void *row)
{
    return 2 * ((const struct row *)row)->t;
}

#define AT(name) offsetof(struct row, name)
static const struct result_field row_fields[] = {
    { .name = "t", RESULT_DOUBLE, AT(t), "s", "time", "state" },
    { .name = "count", RESULT_INT, AT(count), NULL, "how many" },
    { .name = "flag", RESULT_FLAG, AT(flag) },
    { .name = "name", RESULT_TEXT, AT(name), .room = 8 },
};
static const struct result_field pair_field = { .name = "pair", RESULT_DOUBLE, AT(pair) };
static const struct result_field made_fields[] = {
    { .name = "word", RESULT_TEXT, .text = word_of },
    { .name = "twice", RESULT_DOUBLE, .number = twice_t },
    { .name = "pointer", RESULT_TEXT, AT(word) },
};
#undef AT

static const struct row rows[3] = { { 0.5, { 1, 2 }, 7, true, "one", "un" },
                                    { 1.5, { 3, 4 }, -8, false, "two", "deux" },
                                    { 2.5, { 5, 6 }, 9, true, "three", "trois" } };

static struct result *rows_result(void)
{
    struct result *result = result_create();
    struct result_group *group = result_group(result, "/rows");
    const int axes[2] = { result_axis(group, "row", 3, NULL, NULL, NULL),
                          result_axis(group, "column", 2, NULL, NULL, NULL) };
    const struct result_rows all = { rows, sizeof *rows, 3 };
    result_fields(group, 1, axes, all, 4, row_fields);
    result_fields(group, 2, axes, all, 1, &pair_field);
    result_fields(group, 1, axes, all, 3, made_fields);
    return result;
}

/* Through a file: what is read is what was written. The first result is freed. */
static struct result *through_a_file(struct result *result)
{
    char path[] = "/tmp/cocp_output_XXXXXX";
    struct diag *diag = diag_create();
    struct result *back = NULL;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(result_write(result, path, diag), STATUS_OK);
    assert_int_equal(result_read(path, &back, diag), STATUS_OK);
    unlink(path);
    diag_free(diag);
    result_free(result);
    return back;
}

static void fields_come_back_from_a_file(void **state)
{
    (void)state;
    struct result *result = through_a_file(rows_result());
    const struct result_group *group = result_find(result, "/rows");
    struct row back[3] = { { .word = "kept" } };
    assert_null(result_get_fields(group, back, sizeof *back, 3, 1, 4, row_fields));
    assert_null(result_get_fields(group, back, sizeof *back, 3, 2, 1, &pair_field));
    for (int k = 0; k < 3; k++) {
        assert_true(back[k].t == rows[k].t && back[k].count == rows[k].count && back[k].flag == rows[k].flag);
        assert_true(back[k].pair[0] == rows[k].pair[0] && back[k].pair[1] == rows[k].pair[1]);
        assert_string_equal(back[k].name, rows[k].name);
    }
    assert_string_equal(back[0].word, "kept");
    const struct result_data *t = result_data_find(group, "t"), *pair = result_data_find(group, "pair");
    assert_string_equal(t->units, "s");
    assert_string_equal(t->long_name, "time");
    assert_string_equal(t->role, "state");
    assert_int_equal(pair->n_axes, 2);
    assert_string_equal(group->axis[pair->axis[1]]->name, "column");
    assert_string_equal(result_data_find(group, "word")->text[1], "deux");
    assert_string_equal(result_data_find(group, "pointer")->text[2], "trois");
    assert_true(result_data_find(group, "twice")->d[2] == 5);
    result_free(result);
}

static void the_field_that_does_not_fit_is_named(void **state)
{
    (void)state;
    struct result *result = rows_result();
    const struct result_group *group = result_find(result, "/rows");
    const struct result_field wrong_type = { .name = "count", RESULT_DOUBLE, 0 };
    const struct result_field absent = { .name = "colour", RESULT_INT, 0 };
    struct row back[3];
    assert_ptr_equal(result_get_fields(group, back, sizeof *back, 2, 1, 4, row_fields), &row_fields[0]);
    assert_ptr_equal(result_get_fields(group, back, sizeof *back, 3, 1, 1, &wrong_type), &wrong_type);
    assert_ptr_equal(result_get_fields(group, back, sizeof *back, 3, 1, 1, &absent), &absent);
    assert_ptr_equal(result_get_fields(NULL, back, sizeof *back, 3, 1, 1, &absent), &absent);
    assert_ptr_equal(result_get_fields(group, back, sizeof *back, 3, 1, 1, &pair_field), &pair_field);
    result_free(result);
}

static void fields_of_one_row_are_attributes(void **state)
{
    (void)state;
    struct result *result = result_create();
    struct result_group *group = result_group(result, "/one");
    result_set_fields(group, &rows[1], 4, row_fields);
    result_set_fields(group, &rows[1], 3, made_fields);
    result_set_fields(group, &(struct row){ .word = NULL }, 1, &made_fields[2]);
    assert_true(result_get_double(group, "t") == 1.5 && result_get_double(group, "twice") == 3);
    assert_int_equal(result_get_int(group, "count", 0), -8);
    assert_int_equal(result_get_int(group, "flag", 1), 0);
    assert_string_equal(result_get_text(group, "name"), "two");
    assert_string_equal(result_get_text(group, "pointer"), "deux");     /* a text that is not there changes nothing */
    result_free(result);
}

/* --- Runs of both simulators and of programs ------------------------------------------------------------------ */

/* A box with three coordinates falls 0.05 m onto two corners and slides: in the plane. */
static const char planar[]
    = "cocp: 1\ntime: {horizon: 0.2, elements: 2}\n"
      "states: {x: {initial: 0, units: m}, z: {initial: 0.55}, a: {initial: 0}, vx: {initial: 1}, vz: {initial: 0}, "
      "w: {initial: 0}}\n"
      "controls: {u: {units: N, guess: 0}}\ndefine: {high: {expr: 2*z, output: true, units: m}}\n"
      "dynamics: {type: mechanical, coordinates: {x: vx, z: vz, a: w}, mass: {diag: [1, 1, 1]}, "
      "force: {x: u, z: -9.81}}\n"
      "contacts:\n  left: {gap: z - 0.5 - 0.5*sin(a), tangent: x - 0.5*a, friction: 0.2}\n"
      "  right: {gap: z - 0.5 + 0.5*sin(a), tangent: x - 0.5*a, friction: 0.2}\n"
      "discretization: {method: fesd-j, stages: 2}\nsimulate: {steps: 4}\n";

/* A point mass that falls onto a floor, in space. */
static const char spatial[]
    = "cocp: 1\ntime: {horizon: 0.2, elements: 2}\n"
      "states: {x: {initial: 0}, y: {initial: 0}, z: {initial: 0.05}, vx: {initial: 1}, vy: {initial: 0.5}, "
      "vz: {initial: 0}}\n"
      "dynamics: {type: mechanical, coordinates: {x: vx, y: vy, z: vz}, mass: {diag: [1, 1, 1]}, force: {z: -9.81}}\n"
      "contacts: {floor: {gap: z, tangent: [x, y], friction: 0.2}}\n"
      "discretization: {method: fesd-j, stages: 2}\nsimulate: {steps: 4}\n";

/* The groups of that spec by events, of 11 uniform points, through a file. */
static struct result *by_events(struct simulated *s)
{
    struct sim_task task;
    struct sim *sim;
    struct result *result = result_create();
    sim_task_init(&task, s->model);
    simulated_check(s, sim_run(&task, &sim, s->diag));
    const struct output_run run = { .model = s->model, .sim = sim };
    output_run_write(&run, 11, result);
    sim_free(sim);
    return through_a_file(result);
}

static struct result *by_steps(struct simulated *s)
{
    double *x = malloc((size_t)s->model->n_x * sizeof *x);
    for (int i = 0; i < s->model->n_x; i++)
        x[i] = s->model->x[i].initial.lo;
    const struct stepping_task task = { .model = s->model, .scheme = STEPPING_MOREAU, .x_initial = x,
                                        .t_end = s->model->time.horizon, .n_steps = 40, .max_seconds = INFINITY };
    struct stepping *steps;
    struct result *result = result_create();
    simulated_check(s, stepping_run(&task, &steps, s->diag));
    const struct output_run run = { .model = s->model, .steps = steps };
    output_run_write(&run, 11, result);
    stepping_free(steps);
    free(x);
    return through_a_file(result);
}

/* By finite elements, which have two points of /uniform in simulated.h. */
static struct result *by_elements(struct simulated *s)
{
    simulated_run(s);
    struct result *result = s->table;
    s->table = NULL;
    return through_a_file(result);
}

typedef struct result *runner(struct simulated *s);
static runner *const runners[] = { by_events, by_steps, by_elements };

static void assert_axes(const struct result *result, const char *path, const char *name, const char *first,
                        const char *second)
{
    const struct result_data *data = result_data_of(result, path, name);
    if (!data)
        fail_msg("no %s/%s", path, name);
    const char *const wanted[2] = { first, second };
    assert_int_equal(data->n_axes, second ? 2 : 1);
    for (int k = 0; k < data->n_axes; k++)
        assert_string_equal(result_find(result, path)->axis[data->axis[k]]->name, wanted[k]);
}

static void every_simulation_has_the_same_layout(void **state)
{
    (void)state;
    static const char *const over_points[] = { "t", "t_num", "element", "stage", "side", "is_physical", "x", "w", "u",
                                               "left_gap", "left_v_n", "left_v_t", "left_lambda_n", "left_lambda_t",
                                               "right_gap", "high" };
    static const char *const over_events[] = { "t", "t_num", "element", "kind", "name", "impulse_n", "impulse_t" };
    for (size_t r = 0; r < 3; r++) {
        struct simulated s = simulated_read(planar);
        struct result *result = runners[r](&s);
        for (size_t k = 0; k < sizeof over_points / sizeof over_points[0]; k++)
            assert_axes(result, "/trajectory", over_points[k], "point", NULL);
        for (size_t k = 0; k < sizeof over_events / sizeof over_events[0]; k++)
            assert_axes(result, "/events", over_events[k], "event", NULL);
        assert_axes(result, "/events", "x_minus", "event", "state");
        assert_axes(result, "/events", "x_plus", "event", "state");
        assert_axes(result, "/grid", "h", "element", NULL);
        assert_axes(result, "/grid", "x_start", "element", "state");
        assert_axes(result, "/grid", "x_end", "element", "state");
        assert_axes(result, "/grid", "impulse_n", "element", "contact");
        assert_axes(result, "/grid", "u", "interval", "control");
        assert_axes(result, "/grid", "t_interval", "interval", NULL);
        assert_axes(result, "/uniform", "x", "t", NULL);
        assert_string_equal(result_data_of(result, "/trajectory", "high")->role, "output");
        assert_string_equal(result_data_of(result, "/trajectory", "x")->units, "m");
        assert_string_equal(result_data_of(result, "/trajectory", "left_lambda_n")->units, "N");
        assert_string_equal(result_data_of(result, "/grid", "impulse_n")->units, "N s");
        result_free(result);
        simulated_free(&s);
    }
}

/* Times of /uniform are the coordinates of its axis: ascending, from the start to the end. */
static void uniform_times_are_a_coordinate(void **state)
{
    (void)state;
    for (size_t r = 0; r < 2; r++) {
        struct simulated s = simulated_read(planar);
        struct result *result = runners[r](&s);
        const struct result_group *group = result_find(result, "/uniform");
        const struct result_axis *t = group->axis[result_axis_find(group, "t")];
        assert_int_equal(t->n, 11);
        assert_string_equal(t->units, "s");
        for (int k = 0; k < 11; k++)
            assert_true(fabs(t->values[k] - 0.02 * k) < 1e-12);
        result_free(result);
        simulated_free(&s);
    }
}

/* h is t_end - t_start, elements follow one another, and their states are those of the trajectory's ends. */
static void elements_follow_one_another(void **state)
{
    (void)state;
    for (size_t r = 0; r < 3; r++) {
        struct simulated s = simulated_read(planar);
        struct result *result = runners[r](&s);
        const struct result_data *h = result_data_of(result, "/grid", "h");
        const struct result_data *start = result_data_of(result, "/grid", "t_start");
        const struct result_data *end = result_data_of(result, "/grid", "t_end");
        const struct result_data *x_end = result_data_of(result, "/grid", "x_end");
        const struct result_data *x = result_data_of(result, "/trajectory", "x");
        for (int k = 0; k < h->n; k++) {
            assert_true(fabs(h->d[k] - (end->d[k] - start->d[k])) < 1e-12);
            assert_true(k == 0 || start->d[k] == end->d[k - 1]);
        }
        assert_true(fabs(end->d[h->n - 1] - 0.2) < 1e-9);
        assert_true(fabs(x_end->d[x_end->n - 6] - x->d[x->n - 1]) < 1e-12);
        result_free(result);
        simulated_free(&s);
    }
}

/* One rule for all: there is a second tangential impulse where a contact has two tangents. The planar box has three
 * coordinates, so that their number does not tell. */
static void a_second_tangential_impulse_needs_a_second_tangent(void **state)
{
    (void)state;
    for (size_t r = 0; r < 3; r++)
        for (int is_spatial = 0; is_spatial < 2; is_spatial++) {
            struct simulated s = simulated_read(is_spatial ? spatial : planar);
            struct result *result = runners[r](&s);
            assert_int_equal(result_data_of(result, "/events", "impulse_t2") != NULL, is_spatial);
            assert_int_equal(result_data_of(result, "/grid", "impulse_t2") != NULL, is_spatial);
            assert_int_equal(result_data_of(result, "/trajectory", "floor_lambda_t2") != NULL, is_spatial);
            result_free(result);
            simulated_free(&s);
        }
}

/* Impulses of /grid and /events are the same ones: the point mass of 1 kg at sqrt(2 g 0.05) leaves with v_z = 0. */
static void impulses_of_grid_and_events_agree(void **state)
{
    (void)state;
    struct simulated s = simulated_read(spatial);
    struct result *result = by_events(&s);
    const struct result_data *grid = result_data_of(result, "/grid", "impulse_n");
    double sum = 0;
    for (int k = 0; k < grid->n; k++)
        sum += grid->d[k];
    assert_true(fabs(sum - sqrt(2 * 9.81 * 0.05)) < 1e-9);
    assert_true(fabs(result_data_of(result, "/events", "impulse_n")->d[0] - sum) < 1e-12);
    result_free(result);
    simulated_free(&s);
}

/* --- Frozen time --------------------------------------------------------------------------------------------- */

/* A ball that hits the floor once, in 16 steps each recorded by itself: one left limit, one right limit, both at the
 * time of the impact and physical, and nothing else between them. */
static void one_impact_has_two_limits(void **state)
{
    (void)state;
    struct simulated s = simulated_read(
        "cocp: 1\ntime: {horizon: 1.6, elements: 4}\n"
        "states: {q1: {initial: 0}, q2: {initial: 1}, v1: {initial: 4}, v2: {initial: 0}}\n"
        "dynamics: {type: mechanical, coordinates: {q1: v1, q2: v2}, mass: {diag: [1, 1]}, force: {q2: -10}}\n"
        "contacts: {ground: {gap: q2, tangent: q1, friction: 0.3}}\n"
        "discretization: {method: time-freezing, stages: 3, a_n: 100}\nsimulate: {steps: 16}\n");
    struct result *result = by_elements(&s);
    const struct result_data *side = result_data_of(result, "/trajectory", "side");
    const struct result_data *physical = result_data_of(result, "/trajectory", "is_physical");
    const struct result_data *t = result_data_of(result, "/trajectory", "t");
    int n_left = 0, n_right = 0, left = 0, right = 0, n_between = 0;
    for (int k = 0; k < side->n; k++) {
        n_left += side->i[k] == -1;
        n_right += side->i[k] == 1;
        left = side->i[k] == -1 ? k : left;
        right = side->i[k] == 1 ? k : right;
    }
    for (int k = left + 1; k < right; k++)
        n_between += physical->flag[k];
    assert_int_equal(n_left, 1);
    assert_int_equal(n_right, 1);
    assert_int_equal(n_between, 0);
    assert_true(right > left + 1 && t->d[left] == t->d[right] && physical->flag[left] && physical->flag[right]);
    assert_true(fabs(t->d[left] - 0.4472136) < 1e-6);
    result_free(result);
    simulated_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_come_back_from_a_file),
        cmocka_unit_test(the_field_that_does_not_fit_is_named),
        cmocka_unit_test(fields_of_one_row_are_attributes),
        cmocka_unit_test(every_simulation_has_the_same_layout),
        cmocka_unit_test(uniform_times_are_a_coordinate),
        cmocka_unit_test(elements_follow_one_another),
        cmocka_unit_test(a_second_tangential_impulse_needs_a_second_tangent),
        cmocka_unit_test(impulses_of_grid_and_events_agree),
        cmocka_unit_test(one_impact_has_two_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
