/* tests/bench/bench_certify.c - the time of a certificate: one point of each kind, and a chart of three levels
 *
 * Milliseconds per point in the process, with what the program of the level costs and what its check; then 40 x 40
 * points of SOS Fig. 3, which has restitution, on one core. Aims: 50 ms for a point, two minutes for a chart on
 * two cores. Shares are of one run.
 */
#define _POSIX_C_SOURCE 200809L

#include "core/stability/certify.h"
#include "core/stability/falsify.h"
#include "core/stability/program.h"
#include "tests/unit/stability_bodies.h"

#include <stdio.h>
#include <time.h>

static const char *const feet[2] = { "foot1", "foot2" };
enum { REPEAT = 20, N = 40 };

static double cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void time_level(const char *what, const struct body *body, int level)
{
    struct certify_result found;
    struct certificate_side proposal;
    struct program_info info;
    struct zod zod;
    char why[200];
    double start = cpu_ms();
    for (int k = 0; k < REPEAT; k++)
        certify_body(body, feet, level, false, &found);
    const double whole = (cpu_ms() - start) / REPEAT;
    zod_init(body, &zod);
    start = cpu_ms();
    for (int k = 0; k < REPEAT; k++)
        program_solve(&zod, level, &proposal, &info);
    const double solving = (cpu_ms() - start) / REPEAT;
    start = cpu_ms();
    for (int k = 0; k < REPEAT && found.level; k++)
        certificate_check(&found.certificate, why, sizeof why);
    printf("  %-22s level %s  %-12s %6.2f ms  (program %4.0f %%, check twice %4.0f %%)\n", what,
           certify_level_text(level), certify_outcome_text(found.verdict.outcome), whole, 100 * solving / whole,
           found.level ? 200 * (cpu_ms() - start) / REPEAT / whole : 0);
}

static void time_chart(void)
{
    struct certify_result found;
    const double start = cpu_ms();
    double worst = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const struct body body = figure_3(0.05 * (i + 1), 0.3 + 0.03 * j);
            const double before = cpu_ms();
            certify_body(&body, feet, LEVEL_P | LEVEL_E | LEVEL_M, true, &found);
            worst = fmax(worst, cpu_ms() - before);
        }
    const double seconds = (cpu_ms() - start) / 1e3;
    printf("  Fig. 3, %d x %d, all levels: %.1f s on one core, worst point %.1f ms (aims: 240 s, 50 ms)\n", N, N,
           seconds, worst);
}

static void time_motions(void)
{
    const struct falsify_settings settings = falsify_defaults(1);
    const struct body body = figure_3(1, 1);
    struct falsify_result motion;
    struct arena mem = { NULL };
    const double start = cpu_ms();
    falsify(&body, &settings, &mem, &motion);
    printf("  %d random motions: %.1f ms\n", settings.n_run, cpu_ms() - start);
    arena_free(&mem);
}

int main(void)
{
    const struct body plain = figure_2(0.8, 1), bouncing = figure_3(0.8, 1.2),
                      flat = slope_body(0, 1, 0.5, 0.5, 0.1);
    printf("certify: time of one point\n");
    time_level("Fig. 2, e = 0", &plain, LEVEL_P);
    time_level("Fig. 2, e = 0", &plain, LEVEL_E);
    time_level("Fig. 2, e = 0", &plain, LEVEL_M);
    time_level("Fig. 3, e = 0.1", &bouncing, LEVEL_P);
    time_level("Fig. 3, e = 0.1", &bouncing, LEVEL_M);
    time_level("flat ground, e = 0.1", &flat, LEVEL_M);
    time_chart();
    time_motions();
    return 0;
}
