/* Bodies of the paper's figures, for the tests of core/stability. */
#ifndef COCP_TESTS_UNIT_STABILITY_BODIES_H
#define COCP_TESTS_UNIT_STABILITY_BODIES_H

#include "core/stability/body.h"

#include <math.h>

static inline struct body slope_body(double alpha_deg, double d, double mu1, double mu2, double e)
{
    const double alpha = alpha_deg * acos(-1) / 180, middle = tan(alpha);
    return (struct body){ .l = { middle - d, middle + d }, .h = 1, .mu = { mu1, mu2 }, .e = { e, e },
                          .g = { sin(alpha), -cos(alpha), 0 } };
}

/* alpha = 30 degrees, mu2 = 2, e = 0; foot 1 is uphill. */
static inline struct body figure_2(double d, double mu1)
{
    return slope_body(30, d, mu1, 2, 0);
}

/* alpha = 20 degrees, mu1 = mu2, e = 0.1 */
static inline struct body figure_3(double d, double mu)
{
    return slope_body(20, d, mu, mu, 0.1);
}

/* A linear congruential generator with the multiplier of Knuth's MMIX: tests repeat to the last bit. */
static inline double uniform(unsigned long long *state, double lo, double hi)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return lo + (hi - lo) * (double)(*state >> 11) / 9007199254740992.0;
}

/* Two feet anywhere below the centre of mass, tilted, with any load that points down. */
static inline struct body random_body(unsigned long long *state)
{
    struct body body = { .h = uniform(state, 0.2, 2) };
    body.l[0] = uniform(state, -2, 0.4);
    body.l[1] = body.l[0] + uniform(state, 0.3, 2.5);
    const double alpha = uniform(state, -0.6, 0.6), T = uniform(state, -0.3, 0.3);
    const double size = sqrt(1 + T * T);
    body.g[0] = sin(alpha) / size;
    body.g[1] = -cos(alpha) / size;
    body.g[2] = T / size;
    const double e = uniform(state, -0.3, 0.4);
    for (int i = 0; i < 2; i++) {
        body.phi[i] = uniform(state, -0.3, 0.3);
        body.mu[i] = uniform(state, 0.1, 1.8);
        body.e[i] = e > 0 ? e : 0;
    }
    return body;
}

#endif
