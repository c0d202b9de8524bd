/* core/lcp and lcp_lexicolemke of Siconos on the same random copositive problems (lcp_problems.h): how many does
 * each solve, how well, how fast, and do they agree? M z is unique where M + M' is positive definite; elsewhere two
 * solvers may find two solutions, which are counted. tests/bench/siconos.sh compiles and runs this. */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/lcp_problems.h"

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#include <stdio.h>
#include <time.h>

enum { N_PROBLEMS = 100000 };

#define SOLVED 1e-9                 /* violation relative to the size of the terms of w */
#define SAME 1e-6                   /* difference of w, relative likewise */

struct tally { int n, solved_ours, solved_theirs, same, differ; double worst_ours, worst_theirs, ours, theirs; };

/* Of this process: others may share the machine. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double relative_violation(const struct lcp_case *c, const double *z)
{
    const struct lcp_problem problem = lcp_case_problem(c);
    for (int i = 0; i < c->n; i++)
        if (!isfinite(z[i]))
            return INFINITY;
    return lcp_violation(&problem, z) / lcp_case_size(c, z);
}

static double difference(const struct lcp_case *c, const double *a, const double *b)
{
    double worst = 0;
    for (int i = 0; i < c->n; i++) {
        double sum = 0;
        for (int j = 0; j < c->n; j++)
            sum += c->M[i + j * c->n] * (a[j] - b[j]);
        worst = fmax(worst, fabs(sum));
    }
    return worst / fmax(lcp_case_size(c, a), lcp_case_size(c, b));
}

static void run_both(struct lcp *lcp, struct lcp_case *c, SolverOptions *options, struct tally *tally)
{
    double z[LCP_MAX_N], w[LCP_MAX_N], z_theirs[LCP_MAX_N] = { 0 }, w_theirs[LCP_MAX_N] = { 0 };
    struct lcp_info info;
    int failed = 0;
    const struct lcp_problem problem = lcp_case_problem(c);
    NumericsMatrix *M = NM_create_from_data(NM_DENSE, c->n, c->n, c->M);
    LinearComplementarityProblem theirs = { c->n, M, c->q };

    double start = seconds();
    lcp_solve(lcp, &problem, NULL, z, w, &info);
    tally->ours += seconds() - start;
    start = seconds();
    lcp_lexicolemke(&theirs, z_theirs, w_theirs, &failed, options);
    tally->theirs += seconds() - start;

    const double v_ours = info.outcome == LCP_SOLVED ? relative_violation(c, z) : INFINITY;
    const double v_theirs = failed ? INFINITY : relative_violation(c, z_theirs);
    tally->n++;
    tally->solved_ours += v_ours <= SOLVED;
    tally->solved_theirs += v_theirs <= SOLVED;
    tally->worst_ours = v_ours <= SOLVED ? fmax(tally->worst_ours, v_ours) : tally->worst_ours;
    tally->worst_theirs = v_theirs <= SOLVED ? fmax(tally->worst_theirs, v_theirs) : tally->worst_theirs;
    if (v_ours <= SOLVED && v_theirs <= SOLVED) {
        const bool same = difference(c, z, z_theirs) <= SAME;
        tally->same += same;
        tally->differ += !same;
    }
    M->matrix0 = NULL;                  /* the entries are ours */
    NM_clear(M);
    free(M);
}

int main(void)
{
    static const char *const kinds[LCP_N_KINDS] = { "strictly copositive", "the same, integers", "monotone",
                                                    "contact", "every unknown twice" };
    static struct lcp_case c;
    struct tally tally[LCP_N_KINDS] = { 0 };
    struct lcp *lcp = lcp_create(LCP_MAX_N);
    SolverOptions *options = solver_options_create(SICONOS_LCP_LEMKE);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
    for (int k = 0; k < N_PROBLEMS; k++) {
        lcp_case_draw(&c, k);
        run_both(lcp, &c, options, &tally[c.kind]);
    }
    printf("%-20s %7s | %7s %9s %9s | %7s %9s %9s | %6s %6s | %6s\n", "problems", "number", "ours", "violation",
           "us each", "theirs", "violation", "us each", "same", "differ", "ratio");
    for (int k = 0; k < LCP_N_KINDS; k++) {
        const struct tally *t = &tally[k];
        printf("%-20s %7d | %7d %9.1e %9.2f | %7d %9.1e %9.2f | %6d %6d | %6.1f\n", kinds[k], t->n, t->solved_ours,
               t->worst_ours, 1e6 * t->ours / t->n, t->solved_theirs, t->worst_theirs, 1e6 * t->theirs / t->n,
               t->same, t->differ, t->theirs / t->ours);
    }
    solver_options_delete(options);
    lcp_free(lcp);
    return 0;
}
