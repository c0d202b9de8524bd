#include "core/contact/directions.h"

#include <math.h>
#include <string.h>

enum { ROUNDS_MAX = 40, RELAX_ROUNDS = 60 };
static const double FIRST_TURN = 1e-3;      /* rad, before it is known how steep slip depends on directions */
static const double DIFFERENCE = 1e-7, LARGEST_TURN = 0.5;

/* --- Axes ---------------------------------------------------------------------------------------------------- */

/* c = a x b. */
static void cross(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

void slip_axes(int n_t, const double *v, double (*axis)[SLIP_MAX])
{
    memset(axis, 0, SLIP_MAX * sizeof *axis);
    axis[0][0] = 1;
    if (n_t > 1 && slip_size(v) > 0)
        slip_unit(v, axis[0]);
    const double *a = axis[0];
    if (n_t == 2) {
        axis[1][0] = -a[1];
        axis[1][1] = a[0];
    } else if (n_t == 3) {
        double least[3] = { 0 }, b[3];
        least[fabs(a[0]) <= fabs(a[1]) ? fabs(a[0]) <= fabs(a[2]) ? 0 : 2 : fabs(a[1]) <= fabs(a[2]) ? 1 : 2] = 1;
        cross(a, least, b);
        slip_unit(b, axis[1]);
        cross(a, axis[1], axis[2]);
    }
}

/* Turns the axes by turn [n_t - 1] rad along those across the direction, which goes along a great circle. */
static void turn_axes(struct slip *slip, const double *turn)
{
    double angle = 0, u[SLIP_MAX] = { 0 }, d[SLIP_MAX];
    for (int k = 1; k < slip->n_t; k++)
        angle = hypot(angle, turn[k - 1]);
    if (angle == 0)
        return;
    for (int k = 1; k < slip->n_t; k++)
        for (int i = 0; i < SLIP_MAX; i++)
            u[i] += turn[k - 1] / angle * slip->axis[k][i];
    memcpy(d, slip->axis[0], sizeof d);
    for (int k = 1; k < slip->n_t; k++) {
        const double along = slip_dot(slip->axis[k], u);
        for (int i = 0; i < SLIP_MAX; i++)
            slip->axis[k][i] += along * ((cos(angle) - 1) * u[i] - sin(angle) * d[i]);
    }
    for (int i = 0; i < SLIP_MAX; i++)
        slip->axis[0][i] = cos(angle) * d[i] + sin(angle) * u[i];
}

struct slip slip_start(int n_t, const double *along, int start, double *d, const double *v_t)
{
    struct slip slip = { .n_t = n_t, .d = d, .v_t = v_t };
    slip_axes(n_t, along, slip.axis);
    turn_axes(&slip, (double[SLIP_MAX]){ acos(0) * start });
    return slip;
}

/* --- Projected gradients --------------------------------------------------------------------------------------- */

/* What the sum of both changes by, of all slips. */
static double distance(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < SLIP_MAX * n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static void put_directions(int n, struct slip *slip, const double *d)
{
    for (int k = 0; k < n; k++)
        memcpy(slip[k].d, d + SLIP_MAX * k, SLIP_MAX * sizeof *d);
}

static void get_slips(int n, const struct slip *slip, double *v)
{
    for (int k = 0; k < n; k++)
        memcpy(v + SLIP_MAX * k, slip[k].v_t, SLIP_MAX * sizeof *v);
}

bool directions_relax(int n, struct slip *slip, directions_find_slip *find, void *user)
{
    struct arena mem = { 0 };
    const size_t N = SLIP_MAX * (size_t)n;
    double *d = arena_alloc(&mem, N, sizeof *d), *last = arena_alloc(&mem, N, sizeof *d),
           *at = arena_alloc(&mem, N, sizeof *d);
    double *at_last = arena_alloc(&mem, N, sizeof *d), *v = arena_alloc(&mem, N, sizeof *d),
           *v_last = arena_alloc(&mem, N, sizeof *d);
    double steepest = 0;                        /* of v_t by d, as seen so far */
    bool has_value = true;
    for (int k = 0; k < n; k++)
        memcpy(d + SLIP_MAX * k, slip[k].axis[0], sizeof slip[k].axis[0]);
    memcpy(last, d, N * sizeof *d);
    for (int round = 0; round < RELAX_ROUNDS; round++) {
        const double momentum = round / (round + 3.0);
        for (size_t i = 0; i < N; i++)
            at[i] = d[i] + momentum * (d[i] - last[i]);
        put_directions(n, slip, at);
        if (!(has_value = find(user)))
            break;
        get_slips(n, slip, v);
        const double moved = distance(n, at, at_last);
        if (round > 0 && moved > 0)
            steepest = fmax(steepest, distance(n, v, v_last) / moved);
        memcpy(last, d, N * sizeof *d);
        memcpy(at_last, at, N * sizeof *d);
        memcpy(v_last, v, N * sizeof *d);
        for (int k = 0; k < n; k++) {
            double *one = d + SLIP_MAX * k, *slips = v + SLIP_MAX * k;
            const double size = slip_size(slips), step = steepest > 0 ? 1 / steepest : size > 0 ? FIRST_TURN / size : 0;
            for (int i = 0; i < SLIP_MAX; i++)
                one[i] = at[SLIP_MAX * k + i] + step * slips[i];
            if (slip_size(one) > 0)
                slip_unit(one, one);
        }
    }
    for (int k = 0; k < n; k++)
        slip_axes(slip[k].n_t, d + SLIP_MAX * k, slip[k].axis);
    arena_free(&mem);
    return has_value;
}

/* --- Newton's method ----------------------------------------------------------------------------------------- */

static int count_turns(int n, const struct slip *slip)
{
    int turns = 0;
    for (int k = 0; k < n; k++)
        turns += slip[k].n_t - 1;
    return turns;
}

/* F: what is left of slip across each direction. */
static bool across(int n, struct slip *slip, directions_find_slip *find, void *user, double *F)
{
    for (int k = 0; k < n; k++)
        memcpy(slip[k].d, slip[k].axis[0], sizeof slip[k].axis[0]);
    if (!find(user))
        return false;
    for (int k = 0; k < n; k++)
        for (int j = 1; j < slip[k].n_t; j++)
            *F++ = slip_dot(slip[k].axis[j], slip[k].v_t);
    return true;
}

/* J [n_turn * n_turn] at the present directions, where the function is F. */
static bool differentiate(int n, struct slip *slip, directions_find_slip *find, void *user, int n_turn,
                          const double *F, double *shifted, double *J)
{
    for (int k = 0; k < n; k++)
        for (int j = 1; j < slip[k].n_t; j++) {
            const struct slip here = slip[k];
            double turn[SLIP_MAX] = { 0 };
            turn[j - 1] = DIFFERENCE;
            turn_axes(&slip[k], turn);
            const bool has_value = across(n, slip, find, user, shifted);
            slip[k] = here;
            if (!has_value)
                return false;
            for (int i = 0; i < n_turn; i++)
                *J++ = (shifted[i] - F[i]) / DIFFERENCE;
        }
    return true;
}

bool directions_solve(struct dense *dense, int n, struct slip *slip, directions_find_slip *find, void *user,
                      double tol)
{
    struct arena mem = { 0 };
    const int n_turn = count_turns(n, slip);
    const size_t N = (size_t)n_turn;
    double *F = arena_alloc(&mem, N, sizeof *F), *shifted = arena_alloc(&mem, N, sizeof *F);
    double *J = arena_alloc(&mem, N * N, sizeof *F), *turn = arena_alloc(&mem, N, sizeof *F);
    double last_turn = INFINITY;
    bool has_value = across(n, slip, find, user, F), is_redundant;
    for (int round = 0; round < ROUNDS_MAX && has_value && last_turn > 1e-15 && dense_largest(n_turn, F) > 0; round++) {
        if (!(has_value = differentiate(n, slip, find, user, n_turn, F, shifted, J)))
            break;
        (void)dense_solve(dense, n_turn, J, F, NULL, turn, &is_redundant);
        last_turn = dense_largest(n_turn, turn);
        if (!isfinite(last_turn))
            break;
        const double part = last_turn > LARGEST_TURN ? -LARGEST_TURN / last_turn : -1;
        for (int j = 0; j < n_turn; j++)
            turn[j] *= part;
        for (int k = 0, first = 0; k < n; first += slip[k++].n_t - 1)
            turn_axes(&slip[k], turn + first);
        has_value = across(n, slip, find, user, F);
        if (dense_largest(n_turn, F) <= 1e-3 * tol)
            break;
    }
    const bool solved = has_value && across(n, slip, find, user, F) && dense_largest(n_turn, F) <= tol;
    arena_free(&mem);
    return solved;
}
