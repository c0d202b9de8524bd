/* tests/bench/bench_order.c - orders of convergence on the oscillator
 *
 * The error of x(T) against the step length, for FESD with Radau IIA and Gauss-Legendre of 1 to 4 stages and for
 * time-stepping on a fixed grid. Orders are slopes of least squares over what lies above rounding. Expected are
 * 2 n_s - 1 and 2 n_s, and 1 for time-stepping, which does not see the switch; the program fails if FESD misses
 * them by more than 0.3.
 *
 * Steps are 7 + 11 k in number, since 2/pi is near 7/11: the switch at t = 1 is then always at the same place in its
 * step, and the errors lie on a line. Implicit Euler needs many to get near its order, as it damps the rotation.
 */
#include "tests/unit/simulated.h"
#include "transcription/method/rk.h"

#define ROUNDING 2e-12              /* errors below say nothing of the scheme */
#define TOLERANCE 0.3

static const char oscillator[] =
    "cocp: 1\n"
    "parameters: {omega: -2*pi}\n"
    "time: {horizon: pi/2, elements: 2}\n"
    "states: {x1: {initial: exp(-1)}, x2: {initial: 0}}\n"
    "dynamics:\n"
    "  type: piecewise\n"
    "  switches: {circle: x1^2 + x2^2 - 1}\n"
    "  modes:\n"
    "    inside: {where: circle < 0, rhs: {x1: x1 + omega*x2, x2: -omega*x1 + x2}}\n"
    "    outside: {where: circle > 0, rhs: {x1: x1 - omega*x2, x2: omega*x1 + x2}}\n"
    "discretization: {form: stewart}\n";

/* Distance from the exact end state, cases.md 1. */
static double error_of(const struct simulated *s)
{
    const double pi = acos(-1), T = pi / 2, size = exp(T - 1), angle = 2 * pi * (T - 1);
    return hypot(simulated_end(s, 0) - size * cos(angle), simulated_end(s, 1) + size * sin(angle));
}

struct line { int n; double x, y, xx, xy; };

static void add_to_line(struct line *line, double x, double y)
{
    line->n++;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
}

static double slope(const struct line *line)
{
    return (line->n * line->xy - line->x * line->y) / (line->n * line->xx - line->x * line->x);
}

enum { N_GRID = 3 };

static const int *grids_of(int order)
{
    static const int many[N_GRID] = { 205, 403, 601 }, some[N_GRID] = { 51, 106, 150 }, few[N_GRID] = { 18, 29, 40 },
                     fewest[N_GRID] = { 7, 18, 29 };
    return order == 1 ? many : order == 2 ? some : order < 7 ? few : fewest;
}

/* Prints one row of the table; returns by how much the order misses what is expected. */
static double measure(struct simulated *s, const char *name, int expected, int n, const int *steps)
{
    struct line line = { 0 };
    printf("%-16s %3d ", name, s->settings.stages);
    for (int k = 0; k < n; k++) {
        s->simulate.steps = steps[k];
        simulated_run(s);
        const double error = error_of(s), h = s->model->time.horizon / (2 * steps[k]);
        if (k < N_GRID - 1 || k == n - 1)
            printf("   %.5f %9.2e", h, error);
        if (error > ROUNDING)
            add_to_line(&line, log(h), log(error));
    }
    printf("  %6.2f %8d   %+.2f\n", slope(&line), expected, slope(&line) - expected);
    fflush(stdout);
    return fabs(slope(&line) - expected);
}

int main(void)
{
    /* where the switch falls in its step makes errors of time-stepping scatter: more of them, the last one shown */
    static const int any[] = { 20, 25, 31, 39, 49, 61, 76, 95, 119, 149 };
    double worst = 0;
    struct simulated s = simulated_read(oscillator);
    printf("oscillator: errors of x(T)\n%-16s %3s ", "scheme", "n_s");
    for (int k = 0; k < N_GRID; k++)
        printf("   %-7s %9s", "h", "error");
    printf("  %6s %8s   %s\n", "order", "expected", "off by");
    for (int stages = 1; stages <= 4; stages++)
        for (int gauss = 0; gauss < 2; gauss++) {
            s.settings.stages = stages;
            s.settings.scheme = gauss ? RK_GAUSS_LEGENDRE : RK_RADAU_IIA;
            const int order = 2 * stages - 1 + gauss;
            worst = fmax(worst, measure(&s, gauss ? "gauss-legendre" : "radau-iia", order, N_GRID, grids_of(order)));
        }
    s.settings.method = METHOD_TIME_STEPPING;
    s.settings.scheme = RK_RADAU_IIA;
    for (int stages = 1; stages <= 4; stages++) {
        s.settings.stages = stages;
        if (stages == 1)                        /* implicit Euler again: its own error comes first */
            measure(&s, "time-stepping", 1, N_GRID, grids_of(1));
        else
            measure(&s, "time-stepping", 1, sizeof any / sizeof any[0], any);
    }
    simulated_free(&s);
    printf("largest deviation of FESD: %.2f, allowed %.1f\n", worst, TOLERANCE);
    return worst > TOLERANCE;
}
