/* Impacts read from the specs of problems/, against the formulas of impact.md 7. */
#include "core/impact/state.h"

#include "tests/unit/impacts.h"
#include "tests/unit/assertions.h"
#include "tests/unit/read_spec.h"

#include <stdio.h>

struct bench {
    struct diag *diag;
    struct spec *spec;
    struct model *model;
    struct impact_state state;
};

static void set_up(struct bench *b, const char *name)
{
    char path[100];
    double x[32];
    (void)snprintf(path, sizeof path, "problems/%s.yaml", name);
    b->diag = diag_create();
    read_spec(path, MODEL_FOR_IMPACT, b->diag, &b->spec, &b->model);
    for (int k = 0; k < b->model->n_x; k++)
        x[k] = b->model->x[k].initial.lo;
    assert_int_equal(impact_state_read(b->model, x, NULL, 1e-6, 4, &b->state, b->diag), STATUS_OK);
}

static void tear_down(struct bench *b)
{
    arena_free(&b->state.mem);
    model_free(b->model);
    spec_free(b->spec);
    diag_free(b->diag);
}

/* M, J, v and mu are those of the formulas; 1e-12 allows for angles that are sums of others. */
static void check_numbers(const char *name, const struct impact_numbers *a)
{
    struct bench b;
    set_up(&b, name);
    const struct impact_system *system = &b.state.system;
    assert_int_equal(system->n_v, a->n_v);
    assert_int_equal(system->n_contact, a->n_contact);
    for (int i = 0; i < a->n_v; i++) {
        assert_near(b.state.v_minus[i], a->v[i], 1e-12);
        for (int j = 0; j < a->n_v; j++)
            assert_near(system->M[i + j * a->n_v], a->M[i][j], 1e-12);
        for (int r = 0; r < 2 * a->n_contact; r++)
            assert_near(system->J[i + r * a->n_v], a->J[r][i], 1e-12);
    }
    for (int c = 0; c < a->n_contact; c++)
        assert_near(system->contact[c].mu, a->mu, 1e-12);
    tear_down(&b);
}

static void specs_have_the_numbers_of_the_paper(void **unused)
{
    (void)unused;
    const struct impact_numbers block = rocking_block(), gait = compass_gait(), box = box_wall();
    const struct impact_numbers stack = disk_stack(1);
    check_numbers("rocking_block", &block);
    check_numbers("compass_gait", &gait);
    check_numbers("box_wall", &box);
    check_numbers("disk_stack", &stack);
}

/* RAMone: rows of J by the chain of links, the mass 10.5 kg in x and y, the trailing foot at rest. */
static void ramone_has_the_numbers_of_the_paper(void **unused)
{
    (void)unused;
    const double deg = acos(-1.0) / 180, s1 = 0.137675, l2 = 0.2, l3 = 0.2385, r = 0.02815;
    const double Phi = 16 * deg, A[2] = { Phi - 70 * deg, Phi + 70 * deg };
    const double L = l2 * cos(A[0]) + l3 * cos(A[0] - 2 * deg);
    const double B[2] = { A[0] - 2 * deg, asin((L - l2 * cos(A[1])) / l3) - acos(-1.0) / 2 };
    double u[IMPACT_MAX_ROWS];
    struct bench b;
    set_up(&b, "ramone");
    const struct impact_system *system = &b.state.system;
    assert_near((B[1] - A[1]) / deg, -92.486, 1e-3);            /* the knee angle of impact.md 7.4 */
    assert_near(system->M[0], 7.9026 + 2 * 0.7887 + 2 * 0.510, 1e-12);
    assert_near(system->M[8], system->M[0], 1e-12);
    for (int i = 0; i < 2; i++) {
        const double t[3] = { s1 * cos(Phi) + l2 * cos(A[i]) + l3 * cos(B[i]) + r, l2 * cos(A[i]) + l3 * cos(B[i]) + r,
                              l3 * cos(B[i]) + r };
        const double n[3] = { s1 * sin(Phi) + l2 * sin(A[i]) + l3 * sin(B[i]), l2 * sin(A[i]) + l3 * sin(B[i]),
                              l3 * sin(B[i]) };
        const double *J_n = system->J + 2 * i * 7, *J_t = J_n + 7;
        for (int k = 0; k < 3; k++) {
            const int column = k == 0 ? 2 : 2 + 2 * i + k;      /* Phi, al_i, be_i */
            assert_near(J_n[column], n[k], 1e-12);
            assert_near(J_t[column], t[k], 1e-12);
        }
        assert_true(J_n[0] == 0 && J_n[1] == 1 && J_t[0] == 1 && J_t[1] == 0);
    }
    impact_contact_velocity(system, b.state.v_minus, u);
    assert_near(u[2], 0, 1e-14);
    assert_near(u[3], 0, 1e-14);
    assert_near(b.state.v_minus[0], -0.411416, 1e-6);
    assert_near(b.state.v_minus[1], -0.210518, 1e-6);
    tear_down(&b);
}

/* A contact whose gap is above gap_tol takes no part. */
static void open_contacts_take_no_part(void **unused)
{
    (void)unused;
    struct bench b;
    struct impact_state state;
    double x[32];
    set_up(&b, "rocking_block");
    for (int k = 0; k < b.model->n_x; k++)
        x[k] = b.model->x[k].initial.lo;
    x[1] = 1 + 1e-5;                    /* raised and turned: only the right corner is near the floor */
    x[2] = -2e-5;
    assert_int_equal(impact_state_read(b.model, x, NULL, 1e-6, 4, &state, b.diag), STATUS_OK);
    assert_int_equal(state.system.n_contact, 1);
    assert_int_equal(state.contact[0], 1);
    arena_free(&state.mem);
    assert_int_equal(impact_state_read(b.model, x, NULL, 1e-4, 4, &state, b.diag), STATUS_OK);
    assert_int_equal(state.system.n_contact, 2);
    arena_free(&state.mem);
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specs_have_the_numbers_of_the_paper),
        cmocka_unit_test(ramone_has_the_numbers_of_the_paper),
        cmocka_unit_test(open_contacts_take_no_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
