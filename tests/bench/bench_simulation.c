/* Event-driven simulation of bouncing balls over tolerances: `method tolerance seconds state...`, one line each,
 * as tests/bench/siconos/balls.cpp prints them. The seconds are the least of twenty runs, reading the spec not
 * counted. */
#define _POSIX_C_SOURCE 200809L

#include "tests/unit/event_run.h"

#include <time.h>

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    enum { REPEAT = 20 };
    for (int k = 1; k < argc || k == 1; k++) {
        struct event_run r = event_run_read(argc > 1 ? argv[k] : "problems/two_balls.yaml");
        for (double tol = 1e-6; tol > 1e-13; tol *= 1e-2) {
            double best = INFINITY;
            r.task.rtol = tol;
            r.task.atol = 1e-2 * tol;
            for (int i = 0; i < REPEAT; i++) {
                const double start = seconds_now();
                if (event_run_go(&r) != STATUS_OK)
                    return 1;
                best = fmin(best, seconds_now() - start);
            }
            printf("collocation %g %.9f", tol, best);
            for (int i = 0; i < r.model->n_x; i++)
                printf(" %.17g", event_run_end(&r, i));
            printf("\n");
        }
        event_run_free(&r);
    }
    return 0;
}
