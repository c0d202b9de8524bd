#include "core/contact/angles.h"

#include "core/base/arena.h"

#include <math.h>

enum { ROUNDS_MAX = 40 };
static const double DIFFERENCE = 1e-7, LARGEST_TURN = 0.5;

/* J [n * n] at angle, where the function is F. */
static bool differentiate(int n, angles_across *across, void *user, const double *F, double *angle,
                          double *shifted, double *J)
{
    for (int j = 0; j < n; j++) {
        const double here = angle[j];
        angle[j] += DIFFERENCE;
        const bool has_value = across(user, angle, shifted);
        angle[j] = here;
        if (!has_value)
            return false;
        for (int i = 0; i < n; i++)
            J[i + j * n] = (shifted[i] - F[i]) / DIFFERENCE;
    }
    return true;
}

bool angles_solve(struct dense *dense, int n, angles_across *across, void *user, double tol, double *angle)
{
    struct arena mem = { 0 };
    const size_t N = (size_t)n;
    double *F = arena_alloc(&mem, N, sizeof *F), *shifted = arena_alloc(&mem, N, sizeof *F);
    double *J = arena_alloc(&mem, N * N, sizeof *F), *turn = arena_alloc(&mem, N, sizeof *F);
    double last_turn = INFINITY;
    bool has_value = across(user, angle, F), is_redundant;
    for (int round = 0; round < ROUNDS_MAX && has_value && last_turn > 1e-15 && dense_largest(n, F) > 0; round++) {
        if (!(has_value = differentiate(n, across, user, F, angle, shifted, J)))
            break;
        (void)dense_solve(dense, n, J, F, NULL, turn, &is_redundant);
        last_turn = dense_largest(n, turn);
        if (!isfinite(last_turn))
            break;
        for (int j = 0; j < n; j++)
            angle[j] -= last_turn > LARGEST_TURN ? turn[j] * LARGEST_TURN / last_turn : turn[j];
        has_value = across(user, angle, F);
        if (dense_largest(n, F) <= 1e-3 * tol)
            break;
    }
    const bool solved = has_value && across(user, angle, F) && dense_largest(n, F) <= tol;
    arena_free(&mem);
    return solved;
}
