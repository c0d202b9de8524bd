/* tests/unit/two_balls.h - two balls on a spring (FESD-J 5.1), for the experiment on orders of convergence
 *
 * The lower ball hits the ground at 0.2 m with restitution 0.8. Steps of a run are T/N long, each with two finite
 * elements; the error of a run is the largest one of x(T).
 */
#ifndef COCP_TESTS_UNIT_TWO_BALLS_H
#define COCP_TESTS_UNIT_TWO_BALLS_H

#include "tests/unit/simulated.h"
#include "transcription/method/rk.h"

/* k: stiffness of the spring, N/m; height of the lower ball at the start, m. */
static inline struct simulated two_balls_read(double k, double height)
{
    char text[1000];
    snprintf(text, sizeof text,
             "cocp: 1\n"
             "parameters: {k: %.17g}\n"
             "time: {horizon: 1, intervals: 1, elements: 2}\n"
             "states: {q1: {initial: %.17g}, q2: {initial: %.17g}, v1: {initial: 0}, v2: {initial: 0}}\n"
             "dynamics: {type: mechanical, coordinates: {q1: v1, q2: v2}, mass: {diag: [1, 1]},\n"
             "  force: {q1: -9.81 + k*(q2 - q1 - 1), q2: -9.81 - k*(q2 - q1 - 1)}}\n"
             "contacts: {ground: {gap: q1 - 0.2, restitution: 0.8}}\n"
             "discretization: {method: fesd-j}\n",
             k, height, height + 1);
    return simulated_read(text);
}

/* Runs with `steps` steps; false if it does not reach the end. */
static inline bool two_balls_run(struct simulated *s, int scheme, int stages, int steps)
{
    s->settings.scheme = scheme;
    s->settings.stages = stages;
    s->simulate.steps = steps;
    return simulated_try(s) == STATUS_OK;
}

static inline double two_balls_error(const struct simulated *s, const double *end)
{
    double error = 0;
    for (int i = 0; i < 4; i++) error = fmax(error, fabs(simulated_end(s, i) - end[i]));
    return error;
}

/* Order of a Runge-Kutta scheme. */
static inline int two_balls_order(int scheme, int stages)
{
    return 2 * stages - (scheme == RK_RADAU_IIA);
}

#endif
