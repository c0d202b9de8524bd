/* Lemke's method on 100,000 random copositive problems, n = 2 ... 60: how many are solved, how well, how fast;
 * and the time of one step of an impact (impact.md 3) with two and with five contacts. */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/lcp_problems.h"

#include <stdio.h>
#include <time.h>

enum { N_PROBLEMS = 100000 };

/* Of this process: others may share the machine. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void run_all(struct lcp *lcp)
{
    static struct lcp_case c;
    int n_outcomes[LCP_NUMERIC + 1] = { 0 };
    int most = 0;
    double worst = 0, total = 0, pivots = 0;
    for (int k = 0; k < N_PROBLEMS; k++) {
        double z[LCP_MAX_N], w[LCP_MAX_N];
        struct lcp_info info;
        lcp_case_draw(&c, k);
        const struct lcp_problem problem = lcp_case_problem(&c);
        const double start = seconds();
        const enum lcp_outcome outcome = lcp_solve(lcp, &problem, NULL, z, w, &info);
        total += seconds() - start;
        n_outcomes[outcome]++;
        pivots += info.n_pivots;
        most = info.n_pivots > most ? info.n_pivots : most;
        if (outcome == LCP_SOLVED)
            worst = fmax(worst, lcp_violation(&problem, z) / lcp_case_size(&c, z));
        else
            printf("problem %d, kind %d, n = %d: %s, z_0 = %g\n", k, (int)c.kind, c.n,
                   lcp_outcome_text(outcome), info.z_0);
    }
    printf("%d problems: %d solved, %d rays, %d limits, %d numeric; largest violation %.1e of the terms;\n",
           N_PROBLEMS, n_outcomes[LCP_SOLVED], n_outcomes[LCP_RAY], n_outcomes[LCP_LIMIT],
           n_outcomes[LCP_NUMERIC], worst);
    printf("%.1f pivots on average, at most %d; %.2f s\n", pivots / N_PROBLEMS, most, total);
}

/* The best of several rounds over 200 different steps of an impact. */
static void time_step(struct lcp *lcp, int m)
{
    enum { N_CASES = 200, N_ROUNDS = 20 };
    struct lcp_case *c = malloc(N_CASES * sizeof *c);
    double best = INFINITY, pivots = 0;
    if (!c)
        return;
    for (int k = 0; k < N_CASES; k++) {
        uint64_t seed = (uint64_t)k + 1;
        lcp_draw_contact(&c[k], m, &seed);
    }
    for (int round = 0; round < N_ROUNDS; round++) {
        const double start = seconds();
        pivots = 0;
        for (int k = 0; k < N_CASES; k++) {
            double z[LCP_MAX_N], w[LCP_MAX_N];
            struct lcp_info info;
            const struct lcp_problem problem = lcp_case_problem(&c[k]);
            lcp_solve(lcp, &problem, NULL, z, w, &info);
            pivots += info.n_pivots;
        }
        best = fmin(best, seconds() - start);
    }
    printf("impact step, %d contacts, n = %d: %.2f us, %.1f pivots\n", m, 5 * m, 1e6 * best / N_CASES,
           pivots / N_CASES);
    free(c);
}

int main(void)
{
    struct lcp *lcp = lcp_create(LCP_MAX_N);
    run_all(lcp);
    time_step(lcp, 1);
    time_step(lcp, 2);
    time_step(lcp, 5);
    time_step(lcp, 12);
    lcp_free(lcp);
    return 0;
}
