/* Directions of slip in space: friction is against what it leaves. */
#include "core/contact/directions.h"
#include "tests/unit/assertions.h"

#include <string.h>

/* v_t = v - r G d with one G of condition 1e4: friction r takes what it can. */
struct body { double v[3], r, G[3], d[SLIP_MAX], v_t[SLIP_MAX]; };

static bool find_slip(void *user)
{
    struct body *body = user;
    for (int i = 0; i < 3; i++)
        body->v_t[i] = body->v[i] - body->r * body->G[i] * body->d[i];
    return true;
}

/* How far v_t is from being along d, from -1 to 1. */
static double alignment(const struct body *body)
{
    return slip_dot(body->d, body->v_t) / slip_size(body->v_t);
}

/* From 26 directions all over, straight against the slip among them: there is one direction of slip, and it is found.
 * What Newton's method alone finds may be one against friction's law. */
static void gradients_lead_to_the_direction_of_slip(void **state)
{
    (void)state;
    struct arena mem = { 0 };
    struct dense dense;
    dense_init(&dense, &mem, 2);
    double found[3] = { 0 };
    int by_newton = 0, n = 0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            for (int k = -1; k <= 1; k++) {
                if (i == 0 && j == 0 && k == 0)
                    continue;
                const double along[3] = { i, j, k };
                struct body body = { { 3, -0.5, 0.1 }, 2, { 1, 0.2, 1e-4 }, { 0 }, { 0 } };
                struct slip slip = slip_start(3, along, 0, body.d, body.v_t);
                by_newton += directions_solve(&dense, 1, &slip, find_slip, &body, 1e-12) && alignment(&body) > 0.999;
                slip = slip_start(3, along, 0, body.d, body.v_t);
                assert_true(directions_relax(1, &slip, find_slip, &body));
                assert_true(directions_solve(&dense, 1, &slip, find_slip, &body, 1e-12));
                assert_near(alignment(&body), 1, 1e-12);
                for (int q = 0; q < 3 && n > 0; q++)
                    assert_near(body.d[q], found[q], 1e-9);
                memcpy(found, body.d, sizeof found);
                n++;
            }
    assert_true(by_newton < n);
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(gradients_lead_to_the_direction_of_slip) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
