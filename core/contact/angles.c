#include "core/contact/angles.h"

#include "core/base/arena.h"

#include <math.h>

enum { ROUNDS_MAX = 40 };
static const double DIFFERENCE = 1e-7, LARGEST_TURN = 0.5;

/* F [n]: what is left of slip across each direction. */
static bool across(int n, struct slip *slip, angles_find_slip *find, void *user, double *F)
{
    for (int k = 0; k < n; k++) {
        slip[k].d[0] = cos(slip[k].angle);
        slip[k].d[1] = sin(slip[k].angle);
    }
    if (!find(user))
        return false;
    for (int k = 0; k < n; k++)
        F[k] = slip[k].v_t[1] * slip[k].d[0] - slip[k].v_t[0] * slip[k].d[1];
    return true;
}

/* J [n * n] at the present angles, where the function is F. */
static bool differentiate(int n, struct slip *slip, angles_find_slip *find, void *user, const double *F,
                          double *shifted, double *J)
{
    for (int j = 0; j < n; j++) {
        const double here = slip[j].angle;
        slip[j].angle += DIFFERENCE;
        const bool has_value = across(n, slip, find, user, shifted);
        slip[j].angle = here;
        if (!has_value)
            return false;
        for (int i = 0; i < n; i++)
            J[i + j * n] = (shifted[i] - F[i]) / DIFFERENCE;
    }
    return true;
}

bool angles_solve(struct dense *dense, int n, struct slip *slip, angles_find_slip *find, void *user, double tol)
{
    struct arena mem = { 0 };
    const size_t N = (size_t)n;
    double *F = arena_alloc(&mem, N, sizeof *F), *shifted = arena_alloc(&mem, N, sizeof *F);
    double *J = arena_alloc(&mem, N * N, sizeof *F), *turn = arena_alloc(&mem, N, sizeof *F);
    double last_turn = INFINITY;
    bool has_value = across(n, slip, find, user, F), is_redundant;
    for (int round = 0; round < ROUNDS_MAX && has_value && last_turn > 1e-15 && dense_largest(n, F) > 0; round++) {
        if (!(has_value = differentiate(n, slip, find, user, F, shifted, J)))
            break;
        (void)dense_solve(dense, n, J, F, NULL, turn, &is_redundant);
        last_turn = dense_largest(n, turn);
        if (!isfinite(last_turn))
            break;
        for (int j = 0; j < n; j++)
            slip[j].angle -= last_turn > LARGEST_TURN ? turn[j] * LARGEST_TURN / last_turn : turn[j];
        has_value = across(n, slip, find, user, F);
        if (dense_largest(n, F) <= 1e-3 * tol)
            break;
    }
    const bool solved = has_value && across(n, slip, find, user, F) && dense_largest(n, F) <= tol;
    arena_free(&mem);
    return solved;
}
